"""The end of a match by a move on the board: shown at once, and written when somebody takes it for granted."""

from collections.abc import Callable

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Pick
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import Acted, MatchEnded, MatchStarted
from captains_table.table.model.events import Answered, BoardRead, TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.support.listening import ListeningPlayer

BACK_RANK = 'game captains-chess Anne Bart "fen=7k1/6ppp/9/9/9/9/9/R3K4 w - - 0 1"'
MATED = f"{BACK_RANK}\nlift a1\n+200 place a8"
BY_CAPTURE = 'game captains-chess Anne Bart "fen=r7k/6ppp/9/9/9/9/9/R3K4 w - - 0 1"\nlift a8\nlift a1\nplace a8'
END = MatchEnded(0, (1, 0))


def mated(settings: str = "") -> ListeningPlayer:
    """Return a table at which a rook was just set down that mates."""
    table = ListeningPlayer(f"{settings}{MATED}")
    table.lines("+0 expect phase over\n+0 expect result.winner Anne")
    return table


def assert_written_after(table: ListeningPlayer, ms: int) -> None:
    table.wait(ms - 1)
    assert not any(isinstance(entry, MatchEnded) for entry in table.entries())
    table.wait(1)
    assert table.entries()[-1] == END


# --- when it is written ---------------------------------------------------------------------------------------------


def test_the_end_is_shown_at_once_and_written_once_the_board_has_rested_for_a_minute() -> None:
    table = mated()
    assert_written_after(table, 60_000)


def test_every_change_of_the_board_lets_the_minute_begin_anew() -> None:
    table = mated()
    table.lines("+59000 lift e1\n+500 place e1")
    assert_written_after(table, 60_000)


def test_pieces_that_are_put_away_let_it_wait_and_change_nothing() -> None:
    table = mated()
    table.lines("lift h7\nlift i7\nlift e1\n+60000 expect phase over\nexpect result.winner Anne")
    assert table.entries()[-1] == END


def test_a_switch_that_is_ignored_does_not_put_it_off() -> None:
    table = mated("config end_ms=30000\n")
    table.lines("+1 mask d4\n+20000 place d4\n+10000 lift d4")
    assert table.entries()[-1] == END


def test_how_long_it_waits_is_configured() -> None:
    table = mated("config end_ms=2000\n")
    assert_written_after(table, 2000)


@pytest.mark.parametrize("button", ["roll", "choose"])
def test_a_press_of_the_roll_button_or_of_choose_takes_it_for_granted(button: str) -> None:
    table = mated()
    table.lines(f"press {button}")
    assert table.entries()[-1] == END


@pytest.mark.parametrize("button", ["next", "previous", "back"])
def test_a_button_that_walks_through_a_menu_says_nothing_about_it(button: str) -> None:
    table = mated()
    table.lines(f"press {button}")
    assert not isinstance(table.entries()[-1], MatchEnded)


def test_a_press_while_a_piece_is_in_the_hand_writes_nothing_yet() -> None:
    table = mated()
    table.lines("lift a8\n+100 press roll")
    assert not isinstance(table.entries()[-1], MatchEnded)
    table.lines("place a8\n+100 press roll")
    assert table.entries()[-1] == END


def test_leaving_the_match_writes_it() -> None:
    table = mated()
    table.leave()
    assert table.entries()[-1] == END


def test_it_is_written_once() -> None:
    table = mated()
    table.lines("press roll\npress choose\n+60000 lift e1\n+60000 press roll")
    table.leave()
    assert [entry for entry in table.entries() if isinstance(entry, MatchEnded)] == [END]


def test_what_waits_to_be_announced_comes_before_the_end_that_is_written() -> None:
    table = ListeningPlayer(BY_CAPTURE)
    assert table.signals == []
    table.lines("+100 press roll")
    assert (table.signals, table.entries()[-1]) == (["match"], END)


def test_an_end_that_no_move_on_the_board_brought_is_written_at_once() -> None:
    table = ListeningPlayer(f"{BACK_RANK}\npick resign")
    assert isinstance(table.entries()[-1], MatchEnded)


def test_an_end_that_waits_asks_nothing() -> None:
    table = mated()
    table.lines("+30000 expect ask null")


# --- until then -----------------------------------------------------------------------------------------------------


def test_until_it_is_written_the_move_may_be_changed() -> None:
    table = mated()
    table.lines("+40000 lift a8\n+300 place a7\n+900 expect phase playing\nexpect pieces.a7 R\nexpect seat Bart")
    table.wait(60_000)
    assert not any(isinstance(entry, MatchEnded) for entry in table.entries())


def test_once_it_is_written_nothing_is_changed_any_more() -> None:
    table = mated()
    table.lines("press roll\nlift a8\n+300 place a7\n+9000 expect phase over\nexpect pieces.a8 +R")


def test_another_end_in_its_place_has_a_minute_of_its_own() -> None:
    table = ListeningPlayer('game captains-chess Anne Bart "fen=+R2B4k/7pp/9/9/9/9/9/4K4 w - - 0 1"')
    table.lines(
        "lift d8\n+200 place e7\n+59000 lift e7\n+100 place f6\n+100 lift f6\n+100 place g5\n+300 expect phase over"
    )
    assert_written_after(table, 60_000)


def test_what_is_answered_once_the_match_is_over_is_refused() -> None:
    table = mated()
    with pytest.raises(Exception, match="the match is over"):
        table.lines("pick a8a7")
    assert not isinstance(table.entries()[-1], MatchEnded)


# --- in the journal -------------------------------------------------------------------------------------------------


def journal_of_mate() -> MemoryJournal:
    options = {"fen": "k8/p8/P8/2Q6/9/9/9/4K4 w - - 0 1"}
    return MemoryJournal(MatchStarted("captains-chess", ("Anne", "Bart"), options))


def table_with(journal: MemoryJournal, now_ms: int = 0, *, resumed: bool = False) -> Session:
    session = Session(Settings())
    session.handle(BoardRead(frozenset(Match.resumed(journal.entries()).pieces())), now_ms)
    session.load(journal, DictatedDice(), now_ms, resumed=resumed)
    return session


def begin_another(session: Session) -> None:
    session.load(
        MemoryJournal(MatchStarted("captains-chess", ("Anne", "Bart"), {})), DictatedDice(), 1500, resumed=False
    )


def wait_a_minute(session: Session) -> None:
    session.handle(TimePassed(), 61_000)


def switch_off_in_order(session: Session) -> None:
    session.suspend(1500)


@pytest.mark.parametrize("do", [begin_another, wait_a_minute, switch_off_in_order])
def test_a_mate_answered_on_the_page_is_written_likewise(do: Callable[[Session], None]) -> None:
    journal = journal_of_mate()
    session = table_with(journal)
    session.handle(Answered(Pick("c5c7")), 1000)
    assert isinstance(journal.entries()[-1], Acted)
    do(session)
    assert journal.entries()[-1] == END


def test_a_power_cut_before_it_is_written_does_not_lose_it() -> None:
    journal = journal_of_mate()
    table_with(journal).handle(Answered(Pick("c5c7")), 1000)
    table_with(journal, 2000, resumed=True)
    assert journal.entries()[-1] == END
