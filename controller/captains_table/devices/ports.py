"""The interfaces (ports) between a table and its devices, dice and journal, with their events and errors.

Real and simulated devices implement the same interfaces.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from captains_table.games.contract import Square
from captains_table.phrases import message_of, say
from captains_table.table.model.entries import Entry
from captains_table.table.model.events import BoardLost, BoardRead, ButtonPressed, ButtonReleased, SwitchChanged
from captains_table.table.model.view import LightMeaning, View


class Journal(Protocol):
    """The stored history of one match; an entry is durable when `append` returns.

    Attributes:
        began: start of the match, ISO 8601 with UTC offset.
    """

    began: str

    def append(self, entry: Entry) -> None:
        """Make an entry durable; raises JournalUnwritable."""

    def entries(self) -> Sequence[Entry]:
        """Return all entries, oldest first."""


class JournalUnwritable(OSError):
    """Raised when an entry could not be made durable; the table must not show that entry."""

    @property
    def words(self) -> str:
        """Return the message for the players, which says that earlier entries are safe."""
        return say("{problem}. Nothing played before is lost.", message_of(self))


class JournalLost(JournalUnwritable):
    """Raised when neither the new entry nor the earlier entries could be stored."""

    @property
    def words(self) -> str:
        """Return the message for the players, without the assurance that earlier entries are safe."""
        return f"{self}."


class Dice(Protocol):
    """A source of dice faces."""

    def throw(self, count: int) -> tuple[int, ...]:
        """Throw this many dice and return their faces, 1 to 6."""

    def add_salt(self, held_ms: int) -> None:
        """Mix the duration of a player's button press into all further faces."""

    def add_words(self, text: str) -> None:
        """Let a text from a player influence all further faces."""


class DisplayDevice(Protocol):
    """A device that presents the table's views: the small screen on the table, or the speech output.

    `show` returns at once. If several views wait, only the latest is presented.
    """

    def show(self, view: View) -> None:
        """Draw or speak a view soon."""

    def close(self) -> None:
        """Switch the device off and release it."""


BoardEvent = SwitchChanged | BoardRead | BoardLost | ButtonPressed | ButtonReleased
OnEvent = Callable[[BoardEvent, float], None]
"""A callback for board events, called on the event loop in order, with the event and its time (ms, loop clock)."""


class BoardDevice(Protocol):
    """A real board with its switches and buttons.

    Turning the encoder is reported as `Button.NEXT` or `PREVIOUS`, and pushing it as `CHOOSE`. The board sends the
    occupied squares (`BoardRead`) when it is opened, and again whenever the order of changes was lost. A failure is
    sent as `BoardLost` with a message.
    """

    @property
    def missing(self) -> str:
        """Return the message to show until the board is first read."""

    def open(self, on_event: OnEvent) -> None:
        """Start sending events to this callback."""

    def close(self) -> None:
        """Stop sending events, switch the lights off and release the device."""


class LightsDevice(Protocol):
    """The lights under the squares."""

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        """Light these squares, each as its meaning requires, and darken the others."""

    def signal(self, kind: str, square: Square | None) -> None:
        """Play the light effect of a signal; a kind that has only a sound is ignored."""


class BuzzerDevice(Protocol):
    """A buzzer that plays the tones of signals. `signal` returns at once."""

    def signal(self, kind: str) -> None:
        """Play the tones of a signal; a kind without tones is ignored."""


class DeviceUnavailable(OSError):
    """Raised when a bus or the pins cannot be used; the message says what to do about it."""
