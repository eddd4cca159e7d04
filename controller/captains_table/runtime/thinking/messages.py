"""What a table and its thinking process say to each other: one JSON object a line, each way."""

import sys
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.games.contract import Action
from captains_table.table.model.entries import Entry
from captains_table.table.model.view import Hint


class ToThink(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be thought about.

    Attributes:
        kept: how many entries of the match the process has already; those after them are forgotten.
        entries: what follows: how the match began, and the actions that stand.
        computer: who decides, as `aether:3`; empty: advice is wanted.
        seat: for which seat.
        think_s: for how long at most, next to what its level takes; `None`: that alone.
        left_ms: what is left on the seat's clock; `None` without one.
    """

    kept: int
    entries: tuple[Entry, ...]
    computer: str
    seat: int
    think_s: float | None = None
    left_ms: int | None = None


class Thought(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What came of it.

    Attributes:
        action: what a computer answers.
        hint: advice, `None` where there is none to give.
        error: why there is neither, in words.
    """

    action: Action | None = None
    hint: Hint | None = None
    error: str = ""


COMMAND: Final = (sys.executable, "-m", "captains_table.runtime.thinking.mind")
TO_THINK: Final = msgspec.json.Decoder(ToThink)
THOUGHT: Final = msgspec.json.Decoder(Thought)
