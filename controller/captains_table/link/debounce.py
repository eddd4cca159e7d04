"""Debounces contacts for every scanner: a change is reported once the contact has been stable for a set time.

The Pico's firmware and the scanner on the Pi's own pins each use one `Debounce` for their switches and another for
their buttons; the simulated board uses one for its switches. Also runs on the board (MicroPython); therefore contacts
are numbers, and no memory is allocated while nothing changes.
"""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Iterable

DEBOUNCE_MS = 8  # reeds bounce for about 1 ms; 5 to 10 are enough
BUTTON_MS = 6  # push buttons bounce for up to 5 ms


class DebouncedChange:
    """A debounced change of a contact; `flickers` counts the suppressed changes since the previous debounced change."""

    def __init__(self, contact: int, closed: bool, at_ms: int, flickers: int) -> None:  # noqa: FBT001 - a state
        self.contact = contact
        self.closed = closed
        self.at_ms = at_ms
        self.flickers = flickers


class Debounce:
    """Debounces a set of contacts independently; a change that is undone within `settle_ms` is suppressed.

    Times must not decrease. A polling scanner must call `changed` for all changes of a poll before it calls `settle`,
    so that a contact that changed back does not settle. A source that knows the time of each change must call `settle`
    before it passes a later change to `changed`. `settle_ms` may be set at any time.
    """

    def __init__(self, settle_ms: int, closed: "Iterable[int]" = ()) -> None:
        self.settle_ms = settle_ms
        self._closed = set(closed)
        self._unsettled: list[tuple[int, bool, int]] = []  # (contact, closed, since when), the oldest first
        self._flickers: dict[int, int] = {}

    def begin(self, closed: "Iterable[int]") -> None:
        """Set the state of all contacts without a report, and forget unsettled changes."""
        self._closed = set(closed)
        self._unsettled = []

    def changed(self, contact: int, closed: bool, now_ms: int) -> None:  # noqa: FBT001 - the contact's state
        """Record the raw state of a contact; repeating the known state is harmless."""
        for unsettled in self._unsettled:
            if unsettled[0] == contact:
                if unsettled[1] != closed:
                    self._unsettled.remove(unsettled)
                    self._flickers[contact] = self._flickers.get(contact, 0) + 2
                return
        if closed != (contact in self._closed):
            self._unsettled.append((contact, closed, now_ms))

    def due_ms(self) -> "int | None":
        """Return when the next change settles if nothing else changes; `None` if all contacts are settled."""
        return self._unsettled[0][2] + self.settle_ms if self._unsettled else None

    def settle(self, now_ms: int) -> "DebouncedChange | None":
        """Return the oldest change that has settled by now, `None` if there is none; call until it returns `None`."""
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
        return DebouncedChange(contact, closed, since_ms + self.settle_ms, self._flickers.pop(contact, 0))
