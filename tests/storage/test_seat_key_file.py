from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from captains_table.storage.key_files import KeysUnreadable, MatchKeys, SeatKeyFile

KEYS = MatchKeys(3, "ab" * 32, ("one", None, "three"))


@pytest.fixture
def file(tmp_path: Path) -> SeatKeyFile:
    return SeatKeyFile(tmp_path / "seats")


def test_keys_are_read_as_they_were_written_and_are_nobody_elses(file: SeatKeyFile) -> None:
    assert file.read() is None
    for keys in (replace(KEYS, match=1), KEYS):
        file.write(keys)
    assert file.read() == KEYS
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert list(file.path.parent.iterdir()) == [file.path]


def test_keys_that_are_removed_are_gone(file: SeatKeyFile) -> None:
    file.write(KEYS)
    for _ in range(2):
        file.remove()
        assert file.read() is None


def test_power_that_fails_while_keys_are_written_leaves_those_that_were_there(file: SeatKeyFile) -> None:
    file.write(KEYS)
    with patch.object(Path, "replace", side_effect=OSError("no space left")), pytest.raises(OSError, match="no space"):
        file.write(replace(KEYS, match=4))
    assert file.read() == KEYS
    assert list(file.path.parent.iterdir()) == [file.path]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1",
        "[]",
        "{}",
        '{"match": "3", "commitment": "", "keys": []}',
        '{"match": 3, "commitment": "", "keys": [7]}',
    ],
)
def test_a_file_that_is_not_ours_names_itself(file: SeatKeyFile, text: str) -> None:
    file.path.write_text(text)
    with pytest.raises(KeysUnreadable, match=str(file.path)):
        file.read()


def test_keys_fit_the_match_they_were_drawn_for_and_no_other() -> None:
    """Another match may come by the same number, by a journal that was restored."""
    assert KEYS.fits(3, "ab" * 32, 3)
    assert not KEYS.fits(4, "ab" * 32, 3)
    assert not KEYS.fits(3, "cd" * 32, 3)
    assert not KEYS.fits(3, "ab" * 32, 2)
