"""The devices of a build, made from its profile: board, glass, lights, buzzer and voice, closed together."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c, spi

from captains_table.devices.display.driver.fake_bus import FakeSh1106Bus, FakeSsd1306Bus, FakeSsd1309Bus
from captains_table.devices.display.driver.fake_spi import FakeSsd1322Bus
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.driver.panels import PANELS
from captains_table.devices.pico.serial_board import SerialBoard
from captains_table.devices.ports import Board, Buzzer, Display, Lights
from captains_table.devices.sound.speaker import ClosableBuzzer, Speaker
from captains_table.devices.sound.speech import Speech, Voice
from captains_table.hardware.profiles.profile import DisplayBuild, I2cBus, LightsBuild, Profile, SpiBus
from captains_table.link.debounce import DEBOUNCE_MS

BRIGHTEST: Final = 255
FAKE_BUSES: Final = {"ssd1306": FakeSsd1306Bus, "ssd1309": FakeSsd1309Bus, "sh1106": FakeSh1106Bus}
SILENT: Final = Voice()
CHAIN_DEVICE: Final = 0  # a chain has no chip select; the bus is opened as its first device


class CannotBuild(OSError):  # noqa: N818 - named by its condition
    """A device of the profile cannot be had; the message names profile and key and says what to do."""


class Hardware(Protocol):
    """The machine's buses and pins (`pi_hardware.PiHardware`); every method raises OSError where they are not there."""

    def pins(self) -> Any:  # noqa: ANN401 - gpiozero has no types
        """Return gpiozero's pin factory."""

    def i2c(self, bus: I2cBus) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to a panel on I2C."""

    def spi_panel(self, bus: SpiBus) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to a panel on SPI."""

    def spi_lights(self, device: int) -> Any:  # noqa: ANN401 - luma has no types
        """Return luma's interface to lights on SPI."""

    def close(self) -> None:
        """Let go of pins that nobody else closes."""


class _Dimmable(Protocol):
    def dim(self, brightness: float) -> None: ...


class _Audible(Protocol):
    def switch_sound(self, *, on: bool) -> None: ...


class _Fallible(Protocol):
    @property
    def fault(self) -> str | None: ...


@dataclass(slots=True)
class Devices:
    """What a build has.

    Attributes:
        profile: the build.
        display: its screen, or one that is only seen on the page.
        speech: what says what happens, if the table is to speak.
        board: its board, or None where it is simulated.
        lights: what lights its squares.
        buzzers: what sounds, the Pico's own excepted, which is sent signals as it is sent lights.
    """

    profile: Profile
    display: Oled
    speech: Speech
    board: Board | None = None
    lights: list[Lights] = field(default_factory=list)
    buzzers: list[Buzzer] = field(default_factory=list)
    _dimmable: list[tuple[_Dimmable, float]] = field(default_factory=list)
    _fallible: list[_Fallible] = field(default_factory=list)
    _audible: list[_Audible] = field(default_factory=list)
    _open: ExitStack = field(default_factory=ExitStack)

    @property
    def displays(self) -> Sequence[Display]:
        """What is shown every view: the screen, and what says it."""
        return self.display, self.speech

    def dim(self, share: float) -> None:
        """Make glass and lights as bright as this share of what the profile says, 0 to 1."""
        for device, brightness in self._dimmable:
            device.dim(share * brightness)

    def switch_sound(self, *, on: bool) -> None:
        """Let what can sound do so, or be silent from now on; raises CannotBuild."""
        for device in self._audible:
            device.switch_sound(on=on)

    def faults(self) -> list[str]:
        """Return what is broken of display, lights, buzzer and voice, in sentences."""
        return [device.fault for device in self._fallible if device.fault is not None]

    def close(self) -> None:
        """Switch everything off and let go of it, the board first."""
        self._open.close()


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What is not the build's to say.

    Attributes:
        device: the serial device of a Pico instead of looking for one by its USB id.
        sounds: whether a buzzer may sound at first.
        voice: how the table speaks at first, if it does.
        on_frame: is called, by a device's own thread, after each frame on the glass, and when speech begins to fail.
        debounce_ms: how long a switch must be still to be believed.
    """

    device: str | None = None
    sounds: bool = True
    voice: Voice = SILENT
    on_frame: Callable[[], None] | None = None
    debounce_ms: int = DEBOUNCE_MS


def build(profile: Profile, hardware: Callable[[], Hardware], options: BuildOptions = BuildOptions()) -> Devices:
    """Return the devices of a profile.

    Args:
        profile: the build.
        hardware: opens the machine's buses and pins; called only where the build has something on them.
        options: what is not the build's to say.

    Raises:
        CannotBuild: one of them cannot be had; what was opened before it is closed again.
    """
    with ExitStack() as stack:
        builder = _Builder(profile, hardware, options, stack)
        devices = builder.build()
        devices._open = stack.pop_all()  # noqa: SLF001 - the builder's own product
        return devices


class _Builder:
    def __init__(
        self, profile: Profile, hardware: Callable[[], Hardware], options: BuildOptions, stack: ExitStack
    ) -> None:
        self._profile = profile
        self._open_hardware = hardware
        self._options = options
        self._stack = stack
        self._opened: Hardware | None = None

    def build(self) -> Devices:
        """Return the devices; the one opened last is closed first."""
        profile = self._profile
        devices = Devices(profile, self._attempt("glass", lambda: self._display(profile.display)), self._speech())
        devices._dimmable.append((devices.display, profile.display.brightness / BRIGHTEST))  # noqa: SLF001
        devices._fallible += [devices.display, devices.speech]  # noqa: SLF001
        if profile.buzzer is not None and profile.source == "gpio":
            pin = profile.buzzer
            speaker = Speaker(lambda: self._attempt("buzzer", lambda: self._buzzer(pin)))
            self._stack.callback(speaker.close)
            speaker.switch_sound(on=self._options.sounds)
            devices.buzzers.append(speaker)
            devices._fallible.append(speaker)  # noqa: SLF001
            devices._audible.append(speaker)  # noqa: SLF001
        if profile.lights is not None and profile.lights.kind != "neopixel":
            build = profile.lights
            lights = self._attempt("lights", lambda: self._lights(build))
            devices.lights.append(lights)
            devices._fallible.append(lights)  # noqa: SLF001
            devices._dimmable.append((lights, build.brightness / BRIGHTEST))  # noqa: SLF001
        if profile.source == "gpio":
            devices.board = self._attempt("matrix", self._gpio_board)
        elif profile.source == "pico":
            self._add_pico(devices)
        return devices

    def _attempt(self, key: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401 - each device its own
        """Make a device; an error names the profile and the key."""
        try:
            return make()
        except (OSError, ValueError, LumaError) as error:
            words = str(error)
            cause: Exception = error
        except ImportError as error:
            words = f"{error.name} is not installed: pip install 'captains-table[pi]'"
            cause = error
        raise CannotBuild(f"Profile {self._profile.name}, {key}: {words}") from cause

    def _hardware(self) -> Hardware:
        if self._opened is None:
            self._opened = self._open_hardware()
            self._stack.callback(self._opened.close)
        return self._opened

    def _on_pins(self, make: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - each device its own
        """Make a device on the Pi's pins; raises OSError where they cannot be had."""
        factory = self._hardware().pins()
        from gpiozero import GPIOZeroError  # noqa: PLC0415 - in the extra pi, which the hardware has just asked for

        try:
            return make(factory)
        except GPIOZeroError as error:
            raise OSError(f"a pin cannot be used: {error}") from error

    # --- each device ------------------------------------------------------------------------------------------------

    def _display(self, display: DisplayBuild) -> Oled:
        oled = Oled(
            self._display_bus(display), self._options.on_frame, PANELS[display.chip], upside_down=display.rotated
        )
        self._stack.callback(oled.close)
        return oled

    def _speech(self) -> Speech:
        speech = Speech(self._options.voice, self._options.on_frame or (lambda: None))
        self._stack.callback(speech.close)
        return speech

    def _display_bus(self, display: DisplayBuild) -> Any:  # noqa: ANN401 - luma has no types
        match display.bus:
            case I2cBus() as bus:
                return self._hardware().i2c(bus)
            case SpiBus() as bus:
                return self._hardware().spi_panel(bus)
            case None if display.chip == "ssd1322":
                fake = FakeSsd1322Bus()
                return spi(spi=fake, gpio=fake)
            case None:
                return i2c(bus=FAKE_BUSES[display.chip]())

    def _lights(self, build: LightsBuild) -> Lights:
        from captains_table.devices.lights.board_lights import BoardLights  # noqa: PLC0415 - luma.led_matrix: extra pi
        from captains_table.devices.lights.led_driver import Apa102Driver, Max7219Driver  # noqa: PLC0415

        profile = self._profile
        device = CHAIN_DEVICE if build.device is None else build.device
        bus = self._hardware().spi_lights(device)
        driver = (
            Max7219Driver(bus, profile.shape)
            if build.kind == "max7219"
            else Apa102Driver(bus, profile.light_count, profile.light_of, _button_of(profile))
        )
        lights = BoardLights(driver, profile.shape)
        self._stack.callback(lights.close)
        return lights

    def _buzzer(self, pin: int) -> ClosableBuzzer:
        from captains_table.devices.sound.buzzer import GpioBuzzer  # noqa: PLC0415 - gpiozero is in the extra pi

        buzzer: GpioBuzzer = self._on_pins(lambda factory: GpioBuzzer(pin, factory))
        return buzzer

    def _gpio_board(self) -> Board:
        from captains_table.devices.gpio.gpio_board import GpioBoard  # noqa: PLC0415 - gpiozero is in the extra pi
        from captains_table.devices.gpio.lines import ButtonLines, MatrixLines  # noqa: PLC0415

        profile = self._profile
        pins = profile.matrix
        if pins is None:
            raise ValueError("it is missing: expected the pins of the switches")
        matrix: MatrixLines = self._on_pins(lambda factory: MatrixLines(pins, factory))
        self._stack.callback(matrix.close)
        buttons: ButtonLines = self._on_pins(lambda factory: ButtonLines(profile.buttons, factory))
        self._stack.callback(buttons.close)
        board = GpioBoard(profile, matrix, buttons, self._options.debounce_ms)
        self._stack.callback(board.close)
        return board

    def _add_pico(self, devices: Devices) -> None:
        profile, options = self._profile, self._options
        vendor, product = profile.usb or (0, 0)
        board = SerialBoard.pico(
            f"{vendor:04x}:{product:04x}",
            options.device,
            profile.corrections,
            sounds=options.sounds,
            debounce_ms=options.debounce_ms,
        )
        self._stack.callback(board.close)
        devices.board = board
        devices._fallible.append(board)  # noqa: SLF001
        devices._audible.append(board)  # noqa: SLF001
        devices.lights.append(board)
        if profile.lights is not None and profile.lights.kind == "neopixel":
            devices._dimmable.append((board, profile.lights.brightness / BRIGHTEST))  # noqa: SLF001


def _button_of(profile: Profile) -> int | None:
    """Return the number of the roll button's light, which ends the chain, or None without one."""
    has_one = profile.lights is not None and profile.lights.button_light
    return profile.light_count - 1 if has_one else None
