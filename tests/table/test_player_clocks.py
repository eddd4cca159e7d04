"""The players' clocks: what is left follows from the journal's times, from the set-up or from the first press on."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.captains_chess.game import CaptainsChess, State
from captains_table.games.contract import PRESS_CLOCK, Pick, TimeControl, TimeUp
from captains_table.games.registry import GAMES
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.history.dice_stream import commitment
from captains_table.table.history.export import clock_remarks, export_json
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
from captains_table.table.model.player_clocks import Clock, clock_face, seconds_shown
from captains_table.table.model.settings import Settings
from tests.support.playing import played

CONTROL = TimeControl(60_000, 2000)
PRESS = Pick(PRESS_CLOCK.id)
SEED = bytes(range(32))


def clock_after(*entries: Entry) -> Clock:
    clock = Clock(CONTROL, 2)
    for entry in entries:
        clock.note(entry)
    return clock


def test_a_clock_stands_still_until_it_goes_on() -> None:
    clock = clock_after()
    assert (clock.left_ms(0, 0, 99_000), clock.up_ms(0), clock.tick_ms(0, 0)) == (60_000, None, None)
    clock = clock_after(ClockWentOn(0), Acted(1, 0, 4000, PRESS), ClockWentOn(50_000))
    assert (clock.left_ms(0, 1, 51_000), clock.left_ms(1, 1, 51_000)) == (58_000, 59_000)


def test_the_player_who_acts_uses_time_up_and_a_press_adds_the_increment() -> None:
    clock = clock_after(ClockWentOn(1000), Acted(1, 0, 5000, Pick("e2e4")), Acted(2, 0, 6000, PRESS))
    assert clock.left_ms(0, 1, 7000) == 60_000 - 5000 + 2000
    assert clock.left_ms(1, 1, 7000) == 59_000
    assert clock.up_ms(1) == 66_000


def test_a_move_taken_back_gives_no_time_back() -> None:
    clock = clock_after(ClockWentOn(0), Acted(1, 0, 5000, Pick("e2e3")), TakenBack(2, 0, 9000, 1))
    assert clock.left_ms(0, 0, 10_000) == 50_000


@settings(deadline=None)  # a loaded machine may take its time
@given(times=st.lists(st.integers(min_value=0, max_value=9000), max_size=6))
def test_all_time_that_passes_is_somebodys(times: list[int]) -> None:
    at_ms, entries = 0, list[Entry]([ClockWentOn(0)])
    for number, spent_ms in enumerate(times):
        at_ms += spent_ms
        entries.append(Acted(number + 1, number % 2, at_ms, Pick("e2e4")))
    clock = clock_after(*entries)
    left = [clock.left_ms(seat, None, at_ms) for seat in (0, 1)]
    assert sum(left) == 2 * CONTROL.base_ms - at_ms


@settings(deadline=None)  # a loaded machine may take its time
@given(now_ms=st.integers(min_value=0, max_value=59_999))
def test_a_clock_ticks_just_when_its_face_changes(now_ms: int) -> None:
    clock = clock_after(ClockWentOn(0))
    tick_ms = clock.tick_ms(0, now_ms)
    assert tick_ms is not None
    assert now_ms < tick_ms <= now_ms + 1000
    shown = [seconds_shown(clock.left_ms(0, 0, at_ms)) for at_ms in (now_ms, tick_ms - 1, tick_ms)]
    assert shown == [shown[0], shown[0], shown[0] - 1]


@pytest.mark.parametrize(
    ("seconds", "face"), [(0, "0:00"), (9, "0:09"), (300, "5:00"), (3599, "59:59"), (5400, "1:30:00")]
)
def test_a_face_is_read_as_a_clock_is(seconds: int, face: str) -> None:
    assert clock_face(seconds) == face


# --- at the table -----------------------------------------------------------------------------------------------------


def journal_of(**options: str) -> MemoryJournal:
    return MemoryJournal(MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": "1+2", **options}))


def table(journal: MemoryJournal, now_ms: int = 0, *, resumed: bool = False) -> Session:
    session = Session(Settings(), now=lambda: "2026-01-02T03:04:05+00:00")
    session.handle(BoardRead(frozenset(Match.resumed(journal.entries()).pieces())), now_ms)
    session.load(journal, DictatedDice(), now_ms, resumed=resumed)
    return session


def faces(session: Session) -> list[int | None]:
    return [seat.seconds_left for seat in session.view().seats]


def test_the_display_is_told_of_every_second() -> None:
    session, seen = table(journal_of()), []
    for _ in range(3):
        due_ms = session.due_ms()
        assert due_ms is not None
        session.handle(TimePassed(), due_ms)
        seen.append((due_ms, faces(session)))
    assert seen == [(1000, [59, 60]), (2000, [58, 60]), (3000, [57, 60])]


def test_time_is_up_at_its_very_millisecond_however_late_it_is_noticed() -> None:
    journal = journal_of()
    session = table(journal)
    session.handle(TimePassed(), 200_000)
    acted = next(entry for entry in journal.entries() if isinstance(entry, Acted))
    assert (acted.seat, acted.at_ms) == (0, 60_000)
    assert isinstance(journal.entries()[-1], MatchEnded)
    assert session.due_ms() is None


def test_a_tape_shows_what_is_left_where_there_is_a_clock_which_the_page_presses_as_the_button_does() -> None:
    assert "clock" not in played("game captains-chess Anne Bart\npick e2e4\n").final
    tape = played(
        "game captains-chess Anne Bart clock=5 clock_start=press\n+60000 pick e2e4\n+9000 lift e7\n"
        "+300 pick press-clock\n+4000 place e5\n"
    )
    assert tape.final["clock"] == {"Anne": 300, "Bart": 295}
    assert [line["action"]["id"] for line in tape.actions] == ["e2e4", "press-clock", "e7e5"]
    assert tape.final["prompt"] == ["Bart (Black): press the clock"]


# --- from the set-up, or only from the first press --------------------------------------------------------------------


def test_no_time_runs_before_the_first_press_which_adds_none_while_later_ones_add_their_seconds() -> None:
    journal = journal_of(clock_start="press")
    session = table(journal)
    with pytest.raises(ValueError, match="not offered"):
        session.handle(Answered(PRESS), 1000)
    session.handle(TimePassed(), 500_000)
    assert faces(session) == [60, 60]
    session.handle(Answered(Pick("e2e4")), 600_000)
    session.handle(TimePassed(), 700_000)
    assert faces(session) == [60, 60]
    session.handle(Answered(PRESS), 800_000)
    session.handle(TimePassed(), 805_000)
    assert faces(session) == [60, 55]
    assert [type(entry) for entry in journal.entries()[1:]] == [Acted, ClockWentOn, Acted]
    session.handle(Answered(Pick("e7e5")), 810_000)
    session.handle(Answered(PRESS), 810_000)
    assert faces(session) == [60, 52]


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


# --- the proof --------------------------------------------------------------------------------------------------------


def verdict(*entries: Entry, game: str = "captains-chess", **options: str) -> ExportVerdict:
    """Return the verdict on a match with one minute each."""
    settings = {"clock": "1", **options}
    started = MatchStarted(game, ("Anne", "Bart"), settings, commitment(SEED), ("human", "human"), 0)
    return verify_export(export_json([started, *entries], SEED, "2026-01-02T03:04:00+00:00"))


def test_a_match_lost_on_time_proves_itself() -> None:
    end = (Acted(1, 0, 61_000, TimeUp()), MatchEnded(1, (0, 1)))
    assert verdict(ClockWentOn(1000), *end).words.startswith("The seed is the one committed to")
    assert verdict(ClockWentOn(1001), *end).words == "action 1: the time was not up yet"
    assert verdict(*end).words == "action 1: the clock stood still: expected `clock-went-on` before it"


class Sandglass(CaptainsChess):
    """Captain's Chess that writes its one minute each in words of its own."""

    key = "sandglass"

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        return super().start(seats, {"clock": str(len(options["clock"].split()))})


def test_the_game_itself_says_on_how_much_time_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, Sandglass.key, Sandglass())
    end = (Acted(1, 0, 61_000, TimeUp()), MatchEnded(1, (0, 1)))
    early, late = (verdict(ClockWentOn(at_ms), *end, game="sandglass", clock="glass") for at_ms in (1000, 1001))
    assert early.words.startswith("The seed is the one committed to")
    assert late.words == "action 1: the time was not up yet"


ENDED = MatchEnded(0, (1, 0))
RESIGNED = Acted(2, 0, 61_000, Pick("resign"))
END = (Acted(3, 1, 9000, Pick("resign")), ENDED)
FROM_PRESS = {"clock_start": "press"}
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
        ((MOVE, Acted(2, 0, 6000, PRESS), *END), FROM_PRESS, "the clock stood still"),
        ((ClockWentOn(0), MOVE, Acted(2, 0, 6000, PRESS), *END), FROM_PRESS, "wait for its first press"),
        ((MOVE, *PRESSED, ClockWentOn(7000), *END), FROM_PRESS, "without an interruption"),
        ((MOVE, *PRESSED, Acted(3, 1, 66_001, Pick("resign")), ENDED), FROM_PRESS, "the time was up before"),
        (
            (ClockWentOn(0), Acted(1, 0, 60_001, Pick("offer-draw")), RESIGNED, ENDED),
            {},
            "action 1: the time was up before",
        ),
    ],
)
def test_a_clock_that_did_not_start_as_agreed_and_an_act_after_the_time_are_refused(
    entries: tuple[Entry, ...], options: dict[str, str], words: str
) -> None:
    found = verdict(*entries, **options)
    assert not found.proven
    assert words in found.words


# --- what a PGN says --------------------------------------------------------------------------------------------------

STARTED = MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": "5+3"})


def acted(seq: int, seat: int, at_ms: int, id_: str) -> Acted:
    return Acted(seq, seat, at_ms, Pick(id_))


def test_a_pgn_says_at_each_press_that_stands_what_is_left_to_the_player_who_pressed() -> None:
    begun: list[Entry] = [STARTED, ClockWentOn(0), acted(1, 0, 4_000, "e2e4"), acted(2, 0, 10_000, "press-clock")]
    answered = [acted(3, 1, 80_000, "e7e5"), acted(4, 1, 81_500, "press-clock")]
    assert clock_remarks([*begun, *answered]) == {2: "[%clk 0:04:53]", 4: "[%clk 0:03:52]"}
    assert clock_remarks([*begun, TakenBack(3, 0, 11_000, 1), acted(4, 0, 12_000, "d2d4")]) == {}
    assert clock_remarks([MatchStarted("captains-chess", ("Anne", "Bart"), {}), acted(1, 0, 4, "e2e4")]) == {}
    assert clock_remarks([]) == {}
