"""What follows from the switches that answered: against boards wired wrongly on purpose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from captains_table.doctor.diagnosis.faulty_board import BadFault, FaultyBoard, parse_faults
from captains_table.doctor.diagnosis.guided_test import Findings, GuidedTest, Part, ghost_rounds
from captains_table.doctor.diagnosis.wiring_faults import Observed, diagnose
from captains_table.doctor.guiding import lead_simulated
from captains_table.games.contract import Shape, Square, parse_square
from captains_table.table.model.events import Button

BOARD = Shape(8, 8)
WIDE = Shape(9, 8)


def found(faults: str, shape: Shape = BOARD) -> Findings:
    test = GuidedTest(shape)
    lead_simulated(test, parse_faults(faults, shape, {}))
    return test.findings()


def test_a_board_without_faults_has_none() -> None:
    assert found("").lines() == []
    assert found("", WIDE).lines() == []


def test_a_dead_a_stuck_two_swapped_and_a_reversed_row_are_each_named() -> None:
    findings = found("dead e4, stuck d5, swap a1 b1, reverse row 3")
    assert findings.switches.dead == (parse_square("e4"),)
    assert findings.switches.stuck == (parse_square("d5"),)
    assert findings.switches.wiring == ("Row 3 is reversed.", "a1 and b1 are swapped.")
    assert len(findings.lines()) == 4


def test_dead_and_stuck_squares_within_a_reversed_row_are_named_where_they_are() -> None:
    findings = found("reverse row 3, dead b3, stuck c3")
    assert findings.switches.dead == (parse_square("b3"),)
    assert findings.switches.stuck == (parse_square("c3"),)
    assert findings.switches.places[parse_square("g3")] == parse_square("b3")


def test_a_reversed_column_is_named() -> None:
    assert found("reverse column c").switches.wiring == ("Column c is reversed.",)


def rewired(rule: dict[Square, Square]) -> tuple[str, ...]:
    return diagnose(BOARD, Observed(rule)).wiring


def test_lines_in_reverse_order_exchanged_and_transposed_are_told_as_such() -> None:
    squares = BOARD.squares()
    assert rewired({at: Square(7 - at.file, at.rank) for at in squares}) == ("The file lines are in reverse order.",)
    assert rewired({at: Square(at.file, 7 - at.rank) for at in squares}) == ("The rank lines are in reverse order.",)
    assert "transposed" in rewired({at: Square(at.rank, at.file) for at in squares})[0]
    assert "turned round" in rewired({at: Square(7 - at.file, 7 - at.rank) for at in squares})[0]
    b_with_c = {1: 2, 2: 1}
    assert rewired({at: Square(b_with_c.get(at.file, at.file), at.rank) for at in squares}) == (
        "The file lines b and c are exchanged.",
    )


@given(st.permutations(BOARD.squares()), st.sets(st.sampled_from(BOARD.squares()), max_size=8))
def test_whatever_the_wiring_the_map_brings_every_answer_home_and_names_each_square_once(
    wires: list[Square], dead: set[Square]
) -> None:
    answers = {at: wire for at, wire in zip(BOARD.squares(), wires, strict=True) if at not in dead}
    diagnosis = diagnose(BOARD, Observed(answers))
    assert sorted(diagnosis.places) == sorted(diagnosis.places.values()) == sorted(BOARD.squares())
    assert all(diagnosis.places[wire] == at for at, wire in answers.items())
    assert set(diagnosis.dead) == dead


def test_two_squares_that_close_one_switch_are_a_short() -> None:
    answers = {at: at for at in BOARD.squares()} | {parse_square("d4"): parse_square("e4")}
    diagnosis = diagnose(BOARD, Observed(answers))
    assert diagnosis.shared == ((parse_square("d4"), parse_square("e4")),)
    assert diagnosis.dead == ()
    assert diagnosis.places[parse_square("e4")] == parse_square("e4")


@given(st.sampled_from(WIDE.squares()))
def test_any_missing_diode_shows_as_a_ghost_and_is_a_suspect(bare: Square) -> None:
    lines = found(f"no-diode {bare}", WIDE).lines()
    assert lines
    assert all("is a ghost" in line for line in lines)
    assert any(str(bare) in line.partition("Look at")[2] for line in lines)


def test_the_stairs_cover_every_square_with_half_a_chess_set() -> None:
    for shape in (BOARD, WIDE):
        rounds = ghost_rounds(shape)
        assert frozenset().union(*rounds) == set(shape.squares())
        assert {len(squares) for squares in rounds} == {16}


@pytest.mark.parametrize("fault", ["broken e4", "dead z9", "dead", "swap a1", "reverse row 12", "reverse column aa"])
def test_a_fault_that_cannot_be_read_is_told(fault: str) -> None:
    with pytest.raises(BadFault, match="fault"):
        parse_faults(fault, BOARD, {})


# --- a person's pace ------------------------------------------------------------------------------------------------

E4, A1, A2, B1 = map(parse_square, ("e4", "a1", "a2", "b1"))


def begun(buttons: tuple[Button, ...] = ()) -> GuidedTest:
    test = GuidedTest(BOARD, buttons)
    test.read(frozenset(), 0)
    test.on_word("", 0)
    return test


def test_a_piece_slid_over_other_squares_answers_where_it_stops() -> None:
    test = begun()
    for index, square in enumerate((E4, A2)):
        test.switched(square, closed=True, now_ms=100 + 100 * index)
        test.switched(square, closed=False, now_ms=150 + 100 * index)
    test.switched(A1, closed=True, now_ms=300)
    test.tick(600)
    assert test.step.squares == {A1}
    test.tick(720)
    assert test.step.squares == {B1}
    assert test.findings().switches.wiring == ()


def test_a_switch_that_stays_closed_after_its_piece_left_sticks() -> None:
    test = begun()
    test.switched(A1, closed=True, now_ms=100)
    test.tick(600)
    test.skip()
    test.on_word("", 700)
    assert test.step.part is Part.GHOSTS
    assert test.findings().sticking == (A1,)


def test_squares_that_were_left_out_are_not_called_dead() -> None:
    test = begun()
    test.on_word("", 0)
    test.skip()
    findings = test.findings()
    assert findings.switches.dead == (A1,)
    assert not findings.complete


def test_a_light_that_shines_elsewhere_is_noted_once() -> None:
    test = begun()
    test.on_word("l", 0)
    test.on_word("l", 0)
    assert test.step.squares == {A1}
    assert test.findings().dark == (A1,)


def test_dead_and_exchanged_buttons_are_told() -> None:
    test = begun((Button.ROLL, Button.NEXT, Button.PREVIOUS))
    for _ in (Part.SQUARES, Part.CLEARED, Part.GHOSTS):
        test.skip()
    test.on_word("", 0)
    test.pressed(Button.PREVIOUS)
    test.pressed(Button.PREVIOUS)
    assert test.step.part is Part.OVER
    roll, turned = test.findings().buttons
    assert roll.startswith("roll does nothing")
    assert turned.startswith("next answers as previous")


def test_a_loose_joint_chatters() -> None:
    test = begun()
    for index in range(20):
        test.switched(E4, closed=index % 2 == 0, now_ms=100 + 30 * index)
    assert "e4 chatters: a loose joint?" in test.findings().lines()


def test_a_faulty_board_reads_what_its_wires_say() -> None:
    board = FaultyBoard(BOARD, wired={A1: B1}, dead={E4}, stuck={A2})
    assert board.closed({A1, E4}) == {B1, A2}
