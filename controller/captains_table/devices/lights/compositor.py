"""What the lights show at a time: marks in their rhythm, and the signals that run over them."""

from collections.abc import Mapping

from captains_table.devices.lights.effects import Effect, Frame, effect_of
from captains_table.devices.lights.palette import BLACK, LOOKS, Colour
from captains_table.games.contract import Shape, Square
from captains_table.table.model.view import Lit


class Compositor:
    """The marks and signals of one board; time comes in with each call, monotonic milliseconds."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._marks: Mapping[Square, Lit] = {}
        self._effects: list[Effect] = []

    def light(self, marks: Mapping[Square, Lit]) -> None:
        """Light these squares, the others dark; squares that the board does not have are left out."""
        self._marks = {square: mark for square, mark in marks.items() if square in self._shape}

    def signal(self, kind: str, square: Square | None, now_ms: int) -> None:
        """Begin a short signal."""
        effect = effect_of(kind, square, self._shape, now_ms)
        if effect is not None:
            self._effects.append(effect)

    def frame(self, now_ms: int) -> Frame:
        """Return the colours of the squares that are lit; all others are dark."""
        self._effects = [effect for effect in self._effects if now_ms < effect.ends_ms]
        colours: dict[Square, Colour] = {
            square: LOOKS[mark].colour for square, mark in self._marks.items() if LOOKS[mark].is_lit(now_ms)
        }
        for effect in self._effects:
            colours |= effect.frame(now_ms)
        return {square: colour for square, colour in colours.items() if colour != BLACK}

    def next_change_ms(self, now_ms: int) -> int | None:
        """Return when the picture changes by itself next, none if it stands still."""
        blinks = (LOOKS[mark].next_change_ms(now_ms) for mark in set(self._marks.values()))
        steps = (effect.next_change_ms(now_ms) for effect in self._effects if now_ms < effect.ends_ms)
        return min((due_ms for due_ms in (*blinks, *steps) if due_ms is not None), default=None)
