"""The salt of a match's dice, which is mixed with the sealed seed.

The salt is the first press of each player. Once a player gives a text for the dice, texts replace the presses.

Source: docs/contracts.md Contract 5.
"""

import unicodedata

from captains_table.games.contract import IllegalAction, Rolled, is_showable
from captains_table.phrases import say
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Salted, SaltText

MOST_CHARACTERS = 200
MOST_WORDS = 100
"""The number of texts for the dice that a match accepts, so that a player cannot fill the disk with them."""


def check_words(text: str) -> str:
    """Return a player's text in normal form NFC.

    Raises IllegalAction unless the text is one line of 1 to 200 printable characters, not all of them blank.
    """
    words = unicodedata.normalize("NFC", text)
    if not 1 <= len(words) <= MOST_CHARACTERS or not words.strip():
        raise IllegalAction(say("own words of {count} characters: expected 1 to {most}", len(words), MOST_CHARACTERS))
    if not is_showable(words):
        raise IllegalAction(
            say("own words {words} hold signs that cannot be shown: expected one line of text", repr(words[:40]))
        )
    return words


class Salt:
    """What the players have contributed to a match's dice so far.

    Attributes:
        pressed: the seats whose first press was mixed in.
        words: the texts that players gave, in the order in which they were given.
        has_thrown: whether the first dice of the match have fallen.
    """

    def __init__(self) -> None:
        self.pressed: set[int] = set()
        self.words: list[SaltText] = []
        self.has_thrown = False

    def note(self, entry: Entry) -> None:
        """Update the salt from a journal entry."""
        match entry:
            case Salted(seat=seat):
                self.pressed.add(seat)
            case SaltText():
                self.words.append(entry)
            case Acted(action=Rolled()):
                self.has_thrown = True

    def wants_press(self, seat: int, started: MatchStarted) -> bool:
        """Return whether a seat must press the button before it throws, so that the press is added to the salt.

        No press is needed if no person plays the seat at this table, if the seat has pressed before, or if any player
        has given a text for the dice.
        """
        return not self.words and seat not in self.pressed and not started.is_program(seat)

    def takes_words(self) -> bool:
        """Return whether players may still give texts.

        The players of a match may give at most `MOST_WORDS` texts, and none after the first throw or after the first
        press of the button for the dice.
        """
        return not self.has_thrown and not self.pressed and len(self.words) < MOST_WORDS
