"""A table at a bought board: whole games through the real driver, at virtual boards on real ptys and sockets."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import chess
import pytest

from captains_table.devices.bought.bought_board import BoughtBoard, FoundDevice, is_turned
from captains_table.devices.bought.makes import MAKES, hid_devices
from captains_table.devices.serial_port import DevicePort, PortGone
from captains_table.games.contract import Shape, Square
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.table import Table
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.simulation.virtual_boards.virtual_board import VirtualBoard
from captains_table.table.model.view import Phase
from tests.support.effort import LONG_RUN
from tests.support.patience import PATIENCE_S
from tests.support.pty_board import baud_of
from tests.support.quirky_boards import START, Quirks, VirtualCertabo, VirtualChessnut, VirtualDgt, VirtualSentio
from tests.support.service_at_work import answer, table_at

pytestmark = [pytest.mark.slow, pytest.mark.waits]
CARRY_S: Final = 0.05
GAME: Final = "e4 d5 exd5 c6 dxc6 Nf6 cxb7 Bd7 bxa8=N e5 Nf3 e4 Bc4 exf3 O-O fxg2 Qf3 gxf1=R+ Kxf1 Ng4 Qxf7#"
"""Captures, castling, and promotions with a capture to a knight and a rook, in a game that ends with mate."""


def now_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)


class AtBoard(NamedTuple):
    """Somebody at a bought board, with the table that reads it."""

    table: Table
    board: VirtualBoard
    line: VirtualLine

    def put(self, square: int, piece: str) -> None:
        """Let something else stand on a square; nothing, if the piece is empty."""
        self.board.change(Square(chess.square_file(square), chess.square_rank(square)), piece, now_ms())
        self.line.poke()

    async def until(self, is_so: Callable[[], bool], what: str = "") -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline, (what, self.table.view().prompt, self.table.faults())
            await asyncio.sleep(0.005)

    def is_linked(self) -> bool:
        return self.table.session.referee.board_snapshot().linked

    def has_come_to(self, position: chess.Board, move: chess.Move, asked: list[str]) -> bool:
        """Return whether the match stands so; answer what is asked about the move, and note it."""
        if self.table.session.referee.board_snapshot().asked:
            asked.append(move.uci())
            answer(self.table, move.uci())
        match = self.table.session.match
        assert match is not None
        return str(match.game.details(match.state)["fen"]).split()[0] == position.board_fen()

    async def move(self, position: chess.Board, move: chess.Move) -> None:
        """Make a move by hand: what is taken goes first, then every piece is carried from its square to its new one."""
        after = position.copy()
        after.push(move)
        changed = [square for square in chess.SQUARES if position.piece_at(square) != after.piece_at(square)]
        own = position.color_at(move.from_square)
        for square in sorted(changed, key=lambda square: position.color_at(square) == own):
            if position.piece_at(square) is not None:
                self.put(square, "")
                await asyncio.sleep(CARRY_S)
        for square in changed:
            piece = after.piece_at(square)
            if piece is not None:
                self.put(square, piece.symbol())
                await asyncio.sleep(CARRY_S)


def placed(position: chess.BaseBoard) -> dict[Square, str]:
    return {
        Square(chess.square_file(at), chess.square_rank(at)): piece.symbol()
        for at, piece in position.piece_map().items()
    }


def driver(key: str, line: VirtualLine, *, turned: bool | None = None) -> BoughtBoard:
    """Return the driver of a make, with the virtual board's line in place of what it would find."""
    make = MAKES[key]

    def open_hid(_: str, on_data: Callable[[bytes], None], on_gone: Callable[[], None]) -> DevicePort:
        try:
            return DevicePort(line.client_fd, on_data, on_gone)
        except FileNotFoundError as error:
            raise PortGone(2, "unplugged") from error

    open_port = open_hid if key == "chessnut" else make.open_port
    device = FoundDevice(str(line.path), key, open_port, make.protocol)
    return BoughtBoard(lambda: [device], "a board", turned=turned)


@contextmanager
def at_board(
    state: Path, key: str, board: VirtualBoard, *, turned: bool | None = None, game: str = "chess", **options: str
) -> Iterator[AtBoard]:
    state.mkdir(exist_ok=True)
    line = VirtualLine(board, now_ms)
    try:
        with table_at(state, Shape(8, 8), is_simulated=False) as table:
            bought = driver(key, line, turned=turned)
            bought.open(table.listen_to(HardwareSource(table.session, bought.missing)))
            table.matches.new_match(game, ("Anne", "Bart"), options)
            try:
                yield AtBoard(table, board, line)
            finally:
                bought.close()
    finally:
        line.close()


BOARDS: Final[Mapping[str, tuple[str, Callable[..., VirtualBoard], dict[str, Any]]]] = {
    "dgt": ("dgt", VirtualDgt, {}),
    "dgt-turned": ("dgt", VirtualDgt, {"turned": True}),
    "dgt-slides-and-merged-captures": ("dgt", VirtualDgt, {"slide_overlap": 0.5, "capture_merged": 0.5}),
    "dgt-on-a-bad-line": ("dgt", VirtualDgt, {"lost": 0.05, "cut": 0.05, "doubled": 0.05, "late": 0.05}),
    "certabo": ("certabo", VirtualCertabo, {"scan_ms": 60}),
    "certabo-with-weak-chips": ("certabo", VirtualCertabo, {"scan_ms": 60, "weak": 0.01}),
    "sentio": ("certabo", VirtualSentio, {"scan_ms": 20}),
    "chessnut": ("chessnut", VirtualChessnut, {}),
}
AT_LENGTH: Final = {"dgt-slides-and-merged-captures", "dgt-on-a-bad-line", "certabo-with-weak-chips"}
"""The boards that are played in real time under `make long` alone; in the suite `make prove`'s time plays them."""
ASKED: Final = {"sentio": ["b7a8n", "g2f1r"], "certabo": ["b7a8n"], "certabo-with-weak-chips": ["b7a8n"]}
"""The promotions that must be asked about: a Sentio reads no pieces, and a Certabo has not seen a third knight."""


@pytest.mark.long
async def test_a_whole_game_of_chess_is_played_and_what_a_board_reads_is_not_asked(tmp_path: Path) -> None:
    """All boards are played at the same time, each in its own."""
    names = [name for name in BOARDS if LONG_RUN or name not in AT_LENGTH]
    await asyncio.gather(*(play_chess(name, tmp_path / name) for name in names))


async def play_chess(name: str, state: Path) -> None:
    key, make, quirks = BOARDS[name]
    position, asked = chess.Board(), list[str]()
    with at_board(state, key, make(random.Random(7), START, Quirks(**quirks))) as at:
        await at.until(at.is_linked, "found")
        for san in GAME.split():
            move = position.parse_san(san)
            await at.move(position, move)
            position.push(move)
            await at.until(partial(at.has_come_to, position, move, asked), f"{name}: {san}")
        assert at.table.view().phase is Phase.OVER
    assert asked == ASKED.get(name, []), name


# --- plugs and lines ------------------------------------------------------------------------------------------------


async def test_a_capture_may_be_interrupted_by_the_plug_at_every_step(tmp_path: Path) -> None:
    """What was done while the board was unplugged is seen when it is plugged in again."""
    await asyncio.gather(*(interrupt_capture(step, tmp_path / str(step)) for step in range(4)))


async def interrupt_capture(step: int, state: Path) -> None:
    position = chess.Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    with at_board(state, "dgt", VirtualDgt(random.Random(step), placed(position)), fen=position.fen()) as at:
        await at.until(at.is_linked, "found")
        for number, (square, piece) in enumerate(((chess.D5, ""), (chess.E4, ""), (chess.D5, "P"), (chess.D5, "P"))):
            if number == step:
                at.line.unplug()
                await at.until(lambda: not at.is_linked(), "gone")
            at.put(square, piece)
            await asyncio.sleep(CARRY_S)
        at.line.plug()
        move = chess.Move.from_uci("e4d5")
        position.push(move)
        await at.until(partial(at.has_come_to, position, move, []), "back")


async def test_a_board_is_opened_at_its_own_speed(tmp_path: Path) -> None:
    for key, make, baud in (("dgt", VirtualDgt, 9600), ("certabo", VirtualCertabo, 38400)):
        folder = tmp_path / key
        with at_board(folder, key, make(random.Random(1), START)) as at:
            await at.until(at.is_linked, "found")
            assert baud_of(at.line.path) == baud


async def test_captains_chess_is_refused_on_a_bought_board(tmp_path: Path) -> None:
    board = VirtualDgt(random.Random(1), START)
    with (
        pytest.raises(ValueError, match="9 files and 8 ranks: this one has 8 files"),
        at_board(tmp_path, "dgt", board, game="captains-chess"),
    ):
        pass


@pytest.mark.parametrize(
    ("fen", "turned"),
    [
        (chess.STARTING_BOARD_FEN, False),
        ("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr", True),
        ("4k3/8/8/8/8/8/8/4K3", None),
    ],
)
def test_which_way_round_a_board_stands_is_read_at_set_up(fen: str, turned: bool | None) -> None:  # noqa: FBT001 - data
    assert is_turned(placed(chess.BaseBoard(fen))) is turned


def test_chessnut_boards_are_found_by_their_ids(tmp_path: Path) -> None:
    for name, id_ in (("hidraw0", "0003:0000046D:0000C077"), ("hidraw1", "0003:00002D80:00008201")):
        (tmp_path / name / "device").mkdir(parents=True)
        (tmp_path / name / "device" / "uevent").write_text(f"DRIVER=hid-generic\nHID_ID={id_}\n", encoding="ascii")
    assert hid_devices(0x2D80, range(0x80, 0x87), tmp_path) == ["/dev/hidraw1"]
