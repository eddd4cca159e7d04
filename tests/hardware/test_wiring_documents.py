"""Wiring documents: made from the profile alone, and those in hardware/wiring are what the profiles give today."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import example, given, strategies as st

from captains_table.cli.main import main
from captains_table.cli.wiring_documents import digest_of, text_documents, write_documents
from captains_table.hardware.kinds import LIGHT_KINDS
from captains_table.hardware.profiles.light_supply import FUSES_MA, check_supply, light_supply
from captains_table.hardware.profiles.pin_clashes import PI_PINS, PICO_PINS, pin_uses
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.wiring.boot import boot_lines, kernel_advice
from captains_table.hardware.wiring.parts import parts_of
from captains_table.hardware.wiring.plan import BOARDS, GROUNDS, PI_3V3, PI_BCM, PICO_GP, PINS, header_labels
from captains_table.hardware.wiring.planning import GATES, NothingToWire, plan_of
from captains_table.hardware.wiring.wiring_page import wiring_page
from captains_table.storage.profile_files import load_profile

WIRED = ["gpio-8x8", "gpio-9x8", "one-button", "pico-8x8", "pico-9x8"]
HARDWARE = Path(__file__).parents[2] / "hardware"


def wires_of(profile: Profile) -> list[tuple[str, int | str, str, int | str]]:
    return [(bundle.start, wire.start, bundle.end, wire.end) for bundle, wire in plan_of(profile).connections()]


@pytest.mark.parametrize("name", WIRED)
def test_the_documents_in_the_repository_are_what_the_profile_gives(name: str) -> None:
    for ending, text in text_documents(load_profile(name)).items():
        kept = HARDWARE / "wiring" / f"{name}.{ending}"
        assert kept.read_text(encoding="utf-8") == text, f"run: captains-table wiring {name} --out hardware/wiring"


@pytest.mark.parametrize("name", WIRED)
def test_the_diagram_in_the_repository_was_drawn_from_this_harness_and_shows_every_box_and_wire(name: str) -> None:
    # Graphviz versions lay a graph out differently, so it is what is drawn that is compared, not where.
    harness = (HARDWARE / "wiring" / f"{name}.yml").read_text(encoding="utf-8")
    drawing = (HARDWARE / "wiring" / f"{name}.svg").read_text(encoding="utf-8")
    assert f"harness sha256 {digest_of(harness)}" in drawing
    words = {word.replace("&#45;", "-").replace("&#160;", " ") for word in re.findall(r"<text[^>]*>([^<]*)<", drawing)}
    plan = plan_of(load_profile(name))
    assert plan.boxes.keys() <= words
    for bundle, wire in plan.connections():
        start, end = plan.boxes[bundle.start], plan.boxes[bundle.end]
        for box, pin in ((start, wire.start), (end, wire.end)):
            shown = {f"{box.name}:{pin}:{box.pins[pin]}", f"{box.name}:{pin}"}
            assert shown & {word.strip() for word in words}, (box.name, pin)


def test_nothing_else_is_in_the_folder_of_the_documents() -> None:
    expected = {f"{name}.{ending}" for name in WIRED for ending in ("yml", "svg", "csv", "md")}
    assert {path.name for path in (HARDWARE / "wiring").iterdir()} == expected


def test_the_command_writes_all_four_for_a_builders_own_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "attic.toml"
    text = (HARDWARE / "profiles" / "pico-8x8.toml").read_text(encoding="utf-8")
    own.write_text(text.replace("roll = 16", "roll = 28"), encoding="utf-8")
    assert main(["wiring", str(own), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.split() == [
        str(tmp_path / "out" / f"attic.{e}") for e in ("yml", "csv", "md", "svg")
    ]
    assert "Pico:34:GP28" in (tmp_path / "out" / "attic.svg").read_text(encoding="utf-8")


def test_without_graphviz_the_command_says_what_is_missing_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["wiring", "pico-8x8", "--out", str(tmp_path / "out")]) == 2
    assert "the diagram needs Graphviz: expected the command `dot`" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_table_that_is_all_on_the_page_has_nothing_to_wire(tmp_path: Path) -> None:
    with pytest.raises(NothingToWire, match="simulated: the whole table is on the page"):
        write_documents(load_profile("simulated"), tmp_path)


# --- pins are where the boards have them ----------------------------------------------------------------------------


@pytest.mark.parametrize("revision", ["a02082", "c03111", "c04170", "902120"])  # 3B, 4B, 5, Zero 2 W
def test_the_header_is_the_one_gpiozero_knows(revision: str) -> None:
    header = MockFactory(revision=revision).board_info.headers["J8"].pins
    assert {
        number: pin for pin, info in header.items() for number in PI_PINS if f"GPIO{number}" in info.names
    } == PI_BCM
    assert {pin for pin, info in header.items() if info.name == "GND"} == set(GROUNDS["pi"])
    assert header[PI_3V3].name == "3V3"


def test_every_fifth_pin_of_the_pico_from_the_third_is_ground_and_the_numbers_run_along_both_edges() -> None:
    # Data sheet, figure 2: GP0 to GP15 down the left edge, GP16 to GP28 up the right one.
    assert GROUNDS["pico"] == tuple(range(3, 41, 5))
    assert PICO_GP.keys() == PICO_PINS
    left, right = range(1, 21), range(21, 41)
    assert [PICO_GP[number] for number in range(16)] == [pin for pin in left if pin % 5 != 3]
    others = {23, 28, 30, 33, 35, 36, 37, 38, 39, 40}  # grounds, RUN, references, supply
    assert sorted(PICO_GP[number] for number in PICO_PINS if number >= 16) == [p for p in right if p not in others]
    assert [header_labels("pico")[pin - 1] for pin in (1, 3, 22, 34, 40)] == ["GP0", "GND", "GP17", "GP28", "-"]


@pytest.mark.parametrize("name", WIRED)
def test_every_pin_the_profile_uses_has_its_one_wire(name: str) -> None:
    profile = load_profile(name)
    wires = wires_of(profile)
    at_header = Counter((start, pin) for start, pin, _, _ in wires if start in BOARDS.values())
    for use in pin_uses(profile):
        assert at_header[BOARDS[use.owner], PINS[use.owner][use.pin]] == 1, use
    grounds = sum(
        pin in GROUNDS[owner] for owner, board in BOARDS.items() for start, pin, *_ in wires if start == board
    )
    plus = sum((start, pin) == ("Pi", PI_3V3) for start, pin, *_ in wires)
    assert sum(at_header.values()) == len(pin_uses(profile)) + grounds + plus
    assert max(at_header.values()) == 1, "two wires on one pin of a header are hard to solder"


def test_the_wires_of_the_pico_build_go_where_the_guide_says() -> None:
    wires = wires_of(load_profile("pico-8x8"))
    assert ("Pico", 11, "Rank lines", "rank 1") in wires
    assert ("Pico", 10, "File lines", "file h") in wires
    assert ("Pico", 29, "Level shifter", 2) in wires
    assert ("Level shifter", 3, "Resistors", "DIN in") in wires
    assert ("Resistors", "DIN out", "Lights", "DIN") in wires
    assert ("Pi", 3, "Glass", "SDA") in wires
    assert ("Pi USB", "USB", "Pico USB", "USB") in wires


def own(name: str, text: str, tmp_path: Path) -> Profile:
    base = (HARDWARE / "profiles" / f"{name}.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(base.split("[lights]")[0] + text, encoding="utf-8")
    return load_profile(str(tmp_path / "own.toml"))


SPI_PANELS = """
[lights]
kind = "max7219"
device = 1
[glass]
chip = "ssd1322"
bus = "spi"
device = 0
data_command = 25
reset = 27
"""


def test_panels_on_spi_are_wired_with_their_selects_and_modules_cover_the_ninth_file(tmp_path: Path) -> None:
    profile = own("pico-9x8", SPI_PANELS, tmp_path)
    wires = wires_of(profile)
    assert ("Pi", 24, "Glass", "CS") in wires
    assert ("Pi", 26, "Level shifter", 10 - 1) in wires  # the third gate's input, behind data and clock
    assert ("Level shifter", 8, "Lights", "CS") in wires
    assert boot_lines(profile) == ["dtoverlay=spi0-2cs,no_miso"]
    assert next(part.quantity for part in parts_of(profile) if part.what.startswith("MAX7219")) == 2


def test_config_txt_frees_the_pins_the_switches_need() -> None:
    assert boot_lines(load_profile("gpio-9x8")) == [
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "dtoverlay=spi0-0cs,no_miso",
        "enable_uart=0",
    ]
    assert boot_lines(load_profile("pico-8x8")) == ["dtparam=i2c_arm=on,i2c_arm_baudrate=400000"]
    assert boot_lines(load_profile("simulated")) == []


# As /proc/version says them, with their compilers; the first is that of raspberrypi/linux #5835.
COMPILER = "(gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40)"
OLD_KERNEL = f"Linux version 6.1.0-rpi7-rpi-v8 (serge@raspberrypi.com) {COMPILER} #1 SMP Debian 1:6.1.63-1+rpt1"


@pytest.mark.parametrize(
    ("name", "version", "kernel"),
    [
        ("gpio-8x8", OLD_KERNEL, "6.1.63"),
        ("gpio-9x8", "Linux version 5.15.84-v7+ (dom@buildbot) (gcc 10) #1613 SMP", "5.15.84"),
        ("gpio-8x8", f"Linux version 6.1.21-v8+ (dom@buildbot) {COMPILER} #1642 SMP", "6.1.21"),
        ("gpio-9x8", OLD_KERNEL.replace("6.1.63", "6.1.73").replace("rpi7", "rpi8"), None),
        ("gpio-8x8", "Linux version 6.6.20+rpt-rpi-v8 (serge@raspberrypi.com) #1 SMP Debian 1:6.6.20-1+rpt1", None),
        ("gpio-8x8", "somebody's own", None),
        ("pico-8x8", OLD_KERNEL, None),
    ],
)
def test_a_kernel_that_keeps_a_pin_of_the_switches_is_named_with_what_to_do(
    name: str, version: str, kernel: str | None
) -> None:
    advice = kernel_advice(load_profile(name), version)
    assert (advice is None) == (kernel is None)
    assert advice is None or re.search(rf"Kernel {kernel} .* BCM 8 \(file e\) .* sudo apt .* full-upgrade", advice)
    page = "\n".join(wiring_page(load_profile(name)))
    assert ("full-upgrade" in page) == name.startswith("gpio")


@pytest.mark.parametrize("name", ["gpio-8x8", "gpio-9x8", "pico-8x8", "pico-9x8"])
def test_every_pin_of_the_level_shifter_but_unused_outputs_has_its_wire(name: str) -> None:
    wires = wires_of(load_profile(name))
    ends = [(box, pin) for start, out, end, into in wires for box, pin in ((start, out), (end, into))]
    wired = {pin for box, pin in ends if box == "Level shifter"}
    used = 2 if name.startswith("gpio") else 1
    assert wired == set(range(1, 15)) - {leave for _, _, leave in GATES[used:]}
    tied = {(start, pin) for start, _, end, pin in wires if end == "Level shifter" and start in {"Fuse", "Supply"}}
    enables = [enable for enable, _, _ in GATES]
    assert {("Supply", enable) for enable in enables[:used]} <= tied
    assert {("Fuse", enable) for enable in enables[used:]} <= tied


def test_whatever_the_lights_draw_goes_through_switch_and_fuse() -> None:
    wires = wires_of(load_profile("gpio-9x8"))
    assert [(start, end) for start, pin, end, _ in wires if (start, pin) == ("Supply", "5V")] == [("Supply", "Switch")]
    fed = {(end, into) for start, out, end, into in wires if (start, out) == ("Fuse", 2)}
    assert {("Lights", "5V"), ("Lights", "5V far"), ("Level shifter", 14)} <= fed


@pytest.mark.parametrize(("name", "ways"), [("pico-8x8", 3), ("pico-9x8", 3), ("gpio-8x8", 2)])
def test_the_chains_far_end_comes_back_to_the_light_in_the_roll_button_where_there_is_one(name: str, ways: int) -> None:
    profile = load_profile(name)
    wires = [wire for wire in wires_of(profile) if "Button light" in wire]
    has_light = profile.lights is not None and profile.lights.button_light
    assert wires == has_light * [
        ("Lights", "DOUT far", "Button light", "DIN"),
        ("Fuse", 2, "Button light", "5V"),
        ("Supply", "GND", "Button light", "GND"),
    ]
    far = next(part for part in parts_of(profile) if "far end" in part.use)
    assert f" {ways} ways" in far.what
    squares = profile.shape.files * profile.shape.ranks
    assert plan_of(profile).boxes["Lights"].what.startswith(f"{squares} lights")


def lit(name: str, **changes: Any) -> Profile:  # noqa: ANN401 - any field of the lights
    profile = load_profile(name)
    assert profile.lights is not None
    return replace(profile, lights=replace(profile.lights, **{"supply_ma": None, "fuse_ma": None} | changes))


@pytest.mark.parametrize(("name", "kind"), [("pico-8x8", "neopixel"), ("pico-9x8", "max7219")])
@given(given_ma=st.integers(551, 60_000))
@example(given_ma=4400)  # just what a fuse of 1.6 A takes
@example(given_ma=60_000)
def test_every_supply_can_blow_its_fuse_and_the_lights_stay_below_it(name: str, kind: str, given_ma: int) -> None:
    profile = lit(name, kind=LIGHT_KINDS[kind], button_light=kind == "neopixel", supply_ma=given_ma)
    check_supply(profile)
    rating = light_supply(profile).fuse_ma
    assert rating * 2.75 < given_ma
    assert rating * 1.5 <= 3000, "the plugs bear no more"
    assert light_supply(profile).drawn_ma <= rating * 0.8
    assert all(larger * 2.75 >= given_ma or larger > 2000 for larger in FUSES_MA if larger > rating)


@pytest.mark.parametrize("name", ["pico-8x8", "pico-9x8", "gpio-8x8", "gpio-9x8"])
def test_a_game_is_not_dimmed_by_the_fuse_and_plugs_and_socket_bear_what_it_lets_through_for_hours(name: str) -> None:
    profile = load_profile(name)
    assert profile.lights is not None
    rating = light_supply(profile).fuse_ma
    strong = lit(name, supply_ma=60_000, brightness=profile.lights.brightness)
    assert light_supply(profile).drawn_ma == light_supply(strong).drawn_ma
    words = {part.use: part.what for part in parts_of(profile)}
    assert f"T {rating / 1000:g} A L" in words["behind the switch"]
    assert plan_of(profile).boxes["Fuse"].what == f"T {rating / 1000:g} A L, slow, of glass"
    for use in ("5 V into the console", "5 V on and off", "lights, near end: board to console"):
        bears = re.search(r"\b(\d+) A\b", words[use])
        assert bears is not None
        assert rating * 1.5 <= 1000 * int(bears[1])


@pytest.mark.parametrize("name", ["pico-8x8", "gpio-9x8"])
def test_profiles_of_earlier_versions_which_name_no_fuse_and_no_supply_go_on_working(name: str) -> None:
    check_supply(lit(name))
    check_supply(lit(name, supply_ma=2500))


# --- parts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "squares", "bought"), [("pico-8x8", 64, 71), ("gpio-9x8", 72, 80), ("one-button", 64, 71)]
)
def test_every_square_has_a_reed_and_a_diode_and_every_piece_a_magnet_and_a_tenth_more_is_bought(
    name: str, squares: int, bought: int
) -> None:
    parts = {part.what.split()[0]: part for part in parts_of(load_profile(name))}
    assert {(parts[each].quantity, parts[each].buy) for each in ("reed", "diode")} == {(squares, bought)}
    assert parts["neodymium"].quantity == squares // 2 < parts["neodymium"].buy


@pytest.mark.parametrize("name", WIRED)
def test_every_part_has_a_price_and_no_less_is_bought_than_needed(name: str) -> None:
    for part in parts_of(load_profile(name)):
        assert part.price_eur > 0, part
        assert part.buy >= part.quantity > 0, part
    page = (HARDWARE / "wiring" / f"{name}.md").read_text(encoding="utf-8")
    assert "estimate, unchecked" in page


@pytest.mark.parametrize(("name", "signals"), [("pico-8x8", 1), ("gpio-8x8", 2)])
def test_wire_is_bought_for_every_gap_of_the_lights_and_for_the_way_to_both_ends(name: str, signals: int) -> None:
    metres = {part.use: part.quantity for part in parts_of(load_profile(name)) if "hook-up wire" in part.what}
    gaps_m = 63 * 0.05
    near_m, far_m = 0.2, 0.6  # ways to the console: from a1 next to it, and from a8 a board's length away
    assert metres["the lights' supply"] > 2 * (gaps_m + near_m + far_m)
    assert metres["the lights' signals"] > signals * (gaps_m + near_m)


def test_parts_a_build_has_no_use_for_are_not_bought() -> None:
    words = {name: " ".join(part.what for part in parts_of(load_profile(name))) for name in (*WIRED, "simulated")}
    assert not re.search(r"WS2812B|encoder|piezo|74AHCT125|5 V supply|\bfuse", words["one-button"])
    assert words["simulated"] == ""
    assert "Pico or Pico W (no Pico 2)" in words["pico-8x8"]
    assert "Pico" not in words["gpio-8x8"]
    assert all("header 2 x 20" in words[name] for name in WIRED)  # which a Zero 2 W lacks
    assert ("OTG" in words["pico-8x8"], "OTG" in words["gpio-8x8"]) == (True, False)


def test_without_a_word_about_it_the_lights_supply_carries_all_of_them_fully_lit_with_a_fifth_to_spare() -> None:
    # 65 lights of 60 mA are 3.9 A (WS2812B data sheet); at brightness 64 of 255 a quarter, and 1 mA if dark.
    profile = lit("pico-8x8")
    assert light_supply(profile).rated_ma == 5000
    assert light_supply(profile).drawn_ma == 979 + 65
    assert light_supply(load_profile("one-button")) == (0, 0, 0, 0)
