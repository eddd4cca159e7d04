"""What goes into a match's dice beside the sealed seed: every player's first press, or in their place own words.

Source: docs/architecture.md Contract 5.
"""

import unicodedata

from captains_table.games.contract import IllegalAction, Rolled
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Salted, Words

MOST_CHARACTERS = 200
MOST_WORDS = 100
"""So often own words are taken in a match; whoever has a seat cannot fill the disk with them."""
JOINERS = "\u200c\u200d"
"""Signs without a look of their own that words of many tongues, and pictures of families, are made with."""


def check_words(text: str) -> str:
    """Return own words in normal form NFC; raises IllegalAction where they are not 1 to 200 characters of one line."""
    words = unicodedata.normalize("NFC", text)
    if not 1 <= len(words) <= MOST_CHARACTERS or not words.strip():
        raise IllegalAction(f"own words of {len(words)} characters: expected 1 to {MOST_CHARACTERS}")
    if not words.translate(dict.fromkeys(map(ord, JOINERS))).isprintable():
        raise IllegalAction(f"own words {words[:40]!r} hold signs that cannot be shown: expected one line of text")
    return words


class Salt:
    """Who has stirred a match's dice so far.

    Attributes:
        pressed: the seats whose first press went in.
        words: the own words that were given, in that order.
        has_thrown: whether the match's first throw has fallen.
    """

    def __init__(self) -> None:
        self.pressed: set[int] = set()
        self.words: list[Words] = []
        self.has_thrown = False

    def note(self, entry: Entry) -> None:
        """Know of an entry."""
        match entry:
            case Salted(seat=seat):
                self.pressed.add(seat)
            case Words():
                self.words.append(entry)
            case Acted(action=Rolled()):
                self.has_thrown = True

    def wants_press(self, seat: int, started: MatchStarted) -> bool:
        """Return whether a seat's press is to go in before it throws: not where words did, nor a computer's."""
        return not self.words and seat not in self.pressed and not started.is_absent(seat)

    def takes_words(self) -> bool:
        """Return whether own words may still go in."""
        return not self.has_thrown and not self.pressed and len(self.words) < MOST_WORDS
