"""Reads one TOML table key by key: an error names what was expected, and no key is left unread."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Word = TypeVar("Word", bound=str)


class BadProfile(ValueError):
    """A profile cannot be used; the message says file, key, and what was expected."""


class TableReader:
    """One table of a TOML file.

    Args:
        values: the parsed table.
        path: its name, such as "buttons.encoder"; empty for the file's top.
    """

    def __init__(self, values: Mapping[str, Any], path: str = "") -> None:
        self._values = values
        self._path = path
        self._known: list[str] = []

    def named(self, key: str) -> str:
        """Return a key with the table it is in."""
        return f"{self._path}.{key}" if self._path else key

    def __contains__(self, key: str) -> bool:
        return self._get(key) is not None

    def _get(self, key: str) -> Any:  # noqa: ANN401 - TOML holds anything
        if key not in self._known:
            self._known.append(key)
        return self._values.get(key)

    def wrong(self, key: str, expected: str) -> BadProfile:
        """Return the error that says what a key holds and what was expected."""
        value = self._get(key)
        if value is None:
            return BadProfile(f"{self.named(key)} is missing: expected {expected}")
        shown = "a table" if isinstance(value, dict) else repr(value)
        return BadProfile(f"{self.named(key)} = {shown}: expected {expected}")

    def whole(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """Return a whole number; raises BadProfile."""
        value = self._get(key)
        if value is None and default is not None:
            return default
        if not _is_whole(value) or not lowest <= value <= highest:
            raise self.wrong(key, f"a whole number from {lowest} to {highest}")
        return int(value)

    def truth(self, key: str, *, default: bool) -> bool:
        """Return true or false; raises BadProfile."""
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def text(self, key: str) -> str:
        """Return text that says something; raises BadProfile."""
        value = self._get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, "text in quotes")
        return value

    def word(self, key: str, words: Sequence[Word], default: Word | None = None) -> Word:
        """Return one of these words; raises BadProfile."""
        value = self._get(key)
        if value is None and default is not None:
            return default
        for word in words:
            if value == word:
                return word
        raise self.wrong(key, " or ".join(f'"{word}"' for word in words))

    def wholes(self, key: str, count: int, what: str) -> tuple[int, ...]:
        """Return exactly so many whole numbers; raises BadProfile."""
        value = self._get(key)
        if not isinstance(value, list) or len(value) != count or not all(_is_whole(item) for item in value):
            raise self.wrong(key, f"{count} {what}")
        return tuple(value)

    def words(self, key: str) -> Mapping[str, str]:
        """Return a table of words by words, empty where it is not there; raises BadProfile."""
        value = self._get(key)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self.wrong(key, "a table of words in quotes")
        return value

    @contextmanager
    def table(self, key: str) -> "Iterator[TableReader]":
        """Give a table within, of which every key must have been read in the end; raises BadProfile."""
        value = self._get(key)
        if not isinstance(value, dict):
            raise self.wrong(key, f"a table [{self.named(key)}]")
        table = TableReader(value, self.named(key))
        yield table
        table.finish()

    def finish(self) -> None:
        """Refuse keys nobody asked for; raises BadProfile."""
        for key in self._values:
            if key not in self._known:
                raise BadProfile(f"unknown key {self.named(key)!r}: expected {', '.join(self._known) or 'none here'}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
