"""Where the lit squares lead a king that castles: to its own end, and in Chess960 to its rook as well."""

import random

import pytest

from captains_table.games.contract import parse_square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.view import Mark
from tests.table.hand import Hand, Touch


@pytest.mark.parametrize(
    ("fen", "king", "targets"),
    [
        ("4k3/8/8/8/8/8/PPPP1PPP/R3K2R w KQ - 0 1", "e1", "c1 d1 e2 f1 g1"),
        ("4k3/8/8/8/8/8/PPPP2PP/RK6 w A - 0 1", "b1", "a1 c1"),
        ("4k3/8/8/8/8/8/PPPPP1PP/5K1R w H - 0 1", "f1", "e1 f2 g1 h1"),
    ],
    ids=["chess", "Chess960, both leave", "Chess960, the rook goes to the king's square"],
)
def test_a_lifted_king_sees_where_it_may_go_and_the_rook_that_names_its_castling(
    fen: str, king: str, targets: str
) -> None:
    hand = Hand(MatchStarted("chess", ("Anne", "Bart"), {"fen": fen}), random.Random(0))
    hand.touch(Touch(parse_square(king), places=False), after_ms=400)
    hand.wait(100)
    lit = {str(square) for square, mark in hand.view.marks.items() if mark is Mark.TARGET}
    assert lit == set(targets.split())
