"""What a position is worth to whoever is about to throw, by a sum of weighted features.

Features: every piece on its square; who attacks which king, by the least value of an attacker, for it is the die that
permits him; what a captured king would bring; the Genie in reserve; the turn itself.

Source: docs/rules/legend.md L8 - L20.
"""

from dataclasses import dataclass
from typing import Final

from captains_table.players.legend.aether.attacks import least_class
from captains_table.players.legend.aether.board import Board, attackers, attackers_of_mover
from captains_table.players.legend.aether.throws import KING_CAPTURE, KING_VALUE

Purse = tuple[float, float, float, float]  # cargo of whoever is to move and of the other; what their captures are worth
GRAIN: Final = 1024  # piece values are whole multiples of 1/GRAIN, so that sums of them are exact in any order


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights, in points of grand score.

    Attributes:
        squares: for each class 1 to 6, the worth of a piece of White's on each of 64 squares.
        attack: whoever is to move attacks the other's king, by the least class that does (0: none).
        attack_stake: the same for each point a captured king would bring.
        exposed: his own king is attacked, in the same way.
        exposed_stake: the same for each point his captured king would bring the other.
        stake: each point that the other's captured king would bring.
        stake_against: each point that his own captured king would bring the other.
        genie: he has the Genie in reserve; minus that for the other.
        turn: it is his turn.
    """

    squares: tuple[tuple[float, ...], ...]
    attack: tuple[float, ...]
    attack_stake: tuple[float, ...]
    exposed: tuple[float, ...]
    exposed_stake: tuple[float, ...]
    stake: float
    stake_against: float
    genie: float
    turn: float


def stakes(purse: Purse) -> tuple[float, float]:
    """Return what capturing the other's king would bring whoever is to move, and the other (L13, L20)."""
    cargo, other_cargo, held, other_held = purse
    pays, is_paid = held + KING_VALUE, other_held + KING_VALUE
    return (
        KING_CAPTURE + 2 * min(pays, other_cargo),
        KING_CAPTURE + 2 * min(is_paid, cargo),
    )


class Evaluation:
    """Values positions by weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        rounded = [[round(worth * GRAIN) / GRAIN for worth in row] for row in weights.squares]
        for_white = ((0.0,) * 64, *(tuple(row) for row in rounded))
        for_black = tuple(tuple(row[square ^ 56] for square in range(64)) for row in for_white)
        self.squares = (for_black, for_white)

    def placed(self, board: Board) -> float:
        """Return what the pieces are worth where they stand, as a difference for whoever is to move."""
        white = board[14]
        own, other = self.squares[white], self.squares[1 - white]
        total = 0.0
        for value in range(1, 7):
            total += sum(own[value][square] for square in range(64) if board[value - 1] >> square & 1)
            total -= sum(other[value][square] for square in range(64) if board[value + 5] >> square & 1)
        return total

    def of(self, board: Board, placed: float, purse: Purse) -> float:
        """Return what a position is worth to whoever is about to throw; neither king was taken.

        Args:
            board: the position.
            placed: as `placed` gives it, kept up by whoever makes moves.
            purse: the tallies that a settlement depends on.
        """
        weights = self.weights
        stake, against = stakes(purse)
        strongest = least_class(attackers(board), board[0:6])
        exposed = least_class(attackers_of_mover(board), board[6:12])
        return (
            placed
            + weights.turn
            + weights.stake * stake
            + weights.stake_against * against
            + weights.attack[strongest]
            + weights.attack_stake[strongest] * stake
            + weights.exposed[exposed]
            + weights.exposed_stake[exposed] * against
        )
