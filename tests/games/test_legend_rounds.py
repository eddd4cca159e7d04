"""docs/rules/legend.md L1 - L4, L20: rounds, their ends, the settlement, the match."""

import pytest

from captains_table.games.contract import BadOption, Over, Result
from captains_table.games.legend.state import State
from tests.support.legend_harness import (
    ANNE,
    BART,
    GAME,
    cargo,
    legend,
    lying,
    moves,
    offered,
    on_board,
    piece,
    pieces,
    play,
    result,
    seat,
    start,
    tallies,
)

RICH = "6 5 4 6 6"  # a cargo of 12
KING_HANGS = "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def round_of(state: State) -> object:
    return GAME.details(state)["round"]


def abandon(state: State) -> State:
    return play(state, "abandon", "agree")


def is_over(state: State) -> bool:
    return isinstance(GAME.turn(state), Over)


# --- L1 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "rounds"), [({}, 3), ({"rounds": "1"}, 1), ({"rounds": "5"}, 5)])
def test_a_match_is_three_rounds_or_as_many_as_agreed(options: dict[str, str], rounds: int) -> None:
    state = start(**options)
    for _ in range(rounds):
        assert not is_over(state)
        state = abandon(state)
    assert is_over(state)


def test_the_first_named_has_white_and_the_players_swap_colours_each_round() -> None:
    assert (seat(start()), list(GAME.names(start()))) == (ANNE, ["Anne", "Bart"])
    state = abandon(start())
    assert seat(state) == BART
    assert "e2e4" in on_board(play(state, "roll 1 1 1 1 1 6"))
    state = moves(state, "e2e4")
    assert seat(state) == ANNE
    assert "e7e5" in on_board(play(state, "roll 1 1 1 1 1 6"))
    assert seat(abandon(state)) == ANNE


def test_every_round_begins_from_the_normal_position() -> None:
    assert GAME.details(start())["fen"] == START_FEN
    state = moves(start(KING_HANGS), "e2e8")
    assert (round_of(state), pieces(state)) == (2, pieces(start()))
    assert GAME.details(state)["fen"] == START_FEN


def test_alone_one_plays_both_sides_the_second_as_aether() -> None:
    state = start(names=["Anne"])
    assert list(GAME.names(state)) == ["Anne", "Aether"]
    state = moves(state, "e2e4")
    assert seat(state) == BART
    assert seat(moves(state, "e7e5")) == ANNE


@pytest.mark.parametrize("names", [[], ["Anne", "Bart", "Cora"], ["Anne", "Anne"]])
def test_one_or_two_different_players_are_named(names: list[str]) -> None:
    with pytest.raises(BadOption):
        start(names=names)


@pytest.mark.parametrize(
    ("key", "value"),
    [("rounds", "0"), ("rounds", "x"), ("turn_limit", "-1"), ("score", "both"), ("fen", "nonsense"), ("colour", "red")],
)
def test_an_unusable_option_is_refused(key: str, value: str) -> None:
    with pytest.raises(BadOption):
        GAME.start(["Anne", "Bart"], {key: value})


# --- L2 -------------------------------------------------------------------------------------------------------------


def test_both_tallies_carry_over_from_round_to_round() -> None:
    state = moves(start(), "e2e4", cargo=RICH, die=3)
    state = moves(state, "e7e5", cargo="6 5 4 1 1", die=2)
    state = abandon(state)
    assert (tallies(state, ANNE), tallies(state, BART)) == ((12, 3), (2, 2))
    state = moves(state, "e2e4", cargo=RICH, die=1)
    assert (tallies(state, ANNE), tallies(state, BART)) == ((12, 3), (14, 3))


# --- L3 -------------------------------------------------------------------------------------------------------------


def test_the_opponent_answers_whether_a_round_is_abandoned() -> None:
    state = play(start(), "abandon")
    assert seat(state) == BART
    assert offered(state) == {"agree", "refuse"}
    refused = play(state, "refuse")
    assert (round_of(refused), seat(refused)) == (1, ANNE)


def test_an_abandoned_round_settles_nothing_and_keeps_what_was_credited() -> None:
    state = moves(start("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), "e4d5", cargo=RICH)
    state = play(moves(state, "e8e7", cargo="6 5 4 1 1", die=5), f"roll {RICH} 4", "d5d6")
    state = abandon(state)
    assert round_of(state) == 2
    assert tallies(state, ANNE) == (12, 6 + 4 + 1)  # the strike too, but not the cargo of a turn that never ended
    assert tallies(state, BART) == (2, 5)


def test_a_round_can_be_abandoned_in_the_middle_of_a_turn() -> None:
    state = abandon(play(start(), "roll 1 1 1 1 1 6"))
    assert (round_of(state), lying(state)) == (2, (None,) * 6)


def test_a_limit_of_turns_ends_the_round_counting_both_players() -> None:
    state = moves(start(turn_limit="3"), "e2e4", "e7e5", cargo=RICH)
    assert round_of(state) == 1
    state = moves(state, "d2d4", cargo=RICH)
    assert round_of(state) == 2
    assert seat(state) == BART
    assert (tallies(state, ANNE), tallies(state, BART)) == ((24, 12), (12, 6))


def test_the_limit_counts_forfeited_turns_and_begins_anew_each_round() -> None:
    state = start("4k3/8/8/8/8/8/8/4K3 w - - 0 1", turn_limit="2")
    for _ in range(2):
        assert round_of(state) == 1
        state = play(state, "roll 1 1 1 1 1 1", "done")
    assert round_of(state) == 2
    state = moves(state, "e2e4")
    assert round_of(state) == 2
    assert round_of(moves(state, "e7e5")) == 3


def test_the_last_turn_of_the_limit_waits_for_done_so_that_its_move_may_be_amended() -> None:
    state = play(start(turn_limit="1"), "roll 1 1 1 1 1 6", "keep 6 -> 1 1 1 1 1", "keep 6 -> 1 1 1 1 1", "e2e4")
    assert round_of(state) == 1
    assert round_of(play(state, "done")) == 2


def test_a_king_captured_in_the_last_turn_of_the_limit_still_settles() -> None:
    state = moves(start("r3k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", turn_limit="2"), "a8b8", cargo=RICH)
    state = moves(state, "e2e8")
    assert (cargo(state, ANNE), cargo(state, BART)) == (5, 7)


# --- L4 -------------------------------------------------------------------------------------------------------------


def test_the_grand_score_is_cargo_and_legend_and_the_higher_wins() -> None:
    state = moves(start(rounds="1"), "e2e4", cargo=RICH, die=1)
    assert result(abandon(state)) == Result(ANNE, (13, 0))
    state = moves(moves(start(rounds="1"), "e2e4", die=6), "e7e5", cargo="6 5 4 1 1", die=5)
    assert result(abandon(state)) == Result(BART, (6, 7))


def test_the_loser_of_the_only_round_may_win_the_match() -> None:
    state = start("r3k3/8/8/8/8/8/4Q3/7K b - - 0 1", rounds="1")
    for black, white in (("a8b8", "h1g1"), ("b8a8", "g1h1"), ("a8b8", "e2e8")):
        state = moves(moves(state, black, cargo=RICH), white, die=6)
    assert result(state) == Result(BART, (3 * 6 + 5 + 5, 36 - 5 + 3 * 6))


def test_a_tie_goes_to_whoever_won_more_rounds() -> None:
    """Anne takes the king with less legend than Bart has; the grand scores are equal."""
    state = moves(start("r3k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", rounds="1"), "a8b8", cargo=RICH)
    throws = ("roll 6 5 4 2 1 1", "keep 1 2 3 4 5 -> 1", "keep 1 2 3 4 5 -> 6")
    state = play(state, *throws, "e2e8", "done")
    assert (tallies(state, ANNE), tallies(state, BART)) == ((8, 5), (7, 6))
    assert result(state) == Result(ANNE, (13, 13))


def test_a_tie_with_equal_rounds_goes_to_the_higher_legend() -> None:
    state = moves(start(rounds="1"), "e2e4", cargo="6 5 4 3 3", die=2)
    state = abandon(moves(state, "e7e5", cargo="6 5 4 1 1", die=6))
    assert result(state) == Result(BART, (8, 8))


def test_a_full_tie_is_shared() -> None:
    state = moves(start(rounds="1"), "e2e4", "e7e5", cargo="6 5 4 3 3", die=2)
    assert result(abandon(state)) == Result(None, (8, 8))


# --- L20 ------------------------------------------------------------------------------------------------------------


def test_the_loser_pays_no_more_than_he_has() -> None:
    state = moves(start("r3k3/8/8/8/8/8/4Q3/4K3 b - - 0 1"), "a8b8", cargo="6 5 4 1 1")
    state = moves(state, "e2e8")
    assert (cargo(state, ANNE), cargo(state, BART)) == (2, 0)


def test_what_the_loser_captured_earns_him_nothing() -> None:
    state = start("4k3/8/8/r6R/8/8/4Q3/4K3 b - - 0 1")
    state = moves(moves(state, "a5h5", cargo=RICH), "e2e8")
    assert (cargo(state, ANNE), cargo(state, BART)) == (5, 7)


def test_black_wins_a_round_too() -> None:
    state = moves(start("4k3/4q3/8/8/8/8/7P/4K3 w - - 0 1"), "h2h3", cargo=RICH)
    state = moves(state, "e7e1")
    assert (round_of(state), cargo(state, BART), cargo(state, ANNE)) == (2, 5, 7)
    assert legend(state, BART) == 11


def test_captures_of_one_round_do_not_count_in_the_next() -> None:
    state = abandon(moves(start("4k3/8/8/q6Q/8/8/8/4K3 b - - 0 1"), "a5h5"))
    for white, black in (("e2e4", "e7e5"), ("d1h5", "a7a6"), ("h5f7", "a6a5")):
        state = moves(moves(state, white), black, cargo=RICH)
    state = moves(state, "f7e8")
    assert (cargo(state, BART), cargo(state, ANNE)) == (1 + 5, 36 - 6)


def test_the_king_may_be_taken_by_a_promoting_pawn_which_settles_a_king() -> None:
    state = moves(start("1k5r/P7/8/8/8/8/8/4K3 b - - 0 1"), "h8g8", cargo=RICH)
    state = moves(state, "a7b8q")
    assert (cargo(state, ANNE), legend(state, ANNE)) == (5, 6 + 5)
    assert piece(state, "b8") == "n"
