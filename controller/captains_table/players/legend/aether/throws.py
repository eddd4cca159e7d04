"""What throwing the Legend die is worth once the best move under each face is known.

Permissions are nested, value <= die (L8), so the best moves are a running maximum: under a die of d the best among
pieces of value d or less. The die may be thrown three times; at the first two it scores, at the third not (L9).

Source: docs/rules/legend.md L5 - L9.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from captains_table.players.legend.aether.board import Move
from captains_table.players.legend.aether.situation import MOST_THROWS

CARGO: Final = 7721004643 / 1451188224  # the best expected cargo of a turn
TREASURE: Final = 7.0  # two dice, on average
KING_CAPTURE: Final = 5.0
KING_VALUE: Final = 5.0  # in a settlement
UNKNOWN: Final = -1e9  # less than any value


def best_of_turn(scored: Sequence[float], unscored: Sequence[float], lowest: int, forfeited: float) -> float:
    """Return what a turn is worth before its first throw of the Legend die.

    Args:
        scored: at 1 to 6, the best move that such a die permits, with what it scores; bounds from below give a bound
            from below.
        unscored: the same where the move scores nothing.
        lowest: the least value of a piece that can move; 7 if none can.
        forfeited: what a forfeited move is worth (L8).
    """
    third = after_third(unscored, lowest, forfeited)
    return after_throws(scored, lowest, after_throws(scored, lowest, third))


def after_third(unscored: Sequence[float], lowest: int, forfeited: float) -> float:
    """Return what the third throw is worth: the piece moves, the die scores nothing."""
    return (sum(unscored[lowest:7]) + (lowest - 1) * forfeited) / 6


def after_throws(scored: Sequence[float], lowest: int, otherwise: float) -> float:
    """Return what an earlier throw is worth, where throwing again is worth `otherwise`.

    Where no permitted piece can move the die is thrown again (L8).
    """
    total = (lowest - 1) * otherwise
    for die in range(lowest, 7):
        total += scored[die] if scored[die] > otherwise else otherwise
    return total / 6


def _unknown() -> list[float]:
    return [UNKNOWN] * 7


def _no_moves() -> list[Move | None]:
    return [None] * 7


@dataclass(slots=True)
class Bests:
    """At 1 to 6 the best that such a die permits: with what it scores, and without; and the moves that do it.

    Attributes:
        lowest: the least value of a piece that can move; 7 if none can.
        forfeited: what a turn without a move is worth.
        scores_piece: a move scores the piece's value, not the die's (L9).
    """

    lowest: int
    forfeited: float
    scores_piece: bool = False
    unscored: list[float] = field(default_factory=_unknown)
    scored: list[float] = field(default_factory=_unknown)
    moves: list[Move | None] = field(default_factory=_no_moves)
    scoring_moves: list[Move | None] = field(default_factory=_no_moves)

    def turn(self) -> float:
        """Return what the turn is worth before the first throw."""
        return best_of_turn(self.scored, self.unscored, self.lowest, self.forfeited)

    def again(self, throws: int) -> float:
        """Return what throwing the die is worth after so many throws."""
        value = after_third(self.unscored, self.lowest, self.forfeited)
        for _ in range(MOST_THROWS - 1 - throws):
            value = after_throws(self.scored, self.lowest, value)
        return value

    def floor(self, kind: int) -> float:
        """Return up to which value another move of this class changes nothing."""
        return min(self.unscored[kind], self.scored[kind] - kind) if self.scores_piece else self.unscored[kind]

    def learn(self, move: Move, value: float) -> None:
        """Take a move's value, without what it scores, into account."""
        for die in range(move[0], 7):
            if value > self.unscored[die]:
                self.unscored[die], self.moves[die] = value, move
            with_score = value + (move[0] if self.scores_piece else die)
            if with_score > self.scored[die]:
                self.scored[die], self.scoring_moves[die] = with_score, move

    def best_moves(self) -> tuple[tuple[int, int], ...]:
        """Return the best moves as from and to, each once."""
        known = (move for move in (*self.moves, *self.scoring_moves) if move is not None)
        return tuple(dict.fromkeys((move[1], move[2]) for move in known))
