import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from captains_table.devices.ports import Journal, JournalUnwritable
from captains_table.games.contract import Rolled
from captains_table.storage.journal_file import JournalFile, MatchJournal, MatchRecord, MemoryJournal
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable
from captains_table.table.model.entries import (
    Acted,
    Entry,
    Masked,
    MatchEnded,
    MatchStarted,
    NoSuchMatch,
    Salted,
    TakenBack,
)
from tests.support.any_entry import ANY_ENTRY

STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "1"}, "ab" * 32)
SEED = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite"


@pytest.fixture
def file(path: Path) -> Iterator[JournalFile]:
    journal = JournalFile(path)
    yield journal
    journal.close()


def acted(seq: int) -> Acted:
    return Acted(seq, seq % 2, 1000 * seq, Rolled((1, 2, 3, 4, 5, 6)))


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_both_journals_give_back_what_was_appended(kind: str, file: JournalFile) -> None:
    journal: Journal = file.start(STARTED, SEED) if kind == "file" else MemoryJournal(STARTED)
    later: list[Entry] = [Salted(0, 812), acted(1), TakenBack(2, 0, 5, 1), Masked("e4"), MatchEnded(None, (3, 3))]
    for entry in later:
        journal.append(entry)
    assert list(journal.entries()) == [STARTED, *later]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy disk is no fault
@given(entries=st.lists(ANY_ENTRY, max_size=8))
def test_the_file_gives_back_any_entries_when_opened_again(entries: list[Entry], tmp_path_factory: object) -> None:
    assert isinstance(tmp_path_factory, pytest.TempPathFactory)
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    file = JournalFile(path)
    journal = file.start(STARTED, None)
    for entry in entries:
        journal.append(entry)
    file.close()
    file = JournalFile(path)
    assert file.open(1).entries() == [STARTED, *entries]
    file.close()


def test_seed_and_beginning_are_kept_with_the_match(file: JournalFile, path: Path) -> None:
    honest, dictated = file.start(STARTED, SEED), file.start(STARTED, None)
    file.close()
    file = JournalFile(path)
    assert (file.open(honest.number).seed, file.open(dictated.number).seed) == (SEED, None)
    began = file.open(honest.number).began
    assert began == honest.began
    assert datetime.fromisoformat(began).utcoffset() is not None
    file.close()


def test_an_unknown_match_is_named(file: JournalFile) -> None:
    with pytest.raises(NoSuchMatch, match="number 5"):
        file.open(5)


def test_the_match_to_go_on_with_is_the_one_last_written_to(file: JournalFile) -> None:
    assert file.unfinished() == []
    first, second = file.start(STARTED, SEED), file.start(STARTED, SEED)
    assert file.unfinished()[:1] == [second.number]
    first.append(acted(1))
    assert file.unfinished()[:1] == [first.number]
    first.append(MatchEnded(0, (9, 1)))
    assert file.unfinished()[:1] == [second.number]
    second.append(MatchEnded(0, (9, 1)))
    assert file.unfinished() == []


def test_matches_are_listed_latest_first_with_their_outcome(file: JournalFile) -> None:
    first = file.start(STARTED, SEED)
    first.append(acted(1))
    first.append(TakenBack(2, 0, 0, 1))
    first.append(acted(3))
    first.append(MatchEnded(1, (4, 7)))
    second = file.start(STARTED, None)
    assert file.matches() == [
        MatchRecord(second.number, second.began, STARTED, 0, None),
        MatchRecord(first.number, first.began, STARTED, 2, MatchEnded(1, (4, 7))),
    ]


def test_the_file_itself_refuses_to_forget(file: JournalFile, path: Path) -> None:
    file.start(STARTED, SEED)
    other = sqlite3.connect(path, isolation_level=None)
    for statement in (
        "UPDATE entries SET position = 7",
        "DELETE FROM entries",
        "REPLACE INTO entries (match, position, kind, body) VALUES (1, 0, 'acted', '')",
        "REPLACE INTO entries VALUES (1, 1, 9, 'acted', '')",
        "UPDATE matches SET seed = NULL",
        "DELETE FROM matches",
        "REPLACE INTO matches VALUES (1, '', NULL)",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            other.execute(statement)
    other.close()
    assert file.open(1).entries() == [STARTED]


def test_the_layout_bears_its_version(file: JournalFile) -> None:
    assert file._database.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_every_commit_is_synced(file: JournalFile) -> None:
    assert file._database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert file._database.execute("PRAGMA synchronous").fetchone() == (2,)


def test_two_programs_do_not_mix_their_histories(file: JournalFile, path: Path) -> None:
    number = file.start(STARTED, SEED).number
    other = JournalFile(path)
    mine, theirs = file.open(number), other.open(number)
    assert mine.entries() == theirs.entries()
    theirs.append(acted(1))
    with pytest.raises(JournalUnwritable, match="another program"):
        mine.append(acted(1))
    assert file.open(number).entries() == [STARTED, acted(1)]
    other.close()


def test_a_long_history_is_read_by_one_query(file: JournalFile) -> None:
    journal = file.start(STARTED, SEED)
    for seq in range(1, 101):
        journal.append(acted(seq))
    queries: list[str] = []
    file._database.set_trace_callback(queries.append)
    assert len(journal.entries()) == 101
    assert len(queries) == 1


APPEND_FOR_EVER = """
import sys
from itertools import count
from pathlib import Path
from captains_table.storage.journal_file import JournalFile
from captains_table.games.contract import Rolled
from captains_table.table.model.entries import Acted, MatchStarted

journal = JournalFile(Path(sys.argv[1])).start(MatchStarted("legend", ("Anne",), {}, ""), bytes(32))
for seq in count(1):
    journal.append(Acted(seq, 0, 0, Rolled((1, 2, 3, 4, 5, 6))))
    print(seq, flush=True)
"""


@pytest.mark.parametrize("timeout", [1, 57, 400])
def test_what_was_acknowledged_survives_a_kill(path: Path, timeout: int) -> None:
    command = [sys.executable, "-c", APPEND_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        acknowledged = [int(child.stdout.readline()) for _ in range(timeout)]
        child.kill()
        acknowledged += [int(line) for line in child.stdout.read().splitlines()]
    file = JournalFile(path)
    journal = file.open(1)
    written = [entry.seq for entry in journal.entries() if isinstance(entry, Acted)]
    assert written == list(range(1, len(written) + 1))
    assert len(acknowledged) <= len(written) <= len(acknowledged) + 1
    journal.append(acted(len(written) + 1))
    assert journal.entries()[-1] == acted(len(written) + 1)
    file.close()


# --- files that are no journal, disks that are full -----------------------------------------------------------------


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"dear diary, " * 400)
    with pytest.raises(JournalUnreadable, match="is no journal"):
        JournalFile(path)
    assert path.read_bytes() == b"dear diary, " * 400


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(JournalUnreadable, match="another program"):
        JournalFile(path)
    assert path.read_bytes() == before


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    with pytest.raises(JournalUnwritable, match="cannot be made"):
        JournalFile(tmp_path / "state" / "journal.sqlite")


def test_a_directory_in_the_files_place_is_named(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(JournalUnwritable, match="cannot be opened"):
        JournalFile(path)


def test_a_damaged_entry_is_named(file: JournalFile) -> None:
    journal = file.start(STARTED, SEED)
    row = (journal.number, 1, "acted", '{"entry":"acted"')
    file._database.execute("INSERT INTO entries (match, position, kind, body) VALUES (?, ?, ?, ?)", row)
    with pytest.raises(JournalUnreadable, match="match 1 cannot be read"):
        journal.entries()


def fill(file: JournalFile, journal: MatchJournal) -> int:
    """Append until the disk, made small by SQLite itself, is full; return how many entries were acknowledged."""
    (pages,) = file._database.execute("PRAGMA page_count").fetchone()
    file._database.execute(f"PRAGMA max_page_count = {pages + 2}")
    for seq in range(1, 10_000):
        try:
            journal.append(acted(seq))
        except JournalUnwritable as error:
            assert "cannot be written: database or disk is full" in str(error)  # noqa: PT017 - which append is the point
            return seq - 1
    raise AssertionError("the disk was never full")


def test_a_full_disk_loses_nothing_and_goes_on_once_there_is_room(file: JournalFile) -> None:
    journal = file.start(STARTED, SEED)
    written = fill(file, journal)
    assert journal.entries() == [STARTED, *(acted(seq) for seq in range(1, written + 1))]
    with pytest.raises(JournalUnwritable, match="full"):
        file.start(MatchStarted("legend", ("A" * 60_000,), {}), SEED)
    assert len(file.matches()) == 1
    file._database.execute("PRAGMA max_page_count = 1000000")
    journal.append(acted(written + 1))
    assert journal.entries()[-1] == acted(written + 1)


def test_a_journal_that_may_not_be_written_is_named(file: JournalFile) -> None:
    journal = file.start(STARTED, SEED)
    file._database.execute("PRAGMA query_only = ON")
    with pytest.raises(JournalUnwritable, match="readonly"):
        journal.append(acted(1))
    with pytest.raises(JournalUnwritable, match="readonly"):
        file.start(STARTED, SEED)
    assert journal.entries() == [STARTED]
