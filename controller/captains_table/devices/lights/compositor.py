"""Composes the frames that the lights show: blinking marks, and short effects (flash, wave, sweep) drawn over them.

One table has the colour and blink rhythm of every mark and every lit thing, for all kinds of lights. Each mark and each
thing has its own rhythm. By the rhythm, colour-blind people can tell marks and things apart, and so can everybody on a
board with lights of one colour. The colours are also far apart for colour-blind eyes (Okabe and Ito, "Color Universal
Design", 2008). They are more saturated than in that source, because LEDs need it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import Shape, Square, Thing
from captains_table.table.model.events import SignalKind
from captains_table.table.model.view import LightMeaning, Mark

Rgb = tuple[int, int, int]
Frame = Mapping[Square, Rgb]
STEP_MS: Final = 90  # how long one step of an effect is shown: slow enough to see, fast enough to look like motion
TRAIL: Final = 2  # how many squares the fading tail of a wave is long

DARK_RGB: Final[Rgb] = (0, 0, 0)
WHITE_RGB: Final[Rgb] = (255, 255, 255)
BLUE: Final[Rgb] = (0, 40, 120)
SKY: Final[Rgb] = (40, 150, 255)
GREEN: Final[Rgb] = (0, 160, 70)
YELLOW: Final[Rgb] = (255, 220, 20)
ORANGE: Final[Rgb] = (255, 110, 0)
VERMILION: Final[Rgb] = (255, 40, 0)
PURPLE: Final[Rgb] = (200, 40, 160)
DIM: Final[Rgb] = (60, 40, 0)
IVORY: Final[Rgb] = (255, 190, 110)
VIOLET: Final[Rgb] = (90, 0, 200)
BRONZE: Final[Rgb] = (110, 70, 0)


@dataclass(frozen=True, slots=True)
class LightStyle:
    """A colour and a blink rhythm of a light.

    Attributes:
        colour: the colour while the light is lit.
        rhythm_ms: the durations in milliseconds for which the light is lit, dark, lit, and so on, repeated without end;
            empty for a light that is always lit.
    """

    colour: Rgb
    rhythm_ms: tuple[int, ...] = ()

    def is_lit(self, now_ms: int) -> bool:
        """Return whether the light is lit at a time; equal rhythms blink in step."""
        return self._turn(now_ms)[0] % 2 == 0

    def next_change_ms(self, now_ms: int) -> int | None:
        """Return the time at which the light is next switched on or off; `None` if it is always lit."""
        return now_ms + self._turn(now_ms)[1] if self.rhythm_ms else None

    def _turn(self, now_ms: int) -> tuple[int, int]:
        """Return the index of the current phase in `rhythm_ms` (even: lit) and its remaining milliseconds."""
        if not self.rhythm_ms:
            return 0, 0
        left = now_ms % sum(self.rhythm_ms)
        for turn, lasts in enumerate(self.rhythm_ms):
            if left < lasts:
                return turn, lasts - left
            left -= lasts
        raise AssertionError("a time modulo a period lies within the period")


LOOKS: Final[Mapping[LightMeaning, LightStyle]] = {
    Mark.LAST_MOVE: LightStyle(BLUE, (1850, 150)),
    Mark.SPOKEN_OF: LightStyle(SKY, (1200, 600)),
    Mark.MAY_MOVE: LightStyle(GREEN),
    Mark.TARGET: LightStyle(SKY, (500, 500)),
    Mark.STRIKE: LightStyle(VERMILION, (125, 125)),
    Mark.TREASURE: LightStyle(YELLOW, (100, 100, 100, 700)),
    Mark.KING_TAKEN: LightStyle(PURPLE, (100, 100, 100, 100, 100, 500)),
    Mark.PUT_HERE: LightStyle(WHITE_RGB, (800, 200)),
    Mark.TAKE_AWAY: LightStyle(VERMILION, (250, 250)),
    Mark.NOT_THIS_DIE: LightStyle(ORANGE, (200, 800)),
    Mark.FAULTY: LightStyle(DIM, (50, 1950)),
    Thing.WHITE_CROWN: LightStyle(IVORY, (2400, 100)),
    Thing.BLACK_CROWN: LightStyle(VIOLET, (2200, 100, 100, 100)),
    Thing.HALF_PRICE: LightStyle(BRONZE, (400, 1100)),
}


def quantised_colour(colour: Rgb, levels: int = 3) -> Rgb:
    """Reduce each component of a colour to a whole number, 0 to `levels`; round up so that a faint light stays lit."""
    red, green, blue = (-(-part * levels // 255) for part in colour)
    return red, green, blue


@dataclass(frozen=True, slots=True)
class LightEffect:
    """A running light effect of a signal.

    Attributes:
        draw: returns the colours that a step of the effect draws over the marks. `DARK_RGB` darkens a square, and a
            square that is left out keeps its mark. Steps are counted from 0.
        steps: the number of steps, each STEP_MS long.
        began_ms: the start time in monotonic milliseconds.
    """

    draw: Callable[[int], Frame]
    steps: int
    began_ms: int

    @property
    def ends_ms(self) -> int:
        """The end of the effect in monotonic milliseconds."""
        return self.began_ms + self.steps * STEP_MS

    def frame(self, now_ms: int) -> Frame:
        """Return the colours that the effect draws at a time; none before its start and after its end."""
        return self.draw((now_ms - self.began_ms) // STEP_MS) if self.began_ms <= now_ms < self.ends_ms else {}

    def next_change_ms(self, now_ms: int) -> int:
        """Return the time of the next step."""
        return now_ms + STEP_MS - (now_ms - self.began_ms) % STEP_MS


def effect_of(kind: str, square: Square | None, shape: Shape, now_ms: int) -> LightEffect | None:
    """Return the effect of a signal (`SignalKind`); `None` if the signal has no light effect.

    A signal for a square outside the board is treated like a signal without a square.
    """
    begin = _EFFECT_FACTORIES.get(kind)
    if begin is None:
        return None
    where = square if square is not None and square in shape else None
    draw, steps = begin(shape, where)
    return LightEffect(draw, steps, now_ms)


_EffectFactory = Callable[[Shape, Square | None], tuple[Callable[[int], Frame], int]]


def _flash(colour: Rgb, other: Rgb, times: int) -> _EffectFactory:
    """Return the factory of an effect that flashes in two alternating colours.

    The signal's square flashes; without a square, the board's edge does.
    """

    def begin(shape: Shape, square: Square | None) -> tuple[Callable[[int], Frame], int]:
        last_file, last_rank = shape.files - 1, shape.ranks - 1
        edge = [at for at in shape.squares() if at.file in (0, last_file) or at.rank in (0, last_rank)]
        squares = edge if square is None else [square]
        return lambda step: dict.fromkeys(squares, colour if step % 2 == 0 else other), 2 * times

    return begin


def _wave(colour: Rgb) -> _EffectFactory:
    """Return the factory of an effect in which a ring grows from the signal's square to the farthest corner.

    Without a square, the ring grows from the middle of the board.
    """

    def begin(shape: Shape, square: Square | None) -> tuple[Callable[[int], Frame], int]:
        centre = (shape.files // 2, shape.ranks // 2) if square is None else square
        far = {at: max(abs(centre[0] - at.file), abs(centre[1] - at.rank)) for at in shape.squares()}

        def draw(step: int) -> Frame:
            return {other: _faded(colour, step - away) for other, away in far.items() if 0 <= step - away <= TRAIL}

        return draw, max(far.values()) + TRAIL + 1

    return begin


def _sweep(colour: Rgb) -> _EffectFactory:
    """Return the factory of an effect in which a bar runs over the board, file by file, back and forth."""

    def begin(shape: Shape, square: Square | None) -> tuple[Callable[[int], Frame], int]:  # noqa: ARG001 - as the others
        files = [*range(shape.files), *reversed(range(shape.files))]
        return lambda step: {Square(files[step], rank): colour for rank in range(shape.ranks)}, len(files)

    return begin


def _faded(colour: Rgb, age: int) -> Rgb:
    red, green, blue = (part >> 2 * age for part in colour)
    return red, green, blue


_EFFECT_FACTORIES: Final[Mapping[str, _EffectFactory]] = {
    SignalKind.STRIKE: _flash(VERMILION, WHITE_RGB, 4),
    SignalKind.ILLEGAL: _flash(VERMILION, DARK_RGB, 3),
    SignalKind.TREASURE: _wave(YELLOW),
    SignalKind.KING: _wave(PURPLE),
    SignalKind.SETTLEMENT: _sweep(GREEN),  # a round was won
    SignalKind.MATCH: _sweep(WHITE_RGB),
}


class Compositor:
    """Composes the marks and effects of one board into frames; callers pass the time in monotonic milliseconds."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._marks: Mapping[Square, LightMeaning] = {}
        self._effects: list[LightEffect] = []

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        """Replace the marks; squares that the board does not have are ignored."""
        self._marks = {square: mark for square, mark in marks.items() if square in self._shape}

    def signal(self, kind: str, square: Square | None, now_ms: int) -> None:
        """Start the effect of a signal, if it has one."""
        effect = effect_of(kind, square, self._shape, now_ms)
        if effect is not None:
            self._effects.append(effect)

    def frame(self, now_ms: int) -> Frame:
        """Return the colours of the lit squares at a time; all others are dark."""
        self._effects = [effect for effect in self._effects if now_ms < effect.ends_ms]
        colours: dict[Square, Rgb] = {
            square: LOOKS[mark].colour for square, mark in self._marks.items() if LOOKS[mark].is_lit(now_ms)
        }
        for effect in self._effects:
            colours |= effect.frame(now_ms)
        return {square: colour for square, colour in colours.items() if colour != DARK_RGB}

    def next_change_ms(self, now_ms: int) -> int | None:
        """Return the time of the next change by a blink or an effect; `None` if nothing changes."""
        blinks = (LOOKS[mark].next_change_ms(now_ms) for mark in set(self._marks.values()))
        steps = (effect.next_change_ms(now_ms) for effect in self._effects if now_ms < effect.ends_ms)
        return min((due_ms for due_ms in (*blinks, *steps) if due_ms is not None), default=None)
