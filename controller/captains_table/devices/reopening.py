"""A device that is opened when it is needed, and anew after it failed: what was unplugged may come back."""

import contextlib
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Reopening(Generic[T]):
    """Something that is open only while it answers. Only one thread may use it.

    Args:
        open_: opens it.
        close: lets go of it.
        errors: what it raises where it cannot be opened, or fails.
    """

    def __init__(
        self, open_: Callable[[], T], close: Callable[[T], object], errors: tuple[type[Exception], ...]
    ) -> None:
        self._open = open_
        self._close = close
        self._errors = errors
        self._opened: list[T] = []  # one, or none

    def use(self, act: Callable[[T], R]) -> R:
        """Do something with it, opened first if it is not open; after an error, which is raised, it is let go of."""
        try:
            if not self._opened:
                self._opened.append(self._open())
            return act(self._opened[0])
        except self._errors:
            self.drop()
            raise

    def drop(self) -> None:
        """Let go of it, whether it answers or not; it is opened anew when it is used again."""
        while self._opened:
            with contextlib.suppress(*self._errors):
                self._close(self._opened.pop())
