"""Figures of a table at bought boards: from the board's last byte to the journal, and what a board at rest costs.

The table is the daemon, in a process of its own; the virtual board is in this one, at the speed of its line. The last
byte is the last one that the board must send to show the move: for a Certabo, whose scans are voted over, that of the
second scan.
"""

import asyncio
import os
import pty
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

import chess

from captains_table.cli.main import main
from captains_table.devices.bought.makes import MAKES
from captains_table.devices.serial_port import DevicePort
from captains_table.games.contract import Square
from captains_table.hardware.kinds import BOUGHT_KINDS
from captains_table.simulation.virtual_boards.dgt import FIELD_UPDATE
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.simulation.virtual_boards.virtual_board import VirtualBoard
from tests.support.patience import PATIENCE_S
from tests.support.quirky_boards import START, Quirks, VirtualCertabo, VirtualChessnut, VirtualDgt, VirtualSentio
from tests.support.table_process import COMMAND, Caller, TableProcess, soon, write_config

MOVES: Final = 100
SLIDES: Final = 30
CARRIED_S: Final = 0.7  # longer than the slowest board takes to show a lifted piece
SLID_S: Final = 0.05
SETTLES_S: Final = 0.7
REST_S: Final = 20.0
LOOK_S: Final = 0.0005
COMMITS: Final = 300
FRAME: Final = b"\x8e\x00\x05\x24\x01"
PAUSE_S: Final = 0.02
RESTS_AFTER_S: Final = 3.0
NO_BOARD: Final = "no board"
HELD: Final = (sys.executable, "-m", "tests.bench.bought")
DAEMON: Final = (COMMAND,)
COMMITTER: Final = """
import os, sqlite3, sys
journal = sqlite3.connect(sys.argv[2])
journal.execute("PRAGMA journal_mode = WAL")
journal.execute("PRAGMA synchronous = FULL")
journal.execute("CREATE TABLE entries (body BLOB)")
print(flush=True)
while data := os.read(int(sys.argv[1]), 4096):
    with journal:
        journal.execute("INSERT INTO entries (body) VALUES (?)", (data,))
"""


class Make(NamedTuple):
    """A virtual board, its key in the configuration, and how many frames must show a change until it is believed."""

    key: str
    board: Callable[..., VirtualBoard]
    frames: int = 1


BOARDS: Final[Mapping[str, Make]] = {
    "DGT": Make("dgt", VirtualDgt),
    "Certabo": Make("certabo", VirtualCertabo, frames=2),
    "Sentio": Make("certabo", VirtualSentio),
    "Chessnut": Make("chessnut", VirtualChessnut),
}


class Shown(NamedTuple):
    """A frame that told of squares: when its last byte was sent, and what it told."""

    at_s: float
    squares: bytes


class TimedLine(VirtualLine):
    """A line that notes when the last byte of each frame about squares was sent."""

    def __init__(self, board: VirtualBoard, path: Path) -> None:
        self._queued = self._written = 0
        self._ends: list[tuple[int, bytes]] = []
        self.shown: list[Shown] = []
        super().__init__(board, now_ms, path)

    def _queue(self, chunk: bytes, now_ms: int) -> None:
        super()._queue(chunk, now_ms)
        self._queued += len(chunk)
        squares = told_squares(chunk)
        if squares:
            self._ends.append((self._queued, squares))

    def _write(self, packet: bytes) -> None:
        super()._write(packet)
        self._written += len(packet)
        if self._ends and self._ends[0][0] <= self._written:
            self.shown.append(Shown(time.perf_counter(), self._ends.pop(0)[1]))


def told_squares(chunk: bytes) -> bytes:
    """Return what a frame tells of squares; nothing, if it is about something else."""
    if chunk.startswith(b"\x01\x24"):
        return chunk[2:34]  # after them comes the time
    return chunk if chunk.startswith((b":", bytes([FIELD_UPDATE]))) else b""


def now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


class Journal:
    """A journal that another process writes, and when it grew."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def close(self) -> None:
        self._file.close()

    def length(self) -> int:
        return int(self._file.execute("SELECT count(*) FROM entries").fetchone()[0])

    async def grown_s(self, length: int) -> float:
        """Return when it has become longer."""
        deadline = time.perf_counter() + PATIENCE_S
        while self.length() <= length:
            if time.perf_counter() > deadline:
                raise TimeoutError("the table did not take the move")
            await asyncio.sleep(LOOK_S)
        return time.perf_counter()


# --- a table at a board ---------------------------------------------------------------------------------------------


class AtBoard(NamedTuple):
    """Somebody at a virtual board, whose table is another process."""

    make: Make
    board: VirtualBoard
    line: TimedLine
    table: TableProcess
    journal: Journal

    def put(self, square: int, piece: str) -> None:
        self.board.change(Square(chess.square_file(square), chess.square_rank(square)), piece, now_ms())
        self.line.poke()

    async def move_ms(self, move: chess.Move, piece: str, takes_s: float) -> float:
        """Move a piece by hand, and return how long after the board's last byte the move was journalled."""
        before, frames = self.journal.length(), len(self.line.shown)
        self.put(move.from_square, "")
        await asyncio.sleep(takes_s)
        self.put(move.to_square, piece)
        journalled_s = await self.journal.grown_s(before)
        await asyncio.sleep(SETTLES_S)
        shown = self.line.shown[max(frames - 1, 0) :]
        last = max(at for at in range(1 if frames else 0, len(shown)) if shown[at].squares != shown[at - 1].squares)
        return (journalled_s - shown[last + self.make.frames - 1].at_s) * 1000


@asynccontextmanager
async def at_board(make: Make, quirks: Quirks = Quirks()) -> AsyncIterator[AtBoard]:  # noqa: B008 - it is frozen
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        board = make.board(random.Random(1), START, quirks)
        line = TimedLine(board, folder / "line")
        device = folder / ("line" if board.baud else "hid")
        with closing(line), nullcontext() if board.baud else hand_out(line, device):
            table = await asyncio.to_thread(start_table, make, folder, device)
            try:
                await asyncio.to_thread(await_board, table, f"{BOUGHT_KINDS[make.key].name} on {device}")
                with closing(Journal(folder / "state" / "journal.sqlite3")) as journal:
                    yield AtBoard(make, board, line, table, journal)
            finally:
                await asyncio.to_thread(table.kill)


def start_table(make: Make, folder: Path, device: Path) -> TableProcess:
    match = ("[match]", 'game = "chess"', 'players = ["Anne", "Bart"]')
    config = write_config(folder, *match, table=(f'board = "{make.key}"', f'device = "{device}"'))
    return TableProcess("run", config, logs=folder, program=DAEMON if make.key != "chessnut" else HELD)


def await_board(table: TableProcess, words: str) -> None:
    """Wait until a table says that it reads its board."""
    with closing(Caller(table.origin)) as caller:
        soon(lambda: words in caller.get("/table").text)


@contextmanager
def hand_out(line: VirtualLine, path: Path) -> Iterator[None]:
    """Give the HID client's end to each process that connects to this path."""

    def give() -> None:
        connection, _ = listening.accept()
        with connection:
            socket.send_fds(connection, [b"."], [line.client_fd])
        os.close(line.client_fd)

    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()
        loop.add_reader(listening, give)
        try:
            yield
        finally:
            loop.remove_reader(listening)


def open_handed(device: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> DevicePort:
    """Open what `hand_out` gives."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(device)
        _, fds, _, _ = socket.recv_fds(connection, 1, 1)
    return DevicePort(fds[0], on_data, on_gone)


# --- figures ----------------------------------------------------------------------------------------------------------


def moves(*, slid: bool) -> Iterator[tuple[chess.Move, str]]:
    """Yield moves and their pieces in a game at random: carried ones are such that no other move continues them."""
    rng, position = random.Random(7), chess.Board()
    while True:
        fitting = [
            move for move in position.legal_moves if is_quiet(position, move) and (slid or is_final(position, move))
        ]
        move = rng.choice(fitting)
        piece = position.piece_at(move.from_square)
        assert piece is not None
        position.push(move)
        yield move, piece.symbol()


def is_quiet(position: chess.Board, move: chess.Move) -> bool:
    """Return whether a move changes two squares, and neither checks nor repeats."""
    after = position.copy()
    after.push(move)
    is_plain = not (position.is_capture(move) or position.is_castling(move) or move.promotion)
    return is_plain and not after.is_check() and not after.is_repetition(3)


def is_final(position: chess.Board, move: chess.Move) -> bool:
    """Return whether the piece, once there, cannot be on its way to another square."""
    kind = position.piece_type_at(move.from_square)
    is_long = chess.square_distance(move.from_square, move.to_square) > 1
    return kind == chess.KNIGHT or (kind == chess.PAWN and is_long)


def carried_ms() -> Mapping[str, list[float]]:
    """Return, for each board, how long after its last byte moves were journalled: lifted, carried and placed.

    All boards are played at the same time, since their tables mostly wait.
    """
    return asyncio.run(_moved_ms(Quirks(), MOVES, slid=False))


def slid_ms() -> Mapping[str, list[float]]:
    """Return the same of pieces that are seen on their new square before they leave the old one."""
    return asyncio.run(_moved_ms(Quirks(slide_overlap=1.0), SLIDES, slid=True))


async def _moved_ms(quirks: Quirks, count: int, *, slid: bool) -> Mapping[str, list[float]]:
    async def play(make: Make) -> list[float]:
        takes_s = SLID_S if slid else CARRIED_S
        async with at_board(make, quirks) as at:
            return [await at.move_ms(move, piece, takes_s) for move, piece in islice(moves(slid=slid), count)]

    return dict(zip(BOARDS, await asyncio.gather(*map(play, BOARDS.values())), strict=True))


def commits_ms() -> list[float]:
    """Return how long a program takes that only writes what a pty says to a journal as durable as the table's."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        command = [sys.executable, "-c", COMMITTER, str(theirs), str(path)]
        with subprocess.Popen(command, pass_fds=[theirs], stdout=subprocess.PIPE) as committer:
            try:
                assert committer.stdout is not None
                committer.stdout.readline()
                return asyncio.run(_commits_ms(ours, path))
            finally:
                committer.kill()
                os.close(ours)
                os.close(theirs)


async def _commits_ms(port: int, path: Path) -> list[float]:
    with closing(Journal(path)) as journal:
        return [await _commit_ms(port, journal) for _ in range(COMMITS)]


async def _commit_ms(port: int, journal: Journal) -> float:
    before, began_s = journal.length(), time.perf_counter()
    os.write(port, FRAME)
    took_s = await journal.grown_s(before) - began_s
    await asyncio.sleep(PAUSE_S)
    return took_s * 1000


def shares_at_rest() -> Mapping[str, float]:
    """Return which share of a core each table takes at a board at rest; and one without a bought board."""
    return asyncio.run(_shares_at_rest())


async def _shares_at_rest() -> Mapping[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            tables = {name: (await stack.enter_async_context(at_board(make))).table for name, make in BOARDS.items()}
            match = ("chess", "--players", "Anne", "Bart", "--port", "0", "--state", f"{folder}/state")
            tables[NO_BOARD] = TableProcess("play", *match, logs=Path(folder))
            stack.callback(tables[NO_BOARD].kill)
            await asyncio.sleep(RESTS_AFTER_S)
            spent_s = {name: processor_s(table) for name, table in tables.items()}
            began_s = time.perf_counter()
            await asyncio.sleep(REST_S)
            took_s = time.perf_counter() - began_s
            return {name: (processor_s(table) - spent_s[name]) / took_s for name, table in tables.items()}


def processor_s(table: TableProcess) -> float:
    """Return the processor time that a table has taken."""
    words = Path(f"/proc/{table.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":  # a table that is handed its HID device
    with patch.dict(MAKES, {"chessnut": MAKES["chessnut"]._replace(open_port=open_handed)}):
        sys.exit(main(sys.argv[1:]))
