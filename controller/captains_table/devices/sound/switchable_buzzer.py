"""A buzzer that can be switched on and off during play; while it is off, its pin is released."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from captains_table.devices.worker_device import FaultMessages, WorkerDevice
from captains_table.phrases import say

if TYPE_CHECKING:  # it imports gpiozero, which is in the extra pi
    from captains_table.devices.sound.buzzer import GpioBuzzer

FAULTS: Final = FaultMessages(
    say("The buzzer does not answer"), say("The buzzer could not be silenced"), say("The buzzer stopped working.")
)


class SwitchableBuzzer(WorkerDevice[bool]):
    """A `BuzzerDevice` that is off at first, and holds no pin until it is switched on.

    A worker thread opens and closes the buzzer.

    Args:
        make: opens the buzzer; raises OSError.
        on_fault: called by the worker thread when opening the pin fails, and when it works again; it must not raise.
    """

    name = "buzzer switch"
    words = FAULTS
    errors = (OSError,)
    retry_s = 1.0

    def __init__(self, make: "Callable[[], GpioBuzzer]", on_fault: Callable[[], None] | None = None) -> None:
        self._make = make
        self._buzzer: GpioBuzzer | None = None
        super().__init__(on_fault=on_fault)

    @property
    def fault(self) -> str | None:
        """Return a sentence about the buzzer's failure, `None` while it works or is switched off."""
        buzzer = self._buzzer
        return super().fault or (None if buzzer is None else buzzer.fault)

    def switch_sound(self, *, on: bool) -> None:
        """Open the buzzer soon (`on`), or silence and close it soon; do nothing if it is in that state already."""
        self._put(on)

    def signal(self, kind: str) -> None:
        """Play the tones of a signal, if the buzzer is switched on."""
        buzzer = self._buzzer
        if buzzer is not None:
            buzzer.signal(kind)

    # --- called by the worker thread only ---------------------------------------------------------------------------

    def _handle(self, value: bool, is_new: bool) -> None:  # noqa: ARG002, FBT001 - as in every device
        if value and self._buzzer is None:
            self._buzzer = self._make()
        elif not value:
            self._finish()

    def _finish(self) -> None:
        buzzer, self._buzzer = self._buzzer, None
        if buzzer is not None:
            buzzer.close()
