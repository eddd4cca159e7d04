"""What waits and what is recorded while it is ambiguous which move was made last.

An action that would make the move final waits until the players say which move they made. The journal records the
switch changes that leave the move ambiguous, so that the table asks again after a power cut.

Source: docs/contracts.md Contract 2 rule 3.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from captains_table.games.contract import IllegalAction
from captains_table.table.model.entries import Unsure
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState
from captains_table.table.recognition.board_reports import SwitchChange
from captains_table.table.recognition.story_state import SwitchRecord

DeferredCall = Callable[[], object]


class DeferredAction:
    """Holds the action that waits for the answer to a question about the board; at most one action waits.

    Args:
        monitor: the state of the board.
        settings: the table's settings, including how long the board must be quiet.
    """

    def __init__(self, monitor: BoardMonitor, settings: Settings) -> None:
        self._monitor = monitor
        self._settings = settings
        self._deed: DeferredCall | None = None
        self._owed = False
        self._considered_ms: int | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether an action waits for an answer; meanwhile no clock runs."""
        return self._deed is not None

    @property
    def is_owed(self) -> bool:
        """Whether an action is waiting and no other action may replace it; an example is a bid in an auction."""
        return self._deed is not None and self._owed

    def asks_first(self, deed: DeferredCall, *, owed: bool = False) -> bool:
        """Ask which move was made if several are possible, and let an action wait for the answer.

        The action replaces an action that waits already. If the waiting action is protected (`owed`), the new action is
        dropped instead.

        Args:
            deed: the action.
            owed: whether the action is protected from being replaced while it waits.

        Returns:
            Whether the question is asked.
        """
        if not self._monitor.ask_stories():
            return False
        if not self.is_owed:
            self._deed, self._owed = deed, owed
        self._considered_ms = None
        return True

    def forget(self) -> None:
        """Drop the waiting action, for example because the question was closed."""
        self._deed = None

    def carry_out(self) -> None:
        """Do the waiting action, unless pieces are being moved on the board; drop it if it is not allowed any more."""
        deed = self._deed
        if deed is None or self._monitor.is_unfinished():
            return
        self._deed = None
        try:
            deed()
        except IllegalAction:
            return  # another move was made than assumed, after which the action is not allowed

    def due_ms(self) -> int | None:
        """Return when to reconsider the waiting action; `None` if there is nothing to reconsider.

        If players move pieces instead of answering, the action is reconsidered once the board is quiet again.
        """
        has_changed = self._considered_ms != self._monitor.changed_ms
        if self._deed is None or self._monitor.state is not MonitorState.WATCHING or not has_changed:
            return None
        return self._monitor.changed_ms + self._settings.slide_ms

    def reconsider(self) -> None:
        """Ask again if the last move is still ambiguous, else do the waiting action."""
        deed = self._deed
        self._considered_ms = self._monitor.changed_ms
        if deed is not None and not self.asks_first(deed):
            self.carry_out()


class UnsureJournal:
    """Remembers the journal's last `Unsure` entry, so that an equal entry is not recorded again."""

    def __init__(self) -> None:
        self._last: Unsure | None = None

    def recall(self, match: Match, unsure: Unsure | None) -> SwitchRecord | None:
        """Remember the journal's last `Unsure` entry and return the switch changes in it.

        `None` if there is no entry, if its action or its squares do not exist in this match, or if it does not say
        for each change what the board read.
        """
        self._last = unsure
        squares = {str(square): square for square in match.game.shape.squares()} if match.game.shape else {}
        state = _state_after(match, unsure.since_seq) if unsure is not None else None
        if (
            unsure is None
            or state is None
            or not {*unsure.beside, *(name for _, name, _ in unsure.changes)} <= set(squares)
            or len(unsure.readings or unsure.changes) != len(unsure.changes)
        ):
            return None
        readings = unsure.readings or ("",) * len(unsure.changes)
        changes = tuple(
            SwitchChange(at_ms, squares[name], closed, reading)
            for (at_ms, name, closed), reading in zip(unsure.changes, readings, strict=True)
        )
        return SwitchRecord(state, changes, frozenset(squares[name] for name in unsure.beside))

    def news(self, match: Match, monitor: BoardMonitor) -> Unsure | None:
        """Return a new `Unsure` entry if the ambiguity or the question changed since the last entry, else `None`."""
        testimony = monitor.testimony()
        since_seq = _seq_of(match, testimony.base) if testimony is not None else None
        if testimony is None or since_seq is None:
            return None
        found = Unsure(
            match.revision,
            since_seq,
            tuple((change.at_ms, str(change.square), change.closed) for change in testimony.changes),
            tuple(map(str, sorted(testimony.echoes))) if testimony.changes else (),
            asked=bool(monitor.asked),
            readings=_readings(testimony.changes),
        )
        was_unsure = self._last is not None and self._last.after_seq == found.after_seq and bool(self._last.changes)
        if found == self._last or not (found.changes or was_unsure):
            return None
        self._last = found
        return found

    def question(self, match: Match) -> Unsure | None:
        """Return an entry that records an open question to the players; `None` if the journal contains one already.

        The entry repeats the ambiguous switch changes, so that the table can ask again after a power cut.
        """
        last = self._last if self._last is not None and self._last.after_seq == match.revision else None
        if last is None:
            last = Unsure(match.revision, match.history[-1].acted.seq if match.history else 0, (), asked=False)
        if last.asked:
            return None
        self._last = replace(last, asked=True)
        return self._last


def _readings(changes: Sequence[SwitchChange]) -> tuple[str, ...] | UnsetType:
    return tuple(change.reading for change in changes) if any(change.reading for change in changes) else UNSET


def _state_after(match: Match, seq: int) -> Any:  # noqa: ANN401 - each game has its own state
    """Return the state after the action numbered `seq`, or the first state for 0.

    `None` if there is no such action or it was taken back.
    """
    if not seq:
        return match.history[0].before if match.history else match.state
    return next((step.after for step in match.history if step.acted.seq == seq), None)


def _seq_of(match: Match, state: object) -> int | None:
    """Return the number of the action that led to a state, 0 for the first state; `None` for any other state."""
    if state is _state_after(match, 0):
        return 0
    return next((step.acted.seq for step in match.history if step.after is state), None)
