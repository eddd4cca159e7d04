"""The marks that tell what was done on the board last, and what came of it."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from captains_table.games.contract import TURNING_POINTS, EventKind, Game, GameEvent, Square
from captains_table.table.model.match import Step
from captains_table.table.model.view import Mark
from captains_table.table.recognition.footprint import difference

EVENT_MARKS: Final = {
    EventKind.STRIKE: Mark.STRIKE,
    EventKind.TREASURE: Mark.TREASURE,
    EventKind.KING: Mark.KING_TAKEN,
    EventKind.CHECK: Mark.STRIKE,
}


def marks_of_last_move(game: Game[Any], history: Sequence[Step]) -> dict[Square, Mark]:
    """Return the squares that the last move on the board changed; none where the board is another since."""
    if game.shape is None:
        return {}
    for step in reversed(history):
        if step.on_board:
            return dict.fromkeys(difference(game.pieces(step.before), game.pieces(step.after)), Mark.LAST_MOVE)
        if any(event.kind in TURNING_POINTS for event in game.game_events(step.before, step.after)):
            break
    return {}


def marks_of_events(events: Iterable[GameEvent]) -> dict[Square, Mark]:
    """Return where something happened that has a mark of its own."""
    return {
        item.square: EVENT_MARKS[item.kind] for item in events if item.kind in EVENT_MARKS and item.square is not None
    }
