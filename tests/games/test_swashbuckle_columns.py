"""Swashbuckle by rule number: perfect storm, several columns for each player (docs/rules/swashbuckle.md N5)."""

from dataclasses import replace

import pytest

from captains_table.games.contract import BadOption, Decide, PickAsk
from captains_table.games.swashbuckle.sheet import BOXES, Sheet
from captains_table.games.swashbuckle.state import State
from tests.support.dice_harness import open_ids, result, totals
from tests.support.swashbuckle_play import GAME, PLAIN, all_but, latest_events, said, start

FULL = Sheet(tuple(5 for _ in BOXES))


def with_columns(state: State, seat: int, *columns: Sheet) -> State:
    """Return the state with all columns of one seat replaced."""
    count = state.options.columns
    assert len(columns) == count
    return replace(state, sheets=(*state.sheets[: seat * count], *columns, *state.sheets[(seat + 1) * count :]))


def labels(state: State) -> list[str]:
    """Return what the options that are asked for now are called."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return [option.label for option in turn.ask.options]


@pytest.mark.parametrize("columns", ["0", "7", "two", ""])
def test_n5_there_are_one_to_six_columns(columns: str) -> None:
    with pytest.raises(BadOption, match="columns"):
        start(columns=columns)


def test_n5_with_one_column_ids_stay_as_they_are() -> None:
    assert "score-flotsam" in open_ids(GAME, said(start(columns="1"), PLAIN))


def test_n5_a_throw_is_written_into_any_open_box_of_any_column() -> None:
    state = said(start("Anne", columns="2"), "11133")
    assert open_ids(GAME, state)[1:5] == [
        "score-full-boat-1",
        "score-full-boat-2",
        "score-three-alike-1",
        "score-three-alike-2",
    ]
    assert labels(state)[1:3] == ["I Full boat: 25", "II Full boat: 25"]
    state = said(state, "score-full-boat-2", "11133", "score-full-boat-1", "11133")
    assert not any("full-boat" in id_ for id_ in open_ids(GAME, state))
    assert [sheet["full-boat"] for sheet in state.columns_of(0)] == [25, 25]
    assert totals(GAME, state) == [50]


def test_n5_boxes_whose_own_ids_end_with_a_number_are_told_apart() -> None:
    state = said(start("Anne", columns="6"), "12345", "score-succession-4-6")
    assert state.columns_of(0)[5]["succession-4"] == 30
    assert said(start("Anne", columns="6"), "11222", "score-pieces-of-8-3").columns_of(0)[2]["pieces-of-8"] == 45


def test_n5_each_plays_sixteen_turns_for_each_column() -> None:
    state = start("Anne", columns="3")
    assert GAME.heading(state) == "Turn 1 of 48"
    state = with_columns(state, 0, FULL, FULL, all_but("flotsam"))
    assert GAME.heading(state) == "Turn 48 of 48"
    assert result(GAME, said(state, PLAIN, "score-flotsam-3")).scores == (2 * (16 * 5 + 10) + 15 * 5 + 14 + 10,)


def test_n5_nothing_is_scuttled_while_a_box_of_any_column_takes_points() -> None:
    state = with_columns(start("Anne", columns="2"), 0, all_but("sixes"), all_but("ones"))
    state = said(state, PLAIN)
    assert [id_ for id_ in open_ids(GAME, state) if id_ != "throw-again"] == ["score-sixes-1", "score-ones-2"]
    state = said(with_columns(start("Anne", columns="2"), 0, all_but("fives"), all_but("fours")), PLAIN)
    assert [id_ for id_ in open_ids(GAME, state) if id_ != "throw-again"] == ["scuttle-fives-1", "scuttle-fours-2"]


def test_n5_blimey_and_smooth_sailing_count_for_each_column() -> None:
    nest = Sheet((3, 6, 9, 12, 15, None, *[5] * 10))
    state = with_columns(start("Anne", columns="2"), 0, nest, nest)
    state = said(state, "66661", "score-sixes-1")
    assert latest_events(state) == ["nest", "blimey", "smooth-sailing"]
    state = said(state, "66661", "score-sixes-2")
    assert totals(GAME, state) == [2 * (45 + 24 + 45 + 50 + 10)]


def test_n5_hornswaggle_is_once_for_each_column_and_once_a_turn() -> None:
    state = start("Anne", columns="2")
    for column in (1, 2):
        state = said(state, PLAIN, "throw-again", "keep 1 2 3 4", "6", "throw-again", "keep 1 2 3 4", "6")
        assert "hornswaggle" in open_ids(GAME, state)
        state = said(state, "hornswaggle", "keep 1 2 3 4", "6")
        assert "hornswaggle" not in open_ids(GAME, state)
        state = said(state, f"score-flotsam-{column}")
    assert [sheet.hornswaggle for sheet in state.columns_of(0)] == [15, 15]
    state = said(state, PLAIN, "throw-again", "keep 1 2 3 4", "6", "throw-again", "keep 1 2 3 4", "6")
    assert "hornswaggle" not in open_ids(GAME, state)


def test_n5_a_piracy_throw_is_not_hornswaggled_in_a_turn_that_was() -> None:
    state = said(
        start("Anne", columns="2"), "23455", "throw-again", "keep 1 2 3 4", "5", "throw-again", "keep 1 2 3 4", "5"
    )
    state = said(state, "hornswaggle", "keep 1 2 3 4", "6", "score-piracy-1")
    assert said(state, "66541").columns_of(0)[0]["piracy"] == 22
    fresh = said(start("Anne", columns="2"), "23456", "score-piracy-2", "66541")
    assert open_ids(GAME, fresh) == ["stand", "hornswaggle"]


def test_n5_raids_and_being_pillaged_are_once_for_each_column() -> None:
    state = start(columns="2")
    for column in (1, 2):
        state = said(state, "12345", f"score-piracy-{column}", "66541", "stand", "raid-1", "no-curse")
        state = said(state, PLAIN, f"score-flotsam-{column}", "no-curse")
    assert [sheet.pillaged for sheet in state.columns_of(1)] == [22, 22]
    state = said(state, "12345")
    assert not any("piracy" in id_ for id_ in open_ids(GAME, state))
    state = with_columns(state, 0, Sheet(), Sheet())
    state = said(state, "throw-again", "keep 1 2 3 4", "5", "score-piracy-1", "66541", "stand")
    assert not [id_ for id_ in open_ids(GAME, state) if id_.startswith("raid")]  # both his columns were pillaged


def test_n5_the_curse_is_once_for_each_column_and_one_at_the_end_of_a_turn() -> None:
    state = start(columns="2")
    for turn in (1, 2):
        state = said(state, PLAIN, f"score-flotsam-{turn}", "curse-1")
        assert state.seat == 1
        state = said(state, "1133", f"score-ones-{turn}", "no-curse")
    assert [sheet.cursed for sheet in state.columns_of(0)] == [1, 1]
    state = said(state, PLAIN, "score-threes-1")
    assert state.seat == 1  # none left: nothing is asked


def test_n5_a_bonus_mark_goes_with_any_column_whose_box_is_scored() -> None:
    state = with_columns(start("Anne", columns="2"), 0, Sheet(), Sheet().with_box("swashbuckle", 50))
    state = said(state, "44444", "score-swashbuckle-1")
    assert [sheet.marks for sheet in state.columns_of(0)] == [0, 1]
    assert totals(GAME, state) == [50 + 50 + 50]
    state = said(state, "44444", "score-fours-2")
    assert sum(sheet.marks for sheet in state.columns_of(0)) == 2  # one mark a throw, though both boxes are scored


def test_n5_the_maximum_is_written_only_where_no_box_of_any_column_takes_points() -> None:
    left, right = all_but("ones").with_box("ones", 1), all_but("fives", "fours")
    state = said(with_columns(start("Anne", columns="2"), 0, left, right), "44444")
    assert [id_ for id_ in open_ids(GAME, state) if id_ != "throw-again"] == ["score-fours-2"]
    right = all_but("fives", "sixes")
    state = said(with_columns(start("Anne", columns="2"), 0, left, right), "44444")
    assert labels(state)[1:] == ["II Sixes: 30", "II Fives: 25"]


def test_n5_total_plunder_is_that_of_all_columns_and_nobody_earns_a_rank() -> None:
    state = with_columns(start("Anne", columns="2"), 0, FULL, all_but("flotsam"))
    state = said(state, PLAIN, "score-flotsam-2")
    assert result(GAME, state).scores == (sum(sheet.total for sheet in state.sheets),)
    assert "rank" not in latest_events(state)
    assert GAME.details(state)["ranks"] == {}


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
    before = said(start(columns="2"), "11133")
    chosen = said(before, "score-full-boat-2")
    after = GAME.outcome(chosen, said(chosen, "no-curse"), [1, 1, 1, 3, 3])
    assert after is not None
    assert after.words == "II Full boat: 25"
