"""Reads a language's catalogue: a .po file, the format of GNU gettext, with the translation of each message.

Fuzzy and empty translations are left out, and so are those that name a field or form that is not there: the message
stays English. `misfits` says what is wrong with the latter.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from gettext import c2py

from captains_table.phrases.language import Language, MessageKey
from captains_table.phrases.phrase import FIELD, NOUN


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
            header = _header(entry.forms[0])
        elif not entry.is_fuzzy and all(entry.forms) and not misfits(entry):
            messages[entry.context, entry.text] = entry.forms
    rule = header.get("Plural-Forms", "plural=(n != 1);").partition("plural=")[2].rstrip("; ")
    return Language(header.get("Language", ""), messages, c2py(rule))


def catalogue_entries(po_text: str) -> Iterator[CatalogueEntry]:
    """Yield the entries of a .po file in their order; raises BadCatalogue."""
    found: dict[str, str] = {}
    keyword, is_fuzzy = "", False
    for number, line in enumerate([*po_text.splitlines(), ""], 1):
        if line.startswith("#"):
            is_fuzzy |= line.startswith("#,") and "fuzzy" in line
        elif not line.strip():
            if "msgid" in found:
                forms = tuple(words for name, words in found.items() if name.startswith("msgstr"))
                yield CatalogueEntry(
                    found.get("msgctxt", ""), found["msgid"], found.get("msgid_plural", ""), forms, is_fuzzy
                )
            found, is_fuzzy = {}, False
        else:
            name, _, quoted = line.partition(" ") if line.startswith("msg") else (keyword, "", line)
            try:
                found[name] = found.get(name, "") + _unquoted(quoted)
            except ValueError:
                raise BadCatalogue(
                    f'line {number}: expected msgid or msgstr and a text in "...", got {line!r}'
                ) from None
            keyword = name


def _unquoted(quoted: str) -> str:
    if not quoted.startswith('"'):
        raise ValueError(quoted)
    return str(json.loads(quoted))  # gettext escapes quotation marks, backslashes and line ends as JSON does


def _header(text: str) -> Mapping[str, str]:
    return {name: words for name, _, words in (line.partition(": ") for line in text.splitlines())}


def misfits(entry: CatalogueEntry) -> list[str]:
    """Return what is wrong with an entry's translations, such as a field that the English text does not have."""
    if entry.context == NOUN:
        return []
    known = {name for text in (entry.text, entry.plural_text) for name, _ in FIELD.findall(text)}
    known |= {f"{name[:1].upper()}{name[1:]}" for name in known}
    known |= {f"{name[:1].lower()}{name[1:]}" for name in known}
    used = {name for form in entry.forms for name, _ in FIELD.findall(form)}
    unknown = sorted(used - known)
    return [f"there is no {{{name}}} in {entry.text!r}" for name in unknown]
