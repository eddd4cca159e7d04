"""The option of games that may be played on time: how much time there is.

What time it is, no game knows; the table counts (table/model/player_clocks.py) and says `TimeUp` when it has run out.
"""

from captains_table.games.contract import BadOption, TimeControl

NO_CLOCK = "none"
MOST_MINUTES = 600
MOST_SECONDS = 600
_SECOND_MS = 1000
_MINUTE_MS = 60 * _SECOND_MS


def parse_clock(text: str) -> TimeControl | None:
    """Return the time control of an option: `10` is ten minutes each, `5+3` adds three seconds a move, `none` is none.

    Raises:
        BadOption: it is none of these.
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
