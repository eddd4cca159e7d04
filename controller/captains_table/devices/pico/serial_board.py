"""A board on a serial line: finds and reopens its port, reports events, lights squares and plays tones.

Each fault message begins with its important words, because the display has room only for these.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from captains_table.devices.pico.firmware_age import firmware_advice
from captains_table.devices.pico.light_frames import LightFrames
from captains_table.devices.ports import OnEvent
from captains_table.devices.serial_port import PortGone, SerialPort
from captains_table.devices.wiring_corrections import NO_CORRECTIONS, WiringCorrections
from captains_table.games.contract import Shape, Square
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.link.from_host import DARK, LONGEST_DEBOUNCE_MS
from captains_table.link.host import HostEnd
from captains_table.link.link_events import (
    ButtonReported,
    Connected,
    EncoderReported,
    LightsShown,
    LinkEvent,
    LinkLost,
    SwitchesRead,
    SwitchReported,
    VersionMismatch,
)
from captains_table.table.model.events import (
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.model.sounds import SOUNDS
from captains_table.table.model.view import LightMeaning

LOOK_MS = 500
BUSY_MS = 20
FAINTEST_PERCENT = 2
ANSWER_MS = 5000
"""How long a device may stay silent before the next one is tried: it may be no board, or a dead device node."""


class SerialBoard:
    """A `BoardDevice` on a serial line, with its lights and buzzer.

    Args:
        find: returns the paths of the serial devices to try, sorted; called at each search for the board.
        sought: the name of the sought device for messages.
        corrections: maps a square of the wiring plan to the square whose switch is really connected in its place;
            correctly wired switches are left out.
        sounds: whether the board's buzzer is unmuted at first.
        debounce_ms: how long a switch must be stable before its change is reported; limited to 1 to 50.
        rewired: the corrections for lights and buttons that are wired in another order than planned.
    """

    def __init__(
        self,
        find: Callable[[], Sequence[str]],
        sought: str,
        corrections: Mapping[Square, Square] | None = None,
        *,
        sounds: bool = True,
        debounce_ms: int = DEBOUNCE_MS,
        rewired: WiringCorrections = NO_CORRECTIONS,
    ) -> None:
        self._find = find
        self._sought = sought
        self._corrections = corrections or {}
        self._sounds = sounds
        self._end = HostEnd()
        self._debounce_ms = min(max(1, debounce_ms), LONGEST_DEBOUNCE_MS)
        self._end.set(None, self._debounce_ms)
        self._rewired = rewired
        self._lights = LightFrames(self._end, rewired.lights)
        self._on_event: OnEvent = lambda _, __: None
        self._port: SerialPort | None = None
        self._timer: asyncio.Handle | None = None
        self._device = ""
        self._look_ms = 0
        self._alone_since_ms = 0
        self._trouble = self.missing
        self._mismatch = ""

    @property
    def missing(self) -> str:
        """Return the message to show until the board first answers."""
        return f"No board found: looking for {self._sought}"

    @property
    def shape(self) -> Shape | None:
        """The board's size; `None` until the board first answers."""
        hello = self._end.hello
        return None if hello is None else Shape(hello.files, hello.ranks)

    @property
    def fault(self) -> str | None:
        """Return advice on a board with old firmware; `None` if the firmware is not old, or not known yet."""
        hello = self._end.hello
        return None if hello is None else firmware_advice(hello.firmware)

    # --- as a board -------------------------------------------------------------------------------------------------

    def open(self, on_event: OnEvent) -> None:
        """Start to search for the board; from now on, `on_event` is called with each event of the board."""
        self._loop = asyncio.get_running_loop()
        self._on_event = on_event
        self._work()

    def close(self) -> None:
        """Stop reporting, switch the lights off and close the port."""
        self._on_event = lambda _, __: None
        self._come_back(None)
        hello = self._end.hello
        if self._port is not None and hello is not None:
            self._end.show(DARK * hello.lights)
            self._port.write(self._end.tick(self._now_ms()))
        if self._port is not None:
            self._port.close()
            self._port = None

    # --- as lights --------------------------------------------------------------------------------------------------

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        self._lights.light(marks)
        self._soon()

    def signal(self, kind: str, square: Square | None) -> None:
        """Play a signal's light effect, and also its tones unless the buzzer is muted."""
        now_ms = self._now_ms()
        self._lights.signal(kind, square, now_ms)
        if kind in SOUNDS and self._sounds:
            self._end.buzz(list(SOUNDS[kind].tones), now_ms)
        self._soon()

    def switch_sound(self, *, on: bool) -> None:
        """Unmute or mute the board's buzzer from the next signal on."""
        self._sounds = on

    def dim(self, brightness: float) -> None:
        """Set the brightness of the lights, 0 to 1; lit squares stay visible at 0."""
        self._end.set(max(FAINTEST_PERCENT, round(100 * brightness)), self._debounce_ms)
        if self._port is not None:
            self._soon()

    # --- at work ----------------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        return int(asyncio.get_running_loop().time() * 1000)

    def _soon(self) -> None:
        """Schedule `_work` for the next iteration of the event loop."""
        if self._timer is not None:
            self._come_back(self._loop.call_soon(self._work))

    def _come_back(self, timer: asyncio.Handle | None) -> None:
        """Cancel the timer for the next call of `_work`, and replace it with `timer`; `None` sets no timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def _work(self) -> None:
        """Search, receive and send as due, and set the timer for the next due time."""
        now_ms = self._now_ms()
        if self._port is None and now_ms >= self._look_ms:
            self._look(now_ms)
        if self._port is not None:
            self._receive(b"", now_ms)
            self._give_up_silent(now_ms)
            self._send(now_ms)
        self._come_back(self._loop.call_at(self._due_ms(now_ms) / 1000, self._work))

    def _due_ms(self, now_ms: int) -> int:
        if self._port is None:
            return max(self._look_ms, now_ms + 1)
        if self._port.is_busy:
            return now_ms + BUSY_MS
        lights_ms = None if self._end.hello is None else self._lights.due_ms(now_ms)
        dues = (self._end.due_ms(), lights_ms)
        return max(min(due_ms for due_ms in dues if due_ms is not None), now_ms + 1)

    # --- the device -------------------------------------------------------------------------------------------------

    def _look(self, now_ms: int) -> None:
        """Open the next found device in the order of paths; after the last device, begin again with the first.

        If no device is found or the device cannot be opened, search again later.
        """
        self._look_ms = now_ms + LOOK_MS
        devices = self._find()
        if not devices:
            self._lose(self.missing, now_ms)
            return
        self._device = next((device for device in devices if device > self._device), devices[0])
        try:
            self._port = SerialPort(self._device, self._on_data, self._gone)
        except PortGone as error:
            self._lose(f"No board: cannot open {error.strerror}", now_ms)
            return
        self._alone_since_ms = now_ms
        self._end.opened(now_ms)
        if self._trouble == self.missing:
            self._lose(f"Waiting for the board on {self._device}", now_ms)

    def _on_data(self, data: bytes) -> None:
        self._receive(data, self._now_ms())
        self._work()

    def _receive(self, data: bytes, now_ms: int) -> None:
        for event in self._end.receive(data, now_ms):
            self._emit(event, now_ms)

    def _gone(self) -> None:
        now_ms = self._now_ms()
        self._port = None
        self._look_ms = now_ms + LOOK_MS
        self._end.closed(now_ms)
        self._lose(f"The board is gone from {self._device}: is it plugged in?", now_ms)
        self._soon()

    def _give_up_silent(self, now_ms: int) -> None:
        """Close a device that has not answered as a board within ANSWER_MS, so that the next one is tried.

        A board that has answered with a version mismatch stays open.
        """
        if self._port is None or self._end.hello is not None or self._trouble == self._mismatch:
            return
        if now_ms - self._alone_since_ms >= ANSWER_MS:
            self._port.close()
            self._port, self._look_ms = None, now_ms
            self._end.closed(now_ms)
            self._lose(f"No answer from {self._device}: is the table's firmware on it?", now_ms)

    def _send(self, now_ms: int) -> None:
        """Send the lights' frame and the link's lines as due, unless the port still has unsent bytes."""
        hello = self._end.hello
        if hello is not None:
            self._lights.send(hello, now_ms)
        if self._port is not None and not self._port.is_busy:
            self._port.write(self._end.tick(now_ms))

    # --- events -----------------------------------------------------------------------------------------------------

    def _lose(self, trouble: str, now_ms: int) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._on_event(BoardLost(trouble), now_ms)

    def _emit(self, event: LinkEvent, now_ms: int) -> None:
        match event:
            case Connected(hello):
                self._lights.begin(hello)
            case LightsShown(number):
                self._lights.shown(number)
            case SwitchesRead(closed, at_ms):
                self._trouble = ""
                squares = (self._square(index) for index in closed)
                self._on_event(BoardRead(frozenset(square for square in squares if square is not None)), at_ms)
            case SwitchReported(index, closed, at_ms):
                square = self._square(index)
                if square is not None:
                    self._on_event(SwitchChanged(square, closed), at_ms)
            case ButtonReported(name, down, at_ms):
                pressed = ButtonPressed(Button(name)) if down else ButtonReleased(Button(name))
                self._on_event(self._rewired.event(pressed), at_ms)
            case EncoderReported(steps, at_ms):
                self._turned(Button.NEXT if steps > 0 else Button.PREVIOUS, abs(steps), at_ms)
            case VersionMismatch(sentence):
                self._mismatch = f"Version mismatch: {sentence}"
                self._lose(self._mismatch, now_ms)
            case LinkLost():
                self._alone_since_ms = now_ms
                self._lose(f"The board is silent: nothing comes from {self._device}", now_ms)

    def _turned(self, button: Button, steps: int, at_ms: int) -> None:
        for _ in range(steps):
            self._on_event(self._rewired.event(ButtonPressed(button)), at_ms)
            self._on_event(self._rewired.event(ButtonReleased(button)), at_ms)

    def _square(self, index: int) -> Square | None:
        """Return the square of a switch; `None` if the board has no such switch."""
        hello = self._end.hello
        if hello is None or index >= hello.files * hello.ranks:
            return None
        rank, file = divmod(index, hello.files)
        wired = Square(file, rank)
        return self._corrections.get(wired, wired)
