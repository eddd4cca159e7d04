"""A move taken back by the button, and what lies beside the board from match to match."""

from pathlib import Path

import pytest

from captains_table.games.contract import IllegalAction, Pick, parse_square
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import Table
from captains_table.table.model.events import Answered
from captains_table.web.scene import PhysicalBoard
from tests.support.listening import ListeningPlayer
from tests.support.service_at_work import at_a_table

AFTER_A_CAPTURE = """
game legend Anne Bart rounds=1 "fen=4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
dice 6 5 4 3 6 3
press roll
lift d5
lift e4
place d5
"""


class AtTheTable(ListeningPlayer):
    """Somebody at a simulated table, who may also press the page's button."""

    @property
    def table(self) -> SimulatedSource:
        return self._table

    def undo(self) -> None:
        """Press the button."""
        self._table.take_back(self._now_ms)


def test_the_button_puts_the_pieces_back_and_the_table_sees_it_by_its_switches() -> None:
    """The captured piece too; the take-back is journalled as one by hand is."""
    player = AtTheTable(AFTER_A_CAPTURE)
    table = player.table
    assert table.takes_back_of() == 0
    player.undo()
    player.lines("+3000 press next")
    assert table.board.pieces[parse_square("e4")] == "P"
    assert table.board.pieces[parse_square("d5")] == "p"
    assert table.board.beside == []
    assert table.takes_back_of() is None
    match = table.session.match
    assert match is not None
    assert match.history[-1].acted.action != Pick("e4d5")
    with pytest.raises(IllegalAction, match="no move can be taken back"):
        player.undo()


def test_the_tray_is_empty_when_another_match_begins_and_full_again_when_the_first_is_taken_up(tmp_path: Path) -> None:
    def beside(table: Table) -> list[str]:
        hands = table.hands
        assert hands is not None
        board = hands.physical()
        assert isinstance(board, PhysicalBoard)
        return list(board.beside)

    def do(table: Table) -> None:
        table.matches.new_match("captains-chess", ["Anne", "Bart"], {"fen": "4k4/9/9/9/3p5/4P4/9/4K4 w - - 0 1"})
        move = next(option.id for option in table.view().options if option.id == "e3d4")
        table.handle(Answered(Pick(move)), table.view().revision)
        assert beside(table) == ["p"]
        table.matches.new_match("captains-chess", ["Anne", "Bart"], {})
        assert beside(table) == []
        table.matches.resume(1)
        assert beside(table) == ["p"]

    at_a_table(tmp_path, do)
