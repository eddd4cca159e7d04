"""A screen of the lobby as data: what it asks, its lines, and what choosing each of them leads to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from captains_table.games.contract import Action, Amount, AmountAsk, Ask, Game, IllegalAction, Option, Pick, PickAsk
from captains_table.table.lobby.match_setup import Request
from captains_table.table.lobby.text_entry import letters_after, numbers_between, typed
from captains_table.table.model.view import MenuEntry
from captains_table.table.prompts.menu import BACK, MenuState, menu_of

WELCOME: Final = "Captain's Table"
NEW_MATCH: Final = "New match"
WORDS: Final = "Words for the dice"
THIS_TABLE: Final = "This table"
"""Titles of screens that the lobby tells from the others."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a screen.

    Attributes:
        option: its id and its words.
        then: what choosing it leads to, a screen being laid out only then; `None`: back.
        brief: shorter words for the buttons' menu; empty where the option's own are short.
        hint: what is shown in place of the prompt while the cursor is on it; empty: the prompt.
    """

    option: Option
    then: "Request | Callable[[], Screen | Request] | None"
    brief: str = ""
    hint: str = ""

    def chosen(self) -> "Screen | Request | None":
        """Return what choosing it leads to; `None`: back."""
        return self.then if isinstance(self.then, Request | None) else self.then()


@dataclass(frozen=True, slots=True)
class Number:
    """A number from `lo` to `hi` that a screen asks for in place of a line, and what it leads to."""

    lo: int
    hi: int
    default: int
    then: "Callable[[int], Screen]"


@dataclass(frozen=True, slots=True)
class Screen:
    """What is asked.

    Attributes:
        title: what this is about, of a new match its game; screens are told apart by it.
        prompt: the question.
        lines: what may be chosen.
        default: id of the line the cursor begins on; `None`: the first one.
        number: what is asked for in place of a line, where that is a number.
        address: of the page, where it is shown; empty elsewhere.
        replaces: so many of the screens shown last are left for it.
        words: why it is shown, where something was refused.
    """

    title: str
    prompt: str
    lines: Sequence[Line] = ()
    default: str | None = None
    number: Number | None = None
    address: str = ""
    replaces: int = 0
    words: str = ""

    @property
    def ask(self) -> Ask:
        """What must be chosen."""
        if self.number is not None:
            return AmountAsk(self.prompt, self.number.lo, self.number.hi, self.number.default)
        return PickAsk(self.prompt, tuple(line.option for line in self.lines), self.default)

    def menu(self) -> MenuState:
        """Return the menu that the buttons walk through, in briefer words."""
        if self.number is not None:
            numbers = numbers_between(self.number.lo, self.number.hi, self.number.default)
            entries = tuple(MenuEntry(str(number), str(number)) for number in numbers)
            return MenuState(entries, numbers.index(self.number.default))
        menu = menu_of(self.ask, ())
        brief = {line.option.id: line.brief for line in self.lines if line.brief}
        return replace(
            menu, entries=tuple(replace(entry, label=brief.get(entry.id, entry.label)) for entry in menu.entries)
        )

    def line(self, id_: str) -> Line | None:
        """Return the line of an id; `None` where there is none."""
        return next((line for line in self.lines if line.option.id == id_), None)

    def answered(self, action: Action) -> "Screen | Request | None":
        """Return what an answer leads to, `None`: back; raises IllegalAction."""
        if self.number is not None:
            if not isinstance(action, Amount) or not self.number.lo <= action.value <= self.number.hi:
                raise IllegalAction(f"{action} is no number from {self.number.lo} to {self.number.hi}")
            return self.number.then(action.value)
        line = self.line(action.id) if isinstance(action, Pick) else None
        if line is None:
            expected = ", ".join(line.option.id for line in self.lines)
            raise IllegalAction(f"{action} is not offered: expected one of {expected}")
        return line.chosen()

    def refusing(self, words: str) -> "Screen":
        """Return the screen as it is shown again, where something was refused."""
        return replace(self, replaces=1, words=words)


WAY_BACK: Final = Line(Option(BACK, "Back"), None)
DONE: Final = Option("done", "Done")
DELETE: Final = Option("delete", "Delete")


def spelling(title: str, what: str, longest: int, done: Callable[[str], Screen | Request], text: str = "") -> Screen:
    """Have a text spelled letter by letter; what may end it comes first: one button is soon there.

    Args:
        title: what this is about.
        what: what is spelled.
        longest: the most letters it may have.
        done: returns what comes of the text.
        text: how far it is spelled.
    """

    def going_on(text: str) -> Callable[[], Screen]:
        return lambda: replace(spelling(title, what, longest, done, text), replaces=1)

    endings = (Line(DONE, partial(done, text)), Line(DELETE, going_on(text[:-1]))) if text else ()
    letters = (
        Line(Option(f"letter-{letter}", "space" if letter == " " else letter), going_on(text + letter))
        for letter in letters_after(text)
    )
    return Screen(title, f"{what}: {typed(text)}", (*endings, *(letters if len(text) < longest else ()), WAY_BACK))


def short_title(game: Game[Any]) -> str:
    """Return a game's title without what comes after a tilde."""
    return game.title.partition(" ~ ")[0]
