"""`captains-table restore`: a backup takes the journal's place, and the journal that was there is kept."""

import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from captains_table.devices.ports import JournalUnwritable
from captains_table.storage.backup import back_up, restore_journal
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.lock import StateInUse, sole_use
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable
from tests.support.journals import EARLIER, damage, journal_with, names_in, rows_of, version_of_file
from tests.support.table_process import Caller, TableProcess, run_here

NAME = "journal.sqlite3"
NOW = datetime(2026, 11, 22, 4, 5, 6, tzinfo=UTC)
KEPT = f"{NAME}.replaced-2026-11-22-040506"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return journal_with(tmp_path / "state" / NAME, "Anne", "Mary")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    copy = tmp_path / "evening.sqlite3"
    back_up(journal_with(tmp_path / "other" / NAME, "Grace"), copy)
    return copy


@pytest.mark.slow
def test_an_evening_is_brought_back_and_played_on(tmp_path: Path) -> None:
    state, copy = tmp_path / "state", tmp_path / "evening.sqlite3"
    arguments = ("play", "--port", "0", "--state", state)
    table = TableProcess(*arguments, "--players", "Anne", "Bart", logs=tmp_path / "first")
    with closing(Caller(table.origin)) as anne:
        anne.hold_roll()
        backed_up = rows_of(state / NAME)
        assert run_here("backup", copy, "--state", state).returncode == 0
        anne.pick("e2e4")
    played = rows_of(state / NAME)
    table.kill()  # its last actions stand in the write-ahead log alone
    answer = run_here("restore", copy, "--state", state)
    assert (answer.returncode, answer.stderr) == (0, "")
    said = re.fullmatch(
        rf"{state / NAME} is a copy of {copy} now. Matches in it: 1.\n"
        rf"The journal that was there is kept as ({state / NAME}\.replaced-\d{{4}}-\d\d-\d\d-\d{{6}}).\n",
        answer.stdout,
    )
    assert said is not None
    assert rows_of(state / NAME) == backed_up
    assert rows_of(Path(said[1])) == played
    table = TableProcess(*arguments, logs=tmp_path / "second")
    with closing(Caller(table.origin)) as again:
        assert "e2e4" in again.offers()  # the throw is there, the move is not
    table.stop()
    assert table.complaints == ""


def test_nothing_is_restored_while_a_table_runs(path: Path, backup: Path) -> None:
    before = rows_of(path)
    with sole_use(path.parent):
        answer = run_here("restore", backup, "--state", path.parent)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"captains-table: another table runs with {path.parent}: stop it")
    assert rows_of(path) == before
    assert names_in(path.parent) == [NAME, "lock"]


def test_a_journal_that_another_program_has_open_is_not_replaced(
    path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("captains_table.storage.backup.BUSY_S", 0.1)
    before = rows_of(path)
    with closing(JournalFile(path)), pytest.raises(StateInUse, match=f"another program has {path} open: end it first"):
        restore_journal(path, backup, NOW)
    assert rows_of(path) == before
    assert names_in(path.parent) == [NAME, "lock"]


def test_the_journal_that_is_replaced_is_kept_under_a_name_that_says_when(path: Path, backup: Path) -> None:
    before = rows_of(path)
    restored = restore_journal(path, backup, NOW)
    assert (restored.matches, restored.kept) == (1, path.with_name(KEPT))
    assert rows_of(path) == rows_of(backup)
    assert rows_of(path.with_name(KEPT)) == before
    assert names_in(path.parent) == [NAME, KEPT, "lock"]
    assert {stat.S_IMODE(path.with_name(name).stat().st_mode) for name in (NAME, KEPT)} == {0o600}
    again = restore_journal(path, path.with_name(KEPT), NOW)  # in the same second
    assert again.kept == path.with_name(f"{KEPT}.1")
    assert rows_of(path) == before
    assert rows_of(path.with_name(f"{KEPT}.1")) == rows_of(backup)


def test_a_damaged_journal_is_kept_with_its_log_and_neither_spoils_the_new_one(path: Path, backup: Path) -> None:
    path.write_bytes(b"dear diary, " * 400)
    path.with_name(f"{NAME}-wal").write_bytes(b"what was written last")
    restore_journal(path, backup, NOW)
    assert rows_of(path) == rows_of(backup)
    assert path.with_name(KEPT).read_bytes() == b"dear diary, " * 400
    assert path.with_name(f"{KEPT}-wal").read_bytes() == b"what was written last"
    assert not path.with_name(f"{NAME}-wal").exists()


def test_a_backup_is_restored_where_nothing_was_played(tmp_path: Path, backup: Path) -> None:
    answer = run_here("restore", backup, "--state", tmp_path / "new")
    assert (answer.returncode, answer.stderr, answer.stdout.count("\n")) == (0, "", 1)
    assert rows_of(tmp_path / "new" / NAME) == rows_of(backup)


def test_an_earlier_programs_journal_is_restored_as_it_is_and_upgraded_when_it_is_opened(path: Path) -> None:
    shutil.copy(EARLIER, path.with_name("earlier"))
    before = rows_of(path.with_name("earlier"))
    restore_journal(path, path.with_name("earlier"), NOW)
    assert version_of_file(path) == 1
    assert rows_of(path) == before
    JournalFile(path).close()
    assert version_of_file(path) == len(MIGRATIONS)
    assert rows_of(path) == before


def test_what_stands_in_the_backups_write_ahead_log_is_restored_too(path: Path, tmp_path: Path) -> None:
    with closing(JournalFile(journal_with(tmp_path / "cut" / NAME, "Grace"))) as file:
        file.start(file.matches()[0].started, None)
        for end in ("", "-wal"):
            shutil.copy(f"{file.path}{end}", tmp_path / f"copied{end}")
    assert restore_journal(path, tmp_path / "copied", NOW).matches == 2


def be_another_programs(file: Path, statement: str = "") -> None:
    file.unlink()
    execute(file, f"CREATE TABLE recipes (name TEXT); {statement}")


def be_a_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def execute(file: Path, script: str) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.executescript(script)


NO_FILE = "is no file: expected one that `captains-table backup` wrote"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda file: file.write_text("dear diary, " * 400, encoding="ascii"), "is no journal"),
        (lambda file: file.write_bytes(b""), "is no journal: it is empty"),
        (be_another_programs, "another program's database"),
        (lambda file: be_another_programs(file, "PRAGMA user_version = 2"), "it is no journal .no such table: entries"),
        (lambda file: execute(file, "PRAGMA user_version = 99"), r"newer program \(version 99, this one knows"),
        (damage, "cannot be restored: it is damaged"),
        (lambda file: file.write_bytes(file.read_bytes()[:9000]), "damaged|malformed|cannot be read"),
        (be_a_directory, NO_FILE),
        (Path.unlink, NO_FILE),
    ],
    ids=["text", "empty", "recipes", "recipes of version 2", "newer", "damaged", "cut short", "directory", "missing"],
)
def test_what_is_no_whole_journal_is_refused_and_nothing_is_changed(
    path: Path, backup: Path, spoil: Callable[[Path], None], words: str
) -> None:
    before = rows_of(path)
    spoil(backup)
    with pytest.raises(JournalUnreadable, match=words) as refused:
        restore_journal(path, backup, NOW)
    assert str(backup) in str(refused.value)
    assert rows_of(path) == before
    assert [name for name in names_in(path.parent) if name != "lock"] == [NAME]


def test_a_restore_that_fails_at_the_very_end_leaves_the_journal_and_what_was_kept(
    path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: Path, _target: Path) -> None:
        raise OSError("Input/output error")

    before = rows_of(path)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(JournalUnwritable, match=f"{backup} cannot be put in the place of {path}: Input/output error"):
        restore_journal(path, backup, NOW)
    assert rows_of(path) == rows_of(path.with_name(KEPT)) == before
    assert names_in(path.parent) == [NAME, KEPT, "lock"]


LAYOUTS = [
    ("DROP TRIGGER entries_stay", "it lacks the trigger entries_stay"),
    ("DROP INDEX entries_by_kind", "it lacks the index entries_by_kind"),
    ("CREATE TABLE more (one TEXT)", "it has the table more"),
    ("CREATE TRIGGER one AFTER INSERT ON entries BEGIN SELECT 1; END", "it has the trigger one"),
    ("CREATE VIEW one AS SELECT 1", "it has the view one"),
    ("ALTER TABLE matches ADD COLUMN more TEXT", "it has changed the table matches"),
    (
        "DROP TRIGGER matches_stay; CREATE TRIGGER matches_stay BEFORE UPDATE ON matches BEGIN SELECT 1; END",
        "it has changed the trigger matches_stay",
    ),
]


@pytest.mark.parametrize("is_earlier", [False, True])
def test_a_backup_that_is_not_laid_out_as_its_version_or_the_journal_itself_is_refused(
    path: Path, backup: Path, tmp_path: Path, *, is_earlier: bool
) -> None:
    before, spoilt = rows_of(path), tmp_path / "spoilt"
    with pytest.raises(JournalUnreadable, match="is the journal itself"):
        restore_journal(path, path.parent / ".." / "state" / NAME, NOW)
    for statement, words in LAYOUTS:
        shutil.copy(EARLIER if is_earlier else backup, spoilt)
        execute(spoilt, statement)
        with pytest.raises(JournalUnreadable, match=f"not laid out as a journal of its version is: {words}"):
            restore_journal(path, spoilt, NOW)
    assert rows_of(path) == before
    assert names_in(path.parent) == [NAME, "lock"]
