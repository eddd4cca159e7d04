"""The pieces: what a FEN letter is called, and one sprite with the art of all twelve."""

import functools
import re
from html import escape

import chess
import chess.svg

from captains_table.games.pieces import piece_name as piece_name

_STYLE = re.compile(r'style="fill:(?P<fill>[^;"]+); stroke:(?P<stroke>[^;"]+);"')
_BODY = re.compile(r'<g id="(?P<id>[\w-]+)" (?:class="[^"]*" )?(?P<body>.*)</g></svg>$', re.DOTALL)
_COLOUR = re.compile(r'(?P<what>fill|stroke)="(?P<colour>#\w+)"')
_COLOURS = {"#fff": "#fff8e7", "#ffffff": "#fff8e7", "#000": "#1c1410", "#000000": "#1c1410", "#ececec": "#e6d5ad"}
SIZE = 45  # the art's own units


def is_chess(letter: str) -> bool:
    """Return whether the sprite has art for a piece's letter."""
    return letter.lower() in chess.PIECE_SYMBOLS[1:]


def piece_svg(letter: str, css: str = "piece") -> str:
    """Return a piece in a 45 x 45 box: its art from the sprite, or a disc with its letter."""
    if is_chess(letter):
        art = piece_name(letter).replace(" ", "-")
        return f'<use class="{css}" href="/pieces.svg#{art}" width="{SIZE}" height="{SIZE}"/>'
    colour = "white" if letter.isupper() else "black"
    return (
        f'<g class="{css} disc disc-{colour}"><circle cx="22.5" cy="22.5" r="16"/>'
        f'<text x="22.5" y="29.5" text-anchor="middle" font-size="20">{escape(letter.upper())}</text></g>'
    )


@functools.cache
def sprite() -> str:
    """Return all twelve pieces as the symbols of one SVG document, ready for `<use>`."""
    letters = "PNBRQKpnbrqk"
    symbols = "".join(_symbol(chess.svg.piece(chess.Piece.from_symbol(letter))) for letter in letters)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def _symbol(art: str) -> str:
    """Return one piece's document as a symbol.

    Style attributes become presentation attributes, because the page's content security policy forbids inline styles;
    pure black and white become ivory and ebony.
    """
    found = _BODY.search(art)
    if found is None:
        raise ValueError("python-chess draws its pieces differently now: expected one <g id=...> in an <svg>")
    body = _COLOUR.sub(_wooden, _STYLE.sub(r'fill="\g<fill>" stroke="\g<stroke>"', found["body"]))
    return f'<symbol id="{found["id"]}" viewBox="0 0 {SIZE} {SIZE}"><g {body}</g></symbol>'


def _wooden(attribute: re.Match[str]) -> str:
    colour = attribute["colour"]
    return f'{attribute["what"]}="{_COLOURS.get(colour, colour)}"'
