"""A wrapper that opens a device on first use, and again after an error, because the device may be plugged in again."""

import contextlib
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Reopening(Generic[T]):
    """A resource that is opened on first use and closed after an error. Only one thread may use it.

    Args:
        open_: opens the resource.
        close: closes the resource.
        errors: the exceptions that mean that opening or using it failed.
    """

    def __init__(
        self, open_: Callable[[], T], close: Callable[[T], object], errors: tuple[type[Exception], ...]
    ) -> None:
        self._open = open_
        self._close = close
        self._errors = errors
        self._opened: list[T] = []  # at most one

    def use(self, act: Callable[[T], R]) -> R:
        """Call `act` with the resource, which is opened first if necessary, and return the result.

        If one of the `errors` is raised, close the resource and raise the error again.
        """
        try:
            if not self._opened:
                self._opened.append(self._open())
            return act(self._opened[0])
        except self._errors:
            self.drop()
            raise

    def drop(self) -> None:
        """Close the resource and ignore its errors; the next `use` opens it again."""
        while self._opened:
            with contextlib.suppress(*self._errors):
                self._close(self._opened.pop())
