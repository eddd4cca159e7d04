"""Draws the picture of a finished match that players keep: who won and why, and the bars of the scores.

The picture is one SVG file that needs no other: it contains the fonts for its letters.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from functools import cache
from textwrap import wrap
from typing import Final
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from captains_table.games.common.short_names import short_names
from captains_table.games.contract import Result
from captains_table.phrases import noun, say
from captains_table.table.model import verdict
from captains_table.table.model.view import View
from captains_table.web.cards import score_bar, score_parts, with_unit
from captains_table.web.page_language import on_page
from captains_table.web.static_files import STATIC

_FACE: Final = re.compile(r'@font-face \{[^}]*"Alegreya";[^}]*url\("(fonts/[^"]+)"\)[^}]*unicode-range: ([^;]+);')
_UNPRINTABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""

_COLOURS: Final = ("#9a5b1d", "#14595a", "#6a1a0c", "#4a4a20")
_QUIET, _TEXT, _OTHER, _WINNER = ("#65502f", 400), ("#2a1a0f", 400), ("#65502f", 500), ("#6a1a0c", 800)
"""Colours and weights of text."""
_WIDTH, _MARGIN = 1200, 70
_ROW, _LINE = 62, 40
_NAME_ROOM, _BAR_LEFT, _BAR_WIDTH = 290, 380, 600
_LONGEST_LINE: Final = 68  # characters
_MOST_LINES: Final = 4


def result_svg(view: View, result: Result, date: str, digest: str) -> str:
    """Return the picture of a finished match as an SVG file.

    Args:
        view: the view after the match.
        result: the match's result.
        date: the day of the match, in words.
        digest: the first digits of the digest of the match's export; may be empty.
    """
    names = short_names(tuple(seat.called for seat in view.seats), 100 * _NAME_ROOM // 25, text_width)
    headline = verdict.headline(result, names)
    part_names = [on_page(noun(name)) for name in score_parts(view)]
    score = with_unit(verdict.score_line(result), view, result.scores)
    headline, score, *reasons = (
        on_page(words) for words in (headline, score, *verdict.reasons(result, view.latest_events))
    )
    lines = [line for words in reasons for line in wrap(words, _LONGEST_LINE)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1]} \u2026"]
    fingerprint = on_page(say("Fingerprint {digits}", digest))
    top = 250 + len(lines) * _LINE
    bottom = top + len(names) * _ROW
    height = bottom + (160 if part_names else 110)
    body = "".join(
        [
            f'<rect width="{_WIDTH}" height="{height}" fill="#3a2415"/>',
            f'<rect x="22" y="22" width="{_WIDTH - 44}" height="{height - 44}" rx="16" fill="#f3e4bf"/>',
            f'<rect x="34" y="34" width="{_WIDTH - 68}" height="{height - 68}" rx="10" fill="none" stroke="#b9995b"/>',
            _text(_MARGIN, 92, view.title, 30, _QUIET, room=700),
            _text(_WIDTH - _MARGIN, 92, on_page(date), 30, _QUIET, anchor="end", room=340),
            _text(_MARGIN, 186, headline, 76, _WINNER, room=740 if score else 1060),
            _text(_WIDTH - _MARGIN, 186, score, 70, _WINNER, anchor="end", room=300),
            *(_text(_MARGIN, 240 + number * _LINE, line, 32, _TEXT) for number, line in enumerate(lines)),
            *_rows(view, result, names, top),
            *_legend(part_names, bottom + 36),
            _text(_MARGIN, height - 62, "Captain's Table", 26, _QUIET),
            _text(_WIDTH - _MARGIN, height - 62, fingerprint if digest else "", 24, _QUIET, anchor="end"),
        ]
    )
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" '
        f'font-family="Alegreya, Georgia, serif"><title>{_escaped(headline)}</title>'
        f"<style>{''.join(_faces(body))}</style>{body}</svg>\n"
    )


def _rows(view: View, result: Result, names: Sequence[str], top: int) -> Iterator[str]:
    for number, place in enumerate(verdict.ranking(result)):
        middle = top + number * _ROW + _ROW // 2
        style = _WINNER if place.seat == result.winner else _OTHER
        yield _text(_MARGIN, middle + 11, names[place.seat], 34, style, room=_NAME_ROOM)
        yield _text(_WIDTH - _MARGIN, middle + 13, place.shown, 42, style, anchor="end", room=140)
        if verdict.counts_points(result):
            where = f'x="{_BAR_LEFT}" y="{middle - 20}" width="{_BAR_WIDTH}" height="40"'
            yield f'<rect {where} rx="4" fill="#dcc795"/>'
            yield score_bar(view, result, place, f' font-size="22" font-weight="700" {where}', _COLOURS)


def _legend(names: Sequence[str], y: int) -> Iterator[str]:
    for number, name in enumerate(names):
        x = _BAR_LEFT + number * 150
        yield f'<rect x="{x}" y="{y - 18}" width="20" height="20" rx="4" fill="{_COLOURS[number % len(_COLOURS)]}"/>'
        yield _text(x + 30, y, name, 24, _QUIET, room=110)


def _text(
    x: int, y: int, words: str, size: int, style: tuple[str, int], *, anchor: str = "start", room: int = 1060
) -> str:
    """Return a line of text as SVG, in smaller and then in narrower letters if it needs more room."""
    if not words:
        return ""
    ems = text_width(words) / 100
    size = max(min(size, int(room / ems)), size // 2)
    narrowed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' if ems * size > room else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{style[1]}" fill="{style[0]}" text-anchor="{anchor}"'
        f"{narrowed}>{_escaped(words)}</text>"
    )


def text_width(words: str) -> int:
    """Return about how wide a text is, in hundredths of its letters' size."""
    return sum(100 if east_asian_width(sign) in "WF" else 56 for sign in words)


def _escaped(words: str) -> str:
    return escape(_UNPRINTABLE.sub("\ufffd", words))


def _faces(words: str) -> Iterator[str]:
    """Yield a CSS rule `@font-face`, with the font as data, for each alphabet that occurs in the words."""
    codes = {ord(sign) for sign in words}
    for file, ranges in _alphabets():
        if any(first <= code <= last for first, last in ranges for code in codes):
            font = base64.b64encode((STATIC / file).read_bytes()).decode()
            yield (
                '@font-face{font-family:"Alegreya";font-weight:400 900;'
                f'src:url("data:font/woff2;base64,{font}") format("woff2");unicode-range:{_written(ranges)}}}'
            )


@cache
def _alphabets() -> list[tuple[str, list[tuple[int, int]]]]:
    """Return the font files of the pages' serif, each with the ranges of characters that it draws."""
    rules = _FACE.findall((STATIC / "type.css").read_text(encoding="utf-8"))
    return [(file, [_range(each) for each in ranges.split(",")]) for file, ranges in rules]


def _range(words: str) -> tuple[int, int]:
    first, _, last = words.strip().removeprefix("U+").partition("-")
    return int(first, 16), int(last or first, 16)


def _written(ranges: Sequence[tuple[int, int]]) -> str:
    return ",".join(f"U+{first:X}-{last:X}" for first, last in ranges)
