"""Reads and validates request bodies and parameters; an invalid one raises Problem with the expected form."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from captains_table.games.contract import Correct, Reply, Shape, Square, parse_square
from captains_table.phrases import message, say
from captains_table.table.model.codec import BadValue
from captains_table.table.model.entries import REPLIES
from captains_table.web.problems import Problem

MAX_BODY = 16_384  # bytes; the longest legitimate request is a new match with a FEN
LONGEST_HOLD_MS = 2000
LARGEST_NUMBER = 2**31 - 1  # no match number is larger


async def read_json(request: Request) -> Mapping[str, Any]:
    """Return the JSON object in a request's body; raises Problem if the body is too long or no JSON object."""
    body = await read_body(request)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise Problem(400, say("The body cannot be read: expected a JSON object.")) from None
    if not isinstance(value, dict):
        raise Problem(400, say("The body is no JSON object: expected something like {expected}.", "{...}"))
    return value


async def read_fields(request: Request, most: int = MAX_BODY) -> dict[str, str]:
    """Return a form's fields, sent URL-encoded or as a JSON object; raises Problem.

    Args:
        request: the request with the form.
        most: the largest permitted size of a URL-encoded body, in bytes; for a JSON object it is MAX_BODY.
    """
    if not request.headers.get("content-type", "").startswith("application/json"):
        body = await read_body(request, most)
        try:
            return merged(parse_qsl(body.decode(), keep_blank_values=True))
        except ValueError:
            raise Problem(400, say("The form cannot be read: expected UTF-8 text.")) from None
    fields = await read_json(request)
    if not all(isinstance(value, str) for value in fields.values()):
        raise Problem(400, say("A field is no text: expected every field as a string."))
    return dict(fields)


def merged(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Map the name of each field of a form to its value.

    If several fields have the same name, the last value that is not empty counts.
    """
    found: dict[str, str] = {}
    for name, value in fields:
        found[name] = value or found.get(name, "")
    return found


async def read_body(request: Request, most: int = MAX_BODY) -> bytes:
    """Return a request's body; raises Problem if it has more than `most` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Problem(413, say("The body is too long: expected at most {most} bytes.", most))
    return bytes(body)


def read_revision(body: Mapping[str, Any]) -> int:
    """Return the revision number in the body: the version of the question being answered; raises Problem."""
    revision = body.get("revision")
    if type(revision) is int:
        return revision
    raise Problem(400, say("The revision is missing: expected the whole number the ask was shown with."))


def read_action(body: Mapping[str, Any]) -> Reply:
    """Return the player's action in a request's JSON object; raises Problem.

    Actions of the table itself, such as fallen dice or a timeout, are refused.
    """
    action = body.get("action")
    try:
        return REPLIES.from_plain(action)
    except BadValue:
        match action:
            case {"type": "bid", "seat": int()}:
                words = message("The bid cannot be read: expected {expected}.")
            case {"type": "bid"}:
                words = message("Who bids? The seat is missing, and nothing was bid: expected {expected}.")
            case _:
                words = message("The action cannot be read: expected {expected}.")
        raise Problem(400, say(words, expected=REPLIES.forms())) from None


def read_words(body: Mapping[str, Any]) -> tuple[int, str]:
    """Return a seat, and the words that its player wants to mix into the dice; raises Problem."""
    seat, text = body.get("seat"), body.get("text")
    if type(seat) is not int or not isinstance(text, str) or not _is_text(text):
        raise Problem(400, say("The words cannot be read: expected {expected}.", '{"seat": number, "text": text}'))
    return seat, text


def read_seat_player(body: Mapping[str, Any]) -> tuple[int, str]:
    """Return a seat, and the player who takes it over: a computer such as `aether:3`, empty for a person.

    Raises Problem.
    """
    seat, player = body.get("seat"), body.get("player")
    if type(seat) is not int or not isinstance(player, str) or not _is_text(player):
        expected = '{"seat": number, "player": "aether:3", or ""}'
        raise Problem(400, say("Who is to play cannot be read: expected {expected}.", expected))
    return seat, player


def read_correction(body: Mapping[str, Any]) -> Correct:
    """Return a game master's correction; raises Problem."""
    words = [body.get(key, "") for key in ("what", "of", "to", "why")]
    if not all(isinstance(word, str) and _is_text(word) for word in words):
        expected = '{"what": text, "of": text, "to": text, "why": text}'
        raise Problem(400, say("The correction cannot be read: expected {expected}.", expected))
    return Correct(*(word.strip() for word in words))


def read_held_ms(body: Mapping[str, Any]) -> int:
    """Return for how many milliseconds a button was held, at most LONGEST_HOLD_MS; raises Problem if invalid."""
    held_ms = body.get("held_ms")
    if type(held_ms) is int and held_ms >= 0:
        return min(held_ms, LONGEST_HOLD_MS)
    expected = '{"held_ms": milliseconds}'
    raise Problem(400, say("How long the dice were held cannot be read: expected {expected}.", expected))


def _is_text(text: str) -> bool:
    """Return whether a text can be encoded in UTF-8, that is, contains no surrogates."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def read_square(body: Mapping[str, Any], shape: Shape | None) -> Square:
    """Return the square that was tapped; raises Problem if there is no such square on a board of this shape.

    Args:
        body: the request's JSON object.
        shape: the board's shape; `None` if there is no board; then every square is refused.
    """
    name = body.get("square")
    last = Square(shape.files - 1, shape.ranks - 1) if shape else "h8"
    try:
        square = parse_square(name) if isinstance(name, str) else None
    except ValueError:
        square = None
    if square is None:
        raise Problem(400, say("The square cannot be read: expected one from a1 to {last}.", str(last)))
    if shape is None or square not in shape.squares():
        wrong = say(
            "There is no square {square} on this board: expected one from a1 to {last}.", str(square), str(last)
        )
        raise Problem(404, wrong)
    return square


def read_piece(body: Mapping[str, Any]) -> str:
    """Return the piece to pick up: a FEN letter, possibly after a `+`, or a token's number; raises Problem."""
    piece = body.get("piece")
    if not isinstance(piece, str) or not re.fullmatch(r"\+?[A-Za-z]|[1-9]\d?", piece):
        raise Problem(
            400,
            say(
                "The piece cannot be read: expected one letter, such as N for a white knight, or +B, or a player's "
                "number."
            ),
        )
    return piece


def read_number(text: str) -> int:
    """Return the number of a match or die that is given in an address; raises Problem."""
    number = whole_number(text, LARGEST_NUMBER)
    if number is None:
        raise Problem(404, say("There is no match {number}: expected a number from the list of matches.", repr(text)))
    return number


def whole_number(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that a text writes in digits; `None` if it is no such number."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_NUMBER))
    return int(text) if is_number and int(text) <= most else None
