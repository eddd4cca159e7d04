"""Reads a parsed TOML table key by key: errors say what was expected, and unknown keys are rejected.

Defines `BadProfile`, the error for every invalid profile.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

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
        value = self._get(key)
        if value is None and default is not None:
            return default
        if not _is_whole(value) or not lowest <= value <= highest:
            raise self.wrong(key, f"a whole number from {lowest} to {highest}")
        return int(value)

    def truth(self, key: str, *, default: bool) -> bool:
        """Read a boolean, or return the default if the key is missing; raises BadProfile."""
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def text(self, key: str) -> str:
        """Read a text that is not blank; raises BadProfile."""
        value = self._get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, "text in quotes")
        return value

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
        value = self._get(key)
        if not isinstance(value, list) or len(value) != count or not all(_is_whole(item) for item in value):
            raise self.wrong(key, f"{count} {what}")
        return tuple(value)

    def words(self, key: str) -> Mapping[str, str]:
        """Read a table that maps words to words, or return an empty one if the key is missing; raises BadProfile."""
        value = self._get(key)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self.wrong(key, "a table of words in quotes")
        return value

    @contextmanager
    def table(self, key: str) -> "Iterator[TomlTableReader]":
        """Open a nested table; raises BadProfile if it is missing or, on exit, if some of its keys were not read."""
        value = self._get(key)
        if not isinstance(value, dict):
            raise self.wrong(key, f"a table [{self.named(key)}]")
        table = TomlTableReader(value, self.named(key))
        yield table
        table.finish()

    def finish(self) -> None:
        """Raise BadProfile if the table has keys that were not read."""
        for key in self._values:
            if key not in self._known:
                raise BadProfile(f"unknown key {self.named(key)!r}: expected {', '.join(self._known) or 'none here'}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
