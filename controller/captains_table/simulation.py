"""A simulated table at work: what a person can do to it, whether by mouse, by tape or by test."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from captains_table.devices.physics.reeds import Change
from captains_table.devices.simulated import SimulatedBoard, SwitchMove
from captains_table.games.contract import Action, Square
from captains_table.session import Session
from captains_table.table.events import (
    AdviceAsked,
    Answered,
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    DieToggled,
    PiecesPlaced,
    SwitchChanged,
    SwitchMasked,
    TimePassed,
)

if TYPE_CHECKING:
    from captains_table.devices.physics.noisy_switches import NoisySwitches

HAND_MS = 40  # a quick hand: a switch that changed twice sooner would be taken for a bounce


class SimulatedTable:
    """A session with a simulated board under its switches; every method says when it happens."""

    def __init__(self, session: Session, board: SimulatedBoard) -> None:
        self.session = session
        self.board = board
        self.linked = True
        self.noise: NoisySwitches | None = None  # none: every switch says once what happened
        self._coming: deque[Change] = deque()

    # --- the board --------------------------------------------------------------------------------------------------

    def lift(self, square: Square, now_ms: int) -> None:
        """Lift the piece of a square."""
        self._move(lambda: self.board.lift(square), now_ms)

    def place(self, square: Square, now_ms: int) -> None:
        """Put the piece lifted last on a square."""
        self._move(lambda: self.board.place(square), now_ms)

    def click(self, square: Square, now_ms: int) -> None:
        """Lift a piece, or put the one in the hand down."""
        self._move(lambda: self.board.click(square), now_ms)

    def _move(self, act: Callable[[], list[SwitchMove]], now_ms: int) -> None:
        """Do something to the pieces, and let the switches tell of it by and by; what they had yet to tell, at once."""
        self._catch_up(now_ms)
        while self._coming:
            self._switch(self._coming.popleft(), now_ms)
        before = self.board.occupied
        for change in self._sensed(before, act()):
            self._coming.append(change._replace(at_ms=now_ms + change.at_ms))
        self._catch_up(now_ms)
        self._look()

    def _sensed(self, before: frozenset[Square], moves: Sequence[SwitchMove]) -> Sequence[Change]:
        """Return what the switches say of moves, times counted from now."""
        match = self.session.referee.match
        if self.noise is not None and match is not None and match.game.shape is not None:
            return self.noise.sense(match.game.shape, before, moves)
        return [Change(index * HAND_MS, move.square, move.closed) for index, move in enumerate(moves)]

    def _catch_up(self, now_ms: int) -> None:
        """Let the switches tell what is due by now."""
        while self._coming and self._coming[0].at_ms <= now_ms:
            self._switch(self._coming[0], self._coming.popleft().at_ms)

    def set_up(self, now_ms: int) -> None:
        """Put every piece where the table wants it."""
        self._arrange(now_ms)

    def _arrange(self, now_ms: int) -> None:
        match = self.session.referee.match
        if match is None or match.game.shape is None:
            return
        self.board.arrange(match.pieces())
        self._coming.clear()
        if self.linked:
            self.session.handle(PiecesPlaced(self.board.occupied), now_ms)

    def unplug(self, now_ms: int) -> None:
        """Let the board's link drop."""
        self._catch_up(now_ms)
        self.linked = False
        self.session.handle(BoardLost(), now_ms)

    def plug(self, now_ms: int) -> None:
        """Let the board's link return: the whole board is read."""
        self._catch_up(now_ms)
        self.linked = True
        self.session.handle(BoardRead(self.board.occupied), now_ms)
        self._look()

    def mask(self, square: Square, now_ms: int) -> None:
        """Declare a switch dead."""
        self._catch_up(now_ms)
        self.session.handle(SwitchMasked(square), now_ms)

    def _switch(self, change: Change, now_ms: int) -> None:
        if self.linked:
            self.session.handle(SwitchChanged(change.square, change.closed), now_ms)

    def _look(self) -> None:
        match = self.session.referee.match
        if match is not None:
            self.board.recognise(match.pieces())

    # --- buttons, answers, time -------------------------------------------------------------------------------------

    def press(self, button: Button, now_ms: int) -> None:
        """Press a button down."""
        self._catch_up(now_ms)
        self.session.handle(ButtonPressed(button), now_ms)
        self._look()

    def release(self, button: Button, now_ms: int) -> None:
        """Let a button go."""
        self._catch_up(now_ms)
        self.session.handle(ButtonReleased(button), now_ms)
        self._look()

    def toggle(self, die: int, now_ms: int) -> None:
        """Hold a die that may stay, or let it go; raises IllegalAction."""
        self._catch_up(now_ms)
        self.session.handle(DieToggled(die), now_ms)

    def answer(self, action: Action, now_ms: int) -> None:
        """Answer the ask directly; a move made so moves the simulated pieces too.

        Raises:
            IllegalAction: the ask does not offer it; nothing was changed.
        """
        self._catch_up(now_ms)
        match = self.session.referee.match
        before = match.history[-1].acted.seq if match is not None and match.history else 0
        self.session.handle(Answered(action), now_ms)
        self._follow(before, now_ms)

    def advise(self, now_ms: int) -> None:
        """Ask for advice."""
        self._catch_up(now_ms)
        self.session.handle(AdviceAsked(), now_ms)

    def _follow(self, before_seq: int, now_ms: int) -> None:
        """Move the simulated pieces after a move that was made by answering."""
        match = self.session.referee.match
        last = match.provisional if match is not None else None
        if last is not None and last.acted.seq > before_seq:
            self._arrange(now_ms)
        self._look()

    def tick(self, now_ms: int) -> None:
        """Let time pass: switches tell what is due, timers that are due fire."""
        self._catch_up(now_ms)
        self.session.handle(TimePassed(), now_ms)
        self._look()

    def due_ms(self) -> int | None:
        """Return when something happens by itself next, none if nothing is waited for."""
        dues = [self.session.referee.due_ms(), self._coming[0].at_ms if self._coming else None]
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)
