"""What the guided test asks, part by part."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

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


CORNERS = {
    (-1, -1): "near left",
    (1, -1): "near right",
    (-1, 1): "far left",
    (1, 1): "far right",
}
"""The corners of a square as White sees them, in files and ranks from its middle."""

BUTTON_PROMPTS = {
    Button.ROLL: "Press the roll button",
    Button.NEXT: "Turn the encoder one step to the right",
    Button.PREVIOUS: "Turn the encoder one step to the left",
    Button.CHOOSE: "Push the encoder",
    Button.BACK: "Press back",
}


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
