"""Composes and sends the light frames of a board on a serial line, at the pace at which the board shows them."""

from collections.abc import Mapping

from captains_table.devices.lights.compositor import Compositor, Frame
from captains_table.devices.lights.palette import quantised_colour
from captains_table.games.contract import Shape, Square
from captains_table.link.from_board import Hello
from captains_table.link.from_host import DARK, colour_code
from captains_table.link.host import HostEnd
from captains_table.table.model.view import LightMeaning

FRAME_MS = 150
"""The longest wait for the board's answer that it shows a frame; then the next frame is sent without the answer."""

BUTTON = colour_code(1, 1, 1)


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
        return ("".join(lit.get(square, DARK) for square in really) + BUTTON)[: hello.lights]
