"""Swashbuckle by rule number: the challenge sheet, and several columns (docs/rules/swashbuckle.md N1, N5)."""

from dataclasses import replace

import pytest

from captains_table.games.contract import TAKE_UP, BadOption
from captains_table.games.swashbuckle.sheet import BOXES, Sheet
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
    result,
    said,
    seat_now,
    start,
    totals,
    with_sheet,
)

FULL = Sheet(tuple(5 for _ in BOXES))
THROWN_THRICE = (PLAIN, *("throw-again", "keep 1 2 3 4", "6") * 2)


def columns_of_anne(*columns: Sheet) -> State:
    """Return a match that Anne plays alone, with these columns."""
    return replace(start("Anne", columns=str(len(columns))), sheets=columns)


def scoring(state: State) -> list[str]:
    """Return the ids of the answers that end the turn."""
    return [id_ for id_ in ids(state) if id_ != "throw-again"]


@pytest.mark.parametrize("columns", ["0", "7", "two", ""])
def test_n5_there_are_one_to_six_columns_and_with_one_ids_stay_as_they_are(columns: str) -> None:
    with pytest.raises(BadOption, match="columns"):
        start(columns=columns)
    assert "score-flotsam" in ids(said(start(columns="1"), PLAIN))


def test_n5_a_throw_is_written_into_any_open_box_of_any_column() -> None:
    state = said(start("Anne", columns="2"), "11133")
    assert ids(state)[1:5] == [f"score-{box}-{column}" for box in ("full-boat", "three-alike") for column in (1, 2)]
    assert labels(state)[1:3] == ["I Full boat: 25", "II Full boat: 25"]
    state = said(state, "score-full-boat-2", "11133", "score-full-boat-1", "11133")
    assert not any("full-boat" in id_ for id_ in ids(state))
    assert [sheet["full-boat"] for sheet in state.columns_of(0)] == [25, 25]
    assert totals(state) == [50]


@pytest.mark.parametrize(
    ("throw", "box", "column", "worth"), [("12345", "succession-4", 6, 30), ("11222", "pieces-of-8", 3, 45)]
)
def test_n5_boxes_whose_own_ids_end_with_a_number_are_told_apart(throw: str, box: str, column: int, worth: int) -> None:
    state = said(start("Anne", columns="6"), throw, f"score-{box}-{column}")
    assert state.columns_of(0)[column - 1][box] == worth


def test_n5_each_plays_sixteen_turns_for_each_column_for_the_total_plunder_of_all_and_earns_no_rank() -> None:
    assert GAME.heading(start("Anne", columns="3")) == "Turn 1 of 48"
    state = columns_of_anne(FULL, FULL, all_but("flotsam"))
    assert GAME.heading(state) == "Turn 48 of 48"
    state = said(state, PLAIN, "score-flotsam-3")
    assert result(state).scores == (2 * (16 * 5 + 10) + 15 * 5 + 14 + 10,)
    assert "rank" not in latest_events(state)
    assert GAME.details(state)["ranks"] == {}


@pytest.mark.parametrize(
    ("left", "right", "throw", "expected"),
    [
        (all_but("sixes"), all_but("ones"), PLAIN, ["score-sixes-1", "score-ones-2"]),
        (all_but("fives"), all_but("fours"), PLAIN, ["scuttle-fives-1", "scuttle-fours-2"]),
        (all_but(), all_but("fives", "fours"), "44444", ["score-fours-2"]),
        (all_but(), all_but("fives", "sixes"), "44444", ["score-sixes-2", "score-fives-2"]),
    ],
    ids=["points in each", "nothing in any: a scuttle", "swashbuckle again: points", "swashbuckle again: the maximum"],
)
def test_n5_only_where_no_box_of_any_column_takes_points_one_is_scuttled_or_takes_its_maximum(
    left: Sheet, right: Sheet, throw: str, expected: list[str]
) -> None:
    assert scoring(said(columns_of_anne(left, right), throw)) == expected


def test_n5_blimey_and_smooth_sailing_count_for_each_column() -> None:
    nest = Sheet((3, 6, 9, 12, 15, None, *[5] * 10))
    state = said(columns_of_anne(nest, nest), "66661", "score-sixes-1")
    assert latest_events(state) == ["nest", "blimey", "smooth-sailing"]
    assert totals(said(state, "66661", "score-sixes-2")) == [2 * (45 + 24 + 45 + 50 + 10)]


def test_n5_hornswaggle_is_once_for_each_column_and_once_a_turn() -> None:
    state = start("Anne", columns="2")
    for column in (1, 2):
        state = said(state, *THROWN_THRICE)
        assert "hornswaggle" in ids(state)
        state = said(state, "hornswaggle", "keep 1 2 3 4", "6")
        assert "hornswaggle" not in ids(state)
        state = said(state, f"score-flotsam-{column}")
    assert [sheet.hornswaggle for sheet in state.columns_of(0)] == [15, 15]
    assert "hornswaggle" not in ids(said(state, *THROWN_THRICE))


def test_n5_a_piracy_throw_is_not_hornswaggled_in_a_turn_that_was() -> None:
    state = said(start("Anne", columns="2"), "23455", *("throw-again", "keep 1 2 3 4", "5") * 2)
    state = said(state, "hornswaggle", "keep 1 2 3 4", "6", "score-piracy-1")
    assert said(state, "66541").columns_of(0)[0]["piracy"] == 22
    assert ids(said(start("Anne", columns="2"), "23456", "score-piracy-2", "66541")) == ["stand", "hornswaggle"]


def test_n5_raids_and_being_pillaged_are_once_for_each_column() -> None:
    state = start(columns="2")
    for column in (1, 2):
        state = said(state, "12345", f"score-piracy-{column}", "66541", "stand", "raid-1", "no-curse")
        state = said(state, PLAIN, f"score-flotsam-{column}", "no-curse")
    assert [sheet.pillaged for sheet in state.columns_of(1)] == [22, 22]
    state = said(state, "12345")
    assert not any("piracy" in id_ for id_ in ids(state))
    state = replace(state, sheets=(Sheet(), Sheet(), *state.sheets[2:]))
    state = said(state, "throw-again", "keep 1 2 3 4", "5", "score-piracy-1", "66541", "stand")
    assert not [id_ for id_ in ids(state) if id_.startswith("raid")], "both columns of the other were pillaged"


def test_n5_the_curse_is_once_for_each_column_and_one_at_the_end_of_a_turn() -> None:
    state = start(columns="2")
    for turn in (1, 2):
        state = said(state, PLAIN, f"score-flotsam-{turn}", "curse-1")
        assert state.seat == 1
        state = said(state, "1133", f"score-ones-{turn}", "no-curse")
    assert [sheet.cursed for sheet in state.columns_of(0)] == [1, 1]
    assert said(state, PLAIN, "score-threes-1").seat == 1, "none is left, and nothing is asked"


def test_n5_a_bonus_mark_goes_with_any_column_whose_box_is_scored() -> None:
    state = said(columns_of_anne(Sheet(), Sheet().with_box("swashbuckle", 50)), "44444", "score-swashbuckle-1")
    assert [sheet.marks for sheet in state.columns_of(0)] == [0, 1]
    assert totals(state) == [50 + 50 + 50]
    state = said(state, "44444", "score-fours-2")
    assert sum(sheet.marks for sheet in state.columns_of(0)) == 2, "one mark a throw, though both boxes are scored"


def test_n5_the_sheets_lie_side_by_side_with_a_sum_for_each_player() -> None:
    state = said(start(columns="2"), "11133", "score-full-boat-2", "no-curse", "66541")
    rows = {row.title: row for row in GAME.sheet(state)}
    assert rows["Full boat"].cells == ("", "25", "", "")
    assert rows["Column's plunder"].cells == ("0", "25", "0", "0")
    assert rows["Total plunder"].cells == ("25", "0")
    found = [(each.seat, each.column, each.words, each.id) for each in rows["Sixes"].prospects]
    assert found == [(1, 0, "12", "score-sixes-1"), (1, 1, "12", "score-sixes-2")]
    sheets = GAME.details(state)["sheets"]
    assert isinstance(sheets, dict)
    assert [sheet["full-boat"] for sheet in sheets["Anne"]] == [None, 25]


def test_n5_which_box_of_which_column_ended_a_turn_is_told() -> None:
    chosen = said(start(columns="2"), "11133", "score-full-boat-2")
    after = GAME.outcome(chosen, said(chosen, "no-curse"), [1, 1, 1, 3, 3])
    assert after is not None
    assert after.words == "II Full boat: 25"


RAID = ("12345", "score-piracy", "66541", "stand")


def challenge(*names: str, **options: str) -> State:
    """Return a match of challenge sheets."""
    return GAME.start(names or ("Anne", "Bart"), {"challenge": "true"} | options)


def anne_is_done(*names: str) -> State:
    """Return a match in which the first player has filled the last box, and the next has not taken the sheet up."""
    state = with_sheet(challenge(*names), 0, all_but("flotsam"))
    return said(state, PLAIN, "score-flotsam", *(["no-curse"] if len(state.seats) > 1 else []))


def test_n1_order_throws_fall_away_and_the_first_named_plays_all_turns_alone() -> None:
    state = challenge("Anne", "Bart", captain="Bart")
    assert due(state).prompt == "Anne: throw the dice"
    for box in ("flotsam", "ones", "threes"):
        assert state.seat == 0
        state = said(state, PLAIN, f"score-{box}", "no-curse")
    assert GAME.heading(state) == "Turn 4 of 16"


def test_n1_the_match_then_rests_until_the_next_takes_it_up_and_the_last_one_ends_it() -> None:
    state = anne_is_done("Anne", "Bart", "Cora")
    assert (seat_now(state), GAME.heading(state)) == (1, "Waiting for Bart")
    assert (pick_ask(state).prompt, ids(state)) == ("Bart: take up your sheet", [TAKE_UP.id])
    state = said(state, "take-up")
    assert (due(state).seat, GAME.heading(state)) == (1, "Turn 1 of 16")
    state = with_sheet(said(anne_is_done(), "take-up"), 1, all_but("ones"))
    assert result(said(state, PLAIN, "score-ones")).winner == 0, "with no turn left no curse is asked about"
    assert result(anne_is_done("Anne")).winner == 0, "a player alone waits for nobody"


def test_n1_a_pillage_of_one_who_has_not_played_yet_or_is_finished_is_written_at_once() -> None:
    assert totals(said(challenge(), *RAID, "raid-1")) == [22, -22]
    state = said(anne_is_done(), "take-up")
    before = totals(state)[0]
    assert totals(said(state, *RAID, "raid-0")) == [before - 22, 22]


def test_n1_a_curse_on_one_who_has_not_begun_makes_the_first_turn_a_cursed_one() -> None:
    state = said(challenge(), PLAIN, "score-flotsam", "curse-1")
    assert (state.seat, len(GAME.dice(state))) == (0, 5)
    state = said(with_sheet(state, 0, all_but("ones")), PLAIN, "score-ones")
    assert GAME.heading(state) == "Waiting for Bart"
    state = said(state, "take-up")
    assert (due(state).seat, due(state).dice) == (1, (1, 2, 3, 4))
    state = said(state, "1133", "score-ones")
    assert seat_now(state) == 1
    assert len(GAME.dice(said(state, "no-curse"))) == 5


def test_n1_a_curse_on_a_finished_sheet_is_not_proposed_and_falls_on_the_next_turn_of_its_speaker() -> None:
    state = said(anne_is_done(), "take-up", PLAIN, "score-flotsam")
    assert ids(state) == ["no-curse", "curse-0"]
    assert (pick_ask(state).default, labels(state)[1]) == ("no-curse", "Curse Anne (done: you play four dice)")
    state = said(state, "curse-0")
    assert (due(state).seat, due(state).dice, state.sheets[1].cursed) == (1, (1, 2, 3, 4), 0)
    assert len(GAME.dice(said(state, "1133", "score-ones"))) == 5


def test_n1_who_is_to_play_four_dice_already_cannot_take_on_more() -> None:
    state = replace(said(anne_is_done("Anne", "Bart", "Cora"), "take-up", PLAIN), cursed=frozenset({1}))
    assert ids(said(state, "score-flotsam")) == ["no-curse", "curse-2"]


def test_n1_with_several_columns_all_of_them_are_played_before_the_next_is_waited_for() -> None:
    state = challenge("Anne", "Bart", columns="2")
    state = replace(state, sheets=(all_but(), all_but("flotsam"), Sheet(), Sheet()))
    assert GAME.heading(state) == "Turn 32 of 32"
    assert GAME.heading(said(state, PLAIN, "score-flotsam-2", "no-curse")) == "Waiting for Bart"
