"""Believing a contact once it has rested: lines of up to 31 contacts, each contact with a time of its own."""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable


class Debounce:
    """Lines of contacts, a bit each, set where one is closed. Nothing is allocated while nothing changes."""

    def __init__(self, lines: int, contacts: int, settle_ms: int) -> None:
        self.settle_ms = settle_ms
        self.believed = [0] * lines
        self._seen = [0] * lines
        self._since_ms = [[0] * contacts for _ in range(lines)]

    def begin(self, line: int, bits: int) -> None:
        """Believe a line as it is read: how it stood at the start."""
        self.believed[line] = self._seen[line] = bits

    def read(self, line: int, bits: int, now_ms: int, changed: "Callable[[int, int, bool, int], None]") -> None:
        """Take in a line as it is read now; calls `changed(line, contact, closed, now_ms)` for what is now believed."""
        if bits == self._seen[line] == self.believed[line]:
            return
        flipped = bits ^ self._seen[line]
        unsettled = bits ^ self.believed[line]
        self._seen[line] = bits
        since_ms = self._since_ms[line]
        for contact in range(len(since_ms)):
            bit = 1 << contact
            if flipped & bit:
                since_ms[contact] = now_ms
            elif unsettled & bit and now_ms - since_ms[contact] >= self.settle_ms:
                self.believed[line] ^= bit
                changed(line, contact, bool(bits & bit), now_ms)
