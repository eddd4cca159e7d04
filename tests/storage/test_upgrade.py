"""A journal whose form is not this program's: an earlier one is brought up, a newer one is left alone."""

import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from captains_table.devices.ports import JournalUnwritable
from captains_table.games.contract import Pick
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.lock import StateInUse, sole_use
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable, script
from captains_table.table.model.entries import Acted, Entry, MatchEnded, MatchStarted
from tests.storage.writing import full
from tests.support.journals import EARLIER, rows_of
from tests.support.outsider import as_an_outsider, common_directory

STARTED = MatchStarted("legend", ("Anne", "Bart"), {})
HISTORY: list[Entry] = [STARTED, Acted(1, 0, 5, Pick("roll")), MatchEnded(0, (9, 1))]
NEWER = len(MIGRATIONS) + 1
NAME = "journal.sqlite3"
COPY = f"{NAME}.before-{NEWER}"

# What a later form might be: a column, an index, and every entry written anew, for which a trigger has to step aside.
LATER = script("""
ALTER TABLE matches ADD COLUMN place TEXT NOT NULL DEFAULT 'the club';
CREATE INDEX matches_by_place ON matches (place);
DROP TRIGGER entries_stay;
UPDATE entries SET body = replace(body, 'Anne', 'Mary');
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT raise(ABORT, 'entries are append-only'); END;
""")
FAILING = script("ALTER TABLE matches ADD COLUMN place TEXT; INSERT INTO nowhere VALUES (1);")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "state" / NAME
    with closing(JournalFile(path)) as file:
        write_a_match(file)
    return path


def write_a_match(file: JournalFile) -> None:
    journal = file.start(STARTED, None)
    for entry in HISTORY[1:]:
        journal.append(entry)


def upgraded(path: Path) -> list[Entry]:
    with closing(JournalFile(path, steps=(*MIGRATIONS, LATER))) as file:
        return file.open(1).entries()


def history(path: Path) -> list[Entry]:
    with closing(JournalFile(path)) as file:
        return file.open(1).entries()


def form(path: Path) -> tuple[int, list[str]]:
    with closing(sqlite3.connect(path)) as database:
        [(version,)] = database.execute("PRAGMA user_version")
        return version, [row[1] for row in database.execute("PRAGMA table_info(matches)")]


def contents(path: Path) -> dict[str, bytes]:
    """Return every file of a directory but SQLite's scratch memory."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}


def cut_off(path: Path) -> dict[str, bytes]:
    """Leave a journal as a power cut does, with all of a match in the write-ahead log alone; return the files."""
    working = path.with_name("working")
    with closing(JournalFile(working)) as file:
        write_a_match(file)
        path.unlink(missing_ok=True)
        for end in ("", "-wal"):
            shutil.copy(f"{working}{end}", f"{path}{end}")
    working.unlink()
    (path.parent / "lock").unlink(missing_ok=True)
    assert path.with_name(f"{NAME}-wal").stat().st_size > 0
    return contents(path)


def test_an_earlier_journal_is_brought_to_todays_form_and_a_copy_is_kept(path: Path) -> None:
    path.chmod(0o600)
    first = upgraded(path)[0]
    assert first == MatchStarted("legend", ("Mary", "Bart"), {})
    assert form(path) == (NEWER, ["number", "began", "seed", "place"])
    with closing(sqlite3.connect(path)) as database, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        database.execute("UPDATE entries SET position = 7")
    assert form(path.with_name(COPY)) == (len(MIGRATIONS), ["number", "began", "seed"])
    assert stat.S_IMODE(path.with_name(COPY).stat().st_mode) == 0o600
    assert history(path.with_name(COPY)) == HISTORY
    assert {file.name for file in path.parent.iterdir()} == {NAME, COPY, "lock"}


def test_a_new_journal_has_todays_form_at_once_and_is_not_copied(tmp_path: Path) -> None:
    path = tmp_path / NAME
    for _ in range(2):
        JournalFile(path, steps=(*MIGRATIONS, LATER)).close()
        assert form(path) == (NEWER, ["number", "began", "seed", "place"])
        assert list(contents(path)) == [NAME]


def test_what_version_0_1_0_wrote_is_brought_to_todays_form_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / NAME
    shutil.copy(EARLIER, path)
    before = rows_of(path)
    JournalFile(path).close()
    assert form(path)[0] == len(MIGRATIONS) > form(path.with_name(f"{NAME}.before-{len(MIGRATIONS)}"))[0] == 1
    assert rows_of(path) == rows_of(path.with_name(f"{NAME}.before-{len(MIGRATIONS)}")) == before


def test_what_stands_in_the_write_ahead_log_alone_is_copied_and_upgraded(path: Path) -> None:
    cut_off(path)
    assert upgraded(path)[1:] == HISTORY[1:]
    assert history(path.with_name(COPY)) == HISTORY


def test_a_copy_replaces_no_earlier_one_and_the_rest_of_one_that_a_power_cut_ended_is_none(path: Path) -> None:
    path.with_name(COPY).write_text("precious", encoding="ascii")
    path.with_name(f"{COPY}.1").write_text("precious too", encoding="ascii")
    path.with_name(f"{COPY}.part").write_bytes(b"half a jour")
    upgraded(path)
    assert path.with_name(COPY).read_text(encoding="ascii") == "precious"
    assert path.with_name(f"{COPY}.1").read_text(encoding="ascii") == "precious too"
    assert history(path.with_name(f"{COPY}.2")) == HISTORY
    assert not path.with_name(f"{COPY}.part").exists()


def test_a_step_that_fails_or_a_disk_without_room_for_the_copy_leaves_the_journal_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalUnwritable, match="which failed: No space left on device; its matches are as they were"):
        upgraded(path)
    monkeypatch.undo()
    assert history(path) == HISTORY
    assert sorted(contents(path)) == [NAME, "lock"]
    words = f"is of version {len(MIGRATIONS)} and must be upgraded to {NEWER}, which failed: no such table: nowhere"
    with pytest.raises(JournalUnwritable, match=re.escape(words)):
        JournalFile(path, steps=(*MIGRATIONS, FAILING))
    assert form(path) == (len(MIGRATIONS), ["number", "began", "seed"])
    assert history(path) == HISTORY


CRASHING = """
import os, signal, sys
from pathlib import Path
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import MIGRATIONS

def crash(database):
    database.execute("PRAGMA cache_size = 10")  # so that much of it is written to the disk before
    database.execute("ALTER TABLE matches ADD COLUMN place TEXT")
    for number in range(2, 5000):
        database.execute("INSERT INTO matches (number, began) VALUES (?, ?)", (number, "x" * 500))
    os.kill(os.getpid(), signal.SIGKILL)

JournalFile(Path(sys.argv[1]), steps=(*MIGRATIONS, crash))
"""


def test_a_crash_in_the_middle_of_an_upgrade_leaves_the_journal_as_it_was(path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", CRASHING, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.with_name(f"{NAME}-wal").stat().st_size > 1_000_000  # it was in the middle indeed
    assert form(path) == (len(MIGRATIONS), ["number", "began", "seed"])
    assert history(path) == history(path.with_name(COPY)) == HISTORY
    first_copy = path.with_name(COPY).read_bytes()
    assert upgraded(path)[1:] == HISTORY[1:]
    assert path.with_name(COPY).read_bytes() == first_copy
    assert history(path.with_name(f"{COPY}.1")) == HISTORY


def test_a_journal_that_a_table_works_with_is_upgraded_by_that_table_alone(path: Path) -> None:
    with sole_use(path.parent):
        before = contents(path)
        version = f"is of version {len(MIGRATIONS)} and must be upgraded to {NEWER}"
        with pytest.raises(StateInUse, match=f"{version}, but a table runs with it: stop that table"):
            upgraded(path)
        assert contents(path) == before
        assert history(path) == HISTORY  # today's form is read as well
        with closing(JournalFile(path, steps=(*MIGRATIONS, LATER), has_lock=True)):
            assert form(path)[0] == NEWER


@contextmanager
def read_only(directory: Path) -> Iterator[None]:
    """Let nobody write in a directory and its files, root neither."""
    for file in (*directory.iterdir(), directory):
        file.chmod(0o555 if file.is_dir() else 0o444)
    try:
        with as_an_outsider():
            yield
    finally:
        directory.chmod(0o755)


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_directory_that_takes_no_writing_is_named_and_nothing_is_changed(*, is_cut: bool) -> None:
    with common_directory() as common:
        path = common / "state" / NAME
        with closing(JournalFile(path)) as file:
            write_a_match(file)
        if is_cut:
            cut_off(path)
        before = contents(path)
        with read_only(path.parent):
            with pytest.raises(JournalUnwritable, match=rf"{path} cannot be (opened|written): "):
                upgraded(path)
            assert contents(path) == before


def test_a_newer_programs_journal_is_refused_with_both_versions_and_what_to_do(path: Path) -> None:
    upgraded(path)
    before = contents(path)
    words = f"newer program (version {NEWER}, this one knows {len(MIGRATIONS)}): update this program, or name another"
    with pytest.raises(JournalUnreadable, match=re.escape(words)):
        JournalFile(path)
    assert contents(path) == before


def test_a_newer_programs_journal_is_not_touched_after_a_power_cut_either(path: Path, tmp_path: Path) -> None:
    later = tmp_path / "cut" / NAME
    later.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as working:
        working.execute("PRAGMA user_version = 99")  # in the write-ahead log alone
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{later}{end}")
    before = contents(later)
    assert before[f"{NAME}-wal"]
    with pytest.raises(JournalUnreadable, match=re.escape(f"(version 99, this one knows {len(MIGRATIONS)})")):
        JournalFile(later)
    assert contents(later) == before
