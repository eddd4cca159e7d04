"""Aether's static evaluation of a turn before its throw, from weighted features, in points of grand score.

The features are: every piece on its square; attacks on each king, weighted by the lowest class of an attacker, because
the die must permit the attacker; the gain from capturing a king; the Genie in reserve; the right to move. An attack on
a king also reduces the value of the pieces. The caller adds the value of the Genie.

Source: docs/rules/legend.md L8 - L20.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from captains_table.players.legend.aether.bits import least_class
from captains_table.players.legend.aether.board import AetherBoard, attackers, attackers_of_mover
from captains_table.players.legend.aether.throws import KING_CAPTURE, KING_VALUE

Purse = tuple[float, float, float, float]  # cargo of the side to move and of the other; the values of their captures
ByClass = tuple[float, ...]  # by the attacker's lowest class, 0 for no attack; at LEAST the minimum of all
LEAST: Final = 7
STAKES_KEPT: Final = 4096
GRAIN: Final = 1024  # piece values are whole multiples of 1/GRAIN, so that sums of them are exact in any order


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the features, in points of grand score.

    Attributes:
        squares: for each class 1 to 6, the value of a white piece on each of 64 squares.
        attack: the value of the mover's attack on the other king, indexed by the attackers' lowest class (0 for no
            attack).
        attack_stake: how much the value of this attack rises for each point that capturing the other king would bring;
            indexed like `attack`.
        attack_keeps: the number added during this attack to the factor of the piece-square value, which is 1 without
            an attack; indexed like `attack`. The number is negative, because a captured king ends the round.
        exposed: the value of an attack on the mover's own king, indexed by the attackers' lowest class (0 for no
            attack).
        exposed_stake: how much the value of this attack rises for each point that capturing the mover's king would
            bring the opponent; indexed like `exposed`.
        exposed_keeps: the number added during this attack to the factor of the piece-square value; indexed like
            `exposed`.
        stake: the value of each point that capturing the other king would bring.
        stake_against: the value of each point that capturing the mover's king would bring the opponent.
        genie: the value of the mover's Genie in reserve; an opponent's Genie counts negative.
        turn: the value of the right to move.
    """

    squares: tuple[tuple[float, ...], ...]
    attack: tuple[float, ...]
    attack_stake: tuple[float, ...]
    attack_keeps: tuple[float, ...]
    exposed: tuple[float, ...]
    exposed_stake: tuple[float, ...]
    exposed_keeps: tuple[float, ...]
    stake: float
    stake_against: float
    genie: float
    turn: float


def both_wings(*halves: tuple[float, ...]) -> tuple[tuple[float, ...], ...]:
    """Return piece-square values for all files; the files e to h mirror the files d to a.

    Args:
        halves: for each class of piece, the values of the files a to d, rank by rank from the first.
    """
    return tuple(
        tuple(half[4 * (square >> 3) + min(square & 7, 7 - (square & 7))] for square in range(64)) for half in halves
    )


def stakes(purse: Purse) -> tuple[float, float]:
    """Return how many points each side would gain on the other by capturing the king.

    The side to move comes first. The settlement counts twice, because the loser pays it to the winner (L13, L20).
    """
    cargo, other_cargo, held, other_held = purse
    pays, is_paid = held + KING_VALUE, other_held + KING_VALUE
    return (
        KING_CAPTURE + 2 * min(pays, other_cargo),
        KING_CAPTURE + 2 * min(is_paid, cargo),
    )


class Evaluation:
    """Evaluates positions by weights.

    Attributes:
        squares: the piece-square values, for Black's and for White's pieces, indexed by class and square.
        keeps: the factor of the piece-square value. The first index is the lowest class among the attackers of the
            other king. The second index is the lowest class among the attackers of the mover's king. An index is 0 if
            the king is not attacked.
        most_kept: `keeps` with the maximum of each row and each column at index LEAST.
        least_kept: `keeps` with the minimum of each row and each column at index LEAST.
        by_stake: returns two tuples, the values of an attack on the other king and those of an attack on the mover's
            king. Both are indexed by the attackers' lowest class. The arguments are the points for capturing the other
            king and the points for capturing the mover's king. Results are cached.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        rounded = [[round(worth * GRAIN) / GRAIN for worth in row] for row in weights.squares]
        for_white = ((0.0,) * 64, *(tuple(row) for row in rounded))
        for_black = tuple(tuple(row[square ^ 56] for square in range(64)) for row in for_white)
        self.squares = (for_black, for_white)
        self.keeps = [
            [min(1.0, max(0.0, 1 + one + two)) for two in weights.exposed_keeps] for one in weights.attack_keeps
        ]
        self.most_kept, self.least_kept = _outermost(self.keeps, max), _outermost(self.keeps, min)
        self.by_stake = lru_cache(maxsize=STAKES_KEPT)(self._of_stakes)

    def placed(self, board: AetherBoard) -> float:
        """Return the sum of the piece-square values of the mover's pieces, minus the sum for the opponent's pieces."""
        white = board[14]
        own, other = self.squares[white], self.squares[1 - white]
        total = 0.0
        for value in range(1, 7):
            total += _worth_of(board[value - 1], own[value]) - _worth_of(board[value + 5], other[value])
        return total

    def of(self, board: AetherBoard, placed: float, purse: Purse) -> float:
        """Return the value of a position for the side about to throw; neither king may have been taken.

        Args:
            board: the position.
            placed: its piece-square value as returned by `placed`, which the search updates move by move.
            purse: the cargo and the captures of both sides, which decide the points for a captured king.
        """
        stake, against = stakes(purse)
        attack, exposure = self.by_stake(stake, against)
        strongest = least_class(attackers(board), board[0:6])
        exposed = least_class(attackers_of_mover(board), board[6:12])
        kept = self.keeps[strongest][exposed] * placed
        return kept + self.staked(stake, against) + attack[strongest] + exposure[exposed]

    def staked(self, stake: float, against: float) -> float:
        """Return the value of the right to move, plus the value of the points that capturing a king would bring.

        Args:
            stake: the points for the side to move.
            against: the points for the opponent.
        """
        weights = self.weights
        return weights.turn + weights.stake * stake + weights.stake_against * against

    def _of_stakes(self, stake: float, against: float) -> tuple[ByClass, ByClass]:
        weights = self.weights
        attack = [one + more * stake for one, more in zip(weights.attack, weights.attack_stake, strict=True)]
        exposed = [one + more * against for one, more in zip(weights.exposed, weights.exposed_stake, strict=True)]
        return (*attack, min(attack)), (*exposed, min(exposed))


def _worth_of(pieces: int, by_square: tuple[float, ...]) -> float:
    worth = 0.0
    while pieces:
        lowest = pieces & -pieces
        worth += by_square[lowest.bit_length() - 1]
        pieces ^= lowest
    return worth


def _outermost(table: list[list[float]], choose: Callable[[Iterable[float]], float]) -> list[list[float]]:
    """Return the table with an added column and row: the extreme values of each row and of each column.

    `choose` is `max` or `min`.
    """
    lines = [[*line, choose(line)] for line in table]
    return [*lines, [choose(column) for column in zip(*lines, strict=True)]]
