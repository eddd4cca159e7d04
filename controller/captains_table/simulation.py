"""A simulated table at work: what a person can do to it, whether by mouse, by tape or by test."""

from captains_table.devices.simulated import SimulatedBoard, SwitchMove
from captains_table.games.contract import Action, Square
from captains_table.session import Session
from captains_table.table.events import (
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

HAND_MS = 40


class SimulatedTable:
    """A session with a simulated board under its switches; every method says when it happens."""

    def __init__(self, session: Session, board: SimulatedBoard) -> None:
        self.session = session
        self.board = board
        self.linked = True

    # --- the board --------------------------------------------------------------------------------------------------

    def lift(self, square: Square, now_ms: int) -> None:
        """Lift the piece of a square."""
        self._switch_all(self.board.lift(square), now_ms)

    def place(self, square: Square, now_ms: int) -> None:
        """Put the piece lifted last on a square."""
        self._switch_all(self.board.place(square), now_ms)

    def click(self, square: Square, now_ms: int) -> None:
        """Lift a piece, or put the one in the hand down."""
        self._switch_all(self.board.click(square), now_ms)

    def set_up(self, now_ms: int) -> None:
        """Put every piece where the table wants it."""
        self._arrange(now_ms)

    def _arrange(self, now_ms: int) -> None:
        match = self.session.referee.match
        if match is None or match.game.shape is None:
            return
        self.board.arrange(match.pieces())
        if self.linked:
            self.session.handle(PiecesPlaced(self.board.occupied), now_ms)

    def unplug(self, now_ms: int) -> None:
        """Let the board's link drop."""
        self.linked = False
        self.session.handle(BoardLost(), now_ms)

    def plug(self, now_ms: int) -> None:
        """Let the board's link return: the whole board is read."""
        self.linked = True
        self.session.handle(BoardRead(self.board.occupied), now_ms)
        self._look()

    def mask(self, square: Square, now_ms: int) -> None:
        """Declare a switch dead."""
        self.session.handle(SwitchMasked(square), now_ms)

    def _switch_all(self, moves: list[SwitchMove], now_ms: int) -> None:
        """Change switches one after the other, as slowly as a quick hand: a flicker would be taken for a bounce."""
        for index, move in enumerate(moves):
            self._switch(move, now_ms + index * HAND_MS)
        self._look()

    def _switch(self, move: SwitchMove, now_ms: int) -> None:
        if self.linked:
            self.session.handle(SwitchChanged(move.square, move.closed), now_ms)

    def _look(self) -> None:
        match = self.session.referee.match
        if match is not None:
            self.board.recognise(match.pieces())

    # --- buttons, answers, time -------------------------------------------------------------------------------------

    def press(self, button: Button, now_ms: int) -> None:
        """Press a button down."""
        self.session.handle(ButtonPressed(button), now_ms)
        self._look()

    def release(self, button: Button, now_ms: int) -> None:
        """Let a button go."""
        self.session.handle(ButtonReleased(button), now_ms)
        self._look()

    def toggle(self, die: int, now_ms: int) -> None:
        """Hold a die that may stay, or let it go; raises IllegalAction."""
        self.session.handle(DieToggled(die), now_ms)

    def answer(self, action: Action, now_ms: int) -> None:
        """Answer the ask directly; a move made so moves the simulated pieces too.

        Raises:
            IllegalAction: the ask does not offer it; nothing was changed.
        """
        match = self.session.referee.match
        before = match.history[-1].acted.seq if match is not None and match.history else 0
        self.session.handle(Answered(action), now_ms)
        self._follow(before, now_ms)

    def _follow(self, before_seq: int, now_ms: int) -> None:
        """Move the simulated pieces after a move that was made by answering."""
        match = self.session.referee.match
        last = match.provisional if match is not None else None
        if last is not None and last.acted.seq > before_seq:
            self._arrange(now_ms)
        self._look()

    def tick(self, now_ms: int) -> None:
        """Let time pass: timers that are due fire."""
        self.session.handle(TimePassed(), now_ms)
        self._look()

    def due_ms(self) -> int | None:
        """Return when a timer fires next, none if nothing is waited for."""
        return self.session.referee.due_ms()
