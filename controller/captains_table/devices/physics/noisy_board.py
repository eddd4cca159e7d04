"""A simulated board with noisy switches: for the page's switch "noisy board"."""

import random

from captains_table.devices.physics.mix import REALISTIC, NoiseMix
from captains_table.devices.physics.reeds import Change, Influence, Pull, Reeds
from captains_table.devices.simulated import SimulatedBoard, SwitchMove
from captains_table.games.contract import Shape, Square

HAND_MS = 40
EIGHT_BY_EIGHT = Shape(8, 8)


class NoisyBoard:
    """Stands between a simulated board and its table: the same clicks, but the switches of a real board.

    Each method does what the board's method of that name does and returns the raw switch changes, `at_ms` counted from
    the click; whoever calls hands each to the table when its time has come. Pieces and hand are those of `board`.

    Args:
        board: the board that knows the pieces.
        rng: where all chance comes from.
        shape: the board's files and ranks.
        mix: how often contacts bounce, dead spots and neighbours are met; the hand is the person's own.
    """

    def __init__(
        self, board: SimulatedBoard, rng: random.Random, shape: Shape = EIGHT_BY_EIGHT, mix: NoiseMix = REALISTIC
    ) -> None:
        self.board = board
        self._reeds = Reeds(board.occupied, mix, rng, shape)

    def lift(self, square: Square) -> list[Change]:
        """Lift the piece of a square."""
        return self._sensed(self.board.lift(square))

    def place(self, square: Square) -> list[Change]:
        """Put the piece lifted last on a square."""
        return self._sensed(self.board.place(square))

    def click(self, square: Square) -> list[Change]:
        """Lift a piece, or put the one in the hand down."""
        return self._sensed(self.board.click(square))

    def _sensed(self, moves: list[SwitchMove]) -> list[Change]:
        pulls: list[Pull] = []
        self._reeds.arrange(self.board.occupied ^ {move.square for move in moves[-1:]})
        if len(moves) > 1:  # a capture by one click: the square is left and taken again
            self._reeds.arrange(self.board.occupied)
        for i, move in enumerate(moves):
            pull = Pull(i * HAND_MS, move.square, Influence.MAGNET, 1 if move.closed else -1)
            pulls.append(pull)
            pulls += self._reeds.blemishes(pull) if move.closed else []
        return self._reeds.sense(pulls)
