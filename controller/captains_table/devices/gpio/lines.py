"""The pins of a build by gpiozero: rank lines driven, file lines, buttons and encoder read."""

from contextlib import ExitStack
from typing import Any

from gpiozero import InputDevice, OutputDevice

from captains_table.hardware.profiles.profile import Buttons, Matrix
from captains_table.table.model.events import Button


class MatrixLines:
    """The switch matrix. Closing it lets go of the pins.

    Args:
        matrix: its pins, BCM numbers.
        factory: gpiozero's pin factory; none: gpiozero's own choice.

    Raises:
        gpiozero.GPIOZeroError: a pin does not exist or is in use.
    """

    def __init__(self, matrix: Matrix, factory: Any = None) -> None:  # noqa: ANN401 - gpiozero has no types
        with ExitStack() as stack:
            ranks = [
                stack.enter_context(OutputDevice(pin, initial_value=True, pin_factory=factory))
                for pin in matrix.rank_pins
            ]
            files = [
                stack.enter_context(InputDevice(pin, pull_up=True, pin_factory=factory)) for pin in matrix.file_pins
            ]
            # a scan reads 72 pins: straight from the pin, past what a device does around it
            self._ranks = [device.pin for device in ranks]
            self._files = [device.pin for device in files]
            self._devices = stack.pop_all()

    def read(self) -> list[int]:
        """Drive one rank after another and return the numbers of the closed switches, counted rank by rank from a1."""
        closed = []
        first = 0
        for rank in self._ranks:
            rank.state = 0
            closed += [first + number for number, file in enumerate(self._files) if not file.state]
            rank.state = 1
            first += len(self._files)
        return closed

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
