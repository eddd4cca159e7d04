"""Aether's own position against the game's: moves, captures, treasure, strikes, and the tallies of a round.

Source: docs/rules/legend.md L8 - L20.
"""

import random

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

EXAMPLES = settings(
    max_examples=effort(60, 2000), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


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


@EXAMPLES
@given(positions())
def test_every_die_permits_the_moves_of_the_game(position: LegendPosition) -> None:
    moves = moves_of(aethers_board(position))
    for die in range(1, 7):
        permitted = sorted(uci_of(origin, to) for kind, origin, to, _ in moves if kind <= die)
        assert permitted == sorted(position.moves(die))
    assert [move[0] for move in moves] == sorted(move[0] for move in moves), "ordered by class"


@EXAMPLES
@given(positions())
def test_every_move_leads_to_the_board_of_the_game_and_brings_the_same(position: LegendPosition) -> None:
    board = aethers_board(position)
    known = position.moves(6)
    before = attackers(board)
    for move in moves_of(board):
        theirs = known[uci_of(move[1], move[2])]
        made = position.play(theirs)
        assert move[3] == aethers_board(made)
        taken = position.captured(theirs)
        assert taken_by(board, move)[0] == (0 if taken is None else PIECE_VALUES[taken[0]])
        assert finds_treasure(board, move) == (position.is_castling(theirs) or position.reaches_seventh(theirs))
        if taken is None or PIECE_VALUES[taken[0]] != 5:
            assert bool(attackers_of_mover(move[3]) & ~before) == strikes(position, made, position.turn)


@EXAMPLES
@given(positions())
def test_a_fen_and_a_turn_without_a_move_are_read_as_the_game_reads_them(position: LegendPosition) -> None:
    assert board_of(position.fen()) == aethers_board(position)
    assert passed_turn(aethers_board(position)) == aethers_board(position.pass_turn())


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/P6k/8/8/8/8/K6p/1R6 b - - 0 1",
        "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1",
        "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1",
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
