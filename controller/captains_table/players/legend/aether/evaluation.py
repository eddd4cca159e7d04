"""What a position is worth to whoever is about to throw, by a sum of weighted features.

Features: every piece on its square; who attacks which king, by the least value of an attacker, for it is the die that
permits him; what a captured king would bring; the Genie in reserve; the turn itself.

Source: docs/rules/legend.md L8 - L20.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from captains_table.players.legend.aether.bits import least_class
from captains_table.players.legend.aether.board import Board, attackers, attackers_of_mover
from captains_table.players.legend.aether.throws import KING_CAPTURE, KING_VALUE

Purse = tuple[float, float, float, float]  # cargo of whoever is to move and of the other; what their captures are worth
ByClass = tuple[float, ...]  # by the least class of an attacker, 0 for none; the least of all at LEAST
LEAST: Final = 7
STAKES_KEPT: Final = 4096
GRAIN: Final = 1024  # piece values are whole multiples of 1/GRAIN, so that sums of them are exact in any order


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights, in points of grand score.

    Attributes:
        squares: for each class 1 to 6, the worth of a piece of White's on each of 64 squares.
        attack: whoever is to move attacks the other's king, by the least class that does (0: none).
        attack_stake: the same for each point a captured king would bring.
        attack_keeps: how much less the pieces count then, for a captured king ends the round.
        exposed: his own king is attacked, in the same way.
        exposed_stake: the same for each point his captured king would bring the other.
        exposed_keeps: how much less the pieces count then.
        stake: each point that the other's captured king would bring.
        stake_against: each point that his own captured king would bring the other.
        genie: he has the Genie in reserve; minus that for the other.
        turn: it is his turn.
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
    """Return the worth of pieces on all squares from those on the files a to d, rank by rank from the first."""
    return tuple(
        tuple(half[4 * (square >> 3) + min(square & 7, 7 - (square & 7))] for square in range(64)) for half in halves
    )


def stakes(purse: Purse) -> tuple[float, float]:
    """Return what capturing the other's king would bring whoever is to move, and the other (L13, L20)."""
    cargo, other_cargo, held, other_held = purse
    pays, is_paid = held + KING_VALUE, other_held + KING_VALUE
    return (
        KING_CAPTURE + 2 * min(pays, other_cargo),
        KING_CAPTURE + 2 * min(is_paid, cargo),
    )


class Evaluation:
    """Values positions by weights.

    Attributes:
        by_stake: returns what an attack on the other's king is worth to the player about to throw, and what one on the
            own king is, by what capturing each brings.
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

    def placed(self, board: Board) -> float:
        """Return what the pieces are worth where they stand, as a difference for whoever is to move."""
        white = board[14]
        own, other = self.squares[white], self.squares[1 - white]
        total = 0.0
        for value in range(1, 7):
            total += _worth_of(board[value - 1], own[value]) - _worth_of(board[value + 5], other[value])
        return total

    def of(self, board: Board, placed: float, purse: Purse) -> float:
        """Return what a position is worth to whoever is about to throw; neither king was taken.

        Args:
            board: the position.
            placed: as `placed` gives it, kept up by whoever makes moves.
            purse: the tallies that a settlement depends on.
        """
        stake, against = stakes(purse)
        attack, exposure = self.by_stake(stake, against)
        strongest = least_class(attackers(board), board[0:6])
        exposed = least_class(attackers_of_mover(board), board[6:12])
        kept = self.keeps[strongest][exposed] * placed
        return kept + self.staked(stake, against) + attack[strongest] + exposure[exposed]

    def staked(self, stake: float, against: float) -> float:
        """Return what having the turn is worth, and what both kings would bring."""
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
    """Return a table with the outermost of each line beside it, those of each column below it, and the one of all."""
    lines = [[*line, choose(line)] for line in table]
    return [*lines, [choose(column) for column in zip(*lines, strict=True)]]
