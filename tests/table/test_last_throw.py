"""The last throw: what ended a turn, or decided who begins, is seen for a moment before the next player's dice."""

import pytest

from captains_table.games.contract import EventKind
from captains_table.table.model.events import Button
from captains_table.table.model.view import LastThrow, Phase
from captains_table.table.playing.timed_displays import SHOWN_MS
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


def test_it_goes_by_itself_after_its_time_and_not_before_and_a_power_cut_leaves_none() -> None:
    table = table_after_three_throws()
    assert table.session.due_ms() == table.now_ms + SHOWN_MS
    table.wait(SHOWN_MS - 1)
    assert table.view.last_throw is not None
    table.wait(1)
    assert table.view.last_throw is None
    assert table.session.due_ms() is None
    table = table_after_three_throws()
    table.cut_power()
    assert (table.view.seat, table.view.last_throw) == (1, None)


@pytest.mark.parametrize("button", Button)
def test_the_next_press_ends_it(button: Button) -> None:
    table = table_after_three_throws()
    table.hold(button)
    assert table.view.last_throw is None
    if button is Button.ROLL:
        assert table.view.tumbling == (0, 1, 2, 3, 4), "the next player's dice"


def test_an_answer_ends_it() -> None:
    table = DiceTable("legend", options=BARE)
    table.throw(6, 5, 4, 2, 3, 6)
    table.pick("e1e2")
    table.pick("done")
    table.pick("roll", dice=(1, 1, 1, 1, 1, 1))
    assert table.view.last_throw is None


def test_pages_keep_it_until_the_next_throw_falls() -> None:
    table = table_after_three_throws()
    seen = last_throw(table)
    for button in (Button.NEXT, Button.BACK):
        table.hold(button)
        assert (table.view.last_throw, table.view.past_throw) == (None, seen)
    table.wait(SHOWN_MS)
    assert table.view.past_throw == seen
    table.throw(1, 2, 3, 4, 5)
    assert table.view.past_throw is None
    table = table_after_three_throws()
    table.cut_power()
    assert table.view.past_throw is None


# --- each game ------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("game", "throws", "words"),
    [
        (CREW, [(1, 2, 3, 4, 5), (6, 6, 6, 6, 6)], ["15 for the start", "30: Bart begins"]),
        ("swashbuckle", [(5,), (5,)], ["5 for the start", "5: All are tied and throw again"]),
    ],
)
def test_every_throw_for_the_start_is_seen(game: str, throws: list[tuple[int, ...]], words: list[str]) -> None:
    table = DiceTable(game)
    for seat, faces in enumerate(throws):
        table.throw(*faces)
        assert told(table) == (seat, list(faces), words[seat], list(faces))
    assert set(table.faces()) == {None}


@pytest.mark.parametrize(
    ("game", "names", "throws", "then"),
    [
        (CREW, ("Anne", "Bart"), [(1, 2, 3, 4, 5)], "The highest total begins"),
        (CREW, ("Anne", "Bart"), [(1,) * 5, (1,) * 5], "A tie, one die each. The highest begins"),
        (CREW, ("Anne", "Bart"), [(1,) * 5, (1,) * 5, (4,), (4,)], "A tie again, one die each. The highest begins"),
        (
            CREW,
            ("Anne", "Bart"),
            [(6,) * 5, (1,) * 5],
            "Anne begins. Find a ship (6), then a captain (5), then a crew (4)",
        ),
        (
            "swashbuckle",
            ("Anne", "Bart"),
            [(1,), (1,)],
            "All are tied and throw again. The highest die that nobody shares begins",
        ),
        (
            "swashbuckle",
            ("Anne", "Bart"),
            [(1,), (2,)],
            "Bart begins. Up to 3 throws, then one box of your sheet is filled",
        ),
    ],
)
def test_who_begins_is_said_until_the_first_throw(
    game: str, names: tuple[str, ...], throws: list[tuple[int, ...]], then: str
) -> None:
    table = DiceTable(game, *names)
    for faces in throws:
        table.throw(*faces)
    assert table.view.prompt[1:] == (then,)


Step = tuple[int, ...] | str
SCUTTLES = {**SEATED, "voluntary_scuttle": "true"}


@pytest.mark.parametrize(
    ("game", "options", "steps", "words", "lit"),
    [
        (CREW, SEATED, [(3, 5, 4, 6, 6), "stand"], "Cargo 9", [3, 6]),
        ("swashbuckle", SEATED, [(2, 2, 5, 6, 1), "score-twos", "no-curse"], "Twos: 4", [2, 2]),
        ("swashbuckle", SEATED, [(1, 1, 1, 1, 4), "score-aces-high", "no-curse"], "Aces high: 45", [1, 1, 1, 1]),
        (
            "swashbuckle",
            SEATED,
            [(5, 3, 4, 2, 2), "score-succession-4", "no-curse"],
            "Succession of 4: 30",
            [5, 3, 4, 2],
        ),
        ("swashbuckle", SEATED, [(3, 3, 3, 6, 1), "score-three-alike", "no-curse"], "3 alike: 16", [3, 3, 3, 6, 1]),
        ("swashbuckle", SEATED, [(2, 2, 3, 3, 3), "score-full-boat", "no-curse"], "Full boat: 25", [2, 2, 3, 3, 3]),
        ("swashbuckle", SCUTTLES, [(1, 2, 3, 4, 6), "scuttle-sixes", "curse-1"], "Sixes scuttled", []),
        pytest.param(
            *("swashbuckle", SEATED, [(2, 3, 4, 5, 6), "score-piracy", (6, 6, 6, 6, 5), "stand", "raid-1", "no-curse"]),
            *("Piracy: 29", [6, 6, 6, 6, 5]),
            id="the piracy throw is what is seen of its turn",
        ),
        ("legend", BARE, [(6, 5, 4, 2, 3, 6), "e1e2", "done"], "Legend 6. Cargo 5", [2, 3, 6]),
    ],
)
def test_the_throw_that_ended_a_turn_is_seen_with_what_it_scored_and_lights_the_dice_that_counted(
    game: str, options: dict[str, str], steps: list[Step], words: str, lit: list[int | None]
) -> None:
    table = DiceTable(game, options=options)
    for step in steps:
        assert table.view.last_throw is None  # something is still to be said, and the dice lie
        table.pick(step) if isinstance(step, str) else table.throw(*step)
    faces = [step for step in steps if not isinstance(step, str)][-1]
    assert told(table) == (0, list(faces), words, lit)
    assert set(table.faces()) == {None}


@pytest.mark.parametrize(
    ("cargo", "words", "lit"),
    [((6, 5, 4, 2, 3), "Legend 6. Cargo 5", [2, 3, 6]), ((1,) * 5, "Legend 6. No ship, no cargo", [6])],
)
def test_a_move_that_ends_the_turn_lights_the_legend_die_it_was_made_with_until_it_is_taken_back(
    cargo: tuple[int, ...], words: str, lit: list[int | None]
) -> None:
    table = after_the_last_throw(BARE, die=6, cargo=cargo)
    table.lift("e1")
    table.place("e2")
    assert told(table) == (0, [*cargo, 6], words, lit)
    table.lift("e2")
    table.place("e1")
    table.wait(500)
    assert (table.view.seat, table.view.last_throw) == (0, None)


def test_a_treasure_that_ends_the_turn_is_seen_with_its_two_dice() -> None:
    table = after_the_last_throw({"fen": "4k3/8/7P/8/8/8/8/4K3 w - - 0 1"}, die=1)
    table.pick("h6h7")
    table.throw(3, 4)
    assert told(table) == (0, [1, 1, 1, 1, 1, 1, 3, 4], "Treasure 7. Legend 1. No ship, no cargo", [1, 3, 4])


@pytest.mark.parametrize("ending", [("genie", (1, 1)), ("abandon", ())], ids=["a genie", "an abandoned round"])
def test_a_genie_who_finds_no_vacant_square_and_a_round_that_is_abandoned_show_no_throw(
    ending: tuple[str, tuple[int, ...]],
) -> None:
    table = DiceTable("legend", options={"fen": "4k3/8/8/8/8/8/1P6/4K3 w - - 0 1"})
    table.throw(6, 5, 4, 1, 1, 1)
    table.pick(ending[0])
    table.throw(*ending[1]) if ending[1] else table.pick("agree")
    assert table.view.last_throw is None


def test_a_match_that_a_throw_decides_shows_what_scored_next_to_the_result() -> None:
    table = DiceTable(CREW, "Anne", options={"mode": "single"})
    table.throw(6, 5, 4, 3, 6)
    table.pick("stand")
    assert table.view.phase is Phase.OVER
    assert told(table) == (0, [6, 5, 4, 3, 6], "Cargo 9", [3, 6])
    table.wait(SHOWN_MS)
    assert table.view.last_throw is None


def test_a_capture_is_told_with_the_throw_if_it_was_said_and_not_while_it_may_still_be_another() -> None:
    options = {"fen": "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"}
    table = after_the_last_throw(options, die=6)
    table.lift("e2")
    table.lift("e1")
    table.place("e2")
    assert [event.kind for event in last_throw(table).scored] == [EventKind.LEGEND, EventKind.CARGO]
    table = after_the_last_throw(options, die=6)
    table.pick("e1e2")
    assert EventKind.CAPTURE in [event.kind for event in last_throw(table).scored]


def test_a_game_without_dice_has_none() -> None:
    table = DiceTable("captains-chess")
    table.lift("e2")
    table.place("e4")
    assert table.view.last_throw is None
