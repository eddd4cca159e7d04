"""The long hold that leaves a match for the lobby."""

from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased, Event
from captains_table.table.model.settings import Settings


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
