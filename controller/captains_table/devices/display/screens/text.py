"""Renders text in proportional letters of luma's font, and cuts or wraps it to a width in pixels.

Letters that cannot be drawn (see `glyphs`) are replaced by similar ones or question marks.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from captains_table.devices.display.packing import unpack_columns
from captains_table.devices.display.screens.glyphs import GAP, glyph_of
from captains_table.games.common.short_names import ELLIPSIS, short_names
from captains_table.phrases import short_form

LETTER_ROWS: Final = 7  # pixel rows from the top of a capital to the baseline
SPELLED: Final = str.maketrans(
    {"đ": "d", "Đ": "D", "þ": "th", "ð": "d", "→": ">"}
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")  # hyphens, dashes and the minus sign
    | dict.fromkeys("\u2018\u2019", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
)


@dataclass(frozen=True, slots=True)
class Face:
    """A typeface: luma's font, regular or bold, with its width and height enlarged by integer factors."""

    wide: int = 1
    high: int = 1
    bold: bool = False

    @property
    def height(self) -> int:
        """The height of the letters in pixels, without descenders."""
        return LETTER_ROWS * self.high

    def width(self, text: str) -> int:
        """Return the width of a text in pixels."""
        return len(_columns(text, self.bold)) * self.wide

    def picture(self, text: str) -> Image.Image:
        """Return an image of a text in white on black.

        The image is `8 * self.high` pixels high and has room for descenders at the bottom.
        """
        columns = _columns(text, self.bold)
        strip = unpack_columns(columns) if columns else Image.new("1", (1, 8))
        return strip.resize((strip.width * self.wide, strip.height * self.high), Image.Resampling.NEAREST)

    def fit(self, text: str, width: int) -> str:
        """Return a text, or its short form; one that is wider than `width` pixels is cut and ends in an ellipsis."""
        if self.width(text) <= width:
            return text
        text = short_form(text)
        if self.width(text) <= width:
            return text
        start = text
        while start and self.width(start.rstrip() + ELLIPSIS) > width:
            start = start[:-1]
        return start.rstrip() + ELLIPSIS

    def wrap(self, text: str, width: int) -> list[str]:
        """Return a text as lines of whole words; a word that is wider than a line is cut and ends in an ellipsis."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.width(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(self.fit(word, width))
        return lines


SMALL: Final = Face()
BOLD: Final = Face(bold=True)
TALL: Final = Face(high=2, bold=True)
LARGE: Final = Face(wide=2, high=2)


def short_name(name: str, names: Sequence[str], room: int, face: Face = SMALL) -> str:
    """Return a name shortened to `room` pixels so that it differs from the other names; cut if that is not enough.

    The names' short forms are taken first, unless two of them are equal.
    """
    if face.width(name) <= room:
        return name
    forms = {each: short_form(each) for each in (name, *names)}
    if len(set(forms.values())) == len(forms):
        name, names = forms[name], [forms[each] for each in names]
    every = tuple(names) if name in names else (name, *names)
    return face.fit(short_names(every, room, face.width)[every.index(name)], room)


def shorten(lines: Sequence[str], count: int, width: int) -> list[str]:
    """Return the first `count` lines; if lines are left out, the last one returned ends in an ellipsis."""
    if len(lines) <= count:
        return list(lines)
    if count <= 0:
        return []
    first = list(lines[:count])
    whole = f"{first[-1]}{ELLIPSIS}"
    first[-1] = whole if SMALL.width(whole) <= width else SMALL.fit(f"{first[-1]} {ELLIPSIS}", width)
    return first


def wrap_all(texts: Iterable[str], width: int, most: int | None = None) -> list[str]:
    """Wrap several texts in small letters, each starting on a new line; return all lines, or at most `most`.

    If there are more lines, the texts' short forms are wrapped instead.
    """
    texts = list(texts)
    lines = [line for text in texts for line in SMALL.wrap(text, width)]
    if most is None or len(lines) <= most:
        return lines
    return shorten([line for text in texts for line in SMALL.wrap(short_form(text), width)], most, width)


@lru_cache(maxsize=512)
def _columns(text: str, bold: bool) -> bytes:  # noqa: FBT001 - a cache key, private
    plain = GAP.join(_glyph(letter) for letter in _writable(text))
    if not bold:
        return plain
    # Bold draws every column a second time one pixel to the right; the gap between letters is doubled for that.
    roomy = (GAP * 2).join(_glyph(letter) for letter in _writable(text))
    return bytes(left | right for left, right in zip(roomy + GAP, GAP + roomy, strict=True)) if roomy else b""


def _writable(text: str) -> str:
    """Return the text in letters that the font has.

    Accents for which a letter has no room are removed, some letters and signs are replaced by similar ones, and unknown
    letters become question marks.
    """
    if text.isascii():
        return "".join(letter if letter.isprintable() else " " for letter in text)
    letters = unicodedata.normalize("NFKC", text.translate(SPELLED))
    return "".join(_closest(letter) for letter in letters if not unicodedata.combining(letter))


def _closest(letter: str) -> str:
    """Return the letter if it can be drawn, else the one without its accents, else a question mark."""
    base = unicodedata.normalize("NFKD", letter)[0]
    return next((each for each in (letter, base) if glyph_of(each) is not None), "?")


def _glyph(letter: str) -> bytes:
    return glyph_of(letter) or GAP
