"""What the lobby asks, screen by screen: each is a frozen value that says what it asks and what an answer leads to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from captains_table.games.contract import (
    Action,
    Amount,
    AmountAsk,
    Ask,
    BadOption,
    Game,
    IllegalAction,
    Option,
    Pick,
    PickAsk,
)
from captains_table.games.options import LONGEST_NAME, GameOption
from captains_table.table.draft import Draft, House, Request, Resume, Start, Unfinished
from captains_table.table.menu import BACK
from captains_table.table.spelling import LETTER, brief_names, letters_after, typed

NEW_MATCH: Final = "New match"
WAY_BACK: Final = Option(BACK, "Back")
RETURN: Final = Option("return", "Back to the match")
REMATCH: Final = Option("rematch", "Rematch")
NEW: Final = Option("new", NEW_MATCH)
RESUME: Final = Option("resume", "Resume a match")
SPELL: Final = Option("spell", "Another name")
DONE: Final = Option("done", "Done")
DELETE: Final = Option("delete", "Delete")
BEGIN: Final = Option("begin", "Begin")
NUMBER: Final = Option("number", "A number")
GAME: Final = "game-"
PLAYERS: Final = "players-"
NAME: Final = "name-"
CHANGE: Final = "change-"
VALUE: Final = "value-"
MATCH: Final = "match-"
MOST_NAMES: Final = 40
LONGEST_LINE: Final = 22


@dataclass(frozen=True, slots=True)
class Question:
    """What a screen asks.

    Attributes:
        title: what this is about; of a new match its game.
        ask: what must be chosen.
        brief: shorter words for lines of the menu, by the option's id.
        hints: what is said in place of the prompt while the cursor is on a line, by the option's id.
    """

    title: str
    ask: Ask
    brief: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)


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


def _picked(action: Action, ask: Ask) -> str:
    """Return the id of the option that was picked; raises IllegalAction."""
    if isinstance(ask, PickAsk) and isinstance(action, Pick) and any(action.id == each.id for each in ask.options):
        return action.id
    expected = ", ".join(each.id for each in ask.options) if isinstance(ask, PickAsk) else "a number"
    raise IllegalAction(f"{action} is not offered: expected one of {expected}")


# --- where it begins ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Welcome:
    """What is to be played: the match that was left, the same again, a new one, or an earlier one.

    Attributes:
        house: what the table has to offer.
        left: number of the match that was left to come here.
        last: how the match began that was played last.
    """

    house: House
    left: int | None = None
    last: Start | None = None

    def question(self) -> Question:
        """Ask what is to be played."""
        offered = [
            *([RETURN] if self.left is not None else []),
            *([REMATCH] if self.last is not None else []),
            NEW,
            *([RESUME] if self.house.waiting() - {self.left} else []),
        ]
        brief = {NEW.id: "New", RESUME.id: "Resume"} if self.left is None else {}
        hints = {REMATCH.id: self._rematch_words()} if self.last is not None else {}
        return Question("Captain's Table", PickAsk("What is to be played?", tuple(offered)), brief, hints)

    def _rematch_words(self) -> str:
        if self.last is None:
            return ""
        return f"{short_title(self.house.games[self.last.game])}: {brief_names(self.last.names)}"

    def answered(self, action: Action) -> Go | Request:
        """Go where it was said."""
        match _picked(action, self.question().ask):
            case RETURN.id if self.left is not None:
                return Resume(self.left)
            case REMATCH.id if self.last is not None:
                return self.last
            case RESUME.id:
                others = (match for match in self.house.unfinished() if match.number != self.left)
                return Go(MatchChoice(self.house, tuple(others)))
            case _:
                return Go(GameChoice(self.house))


@dataclass(frozen=True, slots=True)
class MatchChoice:
    """Which unfinished match is to be resumed."""

    house: House
    matches: tuple[Unfinished, ...]

    def question(self) -> Question:
        """Ask which match; where the cursor stands it is told how far that is."""
        options = tuple(Option(f"{MATCH}{match.number}", self._words(match)) for match in self.matches)
        brief = {f"{MATCH}{match.number}": brief_names(match.names) for match in self.matches}
        hints = {f"{MATCH}{match.number}": self._how_far(match) for match in self.matches}
        return Question(
            RESUME.label,
            PickAsk("Which match?" if options else "No match can be gone on with", (*options, WAY_BACK)),
            brief,
            hints,
        )

    def _words(self, match: Unfinished) -> str:
        return f"{', '.join(match.names)}: {self._how_far(match)}"

    def _how_far(self, match: Unfinished) -> str:
        return f"{short_title(self.house.games[match.game])}, {match.how_far}"

    def answered(self, action: Action) -> Go | Request:
        """Resume the match."""
        return Resume(int(_picked(action, self.question().ask).removeprefix(MATCH)))


# --- a new match ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameChoice:
    """Which game is to be played, of those the board has room for."""

    house: House

    def question(self) -> Question:
        """Ask which game."""
        games = self.house.fitting()
        options = tuple(Option(f"{GAME}{game.key}", game.title) for game in games)
        brief = {f"{GAME}{game.key}": short_title(game) for game in games}
        return Question(NEW_MATCH, PickAsk("Which game?", (*options, WAY_BACK)), brief)

    def answered(self, action: Action) -> Go | Request:
        """Ask how many play, if that is not certain."""
        game = self.house.games[_picked(action, self.question().ask).removeprefix(GAME)]
        if len(game.seats) == 1:
            return Go(next_name(Draft(self.house, game, game.seats.start)))
        return Go(CountChoice(self.house, game))


@dataclass(frozen=True, slots=True)
class CountChoice:
    """How many play."""

    house: House
    game: Game[Any]

    def question(self) -> Question:
        """Ask how many play."""
        options = tuple(Option(f"{PLAYERS}{count}", _players(count)) for count in self.game.seats)
        usual = options[min(1, len(options) - 1)].id
        ask = PickAsk("How many play?", (*options, WAY_BACK), usual)
        return Question(short_title(self.game), ask)

    def answered(self, action: Action) -> Go | Request:
        """Ask for the first name."""
        count = int(_picked(action, self.question().ask).removeprefix(PLAYERS))
        return Go(next_name(Draft(self.house, self.game, count)))


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def next_name(draft: Draft) -> Screen:
    """Return the screen that asks for the next player; when all are named, the one with the options."""
    if len(draft.names) == draft.count:
        return OptionList(draft)
    return NameChoice(draft) if draft.strangers() else Spelling(draft)


@dataclass(frozen=True, slots=True)
class NameChoice:
    """Who plays, of those the table knows, or somebody else."""

    draft: Draft

    def question(self) -> Question:
        """Ask who plays."""
        known = tuple(Option(f"{NAME}{name}", name) for name in self.draft.strangers()[:MOST_NAMES])
        ask = PickAsk(f"Player {len(self.draft.names) + 1}?", (*known, SPELL, WAY_BACK))
        return Question(short_title(self.draft.game), ask)

    def answered(self, action: Action) -> Go | Request:
        """Seat the player, or spell a name."""
        picked = _picked(action, self.question().ask)
        if picked == SPELL.id:
            return Go(Spelling(self.draft))
        return Go(next_name(self.draft.with_name(picked.removeprefix(NAME))))


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name, letter by letter."""

    draft: Draft
    text: str = ""

    def question(self) -> Question:
        """Ask for the next letter; what may end the name comes first, so that one button is soon there."""
        endings = (DONE, DELETE) if self.text else ()
        letters = letters_after(self.text) if len(self.text) < LONGEST_NAME else ()
        prompt = f"Player {len(self.draft.names) + 1}: {typed(self.text)}"
        return Question(short_title(self.draft.game), PickAsk(prompt, (*endings, *letters, WAY_BACK)))

    def answered(self, action: Action) -> Go | Request:
        """Take a letter, take one away, or seat the player."""
        match _picked(action, self.question().ask):
            case DELETE.id:
                return Go(replace(self, text=self.text[:-1]), leaving=1)
            case DONE.id:
                return self._seated(self.text.strip())
            case letter:
                return Go(replace(self, text=self.text + letter.removeprefix(LETTER)), leaving=1)

    def _seated(self, name: str) -> Go:
        if name in self.draft.names:
            return Go(self, leaving=1, words=f"{name} is playing already: expected another name")
        return Go(next_name(self.draft.with_name(name)))


# --- options --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OptionList:
    """Everything is chosen: begin, or change an option first. The cursor begins at the option changed last."""

    draft: Draft
    changed: str = ""

    def question(self) -> Question:
        """Ask whether it begins."""
        listed = {f"{CHANGE}{option.name}": option for option in self.draft.listed()}
        lines = {id_: self._line(option) for id_, option in listed.items()}
        options = tuple(Option(id_, words) for id_, words in lines.items())
        brief = {id_: listed[id_].words for id_, words in lines.items() if len(words) > LONGEST_LINE}
        prompt = f"Ready? {brief_names(self.draft.names)}"
        ask = PickAsk(prompt, (BEGIN, *options, WAY_BACK), f"{CHANGE}{self.changed}" if self.changed else BEGIN.id)
        return Question(short_title(self.draft.game), ask, brief, lines)

    def _line(self, option: GameOption) -> str:
        return f"{option.words}: {self.draft.said(option, self.draft.value(option))}"

    def answered(self, action: Action) -> Go | Request:
        """Begin, or change an option."""
        picked = _picked(action, self.question().ask)
        if picked != BEGIN.id:
            return Go(self._changing(picked.removeprefix(CHANGE)))
        try:
            self.draft.game.start(self.draft.names, self.draft.options)
        except BadOption as error:
            return self.refused(error)
        return self.draft.start()

    def refused(self, error: BadOption) -> Go:
        """Return to the option that the game cannot use, with the game's words."""
        if any(option.name == error.option for option in self.draft.listed()):
            return Go(self._changing(error.option), words=str(error))
        return Go(self, leaving=1, words=str(error))

    def _changing(self, name: str) -> Screen:
        option = next(option for option in self.draft.listed() if option.name == name)
        return ValueChoice(self.draft, option) if self.draft.values(option) else NumberChoice(self.draft, option)


def _usually(draft: Draft, option: GameOption) -> str:
    return f"{option.words}? Usually {draft.said(option, option.default)}"


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """What an option is to be, of the values that can be listed."""

    draft: Draft
    option: GameOption

    def question(self) -> Question:
        """Ask what it is to be; the cursor begins at what it is."""
        values = self.draft.values(self.option)
        options = tuple(Option(f"{VALUE}{choice.value}", choice.words) for choice in values)
        now = f"{VALUE}{self.draft.value(self.option)}"
        numbers = (NUMBER,) if self.option.bounds is not None else ()
        default = now if any(option.id == now for option in options) else NUMBER.id
        ask = PickAsk(_usually(self.draft, self.option), (*options, *numbers, WAY_BACK), default)
        return Question(short_title(self.draft.game), ask)

    def answered(self, action: Action) -> Go | Request:
        """Set the option, or ask for a number."""
        picked = _picked(action, self.question().ask)
        if picked == NUMBER.id:
            return Go(NumberChoice(self.draft, self.option), leaving=1)
        draft = self.draft.with_value(self.option, picked.removeprefix(VALUE))
        return Go(OptionList(draft, self.option.name), leaving=2)


@dataclass(frozen=True, slots=True)
class NumberChoice:
    """What number an option is to be."""

    draft: Draft
    option: GameOption

    def question(self) -> Question:
        """Ask for the number."""
        now = self.draft.value(self.option)
        lo, hi = self._bounds()
        default = int(now) if now.isdecimal() else int(self.option.default) if self.option.default.isdecimal() else lo
        prompt = _usually(self.draft, self.option)
        return Question(short_title(self.draft.game), AmountAsk(prompt, lo, hi, default))

    def _bounds(self) -> tuple[int, int]:
        return self.option.bounds or (0, 0)

    def answered(self, action: Action) -> Go | Request:
        """Set the option."""
        lo, hi = self._bounds()
        if not isinstance(action, Amount) or not lo <= action.value <= hi:
            raise IllegalAction(f"{action} is no number from {lo} to {hi}")
        draft = self.draft.with_value(self.option, str(action.value))
        return Go(OptionList(draft, self.option.name), leaving=2)
