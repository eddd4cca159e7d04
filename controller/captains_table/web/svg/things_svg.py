"""What squares have beside pieces, as drawings in a box of 45 x 45: rings and prices beneath a piece, crowns over."""

from collections.abc import Sequence
from typing import Final

from captains_table.games.contract import Thing
from captains_table.web.svg.own_pieces import EBONY, GOLD, IVORY

_CROWN: Final = "M25 17L22.500 5.500l6 5 4.500-8 4.500 8 6-5L41 17z"
_UNDER: Final = {
    Thing.RING: f'<circle cx="8" cy="37" r="4.500" fill="none" stroke="{GOLD}" stroke-width="2.400"/>'
    f'<circle cx="8" cy="37" r="6" fill="none" stroke="{EBONY}" stroke-width=".6"/>',
    Thing.HALF_PRICE: '<text class="price" x="42" y="42" text-anchor="end" font-size="11">\u00bd</text>',
}
_OVER: Final = {
    Thing.WHITE_CROWN: f'<path d="{_CROWN}" fill="{IVORY}" stroke="{EBONY}" stroke-width="1.300"/>',
    Thing.BLACK_CROWN: f'<path d="{_CROWN}" fill="{EBONY}" stroke="{GOLD}" stroke-width="1.300"/>',
}


def under(things: Sequence[Thing]) -> str:
    """Return what lies beneath a piece."""
    return _drawn(things, _UNDER)


def over(things: Sequence[Thing]) -> str:
    """Return what lies over a piece, or is worn by it."""
    return _drawn(things, _OVER)


def _drawn(things: Sequence[Thing], art: dict[Thing, str]) -> str:
    inner = "".join(art.get(thing, "") for thing in things)
    return f'<g class="thing">{inner}</g>' if inner else ""
