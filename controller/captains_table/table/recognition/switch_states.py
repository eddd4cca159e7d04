"""What the switches of one board say, and which of them are listened to."""

from captains_table.games.contract import Square
from captains_table.table.recognition.switch_health import Condition, SwitchHealth, SwitchReport


class SwitchStates:
    """The switches as they have settled.

    Attributes:
        occupied: the squares whose switch is closed.
        masked: the squares whose switch says nothing because somebody said so.
        trouble: what is wrong with the board's link, in words; nothing while it is linked.
        was_read: whether the whole board was ever read.
        health: how each switch is doing.
    """

    def __init__(self, occupied: frozenset[Square] = frozenset()) -> None:
        self.occupied = occupied
        self.masked: set[Square] = set()
        self.trouble = ""
        self.was_read = False
        self.health = SwitchHealth()

    @property
    def linked(self) -> bool:
        """Whether the switches are read."""
        return not self.trouble

    def ignored(self) -> frozenset[Square]:
        """Return the squares whose switch says nothing now: masked, or chattering."""
        return self.health.chattering() | self.masked

    def chattering(self) -> frozenset[Square]:
        """Return the squares whose switch chatters and nobody masked."""
        return self.health.chattering() - self.masked

    def change(self, square: Square, *, closed: bool, at_ms: int, flickers: int) -> None:
        """Take in a switch that has settled."""
        self.occupied = self.occupied | {square} if closed else self.occupied - {square}
        self.health.changed(square, at_ms, flickers)

    def read(self, occupied: frozenset[Square]) -> frozenset[Square]:
        """Take in a whole board, and return the squares that differ from what was known; none if nothing was known."""
        differing = self.occupied ^ occupied if self.was_read else frozenset()
        self.occupied, self.trouble, self.was_read = occupied, "", True
        return differing

    def place_all(self, occupied: frozenset[Square]) -> None:
        """Take in that the pieces were put where they belong in one go."""
        self.occupied, self.was_read = occupied, True

    def agree(self, squares: frozenset[Square]) -> bool:
        """Return whether the switches that speak say that just these squares are occupied."""
        return not (self.occupied ^ squares) - self.ignored()

    def report(self, square: Square, *, suspect: bool) -> SwitchReport:
        """Return a switch's line of the health table."""
        condition = Condition.SUSPECT if suspect else Condition.GOOD
        if square in self.masked:
            condition = Condition.MASKED
        return self.health.report(square, closed=square in self.occupied, condition=condition)
