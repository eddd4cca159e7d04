"""Bought boards on lines that cut frames, lose the plug in the middle of one, or carry rubbish without end."""

import asyncio
import os
import random
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import chess
import pytest

from captains_table.devices.bought.protocol import WholeBoard
from captains_table.devices.serial_port import CHUNK
from captains_table.games.contract import Square
from captains_table.simulation.virtual_boards.virtual_board import VirtualBoard
from captains_table.table.model.events import BoardRead, Event, SwitchChanged
from tests.devices.test_bought_board import CARRY_S, at_board
from tests.prove.bought_boards import FOUND_MS, KINDS, VirtualPath
from tests.support.effort import LONG_RUN
from tests.support.quirky_boards import START, VirtualCertabo, VirtualChessnut, VirtualDgt

E2, E4 = Square(4, 1), Square(4, 3)
SETTLES_MS: Final = 4000
BATTERY_MS: Final = 61_000
MUCH: Final = 1_000_000
LITTLE: Final = 100_000
FLOOD: Final = 400  # thousands of bytes, which the line itself would carry in minutes


class Cutting:
    """A virtual board of whose next frame that begins so only the first bytes come."""

    def __init__(self, board: VirtualBoard) -> None:
        self._board = board
        self.head, self.length = b"", 0
        self.cut = b""

    def __getattr__(self, name: str) -> object:
        return getattr(self._board, name)

    def send(self, now_ms: int) -> list[bytes]:
        """Return what the board sends, with one frame cut."""
        return [self._cut(frame) for frame in self._board.send(now_ms)]

    def _cut(self, frame: bytes) -> bytes:
        if not self.head or not frame.startswith(self.head):
            return frame
        self.head, self.cut = b"", frame
        return frame[: self.length]


class Watcher:
    """Follows what a table is told of a virtual board, in a time of its own."""

    def __init__(self, name: str) -> None:
        kind = KINDS[name]
        if name == "dgt":  # as a board by Bluetooth, which tells of its battery
            kind = kind._replace(make=partial(VirtualDgt, battery=50))
        self.path = VirtualPath(kind, random.Random(1), START)
        self.line = Cutting(self.path.board)
        self.path.board = self.line  # type: ignore[assignment]
        self.now_ms = 0
        self.told: dict[Square, str] = {}
        self.go_on(FOUND_MS)
        assert self.is_right()

    def go_on(self, ms: int) -> None:
        """Let time pass."""
        until_ms = self.now_ms + ms
        while (due_ms := self.path.due_ms()) is not None and due_ms <= until_ms:
            self.now_ms = max(self.now_ms, due_ms)
            for event in self.path.pump(self.now_ms):
                self._take(event)
            if self.path.due_ms() == due_ms:
                self.now_ms += 1
        self.now_ms = max(self.now_ms, until_ms)

    def _take(self, event: Event) -> None:
        match event:
            case BoardRead(occupied, readings):
                self.told = {square: readings.get(square, "") for square in occupied}
            case SwitchChanged(square, closed=True, reading=reading):
                self.told[square] = reading
            case SwitchChanged(square):
                self.told.pop(square, None)

    def move(self) -> None:
        """Move the pawn."""
        self.path.board.change(E2, "", self.now_ms)
        self.go_on(300)
        self.path.board.change(E4, "P", self.now_ms)

    def replug(self) -> None:
        """Pull the plug out and put it in again."""
        self.path.replug(self.now_ms)

    def is_right(self) -> bool:
        """Return whether the table knows what stands where."""
        stands: Mapping[Square, str] = self.path.board.pieces
        if self.told.keys() != stands.keys():
            return False
        chips = {(self.told[square], piece) for square, piece in stands.items() if self.told[square]}
        return len({chip for chip, _ in chips}) == len(chips)  # no reading stands for two kinds of pieces


class Frame(NamedTuple):
    """A kind of frame of a board, by its first bytes."""

    board: str
    head: bytes


FRAMES: Final = {
    "a square of a DGT board": Frame("dgt", b"\x8e"),
    "all squares of a DGT board": Frame("dgt", b"\x86"),
    "the time of a DGT clock": Frame("dgt", b"\x8d"),
    "the version of a DGT board": Frame("dgt", b"\x93"),
    "the number of a DGT board": Frame("dgt", b"\x91"),
    "the battery of a DGT board": Frame("dgt", b"\xa0"),
    "the chips of a Certabo board": Frame("certabo", b":"),
    "the squares of a Sentio": Frame("sentio", b":"),
    "a report of a Chessnut board": Frame("chessnut", b"\x01\x24"),
    "the battery of a Chessnut board": Frame("chessnut", b"\x2a\x02"),
}


def cuts_of(length: int) -> Iterator[int]:
    """Yield where a frame is cut: everywhere, and in a long one, in everyday runs, at some places and both ends."""
    step = 1 if LONG_RUN or length < 100 else 151
    return iter(sorted({*range(1, length, step), length - 1}))


@pytest.mark.parametrize("replugged", [False, True])
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES.keys())
def test_a_frame_may_be_cut_at_every_byte_and_nothing_is_lost(frame: Frame, *, replugged: bool) -> None:
    length = 2
    cut_at = iter([1])
    while (cut := next(cut_at, None)) is not None:
        watcher = Watcher(frame.board)
        watcher.line.head, watcher.line.length = frame.head, cut
        watcher.move()
        watcher.go_on(SETTLES_MS // 4)
        if frame.head == b"\x8d" and not watcher.line.cut:  # the clock tells its time when it is pressed
            board = watcher.path.board
            board.toggle_lever(watcher.now_ms)  # type: ignore[attr-defined]
            watcher.go_on(SETTLES_MS // 4)
        if not watcher.line.cut:  # it comes when the board is found, and the battery's once a minute
            watcher.replug()
            watcher.go_on(FOUND_MS)
        if not watcher.line.cut:
            watcher.go_on(BATTERY_MS)
        assert watcher.line.cut, "there was such a frame"
        if replugged:
            watcher.replug()
        watcher.go_on(SETTLES_MS)
        assert watcher.is_right(), (cut, watcher.line.cut)
        if length == 2:
            length = len(watcher.line.cut)
            cut_at = cuts_of(length)


# --- rubbish --------------------------------------------------------------------------------------------------------


def rubbish(name: str, rng: random.Random) -> Iterator[bytes]:
    """Yield a million bytes: what is no message, what begins as one and does not end, and what is nearly one."""
    beginnings = {"dgt": b"\x86\x00\x43", "certabo": b":", "sentio": b":", "chessnut": b"\x01\x24"}[name]
    for _ in range(MUCH // 4000):
        yield rng.randbytes(1000)
        yield beginnings + b"1 " * 500
        yield beginnings + bytes(rng.randrange(0x80) for _ in range(1000))
        yield bytes(rng.choice(b"0123456789 :\r") for _ in range(1000))


@pytest.mark.parametrize("name", ["dgt", "certabo", "chessnut"])
def test_a_million_bytes_of_rubbish_take_no_room_and_the_board_is_understood_after_them(name: str) -> None:
    kind = KINDS[name]
    protocol = kind.protocol()
    protocol.begin(0)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for chunk in rubbish(name, random.Random(7)):
        list(protocol.receive(chunk, 0))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < LITTLE
    board = kind.make(random.Random(1), START, kind.quirks)
    found: list[object] = []
    for now_ms in range(0, 6000, 20):
        sent = protocol.tick(now_ms)
        if sent:
            board.receive(sent, now_ms)
        for chunk in board.send(now_ms):
            found += protocol.receive(chunk, now_ms)
    (*_, last) = [message for message in found if isinstance(message, WholeBoard)]
    assert last.readings.keys() == START.keys()


def pour(line: int, key: str) -> int:
    """Write rubbish to a line as fast as it is read, until the table has had enough; return how many bytes."""
    count, line = 0, os.dup(line)  # since the table may close its own meanwhile
    try:
        for chunk in islice(rubbish(key, random.Random(3)), FLOOD):
            while True:
                try:
                    count += os.write(line, chunk)
                except BlockingIOError:
                    time.sleep(0.0005)
                else:
                    break
    except ConnectionError:  # on a busy machine: a board that makes no sense for seconds is searched anew
        pass
    finally:
        os.close(line)
    return count


@pytest.mark.slow
@pytest.mark.waits
@pytest.mark.parametrize(
    ("key", "make"), [("dgt", VirtualDgt), ("certabo", VirtualCertabo), ("chessnut", VirtualChessnut)]
)
async def test_a_table_serves_everybody_while_rubbish_comes_and_recognises_moves_after_it(
    key: str, make: type[VirtualBoard], tmp_path: Path
) -> None:
    board = make(random.Random(1), START)  # type: ignore[call-arg]
    with at_board(tmp_path, key, board) as at:
        await at.until(at.is_linked, "found")
        assert at.line._ours is not None
        flood = asyncio.create_task(asyncio.to_thread(pour, at.line._ours, key))
        turns = 0
        while not flood.done():
            await asyncio.sleep(0)  # as whatever else has something to do
            turns += 1
        assert turns >= flood.result() // CHUNK
        at.put(chess.E2, "")
        await asyncio.sleep(CARRY_S)
        at.put(chess.E4, "P")
        position = chess.Board()
        move = position.parse_san("e4")
        position.push(move)
        await at.until(lambda: at.has_come_to(position, move, []), "e4")
