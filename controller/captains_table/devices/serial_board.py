"""A board on a serial line: finds it, follows it over drops and resets, and lights it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from captains_table.devices.light_show import TONES, Colour, LightShow
from captains_table.devices.ports import Hear
from captains_table.devices.serial_port import PortGone, SerialPort, usb_ports
from captains_table.games.contract import Shape, Square
from captains_table.link.from_host import DARK, colour_code
from captains_table.link.happenings import (
    ButtonTold,
    Connected,
    EncoderTold,
    Happening,
    Lost,
    SwitchesRead,
    SwitchTold,
    VersionMismatch,
)
from captains_table.link.host import HostEnd
from captains_table.table.events import (
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.view import Mark

LOOK_MS = 500
BUSY_MS = 20
ANSWER_MS = 5000
"""A board that says nothing for so long may be something else, or its device a dead one: the next is tried."""

BUTTON = Colour(1, 1, 1)


class SerialBoard:
    """A `Board` and its `Lights` behind a serial line.

    Args:
        find: returns the devices it may be behind, best first; asked again whenever it is looked for.
        sought: what is looked for, in words.
    """

    def __init__(self, find: Callable[[], Sequence[str]], sought: str) -> None:
        self._find = find
        self._sought = sought
        self._end = HostEnd()
        self._show = LightShow()
        self._hear: Hear = lambda _, __: None
        self._port: SerialPort | None = None
        self._timer: asyncio.Handle | None = None
        self._device = ""
        self._look_ms = 0
        self._alone_since_ms = 0
        self._codes = ""
        self._trouble = self.missing
        self._mismatch = ""

    @classmethod
    def pico(cls, usb: str, device: str | None = None) -> "SerialBoard":
        """Return the board behind a serial device, or the first one with this USB id."""
        if device is not None:
            return cls(lambda: [device], device)
        return cls(lambda: usb_ports(usb), f"a Pico on USB ({usb})")

    @property
    def missing(self) -> str:
        """What is said before the board is first heard of."""
        return f"No board: looking for {self._sought}"

    @property
    def shape(self) -> Shape | None:
        """The board's shape; none before it is first heard of."""
        hello = self._end.hello
        return None if hello is None else Shape(hello.files, hello.ranks)

    # --- as a board -------------------------------------------------------------------------------------------------

    def open(self, hear: Hear) -> None:
        """Begin to look for the board and to tell."""
        self._loop = asyncio.get_running_loop()
        self._hear = hear
        self._work()

    def close(self) -> None:
        """End telling, switch the lights off and let go of the device."""
        self._hear = lambda _, __: None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        hello = self._end.hello
        if self._port is not None and hello is not None:
            self._end.show(DARK * hello.lights)
            self._port.write(self._end.tick(self._now_ms()))
        if self._port is not None:
            self._port.close()
            self._port = None

    # --- as lights --------------------------------------------------------------------------------------------------

    def light(self, marks: Mapping[Square, Mark]) -> None:
        """Light these squares, the others dark."""
        self._show.light(marks)
        self._soon()

    def signal(self, kind: str, square: Square | None) -> None:
        """Give a short signal: an effect of the lights, and tones where there is a buzzer."""
        now_ms = self._now_ms()
        self._show.signal(kind, square, now_ms)
        if kind in TONES:
            self._end.buzz(TONES[kind], now_ms)
        self._soon()

    # --- at work ----------------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        return int(asyncio.get_running_loop().time() * 1000)

    def _soon(self) -> None:
        """Work on as soon as what is going on has been told to the end."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = self._loop.call_soon(self._work)

    def _work(self) -> None:
        """Do what is due, and come back when something is due next."""
        now_ms = self._now_ms()
        if self._port is None and now_ms >= self._look_ms:
            self._look(now_ms)
        if self._port is not None:
            self._follow(self._end.receive(b"", now_ms), now_ms)
            self._give_up_silent(now_ms)
            self._say(now_ms)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self._due_ms(now_ms) / 1000, self._work)

    def _due_ms(self, now_ms: int) -> int:
        if self._port is None:
            return max(self._look_ms, now_ms + 1)
        if self._port.is_busy:
            return now_ms + BUSY_MS
        light_ms = self._show.due_ms(now_ms) if self._end.hello is not None else None
        due_ms = self._end.due_ms() if light_ms is None else min(self._end.due_ms(), light_ms)
        return max(due_ms, now_ms + 1)

    # --- the device -------------------------------------------------------------------------------------------------

    def _look(self, now_ms: int) -> None:
        """Open the device after the one tried last, or come back later."""
        self._look_ms = now_ms + LOOK_MS
        devices = self._find()
        if not devices:
            self._lose(self.missing, now_ms)
            return
        self._device = next((device for device in devices if device > self._device), devices[0])
        try:
            self._port = SerialPort(self._device, self._heard, self._gone)
        except PortGone as error:
            self._lose(f"No board: cannot open {error.strerror}", now_ms)
            return
        self._alone_since_ms = now_ms
        self._end.opened(now_ms)
        if self._trouble == self.missing:
            self._lose(f"Waiting for the board on {self._device}", now_ms)

    def _heard(self, data: bytes) -> None:
        now_ms = self._now_ms()
        self._follow(self._end.receive(data, now_ms), now_ms)
        self._work()

    def _gone(self) -> None:
        now_ms = self._now_ms()
        self._port = None
        self._look_ms = now_ms + LOOK_MS
        self._end.closed(now_ms)
        self._lose(f"The board is gone from {self._device}: is it plugged in?", now_ms)
        self._soon()

    def _give_up_silent(self, now_ms: int) -> None:
        """Let go of a device that does not answer as a board: another may, or this one when it is opened anew."""
        if self._port is None or self._end.hello is not None or self._trouble == self._mismatch:
            return
        if now_ms - self._alone_since_ms >= ANSWER_MS:
            self._port.close()
            self._port, self._look_ms = None, now_ms
            self._end.closed(now_ms)
            self._lose(f"{self._device} does not answer: is the table's firmware on it?", now_ms)

    def _say(self, now_ms: int) -> None:
        """Send what is to be sent, unless the board has yet to take what was sent before."""
        hello = self._end.hello
        if hello is not None:
            squares = [Square(file, rank) for rank in range(hello.ranks) for file in range(hello.files)]
            colours = [*self._show.colours(squares, now_ms), BUTTON]
            codes = "".join(colour_code(*colour) for colour in colours)[: hello.lights]
            if codes != self._codes:
                self._codes = codes
                self._end.show(codes)
        if self._port is not None and not self._port.is_busy:
            self._port.write(self._end.tick(now_ms))

    # --- what it tells ----------------------------------------------------------------------------------------------

    def _lose(self, trouble: str, now_ms: int) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._hear(BoardLost(trouble), now_ms)

    def _follow(self, happenings: Sequence[Happening], now_ms: int) -> None:
        for happening in happenings:
            self._tell(happening, now_ms)

    def _tell(self, happening: Happening, now_ms: int) -> None:
        match happening:
            case Connected():
                self._codes = ""  # the whole light frame goes out again
            case SwitchesRead(closed, at_ms):
                self._trouble = ""
                squares = (self._square(index) for index in closed)
                self._hear(BoardRead(frozenset(square for square in squares if square is not None)), at_ms)
            case SwitchTold(index, closed, at_ms):
                square = self._square(index)
                if square is not None:
                    self._hear(SwitchChanged(square, closed), at_ms)
            case ButtonTold(name, down, at_ms):
                self._hear(ButtonPressed(Button(name)) if down else ButtonReleased(Button(name)), at_ms)
            case EncoderTold(steps, at_ms):
                self._turned(Button.NEXT if steps > 0 else Button.PREVIOUS, abs(steps), at_ms)
            case VersionMismatch(sentence):
                self._mismatch = sentence
                self._lose(sentence, now_ms)
            case Lost():
                self._alone_since_ms = now_ms
                self._lose(f"The board on {self._device} has fallen silent", now_ms)

    def _turned(self, button: Button, steps: int, at_ms: int) -> None:
        for _ in range(steps):
            self._hear(ButtonPressed(button), at_ms)
            self._hear(ButtonReleased(button), at_ms)

    def _square(self, index: int) -> Square | None:
        """Return the square of a switch, none where the board has none."""
        hello = self._end.hello
        if hello is None or index >= hello.files * hello.ranks:
            return None
        rank, file = divmod(index, hello.files)
        return Square(file, rank)
