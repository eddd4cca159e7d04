"""Fixtures for tests of a table at work. A test that uses one of them runs on the table's event loop."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from captains_table.runtime.table import Table
from tests.runtime.leaping_loop import LeapingLoop
from tests.runtime.seat_guests import Evening, OpenEvening, evening_at
from tests.support.service_at_work import OpenTable, table_at
from tests.support.supervisor import Supervisor

T = TypeVar("T")


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """Return what runs a test on a loop that can leap."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        yield runner


def on_loop(runner: asyncio.Runner, manager: AbstractContextManager[T]) -> Iterator[T]:
    """Yield what a context manager yields, which is entered and left while the loop runs."""

    async def enter() -> T:
        return manager.__enter__()

    async def leave() -> None:
        manager.__exit__(None, None, None)

    yield runner.run(enter())
    runner.run(leave())


@pytest.fixture
def open_table(runner: asyncio.Runner, tmp_path: Path) -> OpenTable:
    """Return what starts the table of this folder, for a test that starts it in its own way or twice."""
    assert runner
    return partial(table_at, tmp_path)


@pytest.fixture
def table(runner: asyncio.Runner, open_table: OpenTable) -> Iterator[Table]:
    yield from on_loop(runner, open_table())


@pytest.fixture
def open_evening(runner: asyncio.Runner, tmp_path: Path) -> OpenEvening:
    """Return what starts a table that guests reach, for a test that starts it in its own way or twice."""
    assert runner
    return partial(evening_at, tmp_path)


@pytest.fixture
def at(runner: asyncio.Runner, open_evening: OpenEvening) -> Iterator[Evening]:
    """Return a table at which a match of Legend was begun and guests come by links; it has nothing to complain of."""
    yield from on_loop(runner, open_evening(has_begun=True))


@pytest.fixture
def supervisor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Supervisor]:
    with Supervisor.at(tmp_path / "notify", monkeypatch) as listening:
        yield listening
