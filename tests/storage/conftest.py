"""What tests of journals share: where one is, and one that is open."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.storage.journal_file import JournalFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


@pytest.fixture
def file(path: Path) -> Iterator[JournalFile]:
    with closing(JournalFile(path)) as file:
        yield file
