"""The lobby's last screens: begin, or change an option first."""

from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import (
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
from captains_table.table.lobby.text_entry import brief_names

BEGIN: Final = Option("begin", "Begin")
NUMBER: Final = Option("number", "A number")
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
        numbers = (NUMBER,) if self.option.bounds is not None else ()
        default = now if any(option.id == now for option in options) else NUMBER.id
        ask = PickAsk(_usually(self.setup, self.option), (*options, *numbers, WAY_BACK), default)
        return Question(short_title(self.setup.game), ask)

    def answered(self, action: Action) -> Go | Request:
        """Set the option, or ask for a number."""
        picked = pick_of(action, self.question().ask)
        if picked == NUMBER.id:
            return Go(NumberChoice(self.setup, self.option), leaving=1)
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
