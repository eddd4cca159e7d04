"""Reads a language's catalogue: a .po file, the format of GNU gettext, with the translation of each message.

Fuzzy and empty translations are left out, and so are those that name a field or form that is not there: the message
stays English. `misfits` says what is wrong with the latter.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from gettext import c2py
from typing import Final

from captains_table.phrases.language import Language, MessageKey
from captains_table.phrases.phrase import FIELD, NOUN

AT_ONCE: Final = 1 << 15
"""The least number of characters that are parsed at once: all lines of a catalogue would take megabytes."""


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A message of a catalogue.

    Attributes:
        context: what distinguishes messages with the same English text; mostly empty.
        text: the English text; empty in the catalogue's first entry, which describes the language.
        plural_text: the English text for several things; empty for a message without plural forms.
        forms: the translations; one for each plural form.
        is_fuzzy: whether a translator must look at it again.
    """

    context: str
    text: str
    plural_text: str
    forms: tuple[str, ...]
    is_fuzzy: bool


class BadCatalogue(ValueError):
    """A file is no catalogue; the message says which line is wrong."""


def read_catalogue(po_text: str) -> Language:
    """Return the language that a .po file describes; raises BadCatalogue."""
    header: Mapping[str, str] = {}
    messages: dict[MessageKey, tuple[str, ...]] = {}
    for entry in catalogue_entries(po_text):
        if not entry.text:
            fields = (line.partition(": ") for line in "".join(entry.forms[:1]).splitlines())
            header = {name: words for name, _, words in fields}
        elif not entry.is_fuzzy and all(entry.forms) and not misfits(entry):
            messages[entry.context, entry.text] = entry.forms
    rule = header.get("Plural-Forms", "plural=(n != 1);").partition("plural=")[2].rstrip("; ")
    try:
        return Language(header.get("Language", ""), messages, c2py(rule))
    except ValueError as error:
        raise BadCatalogue(f"Plural-Forms: {error}") from error


def catalogue_entries(po_text: str) -> Iterator[CatalogueEntry]:
    """Yield the entries of a .po file in their order; raises BadCatalogue."""
    begins = lines_before = 0
    while begins < len(po_text):
        ends = po_text.find("\n\n", begins + AT_ONCE) + 2
        part = po_text[begins : ends if ends > 1 else None]
        yield from _entries(part, lines_before)
        begins, lines_before = begins + len(part), lines_before + part.count("\n")


def _entries(po_text: str, lines_before: int) -> Iterator[CatalogueEntry]:
    lines = [line.strip() for line in po_text.splitlines()]
    written = [(number, line) for number, line in enumerate(lines, lines_before + 1) if line[:1] not in {"#", ""}]
    texts = iter(_unquoted([(number, line[line.find('"') :]) for number, line in written]))
    found: dict[str, str] = {}
    keyword, is_fuzzy = "", False
    for line in [*lines, ""]:
        if line[:1] == "#":
            is_fuzzy |= line[1:2] == "," and "fuzzy" in line
        elif line:
            keyword = line.partition(" ")[0] if line[:1] != '"' else keyword
            found[keyword] = found.get(keyword, "") + next(texts)
        else:
            if "msgid" in found:
                forms = tuple([words for name, words in found.items() if name[:6] == "msgstr"])
                context, plural = found.get("msgctxt", ""), found.get("msgid_plural", "")
                yield CatalogueEntry(context, found["msgid"], plural, forms, is_fuzzy)
            found, is_fuzzy = {}, False


def _unquoted(quoted: Sequence[tuple[int, str]]) -> list[str]:
    """Return quoted texts without their marks; many at once, which is faster.

    gettext escapes quotation marks, backslashes and line ends as JSON does.
    """
    try:
        texts = json.loads(f"[{','.join([text for _, text in quoted])}]")
        if len(texts) == len(quoted):
            return [str(text) for text in texts]
    except ValueError:
        pass
    for number, text in quoted:
        try:
            is_text = isinstance(json.loads(text), str)
        except ValueError:
            is_text = False
        if not is_text:
            raise BadCatalogue(f'line {number}: expected msgid or msgstr and a text in "...", got {text!r}')
    raise BadCatalogue("expected one text a line")


def misfits(entry: CatalogueEntry) -> list[str]:
    """Return what is wrong with an entry's translations, such as a field that the English text does not have."""
    if entry.context == NOUN or not any("{" in form for form in entry.forms):
        return []
    known = {name for text in (entry.text, entry.plural_text) for name, _ in FIELD.findall(text)}
    known |= {f"{name[:1].upper()}{name[1:]}" for name in known}
    known |= {f"{name[:1].lower()}{name[1:]}" for name in known}
    used = {name for form in entry.forms for name, _ in FIELD.findall(form)}
    unknown = sorted(used - known)
    return [f"there is no {{{name}}} in {entry.text!r}" for name in unknown]
