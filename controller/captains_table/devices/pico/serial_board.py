"""A board on a serial line: finds and reopens its port, reports events and old firmware, lights squares, plays tones.

Light frames are sent at the pace at which the board shows them. Each fault message begins with its important words,
because the display has room only for these.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from captains_table.devices.lights.compositor import Compositor, Frame, quantised_colour
from captains_table.devices.searching_board import OpenBoardPort, SearchingBoard
from captains_table.devices.serial_port import DevicePort, SerialPort
from captains_table.devices.wiring_corrections import NO_CORRECTIONS, WiringCorrections
from captains_table.games.contract import Shape, Square
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.link.from_board import FIRMWARE, Hello
from captains_table.link.from_host import DARK, LONGEST_DEBOUNCE_MS, colour_code
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
from captains_table.phrases import computed, say, with_spaces
from captains_table.table.model.events import (
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    SwitchChanged,
)
from captains_table.table.model.sounds import SOUNDS
from captains_table.table.model.view import LightMeaning

FRAME_MS = 150
"""The longest wait for the board's answer that it shows a frame; then the next frame is sent without the answer."""
BUTTON_LIGHT = colour_code(1, 1, 1)
FAINTEST_PERCENT = 2
ANSWER_MS = 5000
"""How long a device may stay silent before the next one is tried: it may be no board, or a dead device node."""
LEAVES_RANKS_ALONE: Final = "0.3.0"
"""The first firmware version that does not drive idle rank lines high (docs/electrics.md)."""


class LightFrames:
    """The frames for the lights of one board, with flow control.

    A frame is sent once the board has reported that it shows the previous frame, or FRAME_MS after the previous frame.

    Args:
        end: the host's end of the link, which sends the frames.
        corrections: maps the square for which a light was planned to the square that this light really lights;
            correctly wired lights are left out.
    """

    def __init__(self, end: HostEnd, corrections: Mapping[Square, Square] | None = None) -> None:
        self._end = end
        self._corrections = corrections or {}
        self._marks: Mapping[Square, LightMeaning] = {}
        self._compositor = Compositor(Shape(8, 8))
        self._codes = ""  # of the frame sent last
        self._number = 0
        self._sent_ms = 0
        self._is_shown = True

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        self._marks = marks
        self._compositor.light(marks)

    def signal(self, kind: str, square: Square | None, now_ms: int) -> None:
        """Start the light effect of a signal."""
        self._compositor.signal(kind, square, now_ms)

    def begin(self, hello: Hello) -> None:
        """Adapt to a board that has just connected; the next `send` sends the current frame again."""
        self._codes, self._is_shown = "", True
        self._compositor = Compositor(Shape(hello.files, hello.ranks))
        self._compositor.light(self._marks)

    def shown(self, number: int) -> None:
        """Record the board's report that it shows the frame with this number."""
        self._is_shown = self._is_shown or number == self._number

    def due_ms(self, now_ms: int) -> int | None:
        """Return when `send` must be called again; `None` if the last frame is shown and the lights do not change."""
        turn_ms = self._compositor.next_change_ms(now_ms)
        if self._is_shown:
            return turn_ms
        return max(turn_ms or 0, self._sent_ms + FRAME_MS)

    def send(self, hello: Hello, now_ms: int) -> None:
        """Send the current frame if it differs from the last one and the board is ready for it."""
        codes = self._codes_of(self._compositor.frame(now_ms), hello)
        if codes != self._codes and (self._is_shown or now_ms - self._sent_ms >= FRAME_MS):
            self._codes, self._is_shown, self._sent_ms = codes, False, now_ms
            self._number = self._end.show(codes)

    def _codes_of(self, frame: Frame, hello: Hello) -> str:
        """Encode a frame for the link: one character per square, then one for the button.

        The text is cut to the number of lights that the board has.
        """
        lit = {square: colour_code(*quantised_colour(colour)) for square, colour in frame.items()}
        really = (self._corrections.get(square, square) for square in Shape(hello.files, hello.ranks).squares())
        return ("".join(lit.get(square, DARK) for square in really) + BUTTON_LIGHT)[: hello.lights]


class SerialBoard(SearchingBoard[str]):
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
        super().__init__(find, sought)
        self._corrections = corrections or {}
        self._sounds = sounds
        self._end = HostEnd()
        self._debounce_ms = min(max(1, debounce_ms), LONGEST_DEBOUNCE_MS)
        self._end.set(None, self._debounce_ms)
        self._rewired = rewired
        self._lights = LightFrames(self._end, rewired.lights)
        self._alone_since_ms = 0
        self._mismatch = ""

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

    # --- the device -------------------------------------------------------------------------------------------------

    def _next_device(self, devices: Sequence[str]) -> tuple[str, OpenBoardPort]:
        """Return the next device in the order of paths; after the last device, the first one again."""
        return next((device for device in devices if device > self._path), devices[0]), SerialPort

    def _begin(self, now_ms: int) -> None:
        self._alone_since_ms = now_ms
        self._end.opened(now_ms)

    def _last_bytes(self, now_ms: int) -> bytes:
        hello = self._end.hello
        if hello is None:
            return b""
        self._end.show(DARK * hello.lights)
        return self._end.tick(now_ms)

    def _speak(self, port: DevicePort, now_ms: int) -> None:
        """Receive and send as due; give a device up that has not answered as a board within ANSWER_MS.

        A board that has answered with a version mismatch stays open.
        """
        self._receive(b"", now_ms)
        is_known = self._end.hello is not None or self._trouble == self._mismatch
        if not is_known and now_ms - self._alone_since_ms >= ANSWER_MS:
            self._give_up(say("is the table's firmware on it?"), now_ms)
            return
        if self._end.hello is not None:
            self._lights.send(self._end.hello, now_ms)
        if not port.is_busy:
            port.write(self._end.tick(now_ms))

    def _next_ms(self) -> int:
        lights_ms = None if self._end.hello is None else self._lights.due_ms(self._now_ms())
        dues = (self._end.due_ms(), lights_ms)
        return min(due_ms for due_ms in dues if due_ms is not None)

    def _receive(self, data: bytes, now_ms: int) -> None:
        for event in self._end.receive(data, now_ms):
            self._emit(event, now_ms)

    def _lose_device(self, now_ms: int) -> None:
        self._end.closed(now_ms)

    # --- events -----------------------------------------------------------------------------------------------------

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
                self._mismatch = say("Version mismatch: {problem}", sentence)
                self._lose(self._mismatch, now_ms)
            case LinkLost():
                self._alone_since_ms = now_ms
                self._lose(say("The board is silent: nothing comes from {path}", self._path), now_ms)

    def _turned(self, button: Button, steps: int, at_ms: int) -> None:
        for _ in range(steps):
            self._on_event(self._rewired.event(ButtonPressed(button)), at_ms)
            self._on_event(self._rewired.event(ButtonReleased(button)), at_ms)

    def _square(self, index: int) -> Square | None:
        """Return the square of a switch; `None` if the board has no such switch."""
        hello = self._end.hello
        if hello is None or index >= hello.files * hello.ranks:
            return None
        wired = Shape(hello.files, hello.ranks).square_at(index)
        return self._corrections.get(wired, wired)


def firmware_advice(firmware: str) -> str | None:
    """Return advice on a board with this firmware version; `None` if it is not older than the expected version."""
    if not _is_older(firmware, FIRMWARE):
        return None
    advice = say(
        "The board runs firmware {old}, this program brings {new}: it can be played with; "
        "stop the table and run make flash to renew it.",
        firmware,
        FIRMWARE,
    )
    if not drives_idle_ranks(firmware):
        return advice
    scan = say(
        "It still drives idle rank lines high: where a diode is bridged or turned round, pieces on its file are not "
        "seen, and its pins are strained."
    )
    return computed(with_spaces, advice, scan)


def drives_idle_ranks(firmware: str) -> bool:
    """Return whether this firmware drives idle rank lines high, as the table's firmware did before version 0.3.0."""
    return _is_older(firmware, LEAVES_RANKS_ALONE)


def _is_older(firmware: str, than: str) -> bool:
    """Return whether a firmware version is older than another; False if one of them is not made of numbers."""
    numbers = [version.split(".") for version in (firmware, than)]
    if not all(number.isdecimal() for version in numbers for number in version):
        return False  # a firmware of the builder's own
    own, ours = ([int(number) for number in version] for version in numbers)
    return own < ours
