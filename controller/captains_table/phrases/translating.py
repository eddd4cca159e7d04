"""Translates values with phrases in them, such as a view, where they leave for a display or a page."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar

from captains_table.phrases.language import ENGLISH, Language
from captains_table.phrases.phrase import Phrase, Rendered

V = TypeVar("V")
_PLAIN: Final = frozenset({str, int, bool, float, type(None)})
_known_fields: dict[type[object], tuple[str, ...]] = {}


def in_language(value: V, language: Language, *, keeps_short: bool = False) -> V:
    """Return a value with each phrase in it as plain text in a language; a value without phrases is returned itself.

    Texts that are no phrases (names, and what a plug-in says in plain English) stay as they are, and so do the keys of
    mappings.

    Args:
        value: the value, such as a view.
        language: the language.
        keeps_short: whether the texts keep their short forms, for a small display.
    """
    if language is ENGLISH:
        return value
    translated: V = _translated(value, language, keeps_short)
    return translated


def _translated(value: Any, language: Language, keeps: bool) -> Any:  # noqa: ANN401, FBT001 - called for each part
    kind: type[object] = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, Phrase):
        return Rendered(value, language) if keeps else value.render(language)
    if kind is tuple or kind is list:
        items = [_translated(item, language, keeps) for item in value]
        is_same = all(new is old for new, old in zip(items, value, strict=True))
        return value if is_same else kind(items)
    if isinstance(value, Mapping):
        changed = {key: new for key, old in value.items() if (new := _translated(old, language, keeps)) is not old}
        return {**value, **changed} if changed else value
    names = _fields(kind)
    old = {name: getattr(value, name) for name in names}
    changed = {name: new for name in names if (new := _translated(old[name], language, keeps)) is not old[name]}
    return replace(value, **changed) if changed else value


def _fields(kind: type[object]) -> tuple[str, ...]:
    """Return the fields of a dataclass; empty for any other type."""
    if kind not in _known_fields:
        _known_fields[kind] = tuple(each.name for each in fields(kind) if each.init) if is_dataclass(kind) else ()
    return _known_fields[kind]


def message_of(error: Exception) -> str:
    """Return an error's message, as a phrase if it was raised with one; `str(error)` would be plain English."""
    return error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
