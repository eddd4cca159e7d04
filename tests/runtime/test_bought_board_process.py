"""The real command at a virtual board that was bought: killed while it asks, and started again."""

import html
import random
from pathlib import Path

import pytest

from captains_table.simulation.virtual_boards.dgt import VirtualDgt
from tests.support.board_in_thread import on_a_line
from tests.support.quirky_boards import pieces_from_fen
from tests.support.table_process import Caller, TableProcess, soon, write_config

FEN = "1n2k3/P7/8/8/8/8/8/1N2K3"


def until_it_says(table: TableProcess, words: str, *, says: bool = True) -> None:
    """Wait until the page of a table says something, or does not say it any more."""
    caller = Caller(table.origin)
    soon(lambda: (words in html.unescape(caller.get("/table").text)) == says)
    caller.close()


@pytest.mark.slow
@pytest.mark.waits
def test_a_table_that_is_killed_while_it_asks_which_piece_stands_there_goes_on_by_what_it_reads(tmp_path: Path) -> None:
    """A promoted piece whose chip is not read is asked about; after the power came back, one that is read is not."""
    device = tmp_path / "board"
    match = ("[match]", 'game = "chess"', 'players = ["Anne", "Bart"]', f'options = {{ fen = "{FEN} w - - 0 1" }}')
    config = write_config(tmp_path, *match, table=('board = "dgt"', f'device = "{device}"'))
    with on_a_line(VirtualDgt(random.Random(1), pieces_from_fen(FEN)), device) as other:
        table = TableProcess("run", config, logs=tmp_path / "first")
        until_it_says(table, "White): your move")
        until_it_says(table, "DGT board on")
        other.put("a7", "")
        other.put("a8", "?")
        until_it_says(table, "What happened on the board?")
        table.kill()
        table = TableProcess("run", config, logs=tmp_path / "second")
        until_it_says(table, "The board differs from the match")
        other.put("a8", "")
        other.put("a7", "P")
        until_it_says(table, "The board differs from the match", says=False)
        other.put("a7", "")
        other.put("a8", "N")
        until_it_says(table, "Black): your move")
        table.stop()
