"""Lessons at a table that is really there: begun by the buttons, stored nowhere, told to nobody, and left."""

import io

import pytest

from captains_table.games.contract import Pick
from captains_table.runtime import match_control
from captains_table.runtime.match_control import NoLesson
from captains_table.runtime.table import Table
from captains_table.table.lessons.lesson import BadLesson
from captains_table.table.lessons.lesson_game import AGAIN, ENDING_PICKS, PLAY, wanted_action
from captains_table.table.model.events import AdviceAsked, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from tests.runtime.leaping_loop import leap
from tests.support.service_at_work import OpenTable, answer

HELD_S = Settings().leave_ms / 1000 + 0.1
MOST_STEPS = 200


def step(table: Table) -> int:
    """Return the step of the lesson that the table shows; 0 without a lesson."""
    coach = table.view().coach
    return 0 if coach is None else coach.step


async def go_through(table: Table) -> None:
    """Let the coach show everything, up to the end of the lesson."""
    for _ in range(MOST_STEPS):
        match = table.session.match
        assert match is not None
        if wanted_action(match) is not None:
            table.handle(AdviceAsked())
        await leap(2)
        if table.view().options and Pick(table.view().options[0].id) in ENDING_PICKS:
            return
    raise AssertionError("the lesson does not end")


async def test_a_lesson_is_begun_by_the_buttons_is_stored_nowhere_and_told_to_nobody(table: Table) -> None:
    table.matches.begin("", (), {})
    answer(table, "learn", "learn-ship-captain-crew")
    assert (step(table), table.view().phase) == (1, Phase.PLAYING)
    assert len(table.view().prompt) == 2, "two lines on the glass"
    await go_through(table)
    assert table.archive._file.matches() == []
    assert table.matches.listed() == []
    assert table.showing().view.phase is Phase.IDLE
    assert table.showing().match is None


async def test_at_its_end_a_match_is_begun_or_the_lesson_once_more(table: Table) -> None:
    table.matches.begin_lesson("ship-captain-crew")
    await go_through(table)
    answer(table, AGAIN.id)
    assert step(table) == 1
    await go_through(table)
    answer(table, PLAY.id)
    assert step(table) == 0
    [record] = table.archive._file.matches()
    assert record.started.seats == ("Sailor", "zephyr:1")
    assert "target" not in record.started.options or record.started.options["target"] != "15", (
        "not the lesson's options"
    )


async def test_back_held_long_ends_it_and_a_match_that_is_left_is_gone_on_with_afterwards(table: Table) -> None:
    table.matches.new_match("legend", ("Anne", "Bart"), {})
    with pytest.raises(NoLesson, match="A match is open"):
        table.matches.begin_lesson("crowns")
    table.matches.leave(for_good=False)
    table.matches.begin_lesson("crowns")
    assert step(table) == 1
    table.handle(ButtonPressed(Button.BACK))
    await leap(HELD_S)
    table.handle(ButtonReleased(Button.BACK))
    assert (step(table), table.view().phase) == (0, Phase.IDLE)
    table.matches.resume(1)
    assert table.view().game == "legend"


async def test_a_lesson_is_no_tape_and_cannot_be_begun_where_there_is_none(open_table: OpenTable) -> None:
    tape = io.StringIO()
    with open_table(tape=tape) as table:
        table.matches.begin_lesson("legend", 4)
        assert step(table) == 4
        await go_through(table)
        for wrong in (("pig", 1), ("mermaids", 1), ("legend", 0), ("legend", 99)):
            table.matches.leave(for_good=False)
            with pytest.raises(NoLesson):
                table.matches.begin_lesson(*wrong)
    assert "game" not in tape.getvalue()


async def test_a_lesson_that_cannot_be_read_is_refused_in_words(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(_: str) -> None:
        raise BadLesson("step 2: says has 46 words: expected at most 45")

    monkeypatch.setattr(match_control, "lesson_for", unreadable)
    with pytest.raises(NoLesson, match="cannot be held: step 2: says has 46 words"):
        table.matches.begin_lesson("legend")


async def test_after_a_power_cut_no_lesson_is_left(open_table: OpenTable) -> None:
    with open_table() as table:
        table.matches.begin_lesson("swashbuckle")
        assert step(table) == 1
    with open_table() as table:
        table.matches.begin("", (), {})
        assert (step(table), table.view().phase, table.matches.listed()) == (0, Phase.IDLE, [])
