"""Own words for the dice, spelled with the encoder before a match's first throw: whose, and which."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import Action, Option, PickAsk
from captains_table.table.lobby.match_setup import GiveWords, Request
from captains_table.table.lobby.question import WAY_BACK, Go, Question, pick_of
from captains_table.table.lobby.text_entry import DONE, respelled, spelling, typed
from captains_table.table.model.salt import MOST_CHARACTERS

TITLE: Final = "Words for the dice"
SEAT: Final = "seat-"


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
