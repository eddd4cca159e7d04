"""Gives the libraries gpiozero and luma access to the Pi's pins, and luma access to the SPI bus.

All access goes through the library lgpio, because lgpio works on every model of Pi. Two classes replace the modules
`spidev` and `RPi.GPIO`, which luma would use otherwise.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Final

import lgpio
from gpiozero import OutputDevice
from gpiozero.pins.lgpio import LGPIOFactory
from luma.core.interface.serial import noop, spi

from captains_table.devices.pin_errors import pin_error_message, pin_errors
from captains_table.devices.ports import DeviceUnavailable
from captains_table.hardware.profiles.profile import SpiBus

LIGHTS_HZ: Final = 1_000_000  # long wires under a board; 72 lights take 3 ms
GLASS_HZ: Final = 8_000_000
SPI_PORT: Final = 0


def open_pins() -> Any:  # noqa: ANN401 - gpiozero has no types
    """Return gpiozero's pin factory; raises DeviceUnavailable."""
    try:
        return LGPIOFactory()
    except pin_errors() as error:
        raise DeviceUnavailable(
            f"the Pi's pins cannot be used ({error}): is this a Raspberry Pi, and the user in the group gpio?"
        ) from error


def open_panel(bus: SpiBus, factory: Any) -> Any:  # noqa: ANN401 - luma and gpiozero have no types
    """Return luma's interface to a panel on SPI; raises OSError."""
    try:
        return _spi(bus.device, GLASS_HZ, LumaPins(factory), bus.data_command, bus.reset)
    except pin_errors() as error:
        raise DeviceUnavailable(pin_error_message(error)) from error


def open_lights(device: int) -> Any:  # noqa: ANN401 - luma has no types
    """Return luma's interface to lights on SPI, without pins for data/command and reset; raises OSError."""
    return _spi(device, LIGHTS_HZ, noop())


def _spi(device: int, hertz: int, pins: Any, data_command: int | None = None, reset: int | None = None) -> Any:  # noqa: ANN401 - as above
    return spi(
        spi=LgpioSpi(),
        gpio=pins,
        port=SPI_PORT,
        device=device,
        bus_speed_hz=hertz,
        gpio_DC=data_command,
        gpio_RST=reset,
    )


class LgpioSpi:
    """A replacement for the module `spidev`, which luma uses.

    It uses lgpio, which is installed anyway and needs no compiler.
    """

    def __init__(self, library: Any = lgpio) -> None:  # noqa: ANN401 - lgpio has no types
        self._library = library
        self._place = (0, 0)
        self._hertz = LIGHTS_HZ
        self._handle: int | None = None

    @property
    def max_speed_hz(self) -> int:
        """The bus clock in hertz; setting it reopens the bus."""
        return self._hertz

    @max_speed_hz.setter
    def max_speed_hz(self, hertz: int) -> None:
        self.close()
        self._hertz = hertz
        self.open(*self._place)

    def open(self, port: int, device: int) -> None:
        """Open a bus; raises OSError."""
        self._place = (port, device)
        try:
            self._handle = self._library.spi_open(port, device, self._hertz, 0)
        except self._library.error as error:
            raise OSError(f"spidev{port}.{device} cannot be opened: {error}") from error

    def writebytes(self, data: Sequence[int]) -> None:
        """Send bytes, 4,096 at most; raises OSError."""
        try:
            self._library.spi_write(self._handle, bytes(data))
        except self._library.error as error:
            raise OSError(f"spidev{self._place[0]}.{self._place[1]} takes nothing: {error}") from error

    def close(self) -> None:
        """Close the bus; calling it again does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._library.spi_close(handle)


class LumaPins:
    """A replacement for RPi.GPIO, which luma expects; it uses gpiozero, because RPi.GPIO does not work on a Pi 5."""

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, factory: Any) -> None:  # noqa: ANN401 - gpiozero has no types
        self._factory = factory
        self._pins: dict[int, Any] = {}
        self._open = ExitStack()

    def setup(self, pin: int, direction: int) -> None:  # noqa: ARG002 - luma only has outputs
        """Open a pin as an output, and ignore `direction`; raises gpiozero.GPIOZeroError."""
        self._pins[pin] = self._open.enter_context(OutputDevice(pin, pin_factory=self._factory))

    def output(self, pin: int, value: int) -> None:
        """Set a pin to LOW (0) or HIGH (1)."""
        self._pins[pin].value = value

    def cleanup(self, pins: Sequence[int] = ()) -> None:  # noqa: ARG002 - all of them
        """Release all pins, regardless of `pins`."""
        self._open.close()
