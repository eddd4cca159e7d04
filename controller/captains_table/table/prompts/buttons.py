"""The meaning of button presses: commands for dice and menu, and the long presses that leave the match or open a menu.

Holding the roll button tumbles the dice; releasing it throws them. A short push of `choose` picks the line under the
cursor when it is released; a long push asks for advice. While no throw is due, the roll button has another meaning. If
it is the table's only button, it controls the menu. At a table with an encoder, a long press rings the bell.

Source: docs/contracts.md Contract 4.
"""

from enum import Enum, auto
from typing import Final

from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, Event
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


HOLD_SHOWN_MS: Final = 2000
"""A hold is shown after this many milliseconds, and then no longer has the meaning of a shorter press."""
HOLD_STEPS: Final = 10  # of the progress bar


class LeaveHold:
    """Detects the long press of a button that leaves a match.

    The button is *back*, at the table or on the page. If the roll button is the table's only button, a long press of
    the roll button also leaves the match while no throw is due.
    """

    def __init__(self, settings: Settings) -> None:
        self.button = Button.BACK  # the button held now or last
        self._settings = settings
        self._since_ms: int | None = None

    def forget(self) -> None:
        """Treat the button as released, for example when another match is loaded."""
        self._since_ms = None

    def due_ms(self) -> int | None:
        """Return when the button will have been held long enough.

        `None` while the button is not pressed, and after `is_over` has returned true for the press.
        """
        return None if self._since_ms is None else self._since_ms + self._settings.leave_ms

    def on_event(self, event: Event, now_ms: int, *, throwing: bool) -> None:
        """Record a press or release of the button.

        Args:
            event: the event; it is ignored if it is no press or release of the button.
            now_ms: monotonic milliseconds.
            throwing: whether the press tumbles dice; such a press does not count.
        """
        match event:
            case ButtonPressed(button) if self._leaves(button) and not throwing:
                self.button, self._since_ms = button, now_ms
            case ButtonReleased(button) if button is self.button:
                self._since_ms = None
            case _:
                pass

    def _leaves(self, button: Button) -> bool:
        return button is Button.BACK or (button is Button.ROLL and self._settings.buttons == "one")

    def is_over(self, now_ms: int) -> bool:
        """Return whether the button has been held long enough by now; true only once for each press."""
        due_ms = self.due_ms()
        if due_ms is None or now_ms < due_ms:
            return False
        self._since_ms = None
        return True


class MenuHold:
    """Detects the long press of the encoder, or of a table's only button, that opens the table's own menu.

    A press that ends after its progress was shown, but before it was long enough, has no effect.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.forget()

    def forget(self) -> None:
        """Treat the button as released."""
        self._since_ms: int | None = None
        self._steps: int | None = None
        self._is_over = False

    @property
    def share(self) -> float | None:
        """The progress of the press at the last update, from 0 to 1 in steps; `None` while it is not shown."""
        return None if self._steps is None else self._steps / HOLD_STEPS

    def press(self, event: Event, now_ms: int) -> None:
        """Record a press of the button.

        The caller must leave out a press with another possible meaning, such as a long press that leaves the match.
        """
        if isinstance(event, ButtonPressed) and event.button is self._button:
            self.forget()
            self._since_ms = now_ms

    def takes(self, event: Event) -> bool:
        """Return whether an event is a release of the button that must have no other effect.

        True if the button was held long enough, or if the progress of the press was shown. Every release ends the
        press.
        """
        if not isinstance(event, ButtonReleased) or event.button is not self._button:
            return False
        was_shown = self._is_over or self._steps is not None
        self.forget()
        return was_shown

    def look(self, now_ms: int) -> bool:
        """Update the progress of the press; return whether the displayed progress changed."""
        before = self._steps
        held_ms = -1 if self._since_ms is None else now_ms - self._since_ms - self._shown_ms
        self._steps = None if held_ms <= 0 else min(HOLD_STEPS, held_ms // self._step_ms)
        return self._steps != before

    def is_over(self, now_ms: int) -> bool:
        """Return whether the button has been held long enough by now; true only once for each press."""
        if self._since_ms is None or now_ms < self._since_ms + self._settings.menu_ms:
            return False
        self.forget()
        self._is_over = True
        return True

    def due_ms(self) -> int | None:
        """Return when `look` and `is_over` must be called next.

        `None` while the button is not pressed, and after `is_over` has returned true for the press.
        """
        if self._since_ms is None:
            return None
        next_step = 0 if self._steps is None else self._steps + 1
        next_ms = (
            self._settings.menu_ms if next_step > HOLD_STEPS else self._shown_ms + max(1, next_step * self._step_ms)
        )
        return self._since_ms + min(self._settings.menu_ms, next_ms)

    @property
    def _button(self) -> Button:
        return Button.ROLL if self._settings.buttons == "one" else Button.CHOOSE

    @property
    def _shown_ms(self) -> int:
        return min(HOLD_SHOWN_MS, self._settings.menu_ms // 2)

    @property
    def _step_ms(self) -> int:
        return max(1, (self._settings.menu_ms - self._shown_ms) // HOLD_STEPS)
