"""Each fault a builder may make, on the model of the electrics: doctor sees readings alone, and names it."""

from pathlib import Path

import pytest

from captains_table.doctor.diagnosis.simulated_table import KINDS, SimulatedTable
from captains_table.simulation.electrics.faults import BadFault
from captains_table.storage.profile_files import load_profile
from tests.doctor.doctor_boards import THRESHOLDS_V, examined, lines_of, outcomes
from tests.support.effort import effort

BOARDS = effort(25, 2000)
DEAD = "is dead, it does not conduct: its reed or its diode is broken, or its diode is turned round"


@pytest.mark.parametrize("build", ["pico-9x8", "gpio-8x8", "one-button", "simulated"])
def test_of_a_table_without_faults_nothing_is_said(build: str) -> None:
    findings = examined(build=build)
    assert (findings.lines(), findings.complete) == ([], True)
    assert not any("not known" in note for note in findings.notes)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("diode-missing:c4", "c4: its diode is missing or bridged."),
        ("diode-bridged:h8", "h8: its diode is missing or bridged."),
        ("diode-reversed:a1", "a1: its diode is reversed"),
        ("diode-open:c4", f"c4 {DEAD}"),
        ("reed-open:e4", f"e4 {DEAD}"),
        ("reed-stuck:d5", "d5 is stuck: its reed is closed with nothing on it."),
        ("reed-narrow:e4", "e4 closes only in its middle, not in any of its corners."),
        ("short:c-d", "File line c and file line d touch: a short."),
        ("short:3-4", "Rank line 3 and rank line 4 touch: a short."),
        ("short:c-3", "File line c and rank line 3 touch: a short."),
        ("line-open:c", "File line c is not connected"),
        ("line-open:3", "Rank line 3 is not connected"),
        ("magnet-weak:17", "its magnet is weak or missing."),
        ("magnet-missing:1", "The piece tried first on a1 is not read there, the next one is: its magnet is weak"),
        ("magnet-missing:32", "its magnet is weak or missing."),
        ("light-dark:e4", "The light of e4 is dark: look at its joints."),
        ("lights-swapped:a1-b1", "Lights: a1 and b1 are swapped."),
        ("lights-end:d3", "The chain of lights ends after the light of c3"),
        ("lights-end:a1", "No light shines"),
        ("encoder-reversed", "The encoder is turned round: its A and B are exchanged."),
        ("buttons-swapped", "The roll button and the encoder's push are exchanged."),
        ("button-dead:roll", "roll does nothing: look at its wires to pin and ground."),
        ("swapped:a1-b1", "a1 and b1 are swapped."),
        ("swap a1 b1", "a1 and b1 are swapped."),
        ("reverse row 3", "Row 3 is reversed."),
        ("reverse column c", "Column c is reversed."),
        ("dead e4", "e4 is dead"),
        ("stuck d5", "d5 is stuck"),
        ("no-diode c3", "c3: its diode is missing or bridged."),
    ],
)
def test_a_fault_is_named_with_its_place_and_nothing_else_is(fault: str, words: str) -> None:
    (line,) = lines_of(fault)
    assert line.startswith(words) or line.endswith(words)


def test_a_chain_of_lights_that_runs_in_rows_is_told_rank_by_rank() -> None:
    assert lines_of("lights-order:rows") == [f"Lights: Row {rank} is reversed." for rank in (2, 4, 6, 8)]


@pytest.mark.parametrize(
    "fault", ["diode-open:c4", "reed-stuck:d5", "short:c-d", "short:3-4", "line-open:c", "line-open:3"]
)
def test_what_no_level_between_the_thresholds_decides_is_named_by_any_chip(fault: str) -> None:
    lowest, highest = (lines_of(fault, f"chip-threshold:{volts}") for volts in ("0.8", "2.0"))
    assert lowest == highest == lines_of(fault)


def test_a_reversed_diode_is_told_from_a_broken_one_by_a_chip_that_takes_its_ghost_for_low() -> None:
    for volts, words in (("1.2", DEAD), ("1.45", "its diode is reversed:")):
        (line,) = lines_of("diode-reversed:c4", f"chip-threshold:{volts}")
        assert line.startswith("c4")
        assert words in line


def test_what_a_chip_that_takes_a_ghost_for_high_hides_is_said_unless_a_ghost_was_read() -> None:
    assert any("cannot be told without a meter" in note for note in examined("chip-threshold:0.8").notes)
    hidden = examined("short:c-3", "chip-threshold:0.8")
    assert hidden.lines() == ["c3 is stuck: its reed is closed with nothing on it."]
    assert any("it may also be this: file line c and rank line 3 touch." in note for note in hidden.notes)
    assert examined("diode-missing:c4").notes == ()


def test_what_is_the_same_to_every_reading_cannot_be_told_without_a_meter() -> None:
    touching, either = lines_of("short:e-f", "reed-stuck:f5")
    assert touching == "File line e and file line f touch: a short."
    assert either == "Cannot be told without a meter: e5 is stuck; or f5 is stuck."


def test_several_faults_are_named_at_once_and_where_the_hand_meets_them() -> None:
    faults = ("reverse row 3", "dead b3", "stuck c3", "diode-missing:e4", "magnet-weak:5", "reed-narrow:h8")
    lines = lines_of(*faults, "lights-swapped:a1-e4", "encoder-reversed")
    for words in (
        *("Row 3 is reversed.", "b3 is dead", "c3 is stuck", "e4: its diode is missing or bridged"),
        *("its magnet is weak or missing", "h8 closes only in its middle"),
        *("Lights: a1 and e4 are swapped.", "The encoder is turned round"),
    ):
        assert any(words in line for line in lines), words
    assert len(lines) == len(faults) + 2


@pytest.mark.slow
def test_a_board_with_many_faults_is_still_told_apart() -> None:
    dead = ("a1", "b1", "c1", "d3", "e4", "f5", "h8")
    lines = lines_of(*(f"dead {square}" for square in dead), "diode-missing:c4", "stuck g7", "short:a-b")
    assert [line.split()[0] for line in lines if "is dead" in line] == list(dead)
    assert len(lines) == len(dead) + 3


def test_a_board_that_is_not_read_at_all_is_not_called_sixty_four_dead_squares() -> None:
    (line,) = lines_of(*(f"line-open:{rank}" for rank in range(1, 9)))
    assert line.startswith("No square is read at all: is the board connected?")


def test_all_weak_pieces_are_found_on_a_board_where_lines_touch_and_squares_are_dead() -> None:
    lines = lines_of("magnet-weak:3", "magnet-weak:20", "magnet-weak:36", "dead a1", "short:c-d", build="gpio-9x8")
    assert sum("magnet" in line for line in lines) == 3
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("broken e4", "expected KIND:PLACE"),
        ("loose:e4", "there is no kind 'loose'"),
        ("dead z9", "z9 is no square"),
        ("dead", "expected KIND:PLACE"),
        ("swap a1", "expected KIND:PLACE"),
        ("reverse row 12", "a12 is no square"),
        ("reverse column aa", "'aa1' is not a square"),
        ("diode-missing:z9", "z9 is no square"),
        ("magnet-weak:e4", "expected the number of a piece, 1 to 32"),
        ("magnet-weak:33", "expected the number of a piece, 1 to 32"),
        ("lights-swapped:a1", "expected two squares, such as a1-b1"),
        ("lights-swapped:a1-a1", "expected two squares, such as a1-b1"),
        ("swapped:a1-a1", "expected two squares, such as a1-b1"),
        ("encoder-reversed:a1", "expected encoder-reversed alone, as it has no place"),
        ("lights-order:spiral", "expected rows or serpentine"),
        ("button-dead:bell", "expected one of roll, next"),
        ("chip-threshold:3", "expected volts from 0.8 to 2.0"),
        ("light-dark:e4", "one-button has no lights"),
        ("encoder-reversed", "one-button has no encoder"),
        ("buttons-swapped", "one-button has no encoder"),
        ("button-dead:next", "expected one of roll, which one-button has"),
    ],
)
def test_a_fault_that_cannot_be_read_or_be_at_a_table_is_told_with_what_was_expected(fault: str, words: str) -> None:
    build = "one-button" if "one-button" in words else "pico-8x8"
    with pytest.raises(BadFault) as caught:
        SimulatedTable(load_profile(build), [fault])
    assert words in str(caught.value)


def test_every_kind_of_fault_that_can_be_given_is_named_where_the_command_is_described() -> None:
    text = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f"`{kind}" not in text] == []


def test_two_faults_that_hide_each_other_are_told_apart() -> None:
    lines = lines_of("reed-stuck:g4", "diode-reversed:g4", "chip-threshold:1.65", build="simulated")
    assert [line[:31] for line in lines] == ["g4: its diode is reversed: it i", "g4 is stuck: its reed is closed"]
    lines = lines_of("diode-bridged:g4", "diode-bridged:b7", "diode-reversed:b3", "chip-threshold:1.59")
    assert [line.split(":")[0] for line in lines] == ["b3", "g4", "b7"]
    (line,) = lines_of("reed-stuck:b2", "diode-bridged:b2")
    assert line.startswith("File line b and rank line 2 touch: a short.")
    assert "A reed of b2 that is stuck beside a bridged diode would read the same" in line


def test_what_is_dead_says_that_more_may_be_wrong_on_it() -> None:
    (line,) = lines_of("diode-open:d3", "reed-narrow:d3")
    assert line.startswith(f"d3 {DEAD}")
    assert line.endswith("What else is wrong on it shows once it conducts: run doctor again then.")


@pytest.mark.parametrize("fault", ["diode-missing:e4", "diode-bridged:e4", "diode-reversed:e4"])
def test_a_diode_that_lets_current_back_into_a_line_without_its_pin_is_named_whichever_way_it_does(fault: str) -> None:
    line, diode = lines_of(fault, "line-open:e", "chip-threshold:1.7")
    assert line.startswith("File line e is not connected")
    assert diode.startswith("e4: its diode is missing or bridged, or the diode is turned round.")


@pytest.mark.slow
def test_of_random_boards_nearly_all_are_named_right_and_what_others_hide_once_these_are_mended() -> None:
    first, last = outcomes(range(BOARDS), *THRESHOLDS_V)
    assert first["nothing is wrong"] == 0, first
    assert first["right"] >= 0.95 * BOARDS, first
    assert first["cannot be told"] <= 0.05 * BOARDS, first
    assert last["right"] >= 0.99 * BOARDS, last
