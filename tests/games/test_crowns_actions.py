"""What Crowns says of actions next to its tapes: proposals, hindrances, cards (docs/rules/crowns.md T4 - K2)."""

from collections.abc import Mapping, Sequence

import pytest

from captains_table.games.contract import Decide, IllegalAction, PickAsk, Result, Thing, parse_square, proposed_option
from captains_table.games.crowns.state import State
from tests.support.crowns_play import (
    GAME,
    asked,
    crowns,
    gold,
    let_act,
    offered,
    play,
    result,
    set_up,
    start,
    told,
    where,
)

POOR = {"Anne": 0, "Bart": 0, "Cleo": 0, "Dick": 0}
NO_PAWNS: dict[str, str] = {}


def anne_acts(
    here: str = "c3",
    *,
    at: Mapping[str, str] | None = None,
    gold: Mapping[str, int] | None = None,
    pawns: Mapping[str, str] | None = None,
    crowns: Sequence[str] = (),
    levelled: Sequence[str] = (),
    cards: Mapping[str, int] | None = None,
) -> State:
    """Return a match of four in which Anne acts from a square, poor, where nothing stands that is not named."""
    state = set_up(
        start(4),
        at={"Anne": here, **(at or {})},
        gold={**POOR, **(gold or {})},
        pawns=pawns or NO_PAWNS,
        crowns=crowns,
        levelled=levelled,
        cards=cards,
    )
    return let_act(state, "Anne")


# --- what displays propose --------------------------------------------------------------------------------------------


def proposed(state: State) -> str | None:
    """Return the answer that displays propose to the player who acts."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return proposed_option(turn.ask)


def test_nobody_is_proposed_to_pass_who_may_move_or_level_up() -> None:
    assert proposed(anne_acts()) is None
    assert proposed(anne_acts(gold={"Anne": 50})) is None


def test_whoever_can_pay_is_proposed_to_leave_prison_and_only_who_cannot_to_pass() -> None:
    assert proposed(anne_acts("prison", gold={"Anne": 50})) == "bail"
    assert proposed(anne_acts("prison")) == "pass"


# --- what may not be lifted -------------------------------------------------------------------------------------------


def hindered(state: State, square: str) -> str | None:
    """Return what keeps something on a square where it stands."""
    found = GAME.hindrance(state, parse_square(square))
    return None if found is None else found.words


def test_while_bids_are_made_whatever_is_lifted_says_whose_it_is_and_what_comes_first() -> None:
    state = set_up(start(2), at={"Bart": "d4"})
    assert hindered(state, "d4") == "That token is Bart's, and bids are made first"
    assert hindered(state, "a2") == "That pawn is White's, and bids are made first"
    assert hindered(state, "d5") is None


def test_whoever_lifts_anothers_token_is_told_whose_it_is_and_who_acts() -> None:
    state = anne_acts(at={"Bart": "g7"}, pawns={"b5": "p", "b4": "P", "g4": "p"})
    assert hindered(state, "g7") == "That token is Bart's, and Anne acts"
    assert hindered(state, "g4") == "That pawn is Black's, and Anne is of White"
    assert hindered(state, "b4") == "That pawn is blocked"
    assert hindered(state, "c3") == "Your token has no move from there"


def test_a_prisoner_who_lifts_a_pawn_is_told_that_prisoners_move_none() -> None:
    assert hindered(anne_acts("prison", pawns={"b4": "P"}), "b4") == "Prisoners move no pawns"


def test_while_others_are_asked_a_lifted_token_says_who_is() -> None:
    tied = play(set_up(start(4), at={"Cleo": "c1"}), "bid Anne 4; bid Bart 4; bell")
    assert hindered(tied, "c1") == "That token is Cleo's, and Anne is asked for a pledge first"
    arriving = play(anne_acts(at={"Bart": "g1"}, pawns={"a7": "P"}), "a7-off")
    assert hindered(arriving, "g1") == "That token is Bart's, and Anne is asked first"


# --- T5: levelling up -------------------------------------------------------------------------------------------------


def levelled(state: State) -> set[str]:
    """Return the squares on which displays show that somebody has levelled up."""
    return {str(square) for square, things in GAME.things(state).items() if Thing.LEVELLED_UP in things}


def test_t5_who_has_levelled_up_is_shown_where_he_stands_and_nowhere_off_the_board() -> None:
    state = anne_acts(at={"Bart": "g7", "Cleo": "prison"}, levelled=["Bart", "Cleo"], gold={"Anne": 50})
    assert levelled(state) == {"g7"}
    assert levelled(play(state, "level-up")) == {"c3", "g7"}


# --- T6: pawns --------------------------------------------------------------------------------------------------------


def test_t6_without_cards_left_it_is_gold_at_once() -> None:
    state = set_up(start(2), pawns={f"{file}7": "P" for file in "abcdefg"})
    for number in range(14):
        state = play(let_act(set_up(state, pawns={"a7": "P"}), "Anne"), "a7-off; card")
        assert state.cards_left == 13 - number
    before = gold(state)["Anne"]
    assert gold(play(let_act(set_up(state, pawns={"a7": "P"}), "Anne"), "a7-off"))["Anne"] == before + 11


def test_t6_a_wearer_taken_by_a_pawn_leaves_the_crown_beneath_it() -> None:
    state = set_up(start(4), at={"Bart": "d5", "Dick": "e6"}, pawns={"d4": "P"}, crowns=("d1", "Bart"))
    state = play(let_act(state, "Anne"), "d4d5")
    assert crowns(state) == ("d1", "d5")
    state = play(let_act(state, "Dick"), "e6d5")
    assert crowns(state) == ("d1", "Dick")


# --- T7: captures -----------------------------------------------------------------------------------------------------


def test_t7_whoever_is_captured_with_a_card_chooses() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, cards={"Bart": 1}), "c3b4")
    assert (asked(state), offered(state), where(state)["Bart"]) == ("Bart", {"use-card", "prison"}, "prison")
    free, jailed = play(state, "use-card"), play(state, "prison")
    assert (where(free)["Bart"], GAME.tallies(free)[1]["cards"]) == ("reserve", 0)
    assert (where(jailed)["Bart"], GAME.tallies(jailed)[1]["cards"]) == ("prison", 1)
    assert GAME.details(free)["barred"] == "Anne"
    with pytest.raises(IllegalAction, match="nothing else that waits for a bell"):
        play(state, "bell")


def test_t7_used_cards_do_not_come_back() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, cards={"Bart": 1}), "c3b4")
    assert play(state, "use-card").cards_left == state.cards_left


# --- K1: crowns -------------------------------------------------------------------------------------------------------


def test_k1_on_a_longer_move_the_crown_stays_behind() -> None:
    state = play(anne_acts(crowns=("d1", "Anne"), levelled=["Anne"]), "c3d5")
    assert (crowns(state), where(state)["Anne"]) == (("d1", "c3"), "d5")


# --- K2: winning ------------------------------------------------------------------------------------------------------


def test_k2_whoever_wears_both_crowns_wins_alone() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart"), cards={"Bart": 1}), "c3b4")
    assert result(state) == Result(0, (3 + 1, 0, 0, 0))
    assert (where(state)["Bart"], GAME.tallies(state)[1]["cards"]) == ("prison", 1), "he is asked no more"
    assert told(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart")), "c3b4")[-1].words == "Anne wears both crowns"
