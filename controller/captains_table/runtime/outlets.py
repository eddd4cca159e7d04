"""Whatever shows, lights and sounds at a table, and who listens to what it does."""

from collections.abc import Callable, Mapping, Sequence

from captains_table.devices.ports import Buzzer, Display, Lights
from captains_table.games.contract import Square
from captains_table.table.model.events import SignalKind
from captains_table.table.model.view import Lit, View


class Outlets:
    """The displays, lights and buzzers of a table.

    Args:
        shown: what is to be seen before anything is shown.
        displays: every display a view is shown on.
        lights: what lights the squares.
        buzzers: what sounds.

    Attributes:
        shown: the view that was shown last.
        on_signal: is called with every signal that is given.
        on_told: is called with what is said of a view, where that is something else than before.
    """

    def __init__(
        self, shown: View, displays: Sequence[Display], lights: Sequence[Lights], buzzers: Sequence[Buzzer]
    ) -> None:
        self.shown = shown
        self.on_signal: Callable[[SignalKind], None] = lambda _: None
        self.on_told: Callable[[str], None] = lambda _: None
        self._displays = tuple(displays)
        self._lights = tuple(lights)
        self._buzzers = tuple(buzzers)

    def show(self, view: View) -> None:
        """Show a view on every display."""
        if view.told != self.shown.told:
            self.on_told(view.told)
        self.shown = view
        for display in self._displays:
            display.show(view)

    def light(self, marks: Mapping[Square, Lit]) -> None:
        """Light these squares, and no others."""
        for lights in self._lights:
            lights.light(marks)

    def signal(self, kind: SignalKind, square: Square | None) -> None:
        """Give a signal by lights and buzzers."""
        self.on_signal(kind)
        for lights in self._lights:
            lights.signal(kind, square)
        for buzzer in self._buzzers:
            buzzer.signal(kind)
