"""The colour and blink rhythm of every mark and every lit thing, in one table for all kinds of lights.

Each mark and each thing has its own rhythm. By the rhythm, colour-blind people can tell marks and things apart, and so
can everybody on a board with lights of one colour. The colours are also far apart for colour-blind eyes (Okabe and Ito,
"Color Universal Design", 2008). They are more saturated than in that source, because LEDs need it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import Thing
from captains_table.table.model.view import LightMeaning, Mark

Rgb = tuple[int, int, int]

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
