"""The players' clocks, and the timers for bids and actions; a game master can stop these timers.

All remaining times are computed from the times in the journal, so that no remaining time is lost in a power cut.

A player who must act uses time; while several players may bid, nobody uses time. The clock stands still until the board
is right for the first time, and after every interruption until the board is right again. The journal records when the
clock starts (`ClockWentOn`), and the time for which it stood still is not charged. When the clock is stopped
(`ClockStopped`), for example because players leave the match, the time until then is charged. After a power cut, the
time since the last entry is not charged. In some matches the clock starts only when it is pressed for the first time.
"""

from collections.abc import Sequence

from captains_table.games.contract import (
    PRESS_CLOCK,
    Action,
    Bell,
    Bid,
    MasterAction,
    Pick,
    TimeControl,
    goes_on_with_time,
)
from captains_table.table.model.entries import (
    Acted,
    ClockStopped,
    ClockWentOn,
    Entry,
    Resumed,
    TakenBack,
    TimersStopped,
    TimersWentOn,
)
from captains_table.table.model.steps import Step

LOW_S = (30, 10)  # seconds left at which a player is warned
SECOND_MS = 1000


class Clock:
    """The chess clocks of all players of a match.

    Args:
        control: the time control: base time and increment.
        seats: the number of players.
    """

    def __init__(self, control: TimeControl, seats: int) -> None:
        self._control = control
        self._left_ms = [control.base_ms] * seats
        self._since_ms: int | None = None  # None: it stands still
        self.awaits_press = control.from_press
        """True while the clock waits for its first press, which gives no increment."""

    @property
    def is_running(self) -> bool:
        return self._since_ms is not None

    def stop(self) -> None:
        """Stop the clock; the time since the last entry is not charged."""
        self._since_ms = None

    def note(self, entry: Entry) -> None:
        """Update the clock from a journal entry.

        The entry may start or stop the clock. A player's time used is charged, and a press adds the increment.
        """
        match entry:
            case ClockWentOn(at_ms):
                self._since_ms = at_ms
            case ClockStopped(seat=seat, at_ms=at_ms):
                self._use(seat, at_ms)
                self.stop()
            case Resumed():
                self.stop()
            case Acted(action=action, at_ms=at_ms) if isinstance(action, Bid | Bell | MasterAction):
                self._use(None, at_ms)
            case Acted(seat=seat, at_ms=at_ms) | TakenBack(seat=seat, at_ms=at_ms):
                self._use(seat, at_ms)
                if seat is not None and isinstance(entry, Acted) and is_press(entry.action):
                    self._left_ms[seat] += 0 if self.awaits_press else self._control.increment_ms
                    self.awaits_press = False

    def _use(self, seat: int | None, at_ms: int) -> None:
        if self._since_ms is not None:
            if seat is not None:
                self._left_ms[seat] -= max(0, at_ms - self._since_ms)
            self._since_ms = max(at_ms, self._since_ms)

    def left_ms(self, seat: int, acting: int | None, now_ms: int) -> int:
        """Return the milliseconds that a seat has left, at least 0.

        Args:
            seat: the seat whose time is returned.
            acting: the seat that must act; `None` if no seat must.
            now_ms: table time.
        """
        used_ms = now_ms - self._since_ms if seat == acting and self._since_ms is not None else 0
        return max(0, self._left_ms[seat] - max(0, used_ms))

    def up_ms(self, acting: int | None) -> int | None:
        """Return the table time at which the acting seat's time is used up; `None` while no seat's clock runs."""
        return None if acting is None or self._since_ms is None else self._since_ms + max(0, self._left_ms[acting])

    def tick_ms(self, acting: int | None, now_ms: int) -> int | None:
        """Return the table time when the acting seat's clock next changes its seconds.

        `None` while no clock runs, and once the time is used up.
        """
        if acting is None or self._since_ms is None:
            return None
        return next_second_ms(now_ms + self.left_ms(acting, acting, now_ms), now_ms)


def next_second_ms(due_ms: int, now_ms: int) -> int | None:
    """Return when a countdown to `due_ms` next changes its seconds; `None` once the countdown is over."""
    return None if due_ms <= now_ms else now_ms + (due_ms - now_ms - 1) % SECOND_MS + 1


def is_press(action: Action | None) -> bool:
    """Return whether an action presses the clock."""
    return action == Pick(PRESS_CLOCK.id)


def seconds_shown(left_ms: int) -> int:
    """Return the seconds that a clock shows, rounded up: 0 only when the time is used up."""
    return -(-left_ms // SECOND_MS)


def runs_low(before_s: int | None, now_s: int | None) -> bool:
    """Return whether a clock has just passed a warning threshold (`LOW_S`); false without a clock.

    Args:
        before_s: the seconds that the clock showed before; `None` without a clock.
        now_s: the seconds that the clock shows now; `None` without a clock.
    """
    return before_s is not None and now_s is not None and any(now_s <= low < before_s for low in LOW_S)


def clock_face(seconds: int) -> str:
    """Return the time as a clock shows it, such as 4:59 or 1:04:59."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Timers:
    """The record of when a match's timers were stopped and started."""

    def __init__(self) -> None:
        self._entries: list[TimersStopped | TimersWentOn] = []

    def note(self, entry: Entry) -> None:
        """Update the timers from a journal entry."""
        if isinstance(entry, TimersStopped | TimersWentOn):
            self._entries.append(entry)

    @property
    def are_stopped(self) -> bool:
        """Whether the timers stand still now."""
        return bool(self._entries) and isinstance(self._entries[-1], TimersStopped)

    def left_ms(self, deadline_ms: int, history: Sequence[Step]) -> int:
        """Return the milliseconds left before the bell, according to the journal.

        Time counts as used from the beginning of the turn until the turn's last bid or correction. Later time is given
        back, because the power may have been cut in the meantime. An auction that opens the match begins with its first
        bid. While the timers stand still, no time is used.

        Args:
            deadline_ms: the full time before the bell.
            history: the actions that were not taken back.
        """
        times, began_seq = _times(history)
        left_ms, since_ms = deadline_ms, times[0] if times else None
        for entry in self._entries:
            if isinstance(entry, TimersWentOn):
                since_ms = entry.at_ms if entry.after_seq >= began_seq else since_ms
            elif entry.after_seq >= began_seq and entry.left_ms is not None:
                left_ms = entry.left_ms
        if self.are_stopped or since_ms is None or not times:
            return left_ms
        return max(0, left_ms - max(0, times[-1] - since_ms))


def _times(history: Sequence[Step]) -> tuple[list[int], int]:
    """Return the times of the actions since the current turn began, and the `seq` of the action that began the turn.

    The first time is the time of the action that began the turn. If the match began with this turn, the `seq` is 0.
    """
    times: list[int] = []
    for step in reversed(history):
        times.insert(0, step.acted.at_ms)
        if not goes_on_with_time(step.acted.action):
            return times, step.acted.seq
    return times, 0
