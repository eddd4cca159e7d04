"""Which names players may have, and why a text is none.

A name is one line of 1 to 40 characters (code points) that can be shown. Zero-width joiners may stand between other
characters, because Persian and other languages and composed emoji need them. Sources: UAX #9 and UTS #51.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from captains_table.games.contract.options import BadOption
from captains_table.phrases import listed, say

LONGEST_NAME: Final = 40
_JOINERS: Final = "\u200c\u200d"
_UNJOINED: Final = str.maketrans(dict.fromkeys(_JOINERS, "x"))
_TAGGED_FLAG: Final = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")  # such as that of Scotland
_LOOSE_JOINER: Final = re.compile(rf"(?:^|(?<=[\s{_JOINERS}]))[{_JOINERS}]|[{_JOINERS}](?=\s|$)")
_UNNAMED: Final = {
    "\t": "a tab",
    "\n": "a line break",
    "\r": "a line break",
    "Cc": "a control character",
    "Cs": "half of a character",
    "Co": "of private use",
    "Cn": "unknown to this program",
}


def is_showable(text: str) -> bool:
    """Return whether all characters of a text can be shown on one line; zero-width joiners count as such."""
    return text.isprintable() or _without_joiners(text).isprintable()


def hidden_character(text: str) -> str:
    """Return the first character that cannot be shown, such as `U+202E (right-to-left override)`; empty if all can."""
    return next((_called(letter) for letter in _without_joiners(text) if not letter.isprintable()), "")


def check_name(name: str) -> None:
    """Raise BadOption, which names the first wrong character, unless a text may be a player's name."""
    wrong = next(_faults(name), "")
    if wrong:
        raise BadOption(say("{name} is no name: {fault}", repr(name[:LONGEST_NAME]), wrong))


def check_names(names: Sequence[str], seats: range) -> None:
    """Check that the names are valid and different, and that `seats` allows their number; raises BadOption."""
    for name in names:
        check_name(name)
    if len(set(names)) != len(names):
        raise BadOption(say("players {names}: expected different names", listed(names, ",")))
    if len(names) not in seats:
        if len(seats) == 1:
            raise BadOption(say("{count} players were named: expected {seats}", len(names), seats.start))
        words = say("{count} players were named: expected {least} to {most}", len(names), seats.start, seats[-1])
        raise BadOption(words)


def _faults(name: str) -> Iterator[str]:
    """Yield what is wrong with a name."""
    if not name:
        yield say("it is empty, expected 1 to {most} characters", LONGEST_NAME)
    if hidden := hidden_character(name):
        yield say("it has {character} in it, expected only characters that can be shown", hidden)
    if name[:1].isspace():
        yield say("it begins with a space, expected none there")
    elif name[-1:].isspace():
        yield say("it ends with a space, expected none there")
    if loose := _LOOSE_JOINER.search(name):
        yield say("{character} joins nothing in it, expected it between two characters", _called(loose[0]))
    if "=" in name:
        yield say("it has = in it, which stands between options and their values, expected a name without =")
    if len(name) > LONGEST_NAME:
        yield say("it has {count} characters, expected at most {most}", len(name), LONGEST_NAME)


def _without_joiners(text: str) -> str:
    """Return a text in which zero-width joiners, and the tags of a flag, are replaced by letters."""
    return _TAGGED_FLAG.sub("x", text.translate(_UNJOINED))


def _called(letter: str) -> str:
    """Return a character's code point and name in Unicode."""
    kind = unicodedata.category(letter)
    words = unicodedata.name(letter, "").lower() or _UNNAMED.get(letter) or _UNNAMED[kind]
    return f"U+{ord(letter):04X} ({words})"
