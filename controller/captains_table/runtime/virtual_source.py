"""The simulated table at a virtual board: its pieces stand on one that people can buy, and the real driver reads that.

So the cable, the board's language and the driver are tried without a board: `captains-table play --board virtual-dgt`.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from captains_table.devices.bought.bought_board import BoughtBoard, FoundDevice
from captains_table.devices.bought.makes import MAKES
from captains_table.devices.serial_port import DevicePort, PortGone
from captains_table.games.contract import Square
from captains_table.hardware.kinds import VIRTUAL_KINDS
from captains_table.runtime.board_source import BoardReport
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard, SwitchMove
from captains_table.simulation.virtual_boards.certabo import VirtualCertabo, VirtualSentio
from captains_table.simulation.virtual_boards.chessnut import VirtualChessnut
from captains_table.simulation.virtual_boards.dgt import VirtualDgt
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.simulation.virtual_boards.virtual_board import VirtualBoard, chessman
from captains_table.table.model.events import Event

VIRTUAL_BOARDS: Final[Mapping[str, Callable[[random.Random], VirtualBoard]]] = {
    "virtual-dgt": VirtualDgt,
    "virtual-certabo": VirtualCertabo,
    "virtual-sentio": VirtualSentio,
    "virtual-chessnut": VirtualChessnut,
}


class VirtualSource(SimulatedSource):
    """The page's hands at a virtual board; must be made on a running event loop.

    Nothing is told to the table but what the driver reads. Pieces that the program moves by itself, such as a
    computer's, change places on the virtual board too.

    Args:
        session: the session, whose board this source becomes.
        key: a key of `VIRTUAL_BOARDS`.

    Attributes:
        reports: the reports of the driver.
        driver: the real driver.
    """

    def __init__(self, session: Session, key: str) -> None:
        kind = VIRTUAL_KINDS[key]
        self._virtual = VIRTUAL_BOARDS[key](random.Random())  # noqa: S311 - noise, no dice
        self._line = VirtualLine(self._virtual, self._now_ms)
        make, name = MAKES[kind.key], f"Virtual {kind.name}"
        opened = make.open_port if self._virtual.baud is not None else self._open_hid
        device = FoundDevice(str(self._line.path), name, opened, make.protocol)
        self.driver = BoughtBoard(lambda: [device], name, turned=False)
        self.reports = HardwareSource(session, self.driver.missing)
        super().__init__(session, SimulatedBoard())

    @staticmethod
    def _now_ms() -> int:
        return int(asyncio.get_running_loop().time() * 1000)

    def _open_hid(self, _: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> DevicePort:
        try:
            return DevicePort(self._line.client_fd, on_data, on_gone)
        except FileNotFoundError as error:
            raise PortGone(error.errno, str(error)) from error

    def close(self) -> None:
        """Close the driver, then the line."""
        self.driver.close()
        self._line.close()

    # --- hands ------------------------------------------------------------------------------------------------------

    def _move(self, act: Callable[[], list[SwitchMove]], now_ms: int) -> None:
        self._pass_time(now_ms)
        for move in act():
            self._put(move.square, self.board.pieces.get(move.square, "?") if move.closed else "")
        self._put_all()
        self._look()

    def set_up(self, now_ms: int) -> None:  # noqa: ARG002 - the driver will tell when
        """Put every piece on the square where the match has it; do nothing without a match on a board."""
        match = self.session.match
        if match is not None and match.game.shape is not None:
            self.board.arrange(match.pieces())
            self._put_all()

    def begun(self, now_ms: int) -> None:
        super().begun(now_ms)
        self.reports.begun(now_ms)

    def _rewind(self, pieces: Mapping[Square, str], now_ms: int) -> None:  # noqa: ARG002 - the match has them
        self._answer_take_back(now_ms)

    def unplug(self, now_ms: int) -> None:  # noqa: ARG002 - the driver will tell when
        self.linked = False
        self._line.unplug()

    def plug(self, now_ms: int) -> None:  # noqa: ARG002
        self.linked = True
        self._line.plug()

    def _put_all(self) -> None:
        """Let the virtual board have the pieces of the simulated one: what is not there any more leaves first."""
        stands = {square: chessman(piece) for square, piece in self.board.pieces.items()}
        for square in [*self._virtual.pieces]:
            if square not in stands:
                self._put(square, "")
        for square, piece in stands.items():
            if self._virtual.pieces.get(square) != piece:
                self._put(square, piece)
        self._line.poke()

    def _put(self, square: Square, piece: str) -> None:
        self._virtual.change(square, piece and chessman(piece), self._now_ms())

    # --- for the session --------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        return self.reports.due_ms()

    def events(self, event: Event, now_ms: int) -> Iterator[BoardReport]:
        """Yield what the driver has read by now, then the event; then move pieces as needed."""
        for report in self.reports.events(event, now_ms):
            if report.event is event:
                yield from super().events(event, now_ms)
            else:
                yield report
