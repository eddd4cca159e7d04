"""What presses mean: holding tumbles the dice, letting go throws them, the rest walks through a menu.

A short push on `choose` takes what is under the cursor when it comes up, a long one asks for advice.

Source: docs/architecture.md Contract 4.
"""

from enum import Enum, auto

from captains_table.table.model.events import Button
from captains_table.table.model.settings import Settings


class Command(Enum):
    """What a press or a release asks for."""

    TUMBLE = auto()
    THROW = auto()
    NEXT = auto()
    PREVIOUS = auto()
    CHOOSE = auto()
    BACK = auto()
    ADVISE = auto()
    RING = auto()


ON_PRESS = {Button.NEXT: Command.NEXT, Button.PREVIOUS: Command.PREVIOUS, Button.BACK: Command.BACK}


class Buttons:
    """Which buttons are down and since when.

    Attributes:
        held_ms: how long the roll button was held when it came up last.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.held_ms = 0
        self.forget()

    def forget(self) -> None:
        """Know of no button that is down, as when another match is taken up."""
        self._rolling_since_ms: int | None = None
        self._choosing_since_ms: int | None = None
        self._tumbling = False

    def pressed(self, button: Button, now_ms: int, *, may_throw: bool) -> Command | None:
        """Return what a press asks for; the roll button tumbles where a throw is due and else waits to be let go."""
        if button is Button.CHOOSE:
            self._choosing_since_ms = now_ms
            return None
        if button is not Button.ROLL:
            return ON_PRESS[button]
        self._rolling_since_ms, self._tumbling = now_ms, may_throw
        return Command.TUMBLE if may_throw else None

    def released(self, button: Button, now_ms: int) -> Command | None:
        """Return what a release asks for: a throw however long it was held, choose or advice, next for one button.

        A roll button beside an encoder that was held, and throws nothing, asks for the bell.
        """
        if button is Button.CHOOSE:
            return self._chosen(now_ms)
        if button is not Button.ROLL or self._rolling_since_ms is None:
            return None
        self.held_ms = now_ms - self._rolling_since_ms
        tumbled = self._tumbling
        self._rolling_since_ms, self._tumbling = None, False
        if tumbled:
            return Command.THROW
        is_long = self.held_ms >= self._settings.choose_ms
        if self._settings.buttons != "one":
            return Command.RING if is_long else None
        return Command.CHOOSE if is_long else Command.NEXT

    def _chosen(self, now_ms: int) -> Command | None:
        since_ms, self._choosing_since_ms = self._choosing_since_ms, None
        if since_ms is None:
            return None
        return Command.ADVISE if now_ms - since_ms >= self._settings.choose_ms else Command.CHOOSE
