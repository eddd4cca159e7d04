"""A phrase: English text that remembers the message and the parts it was made of, so that it can be translated later.

A phrase is a `str`, so whatever knows no languages (journals, tapes, tests, plug-ins) reads it as plain English. An
f-string or a method of `str` makes plain English of a phrase: such a text stays untranslated, but is never wrong.

In a message, `{name}` stands for a part. A translation may choose a form of a noun, `{piece:acc}`, or words that agree
with a noun, `{piece:m=pris|f=prise}`; the noun's own translation says its forms: `Springer|m|acc=den Springer`.
A field with a capital, `{Piece}`, begins with a capital letter. `{words:small}` begins with a small letter, as after a
colon in many languages, unless the part itself begins with a field, which may be a name.

A text may have a short form for small displays after a broken bar: `Round {n} of {m}¦Round {n}/{m}`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Self, TypeVar

from captains_table.phrases.language import ENGLISH, Language

PhrasePart = str | int
NOUN: Final = "noun"
LIST: Final = "list"
SHORT: Final = "¦"
SMALL_LETTER: Final = "small"
OPENING: Final = "¿¡«„“"
"""The signs before the first letter of a sentence."""
FIELD: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
"""A field of a message: the part's name, and the form of the noun that is wanted."""
C = TypeVar("C", bound=Callable[..., str])
COMPUTES: Final[dict[str, Callable[..., str]]] = {}
"""The functions that compute texts by their names, by which another process knows them."""


class Phrase(str):
    """English text with the message that it was made of.

    Attributes:
        text: the message's English text, with fields.
        parts: the values of the fields; a part that is a phrase is translated too.
        context: what distinguishes messages with the same English text.
        plural_text: the message's English text for several things; empty for a message without plural forms.
        number: the number that chooses the plural form.
        compute: makes the text of the rendered parts instead of a message; `None` for a message.
    """

    __slots__ = ("compute", "context", "number", "parts", "plural_text", "text")
    text: str
    parts: Mapping[str, PhrasePart]
    context: str
    plural_text: str
    number: int | None
    compute: Callable[..., str] | None

    def __new__(
        cls,
        text: str,
        parts: Mapping[str, PhrasePart],
        context: str = "",
        plural_text: str = "",
        number: int | None = None,
        compute: Callable[..., str] | None = None,
    ) -> Self:
        """Return the message with its parts filled in, in English."""
        if compute is not None:
            english = compute(*parts.values())
        else:
            english = (plural_text if plural_text and number != 1 else text).partition(SHORT)[0]
            if parts:
                english = _filled(english, parts, ENGLISH)
        made = super().__new__(cls, english)
        made.text, made.parts, made.context = text, parts, context
        made.plural_text, made.number, made.compute = plural_text, number, compute
        return made

    @property
    def short(self) -> str:
        """The short form in English, which is the text itself if it has none."""
        return self.render(ENGLISH, is_short=True)

    def render(self, language: Language, *, is_short: bool = False) -> str:
        """Return the text in a language; what is not translated stays English, but its parts are translated.

        Args:
            language: the language.
            is_short: whether to return the short form, if there is one.
        """
        if self.compute is not None:
            return self.compute(*(rendered(part, language, is_short=is_short) for part in self.parts.values()))
        if self.context == NOUN:
            return noun_forms(language.find(self.text, NOUN) or self.text)[""]
        usual, _, short = self.translated(language).partition(SHORT)
        chosen = (short or usual) if is_short else usual
        try:
            return _filled(chosen, self.parts, language, is_short=is_short) if self.parts else chosen
        except KeyError:  # a field that the message does not have; the reader of catalogues leaves such messages out
            return str(self)

    def translated(self, language: Language) -> str:
        """Return the message in a language, with its fields."""
        english = self.plural_text if self.plural_text and self.number != 1 else self.text
        return language.find(self.text, self.context, self.number) or english

    def form(self, wanted: str, language: Language) -> str:
        """Return a form of a noun (`acc`), or words that agree with it (`m=pris|f=prise`).

        A noun without the form is rendered as it stands; words that name no gender of the noun are the first ones.
        """
        forms = noun_forms(language.find(self.text, self.context) or self.text)
        if "=" not in wanted:
            return forms.get(wanted, forms[""]) if self.context == NOUN else self.render(language)
        choices = [choice.partition("=") for choice in wanted.split("|")]
        return next((words for gender, _, words in choices if gender in forms), choices[0][2])

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make a copy: by the message and its parts."""
        return type(self), (self.text, self.parts, self.context, self.plural_text, self.number, self.compute)


def _filled(text: str, parts: Mapping[str, PhrasePart], language: Language, *, is_short: bool = False) -> str:
    """Return a message with its fields filled in; raises KeyError if a part is missing."""
    beginning, fields = _split_fields(text)
    words = [beginning]
    for name, wanted, rest in fields:
        part = parts[name] if name in parts else parts[f"{name[:1].lower()}{name[1:]}"]
        if wanted and wanted != SMALL_LETTER and isinstance(part, Phrase):
            shown = part.form(wanted, language)
        else:
            shown = rendered(part, language, is_short=is_short)
        if wanted == SMALL_LETTER and isinstance(part, Phrase) and not part.translated(language).startswith("{"):
            shown = _with_first(shown, str.lower)
        words += (shown if name in parts else _with_capital(shown), rest)
    return "".join(words)


@lru_cache(maxsize=4096)
def _split_fields(text: str) -> tuple[str, Sequence[tuple[str, str | None, str]]]:
    """Return a message's text before its first field; and the name, the wanted form and the text behind each field."""
    beginning, *rest = FIELD.split(text)
    return beginning, tuple(zip(rest[::3], rest[1::3], rest[2::3], strict=True))


@lru_cache(maxsize=1024)
def noun_forms(translated: str) -> Mapping[str, str]:
    """Return the forms of a noun's translation by their names, the plain one by an empty name; genders are empty."""
    plain, *others = translated.split("|")
    return {"": plain, **{name: words for name, _, words in (each.partition("=") for each in others)}}


def rendered(part: PhrasePart, language: Language, *, is_short: bool = False) -> str:
    """Return a part of a message as text in a language; names and numbers stay as they are."""
    if isinstance(part, Phrase) and (is_short or language is not ENGLISH):
        return part.render(language, is_short=is_short)
    return part if isinstance(part, str) and not isinstance(part, Phrase) else str(part)


class Rendered(str):
    """A phrase in a language, with its short form.

    Attributes:
        phrase: the phrase.
        language: the language.
    """

    __slots__ = ("language", "phrase")
    phrase: Phrase
    language: Language

    def __new__(cls, phrase: Phrase, language: Language) -> Self:
        """Return the phrase in the language."""
        made = super().__new__(cls, phrase.render(language))
        made.phrase, made.language = phrase, language
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make a copy, which is plain text."""
        return str, (str(self),)

    @property
    def short(self) -> str:
        """The short form, which is the text itself if it has none."""
        return self.phrase.render(self.language, is_short=True)


def split_address(text: str, name: str) -> tuple[str, str]:
    """Return the beginning of a text that names whom it addresses, and its rest: ("Anne (White)", "your move").

    The beginning is empty if the text, in its language, does not begin with a field for this name, or for the name with
    its side ("Anne (White)"), and a colon or comma. The rest of a phrase is a phrase for that language alone.

    Args:
        text: the text, a phrase or a rendered one; plain text is taken to be English.
        name: the name of the player.
    """
    phrase = text.phrase if isinstance(text, Rendered) else text
    if not isinstance(phrase, Phrase):
        found = _ADDRESS.fullmatch(f"{{name}}{text.removeprefix(name)}") if text.startswith(name) else None
        return ("", text) if found is None else (f"{name}{found[2]}", found[3])
    language = text.language if isinstance(text, Rendered) else ENGLISH
    usual, _, short = phrase.translated(language).partition(SHORT)
    found, brief = _ADDRESS.fullmatch(usual), _ADDRESS.fullmatch(short)
    addressee = "" if found is None else phrase.parts.get(found[1], "")
    is_name = addressee == name or (isinstance(addressee, Phrase) and name in addressee.parts.values())
    if found is None or not is_name:
        return "", text
    rest = f"{found[3]}{SHORT}{brief[3] if brief else short}" if short else found[3]
    return rendered(addressee, language) + found[2], Phrase(rest, phrase.parts)


_ADDRESS: Final = re.compile(r"\{(\w+)\}((?: ?\([^()]*\))?)\s?[:,\uff1a\uff0c]\s*(.+)", re.DOTALL)
"""A message that begins with the name of whom it addresses, with a side in parentheses: `{name} (White): your move`."""


def short_form(text: str) -> str:
    """Return the short form of a text, which is the text itself if it has none."""
    return text.short if isinstance(text, Phrase | Rendered) else text


def say(text: str, /, *parts: PhrasePart, **named: PhrasePart) -> Phrase:
    """Return a message with its parts, one for each `{field}` of the text.

    Args:
        text: the message.
        parts: names, numbers or other phrases, in the order in which the text first names them.
        named: the parts by name instead, where the text is not written in the call.

    Raises:
        ValueError: there are parts, but more or fewer than fields.
    """
    return Phrase(text, _by_field(parts, message_fields(text)) or named)


def message(text: str, /) -> str:
    """Return the English text of a message that is said later, so that it is found for translation."""
    return text


def several(number: int, one: str, many: str, /, *parts: PhrasePart, **named: PhrasePart) -> Phrase:
    """Return the message for a number of things; `{n}` stands for the number, the other parts are as in `say`."""
    fields = [name for name in message_fields(one, many) if name != "n"]
    return Phrase(one, {"n": number, **(_by_field(parts, fields) or named)}, "", many, number)


@lru_cache(maxsize=4096)
def message_fields(*texts: str) -> tuple[str, ...]:
    """Return the names of the fields of texts, in the order in which they first appear, with small first letters."""
    names = (name for text in texts for name, _ in FIELD.findall(text))
    return tuple(dict.fromkeys(f"{name[:1].lower()}{name[1:]}" for name in names))


def _by_field(parts: Sequence[PhrasePart], fields: Sequence[str]) -> dict[str, PhrasePart]:
    return dict(zip(fields, parts, strict=True)) if parts else {}


def noun(text: str, /) -> Phrase:
    """Return the name of a thing, such as a piece; its translations have a gender and forms."""
    return Phrase(text, {}, NOUN)


def listed(items: Sequence[str], last: str = "and") -> str:
    """Return items as a list: "a, b and c".

    Args:
        items: the items; the list is empty if there are none.
        last: the word before the last item, "and" or "or"; a comma for none.
    """
    end = "{first}, {last}" if last == "," else f"{{first}} {last} {{last}}"
    whole = items[0] if items else ""
    for place, item in enumerate(items[1:], 2):
        whole = Phrase(end if place == len(items) else "{first}, {last}", {"first": whole, "last": item}, LIST)
    return whole


def computes(function: C) -> C:
    """Register a pure function of texts, so that phrases that it computes reach other processes."""
    COMPUTES[f"{function.__module__}.{function.__qualname__}"] = function
    return function


def computed(compute: Callable[..., str], /, *parts: PhrasePart) -> Phrase:
    """Return text that a function makes of its parts, after they were translated.

    It is for what no message can say, such as sentences with their full stops.

    Args:
        compute: a pure function that `computes`, which takes as many texts as there are parts.
        parts: the function's arguments.
    """
    return Phrase("", {str(place): part for place, part in enumerate(parts)}, compute=compute)


@computes
def with_spaces(*sentences: str) -> str:
    """Return sentences, or other words, with spaces between them; empty ones are left out."""
    return " ".join(filter(None, sentences))


@computes
def with_stops(*sentences: str) -> str:
    """Return sentences that have no full stops with full stops between them."""
    return ". ".join(sentences)


def as_sentence(words: str) -> Phrase:
    """Return words as a sentence: it begins with a capital and ends with a full stop, if it has no other end."""
    return computed(_with_stop, words)


def capitalized(words: str) -> Phrase:
    """Return words that begin with a capital, such as a name of a thing that stands alone."""
    return computed(_with_capital, words)


@computes
def _with_capital(words: str) -> str:
    return _with_first(words, str.upper)


def _with_first(words: str, change: Callable[[str], str]) -> str:
    first = len(words) - len(words.lstrip(OPENING))
    return f"{words[:first]}{change(words[first : first + 1])}{words[first + 1 :]}"


@computes
def _with_stop(words: str) -> str:
    return f"{_with_capital(words)}{'' if words.endswith(('.', '!', '?', '…')) else '.'}"


def decimal(value: float, places: int = 1, *, signed: bool = False) -> Phrase:
    """Return a number with decimal places, and the decimal mark of each language; `signed` with its sign."""
    return computed(_with_mark, f"{value:{'+' if signed else ''}.{places}f}", Phrase(".", {}, "decimal mark"))


@computes
def _with_mark(number: str, mark: str) -> str:
    return number.replace(".", mark)


def as_english(value: object) -> str:
    """Return a phrase as plain English; the `enc_hook` of msgspec, which encodes no subclass of `str` by itself."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be encoded")
