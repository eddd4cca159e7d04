"""What the languages of bought boards have in common: bytes of a board become reports about its squares and buttons.

A protocol knows no port and no clock: it is given bytes and times, and returns reports and bytes. Squares are as the
board numbers them, that is, as if its connector were where the maker's manual shows it; a board that is turned round is
turned by its driver.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple, Protocol

from captains_table.games.contract import Square
from captains_table.table.model.events import Button

UNREAD = ""
"""The reading of a square on which something stands that the board cannot tell."""


class WholeBoard(NamedTuple):
    """The occupied squares, each with what the board reads there; `UNREAD` if only that a piece is there."""

    readings: Mapping[Square, str]


class SquareChanged(NamedTuple):
    """A square with what the board reads there now; `None`: it is vacant."""

    square: Square
    reading: str | None


class ButtonUsed(NamedTuple):
    """A button of the board or of its clock was pressed and released."""

    button: Button


class BoardFacts(NamedTuple):
    """What a board tells about itself; facts that it has not told are empty.

    Attributes:
        version: the version of its firmware.
        serial: its serial number.
        battery: the charge in per cent; `None` for a board on a cable, or as long as it is unknown.
        is_charging: whether the battery is charged.
        has_clock: whether a clock is on its cable.
        refuses_times: whether that clock has refused to be set.
    """

    version: str = ""
    serial: str = ""
    battery: int | None = None
    is_charging: bool = False
    has_clock: bool = False
    refuses_times: bool = False


LETTERS: Final = 8  # of a clock


class SeatTimes(NamedTuple):
    """The seconds left of the first and the second seat, and the seat whose time runs; `None` if none does."""

    first_s: int
    second_s: int
    running: int | None


class ClockFace(NamedTuple):
    """What a clock shows.

    Attributes:
        pages: texts of at most LETTERS characters, which are shown one after the other, again and again; without any,
            the clock shows times.
        times: the times that the clock is set to; `None` in a match without clocks.
    """

    pages: tuple[str, ...] = ()
    times: SeatTimes | None = None


BoardMessage = WholeBoard | SquareChanged | ButtonUsed | BoardFacts


class BoardProtocol(Protocol):
    """The host's end of one board's language."""

    def begin(self, now_ms: int) -> None:
        """Begin anew, because the board's port was opened."""

    def receive(self, data: bytes, now_ms: int) -> Iterable[BoardMessage]:
        """Return what the board says with these bytes."""

    def tick(self, now_ms: int) -> bytes:
        """Return the bytes that are due to be sent; call this again at `due_ms`."""

    def due_ms(self) -> int | None:
        """Return when the next bytes are due; `None` if none are before the board says something."""

    def light(self, squares: Collection[Square]) -> None:
        """Light these squares and darken the others, as far as the board has lights."""

    def show(self, face: ClockFace) -> None:
        """Show this on the board's clock, if it has one."""
