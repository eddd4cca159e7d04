"""`captains-table backup`: one moment of the journal in one file; and a copy kept of files that are changed."""

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
from hypothesis import given, strategies as st

from captains_table.storage.backup import CannotBackUp, back_up
from captains_table.storage.files import (
    diff_lines,
    move_to_unused_name,
    read_as_it_is,
    replace_keeping_a_copy,
    temporary_file,
)
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable
from captains_table.table.model.entries import Acted
from tests.storage.writing import APPEND_FOR_EVER, full
from tests.support.journals import EARLIER, damage, journal_with, names_in, rows_of, version_of_file
from tests.support.table_process import Caller, TableProcess, run_here

NAME = "journal.sqlite3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return journal_with(tmp_path / "state" / NAME, "Anne", "Mary")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "evening.sqlite3"


@pytest.mark.slow
def test_a_backup_of_a_playing_table_holds_all_that_was_shown(tmp_path: Path, copy: Path) -> None:
    state = tmp_path / "state"
    arguments = ("play", "--players", "Anne", "Bart", "--port", "0", "--state", state)
    table = TableProcess(*arguments, logs=tmp_path / "logs")
    with closing(Caller(table.origin)) as anne:
        anne.hold_roll()
        shown = anne.get("/export/1.json").json()["entries"]
        answer = run_here("backup", copy, "--state", state)
        assert (answer.returncode, answer.stderr) == (0, "")
        assert answer.stdout == f"{copy} is a copy of {state / NAME}. Matches in it: 1.\n"
        anne.pick("e2e4")
    bodies = [json.loads(str(row[4])) for row in rows_of(copy) if len(row) == 5]
    assert [body["entry"] for body in bodies] == [entry["entry"] for entry in shown]
    assert len(rows_of(state / NAME)) > len(rows_of(copy))
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert version_of_file(copy) == len(MIGRATIONS)
    table.stop()
    assert table.complaints == ""


@pytest.mark.slow
def test_a_backup_is_one_moment_of_a_journal_that_is_written_all_the_time(tmp_path: Path) -> None:
    path = tmp_path / NAME
    command = [sys.executable, "-c", APPEND_FOR_EVER, str(path)]
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


@pytest.mark.parametrize(
    ("state", "copy", "words"),
    [
        ("state", "there", "{copy} is there already and was left as it is: expected the name of a file that is not\n"),
        ("state", "link", "{copy} is there already and was left as it is: expected the name of a file that is not\n"),
        ("state", "stick/copy", "there is no directory {copy.parent}\n"),
        ("nothing", "copy", "no match was played yet: there is no {journal}\n"),
    ],
)
def test_where_no_backup_can_be_made_nothing_is_overwritten_and_it_is_said_why(
    state: str, copy: str, words: str, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "there").write_text("precious", encoding="ascii")
    (tmp_path / "link").symlink_to("nowhere")
    answer = run_here("backup", tmp_path / copy, "--state", tmp_path / state)
    assert answer.returncode == 2
    assert words.format(copy=tmp_path / copy, journal=tmp_path / state / path.name) in answer.stderr
    assert (tmp_path / "there").read_text(encoding="ascii") == "precious"
    assert (tmp_path / "link").readlink() == Path("nowhere")


def without_hard_links(_self: Path, _target: Path) -> None:
    raise PermissionError("Operation not permitted")


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_comes_meanwhile_is_not_overwritten_and_a_memory_stick_without_hard_links_takes_a_backup(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    if not has_links:
        monkeypatch.setattr(Path, "hardlink_to", without_hard_links)
    back_up(path, copy)
    assert rows_of(copy) == rows_of(path)
    assert names_in(copy.parent) == [copy.name, "state"]
    before = copy.read_bytes()
    with pytest.raises(FileExistsError):
        move_to_unused_name(path, copy)
    assert copy.read_bytes() == before


def test_an_earlier_programs_journal_is_backed_up_as_it_is_and_a_newer_ones_is_not(path: Path, copy: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalUnreadable, match=r"newer program \(version 99"):
        back_up(path, copy)
    assert not copy.exists()
    shutil.copy(EARLIER, path)
    before = rows_of(path)
    back_up(path, copy)
    assert (version_of_file(path), version_of_file(copy)) == (1, 1)
    assert rows_of(copy) == before


def test_a_full_disk_and_a_damaged_journal_are_named_and_leave_no_backup(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotBackUp, match=rf"{path} cannot be backed up to {copy}: No space left on device"):
        back_up(path, copy)
    monkeypatch.undo()
    damage(path)
    words = f"{re.escape(str(path))} cannot be backed up: it is damaged .*; {re.escape(str(copy))} was not written"
    with pytest.raises(JournalUnreadable, match=words):
        back_up(path, copy)
    assert names_in(copy.parent) == ["state"]


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


@given(content=st.binary(max_size=200))
def test_any_bytes_come_through_as_they_were(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("boot") / "config.txt"
    path.write_bytes(content)
    copy = replace_keeping_a_copy(path, f"{read_as_it_is(path)}#\n")
    assert path.read_bytes() == content + b"#\n"
    assert copy.read_bytes() == content


def test_each_change_keeps_a_copy_of_its_own_under_a_name_that_fat_can_hold(tmp_path: Path) -> None:
    path = tmp_path / "config.txt"
    path.write_text("one\n", encoding="utf-8")
    copies = [replace_keeping_a_copy(path, f"{number}\n") for number in ("two", "three")]
    assert [copy.read_text(encoding="utf-8") for copy in copies] == ["one\n", "two\n"]
    assert not [copy for copy in copies if ":" in copy.name]
    assert sorted(tmp_path.iterdir()) == sorted([path, *copies])


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config.txt"
    path.write_text("one\n", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_keeping_a_copy(path, "two\n")
    assert path.read_text(encoding="utf-8") == "one\n"


def test_the_difference_is_what_would_change_and_can_be_printed(tmp_path: Path) -> None:
    lines = list(diff_lines(tmp_path / "config.txt", "a\nb\udce9\n", "a\nb\udce9\nc\n"))
    assert lines[-3:] == [" a", " b\ufffd", "+c"]
