"""Reeds with faults, which chatter for a while or are stuck for good; and what a scanner lets through in the end."""

import random
from collections.abc import Iterable
from enum import Enum, auto

from captains_table.games.contract import Shape, Square
from captains_table.simulation.reeds import Influence, Noise, ReedChange, Reeds, pulse
from captains_table.simulation.simulated_scanner import SimulatedScanner

CHATTER_MS = (300, 4000)
FLIP_MS = (2, 60)


class SwitchFault(Enum):
    """What a fault does to a switch, as an influence of its own."""

    FLIP = auto()  # a chattering contact is inverted
    HELD_OPEN = auto()
    HELD_CLOSED = auto()


class FaultyReeds(Reeds):
    """Reeds that can be made to chatter, or broken: then they are stuck, whatever stands there."""

    def __init__(self, occupied: Iterable[Square], mix: Noise, rng: random.Random, shape: Shape) -> None:
        self.broken: dict[Square, SwitchFault] = {}
        super().__init__(occupied, mix, rng, shape)

    def arrange(self, occupied: Iterable[Square]) -> None:
        super().arrange(occupied)
        self._acting.update(self.broken.items())

    def _is_closed(self, square: Square) -> bool:
        if self._acting[square, SwitchFault.HELD_OPEN]:
            return False
        if self._acting[square, SwitchFault.HELD_CLOSED]:
            return True
        return super()._is_closed(square) != (self._acting[square, SwitchFault.FLIP] > 0)

    def chatter(self, square: Square, at_ms: int) -> list[Influence]:
        """Return what lets a switch chatter for a random time."""
        until_ms = at_ms + self._rng.randint(*CHATTER_MS)
        found: list[Influence] = []
        while at_ms < until_ms:
            lasts_ms = self._rng.randint(*FLIP_MS)
            found += pulse(square, SwitchFault.FLIP, at_ms, lasts_ms)
            at_ms += lasts_ms + self._rng.randint(*FLIP_MS)
        return found

    def break_switch(self, square: Square, at_ms: int, *, closed: bool) -> list[Influence]:
        """Break a switch and return what it then does; nothing if it is broken already."""
        if square in self.broken:
            return []
        self.broken[square] = SwitchFault.HELD_CLOSED if closed else SwitchFault.HELD_OPEN
        return [Influence(at_ms, square, self.broken[square], 1)]


def settle_all(scanner: SimulatedScanner, changes: Iterable[ReedChange]) -> list[ReedChange]:
    """Add raw changes to those of a scanner and return all debounced changes that result, without waiting for them."""
    scanner.sense(changes)
    settled = []
    while (due_ms := scanner.due_ms()) is not None:
        change = scanner.settled(due_ms)
        settled += [] if change is None else [change]
    return settled
