"""Text and numbers for a narrow screen: spelled names, shortened names, and the numbers that a knob steps through."""

from collections.abc import Sequence
from string import ascii_lowercase, digits
from typing import Final

from captains_table.games.common.short_names import ELLIPSIS, fitting_names

BREAKS: Final = " -'."
SHOWN_OF_TYPED: Final = 18
ROOM_FOR_NAMES: Final = 22
STEPS: Final = ((20, 1), (100, 5), (200, 10), (1000, 50), (10_000, 500))
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
    round_ones = {number for number in range(lo, min(hi, STEPS[-1][0]) + 1) if number % _step(number, hi) == 0}
    return sorted(round_ones | {lo, hi} | {number for number in always if lo <= number <= hi})


def _step(number: int, hi: int) -> int:
    """Return the distance between the offered numbers near `number`, in a range that ends at `hi`.

    The distance is 1 if `hi` is at most 100. Otherwise it grows with the number.
    """
    if hi <= STEPS[1][0]:
        return 1
    return next(step for limit, step in STEPS if number <= limit)
