"""A person at a virtual board that was bought, in a time of their own: hands, board, line, client and table.

The hands are those of our own board. What they lift and set down is told to the virtual board with the pieces; what the
board then sends arrives at the pace of its line, and the real client tells the table.
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from captains_table.devices.bought.bought_board import BoardReader
from captains_table.devices.bought.certabo import CertaboProtocol
from captains_table.devices.bought.chessnut import ChessnutProtocol
from captains_table.devices.bought.dgt import DgtProtocol
from captains_table.devices.bought.protocol import BoardProtocol
from captains_table.games.contract import Square
from captains_table.simulation.reeds import ReedChange
from captains_table.simulation.virtual_boards.certabo import VirtualCertabo, VirtualSentio
from captains_table.simulation.virtual_boards.chessnut import VirtualChessnut
from captains_table.simulation.virtual_boards.dgt import VirtualDgt
from captains_table.simulation.virtual_boards.virtual_board import BITS_PER_BYTE_SENT, Quirks, VirtualBoard, chessman
from captains_table.table.model import events
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.settings import Settings
from tests.prove.person import Person
from tests.support.gestures import PlayedGesture
from tests.support.noise_mix import QUIET, NoiseMix

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
    "chessnut": BoughtKind(VirtualChessnut, ChessnutProtocol),
}


class VirtualPath:
    """The way from a virtual board to a table: line and client, without clock or file."""

    def __init__(self, kind: BoughtKind, rng: random.Random, pieces: Mapping[Square, str]) -> None:
        self.board = kind.make(rng, {square: chessman(piece) for square, piece in pieces.items()}, kind.quirks)
        self._protocol = kind.protocol()
        self._reader = BoardReader(turned=kind.quirks.turned)
        self._arriving = deque[tuple[int, bytes]]()
        self.board.power_up(0)
        self._protocol.begin(0)

    def replug(self, now_ms: int) -> None:
        """Let the board be unplugged and plugged in again: what was on the line is gone."""
        self._arriving.clear()
        self._reader.lose()
        self.board.power_up(now_ms)
        self._protocol.begin(now_ms)

    def due_ms(self) -> int | None:
        """Return when something is next to be done."""
        arriving = self._arriving[0][0] if self._arriving else None
        dues = (self.board.due_ms(), self._protocol.due_ms(), arriving)
        return min((due for due in dues if due is not None), default=None)

    def pump(self, now_ms: int) -> list[events.Event]:
        """Do what is due by now and return what the table is told."""
        found: list[events.Event] = []
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

    def __init__(
        self, kind: BoughtKind, started: MatchStarted, mix: NoiseMix, seed: str, faces: random.Random | Sequence[int]
    ) -> None:
        self._kind = kind
        self._path: VirtualPath | None = None
        super().__init__(started, mix, seed, faces, Settings())
        self._path = VirtualPath(kind, self.rng, self.pieces)
        self.wait_until(FOUND_MS)
        assert self.board.linked

    def handle(self, event: events.Event) -> None:
        if self._path is None and isinstance(event, events.BoardRead):
            self.session.handle(events.BoardLost("not found yet"), self.now_ms)
            return
        super().handle(event)

    def wait_until(self, at_ms: int) -> None:
        path = self._path
        while path is not None:
            dues = (self.session.due_ms(), path.due_ms())
            due_ms = min((due for due in dues if due is not None), default=None)
            if due_ms is None or due_ms > at_ms:
                break
            self.now_ms = max(self.now_ms, due_ms)
            for event in path.pump(self.now_ms):
                self.witness.last_change_ms = self.now_ms
                self.handle(event)
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

    def _handle_pieces(self, changes: Sequence[ReedChange], after: Mapping[Square, str]) -> None:
        """Lift and set down pieces as our own board's switches would tell; what is set down last on a square stays."""
        path = self._path
        assert path is not None
        hand: list[str] = []
        last = {change.square: at for at, change in enumerate(changes) if change.closed}
        for at, change in enumerate(changes):
            self.wait_until(change.at_ms - 1)
            self.now_ms = max(self.now_ms, change.at_ms)
            standing = path.board.pieces.get(change.square)
            if not change.closed and standing is not None:
                hand.append(standing)
                path.board.change(change.square, "", self.now_ms)
            elif change.closed and standing is None:
                stays = after.get(change.square) if last[change.square] == at else None
                piece = (stays and chessman(stays)) or (hand[-1] if hand else "?")
                if piece in hand:
                    hand.remove(piece)
                path.board.change(change.square, piece, self.now_ms)
