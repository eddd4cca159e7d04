import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.table_process import Caller, TableProcess

CONFIG = """
[table]
state_dir = "{state}"
[web]
port = 0
[settings]
slide_ms = 100
leave_ms = 100
"""

LAST_LINE = re.compile(r"^(?P<told>Spectators .*)$", re.MULTILINE)


class OpenTable(NamedTuple):
    """A table: who plays at it by requests, its journal, and what it printed (its address as ORIGIN)."""

    anne: Caller
    journal: Path
    printed: list[str]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenTable]:
    """Yield one table for a module; it is never the same after a test, and each test says what it needs first."""
    folder = tmp_path_factory.mktemp("table")
    config = folder / "table.toml"
    config.write_text(CONFIG.format(state=folder / "state"), encoding="utf-8")
    process = TableProcess("run", config, logs=folder / "logs")
    anne = Caller(process.origin)
    process.said(LAST_LINE)
    printed = process.words.replace(process.origin, "ORIGIN").splitlines()
    yield OpenTable(anne, folder / "state" / "journal.sqlite3", printed)
    anne.close()
    process.kill()
    assert process.complaints == ""
