"""The messages from the host to the board, their parser, and the characters that encode the colours of lights.

The messages are greeting request, acknowledgement, lights, tones, settings, ping and update. Also runs on the board
(MicroPython).
"""

from .fields import BadLinkMessage, expect_word_count, format_hex, parse_count, parse_hex
from .from_board import LONGEST_SIDE, NONCE_DIGITS

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_TONES = 16
LOWEST_HZ = 20  # the Pico refuses tones below 8 Hz; 0 is silence
HIGHEST_HZ = 20_000
LONGEST_TONE_MS = 5_000
BRIGHTEST = 100
LONGEST_DEBOUNCE_MS = 50

DARK = "0"
_FIRST_COLOUR = 48  # the character 0; the 64 colours are the characters from 0 to o
_LAST_COLOUR = 111
_LEVELS = 4  # of red, green and blue


def colour_code(red: int, green: int, blue: int) -> str:
    """Return the character that encodes a colour; each component is 0 (dark) to 3 (bright)."""
    return chr(_FIRST_COLOUR + 16 * red + 4 * green + blue)


def colour_levels(code: int) -> tuple[int, int, int]:
    """Return red, green and blue (0 to 3) of a colour, given the code point of the character for the colour."""
    number = code - _FIRST_COLOUR
    return number >> 4, number >> 2 & 3, number & 3


class HelloRequest:
    """The host's request for a greeting, with the host's version of the link."""

    def __init__(self, protocol: int) -> None:
        self.protocol = protocol

    def line(self) -> str:
        return f"HELLO? {self.protocol}"


class Ack:
    """The host's acknowledgement that it has received all changes up to `number`.

    Changes are counted since the board's boot; `nonce` identifies that boot.
    """

    def __init__(self, nonce: int, number: int) -> None:
        self.nonce = nonce
        self.number = number

    def line(self) -> str:
        return f"ACK {format_hex(self.nonce, NONCE_DIGITS)} {self.number}"


class Lights:
    """A whole light frame: one colour character for each square (a1, b1, ...), then one for the button."""

    def __init__(self, frame: int, colours: str) -> None:
        self.frame = frame
        self.colours = colours

    def line(self) -> str:
        return f"LIGHTS {self.frame} {self.colours}"


class Buzz:
    """A sequence of tones, each as (hertz, milliseconds); 0 Hz is silence.

    The board ignores the sequence if its `number` equals the number of the last one: the line was sent twice.
    """

    def __init__(self, number: int, tones: list[tuple[int, int]]) -> None:
        self.number = number
        self.tones = tones

    def line(self) -> str:
        return f"BUZZ {self.number} {','.join([f'{hz}:{ms}' for hz, ms in self.tones])}"


class Set:
    """The settings: brightness of the lights in percent, and debounce time of the switches in milliseconds."""

    def __init__(self, brightness: int, debounce_ms: int) -> None:
        self.brightness = brightness
        self.debounce_ms = debounce_ms

    def line(self) -> str:
        return f"SET {self.brightness} {self.debounce_ms}"


class Ping:
    """The host's heartbeat, sent once a second; the board answers with PONG."""

    def __init__(self, number: int) -> None:
        self.number = number

    def line(self) -> str:
        return f"PING {self.number}"


class Update:
    """The order to reboot into MicroPython's prompt for new firmware; it is the same in all versions of the link."""

    def line(self) -> str:
        return "UPDATE"


def parse_from_host(line: str) -> "HelloRequest | Ack | Lights | Buzz | Set | Ping | Update":
    """Parse a payload that the host sent; raises BadLinkMessage."""
    words = line.split(" ")
    if words[0] not in _PARSERS:
        raise BadLinkMessage(f"expected one of {', '.join(sorted(_PARSERS))}, not {words[0]!r}")
    how_many, parse = _PARSERS[words[0]]
    expect_word_count(words, how_many)
    return parse(words)


def _parse_ack(words: list[str]) -> Ack:
    return Ack(parse_hex(words[1], "a boot nonce", NONCE_DIGITS), parse_count(words[2], "a change's number"))


def _parse_lights(words: list[str]) -> Lights:
    codes = words[2].encode()
    if not 0 < len(codes) <= LONGEST_SIDE * LONGEST_SIDE + 1:
        raise BadLinkMessage(f"expected a colour for each light, not {words[2]!r}")
    if min(codes) < _FIRST_COLOUR or max(codes) > _LAST_COLOUR:
        raise BadLinkMessage(f"expected colours from 0 to o, not {words[2]!r}")
    return Lights(parse_count(words[1], "a light frame"), words[2])


def _parse_buzz(words: list[str]) -> Buzz:
    tones = words[2].split(",")
    if len(tones) > MOST_TONES:
        raise BadLinkMessage(f"expected up to {MOST_TONES} tones, not {len(tones)}")
    return Buzz(parse_count(words[1], "a buzz's number"), [_parse_tone(tone) for tone in tones])


def _parse_tone(word: str) -> tuple[int, int]:
    hertz, colon, length = word.partition(":")
    if not colon:
        raise BadLinkMessage(f"expected a tone like 440:200, not {word!r}")
    pitch = parse_count(hertz, "hertz", HIGHEST_HZ)
    if 0 < pitch < LOWEST_HZ:
        raise BadLinkMessage(f"expected at least {LOWEST_HZ} hertz, or 0 for silence, not {pitch}")
    return pitch, parse_count(length, "milliseconds", LONGEST_TONE_MS)


def _parse_set(words: list[str]) -> Set:
    brightness = parse_count(words[1], "percent", BRIGHTEST)
    debounce_ms = parse_count(words[2], "milliseconds", LONGEST_DEBOUNCE_MS)
    if not debounce_ms:
        raise BadLinkMessage("expected at least 1 ms of debounce, not 0")
    return Set(brightness, debounce_ms)


# For each first word of a message: the message's number of words, and its parser.
_PARSERS: "dict[str, tuple[int, Callable[[list[str]], HelloRequest | Ack | Lights | Buzz | Set | Ping | Update]]]" = {
    "HELLO?": (2, lambda words: HelloRequest(parse_count(words[1], "a version of the link"))),
    "ACK": (3, _parse_ack),
    "LIGHTS": (3, _parse_lights),
    "BUZZ": (3, _parse_buzz),
    "SET": (3, _parse_set),
    "PING": (2, lambda words: Ping(parse_count(words[1], "a ping's number"))),
    "UPDATE": (1, lambda _: Update()),
}
