"""Devices on fake hardware that are closed after each test, and a serial board on a pty."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from captains_table.devices.build import BuildOptions, Devices, build
from tests.devices.reports import SerialBench
from tests.support.fake_hardware import FakeHardware


@pytest.fixture
def opened() -> Iterator[Callable[..., Devices]]:
    """Return what builds the devices of a hardware's profile, with options; they are closed after the test."""
    with ExitStack() as stack:

        def build_on(hardware: FakeHardware, options: BuildOptions | None = None) -> Devices:
            devices = build(hardware.profile, hardware, options or BuildOptions())
            stack.callback(devices.close)
            return devices

        yield build_on


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """Return the event loop on which a board behind a pty and its test run."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def bench(runner: asyncio.Runner, tmp_path: Path) -> Iterator[SerialBench]:
    async def enter() -> SerialBench:
        return SerialBench(tmp_path)

    async def leave() -> None:
        on_pty.host.close()
        on_pty.board.unplug()

    on_pty = runner.run(enter())
    yield on_pty
    runner.run(leave())
