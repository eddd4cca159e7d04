"""Short light signals for what just happened: pictures of the whole board that run for a while and end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.devices.lights.palette import GREEN, PURPLE, VERMILION, WHITE, YELLOW, Colour
from captains_table.games.contract import Shape, Square
from captains_table.table.model.events import SignalKind

Frame = Mapping[Square, Colour]
STEP_MS: Final = 90  # how long one picture stands: slow enough for the eye, fast enough to run
TRAIL: Final = 2  # how many squares broad a wave is


@dataclass(frozen=True, slots=True)
class Effect:
    """A signal under way.

    Attributes:
        draw: what it paints over the board in a step; black is dark, a square left out keeps its mark.
        steps: how many pictures it has.
        began_ms: when it began.
    """

    draw: Callable[[int], Frame]
    steps: int
    began_ms: int

    @property
    def ends_ms(self) -> int:
        """When it is over."""
        return self.began_ms + self.steps * STEP_MS

    def frame(self, now_ms: int) -> Frame:
        """Return what it paints at a time; nothing before and after."""
        return self.draw((now_ms - self.began_ms) // STEP_MS) if self.began_ms <= now_ms < self.ends_ms else {}

    def next_change_ms(self, now_ms: int) -> int:
        """Return when its picture changes next."""
        return now_ms + STEP_MS - (now_ms - self.began_ms) % STEP_MS


def effect_of(kind: str, square: Square | None, shape: Shape, now_ms: int) -> Effect | None:
    """Return the effect of a signal (`SignalKind`), none for one that has no light."""
    begin = _BEGINNINGS.get(kind)
    if begin is None:
        return None
    where = square if square is not None and square in shape else None
    draw, steps = begin(shape, where)
    return Effect(draw, steps, now_ms)


Beginning = Callable[[Shape, Square | None], tuple[Callable[[int], Frame], int]]


def _flash(colour: Colour, other: Colour, times: int) -> Beginning:
    """Flash a square in two colours, or the edge of the board where it has no square."""

    def begin(shape: Shape, square: Square | None) -> tuple[Callable[[int], Frame], int]:
        squares = _edge(shape) if square is None else [square]
        return lambda step: dict.fromkeys(squares, colour if step % 2 == 0 else other), 2 * times

    return begin


def _wave(colour: Colour) -> Beginning:
    """Let a ring run from a square, or from the middle, to the farthest corner."""

    def begin(shape: Shape, square: Square | None) -> tuple[Callable[[int], Frame], int]:
        centre = (shape.files // 2, shape.ranks // 2) if square is None else square
        far = {other: _distance(centre, other) for other in shape.squares()}

        def draw(step: int) -> Frame:
            return {other: _faded(colour, step - away) for other, away in far.items() if 0 <= step - away <= TRAIL}

        return draw, max(far.values()) + TRAIL + 1

    return begin


def _sweep(colour: Colour) -> Beginning:
    """Let a bar run over the board, file by file, there and back."""

    def begin(shape: Shape, square: Square | None) -> tuple[Callable[[int], Frame], int]:  # noqa: ARG001 - all the same
        files = [*range(shape.files), *reversed(range(shape.files))]
        return lambda step: {Square(files[step], rank): colour for rank in range(shape.ranks)}, len(files)

    return begin


def _edge(shape: Shape) -> list[Square]:
    last = Square(shape.files - 1, shape.ranks - 1)
    return [square for square in shape.squares() if square.file in (0, last.file) or square.rank in (0, last.rank)]


def _distance(centre: tuple[int, int], square: Square) -> int:
    return max(abs(centre[0] - square.file), abs(centre[1] - square.rank))


def _faded(colour: Colour, age: int) -> Colour:
    red, green, blue = (part >> 2 * age for part in colour)
    return red, green, blue


_BEGINNINGS: Final[Mapping[str, Beginning]] = {
    SignalKind.STRIKE: _flash(VERMILION, WHITE, 4),
    SignalKind.ILLEGAL: _flash(VERMILION, (0, 0, 0), 3),
    SignalKind.TREASURE: _wave(YELLOW),
    SignalKind.KING: _wave(PURPLE),
    SignalKind.SETTLEMENT: _sweep(GREEN),  # a round was won
    SignalKind.MATCH: _sweep(WHITE),
}
