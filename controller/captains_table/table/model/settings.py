"""The settings of a table: its delays, and the kind of its buttons and its board.

A few settings only distinguish tapes from tables and cannot be configured. The module also parses settings from text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from captains_table.games.contract import did_you_mean
from captains_table.link.debounce import DEBOUNCE_MS

WORDS: Final = {"buttons": ("encoder", "one"), "switches": ("read", "none"), "back": ("button", "menu")}
INTERNAL_SETTINGS = frozenset(
    {"pace", "language", "throws_again", "guarded", "computers_think", "doubts_switches", "may_lie_turned"}
)
PACES: Final[Mapping[str, float]] = {"quick": 0.5, "usual": 1.0, "unhurried": 2.0}
"""The paces of computers and dice, each with the factor by which it multiplies their times."""


class BadSetting(ValueError):
    """A setting is unknown or has a value that the table cannot use."""


@dataclass(slots=True)
class Settings:
    """A table's settings, one object shared by all parts of the program, which read it whenever they need a value.

    Attributes:
        debounce_ms: how long a switch must be still before its scanner reports it; a Pico takes 1 to 50.
        slide_ms: how long to wait after a move that may be only the beginning of a longer move.
        guide_ms: how long a piece may stay on a square where no piece may go before the table says so.
        ask_ms: how long the board may stay ambiguous before the table asks.
        hand_ms: how long a piece may stay lifted before the table asks which piece it captured.
        announce_ms: how long the board must be still after a capture before log, sound and light announce the capture.
        end_ms: how long the board must be still after the move that ended a match before the end is recorded
            automatically.
        choose_ms: how long the only button is held to choose; a shorter press moves to the next line.
        leave_ms: how long *back* is held to leave the match for another one; at a table with only one button, how long
            that button is held when no throw is due.
        menu_ms: how long the encoder is pushed to open the table's own menu; at a table with only one button, how long
            that button is held when no match is played.
        switches: "read", or "none" for a table without a board, where moves are entered as answers and nothing is asked
            about pieces. Set by the configuration of the board.
        buttons: "encoder" (roll button and rotary encoder) or "one" (roll button alone).
        back: "button" if a button leaves menus, as on the page of a simulated table; "menu" if the last line of each
            menu does. A built table always has "menu", because it has no button to leave menus. Set by the
            configuration of the board.
        pace: the pace of computers and dice, a key of PACES. It is set by its own key of the configuration and at the
            table, and is not stated on tapes, because it changes when something happens but not what happens.
        language: the code of the language of the table's display, voice and menu, and of pages whose browsers ask
            for no known one. Like the pace, it is chosen by its own key of the configuration and at the table.
        throws_again: whether the roll button also rethrows dice. Not configurable: on at every table, off on tapes,
            where presses that did nothing when they were recorded must still do nothing.
        guarded: whether a wasteful answer must be chosen twice, and whether the cursor avoids starting on such an
            answer. Not configurable: on at every table, off on tapes, which were recorded without it.
        computers_think: whether only the program acts for the seats of computers. Not configurable: on at every table,
            off on tapes, where the actions of computers are lines like those of people.
        doubts_switches: whether a switch may be suspected to be broken. Not configurable: off while the page simulates
            the board without noise, where no switch breaks and a piece may be held for long.
        may_lie_turned: whether nothing says yet which way round the board lies. Not configurable: on at a bought board
            unless its configuration says so.
    """

    debounce_ms: int = DEBOUNCE_MS
    slide_ms: int = 300
    guide_ms: int = 700
    ask_ms: int = 3000
    hand_ms: int = 6000
    announce_ms: int = 700
    end_ms: int = 60_000
    choose_ms: int = 600
    leave_ms: int = 3000
    menu_ms: int = 5000
    buttons: str = "encoder"
    switches: str = "read"
    back: str = "button"
    pace: str = "usual"
    language: str = "en"
    throws_again: bool = True
    guarded: bool = True
    computers_think: bool = True
    doubts_switches: bool = True
    may_lie_turned: bool = False

    def copy_from(self, other: "Settings") -> None:
        """Copy all values from other settings into this shared object."""
        for setting in fields(self):
            setattr(self, setting.name, getattr(other, setting.name))

    def paced_ms(self, usual_ms: int) -> int:
        """Return a time at the table's pace, given the time at the usual pace; both in milliseconds."""
        return round(usual_ms * PACES[self.pace])

    def with_value(self, key: str, value: str) -> "Settings":
        """Return a copy with one setting parsed from text; raises BadSetting for an unknown setting or a bad value."""
        known = setting_names()
        if key not in known:
            raise BadSetting(f"unknown setting {key!r}: expected one of {', '.join(known)}{did_you_mean(key, known)}")
        if key in WORDS:
            if value not in WORDS[key]:
                raise BadSetting(f"{key}={value}: expected {' or '.join(WORDS[key])}")
            return replace(self, **{key: value})  # type: ignore[arg-type]  # these are words
        if not value.isdecimal() or not int(value) <= 60_000:  # noqa: PLR2004 - a minute
            raise BadSetting(f"{key}={value}: expected milliseconds, a whole number from 0 to 60000")
        return replace(self, **{key: int(value)})  # type: ignore[arg-type]  # every other key is a number


def setting_names() -> tuple[str, ...]:
    """Return the names of the settings that users may set."""
    return tuple(setting.name for setting in fields(Settings) if setting.name not in INTERNAL_SETTINGS)


def tape_settings() -> Settings:
    """Return the settings of a tape that declares none."""
    return Settings(throws_again=False, guarded=False, computers_think=False)
