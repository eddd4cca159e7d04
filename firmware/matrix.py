"""Scanning a matrix of switches with a diode each: a rank is pulled low, and its closed switches pull their files low.

A diode (1N4148, its cathode towards the rank) at each switch keeps three closed corners from feigning the fourth. An
idle rank is left alone, not driven high: where a diode is bridged, it would tie its file to that high, hide the pieces
on it, and work against the output that is low.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from firmware.pins import Pin

SETTLE_US = 30  # a file falls through its diode, far sooner

# A line that was low rises by the files' pull-ups alone (80 kilohms, 200 pF a line), and with each file rise all ranks
# that its closed switches hang on: 26 microseconds for one, 95 for seven (docs/electrics.md).
RISE_US = 15
MOST_RISES = 7  # a file that is still low then is held there by something else


class Matrix:
    """Rank pins are open drains, released unless read; file pins are inputs with pull-ups."""

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
        low = self._low_files()
        pin.value(1)
        if low:
            self._let_rise()
        return low

    def _let_rise(self) -> None:
        """Wait until no file is low any more, or the next rank would seem to have closed switches."""
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
