"""What the order of touches tells: a piece is lifted before it is put, but for magnets between two switches."""

import pytest

from captains_table.games.contract import Square, parse_square
from captains_table.table.recognition.footprint import Footprint, footprint
from captains_table.table.recognition.switch_history import OVERLAP_MS, Touches
from tests.table.positions import squares


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
CASTLING = move("Ke1 Rh1", "Kg1 Rf1")


def fills(touches: Touches, change: Footprint) -> frozenset[Square]:
    """Return the squares that were filled as a move has it."""
    return frozenset(put for put in change.filled if touches.fills(put, change))


def test_a_piece_lifted_then_put_fills_its_square() -> None:
    assert fills(touched((0, "lift", "e2"), (500, "place", "e4")), STEP) == squares("e4")


def test_a_switch_that_closed_before_anything_was_lifted_is_no_target() -> None:
    assert not fills(touched((0, "place", "e4"), (500, "lift", "e2")), STEP)
    assert not fills(touched((500, "place", "e4")), STEP)


def test_what_counts_is_the_first_lift_so_that_a_closed_neighbour_does_not_undo_it() -> None:
    changes = ((0, "lift", "e2"), (500, "place", "e4"), (510, "place", "e2"), (900, "lift", "e2"))
    assert fills(touched(*changes), STEP) == squares("e4")


def test_of_castling_each_piece_that_stands_is_known() -> None:
    assert fills(touched((0, "lift", "e1"), (300, "place", "g1")), CASTLING) == squares("g1")
    both = ((0, "lift", "e1"), (300, "place", "g1"), (600, "lift", "h1"), (900, "place", "f1"))
    assert fills(touched(*both), CASTLING) == squares("g1 f1")


def test_a_slid_piece_may_reach_the_neighbouring_switch_before_it_leaves_its_own() -> None:
    step = move("Pe2", "Pe3")
    assert fills(touched((0, "place", "e3"), (OVERLAP_MS, "lift", "e2")), step)
    assert not fills(touched((0, "place", "e3"), (OVERLAP_MS + 1, "lift", "e2")), step)


def test_no_magnet_closes_two_switches_that_are_not_neighbours() -> None:
    assert not fills(touched((0, "place", "e4"), (1, "lift", "e2")), STEP)


@pytest.mark.parametrize(("again_ms", "rocks"), [(40, True), (160, True), (161, False), (900, False)])
def test_a_piece_that_touches_down_again_at_once_is_still_the_same_one(again_ms: int, rocks: bool) -> None:  # noqa: FBT001 - a table of cases
    touches = Touches()
    touches.note(parse_square("i4"), closed=False, at_ms=1000)
    assert not touches.is_rocking(parse_square("i4"))
    touches.note(parse_square("i4"), closed=True, at_ms=1000 + again_ms)
    assert touches.is_rocking(parse_square("i4")) is rocks
