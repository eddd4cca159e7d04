"""What every kind of light shows: a colour and a rhythm for each mark, and short effects for what just happened.

Hues alone tell nothing to the colour-blind: marks that share a rhythm differ in brightness by a factor.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from captains_table.games.contract import Square
from captains_table.table.view import Mark

BRIGHTEST = 3


class Colour(NamedTuple):
    """Red, green and blue, each 0 (dark) to 3 (`BRIGHTEST`)."""

    red: int
    green: int
    blue: int


DARK = Colour(0, 0, 0)
WHITE = Colour(3, 3, 3)
GOLD = Colour(3, 2, 0)
RED = Colour(3, 0, 0)


class Rhythm(Enum):
    """How a light goes on and off: (milliseconds lit, milliseconds dark)."""

    STEADY = (1, 0)
    WINK = (1350, 150)
    SLOW = (500, 500)
    FAST = (150, 150)
    FLASH = (150, 1350)

    def is_lit(self, at_ms: int) -> bool:
        """Return whether it is lit at a time; all lights of a rhythm go together."""
        lit_ms, dark_ms = self.value
        return at_ms % (lit_ms + dark_ms) < lit_ms

    def turns_ms(self, at_ms: int) -> int | None:
        """Return when it next goes on or off after a time, none if it does not."""
        lit_ms, dark_ms = self.value
        if not dark_ms:
            return None
        into_ms = at_ms % (lit_ms + dark_ms)
        return at_ms - into_ms + (lit_ms if into_ms < lit_ms else lit_ms + dark_ms)


@dataclass(frozen=True, slots=True)
class Glow:
    """How a mark is shown."""

    colour: Colour
    rhythm: Rhythm = Rhythm.STEADY


GLOWS: Mapping[Mark, Glow] = {
    Mark.MAY_MOVE: Glow(Colour(0, 0, 2)),
    Mark.LAST_MOVE: Glow(Colour(1, 1, 0)),
    Mark.TARGET: Glow(Colour(0, 3, 1)),
    Mark.KING_TAKEN: Glow(Colour(2, 0, 2), Rhythm.WINK),
    Mark.TREASURE: Glow(Colour(2, 1, 0), Rhythm.WINK),
    Mark.STRIKE: Glow(WHITE, Rhythm.WINK),
    Mark.PUT_HERE: Glow(Colour(0, 3, 3), Rhythm.SLOW),
    Mark.NOT_THIS_DIE: Glow(Colour(1, 0, 3), Rhythm.FAST),
    Mark.TAKE_AWAY: Glow(Colour(3, 1, 0), Rhythm.FAST),
    Mark.FAULTY: Glow(RED, Rhythm.FLASH),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """What a signal lights for a moment: its square, or the whole board, so many times on and off."""

    colour: Colour
    times: int
    lit_ms: int
    dark_ms: int
    whole_board: bool = False


EFFECTS: Mapping[str, Effect] = {
    "strike": Effect(WHITE, 3, 80, 80),
    "treasure": Effect(GOLD, 4, 120, 80),
    "king": Effect(RED, 3, 200, 150, whole_board=True),
}

Tones = list[tuple[int, int]]
TONES: Mapping[str, Tones] = {
    "strike": [(880, 80), (0, 30), (1175, 120)],
    "treasure": [(784, 90), (988, 90), (1175, 90), (1568, 180)],
    "king": [(392, 200), (0, 50), (392, 100), (523, 100), (659, 100), (784, 400)],
}
"""What a buzzer sounds for a signal: (hertz, milliseconds) each, 0 Hz is silence."""


class LightShow:
    """What the lights of a board show from moment to moment; time comes in with each call."""

    def __init__(self) -> None:
        self._marks: Mapping[Square, Mark] = {}
        self._effect: tuple[Effect, Square | None, int] | None = None

    def light(self, marks: Mapping[Square, Mark]) -> None:
        """Light these squares, the others dark."""
        self._marks = dict(marks)

    def signal(self, kind: str, square: Square | None, now_ms: int) -> None:
        """Begin the effect of a signal, if it has one; it takes the place of the last one."""
        effect = EFFECTS.get(kind)
        if effect is not None and (square is not None or effect.whole_board):
            self._effect = (effect, square, now_ms)

    def colours(self, squares: Iterable[Square], now_ms: int) -> list[Colour]:
        """Return what each square shows now, in their order."""
        over = self._over(now_ms)
        return [self._colour(square, over, now_ms) for square in squares]

    def due_ms(self, now_ms: int) -> int | None:
        """Return when something changes by itself next, none if nothing does."""
        rhythms = {GLOWS[mark].rhythm for mark in self._marks.values()}
        turns = [rhythm.turns_ms(now_ms) for rhythm in rhythms]
        if self._over(now_ms) is not None and self._effect is not None:
            effect, _, since_ms = self._effect
            into_ms = (now_ms - since_ms) % (effect.lit_ms + effect.dark_ms)
            length_ms = effect.lit_ms if into_ms < effect.lit_ms else effect.lit_ms + effect.dark_ms
            turns.append(now_ms - into_ms + length_ms)
        return min((turn for turn in turns if turn is not None), default=None)

    def _over(self, now_ms: int) -> tuple[Colour, Square | None] | None:
        """Return what the effect that runs lays over the marks: a colour, and where if not everywhere."""
        if self._effect is None:
            return None
        effect, square, since_ms = self._effect
        times, into_ms = divmod(now_ms - since_ms, effect.lit_ms + effect.dark_ms)
        if times >= effect.times:
            return None
        colour = effect.colour if into_ms < effect.lit_ms else DARK
        return colour, None if effect.whole_board else square

    def _colour(self, square: Square, over: tuple[Colour, Square | None] | None, now_ms: int) -> Colour:
        if over is not None and over[1] in (None, square):
            return over[0]
        mark = self._marks.get(square)
        if mark is None:
            return DARK
        glow = GLOWS[mark]
        return glow.colour if glow.rhythm.is_lit(now_ms) else DARK
