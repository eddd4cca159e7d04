"""A bought board that lies with its connector at the other side, and does not read which pieces are White's."""

import asyncio
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import chess
import pytest

from captains_table.games.contract import IllegalAction, Shape, Square
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.simulation.virtual_boards.line import VirtualLine
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.asks import TURN_BOARD
from tests.devices.test_bought_board import CARRY_S, AtBoard, driver, now_ms
from tests.support.quirky_boards import START, Quirks, VirtualSentio
from tests.support.service_at_work import answer, table_at

pytestmark = [pytest.mark.slow, pytest.mark.waits]
BOARD = Shape(8, 8)


@contextmanager
def turned_sentio(
    state: Path, game: str, pieces: Mapping[Square, str], *, may_lie_turned: bool = True
) -> Iterator[AtBoard]:
    board = VirtualSentio(random.Random(1), pieces, Quirks(turned=True, scan_ms=20))
    line = VirtualLine(board, now_ms)
    bought = driver("certabo", line, turned=None)
    settings = replace(Settings(), may_lie_turned=may_lie_turned)
    try:
        with table_at(state, BOARD, is_simulated=False, settings=settings) as table:
            table.session.turn_board = bought.turn
            bought.open(table.listen_to(HardwareSource(table.session, bought.missing)))
            table.matches.new_match(game, ("Anne", "Bart"), {})
            yield AtBoard(table, board, line)
            bought.close()
    finally:
        line.close()


def offers_turning(at: AtBoard) -> bool:
    return TURN_BOARD in at.table.view().calls


async def test_turning_is_offered_when_the_first_piece_lifted_is_of_the_wrong_side(tmp_path: Path) -> None:
    with turned_sentio(tmp_path, "chess", START) as at:
        await at.until(at.is_linked, "found")
        assert not offers_turning(at)
        at.put(chess.E2, "")  # which the board calls d7
        await at.until(lambda: offers_turning(at), "offered")
        assert TURN_BOARD.label in [entry.label for entry in at.table.view().menu.entries], "by the buttons too"
        answer(at.table, TURN_BOARD.id)
        at.put(chess.E4, "P")
        position = chess.Board()
        move = position.parse_san("e4")
        position.push(move)
        await at.until(lambda: at.has_come_to(position, move, []), "e4")
        assert not offers_turning(at)
        at.put(chess.E4, "")
        await asyncio.sleep(CARRY_S)
        with pytest.raises(IllegalAction):
            answer(at.table, TURN_BOARD.id)


async def test_crowns_shows_at_set_up_which_way_round_the_board_lies(tmp_path: Path) -> None:
    with turned_sentio(tmp_path, "crowns", {}) as at:
        await at.until(at.is_linked, "found")
        match = at.table.session.match
        assert match is not None
        for square in match.pieces():
            at.put(chess.square(square.file, square.rank), "P")
        await at.until(lambda: offers_turning(at), "offered")
        answer(at.table, TURN_BOARD.id)
        await at.until(lambda: not at.table.view().wrong, "set up")


async def test_nothing_is_offered_where_the_configuration_says_which_way_round_it_lies(tmp_path: Path) -> None:
    with turned_sentio(tmp_path, "chess", START, may_lie_turned=False) as at:
        await at.until(at.is_linked, "found")
        at.put(chess.E2, "")
        await at.until(lambda: "put it back on d7" in "".join(at.table.view().prompt), "refused")
        assert not offers_turning(at)
