"""A table on a loop of its own, its journal in a folder: something is done at it, and it is stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from luma.core.interface.serial import noop

from captains_table.catalog import table_hint
from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import Shape
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import Table
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.settings import Settings


def at_a_table(
    state: Path,
    do: Callable[[Table], Awaitable[None] | None],
    board_shape: Shape | None = None,
    seats: Callable[[], SeatLinks | None] = lambda: None,
    *,
    on_floor: bool = False,
) -> None:
    """Do something at a table whose journal is kept in a directory.

    Args:
        state: the directory.
        do: what is done.
        board_shape: of a real board.
        seats: makes what draws links to seats.
        on_floor: whether there is no board.
    """

    async def run() -> None:
        journal = JournalFile(state / "journal.sqlite3")
        display = Oled(noop())
        session = Session(Settings(switches="none" if on_floor else "read"), [display], adviser=table_hint)
        if not on_floor:
            SimulatedSource(session, SimulatedBoard())
        table = Table(session, journal, display, board_shape=board_shape, seats=seats())
        try:
            doing = do(table)
            if doing is not None:
                await doing
        finally:
            table.stop()
            display.close()
            journal.close()

    asyncio.run(run())
