"""The tape reader: it parses tapes, which are scripts of raw input with one directive per line, and does not play them.

Source: docs/contracts.md Contract 6.
"""

import json
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct

from captains_table.games.common.pieces import COLOURED_PAWNS, KINDS
from captains_table.games.contract import (
    Amount,
    Bell,
    Correct,
    EndMatch,
    Keep,
    Pick,
    Shape,
    Square,
    did_you_mean,
    parse_square,
)
from captains_table.table.model.events import Answered, Button, SwitchMasked, TimersSwitched

STEP_MS = 1000
MOST_DIGITS = 12
LONGEST_READING = 40
USAGE = {
    "game": "game KEY NAME ... OPTION=VALUE ...",
    "dice": "dice FACE ... or dice seed N",
    "press": "press BUTTON",
    "hold": "hold BUTTON MILLISECONDS",
    "lift": "lift SQUARE",
    "place": "place SQUARE or place SQUARE READING",
    "reads": "reads SQUARE=READING ...",
    "pick": "pick ID",
    "amount": "amount N",
    "keep": "keep DIE ...",
    "bid": "bid NAME N",
    "bell": "bell alone",
    "correct": "correct gold|place|crown NAME TO and a reason, if there is one",
    "end": "end alone",
    "timers": "timers stop or timers start",
    "words": "words NAME TEXT",
    "set-up": "set-up alone",
    "advice": "advice alone",
    "think": "think alone",
    "board": "board FEN",
    "config": "config KEY=VALUE",
    "mask": "mask SQUARE",
    "unplug": "unplug alone",
    "plug": "plug alone",
    "cut": "cut alone",
    "expect": "expect PATH VALUE",
}
EXPECT = re.compile(r"""(?:\+\d+\s+)?expect\s+(?P<path>"[^"]*"|'[^']*'|\S+)\s*(?P<value>.*)""", re.DOTALL)


class StartMatch(Struct, frozen=True):
    """The directive `game KEY NAME... OPTION=VALUE...`: starts a match."""

    game: str
    names: tuple[str, ...]
    options: Mapping[str, str]


class QueueDice(Struct, frozen=True):
    """The directive `dice FACE...`: queues faces for the next throws."""

    faces: tuple[int, ...]


class SeedDice(Struct, frozen=True):
    """The directive `dice seed N`: draws the following throws at random, with the seed N."""

    number: int


class Press(Struct, frozen=True):
    """The directive `press BUTTON`, or `hold BUTTON MILLISECONDS`, where the time is how long the button is held."""

    button: Button
    held_ms: int = 0


class MoveSwitch(Struct, frozen=True):
    """The directive `lift SQUARE` (opens a switch) or `place SQUARE` (closes it).

    `place e4 N` also says what the board reads of the piece.
    """

    square: Square
    closed: bool
    reading: str = ""


class ReadPieces(Struct, frozen=True):
    """The directive `reads SQUARE=READING ...`: the whole board is read, and these are its readings."""

    readings: Mapping[Square, str]


class NamedBid(Struct, frozen=True):
    """The directive `bid NAME N`: the player NAME bids N."""

    name: str
    value: int


class SaltWords(Struct, frozen=True):
    """The directive `words NAME TEXT`: words that a player adds to the salt of the dice."""

    name: str
    text: str


class SetUpBoard(Struct, frozen=True):
    """The directive `board FEN`: the pieces on the board before the match; the FEN also gives the board's shape."""

    pieces: Mapping[Square, str]
    shape: Shape


class Configure(Struct, frozen=True):
    """The directive `config KEY=VALUE`: changes a setting of the table."""

    key: str
    value: str


class WordDirective(Struct, frozen=True):
    """A directive of one word: `set-up`, `advice`, `think`, `unplug`, `plug` or `cut`."""

    word: str


class Expect(Struct, frozen=True):
    """The directive `expect PATH VALUE`: at this point of the tape, the object at PATH in the result must be VALUE.

    The result is the final object of the tape, as if the tape ended at this line.
    """

    path: str
    value: str


TapeEvent = Answered | TimersSwitched | SwitchMasked
"""The directives that are events of the table: answers other than bids, `timers` and `mask`."""
Directive = (
    StartMatch
    | QueueDice
    | SeedDice
    | Press
    | MoveSwitch
    | ReadPieces
    | NamedBid
    | SaltWords
    | SetUpBoard
    | Configure
    | WordDirective
    | Expect
    | TapeEvent
)


class TapeLine(Struct, frozen=True):
    """A directive with its line number; the directive is due `after_ms` milliseconds after the previous one."""

    number: int
    after_ms: int
    directive: Directive


class BadTape(ValueError):
    """A line of a tape cannot be read; the message says what was expected."""


def parse_line(number: int, text: str) -> TapeLine | None:
    """Return the parsed line; `None` for an empty line or a comment.

    Raises:
        BadTape: the line cannot be read.
    """
    try:
        words = shlex.split(text, comments=True)
    except ValueError as error:
        raise BadTape(f"{text.strip()!r} cannot be read ({error}): expected closed quotes") from error
    if not words:
        return None
    after_ms = STEP_MS
    if words[0].startswith("+"):
        after_ms = _number(words.pop(0)[1:], "milliseconds after the +")
    if not words:
        raise BadTape("nothing follows the time: expected a directive such as lift e2")
    return TapeLine(number, after_ms, _directive(words[0], words[1:], text))


def _directive(word: str, rest: list[str], text: str) -> Directive:  # noqa: C901, PLR0911, PLR0912 - one table
    match word, rest:
        case "game", [game, *words]:
            names = tuple(word for word in words if "=" not in word)
            return StartMatch(game, names, dict(word.split("=", 1) for word in words if "=" in word))
        case "dice", ["seed", number]:
            return SeedDice(_number(number, "a seed"))
        case "dice", [_, *_]:
            return QueueDice(tuple(_face(face) for face in rest))
        case "press", [button]:
            return Press(_button(button))
        case "hold", [button, held_ms]:
            return Press(_button(button), _number(held_ms, "milliseconds"))
        case "lift" | "place", [square]:
            return MoveSwitch(_square(square), closed=word == "place")
        case "place", [square, reading]:
            return MoveSwitch(_square(square), closed=True, reading=_reading(reading))
        case "reads", [_, *_]:
            pairs = (each.partition("=") for each in rest)
            return ReadPieces({_square(square): _reading(reading) for square, _, reading in pairs})
        case "pick", [id_]:
            return Answered(Pick(id_))
        case "amount", [value]:
            return Answered(Amount(_number(value, "an amount")))
        case "keep", dice:
            return Answered(Keep(tuple(_number(die, "the number of a die") for die in dice)))
        case "bid", [name, value]:
            return NamedBid(name, _number(value, "a bid"))
        case "words", [name, text]:
            return SaltWords(name, text)
        case "bell", []:
            return Answered(Bell())
        case "correct", [what, of, to, *why] if len(why) <= 1:
            return Answered(Correct(what, of, to, *why))
        case "end", []:
            return Answered(EndMatch())
        case "timers", ["stop" | "start" as way]:
            return TimersSwitched(run=way == "start")
        case "board", [fen, *_]:
            return _standing(fen)
        case "config", [setting] if "=" in setting:
            key, _, value = setting.partition("=")
            return Configure(key, value)
        case "mask", [square]:
            return SwitchMasked(_square(square))
        case "set-up" | "advice" | "think" | "unplug" | "plug" | "cut", []:
            return WordDirective(word)
        case "expect", [_, *_]:
            return _expectation(text)
        case _ if word in USAGE:
            raise BadTape(f"{' '.join([word, *rest])!r}: expected {USAGE[word]}")
        case _:
            raise BadTape(f"unknown word {word!r}: expected one of {', '.join(USAGE)}{did_you_mean(word, USAGE)}")


def _expectation(text: str) -> Expect:
    """Return the `expect` directive. Its value is JSON, and so keeps the quotes as they are written."""
    found = EXPECT.fullmatch(text.strip())
    value = _without_comment(found["value"]) if found is not None else ""
    if found is None or not value:
        raise BadTape(f"{text.strip()!r}: expected {USAGE['expect']}")
    return Expect(found["path"].strip("'\""), value)


def _without_comment(text: str) -> str:
    """Return a value without a comment that follows it; a # within a JSON string begins no comment."""
    if text.startswith("#"):
        return ""
    with suppress(ValueError, RecursionError):  # not JSON, or nested too deeply to parse
        _, end = json.JSONDecoder().raw_decode(text)
        after = text[end:].strip()
        if not after or after.startswith("#"):
            return text[:end]
    return re.split(r"\s#", text, maxsplit=1)[0].strip()


def _reading(text: str) -> str:
    if not text or len(text) > LONGEST_READING:
        raise BadTape(f"{text!r}: expected what the board reads of the piece, in 1 to {LONGEST_READING} characters")
    return text


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > MOST_DIGITS:
        raise BadTape(f"{text[:40]!r}: expected {what}, a whole number of at most {MOST_DIGITS} digits")
    return int(text)


def _face(text: str) -> int:
    if text not in ("1", "2", "3", "4", "5", "6"):
        raise BadTape(f"{text!r} is no face: expected 1 to 6")
    return int(text)


def _button(text: str) -> Button:
    try:
        return Button(text)
    except ValueError:
        raise BadTape(f"unknown button {text!r}: expected {', '.join(Button)}{did_you_mean(text, Button)}") from None


def _square(text: str) -> Square:
    try:
        return parse_square(text)
    except ValueError as error:
        raise BadTape(str(error)) from None


def _is_piece(sign: str) -> bool:
    """Return whether a sign stands for a piece: a piece's letter, or a number in brackets for a player's token."""
    return sign.startswith("(") or sign in COLOURED_PAWNS or sign.removeprefix("+").lower() in KINDS


def _standing(fen: str) -> SetUpBoard:
    """Return the pieces and the board's shape from the first field of a FEN; the field lists the ranks from the top."""
    rows = fen.split("/")
    pieces: dict[Square, str] = {}
    widths = set()
    for index, row in enumerate(rows):
        file = 0
        for sign in re.findall(r"\(\d+\)|\d+|\+?[a-zA-Z]|.", row):
            if sign.isdecimal():
                file += _number(sign, "empty squares")
                continue
            if not _is_piece(sign):
                raise BadTape(f"{sign!r} in {fen!r}: expected piece letters, digits and slashes")
            pieces[Square(file, len(rows) - 1 - index)] = sign.strip("()")
            file += 1
        widths.add(file)
    if len(widths) != 1:
        raise BadTape(f"{fen!r}: expected ranks of the same length")
    return SetUpBoard(pieces, Shape(widths.pop(), len(rows)))
