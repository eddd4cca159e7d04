"""A value that displays show only briefly: until its time is over or a player acts."""

from collections.abc import Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")
SHOWN_MS: Final = 1800
"""The milliseconds for which a value is shown, unless the next action ends that."""


class TransientValue(Generic[T]):
    """A value and the time until which it is shown.

    Attributes:
        seen: the value shown; `None` if no value is shown.
        due_ms: when the value disappears; `None` if no value is shown.
    """

    def __init__(self) -> None:
        self.seen: T | None = None
        self.due_ms: int | None = None

    def show(self, what: T | None, now_ms: int, paced_ms: Callable[[int], int] = int) -> None:
        """Show a value for a short time, in place of the previous value; `None` shows nothing.

        Args:
            what: the value.
            now_ms: the present time.
            paced_ms: returns how long the value is shown, given SHOWN_MS.
        """
        self.seen = what
        self.due_ms = None if what is None else now_ms + paced_ms(SHOWN_MS)

    def forget(self) -> None:
        """Stop showing the value."""
        self.seen = self.due_ms = None
