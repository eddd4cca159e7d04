"""The main loop of the board: scan, debounce, report to the host, execute its orders. Nothing here blocks."""

from captains_table.link.debounce import BUTTON_MS, Debounce
from captains_table.link.from_board import PROTOCOL
from captains_table.link.from_host import Buzz, Lights, Set, Update
from firmware.lights import LINKED, LOST, MISMATCH

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Sequence

    from captains_table.link.board import BoardEnd
    from firmware.buzzer import Buzzer
    from firmware.encoder import Encoder
    from firmware.lights import Lights as LightStrip
    from firmware.matrix import Matrix
    from firmware.pins import Pin
    from firmware.stdio import Stdio


class Parts:
    """The hardware parts of a board; encoder, lights and buzzer may be missing (None)."""

    def __init__(self, matrix: "Matrix", buttons: "Sequence[Pin]") -> None:
        self.matrix = matrix
        self.buttons = buttons
        self.encoder: tuple[Encoder, Pin, Pin] | None = None
        self.lights: LightStrip | None = None
        self.buzzer: Buzzer | None = None


class BoardLoop:
    """The loop of one board with its end of the link. A pressed button pulls its pin low."""

    def __init__(self, parts: Parts, link: "BoardEnd", stdio: "Stdio", debounce_ms: int) -> None:
        self._parts = parts
        self._link = link
        self._stdio = stdio
        self._files = link.hello.files
        self._ranks = link.hello.ranks
        self._seen = [0] * self._ranks  # each rank's switches at the last scan, not debounced
        self._seen_buttons = 0
        self._switches = Debounce(debounce_ms)
        self._buttons = Debounce(max(debounce_ms, BUTTON_MS))
        self.update_wanted = False  # whether the host wants to flash new firmware

    def begin(self) -> None:
        """Read the initial state of switches and buttons, without reporting a change."""
        occupied = 0
        for rank in range(self._ranks):
            self._seen[rank] = self._parts.matrix.read(rank)
            occupied |= self._seen[rank] << rank * self._files
        self._seen_buttons = self._pressed()
        down = [i for i in range(len(self._parts.buttons)) if self._seen_buttons >> i & 1]
        self._switches.begin([i for i in range(self._files * self._ranks) if occupied >> i & 1])
        self._buttons.begin(down)
        self._link.begin(occupied, down)

    def step(self, now_ms: int) -> None:
        """Run the loop once: scan the board, then read, show, sound and write as far as possible without blocking."""
        self._scan(now_ms)
        self._read_buttons(now_ms)
        data = self._stdio.read()
        if data:
            for order in self._link.receive(data, now_ms):
                self._execute(order, now_ms)
        self._shine_and_sound(now_ms)
        if self._stdio.is_free():
            line = self._link.next_line(now_ms)
            if line is not None:
                self._stdio.write(line)
        self._stdio.flush()

    def _scan(self, now_ms: int) -> None:
        for rank in range(self._ranks):
            self._sample_encoder(now_ms)
            bits = self._parts.matrix.read(rank)
            if bits != self._seen[rank]:
                _note_flips(self._switches, rank * self._files, self._seen[rank], bits, now_ms)
                self._seen[rank] = bits
        settled = self._switches.settle(now_ms)
        while settled is not None:
            self._link.switch_changed(settled.contact, settled.closed, now_ms)
            settled = self._switches.settle(now_ms)

    def _read_buttons(self, now_ms: int) -> None:
        pressed = self._pressed()
        if pressed != self._seen_buttons:
            _note_flips(self._buttons, 0, self._seen_buttons, pressed, now_ms)
            self._seen_buttons = pressed
        settled = self._buttons.settle(now_ms)
        while settled is not None:
            self._link.button_changed(settled.contact, settled.closed, now_ms)
            settled = self._buttons.settle(now_ms)

    def _sample_encoder(self, now_ms: int) -> None:
        """Read the encoder; called between two ranks, as it must be read far more often than the board is scanned."""
        if self._parts.encoder is not None:
            encoder, a, b = self._parts.encoder
            notches = encoder.sample(a.value(), b.value())
            if notches:
                self._link.encoder_turned(notches, now_ms)

    def _pressed(self) -> int:
        bits = 0
        for i in range(len(self._parts.buttons)):
            if not self._parts.buttons[i].value():
                bits |= 1 << i
        return bits

    def _execute(self, order: "Lights | Buzz | Set | Update", now_ms: int) -> None:
        lights = self._parts.lights
        if isinstance(order, Lights):
            if lights is not None:
                lights.show(order.colours)
        elif isinstance(order, Buzz):
            if self._parts.buzzer is not None:
                self._parts.buzzer.play(order.tones, now_ms)
        elif isinstance(order, Set):
            self._switches.settle_ms = order.debounce_ms
            self._buttons.settle_ms = max(order.debounce_ms, BUTTON_MS)
            if lights is not None:
                lights.dim(order.brightness)
        else:
            self.update_wanted = True

    def _shine_and_sound(self, now_ms: int) -> None:
        if self._parts.lights is not None:
            mode = LINKED if self._link.is_linked(now_ms) else LOST
            if self._link.host_protocol != PROTOCOL:
                mode = MISMATCH
            self._parts.lights.tick(mode, now_ms)
        if self._parts.buzzer is not None:
            self._parts.buzzer.tick(now_ms)


def _note_flips(debounce: Debounce, first: int, before: int, bits: int, now_ms: int) -> None:
    """Pass the changed bits of a line to its debounce; bit 0 is the contact `first`."""
    flipped = before ^ bits
    while flipped:
        if flipped & 1:
            debounce.changed(first, bool(bits & 1), now_ms)
        flipped >>= 1
        bits >>= 1
        first += 1
