"""Keeping back what comes of a capture: nothing sounds, flashes or is news until the board has rested after it.

A capture is believed at once, and may be another move a moment later: the hand still straightens a piece, sets the
victim back, or takes another one. What the match has is shown all the while; what is cheered waits.
"""

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.model.steps import Step
from captains_table.table.recognition.board_monitor import BoardMonitor
from captains_table.table.recognition.footprint import Pieces, difference, footprint


def takes_a_piece(before: Pieces, after: Pieces) -> bool:
    """Return whether a move takes a piece: off the board, or from its square to elsewhere on it.

    Whatever the game calls that; pieces that only change places, or become others where they stand, take none.
    """
    if len(after) < len(before):
        return True
    made = footprint(before, after)
    return bool(made.displaced) and not made.is_exchange


class Announcing:
    """The capture that is not announced yet, if there is one.

    Args:
        settings: how long the board has to rest.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._step: Step | None = None
        self._changed = frozenset[Square]()
        self._filled = frozenset[Square]()

    def keep_back(self, step: Step, before: Pieces, after: Pieces) -> None:
        """Wait with what comes of a step, that leads from one position to another."""
        self._step = step
        self._changed = difference(before, after)
        self._filled = self._changed & frozenset(after)

    def due_ms(self, monitor: BoardMonitor) -> int | None:
        """Return when it is to be announced; `None` if nothing waits, or the pieces it moved are in somebody's hand."""
        if self._step is None or not self._stands(monitor):
            return None
        return monitor.changed_ms + self._settings.announce_ms

    def _stands(self, monitor: BoardMonitor) -> bool:
        """Return whether the board is as the move left it wherever it changed something, as far as switches say."""
        return (
            monitor.switches.linked
            and (monitor.switches.occupied ^ self._filled) & self._changed <= monitor.switches.ignored()
        )

    def take(self) -> Step | None:
        """Return what waits, `None` if nothing does; it waits no longer."""
        step, self._step = self._step, None
        return step

    def take_sealed(self, provisional: Step | None) -> Step | None:
        """Return what waits if it is not the move any more that may still be changed; it waits no longer then."""
        return None if self._step is provisional else self.take()
