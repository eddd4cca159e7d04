"""Leaving a match uses time up, a power cut gives it back; the journal says which, and why a clock stood still."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from captains_table.games.contract import Pick
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.table import Table
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history.export import FORM
from captains_table.table.history.proof_sentences import time_proof
from captains_table.table.history.verify import verify_export
from captains_table.table.history.verify_clock import Interruption, interruptions
from captains_table.table.model.entries import Acted, ClockStopped, ClockWentOn, Entry, MatchStarted, Resumed
from captains_table.table.model.events import Answered
from tests.support.forgeries import of_second_form, sealed
from tests.support.honest_match import BEGAN, HonestTable
from tests.support.service_at_work import at_a_table
from tests.support.stopped_clocks import WAYS, stopped, unclear

TEN_MINUTES = 600
HOURS_MS = 10_800_000


def chess() -> HonestTable:
    """Return a table where Anne has thought for ten seconds."""
    table = HonestTable("captains-chess", {"clock": "10"})
    table.wait(10_000)
    return table


def left_s(table: HonestTable, seat: int = 0) -> int:
    seconds = table.view.seats[seat].seconds_left
    assert seconds is not None
    return seconds


def test_a_player_who_leaves_a_match_has_used_the_time_until_then() -> None:
    table = chess()
    table.leave(300)
    assert left_s(table) == TEN_MINUTES - 10
    table.wait(5000)
    assert left_s(table) == TEN_MINUTES - 15
    *_, stopped, resumed, went_on = table.entries()
    assert stopped == ClockStopped(0, 10_000, "left")
    assert resumed == Resumed("2026-01-31T20:20:10+01:00", 10_000, master=False)
    assert went_on == ClockWentOn(10_000)


def test_a_power_cut_gives_back_what_was_thought_since_the_last_action() -> None:
    table = chess()
    table.cut(300)
    assert left_s(table) == TEN_MINUTES
    assert not any(isinstance(entry, ClockStopped) for entry in table.entries())


def test_a_match_without_a_clock_journals_that_it_was_taken_up_and_one_that_is_over_nothing() -> None:
    table = HonestTable("legend", {"rounds": "1"})
    table.leave(60)
    assert [type(entry) for entry in table.entries()] == [MatchStarted, Resumed]
    table = chess()
    table.pick("resign")
    before = table.entries()
    table.leave(60)
    assert table.entries() == before


def test_a_player_who_acts_before_the_pieces_stand_plays_on_the_clock() -> None:
    table = chess()
    table.table.board.arrange({})
    table.leave(60)
    table.table.unplug(table.now_ms)
    table.table.plug(table.now_ms)
    table.pick("e2e4")
    kinds = [type(entry) for entry in table.entries()]
    assert kinds.index(Acted) == len(kinds) - 1
    assert kinds[-2] is ClockWentOn


def test_how_much_was_given_back_at_most_follows_from_the_wall_times() -> None:
    table = chess()
    table.pick("e2e4", "press-clock")
    table.wait(20_000)
    table.cut(40)  # Bart thought for 20 seconds, and 40 later the power was back
    table.wait(7000)
    table.leave(1000)
    table.pick("resign")
    entries = table.entries()
    found = interruptions(entries, BEGAN)
    assert [each.given_back_s for each in found] == [60, 0]
    assert [isinstance(entries[each.entry], Resumed) for each in found] == [True, True]
    assert [each.away_s for each in found] == [60, 1000]
    cut = f"at entry {found[0].entry} after 1:00, given back at most 1:00"
    left = f"at entry {found[1].entry} after 16:40, given back at most 0:00"
    remark, _ = verify_export(table.export()).remarks
    assert remark == (f"The match was taken up again 2 times: {cut}; {left}. No clock time is proven.")


def begun(*, is_dated: bool = True, action_ms: int = 5000, went_on_ms: int = 0) -> list[Entry]:
    """Return a match in which Anne has moved, and which says when it began unless it is not dated."""
    started = MatchStarted("captains-chess", ("Anne", "Bart"), {}, "")
    started = replace(started, kinds=("human", "human"), at_ms=0) if is_dated else started
    return [started, ClockWentOn(went_on_ms), Acted(1, 0, action_ms, Pick("e2e4"))]


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        pytest.param(
            [
                *begun(went_on_ms=3000),
                ClockStopped(0, 6000),
                Resumed("2026-01-31T21:15:00+01:00", 9000),
                ClockWentOn(609_000),
            ],
            [Interruption(4, 3594, TEN_MINUTES)],
            id="with the time that the clock stands while pieces are put right",
        ),
        pytest.param(
            [
                *begun(is_dated=False, action_ms=HOURS_MS + 5000, went_on_ms=HOURS_MS),
                Resumed("2026-01-31T20:16:05+01:00", HOURS_MS + 5000),
            ],
            [Interruption(3, 60, 60)],
            id="not too little where the match did not say when it began",
        ),
        pytest.param(
            [*begun(), Resumed("2026-01-31T19:15:00+00:00", 5000), Resumed("2001-01-01T00:00:00+00:00", 5000)],
            [Interruption(3, None, None), Interruption(4, None, 0)],
            id="nobody can say how much where the wall clock went back",
        ),
        pytest.param(
            [
                begun()[0],
                Resumed(BEGAN, 0),
                *begun(went_on_ms=2000)[1:],
                ClockStopped(1, 6000, "asked"),
                ClockWentOn(90_000),
            ],
            [Interruption(1, 0, 2)],
            id="without a pause after the match was taken up again",
        ),
    ],
)
def test_how_much_is_given_back_at_most(entries: list[Entry], found: list[Interruption]) -> None:
    assert interruptions(entries, BEGAN) == found
    if found[0].given_back_s is None:
        assert "given back at most a time that cannot be said" in time_proof(found)


@pytest.mark.parametrize("text", ["yesterday", "2026-01-31T20:15:00"])
def test_a_wall_time_that_is_none_is_refused_at_its_entry(text: str) -> None:
    table = chess()
    table.leave(60)
    table.pick("resign")
    value = table.export()
    place = next(place for place, entry in enumerate(value["entries"]) if entry["entry"] == "resumed")
    value["entries"][place]["at"] = text
    verdict = verify_export(value)
    assert verdict.words == f"entry {place}: {text!r} is no time: expected ISO 8601 with UTC offset"
    assert verdict.entry == place


# --- why a clock stood still ----------------------------------------------------------------------------------------

HAND = "The clock stood still once, for 0:30 in all, while a hand made a computer's move."
PUT_BACK = "The clock stood still once, for 0:30 in all, while pieces were put back."
ASKED = "The clock stood still once, for 0:20 in all, while the table asked what was done on the board."
ASKED_IN_HAND = "The clock stood still once, for 0:10 in all, while the table asked what was done on the board."
TWICE = "The clock stood still 2 times, for 0:30 in all, while the table asked what was done on the board."
SAYS = {
    "by_hand": (["hand"], HAND),
    "left_by_hand": (["hand"], "The match was taken up again once: at entry 6 after 0:30, given back at most 0:00."),
    "cut_by_hand": (["hand"], "The match was taken up again once: at entry 6 after 0:30, given back at most 0:00."),
    "put_back": (["put-back"], PUT_BACK),
    "answered": (["asked"], ASKED),
    "dismissed": (["asked", "asked"], TWICE),
    "asked_in_hand": (["asked"], ASKED_IN_HAND),
    "left": (["left"], "The match was taken up again once: at entry 5 after 0:00, given back at most 0:00."),
    "cut": ([], "The match was taken up again once: at entry 4 after 0:05, given back at most 0:05."),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_honest_match_says_why_its_clock_stood_and_is_proven(way: str) -> None:
    value = stopped(way)
    verdict = verify_export(value)
    reasons, words = SAYS[way]
    assert value["form"] == FORM
    assert [entry["why"] for entry in value["entries"] if entry["entry"] == "clock-stopped"] == reasons
    assert verdict.proven, verdict.words
    assert verdict.remarks[0] == f"{words} No clock time is proven."
    del value["entries"][0]["master"]
    value = sealed(value)
    assert verify_export(value).proven, "an earlier program began it and this one ended it"
    assert verify_export(of_second_form(value)).proven


def test_what_was_unclear_before_a_question_is_still_asked_after_a_power_cut() -> None:
    """Bart has lifted the king already as Anne presses the clock, and sets it down while the table is off."""
    table = unclear()
    table.touch("-e8")
    table.press()
    table.cut_power("e8")
    table.wait(5000)
    table.press()
    table.pick("a1i1")
    assert table.actions() == [Pick("a1i1"), Pick("press-clock")]


# --- the table that keeps its journal in a file ---------------------------------------------------------------------


def entries_of(state: Path, number: int = 1) -> list[Entry]:
    file = JournalFile(state / "journal.sqlite3")
    try:
        return file.open(number).entries()
    finally:
        file.close()


def begin(table: Table) -> None:
    table.matches.new_match("captains-chess", ("Anne", "Bart"), {"clock": "10"})


def begin_another(table: Table) -> None:
    table.matches.new_match("captains-chess", ("Cleo", "Dan"), {"clock": "5"})


def test_a_match_left_for_another_one_and_one_stopped_in_good_order_have_their_time_used(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        begin(table)
        for _ in range(2):
            table.matches.resume(1)  # it is the one that is played: no time is given back
        assert table.view().game == "captains-chess"
        begin_another(table)

    at_a_table(tmp_path, do)
    left = [MatchStarted, ClockWentOn, ClockStopped]
    assert [[type(entry) for entry in entries_of(tmp_path, number)] for number in (1, 2)] == [left, left]
    at_a_table(tmp_path, lambda table: table.matches.begin("", (), {}))
    assert [type(entry) for entry in entries_of(tmp_path, 2)] == [*left, Resumed, ClockWentOn, ClockStopped]


def add_to_the_first(state: Path, entry: Entry) -> None:
    """Write an entry to the journal of the first match, as if it was played at a later hour."""
    file = JournalFile(state / "journal.sqlite3")
    file.open(1).append(entry)
    file.close()


def test_taking_up_a_match_of_a_later_hour_uses_nobodys_time_in_the_one_in_hand(tmp_path: Path) -> None:
    def play_for_hours(table: Table) -> None:
        begin(table)
        table.handle(Answered(Pick("e2e4")), table.view().revision)

    at_a_table(tmp_path, play_for_hours)
    add_to_the_first(tmp_path, Resumed("2026-01-31T23:15:00+01:00", HOURS_MS))

    def change(table: Table) -> None:
        begin_another(table)
        table.matches.resume(1)

    at_a_table(tmp_path, change)
    left = entries_of(tmp_path, 2)
    assert [type(entry) for entry in left] == [MatchStarted, ClockWentOn, ClockStopped]
    assert isinstance(left[-1], ClockStopped)
    assert left[-1].at_ms < HOURS_MS
    taken_up = [entry for entry in entries_of(tmp_path) if isinstance(entry, Resumed)]
    assert taken_up[-1].at_ms >= HOURS_MS  # times in its journal do not go back


def test_a_match_that_cannot_be_taken_up_moves_no_time_in_the_one_in_hand(tmp_path: Path) -> None:
    at_a_table(tmp_path, begin)
    add_to_the_first(tmp_path, Acted(1, 0, HOURS_MS, Pick("e2e9")))

    def change(table: Table) -> None:
        begin_another(table)
        with pytest.raises(CannotResume, match="does not replay"):
            table.matches.resume(1)
        table.handle(Answered(Pick("e2e4")), table.view().revision)

    at_a_table(tmp_path, change)
    entries = entries_of(tmp_path, 2)
    assert [type(entry) for entry in entries] == [MatchStarted, ClockWentOn, Acted, ClockStopped]
    assert isinstance(entries[-1], ClockStopped)
    assert entries[-1].at_ms < HOURS_MS
