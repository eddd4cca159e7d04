"""What a clock with eight letters shows of a table: the chosen answer, what is to be done, or the players' times.

People at a bought board may have no other display. Source: docs/boards.md, "DGT".
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from captains_table.table.model.view import Mark, Phase, View

LETTERS: Final = 8
WRITTEN: Final = str.maketrans({"\N{HORIZONTAL ELLIPSIS}": "..", "\N{EN DASH}": "-", "\N{MULTIPLICATION SIGN}": "x"})


class SeatTimes(NamedTuple):
    """The seconds left of the first and the second seat, and the seat whose time runs; `None` if none does."""

    first_s: int
    second_s: int
    running: int | None


class ClockFace(NamedTuple):
    """What a clock shows.

    Attributes:
        pages: texts of at most LETTERS characters, which are shown one after the other, again and again; without any,
            the clock shows times.
        times: the times that the clock is set to; `None` in a match without clocks.
    """

    pages: tuple[str, ...] = ()
    times: SeatTimes | None = None


def face_of_clock(view: View, *, browsed: bool = False) -> ClockFace:
    """Return what a clock shows of a view: the times of a match with clocks, unless something must be read.

    Args:
        view: the view.
        browsed: whether the menu's cursor was just moved, so that only the answer under it is shown.
    """
    times, cursor = _times(view), view.menu.cursor
    label = "" if cursor is None else f"{view.menu.entries[cursor].label}?"
    is_play = view.phase is Phase.PLAYING and not view.wrong and Mark.PUT_HERE not in view.marks.values()
    if times is not None and is_play and not (label or view.has_dice):
        return ClockFace((), times)
    said = [_prompt(view), label]
    if browsed and label:
        said = [label]
    elif view.wrong:
        said = [_carried(view), *view.prompt[:2]]
    return ClockFace(tuple(page for words in said for page in pages_of(words)), times)


def _times(view: View) -> SeatTimes | None:
    times = [seat.seconds_left for seat in view.seats]
    if len(times) != 2 or times[0] is None or times[1] is None:  # noqa: PLR2004 - a clock has two sides
        return None
    running = [number for number, seat in enumerate(view.seats) if seat.on_turn]
    is_running = view.phase is Phase.PLAYING and not view.timers_stopped and len(running) == 1
    return SeatTimes(times[0], times[1], running[0] if is_running else None)


def _prompt(view: View) -> str:
    """Return the prompt's first line, without the name of the only person at the table, who knows that."""
    words = view.prompt[0] if view.prompt else ""
    people = [seat.called for seat in view.seats if not seat.is_absent]
    return re.sub(rf"^{re.escape(people[0])}[^,:]*[,:] ", "", words) if len(people) == 1 else words


def _carried(view: View) -> str:
    """Return the squares from and to which the only wrong piece goes, such as "g8-h6"; empty if more are wrong."""
    targets = view.wrong.missing or [square for square, mark in view.marks.items() if mark is Mark.TARGET]
    is_one = len(view.wrong.extra) == len(targets) == 1
    return f"{view.wrong.extra[0]}-{targets[0]}" if is_one else ""


def pages_of(words: str) -> Iterator[str]:
    """Yield a text in pages of whole words, as far as they fit; other letters than a clock's become question marks."""
    spelt = unicodedata.normalize("NFKD", words.translate(WRITTEN))
    plain = "".join(letter for letter in spelt if not unicodedata.combining(letter))
    page = ""
    for word in plain.encode("ascii", "replace").decode("ascii").split():
        if page and len(page) + 1 + len(word) > LETTERS:
            yield page
            page = ""
        page = f"{page} {word}" if page else word
        while len(page) > LETTERS:
            yield page[:LETTERS]
            page = page[LETTERS:]
    if page:
        yield page
