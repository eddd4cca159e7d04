"""What the board says: who it is, how it stands, what changed in which order, which light frame it shows.

Each message has a `line` (the payload of a frame), and `parse_from_board` reads it. Runs on the board (MicroPython)
too.
"""

from .fields import BadMessage, expect, format_hex, parse_count, parse_counts, parse_hex, parse_signed

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

PROTOCOL = 1
NONCE_DIGITS = 8
LONGEST_SIDE = 9
MOST_CHANGES = 12  # changes in one line
BUTTONS = ("roll", "choose", "next", "back")  # choose is the encoder's push


class OtherVersion(BadMessage):
    """The board greets in another version of the link; only its version is known."""

    def __init__(self, protocol: int, firmware: str) -> None:
        super().__init__(f"the board speaks version {protocol} of the link, not {PROTOCOL}")
        self.protocol = protocol
        self.firmware = firmware


class Hello:
    """The board presents itself: at its start, when asked, and with each state while it hears no host.

    `nonce` is drawn anew at each start. `lights` counts the squares' lights and the button's own, 0 if there are none.
    `buttons` are names from BUTTONS, in the order of their indexes.
    """

    def __init__(self, firmware: str, files: int, ranks: int, nonce: int, abilities: "Abilities") -> None:
        self.protocol = PROTOCOL
        self.firmware = firmware
        self.files = files
        self.ranks = ranks
        self.nonce = nonce
        self.lights = abilities.lights
        self.buttons = abilities.buttons
        self.encoder = abilities.encoder
        self.buzzer = abilities.buzzer

    def line(self) -> str:
        """Return the message as text."""
        abilities = "lights=%d buttons=%s encoder=%d buzzer=%d"
        told = abilities % (self.lights, ",".join(self.buttons) or "none", self.encoder, self.buzzer)
        nonce = format_hex(self.nonce, NONCE_DIGITS)
        return f"HELLO {self.protocol} {self.firmware} {self.files}x{self.ranks} {nonce} {told}"


class Abilities:
    """What a board has beside its switches."""

    def __init__(self, lights: int, buttons: tuple[str, ...], encoder: bool, buzzer: bool) -> None:  # noqa: FBT001
        self.lights = lights
        self.buttons = buttons
        self.encoder = encoder
        self.buzzer = buzzer


class State:
    """How the whole board stands.

    `occupied` has bit `rank * files + file` set where a switch is closed; it is sent as so many hex `digits`. `buttons`
    has (presses, releases, down) of each button since the start, `position` the encoder's steps to the right.
    `kept_from` is the first change that the board still keeps, `latest` the last that happened (changes are counted
    from 1). `lit` is the light frame shown, `settings` are brightness in percent and debounce in ms, `errors` the
    board's bad lines, bad messages and dropped changes.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the line has as many words
        self,
        nonce: int,
        sequence: int,
        board_ms: int,
        occupied: int,
        digits: int,
        log: tuple[int, int],
        buttons: list[list[int]],
        position: int,
        lit: int,
        settings: list[int],
        errors: list[int],
    ) -> None:
        self.nonce = nonce
        self.sequence = sequence
        self.board_ms = board_ms
        self.occupied = occupied
        self.digits = digits
        self.kept_from, self.latest = log
        self.buttons = buttons
        self.position = position
        self.lit = lit
        self.settings = settings
        self.errors = errors

    def line(self) -> str:
        """Return the message as text."""
        words = [
            "STATE",
            format_hex(self.nonce, NONCE_DIGITS),
            str(self.sequence),
            str(self.board_ms),
            format_hex(self.occupied, self.digits),
            f"{self.kept_from},{self.latest}",
            ";".join([_commas(button) for button in self.buttons]) or "none",
            str(self.position),
            str(self.lit),
            _commas(self.settings),
            _commas(self.errors),
        ]
        return " ".join(words)


class Change:
    """One thing that happened at the board: kind `s` (switch closed or opened), `b` (button down or up), `e` (turned).

    `index` is the switch or button, 0 for the encoder; `value` is 1 or 0, for the encoder the steps to the right.
    """

    def __init__(self, board_ms: int, kind: str, index: int, value: int) -> None:
        self.board_ms = board_ms
        self.kind = kind
        self.index = index
        self.value = value

    def word(self) -> str:
        """Return the change as a word of a line."""
        if self.kind == "e":
            return f"{self.board_ms}:e{self.value}"
        return f"{self.board_ms}:{self.kind}{self.index}{'+' if self.value else '-'}"


class Changes:
    """What changed, in order; the first change has number `first`, the others follow without a gap."""

    def __init__(self, nonce: int, first: int, words: list[str]) -> None:
        self.nonce = nonce
        self.first = first
        self.words = words

    def line(self) -> str:
        """Return the message as text."""
        return f"CHANGES {format_hex(self.nonce, NONCE_DIGITS)} {self.first} {' '.join(self.words)}"

    def changes(self) -> list[Change]:
        """Return the changes themselves; raises BadMessage."""
        return [_parse_change(word) for word in self.words]


class Lit:
    """The board shows this light frame."""

    def __init__(self, nonce: int, frame: int) -> None:
        self.nonce = nonce
        self.frame = frame

    def line(self) -> str:
        """Return the message as text."""
        return f"LIT {format_hex(self.nonce, NONCE_DIGITS)} {self.frame}"


class Pong:
    """The answer to a ping, with the board's time."""

    def __init__(self, nonce: int, number: int, board_ms: int) -> None:
        self.nonce = nonce
        self.number = number
        self.board_ms = board_ms

    def line(self) -> str:
        """Return the message as text."""
        return f"PONG {format_hex(self.nonce, NONCE_DIGITS)} {self.number} {self.board_ms}"


def parse_from_board(line: str) -> "Hello | State | Changes | Lit | Pong":
    """Read a payload that the board sent.

    Raises:
        OtherVersion: a greeting in another version of the link.
        BadMessage: anything else that is none of the messages.
    """
    words = line.split(" ")
    parse = _PARSERS.get(words[0])
    if parse is None:
        raise BadMessage(f"expected one of {', '.join(sorted(_PARSERS))}, not {words[0]!r}")
    return parse(words)


def hex_digits(switches: int) -> int:
    """Return how many hex digits tell this many switches."""
    return (switches + 3) // 4


def _commas(numbers: list[int]) -> str:
    return ",".join([str(number) for number in numbers])


def _parse_hello(words: list[str]) -> Hello:
    if len(words) >= 3:  # noqa: PLR2004 - these words are the same in all versions: HELLO, protocol, firmware
        protocol = parse_count(words[1], "a version of the link")
        if protocol != PROTOCOL:
            raise OtherVersion(protocol, words[2])
    expect(words, 9)
    sides = words[3].split("x")
    expect(sides, 2)
    files, ranks = (parse_count(side, "files and ranks", LONGEST_SIDE) for side in sides)
    if not files or not ranks:
        raise BadMessage(f"expected a board of files x ranks, not {words[3]!r}")
    nonce = parse_hex(words[4], "a boot nonce", NONCE_DIGITS)
    names = _ability(words[6], "buttons")
    buttons = () if names == "none" else tuple(names.split(","))
    for name in buttons:
        if name not in BUTTONS or buttons.count(name) > 1:
            raise BadMessage(f"expected buttons among {', '.join(BUTTONS)}, not {names!r}")
    lights = parse_count(_ability(words[5], "lights"), "lights", files * ranks + 1)
    encoder = parse_count(_ability(words[7], "encoder"), "an encoder", 1)
    buzzer = parse_count(_ability(words[8], "buzzer"), "a buzzer", 1)
    return Hello(words[2], files, ranks, nonce, Abilities(lights, buttons, bool(encoder), bool(buzzer)))


def _ability(word: str, name: str) -> str:
    if not word.startswith(name + "="):
        raise BadMessage(f"expected {name}=..., not {word!r}")
    return word[len(name) + 1 :]


def _parse_state(words: list[str]) -> State:
    expect(words, 11)
    digits = len(words[4])
    if not 0 < digits <= hex_digits(LONGEST_SIDE * LONGEST_SIDE):
        raise BadMessage(f"expected the occupied squares, not {words[4]!r}")
    kept_from, latest = parse_counts(words[5], "the changes kept", 2)
    if kept_from < 1 or kept_from > latest + 1:
        raise BadMessage(f"expected the first change kept and the latest, not {words[5]!r}")
    groups = [] if words[6] == "none" else words[6].split(";")
    buttons = [parse_counts(group, "a button", 3) for group in groups]
    for presses, releases, down in buttons:
        if down - presses + releases not in (0, 1) or down > 1:
            raise BadMessage(f"expected presses, releases and 0 or 1, not {words[6]!r}")
    return State(
        parse_hex(words[1], "a boot nonce", NONCE_DIGITS),
        parse_count(words[2], "a sequence number"),
        parse_count(words[3], "milliseconds"),
        parse_hex(words[4], "the occupied squares", digits),
        digits,
        (kept_from, latest),
        buttons,
        parse_signed(words[7], "a position"),
        parse_count(words[8], "a light frame"),
        parse_counts(words[9], "settings", 2),
        parse_counts(words[10], "errors", 3),
    )


def _parse_changes(words: list[str]) -> Changes:
    if not 1 <= len(words[3:]) <= MOST_CHANGES:
        raise BadMessage(f"expected up to {MOST_CHANGES} changes, not {' '.join(words)!r}")
    first = parse_count(words[2], "a change's number")
    if first < 1:
        raise BadMessage("expected changes counted from 1, not from 0")
    changes = Changes(parse_hex(words[1], "a boot nonce", NONCE_DIGITS), first, words[3:])
    changes.changes()
    return changes


def _parse_change(word: str) -> Change:
    time, colon, what = word.partition(":")
    board_ms = parse_count(time, "milliseconds")
    if not colon or not what or what[0] not in "sbe":
        raise BadMessage(f"expected a change like 1200:s12+, not {word!r}")
    if what[0] == "e":
        return Change(board_ms, "e", 0, parse_signed(what[1:], "steps"))
    if what[-1] not in "+-":
        raise BadMessage(f"expected + or - at the end, not {word!r}")
    highest = LONGEST_SIDE * LONGEST_SIDE if what[0] == "s" else len(BUTTONS)
    return Change(board_ms, what[0], parse_count(what[1:-1], "an index", highest - 1), int(what[-1] == "+"))


def _parse_lit(words: list[str]) -> Lit:
    expect(words, 3)
    return Lit(parse_hex(words[1], "a boot nonce", NONCE_DIGITS), parse_count(words[2], "a light frame"))


def _parse_pong(words: list[str]) -> Pong:
    expect(words, 4)
    nonce = parse_hex(words[1], "a boot nonce", NONCE_DIGITS)
    return Pong(nonce, parse_count(words[2], "a ping's number"), parse_count(words[3], "milliseconds"))


_PARSERS: "dict[str, Callable[[list[str]], Hello | State | Changes | Lit | Pong]]" = {
    "HELLO": _parse_hello,
    "STATE": _parse_state,
    "CHANGES": _parse_changes,
    "LIT": _parse_lit,
    "PONG": _parse_pong,
}
