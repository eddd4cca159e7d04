"""The pieces as SVG, given by their FEN letters: one sprite with all drawings, and a separate picture of each.

The sprite holds each piece as a drawing and as a letter; the page shows one of them. A piece without a drawing is a
disc with its letter. The module also draws the single square on which legends show a symbol.
"""

import functools
import re
from collections.abc import Mapping
from html import escape
from typing import Final

import chess
import chess.svg

from captains_table.games.common.pieces import is_white, piece_name as piece_name

IVORY: Final = "#fff8e7"
EBONY: Final = "#1c1410"
GOLD_COLOUR: Final = "#e8b64a"
GLEAM: Final = "#e6d5ad"
RED: Final = "#b3372b"

# A naval officer: pedestal, coat with epaulettes and lapels, head, cocked hat with its cockade.
_BASE: Final = "M11 39.5h23c0-3-1-5-3.5-6.5h-16c-2.5 1.5-3.5 3.5-3.5 6.5z"
_COAT: Final = "M14.5 33c-1.5-3-3.5-4.5-3.5-8 0-2 2.5-3.5 6-3.5h11c3.5 0 6 1.5 6 3.5 0 3.5-2 5-3.5 8z"
_HAT: Final = (
    "M7 15.5c1-3 3.5-6 7-8 2.5-1.5 5.5-2.5 8.5-2.5s6 1 8.5 2.5c3.5 2 6 5 7 8-5-1.5-10-2.5-15.5-2.5s-10.5 1-15.5 2.5z"
)
_LINES: Final = "M18.5 21.500l4 6 4-6M22.5 27.500v5.500M11.5 25.500c2-1 4-1 5.5 0M33.5 25.500c-2-1-4-1-5.5 0M14 36.2h17"

# The crown sits on the head of the piece, which is drawn a little smaller to make room.
_CROWN: Final = "M15 12.5L12.2 4.2l5.6 4 4.7-6.4 4.7 6.4 5.6-4L30 12.500z"
_BAND: Final = "M15.6 10.200h13.8"
_SCALE: Final = 0.8
_DOWN: Final = {"b": (8.4, 0.0), "r": (7.6, 1.8)}  # vertical shift of the piece, and of the crown

_STYLE = re.compile(r'style="fill:(?P<fill>[^;"]+); stroke:(?P<stroke>[^;"]+);"')
_BODY = re.compile(r'<g id="[\w-]+" (?:class="[^"]*" )?(?P<body>.*)</g></svg>$', re.DOTALL)
_COLOUR = re.compile(r'(?P<what>fill|stroke)="(?P<colour>#\w+)"')
_COLOURS = {
    "#fff": IVORY,
    "#ffffff": IVORY,
    "#000": EBONY,
    "#000000": EBONY,
    "#ececec": GLEAM,
}
_DRAWN = ("p", "n", "b", "r", "q", "k", "c", "g", "+b", "+r")
_LETTERS = (*_DRAWN, *(letter.upper() for letter in _DRAWN))
PIECE_SIZE = 45  # the side of the pieces' view box


def has_art(letter: str) -> bool:
    """Return whether there is a drawing for a piece's letter."""
    return letter.lower() in _DRAWN


def piece_svg(letter: str, css: str = "piece") -> str:
    """Return a piece in a 45 x 45 box: its drawing from the sprite, or if it has none, a disc with its letter."""
    if has_art(letter):
        return f'<use class="{css}" href="/pieces.svg#{_art_name(letter)}" width="{PIECE_SIZE}" height="{PIECE_SIZE}"/>'
    colour = "white" if is_white(letter) else "black"
    return (
        f'<g class="{css} disc disc-{colour}"><circle cx="22.5" cy="22.5" r="16"/>'
        f'<text x="22.5" y="29.5" text-anchor="middle" font-size="20">{escape(letter.upper())}</text></g>'
    )


def key_square(drawn: str, css: str = "") -> str:
    """Return a drawing on a single light square, for a key to symbols; `css` is an optional class of the drawing."""
    ground = f'<rect class="square-light" width="{PIECE_SIZE}" height="{PIECE_SIZE}"/>{drawn}'
    inner = f'<g class="{css}">{ground}</g>' if css else ground
    return f'<svg class="key-square" viewBox="0 0 {PIECE_SIZE} {PIECE_SIZE}" aria-hidden="true">{inner}</svg>'


@functools.cache
def sprite() -> str:
    """Return an SVG document with one symbol for each piece; pages show the symbols by `<use>`.

    Each symbol holds a drawing for each piece set. The page's custom properties choose the visible drawing
    (static/settings.css).
    """
    symbols = "".join(_symbol(letter) for letter in _LETTERS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


@functools.cache
def pictures() -> Mapping[str, str]:
    """Map the file name of each piece's picture to an SVG document with the piece's drawing.

    An image costs a browser much less than a `<use>` element, because `<use>` copies the drawing into every board.
    """
    return {
        f"{_art_name(letter)}.svg": (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{PIECE_SIZE}" height="{PIECE_SIZE}" '
            f'viewBox="0 0 {PIECE_SIZE} {PIECE_SIZE}">'
            f"{_drawing(letter)}</svg>"
        )
        for letter in _LETTERS
    }


def picture_svg(letter: str, x: int, y: int) -> str:
    """Return a piece's picture in a 45 x 45 box whose upper left corner is (x, y); the piece must have a drawing."""
    return f'<image href="/pieces/{_art_name(letter)}.svg" x="{x}" y="{y}" width="{PIECE_SIZE}" height="{PIECE_SIZE}"/>'


def _art_name(letter: str) -> str:
    return piece_name(letter).replace(" ", "-")


def _symbol(letter: str) -> str:
    """Return an SVG symbol with a piece's drawing and its letter; the page shows one of the two."""
    lettered = _lettered(letter[-1], white=is_white(letter), is_crowned=letter.startswith("+"))
    return (
        f'<symbol id="{_art_name(letter)}" viewBox="0 0 {PIECE_SIZE} {PIECE_SIZE}">'
        f'<g display="var(--pieces-drawn, inline)">{_drawing(letter)}</g>'
        f'<g display="var(--pieces-letters, none)">{lettered}</g></symbol>'
    )


def _drawing(letter: str) -> str:
    white, kind = is_white(letter), letter[-1]
    if kind.lower() == "c":
        return _captain(white=white)
    if kind.lower() == "g":
        return _coloured(_chess_piece("P" if white else "p"), white=white)
    if letter.startswith("+"):
        return _crowned(kind.lower(), _chess_piece(kind))
    return _chess_piece(letter)


def _chess_piece(letter: str) -> str:
    """Return python-chess's drawing of a piece.

    Style attributes become presentation attributes, because the page's content security policy forbids inline styles;
    pure black and white become ebony and ivory.
    """
    found = _BODY.search(chess.svg.piece(chess.Piece.from_symbol(letter)))
    if found is None:
        raise ValueError("python-chess draws its pieces differently now: expected one <g id=...> in an <svg>")
    body = _COLOUR.sub(_wooden, _STYLE.sub(r'fill="\g<fill>" stroke="\g<stroke>"', found["body"]))
    return f"<g {body}</g>"


def _wooden(attribute: re.Match[str]) -> str:
    colour = attribute["colour"]
    return f'{attribute["what"]}="{_COLOURS.get(colour, colour)}"'


# --- our own drawings, in the box and with the line width of python-chess's pieces ------------------------------------


def _captain(*, white: bool) -> str:
    """Return the drawing of a captain."""
    fill, lines = (IVORY, EBONY) if white else (EBONY, GLEAM)
    return (
        f'<g fill="{fill}" stroke="{EBONY}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{_BASE}"/><path d="{_COAT}"/><circle cx="22.5" cy="17" r="5"/><path d="{_HAT}"/>'
        f'<path d="{_LINES}" fill="none" stroke="{lines}" stroke-width="1.2"/>'
        f'<path d="M9.5 14.200c8-2.6 18-2.6 26 0" fill="none" stroke="{lines}" stroke-width="1"/>'
        f'<circle cx="22.5" cy="8.8" r="2" fill="{GOLD_COLOUR}" stroke="{lines}" stroke-width="1"/></g>'
    )


def _coloured(body: str, *, white: bool) -> str:
    """Return a White pawn's drawing in gold, or a Black pawn's drawing in red (docs/rules/crowns.md B1)."""
    return body.replace(IVORY, GOLD_COLOUR) if white else body.replace(EBONY, RED)


def _lettered(kind: str, *, white: bool, is_crowned: bool) -> str:
    """Return a piece as its letter in a disc (White) or a square (Black), so that the sides differ without colour.

    Args:
        kind: the piece's letter.
        white: whether the piece is White's.
        is_crowned: whether the piece wears a crown.
    """
    fill, lines = (IVORY, EBONY) if white else (EBONY, IVORY)
    edge = '<circle cx="22.5" cy="24" r="16.5"/>' if white else '<path d="M7 8.500h31v31h-31z"/>'
    crown = (
        f'<g transform="translate(0 -1)" fill="{GOLD_COLOUR}" stroke="{EBONY}" '
        'stroke-width="1.1" stroke-linejoin="round">'
        f'<path d="{_CROWN}"/></g>'
    )
    return (
        f'<g fill="{fill}" stroke="{EBONY if white else GLEAM}" stroke-width="1.8" stroke-linejoin="round">{edge}</g>'
        f'<text x="22.5" y="33" text-anchor="middle" font-size="25" font-weight="700" '
        f'font-family="DejaVu Serif, Georgia, serif" fill="{lines}">{kind.upper()}</text>{crown if is_crowned else ""}'
    )


def _crowned(kind: str, body: str) -> str:
    """Return a bishop's or rook's drawing with a crown on its head.

    Args:
        kind: `b` or `r`.
        body: the piece's own drawing.
    """
    piece, crown = _DOWN[kind]
    return (
        f'<g transform="translate(4.5 {piece}) scale({_SCALE})">{body}</g><g transform="translate(0 {crown})" '
        f'fill="{GOLD_COLOUR}" stroke="{EBONY}" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{_CROWN}"/><path d="{_BAND}" fill="none"/></g>'
    )
