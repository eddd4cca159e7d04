"""What can be seen of a table from outside while a move is made: asks, guidance, moves accepted, and when."""

from typing import NamedTuple

from captains_table.runtime.session import Session
from captains_table.table.recognition.board_monitor import MonitorState

HINT = "on a lit square"  # a piece is held for long: the table shows where it may go, and says nothing of a mistake


class Question(NamedTuple):
    """Which moves the table asked about, and when."""

    ids: tuple[str, ...]
    at_ms: int


class Witness:
    """Looks at the table after everything that happens."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._mood = MonitorState.WATCHING
        self.guided_in_all = self.ended_in_all = 0
        self.begin(0)

    def begin(self, now_ms: int) -> None:
        """Forget what was seen, for a new move."""
        self.asked: list[Question] = []
        self.called_illegal = False
        self.accepted: list[tuple[int, str]] = []
        self.last_change_ms = now_ms
        self._accept_after_ms = 0
        self._last = self._last_move()

    def acceptance_ms(self) -> int:
        """Return from the last change before the last acceptance to that acceptance."""
        return self._accept_after_ms

    def look(self, now_ms: int) -> None:
        """See what is there now."""
        state = self._session.referee.board_snapshot().state
        if state is not self._mood:
            if state is MonitorState.ASKING:
                asked = self._session.referee.board_snapshot().asked
                self.asked.append(Question(tuple(candidate.id for candidate in asked), now_ms))
            if state is MonitorState.RECOVERING:
                self.guided_in_all += 1
                self.called_illegal |= not any(HINT in line for line in self._session.view().prompt)
            self.ended_in_all += self._mood is MonitorState.RECOVERING
            self._mood = state
        last = self._last_move()
        if last != self._last:
            self._last = last
            self._accept_after_ms = now_ms - self.last_change_ms
            if last is not None:
                self.accepted.append((now_ms, last[1]))

    def _last_move(self) -> tuple[int, str] | None:
        match = self._session.match
        for step in reversed(match.history) if match is not None else ():
            if step.on_board:
                return step.acted.seq, str(step.acted.action)
        return None
