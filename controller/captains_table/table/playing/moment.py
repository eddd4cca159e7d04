"""What is only shown for a moment: until its time is over, or somebody does something."""

from typing import Final, Generic, TypeVar

T = TypeVar("T")
SHOWN_MS: Final = 1800
"""How long it is shown, unless something is done before that."""


class Moment(Generic[T]):
    """Something while it is shown.

    Attributes:
        seen: what is shown; `None` where nothing is.
        due_ms: when it goes; `None` where nothing is shown.
    """

    def __init__(self) -> None:
        self.seen: T | None = None
        self.due_ms: int | None = None

    def show(self, what: T | None, now_ms: int) -> None:
        """Show something from now on in place of what was shown; `None`: nothing."""
        self.seen = what
        self.due_ms = None if what is None else now_ms + SHOWN_MS

    def forget(self) -> None:
        """Show it no longer: something else was done, or its time is over."""
        self.seen = self.due_ms = None
