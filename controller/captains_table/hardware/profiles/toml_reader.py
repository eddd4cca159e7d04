"""Reads a parsed TOML table key by key: errors say what was expected, and unknown keys are rejected.

Defines `BadProfile`, the error for every invalid profile.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

_Value = TypeVar("_Value")
_Word = TypeVar("_Word", bound=str)


class BadProfile(ValueError):
    """Raised for an invalid profile; the message names the key, what was expected, and the file if it is known."""


class TomlTableReader:
    """A reader of one table of a TOML file.

    Args:
        values: the parsed table.
        path: the table's name, such as "buttons.encoder"; empty for the file's top level.
    """

    def __init__(self, values: Mapping[str, Any], path: str = "") -> None:
        self._values = values
        self._path = path
        self._known: list[str] = []

    def named(self, key: str) -> str:
        """Return a key with its table's name, such as "buttons.roll"."""
        return f"{self._path}.{key}" if self._path else key

    def __contains__(self, key: str) -> bool:
        return self._get(key) is not None

    def _get(self, key: str) -> Any:  # noqa: ANN401 - TOML holds anything
        if key not in self._known:
            self._known.append(key)
        return self._values.get(key)

    def wrong(self, key: str, expected: str) -> BadProfile:
        """Return an error that says what was expected and which value the key has, or that the key is missing."""
        value = self._get(key)
        if value is None:
            return BadProfile(f"{self.named(key)} is missing: expected {expected}")
        shown = "a table" if isinstance(value, dict) else repr(value)
        return BadProfile(f"{self.named(key)} = {shown}: expected {expected}")

    def whole(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """Read a whole number in a range, or return the default if the key is missing; raises BadProfile."""
        kind = Annotated[int, Meta(ge=lowest, le=highest)]
        return self._read(key, kind, f"a whole number from {lowest} to {highest}", default)

    def truth(self, key: str) -> bool:
        """Read a boolean, which is false if the key is missing; raises BadProfile."""
        return self._read(key, bool, "true or false", default=False)

    def text(self, key: str) -> str:
        """Read a text that is not blank; raises BadProfile."""
        return self._read(key, Annotated[str, Meta(pattern=r"\S")], "text in quotes")

    def word(self, key: str, words: Sequence[_Word], default: _Word | None = None) -> _Word:
        """Read one of the allowed words, or return the default if the key is missing; raises BadProfile."""
        value = self._get(key)
        if value is None and default is not None:
            return default
        for word in words:
            if value == word:
                return word
        raise self.wrong(key, " or ".join(f'"{word}"' for word in words))

    def wholes(self, key: str, count: int, what: str) -> tuple[int, ...]:
        """Read a list of exactly `count` whole numbers, which an error message calls `what`; raises BadProfile."""
        kind = Annotated[tuple[int, ...], Meta(min_length=count, max_length=count)]
        return self._read(key, kind, f"{count} {what}")

    def words(self, key: str) -> Mapping[str, str]:
        """Read a table that maps words to words, or return an empty one if the key is missing; raises BadProfile."""
        return self._read(key, dict[str, str], "a table of words in quotes", {})

    @contextmanager
    def table(self, key: str) -> "Iterator[TomlTableReader]":
        """Open a nested table; raises BadProfile if it is missing or, on exit, if some of its keys were not read."""
        table = TomlTableReader(self._read(key, dict[str, Any], f"a table [{self.named(key)}]"), self.named(key))
        yield table
        table.finish()

    def finish(self) -> None:
        """Raise BadProfile if the table has keys that were not read."""
        for key in self._values:
            if key not in self._known:
                raise BadProfile(f"unknown key {self.named(key)!r}: expected {', '.join(self._known) or 'none here'}")

    def _read(self, key: str, kind: Any, expected: str, default: _Value | None = None) -> _Value:  # noqa: ANN401 - a type may be any object
        """Return a key's value if it has a type, or the default if the key is missing; raises BadProfile."""
        value = self._get(key)
        if value is None and default is not None:
            return default
        try:
            found: _Value = msgspec.convert(value, kind)
        except (msgspec.ValidationError, OverflowError):
            raise self.wrong(key, expected) from None
        return found
