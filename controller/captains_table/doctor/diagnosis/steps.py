"""What the guided test asks, part by part."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Generic, TypeVar

from captains_table.games.contract import Square
from captains_table.table.model.events import Button


class Part(StrEnum):
    """The parts of the test, in order."""

    EMPTY = "empty"
    PIECES = "pieces"
    SQUARES = "squares"
    CLEARED = "cleared"
    CORNERS = "corners"
    LIGHTS = "lights"
    ROUNDS = "rounds"
    BUTTONS = "buttons"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked now.

    Attributes:
        part: of which part of the test.
        prompt: what to do, in a few words.
        squares: where pieces are to stand and nowhere else.
        details: what is said beside it.
        button: the button that is asked for.
        concerned: squares whose pieces are meant: to be exchanged, or to be put elsewhere.
    """

    part: Part
    prompt: str
    squares: frozenset[Square] = frozenset()
    details: str = ""
    button: Button | None = None
    concerned: frozenset[Square] = frozenset()


Thing = TypeVar("Thing")


class InTurn(Generic[Thing]):
    """Things that are asked for one after the other."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._waiting = deque(things)

    @property
    def asked(self) -> Thing | None:
        """What is asked for, None when all was."""
        return self._waiting[0] if self._waiting else None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is asked for."""
        return not self._waiting

    def skip(self) -> None:
        """Leave the rest out."""
        self._waiting.clear()


def named(squares: Iterable[Square]) -> str:
    """Return squares in words, those side by side together: `a1-d1 f1 b2-e2`."""
    spans = []
    for _, run in groupby(enumerate(sorted(squares, key=lambda at: (at.rank, at.file))), key=_row_and_offset):
        first, *_, last = [at for _, at in run] * 2
        spans.append(str(first) if first == last else f"{first}-{last}")
    return " ".join(spans)


def _row_and_offset(numbered: tuple[int, Square]) -> tuple[int, int]:
    number, square = numbered
    return square.rank, square.file - number
