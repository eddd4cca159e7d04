"""The meaning of button presses: the roll button tumbles and throws the dice; the other buttons control a menu.

Holding the roll button tumbles the dice; releasing it throws them. A short push of `choose` picks the line under the
cursor when it is released; a long push asks for advice. While no throw is due, the roll button has another meaning. If
it is the table's only button, it controls the menu. At a table with an encoder, a long press rings the bell.

Source: docs/contracts.md Contract 4.
"""

from enum import Enum, auto

from captains_table.table.model.events import Button
from captains_table.table.model.settings import Settings


class ButtonCommand(Enum):
    """The command that a press or a release of a button gives."""

    TUMBLE = auto()
    THROW = auto()
    NEXT = auto()
    PREVIOUS = auto()
    CHOOSE = auto()
    BACK = auto()
    ADVISE = auto()
    RING = auto()


ON_PRESS = {Button.NEXT: ButtonCommand.NEXT, Button.PREVIOUS: ButtonCommand.PREVIOUS, Button.BACK: ButtonCommand.BACK}


class ButtonCommands:
    """Records which buttons are pressed and since when, and returns the command of each press or release.

    Attributes:
        held_ms: how long the roll button was held when it was last released.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.held_ms = 0
        self.forget()

    def forget(self) -> None:
        """Treat all buttons as released, e.g. when another match is loaded."""
        self._rolling_since_ms: int | None = None
        self._choosing_since_ms: int | None = None
        self._tumbling = False

    def pressed(self, button: Button, now_ms: int, *, may_throw: bool) -> ButtonCommand | None:
        """Return the command of a press; `None` for `choose`, and for the roll button if no throw is due."""
        if button is Button.CHOOSE:
            self._choosing_since_ms = now_ms
            return None
        if button is not Button.ROLL:
            return ON_PRESS[button]
        self._rolling_since_ms, self._tumbling = now_ms, may_throw
        return ButtonCommand.TUMBLE if may_throw else None

    def released(self, button: Button, now_ms: int) -> ButtonCommand | None:
        """Return the command of a release; `None` if the release has no meaning.

        The button `choose` chooses after a short press and asks for advice after a long one. The release of the roll
        button throws the dice if the press made the dice tumble. Otherwise the command depends on the table. If the
        roll button is the only button, a short press moves to the next line and a long press chooses. At a table with
        an encoder, a long press of the roll button rings the bell.
        """
        if button is Button.CHOOSE:
            return self._chosen(now_ms)
        if button is not Button.ROLL or self._rolling_since_ms is None:
            return None
        self.held_ms = now_ms - self._rolling_since_ms
        tumbled = self._tumbling
        self._rolling_since_ms, self._tumbling = None, False
        if tumbled:
            return ButtonCommand.THROW
        is_long = self.held_ms >= self._settings.choose_ms
        if self._settings.buttons != "one":
            return ButtonCommand.RING if is_long else None
        return ButtonCommand.CHOOSE if is_long else ButtonCommand.NEXT

    def _chosen(self, now_ms: int) -> ButtonCommand | None:
        since_ms, self._choosing_since_ms = self._choosing_since_ms, None
        if since_ms is None:
            return None
        return ButtonCommand.ADVISE if now_ms - since_ms >= self._settings.choose_ms else ButtonCommand.CHOOSE
