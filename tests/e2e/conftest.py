from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support import nursery as nurseries
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.nursery import Nursery
from tests.support.person_at_page import Person
from tests.support.table_process import COMMAND, Caller, TableProcess

TOLD = "told_dice"
AT_LENGTH = ("test_matches_at_length.py", "test_every_screen_at_length.py")
collect_ignore = [] if LONG_RUN else list(AT_LENGTH)  # all of it is for `make long`
OpenTable = Callable[..., TableProcess]
SitDown = Callable[..., Person]
Call = Callable[..., Caller]


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
def open_table(tmp_path: Path, nursery: Nursery) -> Iterator[OpenTable]:
    """Yield what starts a table: `open_table("play", "--players", "Anne")`; all use one state directory.

    Where dice are told, these faces fall ("-": honest ones), and computers are quick. A warm table need not read the
    program first.
    """
    tables: list[TableProcess] = []

    def start(*words: str | Path, dice: str = "", is_warm: bool = True, served: str = TOLD) -> TableProcess:
        where = () if "run" in words else ("--state", tmp_path / "state")
        port = () if "run" in words or "--port" in words else ("--port", "0")
        serve = (f"tests.support.{served}:serve", dice) if dice else (nurseries.COMMAND,)
        program = nursery.program(*serve) if is_warm else (COMMAND,)
        tables.append(TableProcess(*words, *where, *port, logs=tmp_path / f"table-{len(tables)}", program=program))
        return tables[-1]

    yield start
    for table in tables:
        table.kill()
    for table in tables:
        assert table.expected_complaints in (table.complaints, None)


@pytest.fixture
def call() -> Iterator[Call]:
    """Yield what makes a player by requests alone out of a table, with its token unless another is given."""
    callers: list[Caller] = []

    def start(table: TableProcess, token: str | None = None) -> Caller:
        callers.append(Caller(table.origin, table.token if token is None else token))
        return callers[-1]

    yield start
    for caller in callers:
        caller.close()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    """Yield somebody who opens pages; what goes wrong on one of them fails the test."""
    visitor = Visitor(browser, is_plain=True)
    yield visitor
    visitor.leave()


@pytest.fixture
def sit_down(open_table: OpenTable, visitor: Visitor) -> SitDown:
    """Return what starts a table, with a match of Legend unless a game is named, and opens its page."""

    def start(*words: str, names: Sequence[str] = ("Anne", "Bart"), dice: str = "", **page: Any) -> Person:  # noqa: ANN401
        table = open_table("play", *words, "--players", *names, dice=dice)
        return Person(visitor.open(table.printed, **page), table)

    return start
