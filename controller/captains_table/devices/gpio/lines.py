"""The pins of a build by gpiozero: rank lines driven one at a time, file lines, buttons and encoder read."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final

from gpiozero import InputDevice

from captains_table.hardware.profiles.profile import Buttons, Matrix
from captains_table.table.model.events import Button

SETTLE_S: Final = 30e-6  # as the firmware waits: a file falls through its diode
RISE_S: Final = 30e-6  # and looks whether released lines are high again
MOST_RISES: Final = 5  # a file that is still low then is held there by something else

_FLOATING: Final[Mapping[str, bool | None]] = {"pull_up": None, "active_state": True}
_RELEASED: Final[Mapping[int, Mapping[str, bool | None]]] = {  # I2C's pins have pull-ups on the Pi: 1.8 kilohms, weak
    2: {"pull_up": True},
    3: {"pull_up": True},
}


class MatrixLines:
    """The switch matrix. Closing it lets go of the pins.

    An idle rank is not driven at all, so that no output works against another, whatever is soldered wrongly; the one
    that is read is driven low. Lines rise by the files' pull-ups alone.

    Args:
        matrix: its pins, BCM numbers.
        factory: gpiozero's pin factory; none: gpiozero's own choice.
        wait_s: waits for so many seconds.

    Raises:
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    def __init__(
        self,
        matrix: Matrix,
        factory: Any = None,  # noqa: ANN401 - gpiozero has no types
        wait_s: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wait_s = wait_s
        with ExitStack() as stack:

            def line(pin: int, **level: bool | None) -> Any:  # noqa: ANN401 - gpiozero has no types
                return stack.enter_context(InputDevice(pin, pin_factory=factory, **level)).pin

            # a scan reads 72 pins: straight from the pin, past what a device does around it
            self._ranks = [line(pin, **_RELEASED.get(pin, _FLOATING)) for pin in matrix.rank_pins]
            self._files = [line(pin, pull_up=True) for pin in matrix.file_pins]
            self._devices = stack.pop_all()

    def read(self) -> list[int]:
        """Drive one rank after another and return the numbers of the closed switches, counted rank by rank from a1."""
        closed = []
        first = 0
        for rank in self._ranks:
            rank.output_with_state(0)
            self._wait_s(SETTLE_S)
            low = [number for number, file in enumerate(self._files) if not file.state]
            rank.function = "input"
            self._let_rise(low)
            closed += [first + number for number in low]
            first += len(self._files)
        return closed

    def _let_rise(self, low: list[int]) -> None:
        """Wait until files that were low are high: they lift every rank line that their closed switches hang on."""
        for _ in range(MOST_RISES):
            low = [number for number in low if not self._files[number].state]
            if not low:
                return
            self._wait_s(RISE_S)

    def close(self) -> None:
        """Let go of the pins."""
        self._devices.close()


class ButtonLines:
    """The roll button and the encoder. Closing it lets go of the pins.

    Args:
        buttons: their pins, BCM numbers.
        factory: gpiozero's pin factory; none: gpiozero's own choice.

    Raises:
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    def __init__(self, buttons: Buttons, factory: Any = None) -> None:  # noqa: ANN401 - gpiozero has no types
        pins = {Button.ROLL: buttons.roll, Button.CHOOSE: buttons.encoder.push if buttons.encoder else None}
        encoder = buttons.encoder
        with ExitStack() as stack:

            def line(pin: int) -> Any:  # noqa: ANN401 - gpiozero has no types
                return stack.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory)).pin

            self._buttons = {button: line(pin) for button, pin in pins.items() if pin is not None}
            self._encoder = None if encoder is None else (line(encoder.a), line(encoder.b))
            self._devices = stack.pop_all()

    def pressed(self) -> dict[Button, bool]:
        """Return each button's level: whether its contact is closed."""
        return {button: not pin.state for button, pin in self._buttons.items()}

    def turned(self) -> tuple[bool, bool] | None:
        """Return whether the encoder's contacts A and B are closed, none without one."""
        return None if self._encoder is None else (not self._encoder[0].state, not self._encoder[1].state)

    def close(self) -> None:
        """Let go of the pins."""
        self._devices.close()
