"""The board of a strip of squares: what it joins, and where. Its clearances are KiCad's to judge, by `make strip`."""

import re
from itertools import pairwise
from math import hypot

import pytest

from hardware.strip.__main__ import HERE, names
from hardware.strip.kicad import board_file
from hardware.strip.layout import Strip, strip
from hardware.strip.netlist import connections, netlist
from hardware.strip.numbers import CASE, square_of_case
from hardware.strip.parts import LIGHT, Pad
from hardware.strip.picture import picture

CASE_TEXT = "".join(path.read_text(encoding="utf-8") for path in CASE)
SIZES = (4, 5, 8, 9)


def board(squares: int) -> Strip:
    return strip(square_of_case(CASE_TEXT), names(squares))


def test_the_files_that_come_with_it_are_what_the_case_gives() -> None:
    made = board(4)
    assert (HERE / "strip-4.net").read_text() == netlist(made)
    assert (HERE / "strip-4.kicad_pcb").read_text() == board_file(made)
    assert (HERE / "strip-4.svg").read_text() == picture(made)


def test_wires_and_lights_are_under_the_holes_of_the_case() -> None:
    """The case shifts each reed by 12 mm on the diagonal towards h1, its leads 10.5 mm from its middle."""
    square = square_of_case(CASE_TEXT)
    assert square.light == (15, 35)
    (x, y), (further_x, further_y) = square.leads
    assert hypot(further_x - x, further_y - y) == pytest.approx(21, abs=0.02)
    assert hypot((x + further_x) / 2 - 25, (y + further_y) / 2 - 25) == pytest.approx(12, abs=0.02)


@pytest.mark.parametrize("squares", SIZES)
def test_each_square_joins_its_file_by_reed_and_diode_to_the_rank(squares: int) -> None:
    """Figure: matrix wiring of hardware/README.md; the diode's cathode, pin 1, is towards the rank."""
    nets = connections(board(squares))
    for number in range(1, squares + 1):
        assert nets[f"FILE{number}"] == [(f"S{number}", "1"), (f"W{number}N", "1"), (f"W{number}S", "1")]
        assert nets[f"REED{number}"] == [(f"D{number}", "2"), (f"S{number}", "2")]
    diodes = sorted((f"D{number}", "1") for number in range(1, squares + 1))
    assert nets["RANK"] == [*diodes, ("J1", "3"), ("J2", "3")]


@pytest.mark.parametrize("squares", SIZES)
def test_the_lights_are_a_chain_from_the_first_pins_to_the_last(squares: int) -> None:
    """A WS2812B takes data at pin 4 and gives it at pin 2."""
    nets = connections(board(squares))
    ends = [("J1", "1"), *((f"L{number}", "2") for number in range(1, squares + 1))]
    takers = [*((f"L{number}", "4") for number in range(1, squares + 1)), ("J2", "1")]
    assert [nets[f"DATA{number}"] for number in range(squares + 1)] == [
        sorted(pair) for pair in zip(ends, takers, strict=True)
    ]


def test_the_only_corner_printed_of_a_light_is_the_one_its_part_has_cut() -> None:
    """A WS2812B has one mark, the cut corner at pin 3 (its data sheet, and KiCad's own LED_WS2812B_PLCC4_5.0x5.0mm)."""
    ends = [point for line in LIGHT.drawn for point in line]
    corners = {
        pad.number for pad in LIGHT.pads if any(abs(x) > 3 and x * pad.at[0] > 0 and y * pad.at[1] > 0 for x, y in ends)
    }
    assert corners == {"3"}
    assert ("L1", "3") in connections(board(4))["GND"]
    assert "their cut corner, the notch, is at pin 3, ground" in (HERE.parent / "README.md").read_text(encoding="utf-8")
    (cut,) = [line for line in LIGHT.drawn if line[0][0] != line[1][0] and line[0][1] != line[1][1]]
    for pad in LIGHT.pads:
        nearest = min(hypot(x - px, y - py) for x, y in cut for px, py in _corners_of(pad))
        assert nearest > 0.2, "print on a pad is left out by makers"


def _corners_of(pad: Pad) -> list[tuple[float, float]]:
    (x, y), (width, height) = pad.at, pad.size
    return [(x + i * width / 2, y + j * height / 2) for i in (-1, 1) for j in (-1, 1)]


@pytest.mark.parametrize("squares", SIZES)
def test_nothing_leaves_the_board(squares: int) -> None:
    made = board(squares)
    (left, low), (right, high) = made.corners
    points = [part.at for part in made.parts] + [point for track in made.tracks for point in track.points]
    assert all(left + 1 <= x <= right - 1 and low + 1 <= y <= high - 1 for x, y in points)


@pytest.mark.parametrize("squares", SIZES)
def test_tracks_run_straight_or_at_half_a_right_angle(squares: int) -> None:
    for track in board(squares).tracks:
        for (x, y), (next_x, next_y) in pairwise(track.points):
            across, up = abs(next_x - x), abs(next_y - y)
            assert across < 0.01 or up < 0.01 or across == pytest.approx(up, abs=0.02), track


def test_the_print_names_the_files_of_a_board_that_is_used_twice() -> None:
    assert names(4) == ["a/e", "b/f", "c/g", "d/h"]
    assert names(5) == ["a/f", "b/g", "c/h", "d/i", "e"]
    assert names(8) == list("abcdefgh")


@pytest.mark.parametrize("line", ["square = 50;", "reed_shift = 12;", "lead_hole_at = 10.5;", "d = light_hole"])
def test_a_case_that_lost_a_number_is_an_error(line: str) -> None:
    assert line in CASE_TEXT
    with pytest.raises(ValueError, match="expected a"):
        square_of_case(re.sub(re.escape(line), "", CASE_TEXT))
