"""Scanning a matrix of switches with a diode each: a rank is pulled low, and its closed switches pull their files low.

A diode (1N4148, its cathode towards the rank) at each switch keeps three closed corners from feigning the fourth.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from firmware.pins import Pin

SETTLE_US = 30  # a file's 50 kilohm pull-up against some 200 pF of wire rises by then


class Matrix:
    """Rank pins are outputs, high unless read; file pins are inputs with pull-ups."""

    def __init__(self, ranks: "Sequence[Pin]", files: "Sequence[Pin]", wait_us: "Callable[[int], None]") -> None:
        self._ranks = ranks
        self._files = files
        self._wait_us = wait_us
        for rank in ranks:
            rank.value(1)

    def read(self, rank: int) -> int:
        """Return a rank's closed switches: bit 0 is file a."""
        pin = self._ranks[rank]
        pin.value(0)
        self._wait_us(SETTLE_US)
        bits = 0
        bit = 1
        for file in self._files:
            if not file.value():
                bits |= bit
            bit <<= 1
        pin.value(1)
        return bits
