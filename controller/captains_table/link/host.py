"""The host's end of the serial link: it converts received bytes to events, and returns the bytes to send.

It uses no device and no clock. The owner of the serial port calls `opened` when the port is open, and `receive` with
the bytes read, or without bytes when `due_ms` is reached. After each of these calls the owner sends the bytes that
`tick` returns. It calls `closed` when the port is gone.
Orders for lights, settings and tones are given by `show`, `set` and `buzz`.
"""

from .change_follower import BoardClock, ChangeFollower
from .desired_state import DesiredState
from .fields import BadLinkMessage
from .frames import Decoder, frame
from .from_board import PROTOCOL, BoardState, Changes, Hello, LightsAck, Pong, hex_digits
from .from_board_parser import OtherVersion, parse_changes, parse_from_board
from .from_host import Ack
from .link_events import BoardReset, Connected, LightsShown, LinkEvent, LinkLost, VersionMismatch

SILENT_MS = 3000  # the board sends a state each second
FORMER_STARTS = 8


class HostEnd:
    """The host's end of the connection to a board; it copes with lost, repeated and corrupted lines."""

    def __init__(self, silent_ms: int = SILENT_MS) -> None:
        self._silent_ms = silent_ms
        self._decoder = Decoder()
        self._clock = BoardClock()
        self._following = ChangeFollower(self._clock)
        self._desired = DesiredState()
        self._former: list[int] = []  # nonces of earlier boots, whose late lines are ignored
        self._hello: Hello | None = None
        self._linked = False
        self._asking = False
        self._sequence = 0
        self._heard_ms = 0
        self._mismatch: str | None = None
        self.bad_messages = 0

    @property
    def hello(self) -> Hello | None:
        """The greeting of the connected board; `None` if no board is connected or the board has not greeted yet."""
        return self._hello if self._linked and not self._asking else None

    # --- the device

    def opened(self, now_ms: int) -> None:
        """Begin a connection on a port that was just opened, by requesting a greeting."""
        self._decoder.forget()
        self._former = []
        self._mismatch = None
        self._heard_ms = now_ms
        self._desired.ask(now_ms)

    def closed(self, now_ms: int) -> list[LinkEvent]:
        """End the connection because the port is gone; return `LinkLost` if a board was connected."""
        self._decoder.forget()
        return self._lose(now_ms)

    def receive(self, data: bytes, now_ms: int) -> list[LinkEvent]:
        """Parse received bytes and check for a silent board; return the resulting events.

        Args:
            data: the bytes read; empty if no bytes arrived before `due_ms`.
            now_ms: monotonic milliseconds, not the wall time.
        """
        events: list[LinkEvent] = []
        for line in self._decoder.feed(data):
            try:
                message = parse_from_board(line)
            except OtherVersion as other:
                events += self._other_version(other, now_ms)
            except BadLinkMessage:
                self.bad_messages += 1
            else:
                if message.nonce not in self._former:
                    events += self._on_message(message, now_ms)
        if self._linked and now_ms - self._heard_ms >= self._silent_ms:
            events += self._lose(now_ms)
        return events

    # --- orders to the board

    def show(self, colours: str) -> int:
        """Set the light frame to show, and return its number.

        `LightsShown` reports that number when the board shows the frame.

        Args:
            colours: one `colour_code` for each square (a1, b1, ...), then one for the button; as many as
                `hello.lights`. The frame is not sent to a board with another number of lights.
        """
        return self._desired.show(colours)

    def set(self, brightness: int | None, debounce_ms: int) -> None:
        """Set brightness and debounce time now, and again after each reset of the board.

        Args:
            brightness: the brightness in percent; `None` for the board's own setting.
            debounce_ms: how long a switch must be stable before its change is reported, 1 to LONGEST_DEBOUNCE_MS.
        """
        self._desired.settings = (brightness, debounce_ms)

    def buzz(self, tones: list[tuple[int, int]], now_ms: int) -> None:
        """Send tones (hertz, milliseconds) once if a board with a buzzer is connected; a lost line is not repeated."""
        if self.hello is not None and self.hello.buzzer:
            self._desired.buzz(tones, now_ms)

    def tick(self, now_ms: int) -> bytes:
        """Return the bytes to send now, which may be none."""
        self._desired.whole_wanted = not self._following.is_whole
        lines = self._desired.due(self.hello, now_ms)
        return b"".join([frame(line) for line in lines])

    def due_ms(self) -> int:
        """Return when to call `receive` and `tick` next if nothing arrives before."""
        self._desired.whole_wanted = not self._following.is_whole
        due_ms = self._desired.due_ms(self.hello)
        return min(due_ms, self._heard_ms + self._silent_ms) if self._linked else due_ms

    # --- messages from the board

    def _lose(self, now_ms: int) -> list[LinkEvent]:
        self._desired.ask(now_ms)
        if not self._linked:
            return []
        self._linked = False
        self._following.pause()
        return [LinkLost()]

    def _other_version(self, other: OtherVersion, now_ms: int) -> list[LinkEvent]:
        newer = other.protocol > PROTOCOL
        update = "update captains-table here" if newer else "flash the board anew (make flash)"
        sentence = (
            f"The board (firmware {other.firmware}) speaks version {other.protocol} of the link, this program version "
            f"{PROTOCOL}: {update}."
        )
        if sentence == self._mismatch:
            return []
        self._mismatch = sentence
        return [*self._lose(now_ms), VersionMismatch(sentence)]

    def _on_message(self, message: Hello | BoardState | Changes | LightsAck | Pong, now_ms: int) -> list[LinkEvent]:
        if isinstance(message, Hello):
            return self._on_hello(message, now_ms)
        if self._hello is None or message.nonce != self._hello.nonce:
            self._asking = True  # a boot without a greeting: the board was reset unnoticed
        hello = self.hello
        if hello is None:
            return []
        self._heard_ms = now_ms
        match message:
            case BoardState():
                return self._on_state(message, hello, now_ms)
            case Changes():
                return self._on_changes(message, hello, now_ms)
            case LightsAck():
                return self._shown(message.frame)
        self._clock.observe(message.board_ms, now_ms)
        return []

    def _on_hello(self, hello: Hello, now_ms: int) -> list[LinkEvent]:
        self._heard_ms = now_ms
        self._asking = False
        known = self._hello
        reset = known is not None and known.nonce != hello.nonce
        if self._linked and not reset:
            return []
        if known is None or reset:
            self._sequence = 0
            self._clock.restart()
            self._desired.restart()
            self._following.restart(hello.buttons)
        if known is not None and reset:
            self._former = [*self._former, known.nonce][-FORMER_STARTS:]
        self._hello = hello
        self._linked = True
        self._mismatch = None
        return [BoardReset(), Connected(hello)] if reset else [Connected(hello)]

    def _on_state(self, state: BoardState, hello: Hello, now_ms: int) -> list[LinkEvent]:
        switches = hello.files * hello.ranks
        if (
            state.digits != hex_digits(switches)
            or state.occupied >> switches
            or len(state.buttons) != len(hello.buttons)
        ):
            self.bad_messages += 1
            return []
        if state.sequence <= self._sequence:
            return []  # duplicated, or late
        self._sequence = state.sequence
        self._clock.observe(state.board_ms, now_ms)
        self._desired.settings_reported(state.settings)
        events = self._following.state_reported(state, now_ms)
        if state.kept_from <= state.latest:
            self._acknowledge(hello)
        return [*events, *self._shown(state.lit)]

    def _on_changes(self, message: Changes, hello: Hello, now_ms: int) -> list[LinkEvent]:
        highest = {"s": hello.files * hello.ranks, "b": len(hello.buttons), "e": 1}
        if any(change.index >= highest[change.kind] for change in parse_changes(message)):
            self.bad_messages += 1
            return []
        events = self._following.changes_reported(message, now_ms)
        self._acknowledge(hello)
        return events

    def _acknowledge(self, hello: Hello) -> None:
        if self._following.last_received is not None:
            self._desired.ack = Ack(hello.nonce, self._following.last_received)

    def _shown(self, frame_number: int) -> list[LinkEvent]:
        number = self._desired.shown(frame_number)
        return [] if number is None else [LightsShown(number)]
