"""Leaving a match, or beginning another one, while it is not clear which move the last one was: that is asked first."""

from functools import partial

import httpx

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Pick, parse_square
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.page.app import create_app
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.table import Table
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.lobby.match_setup import Leave
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Button, PiecesPlaced, SwitchChanged
from captains_table.table.model.settings import Settings
from tests.runtime.leaping_loop import leap
from tests.support.played_table import PlayedTable
from tests.support.service_at_work import answer

TWO_VICTIMS = {"fen": "4k4/n8/1p7/9/9/9/4K4/R7b w - - 0 1"}
TAKEN_AND_STRAIGHTENED = ("-a1", "-a7", "+a7", "-i1", "+i1")
HELD_MS = 3000


class TableBefore(PlayedTable):
    """A table with a lobby at which a rook took one of two pieces, and the other one was straightened."""

    def __init__(self) -> None:
        started = MatchStarted("captains-chess", ("Anne", "Bart"), TWO_VICTIMS)
        self.journal = MemoryJournal(started)
        self.session = Session(Settings())
        self.session.has_lobby = True
        self.session.load(self.journal, DictatedDice(), 0, resumed=False)
        self.session.handle(PiecesPlaced(frozenset(self.match.pieces())), 1)
        for word in TAKEN_AND_STRAIGHTENED:
            self.now_ms += 400
            self.session.handle(SwitchChanged(parse_square(word[1:]), word[0] == "+"), self.now_ms)
        self.wait(1000)

    def asked(self) -> list[str]:
        return [candidate.id for candidate in self.session.referee.board_snapshot().asked]


def test_a_match_is_left_once_it_is_answered_which_move_was_made() -> None:
    table = TableBefore()
    assert [rival.id for rival in table.session.referee.board_snapshot().rivals] == ["a1i1"]
    table.press(Button.BACK, held_ms=HELD_MS)
    assert table.asked() == ["a1a7", "a1i1"]
    assert table.session.take_request() is None
    table.answer(Pick("a1i1"))
    assert table.session.take_request() == Leave()
    assert str(table.match.pieces()[parse_square("i1")]) == "R"


def test_going_back_from_the_question_stays_at_the_match() -> None:
    table = TableBefore()
    table.press(Button.BACK, held_ms=HELD_MS)
    table.press(Button.BACK)
    table.wait(10_000)
    assert (table.asked(), table.session.take_request()) == ([], None)


async def take_one_of_two(table: Table) -> None:
    """Begin a match in which a rook takes one of two pieces, and straighten the other one."""
    table.matches.new_match("captains-chess", ("Anne", "Bart"), TWO_VICTIMS)
    source = table.session.board
    assert isinstance(source, SimulatedSource)
    table.loop.do(lambda now_ms: source.lift(parse_square("a7"), now_ms))
    source.board.put_beside()
    for name in ("a1", "a7", "i1", "i1"):
        table.loop.do(partial(source.click, parse_square(name)))
        await leap(2 * DEBOUNCE_MS / 1000)


async def test_another_match_begins_once_it_is_answered_which_move_was_made(table: Table) -> None:
    await take_one_of_two(table)
    table.matches.new_match("swashbuckle", ("Cora", "Dirk"), {})
    assert table.view().game == "captains-chess"
    answer(table, "a1a7")
    assert table.view().game == "swashbuckle"


async def test_the_page_says_that_a_match_is_left_only_once_it_is_answered(table: Table) -> None:
    await take_one_of_two(table)
    transport = httpx.ASGITransport(app=create_app(table))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        refused = await client.post("/leave", headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["error"][:31]) == (409, "Say first which move was made: ")
        assert table.view().game == "captains-chess"
        answer(table, "a1a7")
        assert table.view().game == ""


async def test_a_match_that_cannot_begin_once_it_is_answered_is_refused_in_words_and_the_one_in_hand_goes_on(
    table: Table,
) -> None:
    await take_one_of_two(table)
    table.matches.new_match("swashbuckle", ("Cora", "Dirk"), {"storm": "yes"})
    answer(table, "a1a7")
    assert any("unknown option 'storm'" in words for words in table.view().prompt)
    answer(table, "back")
    assert (table.view().game, table.view().seats[1].on_turn) == ("captains-chess", True)
