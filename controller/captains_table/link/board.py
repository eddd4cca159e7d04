"""The board's end of the serial link: it sends changes, states and answers to the host, and returns the host's orders.

Changes are logged and resent until the host has acknowledged them. If the log is full, the oldest changes are dropped.
No output queues up for a slow reader: each time a line was sent, the caller asks `next_line` for the line that is most
important then. All times are the board's own milliseconds. Runs on the board (MicroPython).
"""

from .fields import BadLinkMessage
from .frames import Decoder, frame
from .from_board import MOST_CHANGES, PROTOCOL, BoardChange, BoardState, Changes, Hello, LightsAck, Pong, hex_digits
from .from_host import Ack, Buzz, HelloRequest, Lights, Ping, Set, Update, parse_from_host

STATE_MS = 1000
RESEND_MS = 60  # a change that is not acknowledged by then is sent again
HOST_SILENT_MS = 3000
MOST_KEPT = 128  # changes in the log; older ones are dropped, and `kept_from` tells the host so


class BoardEnd:
    """The board's end of the link.

    It receives the scanner's changes and the host's bytes. It returns lines to send to the host, and the host's orders
    to carry out.
    """

    def __init__(self, hello: Hello, brightness: int, debounce_ms: int) -> None:
        self.hello = hello
        self._decoder = Decoder()
        self._bad_messages = 0
        self._dropped = 0
        self._words: list[str] = []  # the log: unacknowledged changes in the format in which they are sent
        self._kept_from = 1
        self._next_to_send = 1
        self._occupied = 0
        self._buttons = [[0, 0, 0] for _ in hello.buttons]
        self._position = 0
        self._sequence = 0
        self._lit = 0
        self._settings = [brightness, debounce_ms]
        self._buzz: int | None = None
        self._pong: int | None = None
        self._greet = True
        self._say_lit = False
        self._say_state = True
        self._asked = False
        self._state_ms = 0
        self._repeating = False  # whether all changes of the log are being sent again
        self._progress_ms = 0  # when changes were last acknowledged, or all had been sent again
        self._host_ms: int | None = None
        self.host_protocol = PROTOCOL

    # --- input from the scanner

    def begin(self, occupied: int, down: list[int]) -> None:
        """Set the initial state without logging a change.

        Args:
            occupied: the closed switches, as bits.
            down: the indexes of the pressed buttons.
        """
        self._occupied = occupied
        for index in down:
            self._buttons[index][2] = 1

    def switch_changed(self, index: int, closed: bool, now_ms: int) -> None:  # noqa: FBT001 - the switch's state
        """Log a debounced change of a switch."""
        bit = 1 << index
        if closed:
            self._occupied |= bit
        else:
            self._occupied &= ~bit
        self._keep(BoardChange(now_ms, "s", index, closed))

    def button_changed(self, index: int, down: bool, now_ms: int) -> None:  # noqa: FBT001 - the button's state
        """Log and count a debounced change of a button."""
        button = self._buttons[index]
        button[0 if down else 1] += 1
        button[2] = int(down)
        self._keep(BoardChange(now_ms, "b", index, down))

    def encoder_turned(self, steps: int, now_ms: int) -> None:
        """Log steps of the encoder; steps to the right are positive."""
        self._position += steps
        self._keep(BoardChange(now_ms, "e", 0, steps))

    def _keep(self, change: BoardChange) -> None:
        if len(self._words) == MOST_KEPT:
            del self._words[0]
            self._kept_from += 1
            self._next_to_send = max(self._next_to_send, self._kept_from)
            self._dropped += 1
        if not self._words:
            self._progress_ms = change.board_ms
        self._words.append(change.word())
        self._say_state = True

    # --- input from the host

    def receive(self, data: bytes, now_ms: int) -> "list[Lights | Buzz | Set | Update]":
        """Parse received bytes; return the orders for lights, buzzer, settings and update in the order received."""
        orders = []
        for line in self._decoder.feed(data):
            try:
                message = parse_from_host(line)
            except BadLinkMessage:
                self._bad_messages += 1
                continue
            self._host_ms = now_ms
            order = self._on_message(message, now_ms)
            if order is not None:
                orders.append(order)
        return orders

    def _on_message(
        self, message: "HelloRequest | Ack | Lights | Buzz | Set | Ping | Update", now_ms: int
    ) -> "Lights | Buzz | Set | Update | None":
        if isinstance(message, Ack):
            self._acknowledged(message, now_ms)
        elif isinstance(message, Ping):
            self._pong = message.number
        elif isinstance(message, HelloRequest):
            self.host_protocol = message.protocol
            self._greet = self._asked = True
        elif isinstance(message, Lights):
            return self._light(message)
        elif isinstance(message, Set):
            self._settings = [message.brightness, message.debounce_ms]
            self._say_state = True
            return message
        elif isinstance(message, Update):
            return message
        elif message.number != self._buzz:  # an equal number means a duplicated line
            self._buzz = message.number
            return message
        return None

    def _acknowledged(self, ack: Ack, now_ms: int) -> None:
        count = ack.number - self._kept_from + 1
        if ack.nonce != self.hello.nonce or not 0 < count <= len(self._words):
            return  # for the log of another boot, or late
        del self._words[:count]
        self._kept_from += count
        self._next_to_send = max(self._next_to_send, self._kept_from)
        self._progress_ms = now_ms

    def _light(self, lights: Lights) -> "Lights | None":
        if len(lights.colours) != self.hello.lights:
            self._bad_messages += 1
            return None
        self._say_lit = True
        if lights.frame <= self._lit:  # duplicated, or late
            return None
        self._lit = lights.frame
        return lights

    def is_linked(self, now_ms: int) -> bool:
        """Return whether a host with the same version of the link has sent a message in the last HOST_SILENT_MS."""
        heard = self._host_ms is not None and now_ms - self._host_ms < HOST_SILENT_MS
        return heard and self.host_protocol == PROTOCOL

    # --- output to the host

    def next_line(self, now_ms: int) -> "bytes | None":
        """Return the line to send now; `None` if nothing is due."""
        message = self._next_message(now_ms)
        return None if message is None else frame(message.line())

    def _next_message(self, now_ms: int) -> "Hello | BoardState | Changes | LightsAck | Pong | None":
        nonce = self.hello.nonce
        if self._greet:
            self._greet = False
            return self.hello
        if self._pong is not None:
            number, self._pong = self._pong, None
            return Pong(nonce, number, now_ms)
        if self._say_lit:
            self._say_lit = False
            return LightsAck(nonce, self._lit)
        return self._next_of_log(now_ms)

    def _next_of_log(self, now_ms: int) -> "BoardState | Changes | None":
        """Return the board's state or the next changes of the log, whichever is due; `None` if nothing is due.

        The state is due first if the host requested it, or if `STATE_MS` have passed since the last state. Otherwise
        the next changes are due. If there are none, a state is due if something changed since the last state. If the
        host acknowledges nothing for `RESEND_MS` (`STATE_MS` without a host), the whole log is sent again, from the
        oldest change to the newest. After the whole log was sent again, the same time must pass before the log is
        sent once more.
        """
        if self._asked or now_ms - self._state_ms >= STATE_MS:
            return self._state(now_ms)
        repeat_ms = self._progress_ms + (RESEND_MS if self.is_linked(now_ms) else STATE_MS)
        if self._words and not self._repeating and now_ms >= repeat_ms:
            self._next_to_send = self._kept_from
            self._repeating = True
        if self._next_to_send - self._kept_from < len(self._words):
            return self._changes(now_ms)
        return self._state(now_ms) if self._say_state else None

    def _changes(self, now_ms: int) -> Changes:
        first = self._next_to_send
        start = first - self._kept_from
        words = self._words[start : start + MOST_CHANGES]
        self._next_to_send += len(words)
        if self._repeating and self._next_to_send - self._kept_from == len(self._words):
            self._repeating = False
            self._progress_ms = now_ms
        return Changes(self.hello.nonce, first, words)

    def _state(self, now_ms: int) -> BoardState:
        self._say_state = self._asked = False
        self._state_ms = now_ms
        self._sequence += 1
        if not self.is_linked(now_ms):
            self._greet = True  # for a host that has just connected
        return BoardState(
            self.hello.nonce,
            self._sequence,
            now_ms,
            self._occupied,
            hex_digits(self.hello.files * self.hello.ranks),
            (self._kept_from, self._kept_from + len(self._words) - 1),
            self._buttons,
            self._position,
            self._lit,
            self._settings,
            [sum(self._decoder.bad), self._bad_messages, self._dropped],
        )
