"""The page's pieces on a virtual board: hands move them, and the table knows what the real driver reads."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from captains_table.devices.bought.bought_board import CHESSBOARD
from captains_table.games.contract import Square, parse_square
from captains_table.runtime.table import Table
from captains_table.runtime.virtual_source import VIRTUAL_BOARDS, VirtualSource
from captains_table.table.model.view import Phase
from tests.support.patience import PATIENCE_S
from tests.support.quick_computers import quick_computers
from tests.support.service_at_work import answer, table_at
from tests.support.table_process import Caller, TableProcess, run_here, soon

pytestmark = [pytest.mark.slow, pytest.mark.waits]


@contextmanager
def table_on(state: Path, key: str) -> Iterator[Table]:
    """Yield a table whose simulated pieces stand on a virtual board."""
    state.mkdir(exist_ok=True)
    with table_at(state, CHESSBOARD, virtual=key) as table:
        source = table.session.board
        assert isinstance(source, VirtualSource)
        source.driver.open(table.listen_to(source.reports))
        yield table
        source.close()


async def until(is_so: Callable[[], object], table: Table) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, (table.view().prompt, table.faults())
        await asyncio.sleep(0.01)


def hand(table: Table, *squares: str) -> None:
    assert table.hands is not None
    for square in squares:
        table.hands.click(parse_square(square))


def at(table: Table, square: str) -> str:
    return table.view().pieces.get(parse_square(square), "")


async def test_moves_of_the_pages_hand_and_of_a_computer_go_over_the_cable(tmp_path: Path) -> None:
    with quick_computers():
        await asyncio.gather(*(play_over_the_cable(key, tmp_path / key) for key in VIRTUAL_BOARDS))


async def play_over_the_cable(key: str, state: Path) -> None:
    with table_on(state, key) as table:
        table.matches.new_match("chess", ("Anne", "boreas:0"), {})
        await until(lambda: not table.faults() and not table.view().wrong, table)
        for own in ("e4", "d3"):
            moves = len(table.session.match.history) if table.session.match else 0
            hand(table, {"e4": "e2", "d3": "d2"}[own], own)
            await until(lambda own=own: at(table, own) == "P", table)  # type: ignore[misc]
            await until(lambda moves=moves: len(table.session.match.history) == moves + 2, table)  # type: ignore[misc,union-attr]
            await until(lambda: not table.view().wrong, table)


@pytest.mark.parametrize("game", ["legend", "crowns"])
async def test_other_games_are_set_up_on_it(game: str, tmp_path: Path) -> None:
    with table_on(tmp_path, "virtual-chessnut") as table:
        table.matches.new_match(game, ("Anne", "Bart"), {})
        await until(lambda: not table.faults(), table)
        await until(lambda: table.view().phase is Phase.PLAYING and not table.view().wrong, table)


async def test_a_promoted_piece_is_put_there_once_it_was_chosen(tmp_path: Path) -> None:
    with table_on(tmp_path, "virtual-dgt") as table:
        table.matches.new_match("chess", ("Anne", "Bart"), {"fen": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"})
        await until(lambda: not table.faults() and not table.view().wrong, table)
        hand(table, "a7", "a8")
        await until(lambda: table.view().asks_about_board, table)
        answer(table, "a7a8r")
        await until(lambda: at(table, "a8") == "R", table)
        source = table.session.board
        assert isinstance(source, VirtualSource)
        await until(lambda: source.board.pieces[Square(0, 7)] == "R", table)
        await until(lambda: not table.view().wrong, table)


async def test_the_cable_may_be_pulled_out(tmp_path: Path) -> None:
    with table_on(tmp_path, "virtual-sentio") as table:
        table.matches.new_match("chess", ("Anne", "Bart"), {})
        await until(lambda: not table.faults(), table)
        source = table.session.board
        assert isinstance(source, VirtualSource)
        source.unplug(0)
        await until(table.faults, table)
        source.plug(0)
        await until(lambda: not table.faults(), table)


def test_the_command_says_which_boards_there_are(tmp_path: Path) -> None:
    refused = run_here("play", "--board", "virtual-millennium")
    assert refused.returncode == 2
    assert "virtual-dgt" in refused.stderr
    table = TableProcess("play", "--state", tmp_path, "--port", "0", "--board", "virtual-dgt", logs=tmp_path)
    caller = Caller(table.origin)
    soon(lambda: "Virtual DGT board on" in caller.get("/table").text)
    caller.close()
    table.stop()
