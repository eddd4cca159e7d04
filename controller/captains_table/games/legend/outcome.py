"""What the dice of a turn of Legend came to when it ended: its cargo, and what else fell with the last throw."""

from collections.abc import Sequence

from captains_table.games.common.dice import CAPTAIN, CREW, SHIP, cargo_dice, missing_words
from captains_table.games.contract import EventKind, GameEvent, Outcome
from captains_table.games.legend.state import EXTRA_DICE, LEGEND_DIE


def outcome_of(events: Sequence[GameEvent], faces: Sequence[int | None]) -> Outcome | None:
    """Return what the dice came to, by what an action did; `None` where no cargo was brought home.

    Args:
        events: what the action that ended the turn did.
        faces: all dice as they lay.
    """
    points = {event.kind: event.points for event in events}
    if EventKind.CARGO not in points:
        return None
    cargo = faces[: LEGEND_DIE - 1]
    lit, words = [*cargo_dice(cargo)], [_cargo_words(cargo, points[EventKind.CARGO])]
    if EventKind.LEGEND in points:
        lit.append(LEGEND_DIE)
        words.insert(0, f"Legend {points[EventKind.LEGEND]}")
    if EventKind.TREASURE in points:
        lit += EXTRA_DICE
        words.insert(0, f"Treasure {points[EventKind.TREASURE]}")
    return Outcome(tuple(lit), ". ".join(words))


def _cargo_words(faces: Sequence[int | None], cargo: int) -> str:
    missing = [face for face in (SHIP, CAPTAIN, CREW) if face not in faces]
    return missing_words(missing[0]) if missing else f"Cargo {cargo}"
