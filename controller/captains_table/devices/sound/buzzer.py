"""A buzzer on one of the Pi's pins, by gpiozero: a worker of its own plays, the latest signal wins."""

from threading import Condition, Thread
from typing import Any, Final

from gpiozero import TonalBuzzer

from captains_table.devices.sound.tunes import SILENCE, TUNES, Tune

CLOSING_S: Final = 2.0
OCTAVES: Final = 3  # around A4: 55 to 3,520 Hz


class GpioBuzzer:
    """A passive piezo behind the `Buzzer` port. Closing it silences it and lets go of the pin.

    Args:
        pin: BCM number.
        factory: gpiozero's pin factory; none: gpiozero's own choice.

    Raises:
        gpiozero.GPIOZeroError: the pin does not exist, is in use or has no PWM.
    """

    def __init__(self, pin: int, factory: Any = None) -> None:  # noqa: ANN401 - gpiozero has no types
        self._buzzer = TonalBuzzer(pin, octaves=OCTAVES, pin_factory=factory)
        self._changed = Condition()
        self._tune: Tune | None = None
        self._is_playing = False
        self._closing = False
        self._worker = Thread(target=self._work, name="buzzer", daemon=True)
        self._worker.start()

    def signal(self, kind: str) -> None:
        """Sound what just happened instead of what sounds now, at once; a kind without a tune is passed over."""
        tune = TUNES.get(kind)
        if tune is not None:
            with self._changed:
                self._tune = tune
                self._changed.notify_all()

    def close(self) -> None:
        """Fall silent, stop the worker and let go of the pin; a second time does nothing."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._worker.join(CLOSING_S)
        self._buzzer.close()

    def wait_silent(self, timeout_s: float) -> bool:
        """Wait until the last tune is over; return whether that came true in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._tune is None and not self._is_playing, timeout_s)

    # --- the worker -------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (tune := self._next_tune()) is not None:
            for hertz, ms in tune:
                if hertz == SILENCE:
                    self._buzzer.stop()
                else:
                    self._buzzer.play(float(hertz))
                if self._interrupted(ms / 1000):
                    break
            self._buzzer.stop()

    def _next_tune(self) -> Tune | None:
        with self._changed:
            self._is_playing = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._closing or self._tune is not None)
            tune, self._tune, self._is_playing = self._tune, None, True
            return None if self._closing else tune

    def _interrupted(self, timeout_s: float) -> bool:
        """Let a tone sound; return whether something else is to be done before its end."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closing or self._tune is not None, timeout_s)
