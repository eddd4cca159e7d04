"""`captains-table backup`: one moment of the journal in one file, whoever writes meanwhile."""

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.storage.backup import CannotBackUp, back_up
from captains_table.storage.files import move_to_unused_name, temporary_file
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable
from captains_table.table.model.entries import Acted
from tests.support.journals import EARLIER, damage, journal_with, names_in, rows_of, version_of_file
from tests.support.table_process import Caller, TableProcess, run_here

NAME = "journal.sqlite3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return journal_with(tmp_path / "state" / NAME, "Anne", "Mary")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite3"


def test_a_backup_beside_a_playing_table_holds_all_that_was_shown(tmp_path: Path, copy: Path) -> None:
    state = tmp_path / "state"
    table = TableProcess("play", "--players", "Anne", "Bart", "--port", "0", "--state", state, logs=tmp_path / "logs")
    anne = Caller(table.origin)
    try:
        anne.hold_roll()
        shown = anne.get("/export/1.json").json()["entries"]
        answer = run_here("backup", copy, "--state", state)
        assert (answer.returncode, answer.stderr) == (0, "")
        assert answer.stdout == f"{copy} is a copy of {state / NAME}. Matches in it: 1.\n"
        anne.pick("e2e4")
    finally:
        anne.close()
        table.stop()
    assert table.complaints == ""
    bodies = [json.loads(str(row[4])) for row in rows_of(copy) if len(row) == 5]
    assert [body["entry"] for body in bodies] == [entry["entry"] for entry in shown]
    assert len(rows_of(state / NAME)) > len(rows_of(copy))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert version_of_file(copy) == len(MIGRATIONS)


WRITE_FOR_EVER = """
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


def test_a_backup_is_one_moment_of_a_journal_that_is_written_all_the_time(tmp_path: Path) -> None:
    path = tmp_path / NAME
    command = [sys.executable, "-c", WRITE_FOR_EVER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for number in range(5):
            acknowledged = [int(writer.stdout.readline()) for _ in range(40)][-1]
            copy = tmp_path / f"copy-{number}"
            assert back_up(path, copy) == 1
            with closing(JournalFile(copy)) as file:
                written = [entry.seq for entry in file.open(1).entries() if isinstance(entry, Acted)]
            assert written == list(range(1, len(written) + 1))
            assert len(written) >= acknowledged
        writer.kill()


def test_a_backup_is_whole_and_one_file(path: Path, copy: Path) -> None:
    assert back_up(path, copy) == 2
    assert rows_of(copy) == rows_of(path)
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert names_in(copy.parent) == [copy.name, "state"]
    assert names_in(path.parent) == [NAME]


def test_a_backup_overwrites_nothing(path: Path, copy: Path) -> None:
    copy.write_text("precious", encoding="ascii")
    answer = run_here("backup", copy, "--state", path.parent)
    assert answer.returncode == 2
    assert answer.stderr == (
        f"captains-table: {copy} is there already and was left as it is: expected the name of a file that is not\n"
    )
    assert copy.read_text(encoding="ascii") == "precious"


def test_a_link_that_leads_nowhere_is_not_overwritten_either(path: Path, copy: Path) -> None:
    copy.symlink_to("nowhere")
    with pytest.raises(CannotBackUp, match="is there already"):
        back_up(path, copy)
    assert copy.readlink() == Path("nowhere")


def without_hard_links(_self: Path, _target: Path) -> None:
    raise PermissionError("Operation not permitted")


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_comes_meanwhile_is_not_overwritten(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    if not has_links:
        monkeypatch.setattr(Path, "hardlink_to", without_hard_links)
    copy.write_text("precious", encoding="ascii")
    with pytest.raises(FileExistsError):
        move_to_unused_name(path, copy)
    assert copy.read_text(encoding="ascii") == "precious"


def test_a_memory_stick_without_hard_links_takes_a_backup(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", without_hard_links)
    back_up(path, copy)
    assert rows_of(copy) == rows_of(path)
    assert names_in(copy.parent) == [copy.name, "state"]


def test_an_earlier_programs_journal_is_backed_up_as_it_is(tmp_path: Path, copy: Path) -> None:
    (tmp_path / "state").mkdir()
    path = tmp_path / "state" / NAME
    shutil.copy(EARLIER, path)
    before = rows_of(path)
    back_up(path, copy)
    assert (version_of_file(path), version_of_file(copy)) == (1, 1)
    assert rows_of(copy) == before


def test_a_newer_programs_journal_is_not_backed_up(path: Path, copy: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalUnreadable, match=r"newer program \(version 99"):
        back_up(path, copy)
    assert not copy.exists()


def test_a_damaged_journal_is_named_and_leaves_no_backup(path: Path, copy: Path) -> None:
    damage(path)
    words = f"{re.escape(str(path))} cannot be backed up: it is damaged .*; {re.escape(str(copy))} was not written"
    with pytest.raises(JournalUnreadable, match=words):
        back_up(path, copy)
    assert names_in(copy.parent) == ["state"]


def test_a_full_disk_leaves_no_half_backup(path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotBackUp, match=rf"{path} cannot be backed up to {copy}: No space left on device"):
        back_up(path, copy)
    assert names_in(copy.parent) == ["state"]


def test_where_nothing_was_played_there_is_nothing_to_back_up(tmp_path: Path, copy: Path) -> None:
    answer = run_here("backup", copy, "--state", tmp_path / "state")
    assert answer.returncode == 2
    assert answer.stderr == f"captains-table: no match was played yet: there is no {tmp_path / 'state' / NAME}\n"


def test_a_directory_that_is_not_there_is_named(path: Path, tmp_path: Path) -> None:
    answer = run_here("backup", tmp_path / "stick" / "evening.sqlite3", "--state", path.parent)
    assert answer.returncode == 2
    assert f"there is no directory {tmp_path / 'stick'}\n" in answer.stderr


def test_what_a_killed_copy_left_is_removed_by_the_next_one_and_nothing_else_is(tmp_path: Path) -> None:
    path, copies = journal_with(tmp_path / "state" / "journal.sqlite3", "Anne"), tmp_path / "copies"
    copies.mkdir()
    left = copies / ".captains-table-0123456789abcdef.part"
    for end in ("", "-journal"):
        Path(f"{left}{end}").write_bytes(b"half a journal")
    (copies / "holiday.part").touch()
    with temporary_file(copies / "other.sqlite3") as at_work:
        assert not left.exists(), "the one that was killed"
        back_up(path, copies / "evening.sqlite3")
        assert at_work.exists(), "another copy may be at work in the same folder"
    assert names_in(copies) == ["evening.sqlite3", "holiday.part"]
