"""Aether's own position against the game's: moves, captures, treasure, strikes, tallies; and how its weights are made.

Source: docs/rules/legend.md L8 - L20.
"""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from captains_table.games.legend.position import LEGEND_START, PIECE_VALUES, LegendPosition, strikes
from captains_table.players.legend.aether.board import (
    attackers,
    attackers_of_mover,
    board_of,
    moves_of,
    passed_turn,
    uci_of,
)
from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.search import AetherSearch, Node, finds_treasure, next_node, taken_by
from captains_table.players.legend.aether.weights import WEIGHTS
from tests.support.effort import effort
from tests.support.plain_expectimax import aethers_board, ordinary_situations
from tests.training import features
from tests.training.learning import HAND, Course, fitted, samples, trained_weights
from tests.training.writing import weights_source


@st.composite
def positions(draw: st.DrawFn) -> LegendPosition:
    """Positions after moves by chance, kings taken at the end at most; some turns pass without a move."""
    rng, position = random.Random(draw(st.integers(0, 2**32))), LEGEND_START
    for _ in range(draw(st.integers(0, 90))):
        moves = list(position.moves(rng.randint(1, 6)).values())
        taking = [move for move in moves if position.captured(move) or move.promotion]
        if not moves:
            position = position.pass_turn()
            continue
        chosen = rng.choice(taking if taking and rng.random() < 0.3 else moves)
        taken = position.captured(chosen)
        if taken is None or PIECE_VALUES[taken[0]] != 5:
            position = position.play(chosen)
    return position


@settings(max_examples=effort(60, 2000), suppress_health_check=[HealthCheck.too_slow])
@given(positions())
def test_board_dice_and_moves_are_those_of_the_game_and_bring_the_same(position: LegendPosition) -> None:
    board, known = aethers_board(position), position.moves(6)
    assert board_of(position.fen()) == board
    assert passed_turn(board) == aethers_board(position.pass_turn())
    moves, before = moves_of(board), attackers(board)
    assert [move[0] for move in moves] == sorted(move[0] for move in moves), "ordered by class"
    for die in range(1, 7):
        permitted = sorted(uci_of(origin, to) for kind, origin, to, _ in moves if kind <= die)
        assert permitted == sorted(position.moves(die))
    for move in moves:
        theirs = known[uci_of(move[1], move[2])]
        made, taken = position.play(theirs), position.captured(theirs)
        assert move[3] == aethers_board(made)
        assert taken_by(board, move)[0] == (0 if taken is None else PIECE_VALUES[taken[0]])
        assert finds_treasure(board, move) == (position.is_castling(theirs) or position.reaches_seventh(theirs))
        if taken is None or PIECE_VALUES[taken[0]] != 5:
            assert bool(attackers_of_mover(move[3]) & ~before) == strikes(position, made, position.white)


@pytest.mark.parametrize(
    "fen",
    [
        *("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"),
        *("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "8/P6k/8/8/8/8/K6p/1R6 b - - 0 1"),
        *("1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1", "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ],
)
def test_castling_en_passant_and_promotion_are_those_of_the_game(fen: str) -> None:
    position = LegendPosition.from_fen(fen)
    found = {uci_of(move[1], move[2]): move[3] for move in moves_of(board_of(fen))}
    assert found.keys() == position.moves(6).keys()
    assert all(made == aethers_board(position.play(position.moves(6)[id_])) for id_, made in found.items())


def test_what_pieces_are_worth_is_kept_up_move_by_move() -> None:
    evaluation = Evaluation(WEIGHTS)
    search = AetherSearch(evaluation)
    for situation in ordinary_situations(20, seed=8):
        board = board_of(situation.fen)
        node = Node(board, evaluation.placed(board), (0.0, 0.0, 0.0, 0.0))
        for move in moves_of(board):
            if move[3][4]:
                reached = search.reached(node, move)
                assert reached.placed == pytest.approx(evaluation.placed(move[3]), abs=1e-9)
    assert next_node(node, node.board, 0.0, taken=3).purse[3] == 3


# --- the weights ------------------------------------------------------------------------------------------------------

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
