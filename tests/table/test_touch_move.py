"""Touch-move in chess (docs/rules/chess.md G13): the table remarks that another piece was touched first."""

import random

import pytest

from captains_table.games.contract import parse_square
from captains_table.table.model.entries import MatchStarted
from tests.table.hand import Hand, Touch

Held = tuple[str, int, str]
"""A square from which a piece is lifted, for how long it is held, and where it is put."""


def remarks(game: str, *held: Held) -> list[str]:
    """Return what the log says of touches once these things were done by one hand after the other."""
    hand = Hand(MatchStarted(game, ("Anne", "Bart"), {}), random.Random(0))
    for start, held_ms, end in held:
        hand.touch(Touch(parse_square(start), places=False), after_ms=400)
        hand.touch(Touch(parse_square(end), places=True), after_ms=held_ms)
        hand.wait(1000)
    return [line.words for line in hand.view.log if "touched" in line.words]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ([("b1", 1200, "b1"), ("e2", 200, "e4")], ["Anne touched the knight on b1 first"]),
        ([("b1", 1200, "b1"), ("g1", 1200, "g1"), ("e2", 200, "e4")], ["Anne touched the knight on b1 first"]),
        ([("b1", 900, "b1"), ("e2", 200, "e4")], []),  # hardly in the hand
        ([("e2", 3000, "e4")], []),  # what was touched moves
        ([("b1", 1200, "b1"), ("b1", 200, "c3")], []),
        ([("c1", 1200, "c1"), ("e2", 200, "e4")], []),  # it could not have moved
        ([("e7", 1200, "e7"), ("e2", 200, "e4")], []),  # the other player's piece
        ([("e2", 200, "e4"), ("b8", 1500, "b8"), ("e7", 200, "e5")], ["Bart touched the knight on b8 first"]),
    ],
)
def test_a_piece_held_for_a_second_before_another_one_moved_is_remarked(held: list[Held], said: list[str]) -> None:
    assert remarks("chess", *held) == said


def test_games_without_touch_move_remark_nothing() -> None:
    assert remarks("captains-chess", ("b1", 1200, "b1"), ("e2", 200, "e4")) == []
