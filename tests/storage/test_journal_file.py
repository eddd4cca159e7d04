import re
import sqlite3
import subprocess
import sys
from contextlib import closing
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
from tests.storage.writing import APPEND_FOR_EVER
from tests.support.any_entry import ANY_ENTRY
from tests.support.documents import ROOT
from tests.support.effort import effort

STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "1"}, "ab" * 32)
SEED = bytes(range(32))


def acted(seq: int) -> Acted:
    return Acted(seq, seq % 2, 1000 * seq, Rolled((1, 2, 3, 4, 5, 6)))


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_both_journals_give_back_what_was_appended(kind: str, file: JournalFile) -> None:
    journal: Journal = file.start(STARTED, SEED) if kind == "file" else MemoryJournal(STARTED)
    later: list[Entry] = [Salted(0, 812), acted(1), TakenBack(2, 0, 5, 1), Masked("e4"), MatchEnded(None, (3, 3))]
    for entry in later:
        journal.append(entry)
    assert list(journal.entries()) == [STARTED, *later]


@settings(max_examples=effort(12, 1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])  # busy disks
@given(entries=st.lists(ANY_ENTRY, max_size=8))
def test_the_file_gives_back_any_entries_when_opened_again(entries: list[Entry], tmp_path_factory: object) -> None:
    assert isinstance(tmp_path_factory, pytest.TempPathFactory)
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    with closing(JournalFile(path)) as file:
        journal = file.start(STARTED, None)
        for entry in entries:
            journal.append(entry)
    with closing(JournalFile(path)) as file:
        assert file.open(1).entries() == [STARTED, *entries]


def test_seed_and_beginning_are_kept_with_the_match(file: JournalFile, path: Path) -> None:
    honest, dictated = file.start(STARTED, SEED), file.start(STARTED, None)
    file.close()
    with closing(JournalFile(path)) as again:
        assert (again.open(honest.number).seed, again.open(dictated.number).seed) == (SEED, None)
        assert again.open(honest.number).began == honest.began
    assert datetime.fromisoformat(honest.began).utcoffset() is not None


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


def test_the_layout_bears_its_version_and_every_commit_is_synced(file: JournalFile) -> None:
    for pragma, value in (("user_version", len(MIGRATIONS)), ("journal_mode", "wal"), ("synchronous", 2)):
        assert file._database.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_two_programs_do_not_mix_their_histories(file: JournalFile, path: Path) -> None:
    mine = file.start(STARTED, SEED)
    with closing(JournalFile(path)) as other:
        theirs = other.open(mine.number)
        assert mine.entries() == theirs.entries()
        theirs.append(acted(1))
        with pytest.raises(JournalUnwritable, match="another program"):
            mine.append(acted(1))
        assert file.open(mine.number).entries() == [STARTED, acted(1)]


def test_a_long_history_is_read_by_one_query(file: JournalFile) -> None:
    journal = file.start(STARTED, SEED)
    for seq in range(1, 101):
        journal.append(acted(seq))
    queries: list[str] = []
    file._database.set_trace_callback(queries.append)
    assert len(journal.entries()) == 101
    assert len(queries) == 1


def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    command = [sys.executable, "-c", APPEND_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        acknowledged = [int(child.stdout.readline()) for _ in range(57)]
        child.kill()
        acknowledged += [int(line) for line in child.stdout.read().splitlines()]
    with closing(JournalFile(path)) as file:
        journal = file.open(1)
        written = [entry.seq for entry in journal.entries() if isinstance(entry, Acted)]
        assert written == list(range(1, len(written) + 1))
        assert len(acknowledged) <= len(written) <= len(acknowledged) + 1
        journal.append(acted(len(written) + 1))
        assert journal.entries()[-1] == acted(len(written) + 1)


def test_a_file_that_is_no_journal_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path.with_name("recipes"))) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    path.with_name("diary").write_bytes(b"dear diary, " * 400)
    for name, words in (("recipes", "another program"), ("diary", "is no journal")):
        before = path.with_name(name).read_bytes()
        with pytest.raises(JournalUnreadable, match=words):
            JournalFile(path.with_name(name))
        assert path.with_name(name).read_bytes() == before


def test_a_place_where_no_journal_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    for path, words in ((tmp_path / "state" / "journal.sqlite", "cannot be made"), (tmp_path, "cannot be opened")):
        with pytest.raises(JournalUnwritable, match=words):
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


def written() -> int:
    """Return the bytes this process has handed to the kernel so far, in files and elsewhere."""
    found = re.search(r"^wchar: (\d+)$", Path("/proc/self/io").read_text(encoding="ascii"), re.MULTILINE)
    assert found is not None
    return int(found[1])


def test_an_action_writes_no_more_than_operations_md_says_of_sd_cards(file: JournalFile) -> None:
    said = re.search(r"writes (\d+) kB and waits once", (ROOT / "docs/operations.md").read_text(encoding="utf-8"))
    assert said is not None
    journal, actions = file.start(STARTED, SEED), 200
    before = written()
    for seq in range(actions):
        journal.append(acted(seq))
    each = (written() - before) / actions / 1000
    assert each <= int(said[1])
    assert each > int(said[1]) / 2, "it has become less: say so"
