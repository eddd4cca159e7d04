"""Drives the lights: shows the host's frames while it is connected, else dark squares and a blinking button."""

from captains_table.link.from_host import colour_levels

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.pins import Strip

LINKED = 0
LOST = 1
MISMATCH = 2

_LEVELS = (0, 28, 113, 255)  # grow with the square, so that the eye sees equal steps
_DARK = (0, 0, 0)
_MILLIAMPERES = 20  # of one colour of a light, fully on (WS2812B data sheet)
_EACH_MS = 20  # the least time between two writes, as a write blocks the Pico for 30 us per light
_BLINKS = {LOST: (1000, (3, 1, 0)), MISMATCH: (250, (3, 0, 0))}  # half a period in ms, and red, green, blue


class Lights:
    """The lights of the board: one for each square, a1 first, and the button's last."""

    def __init__(self, strip: "Strip", chain: "Sequence[int]", brightness: int, most_milliamperes: int) -> None:
        """Use a strip of lights.

        Args:
            strip: the chain of NeoPixels.
            chain: each light's place in the strip.
            brightness: percent.
            most_milliamperes: current limit of all lights' colours together; a frame that needs more is dimmed.
        """
        self._strip = strip
        self._chain = chain
        self._most_milliamperes = most_milliamperes
        self.brightness = brightness
        self._frame = b""
        self._shown = [_DARK] * len(chain)
        self._mode = LOST
        self._blink = False
        self._dirty = True
        self._written_ms = -_EACH_MS

    def show(self, colours: str) -> None:
        """Set the frame to show: one colour character per light."""
        self._frame = colours.encode()
        self._dirty = True

    def dim(self, brightness: int) -> None:
        """Set the brightness in percent."""
        self.brightness = brightness
        self._dirty = True

    def tick(self, mode: int, now_ms: int) -> None:
        """Write changed colours, at most every _EACH_MS; `mode` is the state of the link: LINKED, LOST or MISMATCH."""
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
        if self._mode == LINKED:
            scale = self._scale()
            colours = {code: _colour(colour_levels(code), scale) for code in set(self._frame)}
            for light in range(len(self._chain)):
                self._put(light, colours[self._frame[light]] if light < len(self._frame) else _DARK)
        else:
            button = len(self._chain) - 1
            for light in range(button):
                self._put(light, _DARK)
            self._put(button, _colour(_BLINKS[self._mode][1], self.brightness) if self._blink else _DARK)
        self._strip.write()

    def _put(self, light: int, colour: tuple[int, int, int]) -> None:
        """Set a light's colour if it differs from the current one, because setting is slow."""
        if self._shown[light] != colour:
            self._shown[light] = colour
            self._strip[self._chain[light]] = colour

    def _scale(self) -> int:
        """Return the percentage for the frame: the brightness, or less to keep the current within its limit."""
        sums = {code: sum([_LEVELS[level] for level in colour_levels(code)]) for code in set(self._frame)}
        total = sum([sums[code] for code in self._frame])
        supplied = self._most_milliamperes * 255 * 100
        if total * _MILLIAMPERES * self.brightness <= supplied:
            return self.brightness
        return supplied // (total * _MILLIAMPERES)


def _colour(levels: tuple[int, int, int], scale: int) -> tuple[int, int, int]:
    """Convert levels from 0 to 3 to red, green and blue from 0 to 255, at a percentage of brightness."""
    red, green, blue = levels
    return _LEVELS[red] * scale // 100, _LEVELS[green] * scale // 100, _LEVELS[blue] * scale // 100
