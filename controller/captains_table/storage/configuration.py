"""Reads configurations in TOML: checks sections and keys, and converts each value to the type of its field.

An error is a sentence that names the key and what was expected. The types of fields that several configurations share,
such as ports and paths, are here too.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

from captains_table.catalog.languages import language_codes
from captains_table.games.contract import did_you_mean
from captains_table.storage.toml_file import BadToml, read_toml
from captains_table.web.serving.limits import PageLimits, checked_proxy

C = TypeVar("C")


class BadConfig(ValueError):
    """The configuration is invalid; the message names the key and what was expected."""


class FieldReader(NamedTuple):
    """How a value in the file is converted into the value of a field.

    Attributes:
        written: the type of the value in the file.
        make: converts the value; raises ValueError with a sentence.
        expected: the words for an error message, such as "a file's path in quotes".
    """

    written: Any
    make: Callable[[Any], Any]
    expected: str


def whole(lowest: int, highest: int, what: str = "a whole number") -> Meta:
    """Return a constraint on the range of a whole number, including its words for error messages."""
    return Meta(ge=lowest, le=highest, description=f"{what} from {lowest} to {highest}")


def one_of(words: Collection[str]) -> Meta:
    """Return the constraint that a text is one of some words."""
    return Meta(pattern=rf"\A({'|'.join(words)})\Z", description=f"one of {', '.join(words)}")


def seconds(most: int) -> Meta:
    """Return the constraint for a time in seconds: more than 0 and at most `most`."""
    return Meta(gt=0, le=most, description=f"seconds, more than 0 and at most {most}")


def checked_proxies(written: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses and networks of proxies in normal form; raises ValueError with a readable message."""
    return tuple(map(checked_proxy, written))


def path_of(written: str) -> Path:
    """Return a path with `~` expanded to the user's home; raises ValueError with a readable message."""
    try:
        return Path(written).expanduser()
    except RuntimeError:
        raise ValueError(f"{written!r}: expected a path, or the home of a user there is") from None


LIMITS: Final = tuple(limit.name for limit in fields(PageLimits))
Port = Annotated[int, whole(0, 65535)]
LanguageCode = Annotated[str, one_of(language_codes())]
WordList = Annotated[tuple[str, ...], Meta(description='a list of words, such as ["Anne", "Bart"]')]
Proxies = Annotated[
    tuple[str, ...], FieldReader(tuple[str, ...], checked_proxies, 'a list of addresses, such as ["192.168.1.2"]')
]
FilePath = Annotated[Path, FieldReader(Annotated[str, Meta(min_length=1)], path_of, "a file's path in quotes")]

_PLAIN: Final[Mapping[Any, str]] = {str: "text in quotes", bool: "true or false"}


def read_config_file(path: Path, parse: Callable[[Mapping[str, Any]], C]) -> C:
    """Return the configuration that `parse` returns for a file's sections; raises BadConfig with the file's path."""
    try:
        return parse(read_toml(path))
    except (BadToml, BadConfig) as error:
        raise BadConfig(f"{path}: {error}") from error


def check_sections(sections: Mapping[str, Any], known: Mapping[str, Collection[str]]) -> None:
    """Raise BadConfig if a section or a key is unknown, or if a key stands where a section is expected.

    Args:
        sections: the content of the file.
        known: the known keys of each known section.
    """
    for name, section in sections.items():
        if name not in known:
            expected = ", ".join(f"[{each}]" for each in known)
            raise BadConfig(f"unknown section [{name}]: expected {expected}{did_you_mean(name, known)}")
        if not isinstance(section, dict):
            raise BadConfig(f"{name} = {section!r}: expected a section [{name}]")
        check_keys(name, section, known[name])


def check_keys(place: str, keys: Iterable[str], known: Collection[str]) -> None:
    """Raise BadConfig if a key is unknown."""
    for key in keys:
        if key not in known:
            expected = f"{', '.join(known)}{did_you_mean(key, known)}"
            raise BadConfig(f"unknown key {key!r} in [{place}]: expected one of {expected}")


def read_values(place: str, section: Mapping[str, Any], *kinds: type) -> dict[str, Any]:
    """Return the values of a section, each converted to the type of the field with the key's name; raises BadConfig.

    Args:
        place: the section's name, for error messages.
        section: the keys and values; `check_keys` has accepted the keys.
        kinds: the classes that have the fields.
    """
    types = {key: kind for each in kinds for key, kind in get_type_hints(each, include_extras=True).items()}
    return {key: read_value(f"[{place}] {key}", value, types[key]) for key, value in section.items()}


def read_value(name: str, value: object, kind: Any) -> Any:  # noqa: ANN401 - a type annotation may be any object
    """Return a value converted to a type; raises BadConfig, whose message begins with `name`."""
    how = _how(kind)
    try:
        written = msgspec.convert(value, how.written)
    except (msgspec.ValidationError, OverflowError) as error:
        raise BadConfig(f"{name} = {value!r}: expected {how.expected}") from error
    try:
        return how.make(written)
    except ValueError as error:
        raise BadConfig(f"{name} = {error}") from error


def taken_limits(values: dict[str, Any]) -> PageLimits:
    """Remove the page's limits from the values of a section, and return them."""
    return PageLimits(**{key: values.pop(key) for key in LIMITS if key in values})


def _how(kind: Any) -> FieldReader:  # noqa: ANN401 - as above
    """Return the reader for values of a type; an optional type has the reader of the type without `None`.

    TOML has no null. Therefore `None` occurs only as a field's default.
    """
    if get_args(kind)[-1:] == (type(None),):
        kind = get_args(kind)[0]
    for said in getattr(kind, "__metadata__", ()):
        if isinstance(said, FieldReader):
            return said
        if said.description:
            return FieldReader(kind, _as_it_is, said.description)
    return FieldReader(kind, _as_it_is, _PLAIN[kind])


def _as_it_is(written: object) -> object:
    return written
