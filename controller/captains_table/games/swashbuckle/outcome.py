"""What a throw of Swashbuckle came to: the box a turn filled, or a place in the order (docs/rules/swashbuckle.md)."""

from collections.abc import Sequence
from typing import Final

from captains_table.games.common.dice import order_words
from captains_table.games.contract import GameEvent, Outcome
from captains_table.games.swashbuckle.boxes import FOUR, UPPER, Values, points
from captains_table.games.swashbuckle.cells import cell_title
from captains_table.games.swashbuckle.sheet import open_cells
from captains_table.games.swashbuckle.state import Ordering, State

ACE: Final = 1


def outcome_of(before: State, after: State, events: Sequence[GameEvent], faces: Sequence[int | None]) -> Outcome | None:
    """Return what the dice came to; `None` where no box was filled and nothing decided.

    Args:
        before: the match before the action that ended the turn, or decided who begins.
        after: the match after it.
        events: what that action did.
        faces: the dice as they lay.
    """
    if after.accused is not None or before.accused is not None:
        return None  # a penalty is no turn's dice (N2)
    if isinstance(before.step, Ordering):
        return Outcome((1,), order_words(faces, [event.words for event in events[1:]]))
    written = _written(before, after)
    if written is None:
        return None
    column, box = written
    score = after.columns_of(before.seat)[column][box] or 0
    title = cell_title(box, column, before.columns)
    if not score:
        return Outcome(words=f"{title} scuttled")
    lying = tuple(face or 0 for face in faces)
    return Outcome(_counting(box, score, lying, before.options.values), f"{title}: {score}")


def _written(before: State, after: State) -> tuple[int, str] | None:
    """Return the column and the box that were filled in the turn that ended: before a raid or a curse, or with it."""
    columns, seat = after.columns_of(before.seat), before.seat
    fresh = [(column, box) for column, box in open_cells(before.columns_of(seat)) if columns[column][box] is not None]
    if fresh:
        return fresh[0]
    return None if before.turn.filled is None else (before.turn.column, before.turn.filled)


def _counting(box: str, score: int, faces: tuple[int, ...], values: Values) -> tuple[int, ...]:
    """Return the dice (1-based) that a box counted: all of them where it counts their sum, or any five alike (W5)."""
    all_dice = tuple(range(1, len(faces) + 1))
    if score != points(box, faces, values):
        return all_dice
    if box in UPPER:
        return _showing(faces, 1 + UPPER.index(box))
    if box == "aces-high" and values.aces_high is not None:
        return _showing(faces, ACE)
    if box == "succession-4":
        start = max(face for face in faces if set(range(face, face + FOUR)) <= set(faces))
        return tuple(sorted(faces.index(face) + 1 for face in range(start, start + FOUR)))
    return all_dice


def _showing(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    return tuple(die for die, lying in enumerate(faces, start=1) if lying == face)
