"""Swashbuckle by rule number (docs/rules/swashbuckle.md)."""

from dataclasses import replace

import pytest

from captains_table.games.contract import BadOption, Roll
from captains_table.games.swashbuckle.sheet import BOXES
from tests.support.swashbuckle_play import (
    GAME,
    PLAIN,
    all_but,
    ids,
    keep_ask,
    latest_events,
    pick_ask,
    result,
    said,
    seat_now,
    start,
    totals,
    with_filled,
    with_sheet,
)


def crowd(count: int) -> list[str]:
    return [f"Player {number}" for number in range(1, count + 1)]


# --- W1, W9: who begins ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "faces", "begins"),
    [(3, "664", 2), (4, "6226", None), (4, "62261332", 3), (8, "66554433", None), (8, "66554432", 6)],
)
def test_w1_the_highest_die_begins_tied_players_count_nothing_and_if_all_are_tied_all_throw_again(
    count: int, faces: str, begins: int | None
) -> None:
    state = said(GAME.start(crowd(count), {}), *faces)
    assert (seat_now(state), GAME.heading(state)) == (
        (0, "Who begins?") if begins is None else (begins, "Turn 1 of 16")
    )


def test_w9_of_nine_and_more_those_who_threw_highest_throw_again_until_one_leads() -> None:
    state = said(GAME.start(crowd(32), {}), *(["6", "1"] * 16))
    assert state.latest_events[-1].words == "16 threw highest and throw again"
    throwers = []
    for face in ["2"] * 14 + ["5", "5", "3", "4"]:
        throwers.append(seat_now(state))
        state = said(state, face)
    assert throwers == [*range(0, 32, 2), 28, 30]
    assert (GAME.heading(state), seat_now(state)) == ("Turn 1 of 16", 30)
    with pytest.raises(BadOption, match="32"):
        GAME.start(crowd(33), {})


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (2, "The highest die that nobody shares begins"),
        (8, "The highest die that nobody shares begins"),
        (9, "The highest die begins; those who share it throw again"),
    ],
)
def test_w1_w9_before_the_throw_one_is_told_who_will_begin(count: int, said: str) -> None:
    turn = GAME.turn(GAME.start(crowd(count), {}))
    assert isinstance(turn, Roll)
    assert turn.then == said


def test_w1_the_captain_begins_instead() -> None:
    turn = GAME.turn(GAME.start(("Anne", "Bart"), {"captain": "Bart"}))
    assert turn == Roll(1, (1, 2, 3, 4, 5), at_once=False, prompt="Bart: throw the dice")


def test_w1_everybody_has_sixteen_turns() -> None:
    state, turns = start("Anne", "Bart"), [0, 0]
    while isinstance(GAME.turn(state), Roll):
        turns[state.seat] += 1
        state = said(state, "12346")
        fill = next((id_ for id_ in ids(state) if id_.startswith(("score-", "scuttle-")) and "piracy" not in id_), None)
        state = said(state, fill or "scuttle-piracy")
        state = said(state, "no-curse") if "no-curse" in ids(state) else state
    assert turns == [16, 16]


# --- W2: a turn -----------------------------------------------------------------------------------------------------


def test_w2_a_turn_is_three_throws_of_any_dice_and_a_held_die_may_be_thrown_later() -> None:
    state = said(start(), "11356", "throw-again", "keep 1 2", "444", "throw-again", "keep 3 4 5", "66")
    assert [die.face for die in GAME.dice(state)] == [6, 6, 4, 4, 4]
    assert "throw-again" not in ids(state)
    assert ids(state)[:2] == ["score-full-boat", "score-three-alike"]


def test_w2_a_box_may_be_filled_after_any_throw_and_for_good() -> None:
    state = said(start("Anne"), PLAIN, "score-flotsam", PLAIN)
    assert totals(state) == [14]
    assert "score-flotsam" not in ids(state)


# --- W3: scuttling --------------------------------------------------------------------------------------------------


def test_w3_a_scuttle_is_refused_while_an_open_box_takes_points_unless_it_was_agreed() -> None:
    assert not [id_ for id_ in ids(said(start(), PLAIN)) if id_.startswith("scuttle")]
    assert {f"scuttle-{box}" for box in BOXES} <= set(ids(said(start(voluntary_scuttle="true"), PLAIN)))


def test_w3_a_scuttle_is_forced_when_no_open_box_takes_points() -> None:
    state = said(with_sheet(start("Anne"), 0, all_but("full-boat", "piracy")), PLAIN)
    assert ids(state) == ["throw-again", "scuttle-full-boat", "scuttle-piracy"]
    assert said(state, "scuttle-full-boat").sheets[0]["full-boat"] == 0


@pytest.mark.parametrize(("throws", "boxes", "twice"), [(1, 1, True), (1, 2, True), (3, 2, True), (3, 1, False)])
def test_w3_a_box_is_given_up_once_asked_only_where_nothing_else_is_left(throws: int, boxes: int, twice: bool) -> None:  # noqa: FBT001
    """Of the full boat nothing comes of five different dice; flotsam takes points."""
    state = with_sheet(start("Anne", voluntary_scuttle="true"), 0, all_but(*("full-boat", "flotsam")[:boxes]))
    state = said(state, PLAIN, *("throw-again", "keep", PLAIN) * (throws - 1))
    scuttles = [option for option in pick_ask(state).options if option.id.startswith("scuttle-")]
    assert {option.asked_twice for option in scuttles} == {twice}


# --- W4: hornswaggle ------------------------------------------------------------------------------------------------


def test_w4_one_extra_throw_costs_fifteen_once_a_match() -> None:
    state = said(start("Anne"), PLAIN, "throw-again", "keep", PLAIN)
    assert "hornswaggle" not in ids(state), "not before the throws are used"
    state = said(state, "throw-again", "keep", PLAIN)
    assert ids(state)[-1] == "hornswaggle"
    state = said(state, "hornswaggle", "keep 5", "6666")
    assert totals(state) == [-15]
    assert not {"hornswaggle", "throw-again"} & set(ids(state))
    state = said(state, "score-swashbuckle")
    assert totals(state) == [35]
    assert "hornswaggle" not in ids(said(state, PLAIN, *("throw-again", "keep", PLAIN) * 2))


# --- W5: swashbuckle again ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filled", "words", "marks", "total"),
    [
        ({"swashbuckle": 50}, ("33333", "score-threes"), 1, 50 + 50 + 15),
        ({"swashbuckle": 50}, ("33333", "throw-again", "keep 1 2 3 4", "2", "score-threes"), 0, 50 + 12),
        ({"swashbuckle": 0}, ("33333", "score-threes"), 0, 15),
        ({}, ("33333", "score-threes"), 0, 15),
        ({}, ("33333", "score-swashbuckle"), 0, 50),
    ],
    ids=["swashbuckle again", "thrown again", "scuttled before", "the first in another box", "the first in its box"],
)
def test_w5_only_swashbuckle_again_is_marked_and_scored_where_a_box_takes_points(
    filled: dict[str, int], words: tuple[str, ...], marks: int, total: int
) -> None:
    state = said(with_filled(start("Anne"), **filled), *words)
    assert (state.sheets[0].marks, totals(state)) == (marks, [total])


def test_w5_without_a_scoring_box_any_open_box_gets_its_maximum() -> None:
    state = with_sheet(start("Anne"), 0, replace(all_but("sixes", "full-boat", "pieces-of-8"), marks=1))
    state = said(state, "33333")
    assert ids(state) == ["throw-again", "score-pieces-of-8", "score-sixes", "score-full-boat"]
    after = said(state, "score-sixes")
    assert (after.sheets[0]["sixes"], after.sheets[0].marks) == (30, 2)


def test_w5_the_maximum_of_piracy_is_thirty_six_and_a_victim_loses_as_much() -> None:
    state = said(with_sheet(start(), 0, all_but("piracy", "ones")), "33333", "score-piracy")
    assert ids(state) == ["raid-1"]
    state = said(state, "raid-1")
    assert (state.sheets[0]["piracy"], state.sheets[1].total) == (36, -36)


# --- W8: the end ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("last", "winner"), [("66661", 0), ("66651", None), ("66641", 1)])
def test_w8_the_highest_total_wins_and_a_tie_is_shared(last: str, winner: int | None) -> None:
    state = with_sheet(with_sheet(start(), 0, all_but("flotsam")), 1, all_but("flotsam"))
    state = said(state, last, "score-flotsam", "no-curse", "66651", "score-flotsam")
    assert (result(state).winner, result(state).scores[1]) == (winner, 15 * 5 + 24 + 10)


# --- what is seen ---------------------------------------------------------------------------------------------------


def test_blimey_and_smooth_sailing_are_told_when_they_come() -> None:
    sheet = replace(all_but("sixes"), filled=(3, 6, 9, 12, 20, *all_but("sixes").filled[5:]))
    state = said(with_sheet(start("Anne"), 0, sheet), "66611", "score-sixes")
    assert latest_events(state) == ["nest", "blimey", "smooth-sailing", "rank"]
    assert result(state).scores == (3 + 6 + 9 + 12 + 20 + 18 + 45 + 50 + 10,)


def test_the_sheets_are_told_by_name_and_box() -> None:
    state = said(start(), "12345", "score-piracy", "66541", "stand", "raid-1", "curse-1")
    sheets = GAME.details(state)["sheets"]
    assert isinstance(sheets, dict)
    assert (sheets["Anne"]["piracy"], sheets["Anne"]["curse"], sheets["Bart"]["pillaged"]) == (22, "Bart", 22)
    assert (sheets["Anne"]["ones"], sheets["Bart"]["total"]) == (None, -22)
    rows = {row.title: row.cells for row in GAME.sheet(state)}
    assert (rows["Piracy"], rows["Pillaged"]) == (("22", ""), ("", "\N{MINUS SIGN}22"))
    assert rows["Total plunder"] == ("22", "\N{MINUS SIGN}22")
    assert len(rows) == 16 + 10


@pytest.mark.parametrize(
    ("dice", "kept"),
    [
        ("11336", (3, 4)),
        ("12345", (2, 3, 4, 5)),
        ("66666", (1, 2, 3, 4)),
        ("12346", (1, 2, 3, 4)),
        ("55511", (1, 2, 3)),
    ],
)
def test_the_cursor_starts_with_the_dice_a_sensible_player_keeps(dice: str, kept: tuple[int, ...]) -> None:
    assert keep_ask(said(start(), dice, "throw-again")).default == kept


@pytest.mark.parametrize(
    "options", [{"captain": "Cora"}, {"aces_high": "0"}, {"pillage": "both"}, {"voluntary_scuttle": "1"}, {"a": "b"}]
)
def test_an_option_that_cannot_be_is_refused_in_words(options: dict[str, str]) -> None:
    with pytest.raises(BadOption, match="expected"):
        GAME.start(("Anne", "Bart"), options)
