"""The letters of the display: those of luma's font, our own, and both with accents.

A glyph is a byte for each column; the lowest bit is the highest row. Rows 0 to 6 have capitals, rows 2 to 6 small
letters without ascenders, and row 7 descenders.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from luma.core.legacy.font import LCD_FONT

from captains_table.games.common.short_names import ELLIPSIS

GAP: Final = b"\x00"
OWN_GLYPHS: Final = {
    # The font squeezes these into seven rows; here they use the empty eighth row as a descender.
    "g": b"\x18\xa4\xa4\xa4\x7c",
    "j": b"\x80\x84\x7d",
    "p": b"\xfc\x24\x24\x24\x18",
    "q": b"\x18\x24\x24\x24\xfc",
    "y": b"\x1c\xa0\xa0\xa0\x7c",
    "1": b"\x00\x42\x7f\x40\x00",  # as wide as the other digits, so that changing numbers do not jump
    # The font lacks these.
    ELLIPSIS: b"\x40\x00\x40\x00\x40",
    "·": b"\x08",
    "\u00d7": b"\x14\x08\x14",  # a multiplication sign
    "ß": b"\x7e\x01\x49\x36",
    "œ": b"\x38\x44\x38\x54\x58",
    "æ": b"\x24\x54\x38\x54\x58",
    "Œ": b"\x3e\x41\x7f\x49\x49",
    "Æ": b"\x7e\x09\x7f\x49\x49",
    "¡": b"\xf4",
    "¿": b"\x40\xa0\x94\x40",
    "«": b"\x10\x28\x10\x28",
    "»": b"\x28\x10\x28\x10",
    "ł": b"\x51\x7f\x44",
    "Ł": b"\x10\x7f\x48\x44\x40",
    "ø": b"\x78\x24\x54\x48\x3c",
    "Ø": b"\x7e\x21\x5d\x42\x3f",
    "є": b"\x38\x54\x54\x44",
    "Є": b"\x3e\x49\x49\x41\x22",
    "ґ": b"\x7c\x04\x04\x06",
    "Ґ": b"\x7e\x02\x02\x02\x03",
    "α": b"\x38\x44\x44\x38\x44",
    "β": b"\xfe\x21\x25\x1a",
    "γ": b"\x0c\x30\xc0\x30\x0c",
    "δ": b"\x32\x4d\x49\x31",
    "ε": b"\x28\x54\x54\x44",
    "ζ": b"\x19\x25\xa3\x41",
    "η": b"\x7c\x08\x04\x04\xf8",
    "θ": b"\x3e\x49\x49\x3e",
    "ι": b"\x3c\x40",
    "κ": b"\x7c\x10\x28\x44",
    "λ": b"\x61\x11\x0e\x10\x60",
    "μ": b"\xfc\x40\x40\x20\x7c",
    "ξ": b"\x1a\xa5\xa5\x41",
    "π": b"\x04\x7c\x04\x3c\x44",
    "ρ": b"\xf8\x24\x24\x18",
    "σ": b"\x38\x44\x44\x4c\x34",
    "ς": b"\x08\x54\x54\x24",
    "τ": b"\x04\x04\x3c\x44\x04",
    "υ": b"\x3c\x40\x40\x3c",
    "φ": b"\x18\x24\xfe\x24\x18",
    "ψ": b"\x1c\x20\xfc\x20\x1c",
    "ω": b"\x38\x44\x30\x44\x38",
    "Γ": b"\x7f\x01\x01\x01\x01",
    "Δ": b"\x70\x4c\x43\x4c\x70",
    "Θ": b"\x3e\x49\x49\x49\x3e",
    "Λ": b"\x70\x0c\x03\x0c\x70",
    "Ξ": b"\x41\x49\x49\x49\x41",
    "Π": b"\x7f\x01\x01\x01\x7f",
    "Σ": b"\x63\x55\x49\x41\x41",
    "Φ": b"\x1c\x22\x7f\x22\x1c",
    "Ψ": b"\x07\x08\x7f\x08\x07",
    "Ω": b"\x4e\x71\x01\x71\x4e",
}
ALIKE: Final = {
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοχν", "ABEZHIKMNOPTYXoxv", strict=True)),
    **dict(zip("ІіЈјЅѕ", "IiJjSs", strict=True)),
}
"""Letters that are drawn as Latin ones."""
MARKS: Final = {
    "\u0300": b"\x01\x02",  # grave
    "\u0301": b"\x02\x01",  # acute
    "\u0302": b"\x02\x01\x02",  # circumflex
    "\u0303": b"\x02\x01\x02\x01",  # tilde
    "\u0306": b"\x01\x02\x02\x01",  # breve
    "\u0307": b"\x01",  # dot
    "\u0308": b"\x01\x00\x01",  # diaeresis
    "\u030a": b"\x01\x01",  # ring
    "\u030b": b"\x02\x01\x00\x02\x01",  # double acute
    "\u030c": b"\x01\x02\x01",  # caron
    "\u0327": b"\x80",  # cedilla
    "\u0326": b"\x80",  # comma below
    "\u0328": b"\x00\x00\x80\x80",  # ogonek
}
"""Accents by their combining characters; they are centred on the letter."""
ABOVE: Final = 0b11
"""The rows of accents above a letter, which capitals and ascenders use too."""
SMALL_TOP: Final = 2
CAPITAL_ROWS: Final = 7
CYRILLIC: Final = 0x0410  # capital A to small ya: in the font the first 48 letters start at 0x90, the last 16 at 0x80
CYRILLIC_LETTERS: Final = 64
CYRILLIC_FROM_90: Final = 48


@lru_cache(maxsize=512)
def glyph_of(letter: str) -> bytes | None:
    """Return the glyph of a letter, without empty columns at its sides; `None` if it cannot be drawn."""
    letter = ALIKE.get(letter, letter)
    if letter in OWN_GLYPHS:
        return OWN_GLYPHS[letter]
    nth = ord(letter) - CYRILLIC
    if 0 <= nth < CYRILLIC_LETTERS:
        code = 0x90 + nth if nth < CYRILLIC_FROM_90 else 0x80 + nth - CYRILLIC_FROM_90
        return bytes(LCD_FONT[code]).strip(GAP)
    if letter.isascii():
        return (bytes(LCD_FONT[ord(letter)]).strip(GAP) or GAP) if letter.isprintable() else None
    return _dotless() if letter == "ı" else _accented(letter)


def _dotless() -> bytes:
    return bytes(column & ~ABOVE for column in bytes(LCD_FONT[ord("i")]).strip(GAP))


def _accented(letter: str) -> bytes | None:
    """Return the glyph of a letter with accents; `None` if there is no room for them, or one is not known."""
    base, *marks = list(unicodedata.normalize("NFD", letter))
    plain = glyph_of(base) if marks and MARKS.keys() >= {*marks} else None
    if plain is None:
        return None
    if any(column & ABOVE for mark in marks for column in MARKS[mark]):
        if base.isupper():
            plain = _lowered(plain)
        elif base in {"i", "j", "і"}:
            plain = bytes(column & ~ABOVE for column in plain)
        elif any(column & ABOVE for column in plain):
            return None
    for mark in marks:
        plain = _joined(plain, MARKS[mark])
    return plain


def _joined(letter: bytes, mark: bytes) -> bytes:
    """Return a letter with a mark centred on it."""
    width = max(len(letter), len(mark))
    left, above = ((width - len(part) + 1) // 2 for part in (letter, mark))
    columns = bytearray(width)
    for start, part in ((left, letter), (above, mark)):
        for place, column in enumerate(part, start):
            columns[place] |= column
    return bytes(columns)


def _lowered(capital: bytes) -> bytes:
    """Return a capital as high as a small letter: without two of its rows, at best those that are as the row above."""
    rows = [tuple(column >> row & 1 for column in capital) for row in range(CAPITAL_ROWS)]
    alike = [row for row in range(1, CAPITAL_ROWS) if rows[row] == rows[row - 1]]
    gone = {*[*alike, 1, CAPITAL_ROWS - SMALL_TOP][:SMALL_TOP]}
    kept = [cells for row, cells in enumerate(rows) if row not in gone]
    return bytes(
        sum(cells[place] << SMALL_TOP + row for row, cells in enumerate(kept)) for place in range(len(capital))
    )
