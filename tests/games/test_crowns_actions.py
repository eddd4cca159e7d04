"""What Crowns says next to its tapes: words, reasons, ties, hindrances, cards (docs/rules/crowns.md T1 - K2)."""

from collections.abc import Mapping
from typing import Any

import pytest

from captains_table.games.contract import Bell, IllegalAction, Result, Thing, parse_square, proposed_option
from captains_table.games.crowns.state import State
from tests.support.crowns_play import (
    GAME,
    asked,
    auction,
    decision,
    gold,
    kept_out,
    let_act,
    may_bid,
    offered,
    pick_ask,
    play,
    result,
    set_up,
    start,
    told,
    where,
)


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


def test_t2_an_auction_says_what_the_highest_bid_is_for_who_alone_may_bid_and_another_thing_each_turn() -> None:
    state = start(2)
    held = auction(state)
    assert (held.prompt, held.then) == ("Bid for the turn", "To win, wear both crowns. The highest bid acts")
    state = play(state, "bid Anne 1; bell; pass")
    assert auction(state).prompt == "Only Bart may bid"
    assert auction(play(state, "bid Bart 10")).prompt == "Only Bart may bid"
    lines = []
    for _ in range(5):
        lines.append(auction(state).then)
        state = play(state, "bell")
    assert len(set(lines)) == 5
    assert all(len(line) <= 50 for line in lines), "a small window has room for one line"


def test_t2_an_auction_says_why_somebody_may_not_bid() -> None:
    state = set_up(play(start(4), "bid Bart 1; bell; pass"), gold={"Dick": 0})
    assert kept_out(state) == {"Bart": "acted last", "Dick": "no gold"}
    assert kept_out(play(start(2), "bid Anne 9")) == {}, "a whole purse that is bid keeps nobody out"


# --- T3: ties ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", ["; pledge; pledge", "; no-pledge; no-pledge"])
def test_t3_otherwise_all_who_are_tied_are_out_and_the_others_bid_anew(answers: str) -> None:
    state = tied(answers)
    assert gold(state) == {"Anne": 9, "Bart": 9, "Cleo": 9, "Dick": 9}, "refunded, and no income"
    assert set(may_bid(state)) == {"Cleo", "Dick"}
    assert (GAME.heading(state), GAME.details(state)["bids"]) == ("Turn 1", {})
    assert kept_out(state) == dict.fromkeys(("Anne", "Bart"), "tie not broken")


@pytest.mark.parametrize("answers", ["", "; pledge"])
def test_the_bell_is_refused_while_a_pledge_is_asked(answers: str) -> None:
    with pytest.raises(IllegalAction, match="nothing else that waits for a bell"):
        GAME.apply(tied(answers), Bell())


@pytest.mark.parametrize(("timeout", "words"), [("pass", "Anne passes"), ("master", "Anne's time is over")])
def test_the_bell_says_what_comes_of_it_in_the_action_phase(timeout: str, words: str) -> None:
    assert decision(play(start(2, timeout=timeout), "bid Anne 1; bell")).bell_then == words


def test_with_a_game_master_the_bell_ends_the_time_and_the_ask_stays() -> None:
    state = play(start(2, timeout="master"), "bid Anne 1; bell; bell")
    assert (asked(state), decision(state).takes_bell, decision(state).deadline_ms) == ("Anne", False, None)
    with pytest.raises(IllegalAction):
        play(state, "bell")
    assert set(may_bid(play(state, "pass"))) == {"Bart"}
    bound = tied("; pledge; no-pledge", timeout="master")
    assert decision(play(bound, "bell")).ask == decision(bound).ask, "a pledge binds on"


# --- actions ----------------------------------------------------------------------------------------------------------


def anne_acts(here: str = "c3", *, at: Mapping[str, str] | None = None, anne: int = 0, **others: Any) -> State:  # noqa: ANN401
    """Return a match of four in which Anne acts from a square, all are poor, and no pawn stands that is not named."""
    purses = {"Anne": anne, "Bart": 0, "Cleo": 0, "Dick": 0}
    return let_act(set_up(start(4), at={"Anne": here, **(at or {})}, gold=purses, **({"pawns": {}} | others)), "Anne")


# --- what displays propose --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "answer"),
    [
        (anne_acts(), None),
        (anne_acts(anne=50), None),
        (anne_acts("prison", anne=50), "bail"),
        (anne_acts("prison"), "pass"),
    ],
    ids=["who may move", "who may level up", "a prisoner who can pay", "a prisoner who cannot"],
)
def test_displays_propose_to_leave_prison_and_to_pass_only_where_nothing_else_can_be_done(
    state: State, answer: str | None
) -> None:
    assert proposed_option(pick_ask(state)) == answer


# --- what may not be lifted -------------------------------------------------------------------------------------------


def hindered(state: State, square: str) -> str | None:
    """Return what keeps something on a square where it stands."""
    found = GAME.hindrance(state, parse_square(square))
    return None if found is None else found.words


BIDDING = set_up(start(2), at={"Bart": "d4"})
ACTING = anne_acts(at={"Bart": "g7"}, pawns={"b5": "p", "b4": "P", "g4": "p"})
PLEDGING = play(set_up(start(4), at={"Cleo": "c1"}), "bid Anne 4; bid Bart 4; bell")
ARRIVING = play(anne_acts(at={"Bart": "g1"}, pawns={"a7": "P"}), "a7-off")


@pytest.mark.parametrize(
    ("state", "square", "words"),
    [
        (BIDDING, "d4", "That token is Bart's, and bids are made first"),
        (BIDDING, "a2", "That pawn is White's, and bids are made first"),
        (BIDDING, "d5", None),
        (ACTING, "g7", "That token is Bart's, and Anne acts"),
        (ACTING, "g4", "That pawn is Black's, and Anne is of White"),
        (ACTING, "b4", "That pawn is blocked"),
        (ACTING, "c3", "Your token has no move from there"),
        (anne_acts("prison", pawns={"b4": "P"}), "b4", "Prisoners move no pawns"),
        (PLEDGING, "c1", "That token is Cleo's, and Anne is asked for a pledge first"),
        (ARRIVING, "g1", "That token is Bart's, and Anne is asked first"),
    ],
)
def test_what_is_lifted_out_of_turn_says_whose_it_is_and_what_comes_first(
    state: State, square: str, words: str | None
) -> None:
    assert hindered(state, square) == words


# --- T5: levelling up -------------------------------------------------------------------------------------------------


def test_t5_who_has_levelled_up_is_shown_on_their_square_and_nowhere_off_the_board() -> None:
    state = anne_acts(at={"Bart": "g7", "Cleo": "prison"}, levelled=["Bart", "Cleo"], anne=50)
    for then, squares in ((state, {"g7"}), (play(state, "level-up"), {"c3", "g7"})):
        assert {str(at) for at, things in GAME.things(then).items() if Thing.LEVELLED_UP in things} == squares


def test_t5_whoever_may_level_up_is_told_what_it_brings() -> None:
    told_so = {option.id: bool(option.then) for option in pick_ask(anne_acts(anne=50)).options}
    assert told_so["level-up"]
    assert {told for id_, told in told_so.items() if id_.endswith("+")} == {True}
    assert not any(told for id_, told in told_so.items() if id_ not in ("level-up", "pass") and not id_.endswith("+"))


def test_each_players_grids_are_told_as_they_were_designed() -> None:
    state = start(2, piece1="Ferris: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1")
    assert [set(grid.split()) for grid in GAME.movements(state)[0]] == [
        set(grid.split()) for grid in ("b4 d4 b2 d2", "b5 d5 a4 e4 a2 e2 b1 d1")
    ]


# --- T6: pawns --------------------------------------------------------------------------------------------------------


def test_t6_without_cards_left_it_is_gold_at_once() -> None:
    state = set_up(start(2), pawns={f"{file}7": "P" for file in "abcdefg"})
    for number in range(14):
        state = play(let_act(set_up(state, pawns={"a7": "P"}), "Anne"), "a7-off; card")
        assert state.cards_left == 13 - number
    before = gold(state)["Anne"]
    assert gold(play(let_act(set_up(state, pawns={"a7": "P"}), "Anne"), "a7-off"))["Anne"] == before + 11


# --- T7: captures -----------------------------------------------------------------------------------------------------


def test_t7_a_captured_player_is_asked_for_the_card_and_used_cards_do_not_come_back() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, cards={"Bart": 1}), "c3b4")
    assert (asked(state), offered(state), where(state)["Bart"]) == ("Bart", {"use-card", "prison"}, "prison")
    assert play(state, "use-card").cards_left == state.cards_left
    with pytest.raises(IllegalAction, match="nothing else that waits for a bell"):
        play(state, "bell")


# --- K2: winning ------------------------------------------------------------------------------------------------------


def test_k2_the_player_who_wears_both_crowns_wins_alone() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart"), cards={"Bart": 1}), "c3b4")
    assert result(state) == Result(0, (3 + 1, 0, 0, 0))
    assert (where(state)["Bart"], GAME.tallies(state)[1]["cards"]) == ("prison", 1), "nothing more is asked"
    assert told(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart")), "c3b4")[-1].words == "Anne wears both crowns"
