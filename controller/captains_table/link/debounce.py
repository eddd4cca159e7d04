"""Debounce: a contact is believed once it has been still for a while. Decided here alone, for every scanner.

The Pico's firmware, the scanner on the Pi's own pins and the simulated board each own one for their switches, and those
with buttons another one for these. What the table gets to know of a switch has settled. Runs on the board (MicroPython)
too: contacts are numbers, and nothing is allocated while nothing changes.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Iterable

DEBOUNCE_MS = 8  # reeds bounce for about 1 ms; 5 to 10 are enough
BUTTON_MS = 6  # push buttons bounce for up to 5 ms


class Settled:
    """A contact is believed to have changed; `flickers` counts its flips before, since it settled last, all in vain."""

    def __init__(self, contact: int, closed: bool, at_ms: int, flickers: int) -> None:  # noqa: FBT001 - what it says
        self.contact = contact
        self.closed = closed
        self.at_ms = at_ms
        self.flickers = flickers


class Debounce:
    """Contacts of one kind, each with a time of its own; a flip that is taken back before it has settled is nothing.

    Times only go forward. A scanner that looks now and then first tells what changed and then asks what has settled:
    a contact seen to have flipped back was not still. Who knows when each flip happened asks before he tells of a later
    one. `settle_ms` may be set at any time.
    """

    def __init__(self, settle_ms: int, closed: "Iterable[int]" = ()) -> None:
        self.settle_ms = settle_ms
        self._closed = set(closed)
        self._unsettled: list[tuple[int, bool, int]] = []  # (contact, closed, since when), the longest still first
        self._flickers: dict[int, int] = {}

    def begin(self, closed: "Iterable[int]") -> None:
        """Believe how all contacts stand, and forget what was unsettled."""
        self._closed = set(closed)
        self._unsettled = []

    def changed(self, contact: int, closed: bool, now_ms: int) -> None:  # noqa: FBT001 - what a contact says
        """Take in a raw change; one that repeats what is known is harmless."""
        for unsettled in self._unsettled:
            if unsettled[0] == contact:
                if unsettled[1] != closed:
                    self._unsettled.remove(unsettled)
                    self._flickers[contact] = self._flickers.get(contact, 0) + 2
                return
        if closed != (contact in self._closed):
            self._unsettled.append((contact, closed, now_ms))

    def due_ms(self) -> "int | None":
        """Return when the next change settles if nothing else happens, None while all contacts are settled."""
        return self._unsettled[0][2] + self.settle_ms if self._unsettled else None

    def settle(self, now_ms: int) -> "Settled | None":
        """Return the oldest change that has settled by now, None if there is none; to be called until there is none."""
        if not self._unsettled:
            return None
        contact, closed, since_ms = self._unsettled[0]
        if now_ms - since_ms < self.settle_ms:
            return None
        del self._unsettled[0]
        if closed:
            self._closed.add(contact)
        else:
            self._closed.discard(contact)
        return Settled(contact, closed, since_ms + self.settle_ms, self._flickers.pop(contact, 0))
