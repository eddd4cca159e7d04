"""The options `clock` and `clock_start` of games that may be played on time, and their parsing.

A game does not measure time. The table runs the clocks (table/model/player_clocks.py), and sends the action `TimeUp`
when the time of a player is up.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from captains_table.games.contract import BadOption, Choice, GameOption, TimeControl

NO_CLOCK = "none"
FROM_PRESS = "press"
MOST_MINUTES = 600
MOST_SECONDS = 600
_SECOND_MS = 1000
_MINUTE_MS = 60 * _SECOND_MS

CLOCK: Final = GameOption(
    "clock",
    "Clock",
    NO_CLOCK,
    (Choice(NO_CLOCK, "none"), *(Choice(usual, f"{usual} minutes") for usual in ("5", "10", "5+3", "15+10", "30"))),
    is_free=True,
    hint="10 for ten minutes each, 5+3 for five and three seconds a move. It is pressed after a move.",
)
CLOCK_START: Final = GameOption(
    "clock_start",
    "Clock starts",
    "set-up",
    (Choice(FROM_PRESS, "with its first press"), Choice("set-up", "when the pieces stand")),
    proposed=FROM_PRESS,
    detail_of="clock",
    hint="With its first press nobody loses time before everybody is ready.",
)


def read_time_control(options: Mapping[str, str]) -> TimeControl | None:
    """Return the time control given by the options `clock` and `clock_start`; `None` if the clock is `none`.

    Raises:
        BadOption: the value of `clock` is invalid.
    """
    control = parse_clock(options["clock"])
    return None if control is None else replace(control, from_press=options["clock_start"] == FROM_PRESS)


def parse_clock(text: str) -> TimeControl | None:
    """Return the time control that a value of the option `clock` describes; `None` for the value `none`.

    Args:
        text: minutes for each player, such as `10`; minutes and seconds added for each move, such as `5+3`; or `none`.

    Raises:
        BadOption: the value has another form, or is out of range.
    """
    if text == NO_CLOCK:
        return None
    minutes, plus, seconds = text.partition("+")
    base, increment = _number(minutes, 1, MOST_MINUTES), _number(seconds, 0, MOST_SECONDS) if plus else 0
    if base is None or increment is None:
        raise BadOption(
            f"clock={text}: expected minutes, such as 10, or minutes+seconds a move, such as 5+3 "
            f"(at most {MOST_MINUTES} minutes and {MOST_SECONDS} seconds), or {NO_CLOCK}"
        )
    return TimeControl(base * _MINUTE_MS, increment * _SECOND_MS)


def _number(text: str, lo: int, hi: int) -> int | None:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(hi))
    return int(text) if is_number and lo <= int(text) <= hi else None
