"""The parts and steps of the guided test, and a queue of things that it asks for one after the other.

A function writes squares as text, as in `a1-d1 f1`.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Generic, TypeVar

from captains_table.games.contract import Square
from captains_table.table.model.events import Button


class GuidedPart(StrEnum):
    """The parts of the guided test, in their order."""

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
class GuidedStep:
    """One step of the guided test, which asks a person to do something.

    Attributes:
        part: the part of the test.
        prompt: what to do, in a few words.
        squares: the squares on which pieces should be; all other squares should be empty.
        details: further words, shown with the prompt.
        button: the button to press; `None` if no button is asked for.
        concerned: the squares whose pieces should be exchanged or moved.
    """

    part: GuidedPart
    prompt: str
    squares: frozenset[Square] = frozenset()
    details: str = ""
    button: Button | None = None
    concerned: frozenset[Square] = frozenset()


_Item = TypeVar("_Item")


class QuestionQueue(Generic[_Item]):
    """A queue of things that are asked for one after the other."""

    def __init__(self, things: Iterable[_Item]) -> None:
        self._waiting = deque(things)

    @property
    def asked(self) -> _Item | None:
        """The first thing in the queue, which is asked for now; `None` if the queue is empty."""
        return self._waiting[0] if self._waiting else None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to ask for."""
        return not self._waiting

    def skip(self) -> None:
        """Skip the rest of the queue."""
        self._waiting.clear()


class AnswerQueue(QuestionQueue[_Item]):
    """A queue of things whose answer is a thing of the same kind, or nothing.

    Attributes:
        answers: the answer for each thing that had one.
        silent: the things for which there was nothing.
    """

    def __init__(self, things: Iterable[_Item]) -> None:
        super().__init__(things)
        self.answers: dict[_Item, _Item] = {}
        self.silent: list[_Item] = []

    def answered(self, answer: _Item | None) -> None:
        """Record the answer for the first thing in the queue; `None` if there was nothing."""
        asked = self._waiting.popleft()
        if answer is None:
            self.silent.append(asked)
        else:
            self.answers[asked] = answer


def squares_text(squares: Iterable[Square]) -> str:
    """Return squares as text, with neighbours on a rank joined, as in `a1-d1 f1 b2-e2`."""
    spans = []
    for _, run in groupby(enumerate(sorted(squares, key=lambda at: (at.rank, at.file))), key=_row_and_offset):
        first, *_, last = [at for _, at in run] * 2
        spans.append(str(first) if first == last else f"{first}-{last}")
    return " ".join(spans)


def _row_and_offset(numbered: tuple[int, Square]) -> tuple[int, int]:
    number, square = numbered
    return square.rank, square.file - number
