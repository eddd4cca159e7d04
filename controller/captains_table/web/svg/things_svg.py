"""Draws the signs on squares as SVG in a box of 45 x 45, and holds legends: of two games, and of dice and log.

Stars, rings and prices are drawn under a piece, and crowns over it. The kinds of signs differ in shape, so that colours
need not be distinguished. The crowns of White and Black have the same shape and differ in fill and outline.
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from captains_table.games.contract import Die, Thing
from captains_table.phrases import noun, say
from captains_table.web.page_language import svg_label
from captains_table.web.svg.dice_svg import die_svg
from captains_table.web.svg.pieces_svg import EBONY, GOLD_COLOUR, IVORY, PIECE_SIZE, key_square, piece_svg

_CROWN: Final = "M25 17L22.500 5.500l6 5 4.500-8 4.500 8 6-5L41 17z"
_POINTS: Final = 12
_TIP, _NOTCH = 22.0, 17.0  # from the middle; the edge of a token's disc over the star is between them


def _star() -> str:
    """Return the path of a star whose points are visible all around a token."""
    turns = [(_NOTCH if step % 2 else _TIP, pi * step / _POINTS) for step in range(2 * _POINTS)]
    middle = PIECE_SIZE / 2
    return f"M{'L'.join(f'{middle + far * sin(turn):.1f} {middle - far * cos(turn):.1f}' for far, turn in turns)}z"


_UNDER: Final = {
    Thing.LEVELLED_UP: f'<path d="{_star()}" fill="{GOLD_COLOUR}" stroke="{EBONY}" stroke-width="1.200"/>',
    Thing.RING: f'<circle cx="8" cy="37" r="4.500" fill="none" stroke="{GOLD_COLOUR}" stroke-width="2.400"/>'
    f'<circle cx="8" cy="37" r="6" fill="none" stroke="{EBONY}" stroke-width=".6"/>',
    Thing.HALF_PRICE: '<text class="price" x="42" y="42" text-anchor="end" font-size="11">\u00bd</text>',
}
_OVER: Final = {
    Thing.WHITE_CROWN: f'<path d="{_CROWN}" fill="{IVORY}" stroke="{EBONY}" stroke-width="1.300"/>',
    Thing.BLACK_CROWN: f'<path d="{_CROWN}" fill="{EBONY}" stroke="{GOLD_COLOUR}" stroke-width="1.300"/>',
}


THING_NAMES: Final = {
    Thing.RING: noun("ring"),
    Thing.WHITE_CROWN: noun("white crown"),
    Thing.BLACK_CROWN: noun("black crown"),
    Thing.HALF_PRICE: noun("half price"),
    Thing.LEVELLED_UP: noun("levelled up"),
}
_CAPTAINS_KEY: Final = (
    ("C", (), say("captain: leaps like a knight, or steps one square straight")),
    ("+B", (), say("crowned bishop: may also step one square straight")),
    ("+R", (), say("crowned rook: may also step one square aslant")),
)
_CROWNS_KEY: Final = (
    ("1", (), say("token of the first player, a White one")),
    ("2", (), say("token of the second player, a Black one")),
    ("1", (Thing.LEVELLED_UP,), say("points around a token: it has levelled up")),
    ("1", (Thing.WHITE_CROWN,), say("White's crown: whoever lands there wears it")),
    ("", (Thing.BLACK_CROWN,), say("Black's crown: whoever wears both wins")),
    ("", (Thing.RING,), say("a ring: one gold for who lands there")),
    ("", (Thing.HALF_PRICE,), say("levelling up costs half there")),
    ("G", (), say("gold pawn: White's, steps aslant too")),
    ("g", (), say("red pawn: Black's, steps aslant too")),
)


def game_legends() -> dict[str, list[dict[str, str]]]:
    """Map each game with pieces of its own to its legend: pieces and signs, each with its explanation."""
    return {"captains-chess": _legend(_CAPTAINS_KEY), "crowns": _legend(_CROWNS_KEY)}


def _legend(key: Sequence[tuple[str, Sequence[Thing], str]]) -> list[dict[str, str]]:
    return [
        {
            "svg": key_square(
                f"{signs_under_piece(things)}{piece_svg(piece) if piece else ''}{signs_over_piece(things)}"
            ),
            "words": words,
        }
        for piece, things, words in key
    ]


def signs_under_piece(things: Sequence[Thing]) -> str:
    """Return the signs under a piece."""
    return _drawn(things, _UNDER)


def signs_over_piece(things: Sequence[Thing]) -> str:
    """Return the signs over a piece, such as a crown that it wears."""
    return _drawn(things, _OVER)


def _drawn(things: Sequence[Thing], art: dict[Thing, str]) -> str:
    means = {thing: words for _, signs, words in _CROWNS_KEY for thing in signs}
    inner = "".join(f"<g><title>{svg_label(means[thing])}</title>{art[thing]}</g>" for thing in things if thing in art)
    return f'<g class="thing" pointer-events="all">{inner}</g>' if inner else ""


_LOG = '<svg class="key-sign" viewBox="0 0 24 24" aria-hidden="true">{}</svg>'

SIGNS: Final = (
    {"svg": die_svg(Die(6, held=True)), "words": say("pinned: the die stayed, or has done its work")},
    {"svg": die_svg(Die(None)), "words": say("not thrown yet")},
    {"svg": die_svg(Die(4, "roman")), "words": say("the Legend die, in Roman numerals")},
    {
        "svg": _LOG.format('<rect class="log-0" x="5" y="5" width="14" height="14"/>'),
        "words": say("log: the first player"),
    },
    {"svg": _LOG.format('<circle class="log-1" cx="12" cy="12" r="7"/>'), "words": say("log: the second player")},
    {
        "svg": _LOG.format('<rect class="log-2" x="5" y="5" width="14" height="14"/>'),
        "words": say("log: others, or nobody"),
    },
)
"""The legend of the dice and the log: each sign as a drawing with its explanation."""
