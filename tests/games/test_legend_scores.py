"""docs/rules/legend.md L9, L12, L13: what a move, a strike and the king's capture score."""

import pytest

from captains_table.games.contract import parse_square
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BARE_KINGS,
    BART,
    GAME,
    cargo,
    legend,
    moves,
    offered,
    play,
    start,
    tallies,
    told,
)

THROWN_TWICE = ("roll 1 1 1 1 1 1", "keep 1 2 3 4 5 -> 1")
THROWN_THRICE = (*THROWN_TWICE, "keep 1 2 3 4 5 -> 6")
KING_HANGS = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"


def strike(state: State, *words: str) -> int:
    """Return the points for strikes in the last action."""
    return sum(game_event.points for game_event in told(state, *words) if game_event.kind == "strike")


# --- L9 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("die", range(1, 7))
def test_a_move_scores_the_dies_value_whatever_moves(die: int) -> None:
    assert legend(play(start(), f"roll 1 1 1 1 1 {die}", "e2e4"), ANNE) == die


@pytest.mark.parametrize(
    "throws", [("roll 1 1 1 1 1 1", "keep 1 2 3 4 5 -> 4"), ("roll 1 1 1 1 1 4", *["keep 6 -> 1 1 1 1 1"] * 2)]
)
def test_a_die_thrown_twice_or_cargo_thrown_three_times_does_not_spoil_the_legend(throws: tuple[str, ...]) -> None:
    assert legend(play(start(), *throws, "e2e4"), ANNE) == 4


@pytest.mark.parametrize("score", ["die", "piece"])
@pytest.mark.parametrize(
    ("fen", "move", "scores"),
    [(None, "e2e4", 0), ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1), (KING_HANGS, "e2e8", 5)],
    ids=["a move", "a strike", "the king's capture"],
)
def test_with_a_die_thrown_three_times_only_strike_and_king_score(
    fen: str | None, move: str, scores: int, score: str
) -> None:
    assert legend(play(start(fen, score=score), *THROWN_THRICE, move), ANNE) == scores


@pytest.mark.parametrize(
    ("fen", "move", "worth"),
    [
        ("8/8/k7/8/8/8/P7/4K3 w - - 0 1", "a2a3", 1),
        ("8/8/k7/8/8/8/8/N3K3 w - - 0 1", "a1c2", 2),
        ("8/8/k7/8/8/8/8/B3K3 w - - 0 1", "a1b2", 3),
        ("8/8/k7/8/8/8/8/R3K3 w Q - 0 1", "a1b1", 4),
        ("8/8/k7/8/8/8/8/R3K3 w Q - 0 1", "e1d1", 5),
        ("8/8/k7/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 5),
        ("8/8/k7/8/8/8/8/Q3K3 w - - 0 1", "a1b1", 6),
        ("8/P7/8/k7/8/8/8/4K3 w - - 0 1", "a7a8n", 1),
    ],
)
def test_score_piece_counts_the_moved_piece_instead(fen: str, move: str, worth: int) -> None:
    assert legend(play(start(fen, score="piece"), "roll 1 1 1 1 1 6", move), ANNE) == worth
    assert legend(play(start(fen, score="die"), "roll 1 1 1 1 1 6", move), ANNE) == 6


def test_score_piece_counts_five_for_the_genie() -> None:
    assert legend(play(start(BARE_KINGS, score="piece"), "roll 1 1 1 1 1 1", "genie 1 1", "genie-b2"), ANNE) == 5


# --- L12 ------------------------------------------------------------------------------------------------------------

ATTACKS = {
    "the moved rook": ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    "the moved knight": ("4k3/8/8/8/4N3/8/8/K7 w - - 0 1", "e4f6"),
    "the moved pawn": ("4k3/8/3P4/8/8/8/8/K7 w - - 0 1", "d6d7"),
    "the moved king": ("4k3/8/4K3/8/8/8/8/8 w - - 0 1", "e6e7"),
    "a piece that captured": ("4k3/3p4/8/1B6/8/8/8/K7 w - - 0 1", "b5d7"),
    "further along its own line": ("4k3/8/8/8/8/8/4Q3/K7 w - - 0 1", "e2e4"),
    "back along its own line": ("4k3/8/8/8/4Q3/8/8/K7 w - - 0 1", "e4e2"),
    "a line opened": ("4k3/8/8/8/4B3/8/8/K3R3 w - - 0 1", "e4d3"),
    "a line opened behind the queen": ("4k3/8/8/8/4Q3/8/8/K3R3 w - - 0 1", "e4a4"),
    "a line opened by the king": ("4k3/8/8/8/4K3/8/8/4R3 w - - 0 1", "e4d4"),
    "the castled rook": ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    "the rook castled long": ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
    "the promoted piece": ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"),
    "next to one that stands": ("R3k3/8/8/8/4N3/8/8/K7 w - - 0 1", "e4f6"),
    "two at once, counted once": ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6"),
    "the promoted knight": ("8/P1k5/8/8/8/8/8/K7 w - - 0 1", "a7a8n"),
}
NO_ATTACKS = {
    "an attack that stands": ("R3k3/8/8/8/8/8/P7/K7 w - - 0 1", "a2a3"),
    "a move away": ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "e1d1"),
    "an attack on a piece": ("4k3/8/8/3p4/8/8/8/K6R w - - 0 1", "h1h5"),
    "a line that stays closed": ("4k3/4p3/8/8/4B3/8/8/K3R3 w - - 0 1", "e4d3"),
    "promoting without attack": ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n"),
    "an attack on the own king": ("r3k3/8/8/8/8/8/P7/K7 w - - 0 1", "a2a3"),
    "unveiling an attack on the own king": ("4k3/8/8/8/8/8/8/r2RK3 w - - 0 1", "d1d2"),
    "a pawn facing the king": ("4k3/8/4P3/8/8/8/8/K7 w - - 0 1", "e6e7"),
}


@pytest.mark.parametrize("name", [*ATTACKS, *NO_ATTACKS])
def test_a_new_attack_on_the_enemy_king_and_nothing_else_strikes(name: str) -> None:
    fen, move = (ATTACKS | NO_ATTACKS)[name]
    assert strike(start(fen), "roll 1 1 1 1 1 6", move) == (name in ATTACKS)


@pytest.mark.parametrize("fen", ["8/4p1k1/8/3P4/8/8/1B6/K7 b - - 0 1", "8/4p3/8/R2P3k/8/8/8/K7 b - - 0 1"])
def test_a_line_opened_or_a_rank_emptied_by_en_passant_strikes(fen: str) -> None:
    assert strike(moves(start(fen), "e7e5"), "roll 1 1 1 1 1 1", "d5e6") == 1


def test_an_attack_strikes_when_it_is_made_and_not_again_while_it_stands() -> None:
    fen = "4k3/p7/8/8/8/8/P7/K6R w - - 0 1"
    assert legend(moves(start(fen), "h1h8", "a7a6", "a2a3"), ANNE) == 6 + 1 + 6
    assert legend(moves(start(fen), "h1h8", "e8e7", "h8h7"), ANNE) == 6 + 1 + 6 + 1, "made anew it strikes again"


def test_black_strikes_too() -> None:
    state = moves(start("r3k3/8/8/8/8/8/P7/3K4 w - - 0 1"), "a2a3")
    assert strike(state, "roll 1 1 1 1 1 6", "e8d8") == 0
    assert strike(state, "roll 1 1 1 1 1 6", "a8d8") == 1
    assert legend(play(state, "roll 1 1 1 1 1 4", "a8d8"), BART) == 5


def test_a_strike_is_credited_before_the_turn_ends_and_before_any_treasure_falls() -> None:
    state = play(start("5k2/8/8/8/8/8/8/4K2R w K - 0 1"), "roll 6 5 4 1 1 5", "e1g1")
    assert tallies(state, ANNE) == (0, 6)


# --- L13 ------------------------------------------------------------------------------------------------------------


def test_capturing_the_king_scores_five_besides_the_die_and_is_no_strike() -> None:
    assert tallies(play(start(KING_HANGS), "roll 1 1 1 1 1 6", "e2e8"), ANNE) == (0, 6 + 5)
    events = told(start(KING_HANGS), "roll 1 1 1 1 1 6", "e2e8")
    assert "strike" not in [event.kind for event in events]
    (king,) = [event for event in events if event.points == 5]
    assert (king.seat, king.square) == (ANNE, parse_square("e8"))


def test_the_capturer_first_finishes_the_cargo_dice() -> None:
    state = play(start(KING_HANGS), "roll-legend 6", "e2e8")
    assert GAME.details(state)["round"] == 1
    assert offered(state) == {"roll-cargo"}
    state = play(state, "roll-cargo 6 5 1 1 1")
    assert {"throw-again", "done"} <= offered(state)
    state = play(state, "keep 1 2 -> 4 3 3", "done")
    assert GAME.details(state)["round"] == 2
    assert cargo(state, ANNE) == 6


def test_with_the_king_taken_the_round_ends_only_when_done_is_picked() -> None:
    state = play(start(KING_HANGS), "roll 1 1 1 1 1 6", "keep 6 -> 1 1 1 1 1", "keep 6 -> 1 1 1 1 1", "e2e8")
    assert offered(state) == {"done"}
    assert GAME.details(state)["round"] == 1
    assert GAME.details(play(state, "done"))["round"] == 2
