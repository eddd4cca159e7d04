"""The event source of a simulated board, and the actions that move its pieces, by mouse, tape or test.

Moves of computers and moves chosen as answers are made on the simulated board at once. The last move can be taken back,
the link to the board can be cut, and the switches can be noisy.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from captains_table.games.contract import IllegalAction, Pick, Square
from captains_table.runtime.board_source import BoardReport, BoardSource
from captains_table.runtime.session import Session
from captains_table.simulation.noisy_switches import NoisySwitches
from captains_table.simulation.page_hand import Handled, PageHand
from captains_table.simulation.reeds import ReedChange
from captains_table.simulation.simulated_board import SimulatedBoard, SwitchMove
from captains_table.simulation.simulated_scanner import SimulatedScanner
from captains_table.table.model.events import (
    AdviceAsked,
    Answered,
    BoardLost,
    BoardRead,
    Event,
    PiecesPlaced,
    SwitchChanged,
    TimePassed,
)
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import TAKE_BACK
from captains_table.web.scene import PhysicalBoard

T = TypeVar("T")
HAND_MS = 40  # a quick hand: a switch that changes twice within less time counts as bouncing


class SimulatedSource(BoardSource):
    """A simulated board as a session's source of events: its methods move pieces, and its switches report the moves.

    In every method, `now_ms` is the table's time in milliseconds.

    Args:
        session: the session, whose board this source becomes.
        board: the pieces and where they are.

    Attributes:
        linked: whether the link to the board works; without it, reports are lost.
        noise: simulates bouncing and noisy switches; `None`: every switch reports each change once.
    """

    def __init__(self, session: Session, board: SimulatedBoard) -> None:
        self.session = session
        self.board = board
        self.linked = True
        self.noise: NoisySwitches | None = None  # None: every switch reports each change once
        self._scanner = SimulatedScanner(session.settings.debounce_ms, board.occupied)
        self._readings: dict[Square, str] = {}  # of the pieces placed last, on a board that reads pieces
        session.board = self

    # --- the board --------------------------------------------------------------------------------------------------

    def lift(self, square: Square, now_ms: int) -> None:
        """Lift the piece of a square; do nothing if the square is empty."""
        self._move(lambda: self.board.lift(square), now_ms)

    def place(self, square: Square, now_ms: int, reading: str = "") -> None:
        """Put the piece lifted last on a square; do nothing if the square is occupied, unless the board reads pieces.

        Args:
            square: the square.
            now_ms: the table's time.
            reading: what the board reads of the piece; empty if it reads only that a piece is there. On an occupied
                square, the piece that stood there is gone, without its switch having opened.
        """
        self._readings[square] = reading
        if reading and square in self.board.pieces:
            self._pass_time(now_ms)
            self.session.handle(SwitchChanged(square, closed=True, reading=reading), now_ms)
        self._move(lambda: self.board.place(square), now_ms)

    def read(self, readings: Mapping[Square, str], now_ms: int) -> None:
        """Report the whole board, with what it reads of the pieces on these squares."""
        self._pass_time(now_ms)
        self.session.handle(BoardRead(self.board.occupied, readings), now_ms)

    def click(self, square: Square, now_ms: int) -> None:
        """Carry out a click on a square.

        With an empty hand, lift the square's piece; if the square is empty too, put a spare piece there, provided that
        exactly one fits. With pieces in the hand, put down the last lifted one; a piece on the square leaves the board.
        """

        def click() -> list[SwitchMove]:
            piece = None if self.board.hand or square in self.board.pieces else self._comes_to(square)
            if piece is not None:
                self.board.take(piece)
            return self.board.click(square)

        self._move(click, now_ms)

    def handle(self, act: Callable[[PageHand], Handled], now_ms: int) -> Handled:
        """Let the page's hand do something on a quiet board; return what it did.

        Args:
            act: calls one of the hand's methods.
            now_ms: the table's time.
        """
        handled = Handled([])

        def move() -> list[SwitchMove]:
            nonlocal handled
            hand = self.page_hand()
            handled = handled if hand is None else act(hand)
            return handled.moves

        self._move(move, now_ms)
        return handled

    def page_hand(self) -> PageHand | None:
        """Return the page's hand at the board as it is now; `None` without a match."""
        match = self.session.match
        is_aligning = self.session.referee.board_snapshot().state is MonitorState.ALIGNING
        return None if match is None else PageHand(self.board, match, puts_right=is_aligning)

    def _comes_to(self, square: Square) -> str | None:
        """Return the spare piece that may be put on a square now; `None` unless exactly one fits."""
        board = self.session.referee.board_snapshot()
        options = [] if board.asked else [option for option in board.options if not option.takes_back]
        pieces = {
            option.becomes
            for option in options
            if not option.footprint.left and option.footprint.filled == {square} and option.becomes in self.board.beside
        }
        return pieces.pop() if len(pieces) == 1 else None

    def _move(self, act: Callable[[], list[SwitchMove]], now_ms: int) -> None:
        """Move pieces and schedule the switch changes; changes still due from earlier moves are reported at once.

        Args:
            act: moves the pieces and returns which switches change, in order.
            now_ms: the table's time.
        """
        self._pass_time(now_ms)
        self._scanner.hurry(now_ms)
        before = self.board.occupied
        sensed = self._sensed(before, act())
        self._scanner.sense(change._replace(at_ms=now_ms + change.at_ms) for change in sensed)
        self._pass_time(now_ms)
        self._look()

    def _sensed(self, before: frozenset[Square], moves: Sequence[SwitchMove]) -> Sequence[ReedChange]:
        """Return the changes that the switches report for moves, with times in milliseconds counted from now.

        Args:
            before: the occupied squares before the moves.
            moves: the changes of the squares, in order.
        """
        match = self.session.match
        if self.noise is not None and match is not None and match.game.shape is not None:
            return self.noise.sense(match.game.shape, before, moves)
        return [ReedChange(index * HAND_MS, move.square, move.closed) for index, move in enumerate(moves)]

    def begun(self, now_ms: int) -> None:
        """Set the pieces up as the match has them now, with captured and spare pieces next to the board."""
        self.board.clear()
        match = self.session.match
        if match is not None:
            first = match.history[0].before if match.history else match.state
            self.board.arrange(match.game.pieces(first))
            self.board.beside = list(match.game.spares(first))
        self.set_up(now_ms)

    def takes_back_of(self) -> int | None:
        """Return the seat whose move `take_back` would take back; `None` if no move can be taken back.

        The last move can be taken back if it is not final yet. A player's move can also be taken back if only a
        computer has replied to it. No move can be taken back if the board is not linked, or while pieces are being
        moved.
        """
        match = self.session.match
        last = match.provisional or match.answered_move if match is not None and self.linked else None
        if match is None or last is None or self.board.pieces.keys() != match.pieces().keys():
            return None
        return last.acted.seat

    def take_back(self, now_ms: int) -> None:
        """Take back the last move: put its pieces back as a hand would.

        If the switches alone do not show that the move is taken back, also choose the answer that takes it back. If a
        computer has answered the move already, choose that answer first, and then set up all pieces.

        Raises:
            IllegalAction: no move can be taken back, or pieces are being moved.
        """
        match = self.session.match
        if match is None or self.takes_back_of() is None:
            raise IllegalAction("no move can be taken back: expected one that nothing has sealed yet")
        if match.provisional is None:
            self._answer_take_back(now_ms)
        else:
            self._rewind(match.game.pieces(match.provisional.before), now_ms)

    def _answer_take_back(self, now_ms: int) -> None:
        self.session.handle(Answered(Pick(TAKE_BACK)), now_ms)
        self.set_up(now_ms)

    def _rewind(self, pieces: Mapping[Square, str], now_ms: int) -> None:
        """Put the pieces back as a hand would, after a move that is not final yet."""
        self._pass_time(now_ms)
        moves = self.board.rearrange(pieces)
        self._scanner.begin(self.board.occupied)
        for move in moves if self.linked else ():
            self.session.handle(SwitchChanged(move.square, move.closed), now_ms)
        self._look()
        board = self.session.referee.board_snapshot()
        if TAKE_BACK in [rival.id for rival in board.rivals]:  # the switches alone do not decide it
            self.session.handle(Answered(Pick(TAKE_BACK)), now_ms)

    def set_up(self, now_ms: int) -> None:
        """Put every piece on the square where the match has it; do nothing without a match on a board."""
        match = self.session.match
        if match is None or match.game.shape is None:
            return
        self.board.arrange(match.pieces())
        self._scanner.begin(self.board.occupied)
        if self.linked:
            self.session.handle(PiecesPlaced(self.board.occupied), now_ms)

    def unplug(self, now_ms: int) -> None:
        """Simulate the loss of the link to the board."""
        self._pass_time(now_ms)
        self.linked = False
        self.session.handle(BoardLost(), now_ms)

    def plug(self, now_ms: int) -> None:
        """Simulate the return of the link to the board: the whole board is read."""
        self._pass_time(now_ms)
        self.linked = True
        self._scanner.begin(self.board.occupied)
        self.session.handle(BoardRead(self.board.occupied), now_ms)
        self._look()

    def _pass_time(self, now_ms: int) -> None:
        """Handle everything that is due by now: the switches' changes and the session's timers."""
        self.session.handle(TimePassed(), now_ms)

    def _look(self) -> None:
        match = self.session.match
        if match is not None:
            self.board.recognise(match.pieces())

    # --- for the session --------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when a switch settles next, in the table's time; `None` if no switch is changing."""
        return self._scanner.due_ms()

    def events(self, event: Event, now_ms: int) -> Iterator[BoardReport]:
        """Yield the changes of switches that have settled by now, then the event; then move pieces as needed.

        A move that a player chose as an answer is made on the simulated board at once. A computer's move is made when
        no piece is in the simulated hand.
        """
        while (settled := self._scanner.settled(now_ms)) is not None:
            if self.linked:  # without a link, reports are lost
                reading = self._readings.get(settled.square, "") if settled.closed else ""
                event_ = SwitchChanged(settled.square, settled.closed, settled.flickers, reading)
                yield BoardReport(event_, settled.at_ms)
        match = self.session.match
        before = match.history[-1].acted.seq if match is not None and match.history else 0
        moves_pieces = isinstance(event, Answered) and not self._explains_board(event)
        moves_pieces |= isinstance(event, AdviceAsked) and self.session.teaches is not None
        yield BoardReport(event, now_ms)
        if not isinstance(event, PiecesPlaced):
            board = self.session.referee.board_snapshot()
            if board.to_make is not None and not self.board.hand:  # a computer's move is made at once
                self.set_up(now_ms)
        self._look()
        if moves_pieces:
            self._follow(before, now_ms)

    def _explains_board(self, event: Answered) -> bool:
        """Return whether an answer only explains what was already done on the board, so that no piece has to move."""
        board, action = self.session.referee.board_snapshot(), event.action
        return isinstance(action, Pick) and action.id in [each.id for each in (*board.asked, *board.rivals)]

    def _follow(self, before_seq: int, now_ms: int) -> None:
        """Move the pieces to the match's position if an action after number `before_seq` was a move on the board."""
        match = self.session.match
        last = next((step for step in reversed(match.history) if step.on_board), None) if match is not None else None
        if last is not None and last.acted.seq > before_seq:
            self.set_up(now_ms)


class RunAction(Protocol):
    """Calls a function with the table's current time, then sets the next timer and wakes all subscribers."""

    def __call__(self, act: Callable[[int], T]) -> T | None:
        """Call a function and return its result; `None` while the table does nothing."""


class SimulatedHands:
    """The page's actions on a simulated board.

    On a quiet board, the hand moves pieces only as the match allows (`PageHand`). On a noisy one, it does whatever it
    is told, as at a real board. Where a method returns what the hand did, `None` stands for nothing to tell.

    Args:
        source: the simulated board.
        do: calls each action.
    """

    def __init__(self, source: SimulatedSource, do: RunAction) -> None:
        self._source = source
        self._do = do
        source.session.settings.doubts_switches = source.noise is not None

    def physical(self) -> PhysicalBoard:
        """Return the state of the simulated board, as the page shows it."""
        board, noise = self._source.board, self._source.noise
        hand = self._source.page_hand() if board.hand and noise is None else None
        return PhysicalBoard(
            dict(board.pieces),
            tuple(board.hand),
            tuple(board.beside),
            noisy=noise is not None,
            undoes=self._source.takes_back_of(),
            leaves=hand is None or hand.may_leave,
        )

    def click(self, square: Square, *, dropped: bool = False) -> Handled | None:
        """Lift the piece on a square, or put the held piece there.

        Args:
            square: the square.
            dropped: whether a dragged piece is dropped there.
        """
        if self._source.noise is None:
            return self._handle(lambda hand: hand.click(square, dropped=dropped))
        held = bool(self._source.board.hand)
        if held or not dropped:
            self._do(lambda now_ms: self._source.click(square, now_ms))
        return Handled([], made=held)

    def take(self, piece: str) -> Handled | None:
        """Pick up a piece from next to the board; raises ValueError if there is no such piece."""
        if self._source.noise is None:
            return self._handle(lambda hand: hand.take(piece))
        return self._do(lambda _: self._source.board.take(piece))

    def put_beside(self) -> Handled | None:
        """Put all held pieces down next to the board."""
        if self._source.noise is None:
            return self._handle(PageHand.lay_beside)
        return self._do(lambda _: self._source.board.put_beside())

    def put_back(self) -> None:
        """Put the held pieces back on their squares, as far as these are known."""
        self._handle(PageHand.put_back)

    def _handle(self, act: Callable[[PageHand], Handled]) -> Handled | None:
        return self._do(lambda now_ms: self._source.handle(act, now_ms))

    def take_back(self) -> None:
        """Take the last move back and put its pieces back; raises IllegalAction if no move can be taken back."""
        self._do(self._source.take_back)

    def make_noisy(self, *, noisy: bool) -> None:
        """Let the switches bounce like those of a real board, or let them report each change once if not `noisy`."""
        noise = NoisySwitches(random.Random()) if noisy else None  # noqa: S311 - noise, no dice
        self._source.session.settings.doubts_switches = noisy
        self._do(lambda _: setattr(self._source, "noise", noise))

    def set_up(self) -> None:
        """Put every piece on the square where the match has it."""
        self._do(self._source.set_up)
