"""What displays show of an action only for a moment, such as the last throw, or only later, such as a capture.

The last throw is the dice that ended a turn or decided who begins; they are shown briefly before the next player's
dice. Only displays are affected; the match continues at once. After a power cut or a take-back no last throw is shown.

Log lines, sound and lights for the events of a capture wait until the board has been quiet for a while: the recogniser
accepts a capture at once, but a moment later it may turn out to be another move, because the player still straightens a
piece, puts the captured piece back, or takes another piece. Displays show the match's position meanwhile.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Generic, TypeVar

from captains_table.games.contract import Auction, Die, Over, Roll, Rolled, Square
from captains_table.table.history.event_log import events_of
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.steps import Step
from captains_table.table.model.view import LastThrow
from captains_table.table.recognition.board_monitor import BoardMonitor
from captains_table.table.recognition.footprint import Placement, differing_squares, footprint

T = TypeVar("T")
SHOWN_MS: Final = 1800
"""The milliseconds for which a value is shown, unless the next action ends that."""


class TransientValue(Generic[T]):
    """A value and the time until which it is shown.

    Attributes:
        seen: the value shown; `None` if no value is shown.
        due_ms: when the value disappears; `None` if no value is shown.
    """

    def __init__(self) -> None:
        self.seen: T | None = None
        self.due_ms: int | None = None

    def show(self, what: T | None, now_ms: int, paced_ms: Callable[[int], int] = int) -> None:
        """Show a value for a short time, in place of the previous value; `None` shows nothing.

        Args:
            what: the value.
            now_ms: the present time.
            paced_ms: returns how long the value is shown, given SHOWN_MS.
        """
        self.seen = what
        self.due_ms = None if what is None else now_ms + paced_ms(SHOWN_MS)

    def forget(self) -> None:
        """Stop showing the value."""
        self.seen = self.due_ms = None


def last_throw_of(match: Match, step: Step, *, delayed: bool = False) -> LastThrow | None:
    """Return the throw to show after an action that ended a turn or decided who begins.

    The result is `None` for any other action, for an action without a seat, and if there is no result of dice to show.

    Args:
        match: the match.
        step: the action.
        delayed: whether events on squares of the board must not be shown yet.
    """
    seat, dice = step.acted.seat, _lain(match, step)
    if seat is None or not any(die.face for die in dice) or not _is_decided(match, step, dice):
        return None
    outcome = match.game.outcome(step.before, step.after, [die.face for die in dice])
    if outcome is None:
        return None
    lit = tuple(die - 1 for die in outcome.dice)
    scored = tuple(event for event in events_of(match, step) if event.square is None or not delayed)
    return LastThrow(seat, dice, lit, outcome.words, scored, outcome.slots)


def _lain(match: Match, step: Step) -> tuple[Die, ...]:
    """Return the dice as they lay before an action, but with the new faces if the action is a throw."""
    game, action = match.game, step.acted.action
    dice = [replace(die, throws_left=0) for die in game.dice(step.before)]
    turn = game.turn(step.before)
    if not isinstance(action, Rolled) or not isinstance(turn, Roll):
        return tuple(dice)
    if not all(dice[number - 1].extra for number in turn.dice):
        dice = [replace(die, held=die.face is not None) for die in dice]
    for number, face in zip(turn.dice, action.faces, strict=True):
        dice[number - 1] = replace(dice[number - 1], face=face, held=False)
    return tuple(dice)


def _is_decided(match: Match, step: Step, lain: Sequence[Die]) -> bool:
    """Return whether an action ended a turn or decided who begins.

    This is assumed if the match is over, if the action is a throw before an auction or before another seat's turn, or
    if a die other than an extra die has lost its face (`_are_gone`).
    """
    turn = match.game.turn(step.after)
    if isinstance(turn, Over):
        return True
    is_anothers = isinstance(turn, Auction) or turn.seat != step.acted.seat
    return (isinstance(step.acted.action, Rolled) and is_anothers) or _are_gone(lain, match.game.dice(step.after))


def _are_gone(lain: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether a main die that had a face is now gone or has no face; extra dice are ignored."""
    faces = [die.face for die in now if not die.extra]
    main = [die.face for die in lain if not die.extra]
    return any(face and (place >= len(faces) or faces[place] is None) for place, face in enumerate(main))


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
