"""Words for a narrow screen: a name spelled letter by letter, long names cut, numbers that a knob turns through."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase, digits
from typing import Final

from captains_table.games.contract import Action, Option, PickAsk
from captains_table.table.lobby.match_setup import GiveWords, Request
from captains_table.table.lobby.question import WAY_BACK, Go, Question, pick_of
from captains_table.table.model.salt import MOST_CHARACTERS

DONE: Final = Option("done", "Done")
DELETE: Final = Option("delete", "Delete")
LETTER: Final = "letter-"
SPACE: Final = " "
BREAKS: Final = " -'."
ELLIPSIS: Final = "…"
SHOWN_OF_TYPED: Final = 18
ROOM_FOR_NAMES: Final = 22
STEPS: Final = ((20, 1), (100, 5), (200, 10), (1000, 50), (10_000, 500))
"""Up to each number the cursor goes in such steps: nobody turns a knob through ten thousand numbers."""
TITLE: Final = "Words for the dice"
SEAT: Final = "seat-"


def letters_after(text: str) -> tuple[Option, ...]:
    """Return the letters a name may go on with: capitals where a word begins, breaks only within it."""
    begins = not text or text[-1] in BREAKS
    letters = ascii_lowercase.upper() if begins else ascii_lowercase
    further = "" if begins else BREAKS
    return tuple(Option(f"{LETTER}{letter}", _called(letter)) for letter in (*letters, *further, *digits))


def spelling(text: str, longest: int) -> tuple[Option, ...]:
    """Return how a text that is being spelled may go on; what may end it comes first: one button is soon there."""
    endings = (DONE, DELETE) if text else ()
    return (*endings, *(letters_after(text) if len(text) < longest else ()))


def respelled(text: str, picked: str) -> str:
    """Return a text with the letter that was picked, or without its last one."""
    return text[:-1] if picked == DELETE.id else text + picked.removeprefix(LETTER)


def _called(letter: str) -> str:
    return "space" if letter == SPACE else letter


def typed(text: str) -> str:
    """Return a name that is being spelled with a cursor, its beginning cut where it is long."""
    tail = text if len(text) <= SHOWN_OF_TYPED else f"{ELLIPSIS}{text[1 - SHOWN_OF_TYPED :].lstrip()}"
    return f"{tail}_"


def brief_names(names: Sequence[str]) -> str:
    """Return names side by side, the long ones cut, the last ones counted where there are many."""
    shown = list(names[:3])
    rest = len(names) - len(shown)
    ending = f" +{rest}" if rest else ""
    room = ROOM_FOR_NAMES - len(ending) - 2 * (len(shown) - 1)
    while sum(map(len, shown)) > room:
        longest = max(range(len(shown)), key=lambda index: len(shown[index]))
        shown[longest] = f"{shown[longest].rstrip(ELLIPSIS)[:-1].rstrip()}{ELLIPSIS}"
    return f"{', '.join(shown)}{ending}"


def numbers_between(lo: int, hi: int, *always: int) -> list[int]:
    """Return the numbers a knob turns through from `lo` to `hi`: fewer and rounder ones the larger they get."""
    round_ones = {number for number in range(lo, min(hi, STEPS[-1][0]) + 1) if number % _step(number, hi) == 0}
    return sorted(round_ones | {lo, hi} | {number for number in always if lo <= number <= hi})


def _step(number: int, hi: int) -> int:
    """Return the step of the numbers around one; a range of a hundred has every one."""
    if hi <= STEPS[1][0]:
        return 1
    return next(step for limit, step in STEPS if number <= limit)


@dataclass(frozen=True, slots=True)
class WordsOf:
    """Who gives words.

    Attributes:
        names: the players in seat order.
    """

    names: Sequence[str]

    def question(self) -> Question:
        """Ask who stirs the dice."""
        players = tuple(Option(f"{SEAT}{seat}", name) for seat, name in enumerate(self.names))
        return Question(TITLE, PickAsk("Whose own words?", (*players, WAY_BACK)))

    def answered(self, action: Action) -> Go | Request:
        """Let that player spell."""
        seat = int(pick_of(action, self.question().ask).removeprefix(SEAT))
        return Go(SpelledWords(seat, self.names[seat]))


@dataclass(frozen=True, slots=True)
class SpelledWords:
    """A player's words, letter by letter."""

    seat: int
    name: str
    text: str = ""

    def question(self) -> Question:
        """Ask for the next letter."""
        options = (*spelling(self.text, MOST_CHARACTERS), WAY_BACK)
        return Question(TITLE, PickAsk(f"{self.name}: {typed(self.text)}", options))

    def answered(self, action: Action) -> Go | Request:
        """Take a letter, take one away, or give the words."""
        picked = pick_of(action, self.question().ask)
        if picked == DONE.id:
            return GiveWords(self.seat, self.text.strip())
        return Go(replace(self, text=respelled(self.text, picked)), leaving=1)
