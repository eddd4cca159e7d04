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
    assert (round_of(state), GAME.details(state)["fen"]) == (2, START_FEN)


def test_alone_one_plays_both_sides_the_second_as_aether() -> None:
    state = start(names=["Anne"])
    assert list(GAME.names(state)) == ["Anne", "Aether"]
    state = moves(state, "e2e4")
    assert (seat(state), seat(moves(state, "e7e5"))) == (BART, ANNE)


@pytest.mark.parametrize(
    "option", ["rounds=0", "rounds=x", "turn_limit=-1", "score=both", "fen=nonsense", "colour=red"]
)
def test_an_unusable_option_and_other_than_one_or_two_different_players_are_refused(option: str) -> None:
    with pytest.raises(BadOption):
        start(**dict([option.split("=")]))
    for names in ([], ["Anne", "Bart", "Cora"], ["Anne", "Anne"]):
        with pytest.raises(BadOption):
            start(names=names)


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
    assert (tallies(state, BART), lying(state)) == ((2, 5), (None,) * 6)


def test_a_limit_of_turns_ends_the_round_counting_both_players() -> None:
    state = moves(start(turn_limit="3"), "e2e4", "e7e5", cargo=RICH)
    assert round_of(state) == 1
    state = moves(state, "d2d4", cargo=RICH)
    assert round_of(state) == 2
    assert seat(state) == BART
    assert (tallies(state, ANNE), tallies(state, BART)) == ((24, 12), (12, 6))


def test_the_limit_counts_forfeited_turns_and_begins_anew_each_round() -> None:
    state = play(start("4k3/8/8/8/8/8/8/4K3 w - - 0 1", turn_limit="2"), "roll 1 1 1 1 1 1", "done")
    assert round_of(state) == 1
    state = moves(play(state, "roll 1 1 1 1 1 1", "done"), "e2e4")
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


def test_a_tie_goes_to_the_player_who_won_more_rounds() -> None:
    """Anne takes the king with less legend than Bart has; the grand scores are equal."""
    state = moves(start("r3k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", rounds="1"), "a8b8", cargo=RICH)
    throws = ("roll 6 5 4 2 1 1", "keep 1 2 3 4 5 -> 1", "keep 1 2 3 4 5 -> 6")
    state = play(state, *throws, "e2e8", "done")
    assert (tallies(state, ANNE), tallies(state, BART)) == ((8, 5), (7, 6))
    assert result(state) == Result(ANNE, (13, 13))


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        (("6 5 4 3 3", 2), ("6 5 4 1 1", 6), Result(BART, (8, 8))),
        (("6 5 4 3 3", 2), ("6 5 4 3 3", 2), Result(None, (8, 8))),
    ],
    ids=["the higher legend wins", "a full tie is shared"],
)
def test_a_tie_with_equal_rounds_goes_to_the_higher_legend(
    white: tuple[str, int], black: tuple[str, int], expected: Result
) -> None:
    state = moves(start(rounds="1"), "e2e4", cargo=white[0], die=white[1])
    assert result(abandon(moves(state, "e7e5", cargo=black[0], die=black[1]))) == expected


# --- L20 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "first", "rich", "taking", "anne", "bart"),
    [
        ("r3k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", "a8b8", "6 5 4 1 1", "e2e8", 2, 0),
        ("4k3/8/8/r6R/8/8/4Q3/4K3 b - - 0 1", "a5h5", RICH, "e2e8", 5, 7),
        ("4k3/4q3/8/8/8/8/7P/4K3 w - - 0 1", "h2h3", RICH, "e7e1", 7, 5),
        ("1k5r/P7/8/8/8/8/8/4K3 b - - 0 1", "h8g8", RICH, "a7b8q", 5, 7),
    ],
    ids=["no more than the loser has", "the loser's captures earn nothing", "Black wins a round too", "by promotion"],
)
def test_the_player_who_takes_the_king_is_paid_what_the_captures_are_worth(
    fen: str, first: str, rich: str, taking: str, anne: int, bart: int
) -> None:
    state = moves(moves(start(fen), first, cargo=rich), taking)
    assert (round_of(state), cargo(state, ANNE), cargo(state, BART)) == (2, anne, bart)
    assert legend(state, BART if taking == "e7e1" else ANNE) == 6 + 5


def test_captures_of_one_round_do_not_count_in_the_next() -> None:
    state = abandon(moves(start("4k3/8/8/q6Q/8/8/8/4K3 b - - 0 1"), "a5h5"))
    for white, black in (("e2e4", "e7e5"), ("d1h5", "a7a6"), ("h5f7", "a6a5")):
        state = moves(moves(state, white), black, cargo=RICH)
    state = moves(state, "f7e8")
    assert (cargo(state, BART), cargo(state, ANNE)) == (1 + 5, 36 - 6)
