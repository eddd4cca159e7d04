"""Opens the devices of a build (board, display, lights, buzzer, speech), and dims, mutes and closes them together.

It also collects their faults. If a device cannot be opened, an error is raised, or a wrapper opens the device later.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from luma.core.error import Error as LumaError
from luma.core.interface.serial import noop

from captains_table.devices.bought.bought_board import BoughtBoard
from captains_table.devices.bought.makes import found_devices
from captains_table.devices.display.driver.oled import Oled, ReopenedInterface
from captains_table.devices.display.driver.panels import PANELS
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.devices.lights.board_lights import BoardLights, ReopenedDriver
from captains_table.devices.pico.serial_board import SerialBoard
from captains_table.devices.ports import BoardDevice, BuzzerDevice, DeviceUnavailable, DisplayDevice, LightsDevice
from captains_table.devices.searching_board import RetryingBoard
from captains_table.devices.serial_port import serial_devices
from captains_table.devices.sound.speech import Speech, Voice
from captains_table.devices.sound.switchable_buzzer import SwitchableBuzzer
from captains_table.devices.wiring_corrections import wiring_corrections
from captains_table.devices.worker_device import CLOSING_S
from captains_table.hardware.kinds import BOUGHT_KINDS, GPIO, PICO
from captains_table.hardware.profiles.profile import DisplayBuild, I2cBus, Profile, SpiBus
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.phrases import say

if TYPE_CHECKING:
    from captains_table.devices.lights.led_driver import LedDriver
    from captains_table.devices.sound.buzzer import GpioBuzzer

T = TypeVar("T")
U = TypeVar("U")
BRIGHTEST: Final = 255
SILENT: Final = Voice()
OF_DEBIAN: Final = {"lgpio": "sudo apt install python3-lgpio, or "}


class CannotBuild(OSError):
    """Raised when a device cannot be opened; the message names the profile and the key, and says what to do."""


class _Dimmable(Protocol):
    def dim(self, brightness: float) -> None: ...


class _Audible(Protocol):
    def switch_sound(self, *, on: bool) -> None: ...


class _Fallible(Protocol):
    @property
    def fault(self) -> str | None: ...


@dataclass(slots=True)
class Devices:
    """The open devices of a build.

    Attributes:
        profile: the profile of the build.
        display: the display; without a panel, its frames are shown on the page only.
        speech: the speech output, silent unless the table is to speak.
        board: the board; `None` if the board is simulated.
        lights: the devices that light the squares.
        bought: the board, if it is a bought one, which also shows views on its clock.
        buzzers: the buzzers, except the Pico's, because the Pico is in `lights` and receives the signals there.
        dimmable: the devices that can be dimmed, each with the brightness that the profile sets for it, 0 to 1.
        fallible: the devices whose property `fault` is part of `faults`.
        audible: the devices that can be muted.
    """

    profile: Profile
    display: Oled
    speech: Speech
    board: BoardDevice | None = None
    lights: list[LightsDevice] = field(default_factory=list)
    bought: BoughtBoard | None = None
    buzzers: list[BuzzerDevice] = field(default_factory=list)
    dimmable: list[tuple[_Dimmable, float]] = field(default_factory=list)
    fallible: list[_Fallible] = field(default_factory=list)
    audible: list[_Audible] = field(default_factory=list)
    _open: ExitStack = field(default_factory=ExitStack)

    @property
    def displays(self) -> Sequence[DisplayDevice]:
        """Return the devices that are sent every view: the screen, the speech output, and a board with a clock."""
        return self.display, self.speech, *([] if self.bought is None else [self.bought])

    def dim(self, share: float) -> None:
        """Set display and lights to a share, 0 to 1, of the brightness that the profile sets for them."""
        for device, brightness in self.dimmable:
            device.dim(share * brightness)

    def switch_sound(self, *, on: bool) -> None:
        """Unmute or mute all devices that can be muted."""
        for device in self.audible:
            device.switch_sound(on=on)

    def faults(self) -> list[str]:
        """Return the faults of display, lights, buzzer, speech and a USB board, each as a sentence."""
        return [device.fault for device in self.fallible if device.fault is not None]

    def close(self) -> None:
        """Switch all devices off and release them, the board first."""
        self._open.close()


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The options for opening devices, in addition to the profile.

    Attributes:
        device: the device of a Pico or of a bought board; `None` to find it.
        turned: whether a bought board is turned round; `None` to learn it at set-up.
        sounds: whether the buzzer is unmuted at first.
        voice: the initial settings of the speech output.
        on_change: a callback, called by a device's own thread after each frame on the display, and when a device begins
            to fail or works again.
        patient: whether a device that cannot be opened is reported as a fault and tried again; if not, an error is
            raised.
        debounce_ms: how long a switch must be stable before its change is reported.
    """

    device: str | None = None
    turned: bool | None = None
    sounds: bool = True
    voice: Voice = SILENT
    on_change: Callable[[], None] | None = None
    debounce_ms: int = DEBOUNCE_MS
    patient: bool = False


def build(profile: Profile, hardware: PiHardware, options: BuildOptions = BuildOptions()) -> Devices:
    """Open and return the devices of a profile.

    Args:
        profile: the build.
        hardware: the machine's buses and pins, opened only if the build uses them; closed together with the devices.
        options: the options in addition to the profile.

    Raises:
        CannotBuild: a device cannot be opened and `options.patient` is false; the devices opened before are closed.
    """
    with ExitStack() as stack:
        builder = _Builder(profile, hardware, options, stack)
        devices = builder.build()
        devices._open = stack.pop_all()  # noqa: SLF001 - the builder's own product
        return devices


class _Builder:
    def __init__(self, profile: Profile, hardware: PiHardware, options: BuildOptions, stack: ExitStack) -> None:
        self._profile = profile
        self._hardware = hardware
        self._options = options
        self._stack = stack

    def build(self) -> Devices:
        """Open and return the devices; they are closed in reverse order."""
        profile = self._profile
        self._stack.callback(self._hardware.close)
        display = self._display(profile.display)
        speech = self._stack.enter_context(closing(Speech(self._options.voice, self._options.on_change)))
        devices = Devices(profile, display, speech)
        devices.dimmable.append((display, profile.display.brightness / BRIGHTEST))
        devices.fallible += [display, speech]
        if profile.buzzer is not None and not profile.board.shows_marks:
            speaker = self._speaker(profile.buzzer)
            devices.buzzers.append(speaker)
            devices.fallible.append(speaker)
            devices.audible.append(speaker)
        if profile.lights is not None and profile.lights.spi_device is not None:
            lights = self._lights(profile.lights.kind.key, profile.lights.spi_device)
            devices.lights.append(lights)
            devices.fallible.append(lights)
            devices.dimmable.append((lights, profile.lights.brightness / BRIGHTEST))
        if profile.board.key in BOARD_DRIVERS:
            self._add_board(devices, BOARD_DRIVERS[profile.board.key](self))
        return devices

    def _add_board(self, devices: Devices, board: Any) -> None:  # noqa: ANN401 - the type differs by board
        """Add a board to the open devices; list it under faults, sound, lights and dimming too if it supports them."""
        self._stack.callback(board.close)
        devices.board = board
        kind, lights = self._profile.board, self._profile.lights
        if kind.usb or kind.is_bought:
            devices.fallible.append(board)
        if kind.is_bought:
            devices.bought = board
        if kind.lights:
            devices.lights.append(board)
        if kind.shows_marks:
            devices.audible.append(board)
            devices.lights.append(board)
        if kind.shows_marks and lights is not None and lights.spi_device is None:
            devices.dimmable.append((board, lights.brightness / BRIGHTEST))

    def _opened(self, key: str, make: Callable[[], T], later: Callable[[Callable[[], T]], U]) -> T | U:
        """Open and return a device; raises CannotBuild, whose message names the profile and the key.

        With the option `patient`, return what `later` makes instead: a wrapper that opens the device on first use and
        opens it again after errors.
        """
        if self._options.patient:
            return later(lambda: self._try(make))
        try:
            return self._try(make)
        except OSError as error:
            raise CannotBuild(f"Profile {self._profile.name}, {key}: {error}") from error

    def _try(self, make: Callable[[], T]) -> T:
        """Open and return a device; every known failure is raised as an OSError with a message for the user."""
        try:
            return make()
        except (ValueError, LumaError) as error:
            raise DeviceUnavailable(str(error)) from error
        except ImportError as error:
            remedy = f"{OF_DEBIAN.get(error.name or '', '')}pip install 'captains-table[pi]'"
            raise DeviceUnavailable(f"{error.name} is not installed: {remedy}") from error

    def _on_pins(self, make: Callable[[Any], T]) -> T:
        """Open and return a device on the Pi's pins; raises DeviceUnavailable if the pins cannot be used."""
        factory = self._hardware.pins()
        from captains_table.devices.pin_errors import pin_error_message, pin_errors  # noqa: PLC0415 - gpiozero: extra pi

        try:
            return make(factory)
        except pin_errors() as error:
            raise DeviceUnavailable(pin_error_message(error)) from error

    # --- each device ------------------------------------------------------------------------------------------------

    def _display(self, display: DisplayBuild) -> Oled:
        oled = Oled(
            self._opened("glass", lambda: self._display_bus(display), ReopenedInterface),
            self._options.on_change,
            PANELS[display.kind.key],
            upside_down=display.rotated,
            on_fault=self._options.on_change,
        )
        return self._stack.enter_context(closing(oled))

    def _display_bus(self, display: DisplayBuild) -> Any:  # noqa: ANN401 - luma has no types
        match display.bus:
            case I2cBus() as bus:
                return self._hardware.i2c(bus)
            case SpiBus() as bus:
                return self._hardware.spi_panel(bus)
            case None:
                return noop()  # only the page shows the display

    def _lights(self, kind: str, spi_device: int) -> BoardLights:
        driver = self._opened("lights", lambda: self._led_driver(kind, spi_device), ReopenedDriver)
        lights = BoardLights(driver, self._profile.shape, on_fault=self._options.on_change)
        return self._stack.enter_context(closing(lights))

    def _led_driver(self, kind: str, spi_device: int) -> "LedDriver":
        from captains_table.devices.lights.led_driver import LED_DRIVERS  # noqa: PLC0415 - extra pi

        bus = self._hardware.spi_lights(spi_device)
        try:
            return LED_DRIVERS[kind](bus, self._profile)
        except OSError:
            bus.cleanup()
            raise

    def _speaker(self, pin: int) -> SwitchableBuzzer:
        if not self._options.patient and self._options.sounds:
            self._opened("buzzer", lambda: self._buzzer(pin), SwitchableBuzzer).close()
        speaker = SwitchableBuzzer(lambda: self._try(lambda: self._buzzer(pin)), self._options.on_change)
        self._stack.enter_context(closing(speaker))
        speaker.switch_sound(on=self._options.sounds)
        speaker.wait_idle(CLOSING_S)
        return speaker

    def _buzzer(self, pin: int) -> "GpioBuzzer":
        from captains_table.devices.sound.buzzer import GpioBuzzer  # noqa: PLC0415 - gpiozero: extra pi

        return self._on_pins(lambda factory: GpioBuzzer(pin, factory, self._options.on_change))

    def gpio_board(self) -> BoardDevice:
        """Return a board on the Pi's own pins; raises CannotBuild if it cannot be opened.

        With the option `patient`, nothing is raised: the board is opened on first use, and again after errors.
        """
        return self._opened("matrix", self._pin_board, RetryingBoard)

    def _pin_board(self) -> BoardDevice:
        from captains_table.devices.gpio.gpio_board import GpioBoard  # noqa: PLC0415 - gpiozero is in the extra pi

        return self._on_pins(lambda factory: GpioBoard(self._profile, factory, self._options.debounce_ms))

    def pico_board(self) -> BoardDevice:
        """Return the board of a Pico on USB; the Pico may be plugged in later."""
        profile, options, device = self._profile, self._options, self._options.device
        usb = profile.usb or (0, 0)
        id_ = f"{usb[0]:04x}:{usb[1]:04x}"
        return SerialBoard(
            partial(serial_devices, usb=usb) if device is None else (lambda: [device]),
            device or say("a Pico on USB ({id})", id_),
            profile.corrections,
            sounds=options.sounds,
            debounce_ms=options.debounce_ms,
            rewired=wiring_corrections(profile),
        )

    def bought_board(self) -> BoardDevice:
        """Return a board that people buy; it may be plugged in later."""
        kind, options = self._profile.board, self._options
        return BoughtBoard(
            partial(found_devices, kind.key, options.device),
            options.device or say("a {board} on USB", kind.name),
            turned=options.turned,
        )


BOARD_DRIVERS: Final[Mapping[str, Callable[[_Builder], BoardDevice]]] = {
    GPIO.key: _Builder.gpio_board,
    PICO.key: _Builder.pico_board,
    **dict.fromkeys(BOUGHT_KINDS, _Builder.bought_board),
}
