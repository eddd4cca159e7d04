"""Text in SVG, such as the label of a drawing for screen readers: in the language of a page, and escaped."""

from xml.sax.saxutils import escape

from markupsafe import Markup

from captains_table.phrases import ENGLISH, Language, rendered


def label(words: str, language: Language = ENGLISH) -> str:
    """Return a text for the attribute of an element, or for between elements; text that is HTML stays as it is."""
    return words if isinstance(words, Markup) else escape(rendered(words, language), {'"': "&quot;"})
