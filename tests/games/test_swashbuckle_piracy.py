"""Swashbuckle by rule number: piracy and the curse (docs/rules/swashbuckle.md W6, W7)."""

from dataclasses import replace

import pytest

from captains_table.games.contract import Decide, PickAsk, Roll
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import State
from tests.support.dice_harness import open_ids, seat_now, totals
from tests.support.swashbuckle_play import GAME, PLAIN, all_but, said, start, with_filled, with_sheet


def asked(state: State) -> PickAsk:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return turn.ask


# --- W6: piracy -----------------------------------------------------------------------------------------------------


def test_w6_piracy_throws_all_five_once_more_and_the_victim_is_named_after_the_last_throw() -> None:
    state = said(start("Anne", "Bart", "Cora"), "12345", "score-piracy")
    assert GAME.turn(state) == Roll(0, (1, 2, 3, 4, 5), at_once=False, prompt="Anne: throw for piracy")
    state = said(state, "66541")
    assert open_ids(GAME, state) == ["stand", "hornswaggle"]
    state = said(state, "stand")
    assert open_ids(GAME, state) == ["raid-1", "raid-2"]
    state = said(state, "raid-2", "no-curse")
    assert totals(GAME, state) == [22, 0, -22]


def test_w6_hornswaggle_on_the_piracy_throw_may_keep_dice() -> None:
    state = said(start(), "23456", "score-piracy", "66541", "hornswaggle", "keep 1 2", "665")
    assert state.davy_jones is None
    state = said(state, "raid-1")
    assert totals(GAME, state) == [29 - 15, -29]


def test_w9_victims_of_a_crowd_are_listed_the_richest_first_with_what_they_have() -> None:
    names = [f"Player {number}" for number in range(1, 33)]
    state = with_filled(with_filled(start(*names), seat=7, flotsam=25), seat=30, flotsam=30)
    state = said(state, "12345", "score-piracy", "66541", "stand")
    assert open_ids(GAME, state)[:4] == ["raid-30", "raid-7", "raid-1", "raid-2"]
    assert len(open_ids(GAME, state)) == 31
    raid = asked(state)
    assert (raid.default, raid.options[0].label) == ("raid-30", "Raid (30) Player 31")
    curse = asked(said(state, "raid-30"))
    assert [option.label for option in curse.options[:3]] == ["No curse", "Curse (25) Player 8", "Curse (8) Player 31"]


def test_w6_nobody_is_pillaged_twice() -> None:
    state = start("Anne", "Bart", "Cora")
    state = with_sheet(state, 1, replace(Sheet(), pillaged=20))
    state = said(state, "12345", "score-piracy", "66541", "stand")
    assert open_ids(GAME, state) == ["raid-2"]


@pytest.mark.parametrize(("names", "victims"), [(("Anne",), 0), (("Anne", "Bart"), 1)])
def test_w6_with_nobody_left_to_raid_the_points_count_without_a_victim(names: tuple[str, ...], victims: int) -> None:
    state = start(*names)
    for seat in range(1, 1 + victims):
        state = with_sheet(state, seat, replace(Sheet(), pillaged=20))
    state = said(state, "12345", "score-piracy", "66541", "stand")
    assert not [id_ for id_ in open_ids(GAME, state) if id_.startswith("raid")]
    assert totals(GAME, state)[0] == 22


def test_w6_five_alike_on_it_count_forty_and_never_fill_the_box_swashbuckle() -> None:
    state = said(start("Anne"), "12345", "score-piracy", "66666", "stand")
    assert (state.sheets[0]["piracy"], state.sheets[0]["swashbuckle"], state.sheets[0].marks) == (40, None, 0)


def test_w6_five_alike_on_it_earn_a_mark_if_swashbuckle_was_scored() -> None:
    state = said(with_filled(start("Anne"), swashbuckle=50), "12345", "score-piracy", "66666")
    assert state.sheets[0].marks == 0  # not before the dice are final
    stood, given_up = said(state, "stand"), said(state, "hornswaggle", "keep 1 2 3 4", "5")
    assert (stood.sheets[0].marks, totals(GAME, stood)) == (1, [50 + 40 + 50])
    assert (given_up.sheets[0].marks, totals(GAME, given_up)) == (0, [50 + 29 - 15])


def test_w6_a_spent_hornswaggle_leaves_no_question_after_the_piracy_throw() -> None:
    state = with_sheet(start(), 0, replace(Sheet(), hornswaggled=True))
    assert open_ids(GAME, said(state, "12345", "score-piracy", "66541")) == ["raid-1"]


def test_w6_five_alike_by_hornswaggle_make_a_davy_jones_and_an_earlier_one_gives_way() -> None:
    state = said(start("Anne", "Bart"), "12345", "score-piracy", "66661", "hornswaggle", "keep 1 2 3 4", "6", "raid-1")
    assert GAME.titles(state) == ["Davy Jones", ""]
    assert GAME.names(state) == ("Anne", "Bart")
    state = said(state, "no-curse", "23456", "score-piracy", "11111", "hornswaggle", "keep", "22222", "raid-0")
    assert GAME.titles(state) == ["", "Davy Jones"]


HORNSWAGGLED = ("12345", "throw-again", "keep", "12345", "throw-again", "keep", "12346", "hornswaggle", "keep", "12345")


@pytest.mark.parametrize(
    ("other", "words", "titles"),
    [
        (
            "Davy Jones",
            ("12345", "score-piracy", "66661", "hornswaggle", "keep 1 2 3 4", "6"),
            ["Davy Jones", "Davy's Ghost"],
        ),
        ("Bart", (*HORNSWAGGLED, "score-piracy", "66666", "raid-1"), ["", ""]),
        ("Bart", ("12345", "score-piracy", "66666", "stand"), ["", ""]),
    ],
    ids=["who entered as Davy Jones takes another name", "the hornswaggle came before", "without a hornswaggle"],
)
def test_w6_only_a_hornswaggle_on_the_piracy_throw_makes_a_davy_jones(
    other: str, words: tuple[str, ...], titles: list[str]
) -> None:
    assert GAME.titles(said(start("Anne", other), *words)) == titles


@pytest.mark.parametrize(("options", "expected"), [({"pillage": "add"}, [22, 0]), ({"captain": "Bart"}, [0, 22])])
def test_agreed_a_pillage_may_add_without_stealing(options: dict[str, str], expected: list[int]) -> None:
    state = said(start(**{"pillage": "add"} | options), "12345", "score-piracy", "66541", "stand", "no-curse")
    assert totals(GAME, state) == expected


def test_agreed_a_captain_loses_double_on_a_pillage() -> None:
    state = start("Anne", "Bart", captain="Anne", captain_pillage="double")
    state = said(state, PLAIN, "score-flotsam", "no-curse", "12345", "score-piracy", "66541", "stand", "raid-0")
    assert totals(GAME, state) == [14 - 44, 22]


# --- W7: the curse --------------------------------------------------------------------------------------------------


def test_w7_the_cursed_players_next_turn_has_four_dice_and_four_alike_count_double() -> None:
    state = said(start(), PLAIN, "score-flotsam", "curse-1")
    turn = GAME.turn(state)
    assert isinstance(turn, Roll)
    assert (turn.seat, turn.dice, len(GAME.dice(state))) == (1, (1, 2, 3, 4), 4)
    state = said(state, "6666")
    assert open_ids(GAME, state)[:2] == ["throw-again", "score-four-alike"]
    state = said(state, "score-four-alike", "no-curse", PLAIN, "score-sixes", PLAIN)
    assert totals(GAME, state) == [20, 48]
    assert len(GAME.dice(state)) == 5


def test_w7_a_curse_is_spoken_once_a_match() -> None:
    state = said(start(), PLAIN, "score-flotsam", "curse-1", "1136", "score-flotsam", "no-curse")
    state = said(state, PLAIN, "score-sixes")
    assert seat_now(GAME, state) == 1


def test_w7_who_is_cursed_already_or_has_no_turn_left_cannot_be_cursed() -> None:
    state = replace(start("Anne", "Bart", "Cora", "Dirk"), cursed=frozenset({2}))
    state = with_sheet(state, 3, all_but())
    assert open_ids(GAME, said(state, PLAIN, "score-flotsam")) == ["no-curse", "curse-1"]


def test_w7_if_nobody_can_be_cursed_nothing_is_asked() -> None:
    state = replace(start("Anne", "Bart"), cursed=frozenset({1}))
    assert isinstance(GAME.turn(said(state, PLAIN, "score-flotsam")), Roll)
    assert isinstance(GAME.turn(said(start("Anne"), PLAIN, "score-flotsam")), Roll)


def test_w7_a_cursed_swashbuckle_can_only_be_scuttled() -> None:
    state = with_sheet(start(), 1, all_but("swashbuckle"))
    state = said(state, PLAIN, "score-flotsam", "curse-1", "6666")
    assert open_ids(GAME, state) == ["throw-again", "scuttle-swashbuckle"]
