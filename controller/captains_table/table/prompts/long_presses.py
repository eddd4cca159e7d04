"""Buttons that are held: a long press leaves a match, and two at once open the table's own menu."""

from typing import Final

from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, Event
from captains_table.table.model.settings import Settings

SHOWN_MS: Final = 2000
"""After so long a hold is none of what shorter ones mean, and is shown."""
STEPS: Final = 10  # in which it is shown to fill


class LongHold:
    """Notices when the button that leaves a match has been held for long.

    That is *back*, at the table or on the page; at a table with the roll button alone also that one, wherever no throw
    is due.
    """

    def __init__(self, settings: Settings) -> None:
        self.button = Button.BACK  # the one that is held, or was last
        self._settings = settings
        self._since_ms: int | None = None

    def forget(self) -> None:
        """Know of no button that is down, as when another match is taken up."""
        self._since_ms = None

    def due_ms(self) -> int | None:
        """Return when the button will have been held long enough; `None` while it is not down."""
        return None if self._since_ms is None else self._since_ms + self._settings.leave_ms

    def on_event(self, event: Event, now_ms: int, *, throwing: bool) -> None:
        """Take in that a button went down or came up; `throwing`: it holds dice that tumble."""
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
        """Return, once, whether the button has been held long enough by now."""
        due_ms = self.due_ms()
        if due_ms is None or now_ms < due_ms:
            return False
        self._since_ms = None
        return True


class MenuHold:
    """Notices that the encoder's push, or the roll button of a table without an encoder, is held for long.

    Let go once it is shown, and before it is over, it means nothing.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.forget()

    def forget(self) -> None:
        """Know of no button that is down."""
        self._since_ms: int | None = None
        self._steps: int | None = None
        self._is_over = False

    @property
    def share(self) -> float | None:
        """How much of the hold was done when it was last looked at, 0 to 1 in steps; `None` while it is not shown."""
        return None if self._steps is None else self._steps / STEPS

    def press(self, event: Event, now_ms: int) -> None:
        """Take in that a button went down whose hold is nothing else now, such as tumbling dice."""
        if isinstance(event, ButtonPressed) and event.button is self._button:
            self.forget()
            self._since_ms = now_ms

    def takes(self, event: Event) -> bool:
        """Return whether an event is the end of a hold that was shown, and so means nothing else."""
        if not isinstance(event, ButtonReleased) or event.button is not self._button:
            return False
        was_shown = self._is_over or self._steps is not None
        self.forget()
        return was_shown

    def look(self, now_ms: int) -> bool:
        """Look how far the hold is; return whether something else is to be shown than before."""
        before = self._steps
        held_ms = -1 if self._since_ms is None else now_ms - self._since_ms - self._shown_ms
        self._steps = None if held_ms <= 0 else min(STEPS, held_ms // self._step_ms)
        return self._steps != before

    def is_over(self, now_ms: int) -> bool:
        """Return, once, whether the button has been held long enough by now."""
        if self._since_ms is None or now_ms < self._since_ms + self._settings.menu_ms:
            return False
        self.forget()
        self._is_over = True
        return True

    def due_ms(self) -> int | None:
        """Return when it is to be looked at again, `None` while nothing is held."""
        if self._since_ms is None:
            return None
        next_step = 0 if self._steps is None else self._steps + 1
        next_ms = self._settings.menu_ms if next_step > STEPS else self._shown_ms + max(1, next_step * self._step_ms)
        return self._since_ms + min(self._settings.menu_ms, next_ms)

    @property
    def _button(self) -> Button:
        return Button.ROLL if self._settings.buttons == "one" else Button.CHOOSE

    @property
    def _shown_ms(self) -> int:
        return min(SHOWN_MS, self._settings.menu_ms // 2)

    @property
    def _step_ms(self) -> int:
        return max(1, (self._settings.menu_ms - self._shown_ms) // STEPS)
