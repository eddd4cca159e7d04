"""What players of Crowns do, rule by rule (docs/rules/crowns.md B1 - B3, T4 - T8, K1, K2)."""

from collections.abc import Mapping, Sequence

import pytest

from captains_table.games.contract import (
    Decide,
    IllegalAction,
    Over,
    PickAsk,
    Result,
    Thing,
    parse_square,
    proposed_option,
)
from captains_table.games.crowns.state import State
from tests.support.crowns_play import (
    GAME,
    KING,
    KNIGHT,
    LANCE,
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
    """Return the answer that displays propose to whoever acts."""
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


# --- B: the board -----------------------------------------------------------------------------------------------------


def test_b1_pawns_crowns_and_rings_stand_where_the_rules_put_them() -> None:
    state = start(2)
    by_letter: dict[str, list[str]] = {}
    for square, letter in sorted(GAME.pieces(state).items()):
        by_letter.setdefault(letter, []).append(str(square))
    assert by_letter == {
        "P": [f"{file}2" for file in "abcdefg"],
        "p": [f"{file}6" for file in "abcdefg"],
        "G": ["b1", "f1"],
        "g": ["b7", "f7"],
    }
    assert crowns(state) == ("d1", "d7")
    assert len(state.rings) == 49


def test_b3_everybody_begins_in_the_reserve_and_seats_alternate() -> None:
    state = start(5)
    assert set(where(state).values()) == {"reserve"}
    assert [list(state.members(party)) for party in (0, 1)] == [[0, 2, 4], [1, 3]]


# --- T4: actions ------------------------------------------------------------------------------------------------------


def summons(state: State) -> set[str]:
    """Return the squares on which whoever acts may appear."""
    return {id_.removeprefix("summon-") for id_ in offered(state) if id_.startswith("summon-")}


def test_t4_from_the_reserve_one_appears_on_an_empty_summoning_square() -> None:
    white = let_act(start(2), "Anne")
    assert {id_ for id_ in offered(white) if id_.startswith("summon")} == {
        f"summon-{at}" for at in ("a1", "c1", "e1", "g1")
    }
    black = let_act(start(2), "Bart")
    assert {id_ for id_ in offered(black) if id_.startswith("summon")} == {
        f"summon-{at}" for at in ("a7", "c7", "e7", "g7")
    }


def test_t4_no_summoning_where_a_player_a_pawn_or_a_crown_is() -> None:
    state = set_up(start(4), at={"Cleo": "a1"}, pawns={"c1": "p"}, crowns=("e1", "d7"))
    assert summons(let_act(state, "Anne")) == {"b1", "f1", "g1", "a2", "g2"}


def test_t4_appearing_brings_one_gold_and_the_ring_stays() -> None:
    state = play(let_act(start(2), "Anne"), "summon-a1")
    assert (gold(state)["Anne"], where(state)["Anne"], len(state.rings)) == (11, "a1", 49)


def test_t4_passing_is_free_and_counts_as_acting() -> None:
    state = play(let_act(start(2), "Anne"), "pass")
    assert (gold(state)["Anne"], GAME.details(state)["barred"]) == (10, "Anne")


@pytest.mark.parametrize(
    ("letter", "who", "ids"),
    [
        ("P", "Anne", {"d4d5"}),
        ("G", "Anne", {"d4c5", "d4d5", "d4e5"}),
        ("p", "Bart", {"d4d3"}),
        ("g", "Bart", {"d4c3", "d4d3", "d4e3"}),
    ],
)
def test_t4_pawns_go_one_forward_and_the_coloured_ones_diagonally_too(letter: str, who: str, ids: set[str]) -> None:
    state = let_act(set_up(start(2), pawns={"d4": letter}), who)
    assert {id_ for id_ in offered(state) if id_.startswith("d4")} == ids


@pytest.mark.parametrize(("letter", "brings"), [("P", 1), ("G", 3)])
def test_t4_a_pawns_move_brings_its_gold(letter: str, brings: int) -> None:
    state = play(let_act(set_up(start(2), pawns={"d4": letter}), "Anne"), "d4d5")
    assert gold(state)["Anne"] == 9 + brings + 1
    assert len(state.rings) == 49, "pawns collect no rings"


def test_t4_pawns_of_the_other_party_are_not_moved() -> None:
    state = let_act(set_up(start(2), pawns={"d4": "p", "a4": "g"}), "Anne")
    assert not {id_ for id_ in offered(state) if id_[:2] in {"d4", "a4"}}


def test_t4_one_moves_as_the_standard_grid_says_and_black_is_turned_round() -> None:
    assert offered(anne_acts()) == {"c3b4", "c3d4", "c3b2", "c3d2", "pass"}
    lance = {"piece1": LANCE, "piece2": LANCE}
    state = set_up(start(2, **lance), at={"Anne": "c3", "Bart": "e5"}, pawns=NO_PAWNS, gold={"Anne": 0, "Bart": 0})
    assert offered(let_act(state, "Anne")) == {"c3c4", "pass"}
    assert offered(let_act(state, "Bart")) == {"e5e4", "pass"}


def test_t4_levelled_up_one_moves_as_the_other_grid_says_and_arrows_stop_at_the_first_square() -> None:
    state = set_up(
        start(2, piece1=LANCE),
        at={"Anne": "c3", "Bart": "c6"},
        pawns={"e3": "P"},
        gold=dict.fromkeys(("Anne", "Bart"), 0),
    )
    state = let_act(set_up(state, levelled=["Anne"]), "Anne")
    assert {id_ for id_ in offered(state) if id_.startswith("c3")} == {"c3b3", "c3d3", "c3c4", "c3c5", "c3c6"}


def test_t4_arrows_pass_over_rings_and_crowns() -> None:
    state = set_up(start(2, piece1=LANCE), at={"Anne": "c3"}, pawns=NO_PAWNS, levelled=["Anne"], crowns=("c4", "d7"))
    assert "c3c7" in offered(let_act(state, "Anne"))


def test_t4_prison_is_left_for_the_standard_cost() -> None:
    state = let_act(set_up(start(2), at={"Anne": "prison"}), "Anne")
    assert offered(state) == {"bail", "pass"}, "prisoners move no pawns"
    state = play(state, "bail")
    assert (gold(state)["Anne"], where(state)["Anne"]) == (9 - 3 + 1, "reserve")


def test_t4_whoever_cannot_pay_stays_in_prison() -> None:
    state = set_up(start(2), at={"Anne": "prison"}, gold={"Anne": 2})
    assert offered(let_act(state, "Anne")) == {"pass"}


def test_t6_players_in_the_reserve_move_pawns() -> None:
    assert {"a2a3", "b1b2"} & offered(let_act(start(2), "Anne")) == {"a2a3"}, "and b2 has a pawn of one's own"


# --- T5: levelling up -------------------------------------------------------------------------------------------------


def test_t5_levelling_up_costs_the_levelled_up_grid() -> None:
    assert "level-up" not in offered(anne_acts("c3", gold={"Anne": 17}))
    state = play(anne_acts("c3", gold={"Anne": 18}), "level-up")
    assert (gold(state)["Anne"], GAME.tallies(state)[0]["level"]) == (1, 1)


def test_t5_half_of_it_rounded_up_on_a_half_price_square() -> None:
    half = {"piece1": "Half: c4 / b4 c4 d4 b3 d3 b2 c2"}  # 15.5: 16, and half of it 8
    odd = {"piece1": "Odd: c4 / b4 c4 d4 b3 d3 b2 c2 b1"}  # 16.5: 17, and half of it 9
    for piece, price in ((half, 8), (odd, 9)):
        state = set_up(start(2, **piece), at={"Anne": "c4"}, gold={"Anne": price}, pawns=NO_PAWNS)
        assert gold(play(let_act(state, "Anne"), "level-up"))["Anne"] == 1
        assert "level-up" not in offered(let_act(set_up(state, gold={"Anne": price - 1}), "Anne"))


def test_t5_only_once_and_only_on_the_board() -> None:
    assert "level-up" not in offered(anne_acts("c3", gold={"Anne": 99}, levelled=["Anne"]))
    assert "level-up" not in offered(let_act(set_up(start(2), gold={"Anne": 99}), "Anne"))


def test_t5_with_a_move_the_square_it_ends_on_and_its_gold_count() -> None:
    """From c3 to b4: a ring, and half of 18."""
    assert "c3b4+" not in offered(anne_acts(gold={"Anne": 7}))
    state = anne_acts(gold={"Anne": 8})
    assert "c3b4+" in offered(state)
    assert "c3b2+" not in offered(state)
    state = play(state, "c3b4+")
    assert (gold(state)["Anne"], GAME.tallies(state)[0]["level"]) == (1, 1)


def test_t5_what_is_captured_pays_for_it_too() -> None:
    state = anne_acts(gold={"Anne": 5}, at={"Bart": "b4"})
    assert "c3b4+" in offered(state)
    assert gold(play(state, "c3b4+"))["Anne"] == 5 + 3 + 1 - 9 + 1


def levelled(state: State) -> set[str]:
    """Return the squares on which displays show that somebody has levelled up."""
    return {str(square) for square, things in GAME.things(state).items() if Thing.LEVELLED_UP in things}


def test_t5_who_has_levelled_up_is_shown_where_he_stands_and_nowhere_off_the_board() -> None:
    state = anne_acts(at={"Bart": "g7", "Cleo": "prison"}, levelled=["Bart", "Cleo"], gold={"Anne": 50})
    assert levelled(state) == {"g7"}
    assert levelled(play(state, "level-up")) == {"c3", "g7"}


def test_t5_being_captured_undoes_it() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, levelled=["Bart"]), "c3b4")
    assert GAME.tallies(state)[1]["level"] == 0


# --- T6: pawns --------------------------------------------------------------------------------------------------------


def test_t6_pawns_capture_as_they_move() -> None:
    state = let_act(set_up(start(2), at={"Bart": "d5"}, pawns={"d4": "P", "b4": "G", "a5": "p"}), "Anne")
    assert {"d4d5", "b4a5"} <= offered(state)
    after = play(state, "d4d5")
    assert (where(after)["Bart"], gold(after)["Anne"]) == ("prison", 9 + 3 + 1 + 1)
    assert gold(play(state, "b4a5"))["Anne"] == 9 + 1 + 3 + 1


def test_t6_nothing_but_players_and_pawns_blocks_and_never_onto_ones_own() -> None:
    state = set_up(start(4), at={"Cleo": "d5"}, pawns={"d4": "P", "b4": "P", "b5": "P"}, crowns=("b6", "d7"))
    ids = offered(let_act(state, "Anne"))
    assert "b5b6" in ids
    assert not {"d4d5", "b4b5"} & ids


def test_t6_a_pawn_on_the_far_rank_is_an_ordinary_pawn_and_then_leaves_for_gold_or_a_card() -> None:
    state = set_up(start(2), pawns={"a7": "P", "c7": "G"})
    state = let_act(state, "Anne")
    assert {id_ for id_ in offered(state) if id_[0] in "ac"} == {"a7-off", "c7-off"}
    arriving = play(state, "c7-off")
    assert (asked(arriving), offered(arriving)) == ("Anne", {"gold", "card"})
    assert gold(play(arriving, "gold"))["Anne"] == 9 + 10 + 1, "in place of the 3"
    carded = play(arriving, "card")
    assert (gold(carded)["Anne"], GAME.tallies(carded)[0]["cards"]) == (10, 1)
    assert "c7" not in {str(square) for square in GAME.pieces(carded)}


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


def test_t7_an_enemy_is_worth_his_value_and_goes_to_prison_with_his_purse() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, gold={"Bart": 5}), "c3b4")
    assert gold(state) == {"Anne": 3 + 1 + 1, "Bart": 6, "Cleo": 1, "Dick": 1}
    assert where(state) == {"Anne": "b4", "Bart": "prison", "Cleo": "reserve", "Dick": "reserve"}


@pytest.mark.parametrize(("letter", "brings"), [("p", 1), ("g", 3)])
def test_t7_a_pawn_is_worth_one_or_three_and_is_gone(letter: str, brings: int) -> None:
    state = play(anne_acts(pawns={"b4": letter}), "c3b4")
    assert gold(state)["Anne"] == brings + 1 + 1
    assert GAME.pieces(state) == {state.players[0].place: "1"}


def test_t7_a_ring_is_taken_once() -> None:
    state = play(anne_acts(), "c3b4")
    assert "b4" not in GAME.details(state)["rings"]  # type: ignore[operator]
    state = play(let_act(play(let_act(state, "Anne"), "b4c3"), "Anne"), "c3b4")
    assert gold(state)["Anne"] == 1 + 1 + 1 + 1 + 1


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


# --- T8: one's own ----------------------------------------------------------------------------------------------------


def test_t8_own_players_are_only_captured_while_the_party_wears_both_crowns() -> None:
    there = {"Cleo": "b4", "Bart": "g7"}
    assert "c3b4" not in offered(anne_acts(at=there, crowns=("Anne", "Bart")))
    assert "c3b4" not in offered(anne_acts(at=there, crowns=("Anne", "d7")))
    state = anne_acts(at=there, crowns=("Anne", "Cleo"))
    assert "c3b4" in offered(state)


def test_t8_no_gold_for_ones_own_party() -> None:
    state = set_up(
        start(6),
        at={"Anne": "c3", "Cleo": "b4", "Edda": "g1"},
        pawns=NO_PAWNS,
        gold={"Anne": 0},
        crowns=("Anne", "Edda"),
    )
    state = play(let_act(state, "Anne"), "c3b4")
    assert (gold(state)["Anne"], where(state)["Cleo"]) == (1 + 1, "prison"), "the ring, and the turn's income"


def test_t8_own_pawns_capture_them_too_and_are_never_captured() -> None:
    ids = offered(anne_acts(at={"Cleo": "a4"}, pawns={"a3": "P", "d4": "P"}, crowns=("Anne", "Cleo")))
    assert "a3a4" in ids
    assert "c3d4" not in ids


# --- K1: crowns -------------------------------------------------------------------------------------------------------


def test_k1_landing_on_a_crown_puts_it_on() -> None:
    assert crowns(play(anne_acts(crowns=("d1", "b4")), "c3b4")) == ("d1", "Anne")


def test_k1_capturing_a_wearer_puts_it_on() -> None:
    assert crowns(play(anne_acts(at={"Bart": "b4"}, crowns=("d1", "Bart")), "c3b4")) == ("d1", "Anne")


def test_k1_a_wearer_may_step_as_a_king_and_the_crown_goes_with_him() -> None:
    state = anne_acts(crowns=("d1", "Anne"))
    assert {id_ for id_ in offered(state) if id_.startswith("c3")} == {
        f"c3{at}" for at in ("b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4")
    }
    assert crowns(play(state, "c3c4")) == ("d1", "Anne")


def test_k1_on_a_longer_move_the_crown_stays_behind() -> None:
    state = play(anne_acts(crowns=("d1", "Anne"), levelled=["Anne"]), "c3d5")
    assert (crowns(state), where(state)["Anne"]) == (("d1", "c3"), "d5")


def test_k1_an_arrow_of_one_square_carries_it() -> None:
    state = set_up(start(2, piece1=LANCE), at={"Anne": "c3"}, pawns=NO_PAWNS, levelled=["Anne"], crowns=("Anne", "d7"))
    assert crowns(play(let_act(state, "Anne"), "c3c4")) == ("Anne", "d7")
    assert crowns(play(let_act(state, "Anne"), "c3c5")) == ("c3", "d7")


# --- K2: winning ------------------------------------------------------------------------------------------------------


def test_k2_whoever_wears_both_crowns_wins_alone() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart"), cards={"Bart": 1}), "c3b4")
    assert result(state) == Result(0, (3 + 1, 0, 0, 0))
    assert (where(state)["Bart"], GAME.tallies(state)[1]["cards"]) == ("prison", 1), "he is asked no more"
    assert told(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart")), "c3b4")[-1].words == "Anne wears both crowns"


def test_k2_a_longer_move_leaves_the_first_crown_and_does_not_win() -> None:
    state = play(anne_acts(at={"Bart": "d5"}, crowns=("Anne", "Bart"), levelled=["Anne"]), "c3d5")
    assert (result(state), crowns(state)) == (None, ("c3", "Anne"))


def test_k2_a_level_up_with_the_winning_move_is_paid() -> None:
    state = play(anne_acts(at={"Bart": "b4"}, crowns=("Anne", "Bart"), gold={"Anne": 9}), "c3b4+")
    assert result(state) == Result(0, (9 + 3 + 1 - 9, 0, 0, 0))


def carrying(purse: int, crowns: Sequence[str] = ("Cleo", "Anne")) -> State:
    """Return a match in which Anne on d7 and Cleo wear a crown each; Bart (3) and two pawns (1, 3) are left."""
    there = {"Bart": "g5", "Cleo": "a1"}
    return anne_acts("d7", at=there, pawns={"a5": "p", "b5": "g"}, crowns=crowns, gold={"Anne": purse})


def test_k2_a_wearer_carries_the_crown_off_the_far_end_and_pays_for_all_that_is_left() -> None:
    assert "d7-off" not in offered(carrying(9))
    state = play(carrying(10), "d7-off")
    assert result(state) == Result(0, (0, 0, 0, 0)), "3 and 3 for the players, 1 and 3 for the pawns"
    assert isinstance(GAME.turn(state), Over)
    assert "1" not in GAME.pieces(state).values()


def test_k2_only_while_the_party_wears_both_and_only_by_a_wearer_on_the_far_rank() -> None:
    assert "d7-off" not in offered(carrying(99, crowns=("Bart", "Anne")))
    assert "d7-off" not in offered(carrying(99, crowns=("d1", "Anne")))
    six = set_up(start(6), at={"Anne": "d7", "Cleo": "a1", "Edda": "b1"}, gold={"Anne": 99}, crowns=("Cleo", "Edda"))
    assert "d7-off" not in offered(let_act(six, "Anne"))
    assert "d6-off" not in offered(anne_acts("d6", gold={"Anne": 99}, at={"Cleo": "a1"}, crowns=("Cleo", "Anne")))


def test_k2_for_black_the_far_end_is_the_first_rank() -> None:
    state = set_up(start(4), at={"Bart": "d1", "Dick": "a7"}, gold={"Bart": 99}, crowns=("Bart", "Dick"))
    assert "d1-off" in offered(let_act(state, "Bart"))


def test_what_things_cost_is_said_where_they_are_offered() -> None:
    state = set_up(start(2, piece1=KING, piece2=KNIGHT), at={"Anne": "c4"}, gold={"Anne": 20})
    labels = {option.id: option.label for option in GAME.turn(let_act(state, "Anne")).ask.options}  # type: ignore[union-attr]
    assert labels["level-up"] == "Level up for 6 gold"
    assert labels["c4c3+"] == "Wazir c4-c3, level up for 12"
