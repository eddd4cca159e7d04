"""The table on the event loop: what it starts, resumes and refuses."""

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from captains_table.games.common.board_sizes import BoardTooSmall
from captains_table.games.common.records import NO_HONOURS, Honours
from captains_table.games.contract import IllegalAction, Pick, Shape, parse_square
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import Table
from captains_table.storage.exports import NoSuchForm
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import MatchEnded, MatchStarted
from captains_table.table.model.events import Button
from captains_table.web.scene import PhysicalBoard
from tests.runtime.leaping_loop import leap
from tests.support.listening import ListeningPlayer
from tests.support.service_at_work import OpenTable, answer, press
from tests.support.visiting import visit_there

NAMES = ["Anne", "Bart"]


def begin_chess(table: Table) -> None:
    table.matches.new_match("captains-chess", NAMES, {"clock": "5+3"})
    answer(table, "e2e4", "press-clock")


def test_a_board_with_eight_files_refuses_captains_chess_and_writes_nothing(open_table: OpenTable) -> None:
    with open_table(Shape(8, 8)) as table:
        with pytest.raises(BoardTooSmall, match="this one has 8 files"):
            table.matches.new_match("captains-chess", NAMES, {})
        assert table.matches.listed() == []


def test_clocks_go_on_where_they_were_after_a_restart_but_not_on_a_board_without_a_ninth_file(
    open_table: OpenTable,
) -> None:
    with open_table() as table:
        begin_chess(table)
    with open_table(Shape(8, 8)) as table, pytest.raises(CannotResume, match="9 files and 8 ranks"):
        table.matches.resume(1)
    with open_table() as table:
        table.matches.resume(1)
        assert [seat.seconds_left for seat in table.view().seats] == [303, 300]


def test_a_match_is_exported_in_the_forms_its_game_has(table: Table) -> None:
    begin_chess(table)
    assert table.matches.listed()[0].forms == ("json", "ini", "pgn")
    assert "# 1.     e2e4" in table.archive.export(1, "ini")
    assert '[Variant "captainschess"]' in table.archive.export(1, "pgn")
    with pytest.raises(NoSuchForm, match="unknown form"):
        table.archive.export(1, "epub")


@pytest.mark.parametrize("noisy", [False, True], ids=["quiet", "noisy"])
async def test_a_piece_held_for_long_makes_only_a_noisy_switch_suspect(*, table: Table, noisy: bool) -> None:
    table.matches.new_match("captains-chess", NAMES, {})
    assert table.hands is not None
    if noisy:
        table.hands.make_noisy(noisy=True)
    table.hands.click(parse_square("e2"))
    await leap(60)
    assert ("Is the board right? Then let the table ignore that switch" in table.view().prompt) == noisy


async def test_an_answer_while_a_piece_is_in_the_air_is_a_conflict_and_may_be_given_again(table: Table) -> None:
    table.matches.new_match("legend", NAMES, {})
    press(table, Button.ROLL)
    answer(table, "g2g4")
    board = table.session.board
    assert isinstance(board, SimulatedSource)
    table.loop.do(partial(board.click, parse_square("a2")))
    await leap(0.05)  # longer than a switch may bounce
    revision = table.view().revision
    body = {"revision": revision, "action": {"type": "pick", "id": "done"}}
    refused = await visit_there(table, lambda client: client.post("/answer?page=table", json=body))
    assert refused.status_code == 409
    assert "still on the move, and nothing was done" in refused.json()["error"]
    assert "a2, empty" in refused.json()["fragments"]["board"]
    assert table.view().revision == revision
    table.loop.do(partial(board.click, parse_square("a2")))
    await leap(0.05)
    taken = await visit_there(table, lambda client: client.post("/answer?page=table", json=body))
    assert taken.status_code == 204


AFTER_A_CAPTURE = """
game legend Anne Bart rounds=1 "fen=4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
dice 6 5 4 3 6 3
press roll
lift d5
lift e4
place d5
"""


def test_the_button_puts_the_pieces_back_and_the_table_sees_it_by_its_switches() -> None:
    """The captured piece too; the take-back is journalled as one by hand is."""
    player = ListeningPlayer(AFTER_A_CAPTURE)
    table = player._table
    assert table.takes_back_of() == 0
    table.take_back(player._now_ms)
    player.lines("+3000 press next")
    assert (table.board.pieces[parse_square("e4")], table.board.pieces[parse_square("d5")]) == ("P", "p")
    assert (table.board.beside, table.takes_back_of()) == ([], None)
    match = table.session.match
    assert match is not None
    assert match.history[-1].acted.action != Pick("e4d5")
    with pytest.raises(IllegalAction, match="no move can be taken back"):
        table.take_back(player._now_ms)


def test_the_tray_is_empty_when_another_match_begins_and_full_again_when_the_first_is_taken_up(
    open_table: OpenTable,
) -> None:
    def beside(table: Table) -> list[str]:
        board = None if table.hands is None else table.hands.physical()
        assert isinstance(board, PhysicalBoard)
        return list(board.beside)

    with open_table() as table:
        table.matches.new_match("captains-chess", ["Anne", "Bart"], {"fen": "4k4/9/9/9/3p5/4P4/9/4K4 w - - 0 1"})
        answer(table, "e3d4")
        assert beside(table) == ["p"]
        table.matches.new_match("captains-chess", ["Anne", "Bart"], {})
        assert beside(table) == []
        table.matches.resume(1)
        assert beside(table) == ["p"]


SWASHBUCKLER = Honours("Swashbuckler", "Swashbuckler")


def test_sunnyseas_is_a_swashbuckler_on_every_display_and_sunnyseas_in_the_journal(
    open_table: OpenTable, tmp_path: Path
) -> None:
    with closing(JournalFile(tmp_path / "journal.sqlite3")) as file:
        match = file.start(MatchStarted("swashbuckle", ("Sunnyseas", "Bart"), {}), None)
        match.append(MatchEnded(0, (255, 200)))
    with open_table() as table:
        for game, names, honours in (
            ("swashbuckle", ("Bart", "Sunnyseas"), [NO_HONOURS, SWASHBUCKLER]),
            ("ship-captain-crew", ("Sunnyseas", "Bart"), [NO_HONOURS, NO_HONOURS]),
        ):
            table.matches.new_match(game, names, {"order": "seated"})
            assert [seat.honours for seat in table.view().seats] == honours
        table.matches.resume(2)
        assert [seat.honours for seat in table.view().seats] == [NO_HONOURS, SWASHBUCKLER]
        assert (table.view().seats[1].name, table.view().seats[1].called) == ("Sunnyseas", "Sunnyseas")
        started = table.archive._file.open(2).entries()[0]
    assert isinstance(started, MatchStarted)
    assert (started.seats, "Swashbuckler" in str(started)) == (("Bart", "Sunnyseas"), False)
