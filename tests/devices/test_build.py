"""Every profile's devices are made from it, over fake buses and mock pins; what is missing is said in a sentence."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from unittest.mock import Mock, call

import pytest
from gpiozero.exc import PinUnknownPi
from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import spi

from captains_table.devices.build import BuildOptions, CannotBuild, Devices, build
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.devices.gpio.gpio_board import GpioBoard
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.devices.pico.serial_board import SerialBoard
from captains_table.devices.ports import DeviceUnavailable
from captains_table.devices.sound.buzzer import GpioBuzzer
from captains_table.devices.sound.switchable_buzzer import SwitchableBuzzer
from captains_table.games.contract import Square, parse_square
from captains_table.hardware.kinds import APA102, MAX7219, PANEL_KINDS, LightKind
from captains_table.hardware.profiles.profile import I2cBus, LightsBuild, Profile, SpiBus
from captains_table.storage.profile_files import load_profile, profile_names
from captains_table.table.model.events import BoardRead
from captains_table.table.model.view import Mark, View
from tests.devices.reports import first_event, settle, wait_at_rest
from tests.support.fake_chips import FakeApa102Chain, FakeMax7219Modules
from tests.support.fake_hardware import FakeHardware
from tests.support.fake_panels import FakeSsd1322Bus

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
E4 = parse_square("e4")
GPIO, PICO, SIMULATED = (load_profile(name) for name in ("gpio-8x8", "pico-8x8", "simulated"))
SILENT = BuildOptions(sounds=False)
Open = Callable[..., Devices]


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_that_comes_with_the_program_can_be_built_dimmed_and_closed(name: str) -> None:
    profile = load_profile(name)
    hardware = FakeHardware(profile)
    devices = build(profile, hardware)
    devices.dim(0.2)
    devices.close()
    devices.close()
    build(profile, hardware).close()  # everything was let go of


def test_a_simulated_build_asks_for_no_hardware_and_shows_its_display_on_the_page(opened: Open) -> None:
    devices = opened(failing(SIMULATED, OSError("nobody needs it"), "pins", "i2c"))
    assert (devices.board, devices.lights, devices.buzzers) == (None, [], [])
    devices.display.show(View())
    settle(devices)
    assert devices.display.shown().tobytes() == draw_view(View()).tobytes()
    wide = replace(SIMULATED, display=replace(SIMULATED.display, kind=PANEL_KINDS["ssd1322"]))
    assert opened(FakeHardware(wide)).display.shown().size == (256, 64)


async def test_a_gpio_build_reads_its_squares_lights_them_and_goes_dark_when_it_is_closed(opened: Open) -> None:
    hardware = FakeHardware(GPIO)
    hardware.factory.place(E4)
    devices = opened(hardware)
    assert isinstance(devices.board, GpioBoard)
    devices.lights[0].light({E4: Mark.MAY_MOVE})
    settle(devices)
    chain = hardware.lights
    assert isinstance(chain, FakeApa102Chain)
    assert [number for number, colour in enumerate(chain.colours) if any(colour)] == [GPIO.light_of(E4)]
    assert await first_event(devices) == BoardRead(frozenset({E4}))
    devices.close()
    assert not hardware.panel.is_on
    assert not any(map(any, chain.colours))
    assert hardware.closed == 1


def test_a_buzzer_is_open_only_while_it_is_switched_on(opened: Open) -> None:
    hardware = FakeHardware(GPIO)
    devices = opened(hardware, SILENT)
    (speaker,) = devices.buzzers
    assert isinstance(speaker, SwitchableBuzzer)
    for _ in range(2):
        speaker.signal("strike")
        buzzer_on(hardware).close()  # the pin is free
        devices.switch_sound(on=True)
        devices.switch_sound(on=True)
        settle(devices)
        assert isinstance(speaker._buzzer, GpioBuzzer)
        speaker.signal("strike")
        assert wait_at_rest(speaker._buzzer)
        devices.switch_sound(on=False)
        devices.switch_sound(on=False)
        settle(devices)
    assert devices.faults() == []
    devices.switch_sound(on=True)
    devices.close()
    buzzer_on(hardware).close()


def test_a_buzzer_whose_pin_is_taken_when_it_is_switched_on_is_a_fault_until_it_is_free(opened: Open) -> None:
    hardware = FakeHardware(GPIO)
    devices = opened(hardware, SILENT)
    other = buzzer_on(hardware)
    devices.switch_sound(on=True)
    settle(devices)
    (fault,) = devices.faults()
    assert fault.startswith("The buzzer does not answer: a pin cannot be used: ")
    other.close()
    devices.switch_sound(on=True)
    settle(devices)
    assert devices.faults() == []


def buzzer_on(hardware: FakeHardware) -> GpioBuzzer:
    return GpioBuzzer(hardware.profile.buzzer or 0, hardware.factory)


def test_a_pico_build_has_its_board_its_lights_and_sounds_on_the_serial_line(opened: Open) -> None:
    profile = replace(PICO, corrections={E4: Square(0, 0)})
    devices = opened(FakeHardware(profile), BuildOptions(device="/dev/mine", sounds=False))
    board = devices.board
    assert isinstance(board, SerialBoard)
    assert (devices.lights, devices.buzzers) == ([board], [])
    assert "/dev/mine" in board.missing
    assert board._find() == ["/dev/mine"]
    assert board._corrections == {E4: Square(0, 0)}
    assert not board._sounds
    devices.switch_sound(on=True)
    assert board._sounds


def test_modules_and_a_wide_display_share_the_spi_bus(opened: Open) -> None:
    wide = replace(PICO.display, kind=PANEL_KINDS["ssd1322"], bus=SpiBus(0, 24, 25), brightness=128)
    hardware = FakeHardware(replace(PICO, lights=LightsBuild(MAX7219, device=1, brightness=128), display=wide))
    devices = opened(hardware)
    assert hardware.asked == [SpiBus(0, 24, 25), 1]
    modules = hardware.lights
    assert isinstance(modules, FakeMax7219Modules)
    devices.display.show(View())
    for share, contrast, intensity in ((1.0, 128, 8), (0.25, 32, 2)):
        devices.dim(share)
        settle(devices)
        assert (hardware.wide_panel.contrast, modules.intensity) == (contrast, intensity)
    devices.close()
    assert not modules.is_on
    assert not hardware.wide_panel.is_on


@pytest.mark.parametrize("kind", [APA102, MAX7219])
def test_lights_on_the_pi_draw_four_fifths_of_what_their_fuse_is_rated_for(kind: LightKind, opened: Open) -> None:
    lights = LightsBuild(kind, device=0 if kind.has_select else None, brightness=255, fuse_ma=200)
    hardware = FakeHardware(replace(GPIO, lights=lights))
    devices, chips = opened(hardware), hardware.lights
    devices.dim(1.0)
    devices.lights[0].light(dict.fromkeys(GPIO.shape.squares(), Mark.MAY_MOVE))
    settle(devices)
    if isinstance(chips, FakeApa102Chain):
        colours = zip(chips.colours, chips.brightness, strict=True)
        drawn_ma = 64 + sum(sum(colour) / 255 * 20 * brightness / 31 for colour, brightness in colours)
    else:
        drawn_ma = 8 + len(chips.lit()) * 40 / 8 * (2 * chips.intensity + 1) / 32
    assert 100 < drawn_ma <= 0.8 * 200


# --- what is missing ------------------------------------------------------------------------------------------------


def failing(profile: Profile, error: Exception, *methods: str) -> FakeHardware:
    """Return hardware of which something does not work."""
    hardware = FakeHardware(profile)
    for method in methods:
        setattr(hardware, method, Mock(side_effect=error))
    return hardware


@pytest.mark.parametrize(("method", "key"), [("i2c", "glass"), ("spi_lights", "lights"), ("pins", "buzzer")])
def test_what_is_missing_is_named_with_profile_and_key_and_the_rest_is_closed(method: str, key: str) -> None:
    hardware = failing(GPIO, OSError("/dev/thing is not there: switch it on"), method)
    with pytest.raises(CannotBuild, match=f"^Profile gpio-8x8, {key}: /dev/thing is not there: switch it on$"):
        build(GPIO, hardware)
    assert hardware.closed == 1
    assert not hardware.panel.is_on


def test_a_pin_that_is_taken_already_is_said(opened: Open) -> None:
    hardware = FakeHardware(GPIO)
    opened(hardware, SILENT)
    with pytest.raises(CannotBuild, match=r"Profile gpio-8x8, matrix: a pin cannot be used: .*GPIO17"):
        build(GPIO, hardware, SILENT)


def test_a_package_that_is_not_installed_is_said_with_the_remedy() -> None:
    none_there = ModuleNotFoundError("No module named 'lgpio'", name="lgpio")
    with pytest.raises(CannotBuild, match=r"lgpio is not installed: sudo apt install python3-lgpio, or pip install "):
        build(GPIO, failing(GPIO, none_there, "pins"))


# --- the Pi itself --------------------------------------------------------------------------------------------------


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Return the module of the Pi's pins; lgpio wants a folder that it may write to when it is imported."""
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    from captains_table.devices.gpio import pi_pins  # noqa: PLC0415

    return pi_pins


def test_a_bus_that_is_not_there_is_said_with_what_switches_it_on(tmp_path: Path) -> None:
    hardware = PiHardware(tmp_path)
    with pytest.raises(DeviceUnavailable, match="i2c-1 is not there: switch I2C on"):
        hardware.i2c(I2cBus(1, 0x3C))
    with pytest.raises(DeviceUnavailable, match=r"spidev0\.1 is not there: switch SPI on"):
        hardware.spi_lights(1)
    with pytest.raises(DeviceUnavailable, match=r"spidev0\.0 is not there"):
        hardware.spi_panel(SpiBus(0, 24, 25))


def test_a_bus_this_user_may_not_open_is_said_with_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spidev0.0").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DeviceUnavailable, match="may not be opened by this user: it has to be in the group spi"):
        PiHardware(tmp_path).spi_lights(0)


@pytest.mark.filterwarnings("ignore")  # gpiozero's, of what it tried
def test_pins_of_a_machine_that_is_no_pi_are_missing(pi: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "LGPIOFactory", Mock(side_effect=PinUnknownPi("unable to locate Pi revision")))
    with pytest.raises(DeviceUnavailable, match="is this a Raspberry Pi, and the user in the group gpio"):
        PiHardware().pins()


class LgpioError(Exception):
    """Stands for lgpio's own."""


@pytest.fixture
def lgpio() -> Mock:
    """Return a stand-in for lgpio."""
    return Mock(error=LgpioError, spi_open=Mock(return_value=7))


def test_lgpio_stands_where_luma_expects_spidev(pi: ModuleType, lgpio: Mock) -> None:
    bus = spi(
        spi=pi.LgpioSpi(lgpio), gpio=pi.noop(), port=0, device=1, bus_speed_hz=8_000_000, gpio_DC=None, gpio_RST=None
    )
    bus.data(list(range(256)) * 20)
    lgpio.spi_open.assert_called_with(0, 1, 8_000_000, 0)
    handles, written = zip(*(sent.args for sent in lgpio.spi_write.call_args_list), strict=True)
    assert set(handles) == {7}
    assert b"".join(written) == bytes(range(256)) * 20
    assert max(map(len, written)) <= 4096
    bus.cleanup()
    assert lgpio.spi_close.call_args_list == [call(7)] * lgpio.spi_open.call_count


def test_lgpios_errors_are_errors_of_the_bus(pi: ModuleType, lgpio: Mock) -> None:
    bus = pi.LgpioSpi(lgpio)
    bus.open(0, 0)
    lgpio.spi_write.side_effect = lgpio.spi_open.side_effect = LgpioError("can not open SPI device")
    with pytest.raises(OSError, match=r"spidev0\.0 takes nothing"):
        bus.writebytes([1])
    with pytest.raises(OSError, match=r"spidev0\.0 cannot be opened: can not open SPI device"):
        bus.open(0, 0)


def test_the_real_lgpio_says_that_there_is_no_such_bus(pi: ModuleType) -> None:
    with pytest.raises(OSError, match=r"spidev9\.9 cannot be opened"):
        pi.LgpioSpi().open(9, 9)


def test_gpiozeros_pins_stand_where_luma_expects_rpi_gpio(pi: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    pins, bus = pi.LumaPins(factory), FakeSsd1322Bus()
    set_pin = pins.output

    def output(pin: int, value: int) -> None:  # the panel sees the data/command line too
        set_pin(pin, value)
        bus.output(pin, value)

    monkeypatch.setattr(pins, "output", output)
    interface = spi(spi=bus, gpio=pins, gpio_DC=24, gpio_RST=25)
    assert factory.pin(25).state  # out of its reset
    interface.command(0xAF)
    assert bus.is_on
    assert not factory.pin(24).state
    interface.data([])
    assert factory.pin(24).state
    pins.cleanup()
    assert factory.pin(24).function == "input"


@pytest.mark.slow
def test_a_table_that_has_nothing_on_the_pins_loads_neither_lgpio_nor_gpiozero() -> None:
    pins = "{'lgpio', 'gpiozero', 'luma.led_matrix'}"
    code = f"import sys, captains_table.daemon; print({pins} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
