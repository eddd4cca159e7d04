"""What can be set about a table's patience and its buttons."""

from dataclasses import dataclass, fields, replace
from typing import Final

from captains_table.games.contract import did_you_mean
from captains_table.link.debounce import DEBOUNCE_MS

WORDS: Final = {"buttons": ("encoder", "one"), "switches": ("read", "none"), "back": ("button", "menu")}
UNSET_BY_ANYBODY = frozenset({"throws_again", "guarded", "computers_think"})


class BadSetting(ValueError):
    """A setting is unknown or has a value the table cannot use."""


@dataclass(slots=True)
class Settings:
    """A table's settings: all parts of one table share them, and go by what they are at that moment.

    Attributes:
        debounce_ms: how long a switch must be still for its scanner to believe it; a Pico takes 1 to 50.
        slide_ms: how long a move waits that may only be a stop on the way of a longer one.
        guide_ms: how long a piece may rest where nothing may go before the table says so.
        ask_ms: how long the board may stand undecided before the table asks.
        hand_ms: how long a lifted piece may be in the hand before the table asks what it took.
        announce_ms: how long the board must rest after a capture before it is news, and sounds and flashes.
        end_ms: how long the board must rest after the move that ended a match before its end is written by itself.
        choose_ms: how long a single button is held to choose; shorter is next.
        leave_ms: how long *back* is held to leave the match for another one; a single button, where no throw is due.
        menu_ms: how long the encoder's push is held for the table's own menu; a single button, where no match is
            played.
        switches: "read", or "none" where no board is: moves are answers then, and nothing is asked about pieces. The
            configuration says it of its board.
        buttons: "encoder" (roll button and rotary encoder) or "one" (roll button alone).
        back: "button" where one leaves menus, as on the page of a simulated table, or "menu": their last line does, as
            no built table has such a button. The configuration says it of its board.
        throws_again: whether the roll button also throws what may be thrown again. Nobody sets that: it is so at every
            table, and not on tapes, whose presses that meant nothing when they were made still mean nothing.
        guarded: whether a wasteful answer is chosen twice, and no cursor begins on one that is asked twice. Nobody sets
            that: it is so at every table, and not on tapes, whose presses were made without that.
        computers_think: whether the seats of computers answer by themselves, and nobody else for them. Nobody sets that
            either: on tapes their actions are lines like anybody's.
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
    throws_again: bool = True
    guarded: bool = True
    computers_think: bool = True

    def take_over(self, other: "Settings") -> None:
        """Become the same as others, for all that share these."""
        for setting in fields(self):
            setattr(self, setting.name, getattr(other, setting.name))

    def with_value(self, key: str, value: str) -> "Settings":
        """Return the settings with one of them set from text; raises BadSetting."""
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
    """Return the names of what can be set."""
    return tuple(setting.name for setting in fields(Settings) if setting.name not in UNSET_BY_ANYBODY)


def tape_settings() -> Settings:
    """Return what a tape is played with that says nothing else."""
    return Settings(throws_again=False, guarded=False, computers_think=False)
