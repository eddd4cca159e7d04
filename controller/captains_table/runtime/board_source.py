"""Where the events of a table come from: what happens at it, and before that what its board has to report by then."""

from collections.abc import Iterator
from typing import NamedTuple

from captains_table.table.model.events import Event


class Report(NamedTuple):
    """An event and when it happens, in the table's milliseconds."""

    event: Event
    at_ms: int


class BoardSource:
    """A table without a board: nothing is reported. Boards of other kinds report by and by."""

    def due_ms(self) -> int | None:
        """Return when the board has something to report next; `None` if nothing is on its way."""
        return None

    def events(self, event: Event, now_ms: int) -> Iterator[Report]:
        """Yield what the board has to report by now, then the event; each has been handled when the next is asked for.

        After an event that was refused nothing more is asked for.
        """
        yield Report(event, now_ms)

    def begun(self, now_ms: int) -> None:
        """Make the board ready for a match that was taken up."""
