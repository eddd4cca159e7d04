"""Checks the times and clocks of an exported match, and measures the interruptions and pauses of the clocks.

No clock time is proven, because the owner of the journal could have written other times. The checks are these. The
table's time never goes back. A player's time is up exactly when the clock says so. The clock starts and stops only as
the entries allow, and the recorded reasons for its stops fit the other entries.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from captains_table.games.contract import Bell, Bid, MasterAction, TimeUp
from captains_table.table.history.not_proven import NotProven, seq_of
from captains_table.table.model.entries import (
    LATEST_MS,
    Acted,
    ClockStopped,
    ClockWentOn,
    Entry,
    Resumed,
    StopReason,
    TakenBack,
)
from captains_table.table.model.player_clocks import SECOND_MS, Clock, is_press


@dataclass(frozen=True, slots=True)
class Interruption:
    """An interruption after which the match was resumed.

    Attributes:
        entry: the number of the `resumed` entry, counted from 0.
        away_s: the seconds before this entry in which nothing was recorded, by the wall clock; `None` if the wall
            clock went back or was not set.
        given_back_s: the seconds that no player's clock counts, from the resumption until the clock ran again. If the
            clock was running before the interruption, the seconds include `away_s`. The value is `None` if `away_s` is
            needed but unknown.
    """

    entry: int
    away_s: int | None
    given_back_s: int | None


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of the clock during play.

    Attributes:
        why: the reason for the pause.
        stood_ms: its length in milliseconds.
        is_recorded: whether the export states the reason. Exports of earlier versions of the program do not; the
            reason is then derived from other entries.
    """

    why: StopReason
    stood_ms: int
    is_recorded: bool


def check_times(entries: Sequence[Entry]) -> None:
    """Check that the table's time stays in its range and never goes back; raises NotProven otherwise."""
    last_ms = 0
    for place, at_ms in _times(entries):
        if not last_ms <= at_ms <= LATEST_MS:
            limit = f"no less than {last_ms}" if at_ms < last_ms else f"at most {LATEST_MS}"
            raise NotProven(f"entry {place}: time {at_ms}: expected {limit}", None, limit, at_ms, place)
        last_ms = at_ms


def check_time(clock: Clock, entry: Entry, *, recorded: bool, is_over: bool = False) -> None:
    """Check an entry against the clocks.

    A `TimeUp` needs an expired clock. Any other action needs time left. Bids, the bell and a game master's actions use
    nobody's time.

    An action needs a running clock if `recorded` is true, and also if the action is the first press of the clock.
    Before the first press, other actions never need a running clock.

    Args:
        clock: the clocks before the entry.
        entry: the entry to check.
        recorded: whether the export's format records when the clock stops.
        is_over: whether the match was over before the entry; then a take-back needs no time left.

    Raises:
        NotProven: the entry does not fit the clocks.
    """
    has_to_run = recorded or clock.awaits_press
    may_stand = clock.awaits_press and not _presses(entry)  # only its first press starts such a clock
    if has_to_run and isinstance(entry, Acted | TakenBack) and not (clock.is_running or may_stand):
        words = f"action {entry.seq}: the clock stood still: expected `clock-went-on` before it"
        raise NotProven(words, entry.seq, expected="clock-went-on", found="acted")
    if isinstance(entry, ClockStopped) and not clock.is_running:
        words = "the clock stopped while it stood still: expected `clock-went-on` before it"
        raise NotProven(words, expected="clock-went-on", found="clock-stopped")
    if not isinstance(entry, ClockStopped | Acted | TakenBack) or (isinstance(entry, TakenBack) and is_over):
        return
    action, seq = (entry.action if isinstance(entry, Acted) else None), seq_of(entry)
    up_ms = clock.up_ms(None if isinstance(action, Bid | Bell | MasterAction) else entry.seat)
    if isinstance(action, TimeUp):
        if up_ms is None or entry.at_ms < up_ms:
            raise NotProven(f"action {seq}: the time was not up yet", seq, up_ms, entry.at_ms)
    elif up_ms is not None and entry.at_ms > up_ms:
        words = "the clock stopped after the time was up" if seq is None else f"action {seq}: the time was up before"
        raise NotProven(words, seq, up_ms, entry.at_ms)


class PauseCheck:
    """Checks that a match's clock starts only when it may, and that the recorded reasons for its stops are true.

    The clock may start only at the beginning, after a stop during play, or after the match was resumed.

    Args:
        recorded: whether the export's format records interruptions at all.
        says_why: whether each entry `clock-stopped` must state a reason.
        from_press: whether the clock stands still at the beginning until a player first presses it.

    Attributes:
        pauses: the pauses of the clock during play.
    """

    def __init__(self, *, recorded: bool, says_why: bool, from_press: bool) -> None:
        self._recorded, self._says_why, self._awaits_press = recorded, says_why, from_press
        self._may_go_on = True
        self._stopped: tuple[ClockStopped, StopReason] | None = None
        self.pauses: list[Pause] = []

    def take_in(self, entries: Sequence[Entry], place: int, reasons: Collection[StopReason]) -> None:
        """Check an entry; raises NotProven if it does not fit the entries before it.

        Args:
            entries: the whole history.
            place: the number of the entry, counted from 0.
            reasons: the reasons for which the clock can have stopped at this entry, as the other entries show.
        """
        entry = entries[place]
        following = entries[place + 1] if place + 1 < len(entries) else None
        match entry:
            case ClockWentOn() if self._awaits_press and not _presses(following):
                words = f"entry {place}: the clock went on: expected it to wait for its first press"
                raise NotProven(words, expected="press-clock", found=following, entry=place)
            case Acted() | TakenBack() if self._awaits_press:
                self._awaits_press = self._may_go_on = not _presses(entry)
            case Resumed(at=at):
                parse_wall_time(at, place)
                self._may_go_on, self._stopped = True, None
            case ClockWentOn() if not self._may_go_on:
                why = "expected `resumed` before it" if self._recorded else "this form did not record interruptions"
                words = f"entry {place}: the clock went on without an interruption that is written down: {why}"
                raise NotProven(words, expected="resumed", found="clock-went-on", entry=place)
            case ClockStopped():
                why = self._reason(place, entry, reasons)
                self._may_go_on, self._stopped = why != "left", (entry, why)
            case ClockWentOn() | Acted() | TakenBack():
                self._may_go_on = False
        if isinstance(entry, ClockWentOn) and self._stopped is not None:
            stopped, why = self._stopped
            self.pauses.append(Pause(why, entry.at_ms - stopped.at_ms, isinstance(stopped.why, str)))
            self._stopped = None

    def _reason(self, place: int, stopped: ClockStopped, reasons: Collection[StopReason]) -> StopReason:
        """Return why the clock stopped.

        If an entry in an older format lacks the reason, the reason is derived from the other entries.

        Raises:
            NotProven: a required reason is missing, or the other entries do not confirm the recorded reason. The reason
                `left` needs no confirmation.
        """
        if not isinstance(stopped.why, str):
            if self._says_why:
                words = f"entry {place}: the clock stopped and it is not said why: expected {' or '.join(_STOPPED_BY)}"
                raise NotProven(words, expected=list(_STOPPED_BY), found=None, entry=place)
            return next(iter(reasons), "left")
        if stopped.why != "left" and stopped.why not in reasons:
            expected = _STOPPED_BY[stopped.why]
            words = f"entry {place}: the clock stopped ({stopped.why}): expected {expected} before it"
            raise NotProven(words, expected=expected, found=stopped.why, entry=place)
        return stopped.why


_STOPPED_BY: Final[Mapping[StopReason, str]] = {
    "left": "that the match was left",
    "hand": "a computer's move on the board, at the same time",
    "asked": "`unsure` that was asked",
    "put-back": "an answer that changed the pieces, at the same time",
}


def _presses(entry: Entry | None) -> bool:
    return isinstance(entry, Acted) and is_press(entry.action)


def interruptions(entries: Sequence[Entry], began: str) -> list[Interruption]:
    """Return all interruptions after which the match was resumed, with the time given back after each.

    Args:
        entries: the whole history.
        began: when the match began, ISO 8601 with UTC offset; empty if the table's clock was not set.

    Raises:
        NotProven: a wall time is not ISO 8601 with UTC offset.
    """
    found: list[Interruption] = []
    times = dict(_times(entries))
    text, wall_ms = began, next(iter(times.values()), 0)
    last_ms, is_running, is_taken_up = wall_ms, False, False
    for place, entry in enumerate(entries):
        if isinstance(entry, Resumed):
            at = parse_wall_time(entry.at, place)
            before = parse_wall_time(text, 0)
            away = None if at is None or before is None else at - before - timedelta(milliseconds=last_ms - wall_ms)
            is_known = away is not None and away > -timedelta(seconds=1)  # wall times are in seconds
            away_s = max(0, round(away.total_seconds())) if away is not None and is_known else None
            found.append(Interruption(place, away_s, away_s if is_running else 0))
            text, wall_ms, is_running, is_taken_up = entry.at, entry.at_ms, False, True
        elif isinstance(entry, ClockWentOn) and is_taken_up:
            is_taken_up = False
            given_back_s, stood_s = found[-1].given_back_s, round((entry.at_ms - wall_ms) / SECOND_MS)
            found[-1] = replace(found[-1], given_back_s=None if given_back_s is None else given_back_s + stood_s)
        last_ms = max(last_ms, times.get(place, last_ms))
        is_running = isinstance(entry, ClockWentOn) or (is_running and not isinstance(entry, ClockStopped))
    return found


def _times(entries: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """Yield the number and table time of each entry that has a time; entries of earlier versions may have none."""
    for place, entry in enumerate(entries):
        at_ms = getattr(entry, "at_ms", None)
        if isinstance(at_ms, int):
            yield place, at_ms


def parse_wall_time(text: str, place: int) -> datetime | None:
    """Return an entry's wall time, ISO 8601 with UTC offset; `None` if the text is empty.

    Raises:
        NotProven: the text is not a time in this format.
    """
    if not text:
        return None
    with suppress(ValueError):
        time = datetime.fromisoformat(text)
        if time.tzinfo is not None:
            return time
    words = f"entry {place}: {text[:40]!r} is no time: expected ISO 8601 with UTC offset"
    raise NotProven(words, found=text, entry=place)
