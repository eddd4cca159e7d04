"""Profiles: those we ship are sound, and whatever is wrong with one is said in a sentence that names it."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from captains_table.cli.main import main
from captains_table.games.contract import Shape, Square, parse_square
from captains_table.hardware.profiles.light_supply import light_supply
from captains_table.hardware.profiles.pin_clashes import PI_PINS, PICO_PINS, pin_uses
from captains_table.hardware.profiles.profile import Encoder, I2cBus, SpiBus
from captains_table.hardware.profiles.profile_reader import parse_profile
from captains_table.hardware.profiles.toml_reader import BadProfile
from captains_table.hardware.wiring.board_settings import board_settings
from captains_table.storage.profile_files import BUILDS, OVERRIDE, load_profile, profile_names

SHIPPED = ["gpio-8x8", "gpio-9x8", "one-button", "pico-8x8", "pico-9x8", "simulated"]
SOURCES = Path(__file__).parents[2] / "hardware" / "profiles"


def values_of(name: str) -> dict[str, Any]:
    return tomllib.loads((SOURCES / f"{name}.toml").read_text(encoding="utf-8"))


def complaint(values: Mapping[str, Any]) -> str:
    with pytest.raises(BadProfile) as caught:
        parse_profile("mine", values)
    return str(caught.value)


def test_the_builds_we_promise_come_with_the_program() -> None:
    assert profile_names() == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_the_builds_installed_are_those_of_the_repository(name: str) -> None:
    installed = files(BUILDS) / f"{name}.toml"
    assert tomllib.loads(installed.read_text(encoding="utf-8")) == values_of(name), "run: make .venv/dev"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_profile_uses_pins_its_boards_have_and_none_twice(name: str) -> None:
    uses = [(use.owner, use.pin) for use in pin_uses(load_profile(name))]
    assert len(uses) == len(set(uses))
    assert {pin for owner, pin in uses if owner == "pico"} <= PICO_PINS
    assert {pin for owner, pin in uses if owner == "pi"} <= PI_PINS


@pytest.mark.parametrize("name", SHIPPED)
def test_a_profile_says_its_shape_in_its_name_and_has_a_line_for_each_file_and_rank(name: str) -> None:
    profile = load_profile(name)
    assert profile.shape == (Shape(9, 8) if "9x8" in name or name == "simulated" else Shape(8, 8))
    if profile.matrix is not None:
        assert (len(profile.matrix.file_pins), len(profile.matrix.rank_pins)) == (
            profile.shape.files,
            profile.shape.ranks,
        )


def test_the_pico_reads_what_is_soldered_to_it_and_the_glass_hangs_on_the_pi() -> None:
    profile = load_profile("pico-8x8")
    assert profile.usb == (0x2E8A, 0x0005)
    assert profile.buttons.encoder == Encoder(17, 18, 19)
    assert profile.display.bus == I2cBus(1, 0x3C)
    assert {use.owner for use in pin_uses(profile) if use.key.startswith("glass")} == {"pi"}


def test_switches_are_counted_rank_by_rank_from_a1() -> None:
    assert str(load_profile("pico-8x8").square_of(28)) == "e4"
    assert str(load_profile("pico-9x8").square_of(28)) == "b4"
    with pytest.raises(IndexError, match="switch 64: expected 0 to 63"):
        load_profile("pico-8x8").square_of(64)


def test_a_serpentine_chain_runs_back_on_every_other_rank_and_ends_with_the_buttons_light() -> None:
    profile = load_profile("pico-9x8")
    assert [profile.light_of(parse_square(name)) for name in ("a1", "i1", "i2", "a2", "a3")] == [0, 8, 9, 17, 18]
    assert profile.light_count == 73
    assert sorted(profile.light_of(square) for square in profile.shape.squares()) == list(range(72))
    with pytest.raises(IndexError, match="a9: the board has 9 files and 8 ranks"):
        profile.light_of(Square(0, 8))


# --- what is wrong is named -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("source", "arduino", 'source = \'arduino\': expected "pico" or "gpio" or "simulated"'),
        ("files", 10, "files = 10: expected a whole number from 8 to 9"),
        ("files", True, "files = True: expected a whole number from 8 to 9"),
        ("title", " ", "title = ' ': expected text in quotes"),
        ("colour", "red", "unknown key 'colour': expected source, files, ranks, title"),
        ("usb", "2E8A", "usb = '2E8A': expected vendor and product in hexadecimal"),
        ("matrix.rank_pins", [0, 1], "matrix.rank_pins = [0, 1]: expected 8 pins, one a rank, rank 1 first"),
        ("matrix.row_pins", [], "unknown key 'matrix.row_pins': expected rank_pins, file_pins"),
        ("matrix", 3, "matrix = 3: expected a table [matrix]"),
        ("buttons.kind", "two", 'buttons.kind = \'two\': expected "encoder" or "one"'),
        ("buttons.kind", "one", "unknown key 'buttons.encoder': expected kind, roll"),
        ("buttons.encoder", {"a": 17, "b": 18}, "buttons.encoder.push is missing: expected a whole number"),
        ("buttons.roll", 23, "buttons.roll = 23: expected one of the Pico's GP0 to 22, 26 to 28"),
        ("glass.chip", "hd44780", 'glass.chip = \'hd44780\': expected "ssd1306" or "sh1106"'),
        ("glass.bus", "spi", 'glass.bus = \'spi\': expected "i2c" or "page"'),
        ("glass.address", 0x80, "glass.address = 128: expected a whole number from 8 to 119"),
        ("glass.rotated", "yes", "glass.rotated = 'yes': expected true or false"),
        ("lights.order", "spiral", 'lights.order = \'spiral\': expected "rows" or "serpentine"'),
        ("lights.supply_ma", 2.5, "lights.supply_ma = 2.5: expected a whole number from 1 to 60000"),
        ("lights.supply_ma", 100, "lights.supply_ma = 100: expected 551 to 60000 (milliamperes): it has"),
        ("lights", {"kind": "max7219", "supply_ma": 20}, "lights.supply_ma = 20: expected 551 to 60000"),
        ("lights.fuse_ma", 1.6, "lights.fuse_ma = 1.6: expected a whole number from 1 to 60000"),
        ("lights.fuse_ma", 4000, "lights.fuse_ma = 4000: expected one of 200, 250, 315, 400, 500, 630, 800, "),
        ("lights.fuse_ma", 1700, "1250, 1600 (milliamperes): a supply of 5000 mA cannot blow a larger one"),
        ("lights", {"kind": "max7219", "fuse_ma": 400}, "lights.fuse_ma = 400: expected one of 200, 250, 315 "),
        ("lights", {"kind": "max7219", "order": "serpentine"}, 'expected order = "rows" and no button_light'),
        ("corrections", {"e4": "d4"}, "corrections: e4 would be read by no switch"),
        ("lights.corrections", {"e4": "d4"}, "lights.corrections: e4 would be lit by no light"),
        ("buttons.corrections", {"next": "roll"}, "buttons.corrections = a table: expected roll = "),
        ("buttons.corrections", {"next": "previous"}, "buttons.corrections = a table: expected roll = "),
        ("corrections", {"e4": "z9"}, "corrections: z9 is no square of a board of 8 files and 8 ranks"),
        ("corrections", {"e4": 5}, "corrections = a table: expected a table of words in quotes"),
    ],
)
def test_what_is_wrong_is_said_with_key_value_and_what_was_expected(key: str, value: object, words: str) -> None:
    values = inner = values_of("pico-8x8")
    *tables, last = key.split(".")
    for table in tables:
        inner = inner[table]
    inner[last] = value
    assert words in complaint(values)


def test_lights_and_buttons_that_are_wired_otherwise_are_corrected_and_the_picos_own_chain_stays() -> None:
    values = values_of("pico-9x8")
    values["lights"]["corrections"] = {"a1": "b1", "b1": "a1"}
    values["buttons"]["corrections"] = {"next": "previous", "previous": "next", "roll": "roll"}
    profile = parse_profile("mine", values)
    a1, b1 = parse_square("a1"), parse_square("b1")
    assert (profile.light_of(a1), profile.light_of(b1)) == (1, 0)
    assert (profile.wired_light_of(a1), profile.wired_light_of(b1)) == (0, 1)
    assert profile.buttons.corrections == {"next": "previous", "previous": "next"}
    assert "    0, 1, 2, 3" in board_settings(profile)


@pytest.mark.parametrize("key", ["title", "source", "files", "matrix", "buttons", "glass"])
def test_what_a_build_cannot_be_without_is_asked_for(key: str) -> None:
    values = values_of("pico-8x8")
    del values[key]
    assert complaint(values).startswith(f"{key} is missing: expected ")


SPI_GLASS = {"chip": "ssd1322", "bus": "spi", "data_command": 25, "reset": 27}


@pytest.mark.parametrize(
    ("build", "changes", "words"),
    [
        (
            "pico-8x8",
            {"buzzer": {"pin": 5}},
            "the Pico's GP5 is used twice: by matrix.file_pins[5] (file f) and by buzzer.pin (buzzer)",
        ),
        (
            "gpio-8x8",
            {"buttons": {"kind": "one", "roll": 3}},
            "the Pi's BCM 3 is used twice: by buttons.roll (roll button) and by glass.bus (glass clock, I2C)",
        ),
        (
            "pico-8x8",
            {"glass": SPI_GLASS, "lights": {"kind": "apa102"}},
            "the Pi's BCM 10 is used twice: by lights.kind (lights data, SPI0) and by glass.bus (glass data, SPI0)",
        ),
        ("gpio-8x8", {"lights": {"kind": "neopixel", "pin": 18}}, "only a Pico drives NeoPixels"),
        ("simulated", {"matrix": {"rank_pins": []}}, 'a board whose source is "simulated" has no'),
        ("simulated", {"buzzer": {"pin": 3}}, 'a board whose source is "simulated" has no'),
    ],
)
def test_a_pin_that_is_used_twice_or_is_not_there_is_refused(build: str, changes: dict[str, Any], words: str) -> None:
    assert words in complaint(values_of(build) | changes)


def test_a_ninth_file_is_one_more_wire_and_changes_no_other() -> None:
    eight, nine = load_profile("pico-8x8"), load_profile("pico-9x8")
    assert eight.matrix is not None
    assert nine.matrix is not None
    assert nine.matrix.file_pins == (*eight.matrix.file_pins, 21)
    assert (nine.matrix.rank_pins, nine.buttons, nine.buzzer) == (eight.matrix.rank_pins, eight.buttons, eight.buzzer)


def test_panels_with_a_chip_select_share_the_bus() -> None:
    values = values_of("pico-8x8") | {"glass": SPI_GLASS, "lights": {"kind": "max7219", "device": 1}}
    profile = parse_profile("mine", values)
    assert profile.display.bus == SpiBus(0, 25, 27)
    assert profile.display.kind.size == (256, 64)


# --- files ----------------------------------------------------------------------------------------------------------


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadProfile, match=r"no profile 'pico': expected gpio-8x8, gpio-9x8, one-button, pico-8x8"):
        load_profile("pico")


def test_a_builders_own_file_is_read_and_named_in_its_errors(tmp_path: Path) -> None:
    own = tmp_path / "attic.toml"
    own.write_text((SOURCES / "pico-8x8.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert load_profile(str(own)).name == "attic"
    own.write_text("source = ", encoding="utf-8")
    with pytest.raises(BadProfile, match=r"attic\.toml: is not TOML"):
        load_profile(str(own))
    with pytest.raises(BadProfile, match=r"missing\.toml: cannot be read"):
        load_profile(str(tmp_path / "missing.toml"))


def override(state: Path, text: str) -> None:
    (state / OVERRIDE).write_text(text, encoding="utf-8")


def test_the_command_that_checks_a_configuration_checks_its_profile_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'[table]\nprofile = "one-button"\nstate_dir = "{tmp_path}"\n', encoding="utf-8")
    assert main(["run", "--check", str(config)]) == 0
    assert "is in order: one-button, " in capsys.readouterr().out
    override(tmp_path, 'profile = "one-button"\nbuttons.roll = 3\n')
    assert main(["run", "--check", str(config)]) == 2
    assert (
        "the Pico's GP3 is used twice: by matrix.file_pins[3] (file d) and by buttons.roll" in capsys.readouterr().err
    )


def test_what_was_found_on_this_table_changes_single_keys(tmp_path: Path) -> None:
    override(
        tmp_path, 'profile = "pico-8x8"\ncorrections = { e4 = "d4", d4 = "e4", a1 = "a1" }\nglass.brightness = 9\n'
    )
    profile = load_profile("pico-8x8", tmp_path)
    assert [str(profile.square_of(index)) for index in (26, 27, 28, 29)] == ["c4", "e4", "d4", "f4"]
    assert (profile.display.brightness, profile.display.bus) == (9, I2cBus(1, 0x3C))
    assert load_profile("pico-8x8").corrections == {}


@pytest.mark.parametrize(("supply_ma", "fuse"), [(4000, 1250), (2500, 800), (6000, 2000)])
@pytest.mark.parametrize("name", ["pico-8x8", "gpio-9x8"])
def test_an_override_of_an_earlier_version_that_names_another_supply_gets_its_fuse(
    name: str, supply_ma: int, fuse: int, tmp_path: Path
) -> None:
    override(tmp_path, f'profile = "{name}"\nlights.supply_ma = {supply_ma}\n')
    assert light_supply(load_profile(name, tmp_path)).fuse_ma == fuse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('profile = "gpio-8x8"\n', r"profile-override\.toml: profile = 'gpio-8x8': expected 'pico-8x8'"),
        (
            'profile = "pico-8x8"\nbuttons.roll = 8\n',
            r"profile-override\.toml over .*pico-8x8\.toml: the Pico's GP8 is used twice",
        ),
        ('profile = "pico-8x8"\nfiles = 9\n', r"unknown key 'files': expected profile, corrections"),
    ],
)
def test_an_override_of_another_build_or_that_spoils_the_profile_is_named(
    text: str, words: str, tmp_path: Path
) -> None:
    override(tmp_path, text)
    with pytest.raises(BadProfile, match=words):
        load_profile("pico-8x8", tmp_path)
