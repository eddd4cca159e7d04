"""The last throw: what ended a turn, or decided who begins, is seen for a moment before the next player's dice."""

import pytest

from captains_table.games.contract import EventKind
from captains_table.table.model.events import Button
from captains_table.table.model.view import LastThrow, Phase
from captains_table.table.playing.moment import SHOWN_MS
from tests.support.dice_table import DiceTable

SEATED = {"order": "seated"}
CREW = "ship-captain-crew"
BARE = {"fen": "4k3/7p/8/8/8/8/7P/4K3 w - - 0 1"}


def crew_table() -> DiceTable:
    return DiceTable(CREW, options=SEATED)


def last_throw(table: DiceTable) -> LastThrow:
    seen = table.view.last_throw
    assert seen is not None
    return seen


def told(table: DiceTable) -> tuple[int, list[int | None], str, list[int | None]]:
    """Return whose throw is seen, its faces, its words and the faces that counted."""
    seen = last_throw(table)
    faces = [die.face for die in seen.dice]
    return seen.seat, faces, seen.words, [faces[index] for index in seen.lit]


def table_after_three_throws() -> DiceTable:
    table = crew_table()
    table.throw(6, 5, 1, 1, 1)
    table.throw(4, 2, 1)
    table.pick("throw-again", dice=(4, 5))
    return table


def after_the_last_throw(options: dict[str, str], *, die: int, cargo: tuple[int, ...] = (1, 1, 1, 1, 1)) -> DiceTable:
    """Return a table at which the cargo of a turn of Legend was thrown three times, then its Legend die."""
    table = DiceTable("legend", options=options)
    table.pick("roll-cargo", dice=(1, 1, 1, 1, 1))
    table.pick("throw-again")
    table.keep(dice=(1, 1, 1, 1, 1))
    table.pick("throw-again")
    table.keep(dice=cargo)
    table.pick("roll-legend", dice=(die,))
    return table


# --- how long -------------------------------------------------------------------------------------------------------


def test_the_third_throw_is_seen_though_the_next_players_dice_are_due() -> None:
    table = table_after_three_throws()
    assert told(table) == (0, [6, 5, 4, 4, 5], "Cargo 9", [4, 5])
    assert [die.held for die in last_throw(table).dice] == [True, True, True, False, False]
    assert [(event.kind, event.points) for event in last_throw(table).scored] == [(EventKind.CARGO, 9)]
    assert (table.view.seat, table.faces()) == (1, [None] * 5)


def test_it_goes_by_itself_after_its_time_and_not_before() -> None:
    table = table_after_three_throws()
    assert table.session.due_ms() == table.now_ms + SHOWN_MS
    table.wait(SHOWN_MS - 1)
    assert table.view.last_throw is not None
    table.wait(1)
    assert table.view.last_throw is None
    assert table.session.due_ms() is None


@pytest.mark.parametrize("button", [button for button in Button if button is not Button.ROLL])
def test_the_next_press_ends_it(button: Button) -> None:
    table = table_after_three_throws()
    table.hold(button)
    assert table.view.last_throw is None
    assert table.session.due_ms() is None or button is Button.BACK


def test_the_next_players_dice_tumble_in_its_place_at_the_next_press() -> None:
    table = table_after_three_throws()
    table.hold()
    assert (table.view.last_throw, table.view.tumbling) == (None, (0, 1, 2, 3, 4))


def test_an_answer_ends_it() -> None:
    table = DiceTable("legend", options=BARE)
    table.throw(6, 5, 4, 1, 1, 6)
    table.pick("e1e2")
    table.pick("done")
    assert table.view.last_throw is not None
    table.pick("roll", dice=(1, 1, 1, 1, 1, 1))
    assert table.view.last_throw is None


def test_a_power_cut_leaves_none() -> None:
    table = table_after_three_throws()
    table.cut_power()
    assert (table.view.seat, table.view.last_throw) == (1, None)


def test_a_throw_that_ends_nothing_is_no_last_throw() -> None:
    table = crew_table()
    table.throw(6, 5, 4, 1, 1)
    assert table.view.last_throw is None


# --- each game ------------------------------------------------------------------------------------------------------


def test_a_cargo_that_stands_is_seen_with_what_it_scored() -> None:
    table = crew_table()
    table.throw(3, 5, 4, 6, 6)
    table.pick("stand")
    assert told(table) == (0, [3, 5, 4, 6, 6], "Cargo 9", [3, 6])


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ((1, 1, 1, 1, 1), "No ship, no cargo"),
        ((6, 4, 4, 1, 1), "No captain, no cargo"),
        ((6, 5, 1, 1, 1), "No crew, no cargo"),
    ],
)
def test_a_turn_without_cargo_says_who_was_missing_and_lights_nothing(faces: tuple[int, ...], words: str) -> None:
    table = crew_table()
    table.throw(*faces)
    loose = sum(not die.held for die in table.view.dice)
    table.throw(*[1] * loose)
    table.throw(*[1] * loose)
    assert (last_throw(table).words, last_throw(table).lit) == (words, ())


def test_every_throw_for_the_start_of_ship_captain_and_crew_is_seen() -> None:
    table = DiceTable(CREW)
    table.throw(1, 2, 3, 4, 5)
    assert told(table) == (0, [1, 2, 3, 4, 5], "15 for the start", [1, 2, 3, 4, 5])
    table.throw(6, 6, 6, 6, 6)
    assert told(table) == (1, [6] * 5, "30: Bart begins", [6] * 5)
    assert table.faces() == [None] * 5


def test_every_throw_for_the_start_of_swashbuckle_is_seen() -> None:
    table = DiceTable("swashbuckle")
    table.throw(5)
    assert told(table) == (0, [5], "5 for the start", [5])
    table.throw(5)
    assert told(table) == (1, [5], "5: All are tied and throw again", [5])


@pytest.mark.parametrize(
    ("faces", "box", "words", "lit"),
    [
        ((2, 2, 5, 6, 1), "score-twos", "Twos: 4", [2, 2]),
        ((1, 1, 1, 1, 4), "score-aces-high", "Aces high: 45", [1, 1, 1, 1]),
        ((5, 3, 4, 2, 2), "score-succession-4", "Succession of 4: 30", [5, 3, 4, 2]),
        ((3, 3, 3, 6, 1), "score-three-alike", "3 alike: 16", [3, 3, 3, 6, 1]),
        ((2, 2, 3, 3, 3), "score-full-boat", "Full boat: 25", [2, 2, 3, 3, 3]),
    ],
)
def test_a_box_of_swashbuckle_lights_the_dice_it_counted(
    faces: tuple[int, ...], box: str, words: str, lit: list[int | None]
) -> None:
    table = DiceTable("swashbuckle", options=SEATED)
    table.throw(*faces)
    table.pick(box)
    assert table.view.last_throw is None  # the curse is still to be spoken, and the dice lie
    table.pick("no-curse")
    assert told(table) == (0, list(faces), words, lit)


def test_a_box_given_up_is_seen_with_nothing_lit() -> None:
    table = DiceTable("swashbuckle", options={**SEATED, "voluntary_scuttle": "true"})
    table.throw(1, 2, 3, 4, 6)
    table.pick("scuttle-sixes")
    table.pick("curse-1")
    assert told(table) == (0, [1, 2, 3, 4, 6], "Sixes scuttled", [])


def test_the_piracy_throw_is_what_is_seen_of_its_turn() -> None:
    table = DiceTable("swashbuckle", options=SEATED)
    table.throw(2, 3, 4, 5, 6)
    table.pick("score-piracy")
    table.throw(6, 6, 6, 6, 5)
    table.pick("stand")
    table.pick("raid-1")
    table.pick("no-curse")
    assert told(table) == (0, [6, 6, 6, 6, 5], "Piracy: 29", [6, 6, 6, 6, 5])


def test_a_turn_of_legend_is_seen_with_its_cargo() -> None:
    table = DiceTable("legend", options=BARE)
    table.throw(6, 5, 4, 2, 3, 6)
    table.pick("e1e2")
    table.pick("done")
    assert told(table) == (0, [6, 5, 4, 2, 3, 6], "Cargo 5", [2, 3])
    assert table.faces() == [None] * 6


def test_a_move_that_ends_the_turn_lights_the_legend_die_it_was_made_with() -> None:
    table = after_the_last_throw(BARE, die=6, cargo=(6, 5, 4, 2, 3))
    table.lift("e1")
    table.place("e2")
    assert told(table) == (0, [6, 5, 4, 2, 3, 6], "Legend 6. Cargo 5", [2, 3, 6])


def test_a_move_that_is_taken_back_takes_the_last_throw_with_it() -> None:
    table = after_the_last_throw(BARE, die=6)
    table.lift("e1")
    table.place("e2")
    assert last_throw(table).words == "Legend 6. No ship, no cargo"
    table.lift("e2")
    table.place("e1")
    table.wait(500)
    assert (table.view.seat, table.view.last_throw) == (0, None)


def test_a_treasure_that_ends_the_turn_is_seen_with_its_two_dice() -> None:
    table = after_the_last_throw({"fen": "4k3/8/7P/8/8/8/8/4K3 w - - 0 1"}, die=1)
    table.pick("h6h7")
    table.throw(3, 4)
    assert told(table) == (0, [1, 1, 1, 1, 1, 1, 3, 4], "Treasure 7. No ship, no cargo", [3, 4])


def test_a_genie_who_finds_no_vacant_square_ends_no_turn() -> None:
    table = DiceTable("legend", options={"fen": "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1"})
    table.throw(6, 5, 4, 1, 1, 1)
    table.pick("genie")
    table.throw(1, 1)
    assert table.view.last_throw is None


def test_a_round_that_is_abandoned_shows_no_throw() -> None:
    table = DiceTable("legend", options=BARE)
    table.throw(6, 5, 4, 1, 1, 6)
    table.pick("abandon")
    table.pick("agree")
    assert table.view.last_throw is None


def test_a_match_that_a_throw_decides_shows_what_scored_next_to_the_result() -> None:
    table = DiceTable(CREW, "Anne", options={"mode": "single"})
    table.throw(6, 5, 4, 3, 6)
    table.pick("stand")
    assert table.view.phase is Phase.OVER
    assert told(table) == (0, [6, 5, 4, 3, 6], "Cargo 9", [3, 6])
    table.wait(SHOWN_MS)
    assert table.view.last_throw is None


def test_a_capture_that_may_still_be_another_is_not_told_with_the_throw() -> None:
    table = after_the_last_throw({"fen": "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"}, die=6)
    table.lift("e2")
    table.lift("e1")
    table.place("e2")
    assert [event.kind for event in last_throw(table).scored] == [EventKind.LEGEND, EventKind.CARGO]


def test_a_capture_that_was_said_is_told_with_the_throw() -> None:
    table = after_the_last_throw({"fen": "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"}, die=6)
    table.pick("e1e2")
    assert EventKind.CAPTURE in [event.kind for event in last_throw(table).scored]


def test_a_game_without_dice_has_none() -> None:
    table = DiceTable("captains-chess")
    table.lift("e2")
    table.place("e4")
    assert table.view.last_throw is None
