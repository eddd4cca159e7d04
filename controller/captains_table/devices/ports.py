"""The doors between a table and the world: real and simulated devices stand behind the same ones."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from captains_table.games.contract import Square
from captains_table.table.journal import Entry
from captains_table.table.view import Mark, View


class Journal(Protocol):
    """One match's history: what is appended is durable when `append` returns."""

    def append(self, entry: Entry) -> None:
        """Make an entry durable; raises JournalUnwritable."""

    def entries(self) -> Sequence[Entry]:
        """Return the history in the order it was written."""


class JournalUnwritable(OSError):  # noqa: N818 - named by its condition
    """An entry could not be made durable; it must not be shown."""


class Dice(Protocol):
    """Where faces come from."""

    def throw(self, count: int) -> tuple[int, ...]:
        """Return the faces of this many dice."""

    def add_salt(self, held_ms: int) -> None:
        """Stir a player's held milliseconds into all further faces."""


class Glass(Protocol):
    """The little screen. `show` returns at once; the latest view wins."""

    def show(self, view: View) -> None:
        """Draw a view."""

    def close(self) -> None:
        """Switch the screen off and let go of it."""


class Lights(Protocol):
    """The lights under the squares."""

    def light(self, marks: Mapping[Square, Mark]) -> None:
        """Light these squares, the others dark."""

    def signal(self, kind: str, square: Square | None) -> None:
        """Give a short signal of its own for what just happened."""
