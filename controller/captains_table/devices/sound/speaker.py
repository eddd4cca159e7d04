"""A buzzer that can be switched off while the table plays: its pin is let go of then."""

from collections.abc import Callable
from typing import Protocol

from captains_table.devices.ports import Buzzer


class ClosableBuzzer(Buzzer, Protocol):
    """A buzzer that holds a pin until it is closed."""

    @property
    def fault(self) -> str | None:
        """A sentence about a buzzer that is broken, `None` while all is well."""

    def close(self) -> None:
        """Fall silent and let go of the pin."""


class Speaker:
    """A `Buzzer` that is silent, and holds no pin, until it is switched on.

    Args:
        make: opens the buzzer; what it raises, `switch_sound` raises.
    """

    def __init__(self, make: Callable[[], ClosableBuzzer]) -> None:
        self._make = make
        self._buzzer: ClosableBuzzer | None = None

    @property
    def fault(self) -> str | None:
        """A sentence about a buzzer that is broken, `None` while all is well or it is switched off."""
        return None if self._buzzer is None else self._buzzer.fault

    def switch_sound(self, *, on: bool) -> None:
        """Open the buzzer, or silence and close it; where it is so already nothing happens."""
        if on and self._buzzer is None:
            self._buzzer = self._make()
        elif not on:
            self.close()

    def signal(self, kind: str) -> None:
        """Sound what just happened, if it is switched on."""
        if self._buzzer is not None:
            self._buzzer.signal(kind)

    def close(self) -> None:
        """Silence the buzzer and let go of its pin."""
        if self._buzzer is not None:
            self._buzzer.close()
            self._buzzer = None
