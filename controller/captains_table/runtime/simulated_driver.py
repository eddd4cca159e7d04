"""A simulated table at work: what a person can do to it, whether by mouse, by tape or by test."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from captains_table.games.contract import Action, IllegalAction, Pick, Square
from captains_table.runtime.driver import ScheduledEvent, TableDriver
from captains_table.runtime.session import Session
from captains_table.simulation.reeds import Change
from captains_table.simulation.simulated_board import SimulatedBoard, SwitchMove
from captains_table.simulation.simulated_scanner import SimulatedScanner
from captains_table.table.model.events import BoardLost, BoardRead, Event, PiecesPlaced, SwitchChanged
from captains_table.table.recognition.candidates import TAKE_BACK

if TYPE_CHECKING:
    from captains_table.simulation.noisy_switches import NoisySwitches

HAND_MS = 40  # a quick hand: a switch that changed twice sooner would be taken for a bounce


class SimulatedDriver(TableDriver):
    """A session with a simulated board under its switches; every method says when it happens."""

    def __init__(self, session: Session, board: SimulatedBoard) -> None:
        super().__init__(session)
        self.board = board
        self.linked = True
        self.noise: NoisySwitches | None = None  # None: every switch says once what happened
        self._scanner = SimulatedScanner(session.settings.debounce_ms, board.occupied)

    # --- the board --------------------------------------------------------------------------------------------------

    def lift(self, square: Square, now_ms: int) -> None:
        """Lift the piece of a square."""
        self._move(lambda: self.board.lift(square), now_ms)

    def place(self, square: Square, now_ms: int) -> None:
        """Put the piece lifted last on a square."""
        self._move(lambda: self.board.place(square), now_ms)

    def click(self, square: Square, now_ms: int) -> None:
        """Lift a piece, or put the one in the hand down; an empty hand brings what may come there from beside."""
        self._catch_up(now_ms)
        piece = None if self.board.hand or square in self.board.pieces else self._comes_to(square)
        if piece is not None:
            self.board.take(piece)
        self._move(lambda: self.board.click(square), now_ms)

    def _comes_to(self, square: Square) -> str | None:
        """Return the piece that lies beside the board and may be set on a square now; `None` without just one."""
        board = self.board_snapshot()
        options = [] if board.asked else [option for option in board.options if not option.takes_back]
        pieces = {
            option.becomes
            for option in options
            if not option.footprint.left and option.footprint.filled == {square} and option.becomes in self.board.beside
        }
        return pieces.pop() if len(pieces) == 1 else None

    def _move(self, act: Callable[[], list[SwitchMove]], now_ms: int) -> None:
        """Do something to the pieces: the switches change by and by, changes that were still to come at once."""
        self._catch_up(now_ms)
        self._scanner.hurry(now_ms)
        before = self.board.occupied
        sensed = self._sensed(before, act())
        self._scanner.sense(change._replace(at_ms=now_ms + change.at_ms) for change in sensed)
        self._catch_up(now_ms)
        self._look()

    def _sensed(self, before: frozenset[Square], moves: Sequence[SwitchMove]) -> Sequence[Change]:
        """Return what the switches say of moves, times counted from now."""
        match = self.match
        if self.noise is not None and match is not None and match.game.shape is not None:
            return self.noise.sense(match.game.shape, before, moves)
        return [Change(index * HAND_MS, move.square, move.closed) for index, move in enumerate(moves)]

    def begun(self, now_ms: int) -> None:
        """Let the pieces stand where the match has them, what was captured in it beside the board, and no others."""
        self.board.clear()
        match = self.match
        if match is not None:
            first = match.history[0].before if match.history else match.state
            self.board.arrange(match.game.pieces(first))
            self.board.beside = list(match.game.spares(first))
        self.set_up(now_ms)

    def takes_back_of(self) -> int | None:
        """Return the seat whose last move may be taken back by putting its pieces back; None where none may."""
        match = self.match
        last = match.provisional or match.answered_move if match is not None and self.linked else None
        if match is None or last is None or self.board.pieces.keys() != match.pieces().keys():
            return None
        return last.acted.seat

    def take_back(self, now_ms: int) -> None:
        """Put the pieces as they stood before the last move, as a hand would.

        Raises:
            IllegalAction: no move may be taken back, or its pieces are on the move.
        """
        match = self.match
        if match is None or self.takes_back_of() is None:
            raise IllegalAction("no move can be taken back: expected one that nothing has sealed yet")
        last = match.provisional
        if last is None:
            self.answer(Pick(TAKE_BACK), now_ms)
            self.set_up(now_ms)
            return
        self._catch_up(now_ms)
        moves = self.board.rearrange(match.game.pieces(last.before))
        self._scanner.begin(self.board.occupied)
        for move in moves:
            self._deliver(SwitchChanged(move.square, move.closed), now_ms)
        self._look()
        if TAKE_BACK in [rival.id for rival in self.board_snapshot().rivals]:  # the switches alone leave it open
            super().answer(Pick(TAKE_BACK), now_ms)

    def set_up(self, now_ms: int) -> None:
        """Put every piece where the table wants it."""
        match = self.match
        if match is None or match.game.shape is None:
            return
        self.board.arrange(match.pieces())
        self._scanner.begin(self.board.occupied)
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
        self._scanner.begin(self.board.occupied)
        self.session.handle(BoardRead(self.board.occupied), now_ms)
        self._look()

    def _report_due_ms(self) -> int | None:
        return self._scanner.due_ms()

    def _next_report(self, now_ms: int) -> ScheduledEvent | None:
        settled = self._scanner.settled(now_ms)
        if settled is None:
            return None
        return ScheduledEvent(settled.at_ms, SwitchChanged(settled.square, settled.closed, settled.flickers))

    def _deliver(self, event: Event, at_ms: int) -> None:
        if self.linked:  # else the switches say it to nobody
            super()._deliver(event, at_ms)

    def _look(self) -> None:
        match = self.match
        if match is not None:
            self.board.recognise(match.pieces())

    # --- answers ----------------------------------------------------------------------------------------------------

    def answer(self, action: Action, now_ms: int) -> None:
        """Answer the ask directly; a move made so moves the simulated pieces too, unless they were asked about.

        Raises:
            IllegalAction: the ask does not offer it; nothing was changed.
        """
        self._catch_up(now_ms)
        match = self.match
        before = match.history[-1].acted.seq if match is not None and match.history else 0
        is_made_already = self._tells_what_was_made(action)
        super().answer(action, now_ms)
        if not is_made_already:
            self._follow(before, now_ms)

    def _tells_what_was_made(self, action: Action) -> bool:
        """Return whether an answer only says what was done with the pieces, so that they stand as they should."""
        board = self.board_snapshot()
        return isinstance(action, Pick) and action.id in [each.id for each in (*board.asked, *board.rivals)]

    def _follow(self, before_seq: int, now_ms: int) -> None:
        """Move the simulated pieces after a move that was made by answering."""
        match = self.match
        last = next((step for step in reversed(match.history) if step.on_board), None) if match is not None else None
        if last is not None and last.acted.seq > before_seq:
            self.set_up(now_ms)

    def _glide(self, now_ms: int) -> None:
        """Let the pieces make by themselves what a computer has just played."""
        if self.board_snapshot().to_make is not None and not self.board.hand:
            self.set_up(now_ms)

    def _happens(self, event: Event, now_ms: int) -> None:
        super()._happens(event, now_ms)
        self._glide(now_ms)
        self._look()
