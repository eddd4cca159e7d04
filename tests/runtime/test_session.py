from collections.abc import Sequence

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.devices.ports import JournalUnwritable
from captains_table.games.contract import IllegalAction, Pick, parse_square
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import Acted, Entry, MatchEnded, MatchStarted, Resumed, Salted
from captains_table.table.model.events import Answered
from captains_table.table.model.settings import Settings

NEARLY_OVER = {"rounds": "1", "fen": "7k/6P1/8/8/8/8/8/K7 w - - 0 1"}


class FailingJournal(MemoryJournal):
    """A journal whose disk is full from some entry on."""

    def __init__(self, started: MatchStarted, room: int) -> None:
        super().__init__(started)
        self.room = room

    def append(self, entry: Entry) -> None:
        if len(self.entries()) >= self.room:
            raise JournalUnwritable("the disk is full")
        super().append(entry)


def started(**options: str) -> MatchStarted:
    return MatchStarted("legend", ("Anne", "Bart"), options)


def table_over(journal: MemoryJournal, faces: Sequence[int]) -> SimulatedSource:
    table = SimulatedSource(Session(Settings()), SimulatedBoard())
    table.session.load(journal, DictatedDice(faces), 0, resumed=len(journal.entries()) > 1)
    table.set_up(0)
    return table


def actions(journal: MemoryJournal) -> list[object]:
    return [entry.action for entry in journal.entries() if isinstance(entry, Acted)]


def test_a_move_that_became_due_by_a_refused_answer_is_journalled_all_the_same() -> None:
    journal = MemoryJournal(started())
    table = table_over(journal, [6] * 6)
    table.session.handle(Answered(Pick("roll")), 1000)
    table.lift(parse_square("e2"), 2000)
    table.place(parse_square("e3"), 3000)
    with pytest.raises(IllegalAction):
        table.session.handle(Answered(Pick("genie")), 3100)  # makes e2-e3 due, which still waits for e4
    assert actions(journal)[-1] == Pick("e2e3")
    assert table.session.view().revision == len(actions(journal))


def test_what_is_not_durable_is_not_to_be_seen() -> None:
    table = table_over(FailingJournal(started(), room=4), [6] * 6)
    table.session.handle(Answered(Pick("roll")), 1000)
    seen = table.session.view()
    with pytest.raises(JournalUnwritable):
        table.session.handle(Answered(Pick("e2e4")), 2000)
    assert table.session.view() == seen
    assert parse_square("e2") in seen.pieces


def test_a_players_first_throw_stirs_in_the_time_taken_where_no_button_was_held() -> None:
    journal = MemoryJournal(started())
    table = table_over(journal, [6] * 6)
    table.session.handle(Answered(Pick("roll-cargo")), 1234)
    table.session.handle(Answered(Pick("roll-legend")), 5000)
    assert [entry for entry in journal.entries() if isinstance(entry, Salted)] == [Salted(0, 1234)]


def test_an_end_that_a_power_cut_kept_from_being_written_is_written_on_resume() -> None:
    journal = MemoryJournal(started(**NEARLY_OVER))
    table = table_over(journal, [6] * 6)
    for id_ in ("roll", "g7h8q", "done"):
        table.session.handle(Answered(Pick(id_)), 1000)
    entries = journal.entries()
    assert isinstance(entries[-1], MatchEnded)
    cut = MemoryJournal(started(**NEARLY_OVER))
    for entry in entries[1:-1]:
        cut.append(entry)
    table_over(cut, [])
    once = cut.entries()
    assert [entry for entry in once if not isinstance(entry, Resumed)] == entries
    table_over(cut, [])
    assert cut.entries() == once
