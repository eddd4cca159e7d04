"""The Pi's own buses and pins, opened for luma and gpiozero; what is missing is said in a sentence that helps."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import lgpio
from gpiozero import GPIOZeroError, OutputDevice
from gpiozero.pins.lgpio import LGPIOFactory
from luma.core.interface.serial import i2c, noop, spi

from captains_table.profiles.profile import I2cBus, SpiBus

LIGHTS_HZ: Final = 1_000_000  # long wires under a board; 72 lights take 3 ms
GLASS_HZ: Final = 8_000_000
SPI_PORT: Final = 0


class NotThere(OSError):  # noqa: N818 - named by its condition
    """A bus or the pins cannot be used; the message says what to do about it."""


class PiHardware:
    """The buses and pins of the Raspberry Pi this runs on. Closing it lets go of pins that nobody else closes.

    Args:
        devices: where the device nodes are.
    """

    def __init__(self, devices: Path = Path("/dev")) -> None:
        self._devices = devices
        self._factory: LGPIOFactory | None = None

    def pins(self) -> Any:  # noqa: ANN401 - gpiozero has no types
        """Return gpiozero's pin factory over lgpio, the one that works on every Pi; raises NotThere."""
        if self._factory is None:
            try:
                self._factory = LGPIOFactory()
            except (GPIOZeroError, lgpio.error) as error:
                raise NotThere(
                    f"the Pi's pins cannot be used ({error}): is this a Raspberry Pi, and the user in the group gpio?"
                ) from error
        return self._factory

    def i2c(self, bus: I2cBus) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to a panel on I2C; raises NotThere."""
        self._need(f"i2c-{bus.port}", "switch I2C on (raspi-config, Interface Options, I2C)", "i2c")
        return i2c(port=bus.port, address=bus.address)

    def spi_panel(self, bus: SpiBus) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to a panel on SPI; raises NotThere."""
        self._need_spi(bus.device)
        try:
            return spi(
                spi=LgpioSpi(),
                gpio=LumaPins(self.pins()),
                port=SPI_PORT,
                device=bus.device,
                bus_speed_hz=GLASS_HZ,
                gpio_DC=bus.data_command,
                gpio_RST=bus.reset,
            )
        except GPIOZeroError as error:
            raise NotThere(f"a pin cannot be used: {error}") from error

    def spi_lights(self, device: int) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to lights on SPI, which need no further pins; raises NotThere."""
        self._need_spi(device)
        return spi(
            spi=LgpioSpi(),
            gpio=noop(),
            port=SPI_PORT,
            device=device,
            bus_speed_hz=LIGHTS_HZ,
            gpio_DC=None,
            gpio_RST=None,
        )

    def close(self) -> None:
        """Let go of all pins."""
        if self._factory is not None:
            self._factory.close()
            self._factory = None

    def _need_spi(self, device: int) -> None:
        self._need(f"spidev{SPI_PORT}.{device}", "switch SPI on (raspi-config, Interface Options, SPI)", "spi")

    def _need(self, name: str, remedy: str, group: str) -> None:
        node = self._devices / name
        if not node.exists():
            raise NotThere(f"{node} is not there: {remedy}")
        if not os.access(node, os.R_OK | os.W_OK):
            raise NotThere(f"{node} may not be opened by this user: it has to be in the group {group}")


class LgpioSpi:
    """Stands where luma expects spidev: lgpio is there already, and needs no compiler to be installed."""

    def __init__(self, library: Any = lgpio) -> None:  # noqa: ANN401 - lgpio has no types
        self._library = library
        self._place = (0, 0)
        self._hertz = LIGHTS_HZ
        self._handle: int | None = None

    @property
    def max_speed_hz(self) -> int:
        """How fast bits are sent."""
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
        """Let go of the bus; a second time does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._library.spi_close(handle)


class LumaPins:
    """Stands where luma expects RPi.GPIO, which does not work on a Pi 5: gpiozero's pins instead."""

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, factory: Any) -> None:  # noqa: ANN401 - gpiozero has no types
        self._factory = factory
        self._pins: dict[int, Any] = {}
        self._open = ExitStack()

    def setup(self, pin: int, direction: int) -> None:  # noqa: ARG002 - luma only has outputs
        """Make a pin an output; raises gpiozero.GPIOZeroError."""
        self._pins[pin] = self._open.enter_context(OutputDevice(pin, pin_factory=self._factory))

    def output(self, pin: int, value: int) -> None:
        """Set a pin."""
        self._pins[pin].value = value

    def cleanup(self, pins: Sequence[int] = ()) -> None:  # noqa: ARG002 - all of them
        """Let go of the pins."""
        self._open.close()
