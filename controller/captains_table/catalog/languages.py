"""The languages in which the program can be read: one catalogue (.po) for each, in `locale/` of this package.

A plug-in brings translations of its own messages in `locale/` of its package; what is in both is taken from ours.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Final

from captains_table.games.registry import GAMES
from captains_table.phrases import ENGLISH, Language
from captains_table.phrases.catalogue import BadCatalogue, catalogue_entries, read_catalogue

HOME: Final = "captains_table"
SUFFIX: Final = ".po"
OWN_NAME: Final = ("language", "English")
"""The message whose translation is a language's own name."""


_read: dict[str, Language] = {ENGLISH.code: ENGLISH}


def language_codes() -> tuple[str, ...]:
    """Return the codes of all languages, English first, then in alphabetical order."""
    return tuple(sorted({*_shipped(), *_read}, key=lambda code: (code != ENGLISH.code, code)))


@cache
def _shipped() -> frozenset[str]:
    names = (each.name for each in (files(HOME) / "locale").iterdir())
    return frozenset(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))


def find_language(code: str) -> Language:
    """Return the language with a code; English if there is none. Its catalogue is read on the first call."""
    if code not in _read and code in _shipped():
        _read[code] = _language(code)
    return _read.get(code, ENGLISH)


def _language(code: str) -> Language:
    language = read_catalogue(_po_text(HOME, code))
    messages = dict(language.messages)
    for package in _plugin_packages():
        for key, forms in _messages_of(package, code).items():
            messages.setdefault(key, forms)
    return Language(code, messages, language.plural)


@cache
def language_names() -> Mapping[str, str]:
    """Return what each language calls itself, keyed by its code."""
    return {code: _own_name(code) for code in language_codes()}


def _own_name(code: str) -> str:
    """Return what a language calls itself; only the beginning of its catalogue is parsed, which has the name."""
    if code not in _shipped():
        return OWN_NAME[1]
    entries = catalogue_entries(_po_text(HOME, code))
    return next((entry.forms[0] for entry in entries if (entry.context, entry.text) == OWN_NAME), code)


def _po_text(package: str, code: str) -> str:
    return (files(package) / "locale" / f"{code}{SUFFIX}").read_text(encoding="utf-8")


def _plugin_packages() -> Iterator[str]:
    packages = dict.fromkeys(type(game).__module__.partition(".")[0] for game in GAMES.values())
    return (package for package in packages if package not in {HOME, "__main__"})


def _messages_of(package: str, code: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the translations that a plug-in brings; empty if it brings none, or none that can be read."""
    with suppress(OSError, ModuleNotFoundError, UnicodeDecodeError, BadCatalogue):
        return read_catalogue(_po_text(package, code)).messages
    return {}
