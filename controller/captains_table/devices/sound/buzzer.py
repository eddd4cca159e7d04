"""A buzzer on one of the Pi's pins, by gpiozero: a worker thread plays the tones of the latest signal."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpiozero import TonalBuzzer

from captains_table.devices.pin_errors import pin_errors
from captains_table.devices.sound.switchable_buzzer import FAULTS
from captains_table.devices.worker_device import WorkerDevice
from captains_table.table.model.sounds import SILENCE, SOUNDS, Tone

OCTAVES: Final = 3  # around A4: 55 to 3,520 Hz


class GpioBuzzer(WorkerDevice[Sequence[Tone]]):
    """A passive piezo buzzer, as a `BuzzerDevice`. Closing it silences it and releases the pin.

    Args:
        pin: BCM number.
        factory: gpiozero's pin factory; `None` for gpiozero's default.
        on_fault: called by the worker thread whenever `fault` changed; it must not raise.

    Raises:
        gpiozero.GPIOZeroError: the pin does not exist, is in use or has no PWM.
    """

    name = "buzzer"
    words = FAULTS

    def __init__(
        self,
        pin: int,
        factory: Any = None,  # noqa: ANN401 - gpiozero has no types
        on_fault: Callable[[], None] | None = None,
    ) -> None:
        self._buzzer = TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory)
        self._tone = 0
        self.errors = pin_errors()
        super().__init__(on_fault=on_fault)

    def signal(self, kind: str) -> None:
        """Play the tones of a signal at once and stop the tones now playing; a kind without tones is ignored."""
        if kind in SOUNDS:
            self._put(SOUNDS[kind].tones)

    def close(self) -> None:
        """Stop the tones and the worker thread, and release the pin; calling it again does nothing."""
        super().close()
        self._buzzer.close()

    def _handle(self, value: Sequence[Tone], is_new: bool) -> float | None:  # noqa: FBT001 - as in every device
        """Play the next tone of the sequence, or the first tone if the sequence is new.

        Return the tone's duration in seconds; `None` after the last tone.
        """
        self._tone = 0 if is_new else self._tone + 1
        if self._tone == len(value):
            self._buzzer.stop()
            return None
        hertz, ms = value[self._tone]
        if hertz == SILENCE:
            self._buzzer.stop()
        else:
            self._buzzer.play(float(hertz))
        return ms / 1000

    def _finish(self) -> None:
        self._buzzer.stop()
