"""The interface of a board as a source of events.

Before the table handles an event, it handles the board's reports that are due. The base class reports nothing; it is
the source of a table without a board.
"""

from collections.abc import Iterator
from typing import NamedTuple

from captains_table.table.model.events import Event


class BoardReport(NamedTuple):
    """An event, and the table's time at which it happens, in milliseconds."""

    event: Event
    at_ms: int


class BoardSource:
    """A board that reports nothing, for a table without a board; the base class of all other sources."""

    def due_ms(self) -> int | None:
        """Return when the board's next report is due, in the table's time; `None` if there is none."""
        return None

    def events(self, event: Event, now_ms: int) -> Iterator[BoardReport]:
        """Yield the board's reports that are due by now, then the event.

        The caller handles each report before it takes the next one, and stops at the first report that is refused.
        """
        yield BoardReport(event, now_ms)

    def begun(self, now_ms: int) -> None:
        """Prepare the board for a match that was started or resumed."""
