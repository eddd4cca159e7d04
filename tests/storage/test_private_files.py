"""Who may read a table's files: the user it runs as, and nobody else."""

import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from captains_table.storage.journal_file import JournalFile
from captains_table.storage.key_files import TOKEN, KeysUnreadable, MatchKeys, SeatKeyFile, TokenUnusable, read_token
from captains_table.storage.schema import MIGRATIONS, script
from captains_table.table.model.entries import MatchStarted
from tests.support.outsider import as_an_outsider, common_directory
from tests.support.table_process import run_here

NAME = "journal.sqlite3"
STARTED = MatchStarted("legend", ("Anne", "Bart"), {})
ENDS = ("", "-wal", "-shm")


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(directory: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in directory.iterdir() if file.name.startswith(NAME)}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o277])
def test_a_new_journal_is_its_owners_alone_whatever_the_umask_behind_a_link_too(tmp_path: Path, mask: int) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "disk" / NAME)
    for path, folder in ((tmp_path / NAME, tmp_path), (tmp_path / "linked", tmp_path / "disk")):
        with umask(mask), closing(JournalFile(path)) as file:
            file.start(STARTED, bytes(32))
            assert modes(folder) == {f"{NAME}{end}": 0o600 for end in ENDS}


def test_files_that_others_could_read_are_taken_from_them(tmp_path: Path) -> None:
    with closing(JournalFile(tmp_path / NAME)) as first:
        first.start(STARTED, bytes(32))
        (tmp_path / f"{NAME}.before-2").write_bytes(b"a copy that an earlier program kept")
        for file in tmp_path.iterdir():
            file.chmod(0o664)
        JournalFile(tmp_path / NAME).close()
        assert modes(tmp_path) == {f"{NAME}{end}": 0o600 for end in (*ENDS, ".before-2")}
    with umask(0):  # an upgrade makes a copy
        JournalFile(tmp_path / NAME, steps=(*MIGRATIONS, script(""))).close()
    assert set(modes(tmp_path).values()) == {0o600}
    assert f"{NAME}.before-{len(MIGRATIONS) + 1}" in modes(tmp_path)


def test_a_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    with umask(0):
        token = read_token(tmp_path)
    assert read_token(tmp_path) == token
    assert stat.S_IMODE((tmp_path / TOKEN).stat().st_mode) == 0o600


def test_a_token_that_may_not_be_read_or_is_no_text_names_itself() -> None:
    with common_directory() as state:
        (state / TOKEN).write_bytes(b"\xff\xfe")
        with pytest.raises(TokenUnusable, match=f"{state / TOKEN} cannot be used .it holds more than ASCII text"):
            read_token(state)
        (state / TOKEN).unlink()
        read_token(state)
        (state / TOKEN).chmod(0)
        with as_an_outsider(), pytest.raises(TokenUnusable, match=rf"{state / TOKEN} cannot be used \(Permission den"):
            read_token(state)


def test_a_table_whose_token_cannot_be_read_says_which_file_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / TOKEN).mkdir()
    answer = run_here("play", "--host", "0.0.0.0", "--port", "0", "--state", tmp_path)  # noqa: S104 - what asks for it
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"captains-table: the table's token {tmp_path / TOKEN} cannot be used (Is a dir")
    assert "Make it readable, or delete it" in answer.stderr
    assert answer.stderr.count("\n") == 1


KEYS = MatchKeys(3, "ab" * 32, ("one", None, "three"))


@pytest.fixture
def seats(tmp_path: Path) -> SeatKeyFile:
    return SeatKeyFile(tmp_path / "seats")


def test_keys_are_read_as_they_were_written_until_they_are_removed_and_are_nobody_elses(seats: SeatKeyFile) -> None:
    assert seats.read() is None
    for keys in (replace(KEYS, match=1), KEYS):
        seats.write(keys)
    assert seats.read() == KEYS
    assert seats.path.stat().st_mode & 0o777 == 0o600
    assert list(seats.path.parent.iterdir()) == [seats.path]
    for _ in range(2):
        seats.remove()
        assert seats.read() is None


def test_power_that_fails_while_keys_are_written_leaves_those_that_were_there(seats: SeatKeyFile) -> None:
    seats.write(KEYS)
    with patch.object(Path, "replace", side_effect=OSError("no space left")), pytest.raises(OSError, match="no space"):
        seats.write(replace(KEYS, match=4))
    assert seats.read() == KEYS
    assert list(seats.path.parent.iterdir()) == [seats.path]


NOT_OURS = ('{"match": "3", "commitment": "", "keys": []}', '{"match": 3, "commitment": "", "keys": [7]}')


@pytest.mark.parametrize("text", ["", "[1", "[]", "{}", *NOT_OURS])
def test_a_file_that_is_not_ours_names_itself(seats: SeatKeyFile, text: str) -> None:
    seats.path.write_text(text)
    with pytest.raises(KeysUnreadable, match=str(seats.path)):
        seats.read()


def test_keys_fit_the_match_they_were_drawn_for_and_no_other() -> None:
    """Another match may come by the same number, by a journal that was restored."""
    assert KEYS.fits(3, "ab" * 32, 3)
    assert not KEYS.fits(4, "ab" * 32, 3)
    assert not KEYS.fits(3, "cd" * 32, 3)
    assert not KEYS.fits(3, "ab" * 32, 2)
