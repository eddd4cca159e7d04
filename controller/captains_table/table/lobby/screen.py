"""A screen of the lobby as data: a question, its lines or a range of numbers, and what each answer leads to.

The module also builds the screen to spell a text letter by letter, and fits names and numbers to a narrow screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from string import ascii_lowercase, digits
from typing import Any, Final

from captains_table.games.common.short_names import ELLIPSIS, fitting_names
from captains_table.games.contract import Action, Amount, AmountAsk, Ask, Game, IllegalAction, Option, Pick, PickAsk
from captains_table.phrases import say
from captains_table.table.lobby.match_setup import Request
from captains_table.table.model.view import MenuEntry
from captains_table.table.prompts.menu import BACK, MenuState, menu_of

WELCOME: Final = "Captain's Table"
NEW_MATCH: Final = say("New match")
AGAINST: Final = say("Play the computer")
SALT_WORDS: Final = say("Words for the dice")
THIS_TABLE: Final = say("This table")
"""Titles by which the lobby recognises these screens."""


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """A line of a screen.

    Attributes:
        option: the line's id and label.
        then: the screen or request that the line leads to, or a function that returns it when the line is chosen;
            `None` to go back.
        brief: a shorter label for the buttons' menu; empty if the option's label is short enough.
        hint: the text shown instead of the prompt while the cursor is on the line; empty to show the prompt.
    """

    option: Option
    then: "Request | Callable[[], Screen | Request] | None"
    brief: str = ""
    hint: str = ""

    def chosen(self) -> "Screen | Request | None":
        """Return the screen or request that choosing the line leads to; `None` to go back."""
        return self.then if isinstance(self.then, Request | None) else self.then()


@dataclass(frozen=True, slots=True)
class NumberEntry:
    """A question for a number from `lo` to `hi`; a screen can show it instead of a list of lines.

    `default` is the number on which the cursor starts; `then` returns the screen that follows the chosen number.
    """

    lo: int
    hi: int
    default: int
    then: "Callable[[int], Screen]"


@dataclass(frozen=True, slots=True)
class Screen:
    """One question of the lobby.

    Attributes:
        title: the screen's subject, such as the game of a new match; the lobby recognises some screens by their titles.
        prompt: the question.
        lines: the lines to choose from.
        default: the id of the line on which the cursor starts; `None` for the first line.
        number: the question for a number; `None` if lines are listed instead.
        address: the address of the table's page if the screen shows it; empty otherwise.
        replaces: the number of last opened screens that this screen replaces.
        words: a message before the prompt, such as the error message for a refused answer; empty without a message.
        is_read: whether the prompt is a text that needs the whole small display, also over a match.
    """

    title: str
    prompt: str
    lines: Sequence[ScreenLine] = ()
    default: str | None = None
    number: NumberEntry | None = None
    address: str = ""
    replaces: int = 0
    words: str = ""
    is_read: bool = False

    @property
    def ask(self) -> Ask:
        """The screen's question as an `Ask`, the type of the games' questions, so that menus and pages can show it."""
        if self.number is not None:
            return AmountAsk(self.prompt, self.number.lo, self.number.hi, self.number.default)
        return PickAsk(self.prompt, tuple(line.option for line in self.lines), self.default)

    def menu(self) -> MenuState:
        """Return the menu for the buttons; it uses the shorter labels."""
        if self.number is not None:
            numbers = numbers_between(self.number.lo, self.number.hi, self.number.default)
            entries = tuple(MenuEntry(str(number), str(number)) for number in numbers)
            return MenuState(entries, numbers.index(self.number.default))
        menu = menu_of(self.ask, ())
        brief = {line.option.id: line.brief for line in self.lines if line.brief}
        return replace(
            menu, entries=tuple(replace(entry, label=brief.get(entry.id, entry.label)) for entry in menu.entries)
        )

    def line(self, id_: str) -> ScreenLine | None:
        """Return the line with this id; `None` if there is no such line."""
        return next((line for line in self.lines if line.option.id == id_), None)

    def answered(self, action: Action) -> "Screen | Request | None":
        """Return the screen or request that an answer leads to; `None` to go back.

        Raises:
            IllegalAction: the answer is not offered.
        """
        if self.number is not None:
            if not isinstance(action, Amount) or not self.number.lo <= action.value <= self.number.hi:
                raise IllegalAction(
                    say("{answer} is no number from {lo} to {hi}", str(action), self.number.lo, self.number.hi)
                )
            return self.number.then(action.value)
        line = self.line(action.id) if isinstance(action, Pick) else None
        if line is None:
            expected = ", ".join(line.option.id for line in self.lines)
            raise IllegalAction(say("{answer} is not offered: expected one of {answers}", str(action), expected))
        return line.chosen()

    def with_error(self, words: str) -> "Screen":
        """Return a copy of this screen with an error message; opening the copy replaces the displayed screen."""
        return replace(self, replaces=1, words=words)


WAY_BACK: Final = ScreenLine(Option(BACK, say("Back")), None)
DONE: Final = Option("done", say("Done"))
DELETE: Final = Option("delete", say("Delete"))


def spelling(title: str, what: str, longest: int, done: Callable[[str], Screen | Request], text: str = "") -> Screen:
    """Return the screen to spell a text letter by letter.

    *Done* and *Delete* come first, so that a player with only one button reaches them soon.

    Args:
        title: the screen's title.
        what: what the text is, for the prompt, such as "Player 1".
        longest: the greatest number of letters.
        done: returns the screen or request that the finished text leads to.
        text: the letters so far.
    """

    def going_on(text: str) -> Callable[[], Screen]:
        return lambda: replace(spelling(title, what, longest, done, text), replaces=1)

    endings = (ScreenLine(DONE, partial(done, text)), ScreenLine(DELETE, going_on(text[:-1]))) if text else ()
    letters = (
        ScreenLine(Option(f"letter-{letter}", say("space") if letter == " " else letter), going_on(text + letter))
        for letter in letters_after(text)
    )
    return Screen(
        title, say("{what}: {text}", what, typed(text)), (*endings, *(letters if len(text) < longest else ()), WAY_BACK)
    )


def short_title(game: Game[Any]) -> str:
    """Return the part of a game's title before the tilde."""
    title, tilde, _ = game.title.partition(" ~ ")
    return title if tilde else game.title


BREAKS: Final = " -'."
SHOWN_OF_TYPED: Final = 18
ROOM_FOR_NAMES: Final = 22
KNOB_STEPS: Final = ((20, 1), (100, 5), (200, 10), (1000, 50), (10_000, 500))
"""Pairs of a limit and the step size below it: nobody turns a knob through ten thousand numbers."""


def letters_after(text: str) -> str:
    """Return the characters that may come next in a name.

    A word begins with a capital or a digit; spaces, hyphens and the like may only follow a letter or digit.
    """
    begins = not text or text[-1] in BREAKS
    return (ascii_lowercase.upper() if begins else ascii_lowercase + BREAKS) + digits


def typed(text: str) -> str:
    """Return a partly spelled name with a cursor; the beginning of a long name is cut off."""
    tail = text if len(text) <= SHOWN_OF_TYPED else f"{ELLIPSIS}{text[1 - SHOWN_OF_TYPED :].lstrip()}"
    return f"{tail}_"


def brief_names(names: Sequence[str]) -> str:
    """Return up to three names on one line, shortened to fit, and the number of further names."""
    shown = tuple(names[:3])
    rest = len(names) - len(shown)
    ending = f" +{rest}" if rest else ""
    return f"{', '.join(fitting_names(shown, ROOM_FOR_NAMES - len(ending), between=len(', ')))}{ending}"


def numbers_between(lo: int, hi: int, *always: int) -> list[int]:
    """Return the numbers from `lo` to `hi` that a knob steps through; large numbers appear only in round steps.

    Both ends are included, and so are the numbers in `always` that lie between them. No other number
    above 10,000 is included.
    """
    round_ones = {number for number in range(lo, min(hi, KNOB_STEPS[-1][0]) + 1) if number % _step(number, hi) == 0}
    return sorted(round_ones | {lo, hi} | {number for number in always if lo <= number <= hi})


def _step(number: int, hi: int) -> int:
    """Return the distance between the offered numbers near `number`, in a range that ends at `hi`.

    The distance is 1 if `hi` is at most 100. Otherwise it grows with the number.
    """
    if hi <= KNOB_STEPS[1][0]:
        return 1
    return next(step for limit, step in KNOB_STEPS if number <= limit)
