"""Where a search for stories begins: a position, what was held from beside it, and what somebody said was done."""

from typing import Any, NamedTuple

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step
from captains_table.table.recognition.footprint import Footprint, footprint
from captains_table.table.recognition.story_state import NOTHING_FOUND, Found
from captains_table.table.recognition.switch_history import Change

TOLD_MS = 1000
"""What somebody said was done counts as done so long before what is touched next."""

NOTHING_MADE = footprint({}, {})


class Said(NamedTuple):
    """A move that somebody said was made, and what it changes."""

    id: str
    made: Footprint


class Beginning(NamedTuple):
    """Where a search begins.

    Attributes:
        base: the state of the match.
        before: the squares that are occupied then.
        found: what the stories find beside the pieces that stand on their squares.
        said: what somebody said was done first.
    """

    base: Any
    before: frozenset[Square]
    found: Found = NOTHING_FOUND
    said: Said | None = None

    @classmethod
    def at(cls, match: Match, state: object, found: Found = NOTHING_FOUND) -> "Beginning":
        """Return the beginning at a state of a match."""
        before = frozenset(match.game.pieces(state))
        return cls(state, before, found.without(before))


class Testimony(NamedTuple):
    """What the switches said since a state of the match: enough to tell its stories once more.

    Attributes:
        base: the state with which the search begins.
        changes: what settled since; none where it leaves nothing open.
        beside: the squares whose switch was held by a piece beside them at first.
    """

    base: Any
    changes: tuple[Change, ...]
    beside: frozenset[Square]


def move_of(match: Match, step: Step) -> Footprint:
    """Return what the last move changes, and all that followed it."""
    return footprint(match.game.pieces(step.before), match.pieces())


def as_told(made: Footprint, before: frozenset[Square], next_ms: int) -> list[Change]:
    """Return how a move is made with nothing beside it: what leaves its square is lifted, then all is set down.

    Args:
        made: the move.
        before: where pieces stood before it.
        next_ms: when something is touched next.
    """
    lifted = [Change(next_ms - 2 * TOLD_MS, square, closed=False) for square in sorted(made.changed & before)]
    return [*lifted, *(Change(next_ms - TOLD_MS, square, closed=True) for square in sorted(made.filled))]
