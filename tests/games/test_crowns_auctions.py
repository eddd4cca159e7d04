"""The auctions of Crowns, rule by rule (docs/rules/crowns.md T1 - T3)."""

import pytest

from captains_table.games.contract import Auction, Bell, Decide, IllegalAction, Pick
from captains_table.games.crowns.state import State
from tests.support.crowns_play import (
    FREE,
    GAME,
    KING,
    LANCE,
    asked,
    gold,
    kept_out,
    let_act,
    may_bid,
    offered,
    play,
    result,
    say,
    set_up,
    start,
    told,
)


def tied(words: str = "", **options: str) -> State:
    """Return a match of four in which Anne and Bart bid 4 each and the bell has rung."""
    return play(start(4, **options), f"bid Anne 4; bid Bart 4; bell{words}")


# --- T1: gold ---------------------------------------------------------------------------------------------------------


def test_t1_everybody_gets_one_gold_at_the_start_of_every_later_turn() -> None:
    state = set_up(start(3), at={"Bart": "prison", "Cleo": "d4"})
    assert gold(state) == {"Anne": 9, "Bart": 9, "Cleo": 9}
    state = play(state, "bell")
    assert gold(state) == {"Anne": 10, "Bart": 10, "Cleo": 10}
    assert GAME.heading(state) == "Turn 2"


def test_t1_income_is_one_event_of_everybody_with_its_rule() -> None:
    income = [event for event in told(start(3), "bell") if event.kind == "income"]
    assert [(event.seat, event.points, event.rule, event.words) for event in income] == [
        (None, 1, "T1", "Everybody gets 1 gold")
    ]


# --- T2: bidding ------------------------------------------------------------------------------------------------------


def test_t2_everybody_may_bid_from_one_to_the_whole_purse_and_raise() -> None:
    state = start(2)
    assert may_bid(state) == {"Anne": (1, 9), "Bart": (1, 9)}
    state = play(state, "bid Anne 3; bid Bart 9")
    assert may_bid(state) == {"Anne": (4, 9)}


@pytest.mark.parametrize("word", ["bid Anne 0", "bid Anne 2", "bid Anne 3", "bid Anne 10", "pass", "pledge"])
def test_t2_a_bid_that_is_none_changes_nothing(word: str) -> None:
    state = play(start(2), "bid Anne 3")
    with pytest.raises(IllegalAction):
        say(state, word)


def test_t2_a_bid_is_only_paid_when_the_bell_has_rung_and_only_by_the_winner() -> None:
    state = play(start(3), "bid Anne 3; bid Bart 5; bid Cleo 4")
    assert gold(state) == {"Anne": 9, "Bart": 9, "Cleo": 9}
    state = play(state, "bell")
    assert gold(state) == {"Anne": 9, "Bart": 4, "Cleo": 9}
    assert asked(state) == "Bart"


def test_t2_who_acted_last_may_not_bid() -> None:
    state = play(start(3), "bid Bart 1; bell; pass")
    assert set(may_bid(state)) == {"Anne", "Cleo"}
    assert GAME.details(state)["barred"] == "Bart"
    with pytest.raises(IllegalAction, match="may not bid"):
        say(state, "bid Bart 2")


def test_t2_without_a_bid_nobody_acts_and_the_same_player_stays_barred() -> None:
    state = play(start(3), "bid Bart 1; bell; pass; bell")
    assert GAME.heading(state) == "Turn 3"
    assert set(may_bid(state)) == {"Anne", "Cleo"}


def test_t2_whoever_has_no_gold_cannot_bid_and_the_bell_still_rings() -> None:
    state = set_up(start(2), gold={"Anne": 0, "Bart": 0})
    assert may_bid(state) == {}
    assert may_bid(play(state, "bell")) == {"Anne": (1, 1), "Bart": (1, 1)}


def test_t2_the_timer_is_the_auctions_and_then_the_actions() -> None:
    state = start(2, timer="20")
    turn = GAME.turn(state)
    assert isinstance(turn, Auction)
    assert turn.deadline_ms == 20_000
    acting = GAME.turn(play(state, "bid Anne 1; bell"))
    assert isinstance(acting, Decide)
    assert (acting.takes_bell, acting.deadline_ms) == (True, 20_000)


def test_t2_without_a_timer_nothing_rings_by_itself_and_the_bell_is_still_taken() -> None:
    turn = GAME.turn(start(2, timer="0"))
    assert isinstance(turn, Auction)
    assert turn.deadline_ms is None
    acting = GAME.turn(play(start(2, timer="0"), "bid Anne 1; bell"))
    assert isinstance(acting, Decide)
    assert (acting.takes_bell, acting.deadline_ms) == (True, None)


def test_t2_an_auction_says_what_the_highest_bid_is_for() -> None:
    turn = GAME.turn(start(2))
    assert (turn.prompt, turn.then) == ("Bid for the turn", "Whoever bids most pays and acts when the bell rings")  # type: ignore[union-attr]


def test_t2_an_auction_says_by_which_rule_somebody_may_not_bid() -> None:
    state = set_up(play(start(4), "bid Bart 1; bell; pass"), gold={"Dick": 0})
    assert kept_out(state) == {"Bart": "acted last (T2)", "Dick": "no gold (T2)"}


def test_t2_whoever_bids_his_whole_purse_is_not_kept_out_though_he_cannot_raise() -> None:
    assert kept_out(play(start(2), "bid Anne 9")) == {}


# --- T3: ties ---------------------------------------------------------------------------------------------------------


def test_t3_tied_bidders_may_raise_until_the_bell() -> None:
    state = play(start(2), "bid Anne 4; bid Bart 4; bid Anne 5; bell")
    assert asked(state) == "Anne"


def test_t3_of_those_tied_the_lower_value_wins() -> None:
    assert asked(tied(piece1=KING)) == "Bart"
    assert asked(tied(piece2=KING)) == "Anne"


def test_t3_then_the_lower_total_of_the_party_wherever_its_members_are() -> None:
    assert asked(tied(piece3=KING)) == "Bart"
    assert asked(tied(piece4=KING)) == "Anne"


def test_t3_then_whoever_is_tied_is_asked_for_a_pledge_in_seat_order() -> None:
    state = tied()
    assert (asked(state), offered(state)) == ("Anne", {"pledge", "no-pledge"})
    state = play(state, "pledge")
    assert asked(state) == "Bart"
    assert gold(state)["Anne"] == 9, "nothing is paid while the tie lasts"


def test_t3_exactly_one_pledge_wins_and_pays() -> None:
    state = tied("; no-pledge; pledge")
    assert asked(state) == "Bart"
    assert gold(state) == {"Anne": 9, "Bart": 5, "Cleo": 9, "Dick": 9}


@pytest.mark.parametrize("answers", ["; pledge; pledge", "; no-pledge; no-pledge"])
def test_t3_otherwise_all_who_are_tied_are_out_and_the_others_bid_anew(answers: str) -> None:
    state = tied(answers)
    assert gold(state) == {"Anne": 9, "Bart": 9, "Cleo": 9, "Dick": 9}, "refunded, and no income"
    assert set(may_bid(state)) == {"Cleo", "Dick"}
    assert (GAME.heading(state), GAME.details(state)["bids"]) == ("Turn 1", {})


def test_t3_two_of_a_party_have_the_same_total_and_are_asked_too() -> None:
    state = play(start(4), "bid Anne 4; bid Cleo 4; bell")
    assert asked(state) == "Anne"
    assert asked(play(state, "pledge")) == "Cleo"


def test_t3_whoever_a_tie_put_out_is_said_to_be_out_for_that() -> None:
    assert kept_out(tied("; no-pledge; no-pledge")) == dict.fromkeys(("Anne", "Bart"), "tie not broken (T3)")


def test_t3_whoever_a_pledge_put_out_stays_out_through_further_renewals() -> None:
    state = play(start(6), "bid Anne 4; bid Bart 4; bell; pledge; pledge; bid Cleo 2; bid Dick 2; bell; pledge; pledge")
    assert set(may_bid(state)) == {"Edda", "Finn"}


def test_t3_whoever_lost_by_value_may_bid_in_the_renewed_auction() -> None:
    state = play(start(4, piece3=KING, piece4=KING), "bid Anne 4; bid Bart 4; bid Cleo 4; bell; pledge; pledge")
    assert set(may_bid(state)) == {"Cleo", "Dick"}


def test_t3_where_nobody_is_left_nobody_acts_and_the_last_actor_stays_barred() -> None:
    state = play(start(5, piece5=FREE), "bid Edda 1; bell; pass; bid Anne 2; bid Bart 2; bell")
    state = play(state, "pledge; pledge; bid Cleo 2; bid Dick 2; bell; no-pledge; no-pledge")
    assert (GAME.heading(state), set(may_bid(state))) == ("Turn 3", {"Anne", "Bart", "Cleo", "Dick"})


def test_t3_nobody_left_of_two_begins_the_next_turn_with_income() -> None:
    state = play(start(2), "bid Anne 4; bid Bart 4; bell; pledge; pledge")
    assert GAME.heading(state) == "Turn 2"
    assert gold(state) == {"Anne": 10, "Bart": 10}
    assert set(may_bid(state)) == {"Anne", "Bart"}


def test_t3_a_pledge_binds_the_action_to_no_capture_of_player_or_pawn() -> None:
    state = set_up(start(4), at={"Anne": "c3", "Bart": "d4"}, pawns={"b4": "p", "e5": "P", "f6": "p"})
    state = set_up(state, gold={"Anne": 0})
    free, bound = let_act(state, "Anne"), let_act(state, "Anne", bound=True)
    assert offered(free) - offered(bound) == {"c3d4", "c3b4"}


def test_t3_rings_and_crowns_are_no_captures() -> None:
    state = set_up(start(4), at={"Anne": "c3"}, crowns=("d4", "d7"))
    assert "c3d4" in offered(let_act(state, "Anne", bound=True))


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


def test_the_bell_in_the_action_phase_passes() -> None:
    state = play(start(2), "bid Anne 1; bell; bell")
    assert (GAME.heading(state), set(may_bid(state))) == ("Turn 2", {"Bart"})


def test_with_a_game_master_the_bell_ends_the_time_and_the_ask_stays() -> None:
    state = play(start(2, timeout="master"), "bid Anne 1; bell; bell")
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert (asked(state), turn.takes_bell, turn.deadline_ms) == ("Anne", False, None)
    with pytest.raises(IllegalAction):
        say(state, "bell")
    assert set(may_bid(play(state, "pass"))) == {"Bart"}


# --- the end by turns -------------------------------------------------------------------------------------------------


def test_after_the_last_turn_nobody_wins_and_scores_are_gold() -> None:
    state = play(start(2, turn_limit="2", piece2=LANCE), "bell; bell")
    end = result(state)
    assert end is not None
    assert (end.winner, end.scores) == (None, (10, 12))
    with pytest.raises(IllegalAction, match="the match is over"):
        GAME.apply(state, Pick("pass"))
