"""Parses the messages that the board sends; runs only on the host."""

from collections.abc import Callable

from .fields import BadLinkMessage, expect_word_count, parse_count, parse_counts, parse_hex, parse_signed
from .from_board import (
    BUTTONS,
    LONGEST_SIDE,
    MOST_CHANGES,
    NONCE_DIGITS,
    PROTOCOL,
    Abilities,
    BoardChange,
    BoardState,
    Changes,
    Hello,
    LightsAck,
    Pong,
    hex_digits,
)


class OtherVersion(BadLinkMessage):
    """Raised for a greeting in another version of the link; only its protocol and firmware version can be read."""

    def __init__(self, protocol: int, firmware: str) -> None:
        super().__init__(f"the board speaks version {protocol} of the link, not {PROTOCOL}")
        self.protocol = protocol
        self.firmware = firmware


def parse_from_board(line: str) -> Hello | BoardState | Changes | LightsAck | Pong:
    """Parse a payload that the board sent.

    Raises:
        OtherVersion: the payload is a greeting in another version of the link.
        BadLinkMessage: the payload is not a message of the link.
    """
    words = line.split(" ")
    parse = _PARSERS.get(words[0])
    if parse is None:
        raise BadLinkMessage(f"expected one of {', '.join(sorted(_PARSERS))}, not {words[0]!r}")
    return parse(words)


def parse_changes(message: Changes) -> list[BoardChange]:
    """Return the changes of a message; raises BadLinkMessage."""
    return [_parse_change(word) for word in message.words]


def _parse_hello(words: list[str]) -> Hello:
    if len(words) >= 3:  # noqa: PLR2004 - these words are the same in all versions: HELLO, protocol, firmware
        protocol = parse_count(words[1], "a version of the link")
        if protocol != PROTOCOL:
            raise OtherVersion(protocol, words[2])
    expect_word_count(words, 9)
    sides = words[3].split("x")
    expect_word_count(sides, 2)
    files, ranks = (parse_count(side, "files and ranks", LONGEST_SIDE) for side in sides)
    if not files or not ranks:
        raise BadLinkMessage(f"expected a board of files x ranks, not {words[3]!r}")
    nonce = parse_hex(words[4], "a boot nonce", NONCE_DIGITS)
    names = _ability(words[6], "buttons")
    buttons = () if names == "none" else tuple(names.split(","))
    for name in buttons:
        if name not in BUTTONS or buttons.count(name) > 1:
            raise BadLinkMessage(f"expected buttons among {', '.join(BUTTONS)}, not {names!r}")
    lights = parse_count(_ability(words[5], "lights"), "lights", files * ranks + 1)
    encoder = parse_count(_ability(words[7], "encoder"), "an encoder", 1)
    buzzer = parse_count(_ability(words[8], "buzzer"), "a buzzer", 1)
    return Hello(words[2], files, ranks, nonce, Abilities(lights, buttons, bool(encoder), bool(buzzer)))


def _ability(word: str, name: str) -> str:
    if not word.startswith(name + "="):
        raise BadLinkMessage(f"expected {name}=..., not {word!r}")
    return word[len(name) + 1 :]


def _parse_state(words: list[str]) -> BoardState:
    expect_word_count(words, 11)
    digits = len(words[4])
    if not 0 < digits <= hex_digits(LONGEST_SIDE * LONGEST_SIDE):
        raise BadLinkMessage(f"expected the occupied squares, not {words[4]!r}")
    kept_from, latest = parse_counts(words[5], "the changes kept", 2)
    if kept_from < 1 or kept_from > latest + 1:
        raise BadLinkMessage(f"expected the first change kept and the latest, not {words[5]!r}")
    groups = [] if words[6] == "none" else words[6].split(";")
    buttons = [parse_counts(group, "a button", 3) for group in groups]
    for presses, releases, down in buttons:
        if down - presses + releases not in (0, 1) or down > 1:
            raise BadLinkMessage(f"expected presses, releases and 0 or 1, not {words[6]!r}")
    return BoardState(
        parse_hex(words[1], "a boot nonce", NONCE_DIGITS),
        parse_count(words[2], "a sequence number"),
        parse_count(words[3], "milliseconds"),
        parse_hex(words[4], "the occupied squares", digits),
        digits,
        (kept_from, latest),
        buttons,
        parse_signed(words[7], "a position"),
        parse_count(words[8], "a light frame"),
        parse_counts(words[9], "settings", 2),
        parse_counts(words[10], "errors", 3),
    )


def _parse_changes(words: list[str]) -> Changes:
    if not 1 <= len(words[3:]) <= MOST_CHANGES:
        raise BadLinkMessage(f"expected up to {MOST_CHANGES} changes, not {' '.join(words)!r}")
    first = parse_count(words[2], "a change's number")
    if first < 1:
        raise BadLinkMessage("expected changes counted from 1, not from 0")
    changes = Changes(parse_hex(words[1], "a boot nonce", NONCE_DIGITS), first, words[3:])
    parse_changes(changes)  # one invalid word makes the whole message invalid
    return changes


def _parse_change(word: str) -> BoardChange:
    time, colon, what = word.partition(":")
    board_ms = parse_count(time, "milliseconds")
    if not colon or not what or what[0] not in "sbe":
        raise BadLinkMessage(f"expected a change like 1200:s12+, not {word!r}")
    if what[0] == "e":
        return BoardChange(board_ms, "e", 0, parse_signed(what[1:], "steps"))
    if what[-1] not in "+-":
        raise BadLinkMessage(f"expected + or - at the end, not {word!r}")
    highest = LONGEST_SIDE * LONGEST_SIDE if what[0] == "s" else len(BUTTONS)
    return BoardChange(board_ms, what[0], parse_count(what[1:-1], "an index", highest - 1), int(what[-1] == "+"))


def _parse_lit(words: list[str]) -> LightsAck:
    expect_word_count(words, 3)
    return LightsAck(parse_hex(words[1], "a boot nonce", NONCE_DIGITS), parse_count(words[2], "a light frame"))


def _parse_pong(words: list[str]) -> Pong:
    expect_word_count(words, 4)
    nonce = parse_hex(words[1], "a boot nonce", NONCE_DIGITS)
    return Pong(nonce, parse_count(words[2], "a ping's number"), parse_count(words[3], "milliseconds"))


_PARSERS: dict[str, Callable[[list[str]], Hello | BoardState | Changes | LightsAck | Pong]] = {
    "HELLO": _parse_hello,
    "STATE": _parse_state,
    "CHANGES": _parse_changes,
    "LIT": _parse_lit,
    "PONG": _parse_pong,
}
