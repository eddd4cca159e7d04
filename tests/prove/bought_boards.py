"""A person at a virtual board that was bought, in a time of their own: hands, board, line, client and table.

The hands are those of our own board. What they lift and set down is told to the virtual board with the pieces; what the
board then sends arrives at the pace of its line, and the real client tells the table.
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from captains_table.devices.bought.bought_board import BoardReader
from captains_table.devices.bought.certabo import CertaboProtocol
from captains_table.devices.bought.chessnut import ChessnutProtocol
from captains_table.devices.bought.dgt import DgtProtocol
from captains_table.devices.bought.protocol import BoardProtocol
from captains_table.games.contract import Square
from captains_table.simulation.reeds import ReedChange
from captains_table.simulation.virtual_boards.virtual_board import BITS_PER_BYTE_SENT, VirtualBoard, chessman
from captains_table.table.model import events
from tests.prove.fickle.person import FicklePerson
from tests.prove.fickle.scene import Deed, Handling, Scene, SetDown, Truth, set_down
from tests.prove.person import Person
from tests.support.gestures import PlayedGesture
from tests.support.noise_mix import QUIET, NoiseMix
from tests.support.quirky_boards import Quirks, VirtualCertabo, VirtualChessnut, VirtualDgt, VirtualSentio

FOUND_MS: Final = 5000
SETTLES_MS: Final = 2500
"""A person does not look before the board has told all it has to tell, on a bad line too."""


class BoughtKind(NamedTuple):
    """A virtual board, the client that reads it, and what is special about it."""

    make: Callable[..., VirtualBoard]
    protocol: Callable[[], BoardProtocol]
    quirks: Quirks = Quirks()


KINDS: Final = {
    "dgt": BoughtKind(VirtualDgt, DgtProtocol),
    "dgt-slides": BoughtKind(VirtualDgt, DgtProtocol, Quirks(slide_overlap=0.5, capture_merged=0.5, turned=True)),
    "dgt-bad-line": BoughtKind(VirtualDgt, DgtProtocol, Quirks(lost=0.03, cut=0.03, doubled=0.03, late=0.03)),
    "certabo": BoughtKind(VirtualCertabo, CertaboProtocol),
    "certabo-weak": BoughtKind(VirtualCertabo, CertaboProtocol, Quirks(weak=0.003)),
    "sentio": BoughtKind(VirtualSentio, CertaboProtocol),
    "sentio-slides": BoughtKind(VirtualSentio, CertaboProtocol, Quirks(slide_overlap=0.5)),
    "chessnut": BoughtKind(VirtualChessnut, ChessnutProtocol),
}


class VirtualPath:
    """The way from a virtual board to a table: line and client, without clock or file."""

    def __init__(self, kind: BoughtKind, rng: random.Random, pieces: Mapping[Square, str]) -> None:
        self.board = kind.make(rng, {square: chessman(piece) for square, piece in pieces.items()}, kind.quirks)
        self._make_protocol = kind.protocol
        self._reader = BoardReader(turned=kind.quirks.turned)
        self._arriving = deque[tuple[int, bytes]]()
        self.plug(0)

    def unplug(self) -> None:
        """Let the cable be drawn: what was on its way is lost."""
        self._is_plugged = False
        self._arriving.clear()
        self._reader.lose()

    def plug(self, now_ms: int) -> None:
        self._is_plugged = True
        self._protocol = self._make_protocol()
        self.board.power_up(now_ms)
        self._protocol.begin(now_ms)

    def replug(self, now_ms: int) -> None:
        """Let the board be unplugged and plugged in again: what was on the line is gone."""
        self._arriving.clear()
        self._reader.lose()
        self.board.power_up(now_ms)
        self._protocol.begin(now_ms)

    def due_ms(self) -> int | None:
        """Return when something is next to be done."""
        if not self._is_plugged:
            return None
        arriving = self._arriving[0][0] if self._arriving else None
        dues = (self.board.due_ms(), self._protocol.due_ms(), arriving)
        return min((due for due in dues if due is not None), default=None)

    def pump(self, now_ms: int) -> list[events.Event]:
        """Do what is due by now and return what the table is told."""
        found: list[events.Event] = []
        if not self._is_plugged:
            return found
        sent = self._protocol.tick(now_ms)
        if sent:
            self.board.receive(sent, now_ms)
        for chunk in self.board.send(now_ms):
            baud = self.board.baud
            takes_ms = 0 if baud is None else round(len(chunk) * BITS_PER_BYTE_SENT * 1000 / baud)
            after_ms = self._arriving[-1][0] if self._arriving else now_ms
            self._arriving.append((max(now_ms, after_ms) + takes_ms, chunk))
        while self._arriving and self._arriving[0][0] <= now_ms:
            for message in self._protocol.receive(self._arriving.popleft()[1], now_ms):
                found += self._reader.take(message)
        return found


class PersonAtBoughtBoard(Person):
    """Both players of a match at a board that was bought."""

    def __init__(self, kind: BoughtKind, *others: Any) -> None:  # noqa: ANN401 - as people at our own board
        self._has_chips = kind.make is VirtualCertabo
        self.path: VirtualPath | None = None
        super().__init__(*others)
        self.path = VirtualPath(kind, self.rng, self.pieces)
        self.wait_until(FOUND_MS)
        assert self.board.linked

    def handle(self, event: events.Event) -> None:
        if self.path is None and isinstance(event, events.BoardRead):
            self.session.handle(events.BoardLost("not found yet"), self.now_ms)
            return
        super().handle(event)

    def wait_until(self, at_ms: int) -> None:
        path = self.path
        while path is not None:
            dues = (self.session.due_ms(), path.due_ms())
            due_ms = min((due for due in dues if due is not None), default=None)
            if due_ms is None or due_ms > at_ms:
                break
            self.now_ms = max(self.now_ms, due_ms)
            for event in path.pump(self.now_ms):
                self.witness.last_change_ms = self.now_ms
                self.handle(event)
            session_due_ms = self.session.due_ms()
            if session_due_ms is not None and session_due_ms <= self.now_ms:
                self.handle(events.TimePassed())
            if path.due_ms() == due_ms:  # what waits for the pace of its line
                self.now_ms += 1
        super().wait_until(at_ms)

    def feed(self, changes: Iterable[ReedChange]) -> None:
        """Let hands change the board, which the table gets to know later."""
        self._handle_pieces([*changes], self.pieces)

    def bring(self, after: dict[Square, str], mix: NoiseMix) -> PlayedGesture:
        before = self.pieces
        performance = self.performer.perform(before, after, mix, self.now_ms + self.rng.randint(50, 800))
        self.pieces = dict(after)
        self._handle_pieces(performance.changes, after)
        self.wait_until(performance.truth.end_ms + SETTLES_MS)
        return performance

    def set_up(self) -> None:
        self.bring(dict(self.match.pieces()), QUIET)

    def _slide_on(self, piece: str, done: Sequence[ReedChange]) -> None:
        """Take a slid piece from a square that it has crossed and that opens only later: a chip is in one place."""
        assert self.path is not None
        for change in done:
            if change.closed and self.path.board.pieces.get(change.square) == piece:
                self.lift(change.square)
                return

    def piece_for(self, square: Square, stays: str | None, hand: Sequence[str]) -> str:  # noqa: ARG002  # deeds know it
        """Return the piece that is set on a square: the one that stays there, else one of those in hand."""
        return chessman(stays) if stays else hand[-1] if hand else "?"

    def _handle_pieces(self, changes: Sequence[ReedChange], after: Mapping[Square, str]) -> None:
        """Lift and set down pieces as our own board's switches would tell; what is set down last on a square stays."""
        assert self.path is not None
        board, hand = self.path.board, list[str]()
        last = {change.square: at for at, change in enumerate(changes) if change.closed}
        for at, change in enumerate(changes):
            self.wait_until(change.at_ms - 1)
            self.now_ms = max(self.now_ms, change.at_ms)
            standing = board.pieces.get(change.square)
            if not change.closed and standing is not None:
                hand.append(standing)
                self.lift(change.square)
            elif change.closed and standing is None:
                stays = after.get(change.square) if last[change.square] == at else None
                piece = self.piece_for(change.square, stays, hand)
                if piece in hand:
                    hand.remove(piece)
                elif self._has_chips:
                    self._slide_on(piece, changes[:at])
                board.change(change.square, piece, self.now_ms)

    def lift(self, square: Square) -> None:
        assert self.path is not None
        self.path.board.change(square, "", self.now_ms)


class FicklePersonAtBoughtBoard(PersonAtBoughtBoard, FicklePerson):
    """Both players of a match at a board that was bought, whose hands do what the kinds have them do.

    A piece that is set across a border is read on both squares; one with a chip on the last of them alone, and on the
    other one as soon as it is put right there.
    """

    slowness = 80

    def __init__(self, kind: BoughtKind, *others: Any) -> None:  # noqa: ANN401 - as people at our own board
        self._brought = deque[tuple[Square, SetDown]]()
        self._across: dict[Square, Square] = {}
        self._is_deed = False
        super().__init__(kind, *others)
        self.begin_judging(self.ledger.readings)

    def take_in_hand(self, deed: Deed, truth: Truth, scene: Scene) -> None:
        self._across.clear()
        handlings = [*deed.handlings, *truth.then]
        after = scene.before if truth.id is None else scene.ends[truth.id].pieces
        squares = [handling.square for handling in handlings if handling.comes]
        self._brought = deque(zip(squares, set_down(handlings, scene.before, after), strict=True))

    def do(self, handlings: Iterable[Handling], interruptions: dict[int, str]) -> None:
        self._is_deed = True
        super().do(handlings, interruptions)
        self._is_deed = False
        self.wait_until(self.now_ms + (SETTLES_MS if self.board.linked else FOUND_MS))

    def piece_for(self, square: Square, stays: str | None, hand: Sequence[str]) -> str:
        while self._is_deed and self._brought:
            comes, (piece, across) = self._brought.popleft()
            if comes == square:
                if across is not None and self._has_chips:
                    super().lift(across)
                    self._across[square] = across
                return chessman(piece)
        return super().piece_for(square, stays, hand)

    def lift(self, square: Square) -> None:
        assert self.path is not None
        standing, across = self.path.board.pieces[square], self._across.pop(square, None)
        super().lift(square)
        if across is not None and self._is_deed:
            self.path.board.change(across, standing, self.now_ms)

    def unplug(self) -> None:
        assert self.path is not None
        self.path.unplug()
        super().unplug()

    def plug(self) -> None:
        assert self.path is not None
        if not self.board.linked:
            self.path.plug(self.now_ms)
