"""The expected value of throwing the Legend die, computed from the best move under each face.

A die permits pieces up to its own value (L8), so that the best moves are a running maximum: a die of d permits the best
move among pieces of value d or less. The die may be thrown three times; it scores after the first two throws, but not
after the third (L9). `Bests` collects the best moves during a search.

Source: docs/rules/legend.md L5 - L9.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from captains_table.players.legend.aether.board import AetherMove
from captains_table.players.legend.aether.situation import MOST_THROWS

CARGO: Final = 7721004643 / 1451188224  # the best expected cargo of a turn
TREASURE: Final = 7.0  # two dice, on average
KING_CAPTURE: Final = 5.0
KING_VALUE: Final = 5.0  # in a settlement
UNKNOWN: Final = -1e9  # smaller than any value


def best_of_turn(scored: Sequence[float], unscored: Sequence[float], lowest: int, forfeited: float) -> float:
    """Return the expected value of a turn before its first throw of the Legend die.

    If the values of moves are lower bounds, the result is a lower bound too.

    Args:
        scored: for each face 1 to 6, the value of the best permitted move, including the points for the throw (L9).
        unscored: for each face 1 to 6, the value of the best permitted move without these points.
        lowest: the lowest face that permits a move; 7 if no piece can move.
        forfeited: the value of a forfeited move (L8).
    """
    third = after_third(unscored, lowest, forfeited)
    return after_throws(scored, lowest, after_throws(scored, lowest, third))


def after_third(unscored: Sequence[float], lowest: int, forfeited: float) -> float:
    """Return the expected value of the third throw of the Legend die in a turn.

    The third throw scores no points for its face (L9). If the face permits no move, the move is forfeited (L8).

    Args:
        unscored: for each face 1 to 6, the value of the best permitted move, without points for the throw.
        lowest: the lowest face that permits a move; 7 if no piece can move.
        forfeited: the value of a forfeited move (L8).
    """
    return (sum(unscored[lowest:7]) + (lowest - 1) * forfeited) / 6


def after_throws(scored: Sequence[float], lowest: int, otherwise: float) -> float:
    """Return the expected value of the first or second throw of the Legend die in a turn.

    After the throw, the player moves or throws again. If no permitted piece can move, the die must be thrown again
    (L8).

    Args:
        scored: for each face 1 to 6, the value of the best permitted move, including the points for the throw (L9).
        lowest: the lowest face that permits a move; 7 if no piece can move.
        otherwise: the value of throwing again.
    """
    total = (lowest - 1) * otherwise
    for die in range(lowest, 7):
        total += scored[die] if scored[die] > otherwise else otherwise
    return total / 6


def _unknown() -> list[float]:
    return [UNKNOWN] * 7


def _no_moves() -> list[AetherMove | None]:
    return [None] * 7


@dataclass(slots=True)
class Bests:
    """The best moves of a turn for each face of the die, both if moves score points and if they score none (L9).

    Moves score no points after the third throw. The lists are indexed by the face; index 0 is not used.

    Attributes:
        lowest: the lowest face with which a piece can move; 7 if no piece can move.
        forfeited: the value of a turn without a move.
        scores_piece: whether a move scores the piece's value instead of the die's (L9).
        unscored: the value of the best move if moves score no points.
        scored: the value of the best move if moves score points, including the move's points.
        moves: the best move if moves score no points; `None` if none is known.
        scoring_moves: the best move if moves score points; `None` if none is known.
    """

    lowest: int
    forfeited: float
    scores_piece: bool = False
    unscored: list[float] = field(default_factory=_unknown)
    scored: list[float] = field(default_factory=_unknown)
    moves: list[AetherMove | None] = field(default_factory=_no_moves)
    scoring_moves: list[AetherMove | None] = field(default_factory=_no_moves)

    def turn(self) -> float:
        """Return the expected value of the turn before its first throw."""
        return best_of_turn(self.scored, self.unscored, self.lowest, self.forfeited)

    def again(self, throws: int) -> float:
        """Return the expected value of throwing the die again after this number of throws."""
        value = after_third(self.unscored, self.lowest, self.forfeited)
        for _ in range(MOST_THROWS - 1 - throws):
            value = after_throws(self.scored, self.lowest, value)
        return value

    def floor(self, kind: int) -> float:
        """Return the value that a move by a piece of this class must exceed to become one of the best moves."""
        return min(self.unscored[kind], self.scored[kind] - kind) if self.scores_piece else self.unscored[kind]

    def learn(self, move: AetherMove, value: float) -> None:
        """Consider a further move; `value` is its value without the points that the move scores."""
        for die in range(move[0], 7):
            if value > self.unscored[die]:
                self.unscored[die], self.moves[die] = value, move
            with_score = value + (move[0] if self.scores_piece else die)
            if with_score > self.scored[die]:
                self.scored[die], self.scoring_moves[die] = with_score, move

    def best_moves(self) -> tuple[tuple[int, int], ...]:
        """Return the best moves without repetition, each as its start and target."""
        known = (move for move in (*self.moves, *self.scoring_moves) if move is not None)
        return tuple(dict.fromkeys((move[1], move[2]) for move in known))
