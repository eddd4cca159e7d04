"""What Crowns says of auctions next to its tapes: words, reasons, ties, the bell (docs/rules/crowns.md T1 - T3)."""

import pytest

from captains_table.games.contract import Bell, Decide, IllegalAction
from captains_table.games.crowns.state import State
from tests.support.crowns_play import GAME, KING, asked, gold, kept_out, may_bid, play, say, set_up, start, told


def tied(words: str = "", **options: str) -> State:
    """Return a match of four in which Anne and Bart bid 4 each and the bell has rung."""
    return play(start(4, **options), f"bid Anne 4; bid Bart 4; bell{words}")


# --- T1: gold ---------------------------------------------------------------------------------------------------------


def test_t1_income_is_one_event_of_everybody_with_its_rule() -> None:
    income = [event for event in told(start(3), "bell") if event.kind == "income"]
    assert [(event.seat, event.points, event.rule, event.words) for event in income] == [
        (None, 1, "T1", "Everybody gets 1 gold")
    ]


# --- T2: bidding ------------------------------------------------------------------------------------------------------


def test_t2_an_auction_says_what_the_highest_bid_is_for() -> None:
    turn = GAME.turn(start(2))
    assert (turn.prompt, turn.then) == ("Bid for the turn", "Whoever bids most pays and acts when the bell rings")  # type: ignore[union-attr]


def test_t2_an_auction_says_by_which_rule_somebody_may_not_bid() -> None:
    state = set_up(play(start(4), "bid Bart 1; bell; pass"), gold={"Dick": 0})
    assert kept_out(state) == {"Bart": "acted last (T2)", "Dick": "no gold (T2)"}


def test_t2_whoever_bids_his_whole_purse_is_not_kept_out_though_he_cannot_raise() -> None:
    assert kept_out(play(start(2), "bid Anne 9")) == {}


# --- T3: ties ---------------------------------------------------------------------------------------------------------


def test_t3_then_the_lower_total_of_the_party_wherever_its_members_are() -> None:
    assert asked(tied(piece3=KING)) == "Bart"
    assert asked(tied(piece4=KING)) == "Anne"


@pytest.mark.parametrize("answers", ["; pledge; pledge", "; no-pledge; no-pledge"])
def test_t3_otherwise_all_who_are_tied_are_out_and_the_others_bid_anew(answers: str) -> None:
    state = tied(answers)
    assert gold(state) == {"Anne": 9, "Bart": 9, "Cleo": 9, "Dick": 9}, "refunded, and no income"
    assert set(may_bid(state)) == {"Cleo", "Dick"}
    assert (GAME.heading(state), GAME.details(state)["bids"]) == ("Turn 1", {})


def test_t3_whoever_a_tie_put_out_is_said_to_be_out_for_that() -> None:
    assert kept_out(tied("; no-pledge; no-pledge")) == dict.fromkeys(("Anne", "Bart"), "tie not broken (T3)")


@pytest.mark.parametrize("answers", ["", "; pledge"])
def test_the_bell_is_refused_while_a_pledge_is_asked(answers: str) -> None:
    with pytest.raises(IllegalAction, match="nothing else that waits for a bell"):
        GAME.apply(tied(answers), Bell())


# --- the bell in the action phase -------------------------------------------------------------------------------------


def test_whoever_would_ring_it_then_is_told_what_comes_of_it() -> None:
    for timeout, words in (("pass", "Anne passes"), ("master", "the time is over, Anne may still act")):
        turn = GAME.turn(play(start(2, timeout=timeout), "bid Anne 1; bell"))
        assert isinstance(turn, Decide)
        assert turn.bell_then == words


def test_with_a_game_master_the_bell_ends_the_time_and_the_ask_stays() -> None:
    state = play(start(2, timeout="master"), "bid Anne 1; bell; bell")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert (asked(state), turn.takes_bell, turn.deadline_ms) == ("Anne", False, None)
    with pytest.raises(IllegalAction):
        say(state, "bell")
    assert set(may_bid(play(state, "pass"))) == {"Bart"}
