"""Aether's engine protocol for other programs: it reads requests and writes answers as JSON lines (docs/engine.md).

Source: docs/rules/legend.md L5, L8, L17, L18.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from captains_table.games.contract import did_you_mean
from captains_table.games.legend.position import LegendPosition
from captains_table.players.legend.aether.situation import MOST_THROWS, FoundAction, Situation

FACES: Final = 6
MOST_POINTS: Final = 99_999
MOST_ROUNDS: Final = 99
MOST_CAPTURED: Final = 15  # all pieces of a side except its king
PIECES: Final = "pnbrq"
SIDES: Final = ("white", "black")
SHOWN: Final = 60  # characters of a wrong value that an error message quotes
PLACES: Final = 6  # decimal places of a value
Points = Annotated[int, Meta(ge=0, le=MOST_POINTS)]


class BadRequest(ValueError):
    """A request is invalid; the message names the key and the expected value."""


def read_request(line: bytes) -> Situation:
    """Return the situation that a request describes; raises BadRequest if the request is invalid."""
    asked = _object_of(line)
    unknown = next((key for key in asked if key not in _READERS), None)
    if unknown is not None:
        raise BadRequest(f"{_shown(unknown)}: expected no such key{did_you_mean(unknown, list(_READERS))}")
    missing = [key for key in _READERS if key not in asked]
    if missing:
        raise BadRequest(f"{missing[0]}: expected {_READERS[missing[0]][0]}, but the key is missing")
    return Situation(**{key: read(key, asked[key], words) for key, (words, read) in _READERS.items()})


def answer_line(found: FoundAction, ms: int) -> bytes:
    """Return the answer line with the action found and the milliseconds that the search took."""
    return _line({**asdict(found), "value": round(found.value, PLACES), "ms": ms})


def error_line(error: BadRequest) -> bytes:
    """Return the answer line for an invalid request."""
    return _line({"error": str(error)})


def _line(value: Mapping[str, object]) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _object_of(line: bytes) -> dict[str, Any]:
    expected = "expected one JSON object in UTF-8 a line"
    try:
        value = msgspec.json.decode(line.decode())
    except UnicodeDecodeError as error:
        raise BadRequest(f"line: {expected}, got bytes that are no UTF-8: {error.reason}") from error
    except msgspec.DecodeError as error:
        raise BadRequest(f"line: {expected}, got {_shown(line.decode().strip())} ({error})") from error
    except RecursionError as error:
        raise BadRequest(f"line: {expected}, got one that is nested too deeply") from error
    if not isinstance(value, dict):
        raise BadRequest(f"line: {expected}, got {_shown(value)}")
    return value


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _wrong(key: str, value: object, expected: str) -> BadRequest:
    return BadRequest(f"{key}: expected {expected}, got {msgspec.json.encode(value).decode()[:SHOWN]}")


# --- the keys -------------------------------------------------------------------------------------------------------


def _fen(key: str, value: object, expected: str) -> str:
    if not isinstance(value, str):
        raise _wrong(key, value, expected)
    try:
        return LegendPosition.from_fen(value).fen()
    except ValueError as error:
        raise BadRequest(f"{key}: expected {expected}, got {_shown(value)!r}: {error}") from error


def _as(kind: object) -> Callable[[str, object, str], object]:
    """Return a function that converts a value of a request to the type `kind`.

    The function takes the value's key, the value, and a description of the expected value for error messages. It raises
    BadRequest if the value does not fit the type.
    """

    def read(key: str, value: object, expected: str) -> object:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise _wrong(key, value, expected) from error

    return read


def _captures(key: str, value: object, expected: str) -> tuple[str, str]:
    if not isinstance(value, dict) or sorted(value) != sorted(SIDES):
        raise _wrong(key, value, expected)
    for side in SIDES:
        held = value[side]
        if not isinstance(held, str) or set(held) - set(PIECES) or len(held) > MOST_CAPTURED:
            raise _wrong(f"{key}.{side}", held, f"up to {MOST_CAPTURED} letters of {PIECES}")
    return value["white"], value["black"]


_READERS: Final[Mapping[str, tuple[str, Callable[[str, object, str], Any]]]] = {
    "fen": ("a position as FEN, with a king of each colour", _fen),
    "die": (f"a whole number from 1 to {FACES}", _as(Annotated[int, Meta(ge=1, le=FACES)])),
    "throws": (f"a whole number from 1 to {MOST_THROWS}", _as(Annotated[int, Meta(ge=1, le=MOST_THROWS)])),
    "cargo": (f"[white, black], whole numbers from 0 to {MOST_POINTS}", _as(tuple[Points, Points])),
    "legend": (f"[white, black], whole numbers from 0 to {MOST_POINTS}", _as(tuple[Points, Points])),
    "captures": ('{"white": letters, "black": letters}', _captures),
    "genie_spent": ("[white, black], true or false each", _as(tuple[bool, bool])),
    "rounds_left": (f"a whole number from 0 to {MOST_ROUNDS}", _as(Annotated[int, Meta(ge=0, le=MOST_ROUNDS)])),
}
