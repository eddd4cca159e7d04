"""How Aether's weights are made: on a small scale, from a seed."""

from pathlib import Path

import numpy as np
import pytest

from captains_table.players.legend.aether.board import board_of
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.search import AetherSearch
from captains_table.players.legend.aether.training import features
from captains_table.players.legend.aether.training.learning import HAND, Course, fitted, samples, trained_weights
from captains_table.players.legend.aether.training.writing import weights_source
from captains_table.players.legend.aether.weights import WEIGHTS
from tests.support.plain_expectimax import ordinary_situations

SHORT = Course(rounds=2, depth=1, lambda_=0.5, discount=0.96, ridge=100)
PURSE = (10.0, 20.0, 7.0, 3.0)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights_and_another_one_others() -> None:
    first, again, other = (trained_weights(HAND, SHORT, seed) for seed in ("1", "1", "2"))
    assert first == again
    assert first != other
    assert first != HAND


def test_a_fit_finds_what_was_hidden_in_the_errors() -> None:
    rng = np.random.default_rng(1)
    rows, hidden = rng.normal(size=(400, 5)), np.array([1.0, -2.0, 0.0, 4.0, 0.5])
    assert fitted(rows, rows @ hidden, ridge=0.01) == pytest.approx(hidden, abs=1e-3)
    assert np.abs(fitted(rows, rows @ hidden, ridge=1e6)).max() < 0.1, "drawn to none"


def test_a_small_change_of_weights_changes_values_by_its_features() -> None:
    """What `row_of` says of a position is what its value changes by, where pieces count in full or not at all."""
    change = np.full(features.COLUMNS, 1e-3)
    change[features.ATTACK_KEEPS : features.STAKE] = 0.0
    before, after = Evaluation(HAND), Evaluation(features.add_to_weights(HAND, change))
    for situation in ordinary_situations(30, seed=9):
        board = board_of(situation.fen)
        told = features.row_of(before, board, PURSE) @ change
        values = [evaluation.of(board, evaluation.placed(board), PURSE) for evaluation in (before, after)]
        assert values[1] - values[0] == pytest.approx(told, abs=0.04), "pieces' values are rounded"


def test_a_round_is_told_from_its_end_backwards() -> None:
    search = AetherSearch(Evaluation(HAND))
    told = samples(search, SHORT, "3")
    assert told
    assert all(row.shape == (features.COLUMNS,) for row, _ in told)


def test_weights_that_are_written_are_read_as_they_are(tmp_path: Path) -> None:
    text = weights_source(WEIGHTS)
    module: dict[str, object] = {}
    exec(compile(text, tmp_path / "weights.py", "exec"), module)  # noqa: S102 - a module of our own making
    assert module["WEIGHTS"] == WEIGHTS
    assert len(WEIGHTS.squares) == 6
