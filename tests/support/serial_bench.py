"""The serial board with a board's end of the link behind a pty, and what it told."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from captains_table.devices.pico.serial_board import SerialBoard
from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import parse_square
from captains_table.table.model.events import (
    BoardLost,
    BoardRead,
    SwitchChanged,
)
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import PtyBoard

E2, E4 = parse_square("e2"), parse_square("e4")
START = frozenset({E2, parse_square("a8")})
Scene = Callable[["SerialBench"], Awaitable[None]]


class SerialBench:
    """A board on a pty, the serial board that looks for it, and what that told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.board = PtyBoard(folder / "ttyACM0", START)
        self.host = SerialBoard(lambda: sorted(str(path) for path in folder.glob("ttyACM*")), "a board")
        self.told: list[tuple[BoardEvent, float]] = []

    @property
    def events(self) -> list[BoardEvent]:
        """What was told."""
        return [event for event, _ in self.told]

    @property
    def troubles(self) -> list[str]:
        """Why the board was told to be lost, each time."""
        return [event.words for event in self.events if isinstance(event, BoardLost)]

    def open(self) -> None:
        """Look for the board."""
        self.host.open(lambda event, at_ms: self.told.append((event, at_ms)))

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait for something that happens beyond the pty."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - what is waited for happens beyond a pty, which sets no event
                await asyncio.sleep(0.002)

    async def connected(self) -> None:
        """Plug the board in, look for it, and wait until it was read."""
        self.board.plug()
        self.open()
        await self.read()

    async def read(self) -> None:
        """Wait until the whole board is told from now on, then forget what was told."""
        self.told.clear()
        await self.until(lambda: any(isinstance(event, BoardRead) for event in self.events))

    async def switches(self, count: int) -> list[SwitchChanged]:
        """Wait for so many switch changes and return all that were told."""
        found: list[SwitchChanged] = []

        def enough() -> bool:
            found[:] = [event for event in self.events if isinstance(event, SwitchChanged)]
            return len(found) >= count

        await self.until(enough)
        return found


def play(folder: Path, scene: Scene) -> None:
    """Play a scene on an event loop of its own."""

    async def on_loop() -> None:
        bench = SerialBench(folder)
        try:
            await scene(bench)
        finally:
            bench.host.close()
            bench.board.unplug()

    asyncio.run(on_loop())
