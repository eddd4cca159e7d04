"""The time that players have: their clocks, and the time to bid and to act that a game master stops.

How much time each has left follows from the times in the journal, so a power cut loses none.

Whoever has to act uses time up; while several may bid nobody does. It stands still until the board is right for the
first time, and again after every interruption: the journal says when it went on (`ClockWentOn`), and nothing between
the last action and that counts. Who leaves a match has used the time until then (`ClockStopped`); only what was thought
before a power cut is given back. A match may also agree that nobody's time runs before the first press of the clock.
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

LOW_S = (30, 10)
SECOND_MS = 1000


class Clock:
    """Two or more players' clocks.

    Args:
        control: how much time there is.
        seats: how many players.
    """

    def __init__(self, control: TimeControl, seats: int) -> None:
        self._control = control
        self._left_ms = [control.base_ms] * seats
        self._since_ms: int | None = None  # none: it stands still
        self.awaits_press = control.from_press
        """Whether it only goes on with the first press, which adds nothing to anybody's time."""

    @property
    def is_running(self) -> bool:
        """Whether it counts."""
        return self._since_ms is not None

    def stop(self) -> None:
        """Stand still: what was used since the last entry is given back."""
        self._since_ms = None

    def note(self, entry: Entry) -> None:
        """Know of an entry: whoever acted used the time since the one before, and a press adds the increment."""
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
        """Return what a seat has left; never below nothing.

        Args:
            seat: whose time.
            acting: the seat that has to act, `None` if nobody has.
            now_ms: table time.
        """
        used_ms = now_ms - self._since_ms if seat == acting and self._since_ms is not None else 0
        return max(0, self._left_ms[seat] - max(0, used_ms))

    def up_ms(self, acting: int | None) -> int | None:
        """Return when the time of whoever has to act is up, `None` while nothing runs."""
        return None if acting is None or self._since_ms is None else self._since_ms + max(0, self._left_ms[acting])

    def tick_ms(self, acting: int | None, now_ms: int) -> int | None:
        """Return when the acting seat's clock shows another second, `None` while nothing runs."""
        if acting is None or self._since_ms is None:
            return None
        return next_second_ms(now_ms + self.left_ms(acting, acting, now_ms), now_ms)


def next_second_ms(due_ms: int, now_ms: int) -> int | None:
    """Return when another second of the time until then is over; `None` once all of it is."""
    return None if due_ms <= now_ms else now_ms + (due_ms - now_ms - 1) % SECOND_MS + 1


def is_press(action: Action | None) -> bool:
    """Return whether an action presses the clock."""
    return action == Pick(PRESS_CLOCK.id)


def seconds_shown(left_ms: int) -> int:
    """Return the seconds a clock shows: none are left only when the time is up."""
    return -(-left_ms // SECOND_MS)


def runs_low(before_s: int | None, now_s: int | None) -> bool:
    """Return whether a clock just came down to where its player is to be told; `None` where there is no clock."""
    return before_s is not None and now_s is not None and any(now_s <= low < before_s for low in LOW_S)


def clock_face(seconds: int) -> str:
    """Return a clock's face, such as 4:59 or 1:04:59."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Timers:
    """When the timers of a match were stopped and started."""

    def __init__(self) -> None:
        self._entries: list[TimersStopped | TimersWentOn] = []

    def note(self, entry: Entry) -> None:
        """Know of an entry."""
        if isinstance(entry, TimersStopped | TimersWentOn):
            self._entries.append(entry)

    @property
    def are_stopped(self) -> bool:
        """Whether no time runs."""
        return bool(self._entries) and isinstance(self._entries[-1], TimersStopped)

    def left_ms(self, deadline_ms: int, history: Sequence[Step]) -> int:
        """Return how long there still is before the bell rings, as of the last entry that says so.

        What passed from the action that began the turn to the last bid or correction is used; whatever came after that
        is given back, because a power cut may have been in it. An auction that begins the match begins with its first
        bid. While the timers stand still nothing is used, and they go on with what was left.

        Args:
            deadline_ms: how long there was at first.
            history: the actions that stand.
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
    """Return when the turn in hand began and what was done in it since, in order, and the `seq` of what began it."""
    times: list[int] = []
    for step in reversed(history):
        times.insert(0, step.acted.at_ms)
        if not goes_on_with_time(step.acted.action):
            return times, step.acted.seq
    return times, 0
