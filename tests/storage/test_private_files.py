"""Who may read a table's files: the user it runs as, and nobody else."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from captains_table.storage.journal_file import JournalFile
from captains_table.storage.key_files import TOKEN, TokenUnusable, read_token
from captains_table.storage.schema import MIGRATIONS, script
from captains_table.table.model.entries import MatchStarted
from tests.support.outsider import as_an_outsider, common_directory
from tests.support.table_process import COMMAND, Caller, TableProcess, run_command

NAME = "journal.sqlite3"
STARTED = MatchStarted("legend", ("Anne", "Bart"), {})
ENDS = ("", "-wal", "-shm")
LOOSE = "import os, sys; os.umask(0); os.execv(sys.argv[1], sys.argv[1:])"


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(directory: Path) -> dict[str, int]:
    """Return the modes of the journal's files."""
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in directory.iterdir() if file.name.startswith(NAME)}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o277])
def test_a_new_journal_is_its_owners_alone_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    with umask(mask), closing(JournalFile(tmp_path / NAME)) as file:
        file.start(STARTED, bytes(32))
        assert modes(tmp_path) == {f"{NAME}{end}": 0o600 for end in ENDS}


def test_files_that_others_could_read_are_taken_from_them(tmp_path: Path) -> None:
    with closing(JournalFile(tmp_path / NAME)) as first:
        first.start(STARTED, bytes(32))
        (tmp_path / f"{NAME}.before-2").write_bytes(b"a copy that an earlier program kept")
        for file in tmp_path.iterdir():
            file.chmod(0o664)
        JournalFile(tmp_path / NAME).close()
        assert modes(tmp_path) == {f"{NAME}{end}": 0o600 for end in (*ENDS, ".before-2")}


def test_a_journal_behind_a_link_is_taken_from_others_too(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "disk").mkdir()
    (tmp_path / "state" / NAME).symlink_to(tmp_path / "disk" / NAME)
    with umask(0), closing(JournalFile(tmp_path / "state" / NAME)):
        assert modes(tmp_path / "disk") == {f"{NAME}{end}": 0o600 for end in ENDS}


def test_the_copy_that_an_upgrade_makes_is_its_owners_alone(tmp_path: Path) -> None:
    JournalFile(tmp_path / NAME).close()
    (tmp_path / NAME).chmod(0o644)
    with umask(0):
        JournalFile(tmp_path / NAME, steps=(*MIGRATIONS, script(""))).close()
    assert modes(tmp_path) == {NAME: 0o600, f"{NAME}.before-{len(MIGRATIONS) + 1}": 0o600}


def test_a_table_in_play_keeps_its_journal_to_itself(tmp_path: Path) -> None:
    arguments = ("play", "--players", "Anne", "Bart", "--port", "0", "--state", tmp_path)
    table = TableProcess(COMMAND, *arguments, logs=tmp_path / "logs", program=(sys.executable, "-c", LOOSE))
    anne = Caller(table.origin)
    try:
        anne.hold_roll()
        assert modes(tmp_path) == {f"{NAME}{end}": 0o600 for end in ENDS}
    finally:
        anne.close()
        table.stop()
    assert modes(tmp_path) == {NAME: 0o600}


# --- the token ------------------------------------------------------------------------------------------------------


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    with umask(0):
        token = read_token(tmp_path)
    assert read_token(tmp_path) == token
    assert stat.S_IMODE((tmp_path / TOKEN).stat().st_mode) == 0o600


def test_a_token_that_may_not_be_read_names_itself() -> None:
    with common_directory() as state:
        read_token(state)
        (state / TOKEN).chmod(0)
        with as_an_outsider(), pytest.raises(TokenUnusable, match=rf"{state / TOKEN} cannot be used \(Permission den"):
            read_token(state)


def test_a_token_that_is_no_text_names_itself(tmp_path: Path) -> None:
    (tmp_path / TOKEN).write_bytes(b"\xff\xfe")
    with pytest.raises(TokenUnusable, match=f"{tmp_path / TOKEN} cannot be used .it holds more than ASCII text"):
        read_token(tmp_path)


def test_a_table_whose_token_cannot_be_read_says_which_file_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / TOKEN).mkdir()
    answer = run_command("play", "--host", "0.0.0.0", "--port", "0", "--state", tmp_path)  # noqa: S104 - what asks for it
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"captains-table: the table's token {tmp_path / TOKEN} cannot be used (Is a dir")
    assert "Make it readable, or delete it" in answer.stderr
    assert answer.stderr.count("\n") == 1
