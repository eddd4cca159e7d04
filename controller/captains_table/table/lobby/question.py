"""What every screen of the lobby has: a question, and what an answer leads to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from captains_table.games.contract import Action, Ask, Game, IllegalAction, Option, Pick, PickAsk
from captains_table.table.lobby.match_setup import Request
from captains_table.table.prompts.menu import BACK

WAY_BACK: Final = Option(BACK, "Back")


@dataclass(frozen=True, slots=True)
class Question:
    """What a screen asks.

    Attributes:
        title: what this is about; of a new match its game.
        ask: what must be chosen.
        brief: shorter words for lines of the menu, by the option's id.
        hints: what is shown in place of the prompt while the cursor is on a line, by the option's id.
        address: of the page, where it is shown; empty elsewhere.
    """

    title: str
    ask: Ask
    brief: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
    address: str = ""


@dataclass(frozen=True, slots=True)
class Go:
    """Go to a screen, after leaving some; `words` say why, where something was refused."""

    screen: "Screen"
    leaving: int = 0
    words: str = ""


class Screen(Protocol):
    """One screen of the lobby."""

    def question(self) -> Question:
        """Return what is asked."""

    def answered(self, action: Action) -> Go | Request:
        """Return what an answer leads to; raises IllegalAction."""


def short_title(game: Game[Any]) -> str:
    """Return a game's title without what comes after a tilde."""
    return game.title.partition(" ~ ")[0]


def pick_of(action: Action, ask: Ask) -> str:
    """Return the id of the option that was picked; raises IllegalAction."""
    if isinstance(ask, PickAsk) and isinstance(action, Pick) and any(action.id == each.id for each in ask.options):
        return action.id
    expected = ", ".join(each.id for each in ask.options) if isinstance(ask, PickAsk) else "a number"
    raise IllegalAction(f"{action} is not offered: expected one of {expected}")
