"""Drives the rank lines through gpiozero, one at a time, and reads the file lines, the buttons and the encoder."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final

from gpiozero import InputDevice

from captains_table.hardware.profiles.profile import ButtonsBuild, Matrix
from captains_table.table.model.events import Button

SETTLE_S: Final = 30e-6  # time for a file line to fall through its diode; the same as in the firmware
RISE_S: Final = 30e-6  # between two checks whether released lines are high again; as in the firmware
MOST_RISES: Final = 5  # a file line that is still low after so many checks is held low by a fault

_FLOATING: Final[Mapping[str, bool | None]] = {"pull_up": None, "active_state": True}
_RELEASED: Final[Mapping[int, Mapping[str, bool | None]]] = {  # the I2C pins have 1.8 kilohm pull-ups on the Pi
    2: {"pull_up": True},
    3: {"pull_up": True},
}


class MatrixLines:
    """The pins of the switch matrix. `close` releases the pins.

    Only the rank line that is being read is driven, and it is driven low. Idle rank lines are inputs, so that two
    outputs never work against each other, even with a soldering fault. Only pull-ups pull lines high: those of the file
    lines, and the Pi's own at BCM 2 and 3.

    Args:
        matrix: the pins, BCM numbers.
        factory: gpiozero's pin factory; `None` for gpiozero's default.
        wait_s: waits for a number of seconds.

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

            # a scan makes 72 readings: they use the bare pin, which is faster than gpiozero's device
            self._ranks = [line(pin, **_RELEASED.get(pin, _FLOATING)) for pin in matrix.rank_pins]
            self._files = [line(pin, pull_up=True) for pin in matrix.file_pins]
            self._devices = stack.pop_all()

    def read(self) -> list[int]:
        """Scan the matrix once; return the numbers of the closed switches, counted rank by rank from a1 = 0."""
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
        """Wait until the file lines that were low are high again, but only for MOST_RISES checks.

        When they are high, their pull-ups have also raised the rank line, through the closed switches.
        """
        for _ in range(MOST_RISES):
            low = [number for number in low if not self._files[number].state]
            if not low:
                return
            self._wait_s(RISE_S)

    def close(self) -> None:
        """Release the pins."""
        self._devices.close()


class ButtonLines:
    """The pins of the roll button and the encoder. Closing it releases the pins.

    Args:
        buttons: the pins, BCM numbers.
        factory: gpiozero's pin factory; `None` for gpiozero's default.

    Raises:
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    def __init__(self, buttons: ButtonsBuild, factory: Any = None) -> None:  # noqa: ANN401 - gpiozero has no types
        pins = {Button.ROLL: buttons.roll, Button.CHOOSE: buttons.encoder.push if buttons.encoder else None}
        encoder = buttons.encoder
        with ExitStack() as stack:

            def line(pin: int) -> Any:  # noqa: ANN401 - gpiozero has no types
                return stack.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory)).pin

            self._buttons = {button: line(pin) for button, pin in pins.items() if pin is not None}
            self._encoder = None if encoder is None else (line(encoder.a), line(encoder.b))
            self._devices = stack.pop_all()

    def pressed(self) -> dict[Button, bool]:
        """Return for each button whether its contact is closed; not debounced."""
        return {button: not pin.state for button, pin in self._buttons.items()}

    def turned(self) -> tuple[bool, bool] | None:
        """Return whether the encoder's contacts A and B are closed; `None` without an encoder."""
        return None if self._encoder is None else (not self._encoder[0].state, not self._encoder[1].state)

    def close(self) -> None:
        """Release the pins."""
        self._devices.close()
