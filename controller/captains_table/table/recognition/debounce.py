"""Which squares are occupied: raw switch changes in, believed changes out, with explicit times."""

from dataclasses import dataclass

from captains_table.games.contract import Square


@dataclass(frozen=True, slots=True)
class Settled:
    """A switch is believed to have changed."""

    square: Square
    closed: bool
    at_ms: int


class Debouncer:
    """Believes a switch once it has been still for a while; a flicker that ends where it began is nothing."""

    def __init__(self, settle_ms: int, occupied: frozenset[Square] = frozenset()) -> None:
        self._settle_ms = settle_ms
        self._closed = set(occupied)
        self._unsettled: dict[Square, tuple[bool, int]] = {}

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares believed to be occupied."""
        return frozenset(self._closed)

    def read(self, occupied: frozenset[Square]) -> None:
        """Believe a whole board at once and forget what was unsettled."""
        self._closed = set(occupied)
        self._unsettled.clear()

    def changed(self, square: Square, *, closed: bool, now_ms: int) -> None:
        """Take in a raw change; one that repeats what is known is harmless."""
        unsettled = self._unsettled.get(square)
        if unsettled is not None and unsettled[0] == closed:
            return
        if closed == (square in self._closed):
            self._unsettled.pop(square, None)
        else:
            self._unsettled[square] = (closed, now_ms)

    def due_ms(self) -> int | None:
        """Return when the next change will be believed if nothing else happens."""
        if not self._unsettled:
            return None
        return min(since for _, since in self._unsettled.values()) + self._settle_ms

    def settle(self, now_ms: int) -> Settled | None:
        """Return the oldest change that is to be believed by now, none if there is none."""
        due_ms = self.due_ms()
        if due_ms is None or due_ms > now_ms:
            return None
        square, (closed, since) = min(self._unsettled.items(), key=lambda unsettled: unsettled[1][1])
        del self._unsettled[square]
        (self._closed.add if closed else self._closed.discard)(square)
        return Settled(square, closed, since + self._settle_ms)
