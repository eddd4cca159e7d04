"""A buzzer that can be switched off while the table plays: its pin is let go of then."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from captains_table.devices.latest_wins import FaultWords, WorkerDevice

if TYPE_CHECKING:  # it asks for gpiozero, which is in the extra pi
    from captains_table.devices.sound.buzzer import GpioBuzzer

FAULTS: Final = FaultWords(
    "The buzzer does not answer", "The buzzer could not be silenced", "The buzzer stopped working."
)


class Speaker(WorkerDevice[bool]):
    """A `Buzzer` that is silent, and holds no pin, until it is switched on; a worker of its own opens and closes it.

    Args:
        make: opens the buzzer; raises OSError.
        on_fault: called by the worker whenever its pin could not be had, or can be again; it must not raise.
    """

    name = "buzzer switch"
    words = FAULTS
    errors = (OSError,)
    retry_s = 1.0  # a pin that cannot be had is tried again, later and later

    def __init__(self, make: "Callable[[], GpioBuzzer]", on_fault: Callable[[], None] | None = None) -> None:
        self._make = make
        self._buzzer: GpioBuzzer | None = None
        super().__init__(on_fault=on_fault)

    @property
    def fault(self) -> str | None:
        """A sentence about a buzzer that is broken, `None` while all is well or it is switched off."""
        buzzer = self._buzzer
        return super().fault or (None if buzzer is None else buzzer.fault)

    def switch_sound(self, *, on: bool) -> None:
        """Open the buzzer soon, or silence and close it; where it is so already nothing happens."""
        self._put(on)

    def signal(self, kind: str) -> None:
        """Sound what just happened, if it is switched on."""
        buzzer = self._buzzer
        if buzzer is not None:
            buzzer.signal(kind)

    # --- called by the worker alone ---------------------------------------------------------------------------------

    def _handle(self, value: bool, is_new: bool) -> None:  # noqa: ARG002, FBT001 - as of every device
        if value and self._buzzer is None:
            self._buzzer = self._make()
        elif not value:
            self._finish()

    def _finish(self) -> None:
        buzzer, self._buzzer = self._buzzer, None
        if buzzer is not None:
            buzzer.close()
