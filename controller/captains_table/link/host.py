"""The host's end of the link: bytes in, events out, and what is to be sent when.

It knows no device and no clock. Whoever owns the serial port calls `opened` when it is open, `receive` with what was
read (and with nothing when `due_ms` is reached), sends what `tick` returns after each of these, and calls `closed` when
the port is gone.
"""

from .board_clock import BoardClock
from .desired_state import DesiredState
from .fields import BadMessage
from .following import Following
from .frames import Decoder, frame
from .from_board import PROTOCOL, Changes, Hello, Lit, Pong, State, hex_digits
from .from_board_parser import OtherVersion, changes_of, parse_from_board
from .from_host import Ack
from .link_events import BoardReset, Connected, LightsShown, LinkEvent, Lost, VersionMismatch

SILENT_MS = 3000  # the board says something each second
FORMER_STARTS = 8


class HostEnd:
    """Follows one board over whatever the line does to its bytes."""

    def __init__(self, silent_ms: int = SILENT_MS) -> None:
        self._silent_ms = silent_ms
        self._decoder = Decoder()
        self._clock = BoardClock()
        self._following = Following(self._clock)
        self._desired = DesiredState()
        self._former: list[int] = []  # nonces of starts that are over: their late lines are nothing
        self._hello: Hello | None = None
        self._linked = False
        self._asking = False
        self._sequence = 0
        self._heard_ms = 0
        self._mismatch: str | None = None
        self.bad_messages = 0

    @property
    def hello(self) -> Hello | None:
        """Who the board is, while one is connected and has presented itself."""
        return self._hello if self._linked and not self._asking else None

    # --- the device

    def opened(self, now_ms: int) -> None:
        """The port is open: ask who is there."""
        self._decoder.forget()
        self._former = []
        self._mismatch = None
        self._heard_ms = now_ms
        self._desired.ask(now_ms)

    def closed(self, now_ms: int) -> list[LinkEvent]:
        """Return what follows from the port being gone: the board is lost, if there was one."""
        self._decoder.forget()
        return self._lose(now_ms)

    def receive(self, data: bytes, now_ms: int) -> list[LinkEvent]:
        """Take in bytes, or nothing when something is due; return what follows from them.

        Args:
            data: whatever was read.
            now_ms: monotonic milliseconds, never wall clock.
        """
        events: list[LinkEvent] = []
        for line in self._decoder.feed(data):
            try:
                message = parse_from_board(line)
            except OtherVersion as other:
                events += self._other_version(other, now_ms)
            except BadMessage:
                self.bad_messages += 1
            else:
                events += self._on_message(message, now_ms)
        if self._linked and now_ms - self._heard_ms >= self._silent_ms:
            events += self._lose(now_ms)
        return events

    # --- what is wanted of the board

    def show(self, colours: str) -> int:
        """Have this light frame shown instead of any before; return its number, which `LightsShown` gives.

        Args:
            colours: one `colour_code` a square (a1, b1, ...), then the button's own; as many as `hello.lights`. A board
                with another number of lights is not sent it.
        """
        return self._desired.show(colours)

    def set(self, brightness: int | None, debounce_ms: int) -> None:
        """Have the lights this bright and switches believed after this long, now and after each reset.

        Args:
            brightness: percent; None: as bright as the board's own settings say.
            debounce_ms: how long a switch must be still, 1 to LONGEST_DEBOUNCE_MS.
        """
        self._desired.settings = (brightness, debounce_ms)

    def buzz(self, tones: list[tuple[int, int]], now_ms: int) -> None:
        """Have tones (hertz, milliseconds) sounded, if the board is there; it is not repeated if its line is lost."""
        if self.hello is not None and self.hello.buzzer:
            self._desired.buzz(tones, now_ms)

    def tick(self, now_ms: int) -> bytes:
        """Return what is to be sent now; may be nothing."""
        self._desired.whole_wanted = not self._following.is_whole
        lines = self._desired.due(self.hello, now_ms)
        return b"".join([frame(line) for line in lines])

    def due_ms(self) -> int:
        """Return when `receive` and `tick` are to be called next, if nothing arrives before."""
        self._desired.whole_wanted = not self._following.is_whole
        due_ms = self._desired.due_ms(self.hello)
        return min(due_ms, self._heard_ms + self._silent_ms) if self._linked else due_ms

    # --- what the board says

    def _lose(self, now_ms: int) -> list[LinkEvent]:
        self._desired.ask(now_ms)
        if not self._linked:
            return []
        self._linked = False
        self._following.pause()
        return [Lost()]

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

    def _on_message(self, message: Hello | State | Changes | Lit | Pong, now_ms: int) -> list[LinkEvent]:
        if message.nonce in self._former:
            return []
        if isinstance(message, Hello):
            return self._greeted(message, now_ms)
        if self._hello is None or message.nonce != self._hello.nonce:
            self._asking = True  # a start that has not presented itself: it was reset in silence
        if self._hello is None or self.hello is None:
            return []
        self._heard_ms = now_ms
        return self._events_of(message, self._hello, now_ms)

    def _events_of(self, message: State | Changes | Lit | Pong, hello: Hello, now_ms: int) -> list[LinkEvent]:
        if isinstance(message, State):
            return self._stood(message, hello, now_ms)
        if isinstance(message, Changes):
            return self._changed(message, hello, now_ms)
        if isinstance(message, Lit):
            return self._shown(message.frame)
        self._clock.observe(message.board_ms, now_ms)
        return []

    def _greeted(self, hello: Hello, now_ms: int) -> list[LinkEvent]:
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

    def _stood(self, state: State, hello: Hello, now_ms: int) -> list[LinkEvent]:
        switches = hello.files * hello.ranks
        if (
            state.digits != hex_digits(switches)
            or state.occupied >> switches
            or len(state.buttons) != len(hello.buttons)
        ):
            self.bad_messages += 1
            return []
        if state.sequence <= self._sequence:
            return []  # doubled, or late
        self._sequence = state.sequence
        self._clock.observe(state.board_ms, now_ms)
        self._desired.stands(state.settings)
        events = self._following.stood(state, now_ms)
        if state.kept_from <= state.latest:
            self._acknowledge(hello)
        return [*events, *self._shown(state.lit)]

    def _changed(self, message: Changes, hello: Hello, now_ms: int) -> list[LinkEvent]:
        highest = {"s": hello.files * hello.ranks, "b": len(hello.buttons), "e": 1}
        if any(change.index >= highest[change.kind] for change in changes_of(message)):
            self.bad_messages += 1
            return []
        events = self._following.changed(message, now_ms)
        self._acknowledge(hello)
        return events

    def _acknowledge(self, hello: Hello) -> None:
        if self._following.held is not None:
            self._desired.ack = Ack(hello.nonce, self._following.held)

    def _shown(self, frame_number: int) -> list[LinkEvent]:
        number = self._desired.shown(frame_number)
        return [] if number is None else [LightsShown(number)]
