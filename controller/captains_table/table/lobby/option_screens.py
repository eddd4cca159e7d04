"""The lobby's last screens: begin, or change an option first."""

from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.contract import (
    LONGEST_NAME,
    Action,
    Amount,
    AmountAsk,
    BadOption,
    GameOption,
    IllegalAction,
    Option,
    PickAsk,
)
from captains_table.table.lobby.match_setup import MatchSetup, Request
from captains_table.table.lobby.question import WAY_BACK, Go, Question, Screen, pick_of, short_title
from captains_table.table.lobby.text_entry import DONE, brief_names, respelled, spelling, typed

BEGIN: Final = Option("begin", "Begin")
NUMBER: Final = Option("number", "A number")
SPELL: Final = Option("spell", "Spell it")
CHANGE: Final = "change-"
VALUE: Final = "value-"
LONGEST_LINE: Final = 22


@dataclass(frozen=True, slots=True)
class OptionList:
    """Everything is chosen: begin, or change an option first. The cursor begins at the option changed last."""

    setup: MatchSetup
    changed: str = ""

    def question(self) -> Question:
        """Ask whether it begins."""
        listed = {f"{CHANGE}{option.name}": option for option in self.setup.listed()}
        lines = {id_: self._line(option) for id_, option in listed.items()}
        options = tuple(Option(id_, words) for id_, words in lines.items())
        brief = {id_: listed[id_].words for id_, words in lines.items() if len(words) > LONGEST_LINE}
        prompt = f"Ready? {brief_names(self.setup.called)}"
        ask = PickAsk(prompt, (BEGIN, *options, WAY_BACK), f"{CHANGE}{self.changed}" if self.changed else BEGIN.id)
        return Question(short_title(self.setup.game), ask, brief, lines)

    def _line(self, option: GameOption) -> str:
        return f"{self.setup.words(option)}: {self.setup.display_text(option, self.setup.value(option))}"

    def answered(self, action: Action) -> Go | Request:
        """Begin, or change an option."""
        picked = pick_of(action, self.question().ask)
        if picked != BEGIN.id:
            return Go(self._changing(picked.removeprefix(CHANGE)))
        start = self.setup.start()
        try:
            self.setup.game.start(self.setup.called, start.options)
        except BadOption as error:
            return self.refused(error)
        return start

    def refused(self, error: BadOption) -> Go:
        """Return to the option that the game cannot use, with the game's words."""
        if any(option.name == error.option for option in self.setup.listed()):
            return Go(self._changing(error.option), words=str(error))
        return Go(self, leaving=1, words=str(error))

    def _changing(self, name: str) -> Screen:
        option = next(option for option in self.setup.listed() if option.name == name)
        return ValueChoice(self.setup, option) if self.setup.values(option) else NumberChoice(self.setup, option)


def _usually(setup: MatchSetup, option: GameOption) -> str:
    return f"{setup.words(option)}? Usually {setup.display_text(option, option.default)}"


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """What an option is to be, of the values that can be listed."""

    setup: MatchSetup
    option: GameOption

    def question(self) -> Question:
        """Ask what it is to be; the cursor begins at what it is."""
        values = self.setup.values(self.option)
        options = tuple(Option(f"{VALUE}{choice.value}", choice.words) for choice in values)
        now = f"{VALUE}{self.setup.value(self.option)}"
        further = (NUMBER,) if self.option.bounds is not None else (SPELL,) if self._may_be_spelled else ()
        default = now if any(option.id == now for option in options) else next((each.id for each in further), None)
        ask = PickAsk(_usually(self.setup, self.option), (*options, *further, WAY_BACK), default)
        return Question(short_title(self.setup.game), ask)

    @property
    def _may_be_spelled(self) -> bool:
        """Whether it is a seat's own words, of which the usual ones are listed; what is kept by name is not spelled."""
        return self.option.is_free and bool(self.option.seat) and not self.option.collection

    def answered(self, action: Action) -> Go | Request:
        """Set the option, or ask for a number or for words."""
        picked = pick_of(action, self.question().ask)
        if picked == NUMBER.id:
            return Go(NumberChoice(self.setup, self.option), leaving=1)
        if picked == SPELL.id:
            return Go(SpelledValue(self.setup, self.option), leaving=1)
        setup = self.setup.with_value(self.option, picked.removeprefix(VALUE))
        return Go(OptionList(setup, self.option.name), leaving=2)


@dataclass(frozen=True, slots=True)
class NumberChoice:
    """What number an option is to be."""

    setup: MatchSetup
    option: GameOption

    def question(self) -> Question:
        """Ask for the number."""
        now = self.setup.value(self.option)
        lo, hi = self._bounds()
        default = int(now) if now.isdecimal() else int(self.option.default) if self.option.default.isdecimal() else lo
        prompt = _usually(self.setup, self.option)
        return Question(short_title(self.setup.game), AmountAsk(prompt, lo, hi, default))

    def _bounds(self) -> tuple[int, int]:
        return self.option.bounds or (0, 0)

    def answered(self, action: Action) -> Go | Request:
        """Set the option."""
        lo, hi = self._bounds()
        if not isinstance(action, Amount) or not lo <= action.value <= hi:
            raise IllegalAction(f"{action} is no number from {lo} to {hi}")
        setup = self.setup.with_value(self.option, str(action.value))
        return Go(OptionList(setup, self.option.name), leaving=2)


@dataclass(frozen=True, slots=True)
class SpelledValue:
    """What an option is to be, letter by letter."""

    setup: MatchSetup
    option: GameOption
    text: str = ""

    def question(self) -> Question:
        """Ask for the next letter."""
        prompt = f"{self.setup.words(self.option)}: {typed(self.text)}"
        return Question(short_title(self.setup.game), PickAsk(prompt, (*spelling(self.text, LONGEST_NAME), WAY_BACK)))

    def answered(self, action: Action) -> Go | Request:
        """Take a letter, take one away, or set the option."""
        picked = pick_of(action, self.question().ask)
        if picked == DONE.id:
            return Go(OptionList(self.setup.with_value(self.option, self.text.strip()), self.option.name), leaving=2)
        return Go(replace(self, text=respelled(self.text, picked)), leaving=1)
