"""Scans the switch matrix: one rank is pulled low at a time, and its closed switches pull their files low.

A diode (1N4148, cathode towards the rank) at each switch prevents ghosting, where three closed corners of a rectangle
make the fourth seem closed. Idle ranks are not driven high: with a bridged diode that would pull a file high, hide the
pieces on it, and work against the low output.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from firmware.pins import Pin

SETTLE_US = 30  # more than enough for a file line to fall through its diode

# Only the files' pull-ups raise a line that was low (80 kilohms, 200 pF per line), and with a file all ranks that its
# closed switches connect to it: 26 microseconds for one rank, 95 for seven (docs/electrics.md).
RISE_US = 15
MOST_RISES = 7  # a file that is still low after so many waits is held low by a fault


class Matrix:
    """The switch matrix: rank pins are open-drain outputs, low only while read; file pins are inputs with pull-ups."""

    def __init__(self, ranks: "Sequence[Pin]", files: "Sequence[Pin]", wait_us: "Callable[[int], None]") -> None:
        self._ranks = ranks
        self._files = files
        self._wait_us = wait_us
        for rank in ranks:
            rank.value(1)

    def read(self, rank: int) -> int:
        """Return the closed switches of a rank as bits; bit 0 is file a."""
        pin = self._ranks[rank]
        pin.value(0)
        self._wait_us(SETTLE_US)
        low = self._low_files()
        pin.value(1)
        if low:
            self._let_rise()
        return low

    def _let_rise(self) -> None:
        """Wait until no file is low, as otherwise the next rank would seem to have closed switches."""
        for _ in range(MOST_RISES):
            if not self._low_files():
                return
            self._wait_us(RISE_US)

    def _low_files(self) -> int:
        bits = 0
        bit = 1
        for file in self._files:
            if not file.value():
                bits |= bit
            bit <<= 1
        return bits
