"""The doors between a table and the world: real and simulated devices stand behind the same ones."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from captains_table.games.contract import Square
from captains_table.table.model.entries import Entry
from captains_table.table.model.events import BoardLost, BoardRead, ButtonPressed, ButtonReleased, SwitchChanged
from captains_table.table.model.view import Lit, View


class Journal(Protocol):
    """One match's history: what is appended is durable when `append` returns.

    Attributes:
        began: when the match began, ISO 8601 with UTC offset.
    """

    began: str

    def append(self, entry: Entry) -> None:
        """Make an entry durable; raises JournalUnwritable."""

    def entries(self) -> Sequence[Entry]:
        """Return the history in the order it was written."""


class JournalUnwritable(OSError):
    """An entry could not be made durable; it must not be shown."""

    @property
    def words(self) -> str:
        """What happened, and what it means for the matches."""
        return f"{self}. Nothing played before is lost."


class JournalLost(JournalUnwritable):
    """Neither the entry nor what was played before could be kept."""

    @property
    def words(self) -> str:
        """What happened; there is nothing good to say."""
        return f"{self}."


class Dice(Protocol):
    """Where faces come from."""

    def throw(self, count: int) -> tuple[int, ...]:
        """Return the faces of this many dice."""

    def add_salt(self, held_ms: int) -> None:
        """Stir a player's held milliseconds into all further faces."""

    def add_words(self, text: str) -> None:
        """Stir a player's own words into all further faces."""


class Display(Protocol):
    """The little screen. `show` returns at once; the latest view wins."""

    def show(self, view: View) -> None:
        """Draw a view."""

    def close(self) -> None:
        """Switch the screen off and let go of it."""


BoardEvent = SwitchChanged | BoardRead | BoardLost | ButtonPressed | ButtonReleased
OnEvent = Callable[[BoardEvent, float], None]
"""Is called on the event loop, in order, with what happened at a board and when (milliseconds of the loop's clock)."""


class Board(Protocol):
    """A real board with its switches and buttons; an encoder turned is `Button.NEXT` or `PREVIOUS`, pushed `CHOOSE`.

    It is read whole at first and whenever it is unknown what happened in order; what is wrong meanwhile is sent
    as `BoardLost` with its words.
    """

    @property
    def missing(self) -> str:
        """What is shown as missing until the board is first read."""

    def open(self, on_event: OnEvent) -> None:
        """Begin to send events."""

    def close(self) -> None:
        """Send no more, switch the lights off and let go of the device."""


class Lights(Protocol):
    """The lights under the squares."""

    def light(self, marks: Mapping[Square, Lit]) -> None:
        """Light these squares, the others dark."""

    def signal(self, kind: str, square: Square | None) -> None:
        """Give a short signal of its own for what just happened; a kind that is only heard is passed over."""


class Buzzer(Protocol):
    """What sounds. `signal` returns at once."""

    def signal(self, kind: str) -> None:
        """Sound what just happened; a kind without a sound is passed over."""


class NotThere(OSError):
    """A bus or the pins cannot be used; the message says what to do about it."""
