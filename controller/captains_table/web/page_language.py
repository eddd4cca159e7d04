"""The language of the page, error or drawing that is rendered now; middleware sets it for each request (languages.py).

A stream that several browsers share, and whatever else is rendered outside of a request, sets it for itself.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from xml.sax import saxutils

from markupsafe import Markup, escape

from captains_table.phrases import ENGLISH, Language, Phrase, PhrasePart, rendered, say, several
from captains_table.phrases.phrase import NOUN

_LANGUAGE: ContextVar[Language] = ContextVar("language", default=ENGLISH)


@contextmanager
def page_language_of(language: Language) -> Iterator[None]:
    """Let what is rendered in the `with` block be in a language."""
    before = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def page_language() -> Language:
    """Return the language of what is rendered now."""
    return _LANGUAGE.get()


def on_page(part: PhrasePart) -> str:
    """Return a text, a name or a number in the language of the page."""
    return rendered(part, page_language())


def svg_label(words: str) -> str:
    """Return a text for an attribute or an element of SVG; it is escaped unless it is HTML already."""
    return words if isinstance(words, Markup) else saxutils.escape(on_page(words), {'"': "&quot;"})


def said_in_html(text: str, **parts: PhrasePart) -> Markup:
    """Return a message of a template, which may contain HTML elements; its parts are escaped."""
    return _html(say(text, **_escaped(parts)))


def several_in_html(number: int, one: str, many: str, **parts: PhrasePart) -> Markup:
    """Return the message of a template for a number of things, with its parts escaped."""
    return _html(several(number, one, many, **_escaped(parts)))


def _escaped(parts: Mapping[str, PhrasePart]) -> dict[str, PhrasePart]:
    """Return the parts of a message without anything that HTML would understand; nouns keep their forms."""
    is_noun = {name: isinstance(part, Phrase) and part.context == NOUN for name, part in parts.items()}
    return {name: part if is_noun[name] else escape(on_page(part)) for name, part in parts.items()}


def _html(phrase: Phrase) -> Markup:
    words = on_page(phrase)
    if page_language() is not ENGLISH and "<" not in words:
        words = words.replace('"', "&#34;")  # the message may stand in an attribute
    return Markup(words)  # noqa: S704 - the message is ours
