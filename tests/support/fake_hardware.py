"""A Pi's buses and pins that exist in memory only, wired as a profile says."""

from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import i2c, spi

from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.hardware.kinds import GPIO, MAX7219
from captains_table.hardware.profiles.profile import I2cBus, Profile, SpiBus
from tests.support.fake_chips import FakeApa102Chain, FakeMax7219Modules
from tests.support.fake_panels import FakeSsd1306Bus, FakeSsd1322Bus
from tests.support.mock_matrix import MatrixFactory, MatrixPin


class FakeHardware(PiHardware):
    """Buses and pins that exist in memory only."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.panel = FakeSsd1306Bus()
        bus = profile.display.bus
        self.wide_panel = FakeSsd1322Bus(dc_pin=bus.data_command if isinstance(bus, SpiBus) else 24)
        is_module = profile.lights is not None and profile.lights.kind == MAX7219
        self.lights = FakeMax7219Modules(1) if is_module else FakeApa102Chain(profile.light_count)
        self.factory = MatrixFactory(profile) if profile.board == GPIO else MockFactory(pin_class=MatrixPin)
        self.asked: list[object] = []
        self.closed = 0

    def pins(self) -> MockFactory:
        return self.factory

    def i2c(self, bus: I2cBus) -> i2c:
        self.asked.append(bus)
        return i2c(bus=self.panel, address=bus.address)

    def spi_panel(self, bus: SpiBus) -> spi:
        self.asked.append(bus)
        return spi(spi=self.wide_panel, gpio=self.wide_panel, gpio_DC=bus.data_command, gpio_RST=bus.reset)

    def spi_lights(self, device: int) -> FakeMax7219Modules | FakeApa102Chain:
        self.asked.append(device)
        return self.lights

    def close(self) -> None:
        self.closed += 1
