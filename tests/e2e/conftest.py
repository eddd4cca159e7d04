from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Visitor
from tests.support.nursery import Nursery, WarmProgram
from tests.support.person_at_page import Person
from tests.support.table_process import COMMAND, Caller, TableProcess

OpenTable = Callable[..., TableProcess]
TellDice = Callable[..., TableProcess]
SitDown = Callable[..., Person]
Call = Callable[[TableProcess], Caller]


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Yield what starts tables that need not read the program first; where a test has `None` instead, they do."""
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture
def open_table(tmp_path: Path, nursery: Nursery | None) -> Iterator[OpenTable]:
    """Yield what starts a table: `open_table("play", "--players", "Anne")`; all use one state directory."""
    tables: list[TableProcess] = []

    def start(*arguments: str | Path, program: WarmProgram | None = None) -> TableProcess:
        where = () if "run" in arguments else ("--state", tmp_path / "state")
        port = () if "run" in arguments or "--port" in arguments else ("--port", "0")
        runs = program or ((COMMAND,) if nursery is None else nursery.program())
        table = TableProcess(*arguments, *where, *port, logs=tmp_path / f"table-{len(tables)}", program=runs)
        tables.append(table)
        return table

    yield start
    for table in tables:
        table.kill()
        assert table.complaints == table.expected_complaints


@pytest.fixture
def tell_dice(open_table: OpenTable, nursery: Nursery) -> TellDice:
    """Return what starts a table whose dice fall as told: `tell_dice("654336", "legend", names=("Anne", "Bart"))`."""

    def start(faces: str, *arguments: str, names: Sequence[str] = ("Anne", "Bart")) -> TableProcess:
        program = nursery.program("tests.support.told_dice:serve", faces)
        return open_table("play", *arguments, "--players", *names, program=program)

    return start


@pytest.fixture
def call() -> Iterator[Call]:
    """Yield what makes a player by requests alone out of a table."""
    callers: list[Caller] = []

    def start(table: TableProcess) -> Caller:
        callers.append(Caller(table.origin))
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
    """Return what starts a table for Anne and Bart and opens its page: `sit_down("rounds=1")`."""

    def start(*options: str) -> Person:
        table = open_table("play", "--players", "Anne", "Bart", *options)
        return Person(visitor.open(table.printed), table)

    return start
