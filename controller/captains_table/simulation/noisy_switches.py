"""The switches of a real board under simulated pieces: for the page's switch "noisy board"."""

import random
from collections.abc import Sequence

from captains_table.games.contract import Shape, Square
from captains_table.simulation.hands import Touch, crossing
from captains_table.simulation.mix import REALISTIC, NoiseMix
from captains_table.simulation.paths import way
from captains_table.simulation.reeds import Change, Field, Pull, Reeds
from captains_table.simulation.simulated_board import SwitchMove

HAND_MS = 40
PACE_MS = (20, 150)  # nobody who clicked wants to wait for the slowest slides


class NoisySwitches:
    """Tells of moves as the reeds of a real board do: they bounce, and a piece is slid over others' squares.

    Args:
        rng: where all chance comes from.
        mix: how often contacts bounce, pieces are slid, dead spots and neighbours are met.
    """

    def __init__(self, rng: random.Random, mix: NoiseMix = REALISTIC) -> None:
        self._rng = rng
        self._mix = mix
        self._lifted: Square | None = None

    def sense(self, shape: Shape, before: frozenset[Square], moves: Sequence[SwitchMove]) -> list[Change]:
        """Return what the switches say, in time order, `at_ms` counted from now.

        Args:
            shape: the board's files and ranks.
            before: the squares that were occupied.
            moves: what happens to them, one after the other.
        """
        reeds = Reeds(before, self._mix, self._rng, shape)
        pulls: list[Pull] = []
        now_ms = 0
        for move in moves:
            if move.closed:
                crossed, now_ms = self._slide(shape, before, move.square, now_ms)
                pulls += [Pull(touch.at_ms, touch.square, Field.MAGNET, touch.change) for touch in crossed]
            pull = Pull(now_ms, move.square, Field.MAGNET, 1 if move.closed else -1)
            pulls.append(pull)
            pulls += reeds.blemishes(pull) if move.closed else []
            now_ms += HAND_MS
        self._lifted = moves[0].square if len(moves) == 1 and not moves[0].closed else None
        return reeds.sense(pulls)

    def _slide(self, shape: Shape, occupied: frozenset[Square], end: Square, since_ms: int) -> tuple[list[Touch], int]:
        """Return what the way of the piece lifted last does to other switches, and when it arrives."""
        if self._lifted is None or self._rng.random() >= self._mix.slide:
            return [], since_ms
        path = way(self._lifted, end, shape, self._rng, bent=self._rng.random() < self._mix.bent)
        return ([], since_ms) if occupied.intersection(path) else crossing(path, self._rng, since_ms, PACE_MS)
