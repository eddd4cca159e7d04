"""Doubting a switch: where the board stays wrong for long, in one place alone, its switch may be broken."""

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Wrong

MOST_SUSPECTS = 1  # more squares than that are wrong because pieces stand wrong
DOUBT_FACTOR = 2  # the board stays wrong twice as long as it may stand undecided before its switches are doubted
THINKING_FACTOR = 5  # where pieces are only missing they may be in somebody's hand


class Doubt:
    """Whether the board has been wrong for long.

    Args:
        settings: how long the board may stand undecided before the table asks.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._is_long_wrong = False

    def clear(self) -> None:
        """Doubt nothing: something has changed."""
        self._is_long_wrong = False

    def due_ms(self, wrong: Wrong | None, changed_ms: int) -> int | None:
        """Return when switches become suspect, None if they are or nothing is wrong that could be put right."""
        if wrong is None or self._is_long_wrong:
            return None
        return changed_ms + self._settings.ask_ms * (DOUBT_FACTOR if wrong.extra else THINKING_FACTOR)

    def begin(self) -> None:
        """Doubt what is wrong now."""
        self._is_long_wrong = True

    def suspects(self, wrong: Wrong) -> tuple[Square, ...]:
        """Return the squares whose switch may be broken."""
        squares = (*wrong.missing, *wrong.extra)
        return squares if self._is_long_wrong and len(squares) <= MOST_SUSPECTS else ()
