"""The pieces: what a FEN letter is called, and one sprite with the art of all of them."""

import functools
import re
from collections.abc import Mapping
from html import escape

import chess
import chess.svg

from captains_table.games.common.pieces import is_white, piece_name as piece_name
from captains_table.web.svg import own_pieces

_STYLE = re.compile(r'style="fill:(?P<fill>[^;"]+); stroke:(?P<stroke>[^;"]+);"')
_BODY = re.compile(r'<g id="[\w-]+" (?:class="[^"]*" )?(?P<body>.*)</g></svg>$', re.DOTALL)
_COLOUR = re.compile(r'(?P<what>fill|stroke)="(?P<colour>#\w+)"')
_COLOURS = {
    "#fff": own_pieces.IVORY,
    "#ffffff": own_pieces.IVORY,
    "#000": own_pieces.EBONY,
    "#000000": own_pieces.EBONY,
    "#ececec": own_pieces.GLEAM,
}
_DRAWN = ("p", "n", "b", "r", "q", "k", "c", "g", "+b", "+r")
_LETTERS = (*_DRAWN, *(letter.upper() for letter in _DRAWN))
SIZE = 45  # the art's own units


def has_art(letter: str) -> bool:
    """Return whether the sprite has art for a piece's letter."""
    return letter.lower() in _DRAWN


def piece_svg(letter: str, css: str = "piece") -> str:
    """Return a piece in a 45 x 45 box: its art from the sprite, or a disc with its letter."""
    if has_art(letter):
        return f'<use class="{css}" href="/pieces.svg#{_art_name(letter)}" width="{SIZE}" height="{SIZE}"/>'
    colour = "white" if is_white(letter) else "black"
    return (
        f'<g class="{css} disc disc-{colour}"><circle cx="22.5" cy="22.5" r="16"/>'
        f'<text x="22.5" y="29.5" text-anchor="middle" font-size="20">{escape(letter.upper())}</text></g>'
    )


def key_square(drawn: str, css: str = "") -> str:
    """Return what is drawn on a light square by itself, as a key shows it; `css`: the class of the whole drawing."""
    ground = f'<rect class="square-light" width="{SIZE}" height="{SIZE}"/>{drawn}'
    inner = f'<g class="{css}">{ground}</g>' if css else ground
    return f'<svg class="key-square" viewBox="0 0 {SIZE} {SIZE}" aria-hidden="true">{inner}</svg>'


@functools.cache
def sprite() -> str:
    """Return all pieces as the symbols of one SVG document, ready for `<use>`.

    Each symbol holds a drawing for every set; which one is seen is said by custom properties, which the page's `<use>`
    hands on into the sprite (static/settings.css).
    """
    symbols = "".join(_symbol(letter) for letter in _LETTERS)
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


@functools.cache
def pictures() -> Mapping[str, str]:
    """Return each piece's drawing as an SVG document of its own, by its file's name.

    As a picture a piece costs a browser a fraction of what `<use>` costs, which copies it into every board.
    """
    return {
        f"{_art_name(letter)}.svg": (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}">'
            f"{_drawing(letter)}</svg>"
        )
        for letter in _LETTERS
    }


def picture_svg(letter: str, x: int, y: int) -> str:
    """Return a piece that has art in a 45 x 45 box at a place, as a picture."""
    return f'<image href="/pieces/{_art_name(letter)}.svg" x="{x}" y="{y}" width="{SIZE}" height="{SIZE}"/>'


def _art_name(letter: str) -> str:
    return piece_name(letter).replace(" ", "-")


def _symbol(letter: str) -> str:
    """Return one piece's drawing as a symbol."""
    lettered = own_pieces.lettered(letter[-1], white=is_white(letter), is_crowned=letter.startswith("+"))
    return (
        f'<symbol id="{_art_name(letter)}" viewBox="0 0 {SIZE} {SIZE}">'
        f'<g display="var(--pieces-drawn, inline)">{_drawing(letter)}</g>'
        f'<g display="var(--pieces-letters, none)">{lettered}</g></symbol>'
    )


def _drawing(letter: str) -> str:
    white, kind = is_white(letter), letter[-1]
    if kind.lower() == "c":
        return own_pieces.captain(white=white)
    if kind.lower() == "g":
        return own_pieces.coloured(_chess_piece("P" if white else "p"), white=white)
    if letter.startswith("+"):
        return own_pieces.crowned(kind.lower(), _chess_piece(kind))
    return _chess_piece(letter)


def _chess_piece(letter: str) -> str:
    """Return python-chess's drawing of a piece.

    Style attributes become presentation attributes, because the page's content security policy forbids inline styles;
    pure black and white become ivory and ebony.
    """
    found = _BODY.search(chess.svg.piece(chess.Piece.from_symbol(letter)))
    if found is None:
        raise ValueError("python-chess draws its pieces differently now: expected one <g id=...> in an <svg>")
    body = _COLOUR.sub(_wooden, _STYLE.sub(r'fill="\g<fill>" stroke="\g<stroke>"', found["body"]))
    return f"<g {body}</g>"


def _wooden(attribute: re.Match[str]) -> str:
    colour = attribute["colour"]
    return f'{attribute["what"]}="{_COLOURS.get(colour, colour)}"'
