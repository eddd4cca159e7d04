"""Encodes and decodes unions of tagged msgspec classes as JSON.

The class's tag says which class a value has (`"entry": "acted"`, `"type": "pick"`); the fields follow in the order of
their declaration. To add an action or a journal entry, add a class to the union; nothing else is needed for the codec.
If data cannot be decoded, the error message says where it is wrong and what was expected.
"""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar, get_args

import msgspec
from msgspec import Struct

from captains_table.phrases import as_english

T = TypeVar("T", bound=Struct)

FIELD_WORDS = {str: "text", int: "number", tuple[int, ...]: "[numbers]"}
SHOWN = 40  # how many characters of a text that is nested too deeply an error message quotes
AT = " - at `$"  # what precedes the path of the wrong value in msgspec's error messages


class BadValue(ValueError):
    """Data cannot be decoded: it is not JSON, or fits none of the codec's classes; the message says where and why."""


class Codec(Generic[T]):
    """Encodes the classes of one union as JSON text or plain JSON values, and decodes them.

    Args:
        union: the classes; all have the same tag field.
        noun: the word for one value in error messages, such as "entry".
        inner: the codecs of values that are nested in fields of these classes.
    """

    def __init__(self, union: object, noun: str, *inner: "Codec[Any]") -> None:
        self.kinds: tuple[type[T], ...] = get_args(union)
        self._union: Any = union
        self._noun = noun
        self._decoder = msgspec.json.Decoder(self._union)
        self._by_tag_field = {_tag_field(codec.kinds[0]): codec for codec in (self, *inner)}

    def to_text(self, value: T) -> str:
        """Return a value as compact JSON text, without spaces."""
        return msgspec.json.encode(value, enc_hook=as_english).decode()

    def to_plain(self, value: T) -> dict[str, Any]:
        """Return a value as dictionaries, lists, strings and numbers."""
        written: dict[str, Any] = plain_value(value)
        return written

    def from_text(self, text: str) -> T:
        """Return the value that `to_text` encoded; raises BadValue if the text encodes no value of the union."""
        try:
            return self._decode(text)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadValue(f"unreadable {self._noun} {text!r}: {error}") from error
        except RecursionError as error:
            raise BadValue(f"unreadable {self._noun} {text[:SHOWN]!r}...: it is nested too deeply") from error

    def _decode(self, text: str) -> T:
        try:
            value: T = self._decoder.decode(text)
        except msgspec.ValidationError as error:
            raise BadValue(self._words(error, msgspec.json.decode(text))) from error
        return value

    def from_plain(self, found: object) -> T:
        """Return the value that `to_plain` encoded; raises BadValue if the data fits no class of the union."""
        try:
            value: T = msgspec.convert(found, self._union)
        except msgspec.ValidationError as error:
            raise BadValue(self._words(error, found)) from error
        except RecursionError as error:
            raise BadValue(f"unreadable {self._noun}: it is nested too deeply") from error
        return value

    def expected(self) -> str:
        """Return the known tags as a list in words, for error messages."""
        return joined_with_or([tag_of(kind) for kind in self.kinds])

    def forms(self) -> str:
        """Return the JSON forms of all classes, joined with commas and "or", for error messages."""
        return joined_with_or([_form(kind) for kind in self.kinds])

    def _words(self, error: msgspec.ValidationError, found: object) -> str:
        """Return the error message for a value with an unknown tag, or for a value that does not fit its class."""
        wrong, _, at = str(error).partition(AT)
        path = at.strip(".`").split(".")
        codec, part = self._by_tag_field.get(path[-1]), found
        for key in path:
            part = part.get(key) if isinstance(part, Mapping) else part
        if codec is not None:
            return f"unknown {codec._noun} {part!r}: expected {codec.expected()}"  # noqa: SLF001 - of its own class
        where = f" at {'.'.join(path)}" if at else ""
        return f"unreadable {self._noun} {found!r}: {wrong[:1].lower()}{wrong[1:]}{where}"


def plain_value(value: Struct) -> Any:  # noqa: ANN401 - JSON
    """Return a struct as plain JSON values: dictionaries, lists (also for tuples), strings and numbers."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=as_english))


def tag_of(value: Struct | type[Struct]) -> str:
    """Return the tag that distinguishes a class, or a value's class, from the other classes of its union."""
    return str(value.__struct_config__.tag)


def joined_with_or(words: list[str]) -> str:
    """Join alternatives with commas, and the last one with "or"."""
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def _tag_field(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag_field)


def _form(kind: type[Struct]) -> str:
    fields = "".join(f', "{field.name}": {FIELD_WORDS[field.type]}' for field in msgspec.structs.fields(kind))
    return f'{{"{_tag_field(kind)}": "{tag_of(kind)}"{fields}}}'
