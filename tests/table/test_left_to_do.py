"""The way home: squares to empty, squares to fill, in words and as marks."""

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Refused, Square, parse_square
from captains_table.table.model.view import BoardDifference, Mark
from captains_table.table.recognition.instructions import forbidden_move, recovery_marks, recovery_steps, wrong_squares

E2, E3, E4, D1, D2 = (parse_square(name) for name in ("e2", "e3", "e4", "d1", "d2"))
SQUARES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(lambda pair: Square(*pair)))


def test_a_piece_that_stands_elsewhere_is_missing_here_and_extra_there() -> None:
    assert wrong_squares({E2: "P", D2: "P"}, {E4, D2}, ()) == BoardDifference((E2,), (E4,))


def test_masked_squares_are_neither_missing_nor_extra() -> None:
    assert not wrong_squares({E2: "P", D2: "P"}, {E4, D2}, {E2, E4})


@given(SQUARES, SQUARES, SQUARES)
def test_following_the_way_home_makes_the_board_right(
    stands: set[Square], occupied: set[Square], masked: set[Square]
) -> None:
    wrong = wrong_squares(dict.fromkeys(stands, "P"), occupied, masked)
    after = occupied - set(wrong.extra) | set(wrong.missing)
    assert not wrong_squares(dict.fromkeys(stands, "P"), after, masked)
    assert not masked & {*wrong.missing, *wrong.extra}
    assert len(wrong.missing) + len(wrong.extra) == len((stands ^ occupied) - masked)


def test_one_stray_piece_is_led_home_in_one_sentence() -> None:
    assert recovery_steps(BoardDifference((E2,), (E4,)), {E2: "P"}) == ["Put the white pawn from e4 back on e2"]


def test_squares_are_emptied_before_others_are_filled() -> None:
    lines = recovery_steps(BoardDifference((E2, D1), (E4,)), {E2: "P", D1: "q"})
    assert lines == ["Take the piece off e4", "Put the white pawn on e2", "Put the black queen on d1"]


@pytest.mark.parametrize("count", range(3, 33))
def test_the_words_fit_the_glass_and_say_how_many_are_left(count: int) -> None:
    squares = tuple(Square(index % 8, index // 8) for index in range(count))
    lines = recovery_steps(BoardDifference(squares, ()), dict.fromkeys(squares, "P"))
    assert len(lines) <= 4
    told = [line for line in lines if line.startswith("Put")]
    assert len(told) == count or lines[-1] == f"and {count - len(told)} more"


def test_a_move_that_only_the_dice_forbid_is_found_by_its_occupancy() -> None:
    step = Refused("e2e3", "e2-e3", "why", {E3: "P", D1: "Q"})
    leap = Refused("e2e4", "e2-e4", "why not", {E4: "P", D1: "Q"})
    assert forbidden_move([step, leap], {E4, D1}, ()) is leap
    assert forbidden_move([step, leap], {E4}, {D1}) is leap
    assert forbidden_move([step, leap], {E2, D1}, ()) is None


def test_marks_tell_what_to_take_away_from_what_the_die_forbids() -> None:
    wrong = BoardDifference((E2,), (E4,))
    assert recovery_marks(wrong, forbidden_by_dice=False) == {E2: Mark.PUT_HERE, E4: Mark.TAKE_AWAY}
    assert recovery_marks(wrong, forbidden_by_dice=True) == {E2: Mark.PUT_HERE, E4: Mark.NOT_THIS_DIE}
