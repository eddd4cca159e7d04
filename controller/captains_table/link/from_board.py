"""The messages from the board to the host: greeting, state, changes, light frame shown, answer to a ping.

Each message has a `line` (the payload of a frame), which `from_board_parser` parses. Also runs on the board
(MicroPython).
"""

from .fields import format_hex

PROTOCOL = 1
FIRMWARE = "0.3.0"  # the firmware version of this program; the board sends its own in its greeting
NONCE_DIGITS = 8
LONGEST_SIDE = 9
MOST_CHANGES = 12  # changes in one line
BUTTONS = ("roll", "choose", "next", "back")  # choose is the encoder's push


class Hello:
    """The board's greeting, sent when the board boots and on request.

    While no host sends messages, the board also sends the greeting after each message with its state.
    `nonce` is a random number drawn at each boot. `lights` is the number of lights: one for each square and one in the
    button, or 0 for a board without lights. `buttons` are names from BUTTONS, in the order of their indexes.
    """

    def __init__(self, firmware: str, files: int, ranks: int, nonce: int, abilities: "Abilities") -> None:
        self.protocol = PROTOCOL
        self.firmware = firmware
        self.files = files
        self.ranks = ranks
        self.nonce = nonce
        self.lights = abilities.lights
        self.buttons = abilities.buttons
        self.encoder = abilities.encoder
        self.buzzer = abilities.buzzer

    def line(self) -> str:
        abilities = "lights=%d buttons=%s encoder=%d buzzer=%d"
        able = abilities % (self.lights, ",".join(self.buttons) or "none", self.encoder, self.buzzer)
        nonce = format_hex(self.nonce, NONCE_DIGITS)
        return f"HELLO {self.protocol} {self.firmware} {self.files}x{self.ranks} {nonce} {able}"


class Abilities:
    """The equipment of a board besides its switches."""

    def __init__(self, lights: int, buttons: tuple[str, ...], encoder: bool, buzzer: bool) -> None:  # noqa: FBT001
        self.lights = lights
        self.buttons = buttons
        self.encoder = encoder
        self.buzzer = buzzer


class BoardState:
    """The state of the whole board.

    `nonce` identifies the board's boot, `sequence` numbers the states since that boot, and `board_ms` is the board's
    time.

    `occupied` has bit `rank * files + file` set for each closed switch; it is sent as `digits` hex digits. `buttons`
    holds, for each button, the presses and releases since the boot and whether it is down now. `position` is the number
    of the encoder's steps to the right. `kept_from` and `latest` are the numbers of the oldest and the newest change
    in the board's log, counted from 1. `lit` is the number of the light frame shown. `settings` holds the brightness in
    percent and the debounce time in ms. `errors` holds the counts of bad lines, bad messages and dropped changes.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the line has as many words
        self,
        nonce: int,
        sequence: int,
        board_ms: int,
        occupied: int,
        digits: int,
        log: tuple[int, int],
        buttons: list[list[int]],
        position: int,
        lit: int,
        settings: list[int],
        errors: list[int],
    ) -> None:
        self.nonce = nonce
        self.sequence = sequence
        self.board_ms = board_ms
        self.occupied = occupied
        self.digits = digits
        self.kept_from, self.latest = log
        self.buttons = buttons
        self.position = position
        self.lit = lit
        self.settings = settings
        self.errors = errors

    def line(self) -> str:
        words = [
            "STATE",
            format_hex(self.nonce, NONCE_DIGITS),
            str(self.sequence),
            str(self.board_ms),
            format_hex(self.occupied, self.digits),
            f"{self.kept_from},{self.latest}",
            ";".join([_commas(button) for button in self.buttons]) or "none",
            str(self.position),
            str(self.lit),
            _commas(self.settings),
            _commas(self.errors),
        ]
        return " ".join(words)


class BoardChange:
    """One logged change: of kind `s` (switch closed or opened), `b` (button down or up) or `e` (encoder turned).

    `index` is the index of the switch or button, and 0 for the encoder. `value` is 1 for closed or down and 0 for open
    or up; for the encoder it is the number of steps to the right, negative if it was turned to the left.
    """

    def __init__(self, board_ms: int, kind: str, index: int, value: int) -> None:
        self.board_ms = board_ms
        self.kind = kind
        self.index = index
        self.value = value

    def word(self) -> str:
        """Return the change as a word of a CHANGES line, such as `1200:s12+`."""
        if self.kind == "e":
            return f"{self.board_ms}:e{self.value}"
        return f"{self.board_ms}:{self.kind}{self.index}{'+' if self.value else '-'}"


class Changes:
    """Consecutive changes of the log, each encoded as a word; `first` is the number of the first change."""

    def __init__(self, nonce: int, first: int, words: list[str]) -> None:
        self.nonce = nonce
        self.first = first
        self.words = words

    def line(self) -> str:
        return f"CHANGES {format_hex(self.nonce, NONCE_DIGITS)} {self.first} {' '.join(self.words)}"


class LightsAck:
    """The confirmation that the board shows the light frame with this number."""

    def __init__(self, nonce: int, frame: int) -> None:
        self.nonce = nonce
        self.frame = frame

    def line(self) -> str:
        return f"LIT {format_hex(self.nonce, NONCE_DIGITS)} {self.frame}"


class Pong:
    """The answer to a ping, with the board's time in milliseconds."""

    def __init__(self, nonce: int, number: int, board_ms: int) -> None:
        self.nonce = nonce
        self.number = number
        self.board_ms = board_ms

    def line(self) -> str:
        return f"PONG {format_hex(self.nonce, NONCE_DIGITS)} {self.number} {self.board_ms}"


def hex_digits(switches: int) -> int:
    """Return how many hex digits a bit mask for this number of switches has."""
    return (switches + 3) // 4


def _commas(numbers: list[int]) -> str:
    return ",".join([str(number) for number in numbers])
