"""Opens the Pi's own buses and pins for luma and gpiozero; errors say what is missing and what to do.

lgpio and gpiozero are imported only by builds that use the Pi's pins: a table with a Pico needs neither, and importing
lgpio creates a named pipe in the working directory.
"""

import os
from pathlib import Path
from threading import Lock
from typing import Any, Final

from luma.core.interface.serial import i2c

from captains_table.devices.ports import DeviceUnavailable
from captains_table.hardware.profiles.profile import I2cBus, SpiBus

SPI_PORT: Final = 0


class PiHardware:
    """The buses and pins of the Raspberry Pi that runs the program.

    Args:
        devices: the folder of the device nodes.
    """

    def __init__(self, devices: Path = Path("/dev")) -> None:
        self._devices = devices
        self._factory: Any = None
        self._opening = Lock()  # display, lights and buzzer are opened by different threads

    def pins(self) -> Any:  # noqa: ANN401 - gpiozero has no types
        """Return gpiozero's pin factory on lgpio, which works on every model of Pi; raises DeviceUnavailable."""
        from captains_table.devices.gpio.pi_pins import open_pins  # noqa: PLC0415 - see above

        with self._opening:
            if self._factory is None:
                self._factory = open_pins()
            return self._factory

    def i2c(self, bus: I2cBus) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to a panel on I2C; raises DeviceUnavailable or luma's errors."""
        self._need(f"i2c-{bus.port}", "switch I2C on (raspi-config, Interface Options, I2C)", "i2c")
        return i2c(port=bus.port, address=bus.address)

    def spi_panel(self, bus: SpiBus) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to a panel on SPI; raises OSError."""
        self._need_spi(bus.device)
        from captains_table.devices.gpio.pi_pins import open_panel  # noqa: PLC0415 - see above

        return open_panel(bus, self.pins())

    def spi_lights(self, device: int) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to lights on SPI, without pins for data/command and reset; raises OSError."""
        self._need_spi(device)
        from captains_table.devices.gpio.pi_pins import open_lights  # noqa: PLC0415 - see above

        return open_lights(device)

    def close(self) -> None:
        """Release all pins of gpiozero's pin factory; calling it again does nothing."""
        with self._opening:
            factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()

    def _need_spi(self, device: int) -> None:
        self._need(f"spidev{SPI_PORT}.{device}", "switch SPI on (raspi-config, Interface Options, SPI)", "spi")

    def _need(self, name: str, remedy: str, group: str) -> None:
        node = self._devices / name
        if not node.exists():
            raise DeviceUnavailable(f"{node} is not there: {remedy}")
        if not os.access(node, os.R_OK | os.W_OK):
            raise DeviceUnavailable(f"{node} may not be opened by this user: it has to be in the group {group}")
