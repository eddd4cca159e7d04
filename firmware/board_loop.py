"""What the board does, over and over: scan, tell, heed. Nothing in here waits."""

from captains_table.link.from_board import PROTOCOL
from captains_table.link.from_host import Buzz, Lights, Set, Update
from firmware.debounce import Debounce
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
    """What a board is made of; the encoder's two pins, the lights and the buzzer may be missing."""

    def __init__(self, matrix: "Matrix", buttons: "Sequence[Pin]") -> None:
        self.matrix = matrix
        self.buttons = buttons
        self.encoder: tuple[Encoder, Pin, Pin] | None = None
        self.lights: LightStrip | None = None
        self.buzzer: Buzzer | None = None


class BoardLoop:
    """One board with its end of the link. Buttons pull their pins low."""

    def __init__(self, parts: Parts, link: "BoardEnd", stdio: "Stdio", settle_ms: int) -> None:
        self._parts = parts
        self._link = link
        self._stdio = stdio
        self._files = link.hello.files
        self._ranks = link.hello.ranks
        self._switches = Debounce(self._ranks, self._files, settle_ms)
        self._buttons = Debounce(1, len(parts.buttons), settle_ms)
        self.update_wanted = False  # the host wants to put new firmware on the board

    def begin(self) -> None:
        """Take in how everything stands; that is no change."""
        occupied = 0
        for rank in range(self._ranks):
            bits = self._parts.matrix.read(rank)
            self._switches.begin(rank, bits)
            occupied |= bits << rank * self._files
        pressed = self._pressed()
        self._buttons.begin(0, pressed)
        self._link.begin(occupied, [i for i in range(len(self._parts.buttons)) if pressed >> i & 1])

    def step(self, now_ms: int) -> None:
        """Do everything once: a whole scan, and what can be read, shown, sounded and written without waiting."""
        for rank in range(self._ranks):
            self._sample_encoder(now_ms)
            self._switches.read(rank, self._parts.matrix.read(rank), now_ms, self._switch_changed)
        self._buttons.read(0, self._pressed(), now_ms, self._button_changed)
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

    def _sample_encoder(self, now_ms: int) -> None:
        """Look at the encoder; between two ranks, so that it is seen far more often than the board is scanned."""
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

    def _switch_changed(self, rank: int, file: int, closed: bool, now_ms: int) -> None:  # noqa: FBT001 - as Debounce calls
        self._link.switch_changed(rank * self._files + file, closed, now_ms)

    def _button_changed(self, _: int, button: int, down: bool, now_ms: int) -> None:  # noqa: FBT001 - as Debounce calls
        self._link.button_changed(button, down, now_ms)

    def _execute(self, order: "Lights | Buzz | Set | Update", now_ms: int) -> None:
        lights = self._parts.lights
        if isinstance(order, Lights):
            if lights is not None:
                lights.show(order.colours)
        elif isinstance(order, Buzz):
            if self._parts.buzzer is not None:
                self._parts.buzzer.play(order.tones, now_ms)
        elif isinstance(order, Set):
            self._switches.settle_ms = self._buttons.settle_ms = order.debounce_ms
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
