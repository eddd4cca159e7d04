"""A virtual board on a loop and in a thread of its own, for a table that has a loop or a process of its own."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from captains_table.games.contract import parse_square
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.simulation.virtual_boards.virtual_board import VirtualBoard
from tests.support.patience import PATIENCE_S


class OtherSide:
    """A virtual board on a loop of its own, in a thread, because the doctor has a loop too."""

    def __init__(self, board: VirtualBoard, loop: asyncio.AbstractEventLoop, path: Path) -> None:
        self.board = board
        self._loop = loop
        self._line = VirtualLine(board, self._now_ms, path)

    def _now_ms(self) -> int:
        return int(self._loop.time() * 1000)

    def put(self, square: str, piece: str) -> None:
        """Let something else stand on a square; nothing, if the piece is empty."""

        def change() -> None:
            self.board.change(parse_square(square), piece, self._now_ms())
            self._line.poke()

        self._loop.call_soon_threadsafe(change)

    def stand(self, *squares: str) -> None:
        """Let pieces stand on these squares alone."""

        def change() -> None:
            for square in list(self.board.pieces):
                self.board.change(square, "", self._now_ms())
            for square in map(parse_square, squares):
                self.board.change(square, "P", self._now_ms())
            self._line.poke()

        self._loop.call_soon_threadsafe(change)

    def close(self) -> None:
        self._line.close()


@contextmanager
def on_a_line(board: VirtualBoard, path: Path) -> Iterator[OtherSide]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(act: Callable[[], OtherSide | None]) -> OtherSide | None:
        async def do() -> OtherSide | None:
            return act()

        return asyncio.run_coroutine_threadsafe(do(), loop).result(PATIENCE_S)

    other = run(lambda: OtherSide(board, loop, path))
    assert other is not None
    try:
        yield other
    finally:
        run(other.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
