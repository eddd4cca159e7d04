"""Translates values with phrases in them, such as a view, where they leave for a display or a page."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeVar

from captains_table.phrases.language import ENGLISH, Language
from captains_table.phrases.phrase import Phrase, Rendered

V = TypeVar("V")
_PLAIN: Final = frozenset({int, bool, float, type(None)})
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

    def words(text: str) -> str:
        if not isinstance(text, Phrase):
            return text
        return Rendered(text, language) if keeps_short else text.render(language)

    return with_texts(value, words)


def with_texts(value: V, change: Callable[[str], str]) -> V:
    """Return a value with each text in it changed, except keys of mappings; without a change the value itself."""
    changed: V = _with_texts(value, change)
    return changed


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - any value
    kind: type[Any] = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple | list):
        items = [_with_texts(item, change) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return kind(*items) if hasattr(kind, "_fields") else kind(items)
    if isinstance(value, Mapping):
        changed = {key: new for key, old in value.items() if (new := _with_texts(old, change)) is not old}
        return {**value, **changed} if changed else value
    names = _fields(kind)
    old = {name: getattr(value, name) for name in names}
    changed = {name: new for name in names if (new := _with_texts(old[name], change)) is not old[name]}
    return kind(**{**old, **changed}) if changed else value


def _fields(kind: type[object]) -> tuple[str, ...]:
    """Return the fields of a dataclass or a Struct; empty for any other type."""
    if kind not in _known_fields:
        own = tuple(each.name for each in fields(kind) if each.init) if is_dataclass(kind) else ()
        _known_fields[kind] = getattr(kind, "__struct_fields__", own)
    return _known_fields[kind]


def message_of(error: Exception) -> str:
    """Return an error's message, as a phrase if it was raised with one; `str(error)` would be plain English."""
    return error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
