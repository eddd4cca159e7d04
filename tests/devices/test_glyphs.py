"""The letters of the display: those of many languages are drawn, each in its own way."""

import unicodedata

import pytest

from captains_table.devices.display.screens.glyphs import glyph_of
from captains_table.devices.display.screens.text import SMALL

ALPHABETS = {
    "German": "äöüß",
    "Dutch": "éèëïöüáíóú",
    "French": "àâæçéèêëîïôœùûüÿ",
    "Spanish": "áéíñóúü",
    "Italian": "àèéìîòù",
    "Turkish": "çğıöşü",
    "Polish": "ąćęłńóśźż",
    "Ukrainian": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "Greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋ",
}


@pytest.mark.parametrize("language", ALPHABETS)
def test_all_letters_of_a_language_are_drawn_and_no_two_alike(language: str) -> None:
    small = (
        f"{ALPHABETS[language]}abcdefghijklmnopqrstuvwxyz" if ALPHABETS[language][0] < "\u0370" else ALPHABETS[language]
    )
    capitals = "".join(letter.upper() for letter in small if len(letter.upper()) == 1 and letter not in "ςı")
    for letters in (small, capitals + ("İ" if language == "Turkish" else "")):
        drawn = {letter: glyph_of(letter) for letter in letters}
        assert [letter for letter, glyph in drawn.items() if glyph is None] == []
        assert len({*drawn.values()}) == len({*letters})


@pytest.mark.parametrize("letter", "äéñçğŚŻÄÎйїά")
def test_an_accent_is_seen(letter: str) -> None:
    plain = unicodedata.normalize("NFD", letter)[0]
    assert glyph_of(letter) not in {glyph_of(plain), None}


@pytest.mark.parametrize(
    ("text", "as_text"), [("ďťľ", "dtl"), ("Łódź \u2013 5", "Łódź - 5"), ("漢字", "??"), ("Zoe\u0308", "Zoë")]
)
def test_what_cannot_be_drawn_becomes_alike_or_a_question_mark(text: str, as_text: str) -> None:
    assert SMALL.picture(text).tobytes() == SMALL.picture(as_text).tobytes()


def test_signs_of_spanish_and_french_are_drawn() -> None:
    assert None not in {glyph_of(sign) for sign in "¿¡«»"}
