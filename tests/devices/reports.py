"""What devices do and boards report, for tests to wait for; and a serial board with a board's end behind a pty."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from captains_table.devices.build import Devices
from captains_table.devices.pico.serial_board import SerialBoard
from captains_table.devices.ports import BoardEvent
from captains_table.devices.worker_device import WorkerDevice
from captains_table.games.contract import parse_square
from captains_table.table.model.events import BoardLost, BoardRead, SwitchChanged
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import PtyBoard

E2, E4 = parse_square("e2"), parse_square("e4")
START = frozenset({E2, parse_square("a8")})


def wait_at_rest(device: WorkerDevice[Any], timeout_s: float = PATIENCE_S) -> bool:
    """Wait until a device's latest value was handled and need not be handled again; return False on timeout."""
    with device._changed:
        return device._changed.wait_for(
            lambda: not (device._is_busy or device._is_new) and device._again_s is None, timeout_s
        )


class Reports:
    """The events of a board with their times, and the threads that reported them."""

    def __init__(self) -> None:
        self.told: list[tuple[BoardEvent, float]] = []
        self.threads: set[int] = set()

    def __call__(self, event: BoardEvent, at_ms: float) -> None:
        self.told.append((event, at_ms))
        self.threads.add(threading.get_ident())

    @property
    def events(self) -> list[BoardEvent]:
        """What was reported."""
        return [event for event, _ in self.told]

    @property
    def troubles(self) -> list[str]:
        """Why the board was reported to be lost, each time."""
        return [event.words for event in self.events if isinstance(event, BoardLost)]

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait for something that happens on another thread or beyond a pty."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - neither sets an event
                await asyncio.sleep(0.002)

    async def count(self, count: int) -> None:
        """Wait until so many events were reported."""
        await self.until(lambda: len(self.told) >= count)

    async def until_last(self, kind: type[BoardEvent]) -> None:
        """Wait until the last event is of a kind."""
        await self.until(lambda: self.told and isinstance(self.told[-1][0], kind))

    async def switches(self, count: int) -> list[SwitchChanged]:
        """Wait for so many switch changes and return all that were reported."""
        await self.until(lambda: len(self._switches()) >= count)
        return self._switches()

    def _switches(self) -> list[SwitchChanged]:
        return [event for event in self.events if isinstance(event, SwitchChanged)]


def until(is_so: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.005)


def settle(devices: Devices) -> None:
    """Wait until display, lights and buzzer have done what they were told."""
    for device in (devices.display, *devices.lights, *devices.buzzers):
        assert not isinstance(device, WorkerDevice) or device.wait_idle(PATIENCE_S)


async def first_event(devices: Devices) -> BoardEvent:
    """Return what the board reports first."""
    reports = Reports()
    assert devices.board is not None
    devices.board.open(reports)
    await reports.count(1)
    devices.board.close()
    return reports.events[0]


class SerialBench(Reports):
    """A board on a pty, and the reports of the serial board that looks for it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.board = PtyBoard(folder / "ttyACM0", START)
        self.host = SerialBoard(lambda: sorted(str(path) for path in folder.glob("ttyACM*")), "a board")

    async def connected(self) -> None:
        """Plug the board in, look for it, and wait until it was read."""
        self.board.plug()
        self.host.open(self)
        await self.read()

    async def read(self) -> None:
        """Forget what was reported, and wait until the whole board is."""
        self.told.clear()
        await self.until(lambda: any(isinstance(event, BoardRead) for event in self.events))

    async def lights(self, is_so: Callable[[str], object]) -> None:
        """Wait until the last picture of the lights that the board got is such."""
        await self.until(lambda: self.board.frames and is_so(self.board.frames[-1]))
