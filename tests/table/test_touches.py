"""What the order of touches tells: a piece is lifted before it is put, but for magnets between two switches."""

import pytest

from captains_table.games.contract import Square, parse_square
from captains_table.table.recognition.footprint import Footprint, footprint
from captains_table.table.recognition.touches import ECHO_MS, OVERLAP_MS, Touches
from tests.support.positions import squares


def touched(*changes: tuple[int, str, str]) -> Touches:
    """Return touches from (milliseconds, lift or place, square)."""
    found = Touches()
    for at_ms, kind, square in changes:
        found.note(parse_square(square), closed=kind == "place", at_ms=at_ms)
    return found


def position(words: str) -> dict[Square, str]:
    return {parse_square(word[1:]): word[0] for word in words.split()}


def move(before: str, after: str) -> Footprint:
    return footprint(position(before), position(after))


STEP = move("Pe2", "Pe4")
CAPTURE = move("Pe4 pd5", "Pd5")
CASTLING = move("Ke1 Rh1", "Kg1 Rf1")


def test_a_piece_lifted_then_put_explains_its_move() -> None:
    assert touched((0, "lift", "e2"), (500, "place", "e4")).explain(STEP)


def test_a_square_that_was_never_touched_explains_nothing() -> None:
    assert not touched((500, "place", "e4")).explain(STEP)
    assert not touched((0, "lift", "e4")).explain(CAPTURE)


def test_a_switch_that_closed_before_anything_was_lifted_is_no_target() -> None:
    assert not touched((0, "place", "e4"), (500, "lift", "e2")).explain(STEP)


@pytest.mark.parametrize("order", [("d5", "e4"), ("e4", "d5")])
def test_a_capture_is_explained_in_any_order_of_lifting(order: tuple[str, str]) -> None:
    first, second = order
    assert touched((0, "lift", first), (300, "lift", second), (800, "place", "d5")).explain(CAPTURE)


def test_a_victim_that_was_put_back_before_the_capturer_was_lifted_was_not_taken() -> None:
    assert not touched((0, "lift", "d5"), (300, "place", "d5"), (800, "lift", "e4")).explain(CAPTURE)


def test_what_counts_is_the_first_lift_so_that_a_closed_neighbour_does_not_undo_it() -> None:
    changes = ((0, "lift", "e2"), (500, "place", "e4"), (510, "place", "e2"), (900, "lift", "e2"))
    assert touched(*changes).explain(STEP)


def test_castling_is_explained_when_each_piece_was_put_after_one_was_lifted() -> None:
    king_first = ((0, "lift", "e1"), (300, "place", "g1"), (600, "lift", "h1"), (900, "place", "f1"))
    assert touched(*king_first).explain(CASTLING)
    stuck = ((0, "place", "f1"), (500, "lift", "e1"), (800, "place", "g1"), (1100, "lift", "h1"))
    assert not touched(*stuck).explain(CASTLING)


def test_a_piece_from_beside_the_board_needs_only_its_square_touched() -> None:
    assert touched((0, "place", "a1")).explain(move("", "Ra1"))


def test_a_slid_piece_may_reach_the_neighbouring_switch_before_it_leaves_its_own() -> None:
    step = move("Pe2", "Pe3")
    assert touched((0, "place", "e3"), (OVERLAP_MS, "lift", "e2")).explain(step)
    assert not touched((0, "place", "e3"), (OVERLAP_MS + 1, "lift", "e2")).explain(step)


def test_no_magnet_closes_two_switches_that_are_not_neighbours() -> None:
    assert not touched((0, "place", "e4"), (1, "lift", "e2")).explain(STEP)


@pytest.mark.parametrize(("square", "at_ms"), [("d5", ECHO_MS + 1), ("e6", ECHO_MS), ("c6", 0)])
def test_only_a_neighbour_that_closes_in_the_same_moment_may_be_an_echo(square: str, at_ms: int) -> None:
    c6 = parse_square("c6")
    assert touched((0, "place", "c6"), (ECHO_MS, "place", "d5")).is_echo(parse_square("d5"), c6)
    assert not touched((0, "place", "c6"), (at_ms, "place", square)).is_echo(parse_square(square), c6)


def test_a_copy_goes_its_own_way() -> None:
    seen = touched((0, "lift", "e2"))
    copy = seen.copy()
    seen.note(parse_square("e4"), closed=True, at_ms=5)
    assert copy.squares() == squares("e2")
    seen.clear()
    assert (seen.squares(), copy.squares()) == (frozenset(), squares("e2"))


@pytest.mark.parametrize(("again_ms", "rocks"), [(40, True), (160, True), (161, False), (900, False)])
def test_a_piece_that_touches_down_again_at_once_is_still_the_same_one(again_ms: int, rocks: bool) -> None:  # noqa: FBT001 - a table of cases
    touches = Touches()
    touches.note(parse_square("i4"), closed=False, at_ms=1000)
    assert not touches.is_rocking(parse_square("i4"))
    touches.note(parse_square("i4"), closed=True, at_ms=1000 + again_ms)
    assert touches.is_rocking(parse_square("i4")) is rocks
