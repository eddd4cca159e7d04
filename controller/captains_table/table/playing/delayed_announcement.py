"""Delays the log lines, sound and lights for the events of a capture until the board has been quiet for a while.

The recogniser accepts a capture at once, but a moment later the capture may turn out to be another move: the player
still straightens a piece, puts the captured piece back, or takes another piece. Displays show the match's position
meanwhile; only the announcement waits.
"""

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.model.steps import Step
from captains_table.table.recognition.board_monitor import BoardMonitor
from captains_table.table.recognition.footprint import Placement, differing_squares, footprint


def takes_a_piece(before: Placement, after: Placement) -> bool:
    """Return whether a move captures a piece: a piece disappears, or one piece takes the square of another.

    It does not matter what the game calls the event. Pieces that swap squares or are promoted in place are not
    captured.
    """
    if len(after) < len(before):
        return True
    made = footprint(before, after)
    return bool(made.displaced) and not made.is_exchange


class DelayedAnnouncement:
    """Holds a capture until the board is quiet and the capture can be announced; at most one capture waits.

    Args:
        settings: the table's settings, including how long the board must be quiet.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._step: Step | None = None
        self._changed = frozenset[Square]()
        self._filled = frozenset[Square]()

    def delay(self, step: Step, before: Placement, after: Placement) -> None:
        """Delay the announcement of a capture.

        Args:
            step: the capture.
            before: the pieces before the capture.
            after: the pieces after the capture.
        """
        self._step = step
        self._changed = differing_squares(before, after)
        self._filled = self._changed & frozenset(after)

    def due_ms(self, monitor: BoardMonitor) -> int | None:
        """Return when to announce the capture; `None` if none waits, or if the switches do not show the capture."""
        if self._step is None or not self._stands(monitor):
            return None
        return monitor.changed_ms + self._settings.announce_ms

    def _stands(self, monitor: BoardMonitor) -> bool:
        """Return whether the switches still show the capture.

        They show it if they can be read, and if every square that the capture changed is still occupied or empty as it
        was right after the capture. Ignored switches are not compared.
        """
        return (
            monitor.switches.linked
            and (monitor.switches.occupied ^ self._filled) & self._changed <= monitor.switches.ignored()
        )

    def take(self) -> Step | None:
        """Return the delayed step and forget it; `None` if there is none."""
        step, self._step = self._step, None
        return step

    def take_sealed(self, provisional: Step | None) -> Step | None:
        """Return the delayed step and forget it; `None` without a delayed step, or if the step may still be changed.

        Args:
            provisional: the last move if it may still be changed; `None` otherwise.
        """
        return None if self._step is provisional else self.take()
