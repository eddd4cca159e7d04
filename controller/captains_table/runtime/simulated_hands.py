"""The hands at a simulated table on the event loop: what the page may do to its pieces."""

import random
from collections.abc import Callable

from captains_table.games.contract import Square
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.noisy_switches import NoisySwitches
from captains_table.web.scene import PhysicalBoard

Do = Callable[[Callable[[int], None]], None]


class SimulatedHands:
    """Does to a simulated board what the page asks for.

    Args:
        source: the simulated board.
        do: lets something happen now: sets the next timer after it and wakes everyone who watches.
    """

    def __init__(self, source: SimulatedSource, do: Do) -> None:
        self._source = source
        self._do = do

    def physical(self) -> PhysicalBoard:
        """Return the simulated board."""
        board = self._source.board
        is_noisy = self._source.noise is not None
        undoes = self._source.takes_back_of()
        return PhysicalBoard(dict(board.pieces), tuple(board.hand), tuple(board.beside), noisy=is_noisy, undoes=undoes)

    def click(self, square: Square) -> None:
        """Lift the piece on a square, or put the one in the hand there."""
        self._do(lambda now_ms: self._source.click(square, now_ms))

    def take(self, piece: str) -> None:
        """Take a piece that lies beside the board into the hand; raises ValueError if it is not there."""
        self._do(lambda _: self._source.board.take(piece))

    def put_beside(self) -> None:
        """Lay the piece in the hand beside the board."""
        self._do(lambda _: self._source.board.put_beside())

    def take_back(self) -> None:
        """Put the pieces as they stood before the last move; raises IllegalAction where that cannot be taken back."""
        self._do(self._source.take_back)

    def make_noisy(self, *, noisy: bool) -> None:
        """Let the switches behave as those of a real board, or each say once what happened."""
        noise = NoisySwitches(random.Random()) if noisy else None  # noqa: S311 - noise, no dice
        self._do(lambda _: setattr(self._source, "noise", noise))

    def set_up(self) -> None:
        """Put every piece where the table wants it."""
        self._do(self._source.set_up)
