"""The last screens of the lobby, where players may change the options of the match and then begin it."""

from dataclasses import replace
from functools import partial
from typing import Final

from captains_table.games.contract import LONGEST_NAME, GameOption, Option
from captains_table.phrases import say
from captains_table.table.lobby.match_setup import MatchSetup
from captains_table.table.lobby.screen import WAY_BACK, NumberEntry, Screen, ScreenLine, short_title, spelling
from captains_table.table.lobby.text_entry import brief_names

BEGIN: Final = Option("begin", say("Begin"))
NUMBER: Final = Option("number", say("A number"))
SPELL: Final = Option("spell", say("Spell it"))
CHANGE: Final = "change-"
VALUE: Final = "value-"
LONGEST_LINE: Final = 22


def option_list(setup: MatchSetup, changed: str = "") -> Screen:
    """Return the screen to begin the match or change an option.

    The cursor is on the option `changed`, which was changed last; it is on *Begin* if `changed` is empty.
    """
    default = f"{CHANGE}{changed}" if changed else BEGIN.id
    lines = (ScreenLine(BEGIN, setup.start), *(_line(setup, option) for option in setup.listed()), WAY_BACK)
    prompt = say("Ready? {players}", players=brief_names(setup.called))
    return Screen(short_title(setup.game), prompt, lines, default)


def _line(setup: MatchSetup, option: GameOption) -> ScreenLine:
    words = say("{option}: {value}", option=setup.words(option), value=setup.display_text(option, setup.value(option)))
    brief = option.words if len(words) > LONGEST_LINE else ""
    return ScreenLine(Option(f"{CHANGE}{option.name}", words), partial(_changing, setup, option), brief, hint=words)


def _changing(setup: MatchSetup, option: GameOption) -> Screen:
    return value_choice(setup, option) if setup.values(option) else number_choice(setup, option)


def _changed(setup: MatchSetup, option: GameOption, value: str) -> Screen:
    return replace(option_list(setup.with_value(option, value), option.name), replaces=2)


def _usually(setup: MatchSetup, option: GameOption) -> str:
    return say(
        "{option}? Usually {value}",
        option=setup.words(option),
        value=setup.display_text(option, option.default),
    )


def value_choice(setup: MatchSetup, option: GameOption) -> Screen:
    """Return the screen to choose one of the listed values of an option; the cursor is on the current value.

    If the option allows other values, a further line leads to the screen to enter a number or a text. The cursor is on
    that line if the current value is not listed.
    """
    further: tuple[ScreenLine, ...] = ()
    if option.bounds is not None:
        further = (ScreenLine(NUMBER, lambda: replace(number_choice(setup, option), replaces=1)),)
    elif option.is_free and option.seat and not option.collection:  # a collection's entries have names
        further = (ScreenLine(SPELL, lambda: replace(_spelled_value(setup, option), replaces=1)),)
    values = [
        ScreenLine(Option(f"{VALUE}{choice.value}", choice.words), partial(_changed, setup, option, choice.value))
        for choice in setup.values(option)
    ]
    now = f"{VALUE}{setup.value(option)}"
    is_listed = any(line.option.id == now for line in values)
    default = now if is_listed else next((line.option.id for line in further), None)
    return Screen(short_title(setup.game), _usually(setup, option), (*values, *further, WAY_BACK), default)


def number_choice(setup: MatchSetup, option: GameOption) -> Screen:
    """Return the screen to choose a number as the value of an option."""
    lo, hi = option.bounds or (0, 0)
    default = next((int(text) for text in (setup.value(option), option.default) if text.isdecimal()), lo)
    number = NumberEntry(lo, hi, default, lambda value: _changed(setup, option, str(value)))
    return Screen(short_title(setup.game), _usually(setup, option), number=number)


def _spelled_value(setup: MatchSetup, option: GameOption) -> Screen:
    def done(text: str) -> Screen:
        return _changed(setup, option, text.strip())

    return spelling(short_title(setup.game), setup.words(option), LONGEST_NAME, done)
