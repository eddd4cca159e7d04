"""When the clocks begin to run: from the set-up, or only with the first press."""

import io
import json
from typing import Any

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import PRESS_CLOCK, Pick
from captains_table.runtime.session import Session
from captains_table.runtime.tape_player import replay_lines
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.history.dice_stream import commitment
from captains_table.table.history.export import export_json
from captains_table.table.history.verify import ExportVerdict, verify_export
from captains_table.table.model.entries import (
    Acted,
    ClockStopped,
    ClockWentOn,
    Entry,
    MatchEnded,
    MatchStarted,
    Resumed,
    TakenBack,
)
from captains_table.table.model.events import Answered, BoardRead, TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings

SEED = bytes(range(32))
PRESS = Pick(PRESS_CLOCK.id)


def journal_of(**options: str) -> MemoryJournal:
    return MemoryJournal(MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": "1+2", **options}))


def table(journal: MemoryJournal, now_ms: int = 0, *, resumed: bool = False) -> Session:
    session = Session(Settings(), now=lambda: "2026-01-02T03:04:05+00:00")
    session.handle(BoardRead(frozenset(Match.resumed(journal.entries()).pieces())), now_ms)
    session.load(journal, DictatedDice(), now_ms, resumed=resumed)
    return session


def faces(session: Session) -> list[int | None]:
    return [seat.seconds_left for seat in session.view().seats]


def test_no_time_runs_before_the_first_press_which_adds_none() -> None:
    journal = journal_of(clock_start="press")
    session = table(journal)
    session.handle(TimePassed(), 500_000)
    assert faces(session) == [60, 60]
    session.handle(Answered(Pick("e2e4")), 600_000)
    session.handle(TimePassed(), 700_000)
    assert faces(session) == [60, 60]
    session.handle(Answered(PRESS), 800_000)
    session.handle(TimePassed(), 805_000)
    assert faces(session) == [60, 55]
    assert [type(entry) for entry in journal.entries()[1:]] == [Acted, ClockWentOn, Acted]


def test_later_presses_add_their_seconds() -> None:
    session = table(journal_of(clock_start="press"))
    session.handle(Answered(Pick("e2e4")), 1000)
    session.handle(Answered(PRESS), 2000)
    session.handle(Answered(Pick("e7e5")), 12_000)
    session.handle(Answered(PRESS), 12_000)
    assert faces(session) == [60, 52]


def test_a_press_that_is_not_asked_for_starts_no_clock() -> None:
    session = table(journal_of(clock_start="press"))
    with pytest.raises(ValueError, match="not offered"):
        session.handle(Answered(PRESS), 1000)
    session.handle(TimePassed(), 31_000)
    assert faces(session) == [60, 60]
    session.handle(Answered(Pick("e2e4")), 32_000)
    session.handle(Answered(PRESS), 33_000)
    session.handle(TimePassed(), 34_000)
    assert faces(session) == [60, 59]


@pytest.mark.parametrize("options", [{}, {"clock_start": "set-up"}])
def test_where_nothing_is_said_time_runs_from_when_the_pieces_stand(options: dict[str, str]) -> None:
    session = table(journal_of(**options))
    session.handle(TimePassed(), 10_000)
    assert faces(session) == [50, 60]


def test_a_match_left_before_the_first_press_goes_on_waiting_for_it() -> None:
    journal = journal_of(clock_start="press")
    session = table(journal)
    session.handle(Answered(Pick("e2e4")), 1000)
    session.suspend(9000)
    again = table(journal, 10_000, resumed=True)
    again.handle(TimePassed(), 90_000)
    assert faces(again) == [60, 60]
    assert not any(isinstance(entry, ClockWentOn | ClockStopped) for entry in journal.entries())
    again.handle(Answered(PRESS), 100_000)
    again.handle(TimePassed(), 101_000)
    assert faces(again) == [60, 59]


def test_a_tape_may_ask_for_it() -> None:
    out = io.StringIO()
    lines = ["game captains-chess Anne Bart clock=5 clock_start=press", "+60000 pick e2e4", "+9000 press roll"]
    assert replay_lines("a.tape", [*lines, "+4000 lift e7"], out, io.StringIO()) == 0
    final: dict[str, Any] = json.loads(out.getvalue().splitlines()[-1])["final"]
    assert final["clock"] == {"Anne": 300, "Bart": 295}


# --- the proof --------------------------------------------------------------------------------------------------------


def verdict(*entries: Entry, **options: str) -> ExportVerdict:
    settings = {"clock": "1", **options}
    started = MatchStarted("captains-chess", ("Anne", "Bart"), settings, commitment(SEED), ("human", "human"), 0)
    return verify_export(export_json([started, *entries], SEED, "2026-01-02T03:04:00+00:00"))


ENDED = MatchEnded(0, (1, 0))
END = (Acted(3, 1, 9000, Pick("resign")), ENDED)
MOVE = Acted(1, 0, 5000, Pick("e2e4"))
PRESSED = (ClockWentOn(6000), Acted(2, 0, 6000, PRESS))


def test_a_match_whose_clock_started_with_a_press_proves_itself() -> None:
    assert verdict(MOVE, *PRESSED, *END, clock_start="press").proven
    taken_back = (MOVE, TakenBack(2, 0, 5500, 1), Acted(3, 0, 5600, Pick("d2d4")))
    pressed = (ClockWentOn(6000), Acted(4, 0, 6000, PRESS))
    resumed = Resumed("2026-01-02T03:04:05+00:00", 5800)
    resigned = (Acted(5, 1, 9000, Pick("resign")), ENDED)
    assert verdict(*taken_back, resumed, *pressed, *resigned, clock_start="press").proven


@pytest.mark.parametrize(
    ("entries", "options", "words"),
    [
        ((MOVE, *PRESSED, *END), {}, "the clock stood still"),
        ((MOVE, Acted(2, 0, 6000, PRESS), *END), {"clock_start": "press"}, "the clock stood still"),
        ((ClockWentOn(0), MOVE, Acted(2, 0, 6000, PRESS), *END), {"clock_start": "press"}, "wait for its first press"),
        ((MOVE, *PRESSED, ClockWentOn(7000), *END), {"clock_start": "press"}, "without an interruption"),
        (
            (MOVE, *PRESSED, Acted(3, 1, 66_001, Pick("resign")), ENDED),
            {"clock_start": "press"},
            "the time was up before",
        ),
    ],
)
def test_a_clock_that_did_not_start_as_agreed_is_refused(
    entries: tuple[Entry, ...], options: dict[str, str], words: str
) -> None:
    found = verdict(*entries, **options)
    assert not found.proven
    assert words in found.words
