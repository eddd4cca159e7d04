"""Swashbuckle by rule number: piracy, the curse, penalties and pirate names (docs/rules/swashbuckle.md W6, W7, N2)."""

from dataclasses import replace

import pytest

from captains_table.games.contract import BadOption, IllegalAction, Pick, Roll, acting_seat
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import State
from tests.support.swashbuckle_play import (
    GAME,
    PLAIN,
    all_but,
    due,
    ids,
    labels,
    latest_events,
    pick_ask,
    said,
    seat_now,
    start,
    totals,
    with_filled,
    with_sheet,
)

PIRACY = ("12345", "score-piracy")
RAID = (*PIRACY, "66541", "stand")
PILLAGED = replace(Sheet(), pillaged=20)

# --- W6: piracy -----------------------------------------------------------------------------------------------------


def test_w6_piracy_throws_all_five_once_more_and_the_victim_is_named_after_the_last_throw() -> None:
    state = said(start("Anne", "Bart", "Cora"), *PIRACY)
    assert GAME.turn(state) == Roll(0, (1, 2, 3, 4, 5), at_once=False, prompt="Anne: throw for piracy")
    state = said(state, "66541")
    assert ids(state) == ["stand", "hornswaggle"]
    state = said(state, "stand")
    assert ids(state) == ["raid-1", "raid-2"]
    state = said(state, "raid-2", "no-curse")
    assert totals(state) == [22, 0, -22]


def test_w6_hornswaggle_on_the_piracy_throw_may_keep_dice() -> None:
    state = said(start(), "23456", "score-piracy", "66541", "hornswaggle", "keep 1 2", "665")
    assert state.davy_jones is None
    state = said(state, "raid-1")
    assert totals(state) == [29 - 15, -29]


def test_w9_victims_of_a_crowd_are_listed_the_richest_first_with_what_they_have() -> None:
    names = [f"Player {number}" for number in range(1, 33)]
    state = with_filled(with_filled(start(*names), seat=7, flotsam=25), seat=30, flotsam=30)
    state = said(state, *RAID)
    assert ids(state)[:4] == ["raid-30", "raid-7", "raid-1", "raid-2"]
    assert len(ids(state)) == 31
    assert (pick_ask(state).default, labels(state)[0]) == ("raid-30", "Raid (30) Player 31")
    assert labels(said(state, "raid-30"))[:3] == ["No curse", "Curse (25) Player 8", "Curse (8) Player 31"]


def test_w6_nobody_is_pillaged_twice() -> None:
    assert ids(said(with_sheet(start("Anne", "Bart", "Cora"), 1, PILLAGED), *RAID)) == ["raid-2"]


def test_w6_with_nobody_left_to_raid_the_points_count_without_a_victim() -> None:
    for state in (start("Anne"), with_sheet(start(), 1, PILLAGED)):
        raided = said(state, *RAID)
        assert not [id_ for id_ in ids(raided) if id_.startswith("raid")]
        assert totals(raided)[0] == 22


def test_w6_five_alike_on_it_count_forty_and_never_fill_the_box_swashbuckle() -> None:
    state = said(start("Anne"), *PIRACY, "66666", "stand")
    assert (state.sheets[0]["piracy"], state.sheets[0]["swashbuckle"], state.sheets[0].marks) == (40, None, 0)


def test_w6_five_alike_on_it_earn_a_mark_if_swashbuckle_was_scored() -> None:
    state = said(with_filled(start("Anne"), swashbuckle=50), *PIRACY, "66666")
    assert state.sheets[0].marks == 0  # not before the dice are final
    stood, given_up = said(state, "stand"), said(state, "hornswaggle", "keep 1 2 3 4", "5")
    assert (stood.sheets[0].marks, totals(stood)) == (1, [50 + 40 + 50])
    assert (given_up.sheets[0].marks, totals(given_up)) == (0, [50 + 29 - 15])


def test_w6_a_spent_hornswaggle_leaves_no_question_after_the_piracy_throw() -> None:
    state = with_sheet(start(), 0, replace(Sheet(), hornswaggled=True))
    assert ids(said(state, *PIRACY, "66541")) == ["raid-1"]


def test_w6_five_alike_by_hornswaggle_make_a_davy_jones_and_an_earlier_one_gives_way() -> None:
    state = said(start("Anne", "Bart"), *PIRACY, "66661", "hornswaggle", "keep 1 2 3 4", "6", "raid-1")
    assert GAME.titles(state) == ["Davy Jones", ""]
    assert GAME.names(state) == ("Anne", "Bart")
    state = said(state, "no-curse", "23456", "score-piracy", "11111", "hornswaggle", "keep", "22222", "raid-0")
    assert GAME.titles(state) == ["", "Davy Jones"]


HORNSWAGGLED = ("12345", "throw-again", "keep", "12345", "throw-again", "keep", "12346", "hornswaggle", "keep", "12345")


@pytest.mark.parametrize(
    ("other", "words", "titles"),
    [
        ("Davy Jones", (*PIRACY, "66661", "hornswaggle", "keep 1 2 3 4", "6"), ["Davy Jones", "Davy's Ghost"]),
        ("Bart", (*HORNSWAGGLED, "score-piracy", "66666", "raid-1"), ["", ""]),
        ("Bart", (*PIRACY, "66666", "stand"), ["", ""]),
    ],
    ids=["who entered as Davy Jones takes another name", "the hornswaggle came before", "without a hornswaggle"],
)
def test_w6_only_a_hornswaggle_on_the_piracy_throw_makes_a_davy_jones(
    other: str, words: tuple[str, ...], titles: list[str]
) -> None:
    assert GAME.titles(said(start("Anne", other), *words)) == titles


@pytest.mark.parametrize(("options", "expected"), [({"pillage": "add"}, [22, 0]), ({"captain": "Bart"}, [0, 22])])
def test_agreed_a_pillage_may_add_without_stealing(options: dict[str, str], expected: list[int]) -> None:
    state = said(start(**{"pillage": "add"} | options), *RAID, "no-curse")
    assert totals(state) == expected


def test_agreed_a_captain_loses_double_on_a_pillage() -> None:
    state = start("Anne", "Bart", captain="Anne", captain_pillage="double")
    state = said(state, PLAIN, "score-flotsam", "no-curse", *RAID, "raid-0")
    assert totals(state) == [14 - 44, 22]


# --- W7: the curse --------------------------------------------------------------------------------------------------


def test_w7_the_cursed_players_next_turn_has_four_dice_and_four_alike_count_double() -> None:
    state = said(start(), PLAIN, "score-flotsam", "curse-1")
    assert (due(state).seat, due(state).dice, len(GAME.dice(state))) == (1, (1, 2, 3, 4), 4)
    state = said(state, "6666")
    assert ids(state)[:2] == ["throw-again", "score-four-alike"]
    state = said(state, "score-four-alike", "no-curse", PLAIN, "score-sixes", PLAIN)
    assert totals(state) == [20, 48]
    assert len(GAME.dice(state)) == 5


def test_w7_a_curse_is_spoken_once_a_match() -> None:
    state = said(start(), PLAIN, "score-flotsam", "curse-1", "1136", "score-flotsam", "no-curse")
    assert seat_now(said(state, PLAIN, "score-sixes")) == 1


def test_w7_who_is_cursed_already_or_has_no_turn_left_cannot_be_cursed() -> None:
    state = replace(start("Anne", "Bart", "Cora", "Dirk"), cursed=frozenset({2}))
    state = with_sheet(state, 3, all_but())
    assert ids(said(state, PLAIN, "score-flotsam")) == ["no-curse", "curse-1"]


def test_w7_if_nobody_can_be_cursed_nothing_is_asked() -> None:
    state = replace(start("Anne", "Bart"), cursed=frozenset({1}))
    assert isinstance(GAME.turn(said(state, PLAIN, "score-flotsam")), Roll)
    assert isinstance(GAME.turn(said(start("Anne"), PLAIN, "score-flotsam")), Roll)


def test_w7_a_cursed_swashbuckle_can_only_be_scuttled() -> None:
    state = said(with_sheet(start(), 1, all_but("swashbuckle")), PLAIN, "score-flotsam", "curse-1", "6666")
    assert ids(state) == ["throw-again", "scuttle-swashbuckle"]


def calls(state: State) -> list[str]:
    """Return the ids of what may be called now."""
    return [option.id for option in GAME.calls(state)]


def test_n2_without_the_option_and_once_the_match_is_over_no_penalty_can_be_called() -> None:
    over = said(with_sheet(start("Anne", penalty="1"), 0, all_but("flotsam")), PLAIN, "score-flotsam")
    for state in (start(), over):
        assert calls(state) == []
        with pytest.raises(IllegalAction):
            said(state, "penalty-0")


@pytest.mark.parametrize(
    "words", [(), (PLAIN,), (PLAIN, "throw-again"), (PLAIN, "score-flotsam"), ("12345", "score-piracy")]
)
def test_n2_a_penalty_may_be_called_at_any_time_and_the_match_goes_on_where_it_was(words: tuple[str, ...]) -> None:
    state = said(start("Anne", "Bart", "Cora", penalty="2"), *words)
    assert calls(state) == ["penalty-0", "penalty-1", "penalty-2"]
    asked = said(state, "penalty-2")
    assert (seat_now(asked), ids(asked)) == (2, ["agree", "refuse"])
    after = said(asked, "agree")
    assert (totals(after)[2], after.seat) == (-2, state.seat)
    closed = "throw-again" in words  # the player may choose other dice
    assert GAME.turn(after) == GAME.turn(said(start("Anne", "Bart", "Cora"), *(words[:-1] if closed else words)))


def test_n2_a_penalty_may_be_called_while_they_throw_for_the_start() -> None:
    state = said(start("Anne", "Bart", order="throw", penalty="1"), "4", "penalty-0", "agree")
    assert GAME.turn(state) == Roll(1, (1,), at_once=False, prompt="Bart: throw for the start")


def test_n2_it_is_entered_only_when_the_called_player_agrees() -> None:
    state = said(start(penalty="3"), "penalty-1", "refuse")
    assert (totals(state), latest_events(state)) == ([0, 0], ["refused"])
    state = said(state, "penalty-1", "agree", "penalty-1", "agree")
    assert (totals(state), latest_events(state)) == ([0, -6], ["penalty"])
    assert state != start(penalty="3")


def offered(state: State) -> list[str]:
    """Return the ids of what displays offer to call."""
    return [option.id for option in GAME.calls(state) if not option.in_vain]


def test_n2_one_that_was_refused_may_be_called_anew_but_is_offered_only_once_something_else_was_done() -> None:
    state = said(start("Anne", "Bart", "Cora", penalty="1"), PLAIN, "penalty-1", "refuse", "penalty-2", "refuse")
    assert calls(state) == ["penalty-0", "penalty-1", "penalty-2"]
    assert offered(state) == ["penalty-0"]
    assert offered(said(state, "penalty-1", "agree")) == ["penalty-0"]
    assert offered(said(state, "score-flotsam")) == ["penalty-0", "penalty-1", "penalty-2"]
    assert offered(said(start(penalty="1"), "penalty-1", "agree")) == ["penalty-0", "penalty-1"]


def test_n2_it_stands_in_the_row_penalties() -> None:
    state = said(start(penalty="3"), "penalty-1", "agree")
    rows = {row.title: row.cells for row in GAME.sheet(state)}
    assert rows["Penalties"] == ("", "\N{MINUS SIGN}3")
    assert rows["Bilge tally"] == ("0", "\N{MINUS SIGN}3")
    sheets = GAME.details(state)["sheets"]
    assert isinstance(sheets, dict)
    assert (sheets["Anne"]["penalties"], sheets["Bart"]["penalties"], sheets["Bart"]["total"]) == (0, 3, -3)
    assert "Penalties" not in {row.title for row in GAME.sheet(start())}


def test_n2_while_somebody_is_asked_nothing_else_is_done_and_nobody_else_is_called() -> None:
    before = said(start(penalty="1"), PLAIN)
    state = said(before, "penalty-1")
    assert acting_seat(GAME.turn(before), Pick("penalty-1"), GAME.calls(before)) is None, "a call is nobody's action"
    assert (acting_seat(GAME.turn(state), Pick("agree"), GAME.calls(state)), calls(state)) == (1, [])
    for word in ("score-flotsam", "penalty-0", "throw-again", "11111"):
        with pytest.raises(IllegalAction):
            said(state, word)


def test_n2_a_penalty_ends_no_turn() -> None:
    before = said(start(penalty="1"), PLAIN, "score-flotsam")
    asked = said(before, "penalty-1")
    assert GAME.outcome(before, asked, [1, 1, 3, 3, 6]) is None
    assert GAME.outcome(asked, said(asked, "agree"), [1, 1, 3, 3, 6]) is None


def test_n2_the_extra_throw_is_not_paid_by_a_penalty_that_came_between() -> None:
    state = start("Anne", penalty="1")
    state = said(state, PLAIN, "throw-again", "keep 1 2 3 4", "6", "throw-again", "keep 1 2 3 4", "6", "hornswaggle")
    state = said(state, "penalty-0", "refuse")
    assert {"hornswaggle", "score-flotsam"} <= set(ids(state))
    state = said(start("Anne", penalty="1"), "12345", "score-piracy", "66541", "hornswaggle", "penalty-0", "agree")
    assert ids(state) == ["stand", "hornswaggle"]


# --- pirate names ---------------------------------------------------------------------------------------------------


def test_n2_a_pirate_name_is_shown_everywhere_and_the_entered_name_is_kept() -> None:
    state = start(pirate1="Sunnyseas", penalty="1")
    assert GAME.titles(state) == ["Sunnyseas", ""]
    assert GAME.titles(start(pirate2="Bart")) == ["", ""], "an own name may be said"
    assert GAME.names(state) == ("Anne", "Bart")
    assert (due(state).prompt, GAME.calls(state)[0].label) == ("Sunnyseas: throw the dice", "Penalty for Sunnyseas")
    later = said(state, PLAIN, "score-flotsam", "no-curse", PLAIN, "score-flotsam")
    assert pick_ask(later).prompt == "Bart: curse somebody?"
    assert "Curse Sunnyseas" in labels(later)
    assert GAME.details(state)["sheets"].keys() == {"Anne", "Bart"}  # type: ignore[attr-defined]


def test_w6_davy_jones_takes_the_place_of_a_pirate_name() -> None:
    state = start(pirate1="Sunnyseas", pirate2="Davy Jones")
    state = said(state, "12345", "score-piracy", "66541", "hornswaggle", "keep 1 2", "666")
    assert GAME.titles(state) == ["Davy Jones", "Davy's Ghost"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pirate1": "Bart"}, "pirate1=Bart: somebody else is called so"),
        ({"pirate1": "bart"}, "somebody else is called so"),
        ({"pirate1": "Gullfoot", "pirate2": "Gullfoot"}, "pirate1=Gullfoot: somebody else"),
        ({"pirate3": "Gullfoot"}, "pirate3 is nobody's: expected pirate names of 2 players"),
        ({"pirate2": " "}, "pirate2: ' ' is no name"),
        ({"pirate2": "x" * 41}, "pirate2: 'x+' is no name"),
    ],
)
def test_n2_players_can_be_told_apart_by_their_pirate_names(options: dict[str, str], words: str) -> None:
    with pytest.raises(BadOption, match=words) as refused:
        start(**options)
    assert refused.value.option.startswith("pirate")
