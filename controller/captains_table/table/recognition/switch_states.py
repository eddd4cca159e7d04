"""What the switches of one board say, and which of them are listened to."""

from captains_table.games.contract import Shape, Square
from captains_table.table.recognition.switch_health import Condition, SwitchHealth, SwitchReport


class SwitchStates:
    """The switches as they have settled.

    A board may have more squares than the game. Those are beside it: whatever lies there says nothing, and their
    switches are never at fault.

    Attributes:
        closed: the squares whose switch is closed, beside the game too.
        occupied: those of them that the game is played on.
        masked: the squares whose switch says nothing because somebody said so.
        trouble: what is wrong with the board's link, in words; nothing while it is linked.
        was_read: whether the whole board was ever read.
        health: how each switch is doing.
    """

    def __init__(self, occupied: frozenset[Square] = frozenset()) -> None:
        self.closed = self.occupied = occupied
        self._shape: Shape | None = None
        self.masked: set[Square] = set()
        self.trouble = ""
        self.was_read = False
        self.health = SwitchHealth()

    @property
    def linked(self) -> bool:
        """Whether the switches are read."""
        return not self.trouble

    def play_on(self, shape: Shape | None) -> None:
        """Know which squares the game is played on; `None` where no game says so."""
        self._shape = shape
        self._take(self.closed)

    def is_beside(self, square: Square) -> bool:
        """Return whether a square is beside those that the game is played on."""
        return self._shape is not None and square not in self._shape

    def _take(self, closed: frozenset[Square]) -> None:
        self.closed = closed
        self.occupied = frozenset(square for square in closed if not self.is_beside(square))

    def ignored(self) -> frozenset[Square]:
        """Return the squares whose switch says nothing now: masked, or chattering."""
        return self._loose() | self.masked

    def chattering(self) -> frozenset[Square]:
        """Return the squares whose switch chatters and nobody masked."""
        return self._loose() - self.masked

    def _loose(self) -> frozenset[Square]:
        return frozenset(square for square in self.health.chattering() if not self.is_beside(square))

    def change(self, square: Square, *, closed: bool, at_ms: int, flickers: int) -> None:
        """Take in a switch that has settled."""
        self._take(self.closed | {square} if closed else self.closed - {square})
        self.health.changed(square, at_ms, flickers)

    def read(self, occupied: frozenset[Square]) -> frozenset[Square]:
        """Take in a whole board; return the game's squares that differ from what was known, none if nothing was."""
        before = self.occupied
        self._take(occupied)
        differing = before ^ self.occupied if self.was_read else frozenset()
        self.trouble, self.was_read = "", True
        return differing

    def place_all(self, occupied: frozenset[Square]) -> None:
        """Take in that the pieces were put where they belong in one go."""
        self._take(occupied)
        self.was_read = True

    def agree(self, squares: frozenset[Square]) -> bool:
        """Return whether the switches that speak say that just these squares are occupied."""
        return not (self.occupied ^ squares) - self.ignored()

    def report(self, square: Square, *, suspect: bool) -> SwitchReport:
        """Return a switch's line of the health table."""
        condition = Condition.SUSPECT if suspect else Condition.GOOD
        if square in self.masked:
            condition = Condition.MASKED
        return self.health.report(square, closed=square in self.occupied, condition=condition)
