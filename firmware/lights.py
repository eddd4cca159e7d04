"""The lights: the host's frames while it is there; while it is not, dark squares and a blinking button."""

from captains_table.link.from_host import colour_levels

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.pins import Strip

LINKED = 0
LOST = 1
MISMATCH = 2

_LEVELS = (0, 28, 113, 255)  # the eye sees steps alike where light grows with the square
_MILLIAMPERES = 20  # of one colour of a light, full on (WS2812B data sheet)
_EACH_MS = 20  # a write keeps the Pico busy for 30 us a light
_BLINKS = {LOST: (1000, (3, 1, 0)), MISMATCH: (250, (3, 0, 0))}  # half a period in ms, and red, green, blue


class Lights:
    """A light for each square, a1 first, and the button's own, which is the last."""

    def __init__(self, strip: "Strip", chain: "Sequence[int]", brightness: int, most_milliamperes: int) -> None:
        """Take over a strip.

        Args:
            strip: the chain of NeoPixels.
            chain: each light's place in the strip.
            brightness: percent.
            most_milliamperes: what all lights together may draw; a frame that needs more is dimmed.
        """
        self._strip = strip
        self._chain = chain
        self._most_milliamperes = most_milliamperes
        self.brightness = brightness
        self._frame = b""
        self._mode = LOST
        self._blink = False
        self._dirty = True
        self._written_ms = -_EACH_MS

    def show(self, colours: str) -> None:
        """Show a frame: a colour's character a light."""
        self._frame = colours.encode()
        self._dirty = True

    def dim(self, brightness: int) -> None:
        """Be so bright from now on, in percent."""
        self.brightness = brightness
        self._dirty = True

    def tick(self, mode: int, now_ms: int) -> None:
        """Send what has changed, if it has and the last sending is long enough ago; `mode` is how the link does."""
        if mode != self._mode:
            self._mode = mode
            self._dirty = True
        if mode != LINKED:
            blink = now_ms // _BLINKS[mode][0] % 2 == 0
            if blink != self._blink:
                self._blink = blink
                self._dirty = True
        if self._dirty and now_ms - self._written_ms >= _EACH_MS:
            self._dirty = False
            self._written_ms = now_ms
            self._write()

    def _write(self) -> None:
        scale = self._scale() if self._mode == LINKED else self.brightness
        for light in range(len(self._chain)):
            red, green, blue = self._levels(light)
            colour = (_LEVELS[red] * scale // 100, _LEVELS[green] * scale // 100, _LEVELS[blue] * scale // 100)
            self._strip[self._chain[light]] = colour
        self._strip.write()

    def _levels(self, light: int) -> tuple[int, int, int]:
        if self._mode == LINKED:
            return colour_levels(self._frame[light]) if light < len(self._frame) else (0, 0, 0)
        if light == len(self._chain) - 1 and self._blink:
            return _BLINKS[self._mode][1]
        return (0, 0, 0)

    def _scale(self) -> int:
        """Return the percent that the frame may have: the brightness, or less where the supply would not do."""
        total = 0
        for code in self._frame:
            for level in colour_levels(code):
                total += _LEVELS[level]
        milliamperes = total * _MILLIAMPERES // 255
        if milliamperes * self.brightness <= self._most_milliamperes * 100:
            return self.brightness
        return self._most_milliamperes * 100 // milliamperes
