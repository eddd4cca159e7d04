"""A table with a real board: late bursts keep their order, nothing is known before it is read, all goes on tape."""

import io
import json

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Pick, Rolled, parse_square
from captains_table.runtime.hardware_source import HELD_MS, HardwareSource
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import Acted, MatchStarted, Salted
from captains_table.table.model.events import (
    Answered,
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
    TimePassed,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from tests.support.played_table import PlayedTable
from tests.support.playing import played

STARTED = MatchStarted("legend", ("Anne", "Bart"), {})
START = frozenset(Match(STARTED).pieces())
E2, E4 = parse_square("e2"), parse_square("e4")
MISSING = "No board: looking for one"


class Bench(PlayedTable):
    """A table with a real board and a virtual clock."""

    def __init__(self, *, settings: Settings | None = None, resumed: bool = False, read: bool = True) -> None:
        self.tape = io.StringIO()
        self.now_ms = 10_000
        self.session = Session(settings or Settings())
        self.source = HardwareSource(self.session, MISSING)
        self.recorder = Recorder(self.session, self.tape)
        self.journal = MemoryJournal(STARTED)
        self.session.load(self.journal, DictatedDice([6] * 60), self.now_ms, resumed=resumed)
        self.recorder.start_tape(self.now_ms)
        self.source.begun(self.now_ms)
        if read:
            self.on_event(BoardRead(START))

    def wait(self, ms: int = 10_000) -> None:
        until_ms = self.now_ms + ms
        while (due_ms := self.session.due_ms()) is not None and due_ms <= until_ms:
            self.now_ms = max(due_ms, self.now_ms)
            self.session.handle(TimePassed(), self.now_ms)
        self.now_ms = until_ms
        self.session.handle(TimePassed(), until_ms)

    def on_event(self, event: BoardEvent, ago_ms: int = 0) -> None:
        self.source.report(event, self.now_ms - ago_ms)
        self.session.handle(TimePassed(), self.now_ms)

    def throw(self) -> None:
        self.press(held_ms=300)
        self.wait(1000)

    def move(self, *squares: str) -> None:
        for number, name in enumerate(squares):
            self.on_event(SwitchChanged(parse_square(name), closed=bool(number % 2)))
            self.wait(200)
        self.wait(1000)

    def actions(self) -> list[object]:
        return [entry.action for entry in self.entries() if isinstance(entry, Acted)]

    def replayed(self) -> list[dict[str, object]]:
        """Return the actions of the tape that was recorded, times left out."""
        result = played(self.tape.getvalue())
        assert result.code == 0, result.err
        return [action["action"] for action in result.actions]


def misplaced(bench: Bench) -> tuple[list[str], list[str]]:
    """Return the names of the squares that lack a piece, and of those with one too many."""
    wrong = bench.view.wrong
    return [str(square) for square in wrong.missing], [str(square) for square in wrong.extra]


def test_until_the_board_is_read_its_trouble_is_shown_in_its_own_words_and_the_buttons_work() -> None:
    bench = Bench(read=False)
    assert list(bench.view.faults) == [MISSING]
    assert not bench.view.wrong
    bench.press()
    assert Rolled((6,) * 6) in bench.actions()
    bench.on_event(BoardLost("Waiting for the board"))
    assert bench.view.faults == ("Waiting for the board",)
    bench.on_event(BoardRead(START))
    assert not bench.view.faults


@pytest.mark.parametrize("resumed", [False, True])
def test_a_board_that_is_read_for_the_first_time_is_guided_and_no_move_is_taken_from_it(*, resumed: bool) -> None:
    bench = Bench(resumed=resumed, read=False)
    bench.session.handle(Answered(Pick("roll")), bench.now_ms)
    before = bench.actions()
    bench.on_event(BoardRead(START - {E2} | {E4}))
    bench.wait(10_000)
    assert bench.actions() == before
    assert misplaced(bench) == (["e2"], ["e4"])
    assert bench.view.phase in (Phase.SETUP, Phase.RESTORING, Phase.PLAYING)
    bench.move("e4", "e2")
    assert not bench.view.wrong


def test_a_second_match_is_told_what_stands_on_the_board() -> None:
    bench = Bench()
    bench.throw()
    bench.move("e2", "e4")
    bench.session.load(MemoryJournal(STARTED), DictatedDice([6] * 6), bench.now_ms, resumed=False)
    bench.source.begun(bench.now_ms)
    assert bench.view.phase is Phase.SETUP
    assert misplaced(bench)[0] == ["e2"]


def test_a_lift_and_a_place_of_one_square_told_late_and_together_are_both_believed() -> None:
    bench = Bench()
    bench.throw()
    bench.wait(5000)
    for closed, ago_ms in ((False, 2000), (True, 1500), (False, 900)):
        bench.on_event(SwitchChanged(E2, closed), ago_ms)
    bench.on_event(SwitchChanged(E4, closed=True), 400)
    bench.wait(400)
    (report,) = [report for report in bench.session.referee.switch_reports() if report.square == E2]
    assert (report.changes, report.flickers) == (3, 0)
    assert bench.actions()[-1] == Pick("e2e4")


def test_what_is_told_in_time_is_taken_in_when_it_happened() -> None:
    bench = Bench()
    bench.wait(1000)
    bench.on_event(SwitchChanged(E2, closed=False), 3)
    assert not bench.source._reports
    assert E2 not in bench.view.switches


def test_a_late_burst_is_taken_in_at_once_and_none_of_it_is_swallowed() -> None:
    bench = Bench()
    bench.wait(60_000)
    for number in range(20):
        bench.on_event(SwitchChanged(E2, closed=bool(number % 2)), 50_000 - 2000 * number)
    assert not bench.source._reports
    (report,) = [report for report in bench.session.referee.switch_reports() if report.square == E2]
    assert report.changes == 20


def test_a_press_told_late_was_held_as_long_as_it_was() -> None:
    bench = Bench()
    bench.wait(5000)
    bench.on_event(ButtonPressed(Button.ROLL), 1900)
    bench.on_event(ButtonReleased(Button.ROLL), 1100)
    bench.wait(3000)
    (salted,) = [entry for entry in bench.entries() if isinstance(entry, Salted)]
    assert salted.held_ms == 800


def test_a_button_held_over_a_long_silence_keeps_the_table_waiting_for_no_longer_than_a_while() -> None:
    bench = Bench()
    bench.wait(60_000)
    bench.on_event(ButtonPressed(Button.ROLL), 50_000)
    bench.on_event(ButtonReleased(Button.ROLL), 100)
    bench.wait(HELD_MS)
    assert bench.actions()


def test_a_short_press_told_late_with_one_button_is_still_next() -> None:
    bench = Bench(settings=Settings(buttons="one"))
    bench.throw()
    before = bench.view.menu.cursor
    for ago_ms in (1900, 1600):
        bench.on_event(ButtonPressed(Button.ROLL), ago_ms)
        bench.on_event(ButtonReleased(Button.ROLL), ago_ms - 100)
    bench.wait(1000)
    assert before is not None
    assert bench.view.menu.cursor == (before + 2) % len(bench.view.menu.entries)


def test_what_happens_at_a_real_board_replays_from_its_tape() -> None:
    bench = Bench(read=False)
    bench.wait(500)
    bench.on_event(BoardRead(START))
    bench.throw()
    bench.move("e2", "e4")
    bench.on_event(BoardLost("gone"))
    bench.on_event(BoardLost("gone for longer"))
    bench.wait(3000)
    bench.on_event(BoardRead(START - {E2, parse_square("d2")} | {E4}))
    bench.on_event(SwitchChanged(parse_square("d2"), closed=True))
    bench.wait(2000)
    bench.session.handle(Answered(Pick("done")), bench.now_ms)
    bench.throw()
    lines = bench.tape.getvalue()
    assert lines.count("unplug") == 2
    assert lines.count("cut") == 1
    assert lines.count(" plug") == 1
    actions = bench.replayed()
    assert len(actions) == len(bench.actions()) + sum("take-back" in json.dumps(action) for action in actions)
    assert {"type": "pick", "id": "e2e4"} in actions


def test_a_board_that_differs_at_the_start_differs_on_the_tape_too() -> None:
    bench = Bench(read=False)
    bench.on_event(BoardRead(START - {E2}))
    bench.wait(1000)
    bench.on_event(SwitchChanged(E2, closed=True))
    bench.wait(1000)
    bench.throw()
    bench.move("e2", "e4")
    assert "lift e2" in bench.tape.getvalue()
    assert bench.replayed()[-1] == {"type": "pick", "id": "e2e4"}
