"""Converts parsed TOML to a profile and checks the profile; an error message names the wrong key.

The checks cover pins, supply, fuse and corrections of exchanged wires. The module has no input or output.
"""

from collections.abc import Mapping
from typing import Any, Final

from captains_table.games.contract import Shape, Square
from captains_table.hardware.kinds import BOARD_KINDS, LIGHT_KINDS, PANEL_KINDS, BoardKind
from captains_table.hardware.profiles.light_supply import MOST_MA, check_supply
from captains_table.hardware.profiles.pin_clashes import check_pins
from captains_table.hardware.profiles.profile import (
    ButtonKind,
    ButtonName,
    ButtonsBuild,
    DisplayBuild,
    Encoder,
    I2cBus,
    LightOrder,
    LightsBuild,
    Matrix,
    Profile,
    SpiBus,
)
from captains_table.hardware.profiles.toml_reader import BadProfile, TomlTableReader

BUTTON_KINDS: Final[tuple[ButtonKind, ...]] = ("encoder", "one")
EXCHANGED: Final[tuple[tuple[ButtonName, ...], ...]] = (("roll", "choose"), ("next", "previous"))
LIGHT_ORDERS: Final[tuple[LightOrder, ...]] = ("rows", "serpentine")
ANY_PIN: Final = 999  # an upper bound; check_pins checks that the board has the pin


def parse_profile(name: str, values: Mapping[str, Any]) -> Profile:
    """Return the profile that parsed TOML describes.

    Args:
        name: the profile's name.
        values: the content of the file.

    Raises:
        BadProfile: a key is unknown, missing or wrong, pins clash, or supply and fuse do not fit; the message does not
            name the file.
    """
    top = TomlTableReader(values)
    board = BOARD_KINDS[top.word("source", tuple(BOARD_KINDS))]
    shape = Shape(top.whole("files", 8, 9), top.whole("ranks", 8, 9))
    profile = Profile(
        name=name,
        title=top.text("title"),
        shape=shape,
        board=board,
        square_mm=top.whole("square_mm", 20, 100, default=50),
        buttons=_buttons(top, board),
        display=_display(top),
        matrix=_matrix(top, shape, board),
        lights=_lights(top, board, shape) if "lights" in top else None,
        buzzer=_buzzer(top, board),
        usb=_usb(top, board),
        corrections=_corrections(top, shape, ("read by no switch", "read by two switches")),
    )
    top.finish()
    check_pins(profile)
    check_supply(profile)
    return profile


def _matrix(top: TomlTableReader, shape: Shape, board: BoardKind) -> Matrix | None:
    if board.owner is None:
        if "matrix" in top:
            raise _has_none(board, "matrix", "lines")
        return None
    with top.table("matrix") as table:
        return Matrix(
            rank_pins=table.wholes("rank_pins", shape.ranks, "pins, one a rank, rank 1 first"),
            file_pins=table.wholes("file_pins", shape.files, "pins, one a file, file a first"),
        )


def _has_none(board: BoardKind, table: str, what: str) -> BadProfile:
    return BadProfile(f'[{table}]: a board whose source is "{board.key}" has no {what}; expected no such table')


def _buttons(top: TomlTableReader, board: BoardKind) -> ButtonsBuild:
    roll = encoder = None
    with top.table("buttons") as table:
        kind = table.word("kind", BUTTON_KINDS)
        if board.owner is not None:
            roll = _pin(table, "roll")
        if board.owner is not None and kind == "encoder":
            with table.table("encoder") as pins:
                encoder = Encoder(_pin(pins, "a"), _pin(pins, "b"), _pin(pins, "push"))
        return ButtonsBuild(kind, roll, encoder, _button_corrections(table, kind))


def _button_corrections(table: TomlTableReader, kind: ButtonKind) -> dict[ButtonName, ButtonName]:
    """Return the corrections of buttons that were wired in each other's place; raises BadProfile for any others.

    Roll can be exchanged only with choose, and next only with previous. A build with one button has no corrections.
    """
    words = table.words("corrections")
    if words and kind == "one":
        raise table.wrong("corrections", "none: there is one button")
    pairs = {wired: meant for group in EXCHANGED for wired in group for meant in group if words.get(wired) == meant}
    if len(pairs) != len(words) or set(pairs) != set(pairs.values()):
        raise table.wrong("corrections", 'roll = "choose" with choose = "roll", or next = "previous" with its converse')
    return {wired: meant for wired, meant in pairs.items() if wired != meant}


def _display(top: TomlTableReader) -> DisplayBuild:
    with top.table("glass") as table:
        kind = PANEL_KINDS[table.word("chip", tuple(PANEL_KINDS))]
        bus: I2cBus | SpiBus | None = None
        match table.word("bus", (kind.bus, "page")):
            case "i2c":
                bus = I2cBus(table.whole("port", 1, 1, default=1), table.whole("address", 0x08, 0x77, default=0x3C))
            case "spi":
                device = table.whole("device", 0, 1, default=0)
                bus = SpiBus(device, _pin(table, "data_command"), _pin(table, "reset"))
        rotated = table.truth("rotated")
        return DisplayBuild(kind, bus, rotated, table.whole("brightness", 0, 255, default=255))


def _lights(top: TomlTableReader, board: BoardKind, shape: Shape) -> LightsBuild:
    with top.table("lights") as table:
        kind = LIGHT_KINDS[table.word("kind", tuple(LIGHT_KINDS))]
        if kind.owner == "pico" and board.owner != "pico":
            others = " or ".join(f'"{other.key}"' for other in LIGHT_KINDS.values() if other.owner == "pi")
            raise table.wrong("kind", f"{others}: only a Pico drives {kind.name}")
        lights = LightsBuild(
            kind,
            pin=_pin(table, "pin") if kind.owner == "pico" else None,
            device=table.whole("device", 0, 1, default=0) if kind.has_select else None,
            order=table.word("order", LIGHT_ORDERS, default="rows"),
            button_light=table.truth("button_light"),
            brightness=table.whole("brightness", 0, 255, default=64),
            supply_ma=table.whole("supply_ma", 1, MOST_MA) if "supply_ma" in table else None,
            fuse_ma=table.whole("fuse_ma", 1, MOST_MA) if "fuse_ma" in table else None,
            corrections=_corrections(table, shape, ("lit by no light", "lit by two lights")),
        )
        if not kind.is_chain and (lights.button_light or lights.order != "rows"):
            raise BadProfile(
                f'lights.kind = "{kind.key}": its modules have rows of their own and no further light; '
                'expected order = "rows" and no button_light'
            )
        return lights


def _buzzer(top: TomlTableReader, board: BoardKind) -> int | None:
    if "buzzer" not in top:
        return None
    if board.owner is None:
        raise _has_none(board, "buzzer", "pins")
    with top.table("buzzer") as table:
        return _pin(table, "pin")


def _usb(top: TomlTableReader, board: BoardKind) -> tuple[int, int] | None:
    if not board.usb:
        return None
    text = top.text("usb") if "usb" in top else board.usb
    vendor, colon, product = text.partition(":")
    try:
        return int(vendor, 16), int(product, 16)
    except ValueError:
        raise top.wrong(
            "usb", f'vendor and product in hexadecimal, such as "{board.usb}"{"" if colon else " (colon)"}'
        ) from None


def _corrections(table: TomlTableReader, shape: Shape, what: tuple[str, str]) -> dict[Square, Square]:
    """Return the corrections of switches or lights, without squares that are mapped to themselves.

    Args:
        table: the TOML table with the key `corrections`. The squares to the left of `=` and the squares to the right
            must be the same, each once.
        shape: the board.
        what: two phrases for error messages: for a square without a switch or light, and for a square with two.

    Raises:
        BadProfile: a name is no square of the board, or a square is missing on one side or occurs twice on the right.
    """
    name = table.named("corrections")
    words = table.words("corrections")
    try:
        pairs = {shape.square(wired): shape.square(meant) for wired, meant in words.items()}
    except ValueError as error:
        raise BadProfile(f"{name}: {error}") from None
    lost = sorted(pairs.keys() - set(pairs.values()))
    doubled = sorted(set(pairs.values()) - pairs.keys())
    if lost or doubled or len(set(pairs.values())) != len(pairs):
        trouble = f"{lost[0]} would be {what[0]}" if lost else f"a square would be {what[1]}"
        raise BadProfile(f"{name}: {trouble}; expected every square named on the left once on the right too")
    return {wired: meant for wired, meant in pairs.items() if wired != meant}


def _pin(table: TomlTableReader, key: str) -> int:
    return table.whole(key, 0, ANY_PIN)
