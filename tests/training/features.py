"""The evaluation as a linear model for training: computes a position's features, and adds changes to the weights."""

import numpy as np
import numpy.typing as npt

from captains_table.players.legend.aether.bits import least_class
from captains_table.players.legend.aether.board import AetherBoard, attackers, attackers_of_mover
from captains_table.players.legend.aether.evaluation import Evaluation, Purse, Weights, stakes

FeatureRow = npt.NDArray[np.float64]

KINDS = range(1, 7)
RANKS, FILES = 8, 4  # a square's value is the sum of its rank's and its file's; files e to h mirror d to a
OF_A_KIND = RANKS + FILES
ATTACK = 6 * OF_A_KIND
ATTACK_STAKE, EXPOSED, EXPOSED_STAKE = ATTACK + 6, ATTACK + 12, ATTACK + 18
ATTACK_KEEPS, EXPOSED_KEEPS = ATTACK + 24, ATTACK + 30
STAKE, AGAINST, TURN = ATTACK + 36, ATTACK + 37, ATTACK + 38
COLUMNS = TURN + 1


def _feature_columns(kind: int, square: int) -> tuple[int, int]:
    """Return a piece's two columns in a feature vector, for its rank and for its file, from White's view."""
    first, file = OF_A_KIND * (kind - 1), square & 7
    return first + (square >> 3), first + RANKS + min(file, 7 - file)


def row_of(evaluation: Evaluation, board: AetherBoard, purse: Purse) -> FeatureRow:
    """Return the features of a turn for the side about to throw.

    The evaluation multiplies the values of pieces by a factor (`Evaluation.keeps`). The features of pieces contain this
    factor.
    """
    row = np.zeros(COLUMNS)
    white = board[14]
    strongest = least_class(attackers(board), board[0:6])
    exposed = least_class(attackers_of_mover(board), board[6:12])
    kept, placed = evaluation.keeps[strongest][exposed], evaluation.placed(board)
    for side, sign, turned in ((0, kept, 56 * (1 - white)), (6, -kept, 56 * white)):
        for kind in KINDS:
            pieces = board[side + kind - 1]
            while pieces:
                square = pieces.bit_length() - 1
                pieces ^= 1 << square
                row[list(_feature_columns(kind, square ^ turned))] += sign
    stake, against = stakes(purse)
    for least, first, by_stake, keeps, worth in (
        (strongest, ATTACK, ATTACK_STAKE, ATTACK_KEEPS, stake),
        (exposed, EXPOSED, EXPOSED_STAKE, EXPOSED_KEEPS, against),
    ):
        if least:
            row[first + least - 1], row[by_stake + least - 1], row[keeps + least - 1] = 1.0, worth, placed
    row[STAKE], row[AGAINST], row[TURN] = stake, against, 1.0
    return row


def add_to_weights(weights: Weights, column: FeatureRow) -> Weights:
    """Return the sum of the weights and their changes; the value of a Genie in reserve stays the same.

    Args:
        weights: the weights.
        column: the changes, in the order of the features in `row_of`.
    """

    def by_class(before: tuple[float, ...], first: int) -> tuple[float, ...]:
        return (0.0, *(float(old + new) for old, new in zip(before[1:], column[first : first + 6], strict=True)))

    return Weights(
        squares=tuple(
            tuple(
                float(worth + sum(column[place] for place in _feature_columns(kind, square)))
                for square, worth in enumerate(weights.squares[kind - 1])
            )
            for kind in KINDS
        ),
        attack=by_class(weights.attack, ATTACK),
        attack_stake=by_class(weights.attack_stake, ATTACK_STAKE),
        attack_keeps=by_class(weights.attack_keeps, ATTACK_KEEPS),
        exposed=by_class(weights.exposed, EXPOSED),
        exposed_stake=by_class(weights.exposed_stake, EXPOSED_STAKE),
        exposed_keeps=by_class(weights.exposed_keeps, EXPOSED_KEEPS),
        stake=float(weights.stake + column[STAKE]),
        stake_against=float(weights.stake_against + column[AGAINST]),
        genie=weights.genie,
        turn=float(weights.turn + column[TURN]),
    )
