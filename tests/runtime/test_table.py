"""The table on the event loop: what it starts, resumes and refuses."""

import asyncio
from pathlib import Path

import pytest

from captains_table.games.common.board_sizes import BoardTooSmall
from captains_table.games.contract import Pick, Shape, parse_square
from captains_table.runtime.config import parse_table_config
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.table import Table
from captains_table.storage.configuration import BadConfig
from captains_table.storage.exports import NoSuchForm
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
)
from tests.support.service_at_work import at_a_table
from tests.support.visiting import visit_there

NAMES = ["Anne", "Bart"]


def begin_chess(table: Table) -> None:
    table.matches.new_match("captains-chess", NAMES, {"clock": "5+3"})
    table.handle(Answered(Pick("e2e4")), table.view().revision)
    table.handle(Answered(Pick("press-clock")), table.view().revision)


def test_a_board_with_eight_files_refuses_captains_chess_and_writes_nothing(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        with pytest.raises(BoardTooSmall, match="this one has 8 files"):
            table.matches.new_match("captains-chess", NAMES, {})
        assert table.matches.listed() == []

    at_a_table(tmp_path, do, Shape(8, 8))


def test_a_match_of_nine_files_is_not_taken_up_on_a_board_with_eight(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        with pytest.raises(CannotResume, match="9 files and 8 ranks"):
            table.matches.resume(1)

    at_a_table(tmp_path, begin_chess)
    at_a_table(tmp_path, do, Shape(8, 8))


def test_clocks_go_on_where_they_were_after_a_restart(tmp_path: Path) -> None:
    left: list[int | None] = []

    def do(table: Table) -> None:
        table.matches.resume(1)
        left.extend(seat.seconds_left for seat in table.view().seats)

    at_a_table(tmp_path, begin_chess)
    at_a_table(tmp_path, do)
    assert left == [303, 300]


def test_a_match_is_exported_in_the_forms_its_game_has(tmp_path: Path) -> None:
    def do(table: Table) -> None:
        begin_chess(table)
        assert table.matches.listed()[0].forms == ("json", "ini", "pgn")
        assert "# 1.     e2e4" in table.archive.export(1, "ini")
        assert '[Variant "captainschess"]' in table.archive.export(1, "pgn")
        with pytest.raises(NoSuchForm, match="unknown form"):
            table.archive.export(1, "epub")

    at_a_table(tmp_path, do)


def test_a_configuration_names_a_game_that_is_known() -> None:
    assert parse_table_config({"match": {"game": "captains-chess"}}).game == "captains-chess"
    with pytest.raises(BadConfig, match="unknown game"):
        parse_table_config({"match": {"game": "parcheesi"}})


def test_an_answer_while_a_piece_is_in_the_air_is_a_conflict_and_may_be_given_again(tmp_path: Path) -> None:
    async def do(table: Table) -> None:
        table.matches.new_match("legend", NAMES, {})
        table.handle(ButtonPressed(Button.ROLL))
        table.handle(ButtonReleased(Button.ROLL))
        table.handle(Answered(Pick("g2g4")), table.view().revision)
        hands = table.hands
        assert hands is not None
        hands.click(parse_square("a2"))
        await asyncio.sleep(0.05)  # longer than a switch may bounce
        revision = table.view().revision
        body = {"revision": revision, "action": {"type": "pick", "id": "done"}}
        refused = await visit_there(table, lambda client: client.post("/answer?page=table", json=body))
        assert refused.status_code == 409
        assert "still on the move, and nothing was done" in refused.json()["error"]
        assert "a2, empty" in refused.json()["fragments"]["board"]
        assert table.view().revision == revision
        hands.click(parse_square("a2"))
        await asyncio.sleep(0.05)
        taken = await visit_there(table, lambda client: client.post("/answer?page=table", json=body))
        assert taken.status_code == 204

    at_a_table(tmp_path, do)
