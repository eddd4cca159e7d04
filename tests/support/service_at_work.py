"""A table on an event loop, its journal in a folder; and what people do at it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TextIO

from luma.core.interface.serial import noop

from captains_table.catalog import table_hint
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.ports import DisplayDevice
from captains_table.games.contract import Pick, Shape
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import Table
from captains_table.runtime.virtual_source import VirtualSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings

OpenTable = Callable[..., AbstractContextManager[Table]]


@contextmanager
def table_at(  # noqa: PLR0913 - whoever tests a table names what is special about it
    state: Path,
    board_shape: Shape | None = None,
    seats: SeatLinks | None = None,
    *,
    on_floor: bool = False,
    is_simulated: bool = True,
    settings: Settings | None = None,
    tape: TextIO | None = None,
    displays: Sequence[DisplayDevice] = (),
    virtual: str = "",
) -> Iterator[Table]:
    """Yield a table on the running loop, its journal in a folder, and stop it.

    It has a simulated board, unless it is on a floor or the test connects a board of its own (`is_simulated`);
    a simulated board may be on a virtual one that is for sale (`virtual`).
    """
    journal = JournalFile(state / "journal.sqlite3")
    display = Oled(noop())
    settings = settings or Settings(switches="none" if on_floor else "read")
    session = Session(settings, [display, *displays], adviser=table_hint)
    if virtual:
        session.board = VirtualSource(session, virtual)
    elif is_simulated and not on_floor:
        SimulatedSource(session, SimulatedBoard())
    recorder = None if tape is None else Recorder(session, tape)
    table = Table(session, journal, display, recorder, board_shape=board_shape, seats=seats)
    try:
        yield table
    finally:
        table.stop()
        display.close()
        journal.close()


def at_a_table(state: Path, do: Callable[[Table], Awaitable[None] | None]) -> None:
    """Do something at a table on a loop of its own."""

    async def run() -> None:
        with table_at(state) as table:
            doing = do(table)
            if doing is not None:
                await doing

    asyncio.run(run())


def answer(table: Table, *ids: str) -> None:
    for id_ in ids:
        table.handle(Answered(Pick(id_)), table.view().revision)


def press(table: Table, *buttons: Button) -> None:
    for button in buttons:
        table.handle(ButtonPressed(button))
        table.handle(ButtonReleased(button))
