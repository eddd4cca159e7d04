"""A question of an earlier version about a board that reads pieces is asked again, with what the board had read.

Source: tests/outward/earlier/readings/README.md.
"""

import asyncio
import shutil
from pathlib import Path

import pytest

from captains_table.games.contract import Shape, parse_square
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.table.model.events import BoardRead
from tests.support.outward.command import command
from tests.support.service_at_work import answer, table_at

PLAYED = Path(__file__).parent / "earlier" / "readings"
STANDS = {"a7": "n1", "g7": "", "h4": "", "e8": "k1", "e2": "k2"}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state directory with the earlier journal."""
    shutil.copy(PLAYED / "journal.sqlite3", tmp_path)
    return tmp_path


def test_an_earlier_question_is_exported_to_the_byte(state: Path) -> None:
    exported = command("matches", "--state", state, "export", "1", "--form", "json")
    assert (exported.code, exported.err) == (0, "")
    assert exported.out.encode() == (PLAYED / "match-1.json").read_bytes()


@pytest.mark.waits
async def test_an_earlier_question_is_asked_again_without_the_knight_that_was_read(state: Path) -> None:
    with table_at(state, Shape(8, 8), is_simulated=False) as table:
        tell = table.listen_to(HardwareSource(table.session, "no board yet"))
        on = {parse_square(square): reading for square, reading in STANDS.items()}
        now_ms = asyncio.get_running_loop().time() * 1000
        tell(BoardRead(frozenset(on), {square: reading for square, reading in on.items() if reading}), now_ms)
        table.matches.resume(1)
        assert [option.id for option in table.view().options] == ["d4g7", "d4h4"]
        answer(table, "d4h4")
        assert table.view().pieces[parse_square("h4")] == "Q"
        assert table.view().pieces[parse_square("g7")] == "b"
