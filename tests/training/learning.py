"""Temporal-difference learning of Aether's weights from games against itself.

The target of a position is the actual gain of its turn minus the discounted value of the opponent's next turn. The
value of the next turn is a mixture of the search's value and that turn's own target (a lambda return). The weights are
fitted by least squares, regularised towards the current weights. Training starts from weights made by hand (`HAND`).
The rounds contain some random moves.
"""

import random
from dataclasses import dataclass

import numpy as np

from captains_table.players.legend.aether.board import moves_of
from captains_table.players.legend.aether.evaluation import Evaluation, Weights
from captains_table.players.legend.aether.search import AetherSearch, Node
from captains_table.players.legend.aether.situation import MOST_THROWS
from captains_table.players.legend.aether.throws import CARGO
from tests.training.features import FeatureRow, add_to_weights, row_of
from tests.training.rounds import TrainingRound, play, throw_legend_die

CHANCES = (0.0, 1.0, 0.995, 0.963, 0.875, 0.704, 0.421)  # by class: that the die permits it within three throws
LEAST_SCALE = 0.1  # lower bound of a feature's scale, so that rare features have little influence
MOST_STRAYS = 10  # maximum number of random moves at the beginning of a round
STRAY = 0.03  # probability of a random move later
RICH = 0.5  # probability that a round begins with tallies, like a later round of a match


def _square(value: int, square: int) -> float:
    rank, file = square >> 3, square & 7
    centre = 3.5 - max(abs(rank - 3.5), abs(file - 3.5))
    match value:
        case 1:
            return (0, 1, 1.2, 1.6, 2.4, 4.0, 2.5, 0)[rank]
        case 5:
            return -0.3 * rank
        case _:
            return (0, 0, 2.0, 2.5, 3.0, 0, 4.0)[value] + 0.25 * centre


HAND = Weights(
    squares=tuple(tuple(_square(value, square) for square in range(64)) for value in range(1, 7)),
    attack=tuple(9 * chance for chance in CHANCES),
    attack_stake=CHANCES,
    attack_keeps=tuple(-chance for chance in CHANCES),
    exposed=tuple(-3 * chance for chance in CHANCES),
    exposed_stake=tuple(-0.35 * chance for chance in CHANCES),
    exposed_keeps=tuple(-0.35 * chance for chance in CHANCES),
    stake=0.1,
    stake_against=-0.1,
    genie=1.0,
    turn=2.0,
)


@dataclass(frozen=True, slots=True)
class Course:
    """One pass of training.

    Attributes:
        rounds: the number of rounds to play.
        depth: the search depth in moves.
        lambda_: the weight of the training target after a turn when the turn's target is computed; the turn's search
            value has the weight 1 - `lambda_`.
        discount: the discount factor for each turn; without a discount the stronger side would postpone the end of a
            round.
        ridge: the strength of the regularisation, as the number of positions that would have the same weight.
    """

    rounds: int
    depth: int
    lambda_: float
    discount: float
    ridge: float


@dataclass(slots=True)
class _TrainingTurn:
    """One turn of a training round: its features, its static value, its search value, and the points that it gained."""

    row: FeatureRow
    static_value: float
    value: float
    gain: float


def trained_weights(weights: Weights, course: Course, seed: str) -> Weights:
    """Return the weights after a course; the same seed gives the same result."""
    search = AetherSearch(Evaluation(weights))
    rows: list[FeatureRow] = []
    errors: list[float] = []
    for number in range(course.rounds):
        for row, error in samples(search, course, f"{seed} {number}"):
            rows.append(row)
            errors.append(error)
    return add_to_weights(weights, fitted(np.array(rows), np.array(errors), course.ridge))


def fitted(rows: FeatureRow, errors: FeatureRow, ridge: float) -> FeatureRow:
    """Return the change of weights that minimises the squared errors, regularised towards zero."""
    scale = np.maximum(np.sqrt((rows**2).mean(axis=0)), LEAST_SCALE)
    scaled = rows / scale
    change: FeatureRow = np.linalg.solve(scaled.T @ scaled + ridge * np.eye(rows.shape[1]), scaled.T @ errors) / scale
    return change


def samples(search: AetherSearch, course: Course, seed: str) -> list[tuple[FeatureRow, float]]:
    """Play a round, and return the features and the error of each position, the last position first.

    Positions up to the last random move are left out. The error is the position's target minus its static value.
    """
    seen, last = _round(search, course, random.Random(seed))
    found: list[tuple[FeatureRow, float]] = []
    for turn in reversed(seen):
        target = turn.gain - course.discount * last
        found.append((turn.row, target - turn.static_value))
        last = course.lambda_ * target + (1 - course.lambda_) * turn.value
    return found


def _round(search: AetherSearch, course: Course, rng: random.Random) -> tuple[list[_TrainingTurn], float]:
    """Play a round with some random moves.

    The result is the turns after the last random move, and the value of the round's last position for the side about to
    throw. The value is 0 if a king was taken.
    """
    turn, seen = TrainingRound(), list[_TrainingTurn]()
    strays = rng.randint(0, MOST_STRAYS)
    _tallies_by_chance(turn, rng)
    while not turn.is_over:
        node = Node(turn.board, search.evaluation.placed(turn.board), turn.purse())
        search.begin(scores_piece=False)
        bests = search.bests(node, course.depth)
        die, throws, move = throw_legend_die(bests, rng)
        if turn.number < strays or rng.random() < STRAY:
            moves = [move for move in moves_of(turn.board) if move[0] <= die and move[3][4]]
            play(turn, rng.choice(moves) if moves else None, 0, rng)
            seen.clear()  # the result of earlier turns is no longer due to good play
            continue
        mover, lead = turn.mover, turn.lead()
        row, value = row_of(search.evaluation, turn.board, node.purse), bests.turn()
        static_value = search.evaluation.of(*node[:3])
        home = play(turn, move, die if throws < MOST_THROWS else 0, rng)
        gain = turn.lead() - lead if mover == 0 else lead - turn.lead()
        seen.append(_TrainingTurn(row, static_value, value, gain - home + CARGO))  # CARGO replaces the noise of `home`
    if not turn.board[10] or not turn.board[4]:
        return seen, 0.0
    return seen, search.value(Node(turn.board, search.evaluation.placed(turn.board), turn.purse()), course.depth)


def _tallies_by_chance(turn: TrainingRound, rng: random.Random) -> None:
    """Give some rounds random cargo tallies at the beginning, like those of later rounds of a match."""
    if rng.random() < RICH:
        turn.cargo = [rng.randint(0, 60), rng.randint(0, 60)]
