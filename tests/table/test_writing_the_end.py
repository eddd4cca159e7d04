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


@pytest.mark.parametrize(
    ("settings", "lines", "rest_ms"),
    [
        pytest.param("", "", 60_000, id="for a minute"),
        pytest.param("config end_ms=2000\n", "", 2000, id="for as long as is configured"),
        pytest.param("", "+59000 lift e1\n+500 place e1", 60_000, id="anew after every change"),
        pytest.param("", "lift h7\nlift i7\nlift e1", 60_000, id="while pieces are put away"),
        pytest.param("config end_ms=30000\n", "+1 mask d4\n+20000 place d4", 10_000, id="but for an ignored switch"),
    ],
)
def test_the_end_is_shown_at_once_and_written_when_the_board_has_rested(
    settings: str, lines: str, rest_ms: int
) -> None:
    table = mated(settings)
    table.lines(lines)
    assert_written_after(table, rest_ms)


@pytest.mark.parametrize(
    ("button", "writes"), [("roll", True), ("choose", True), ("next", False), ("previous", False), ("back", False)]
)
def test_a_press_takes_it_for_granted_unless_it_only_walks_through_a_menu(button: str, *, writes: bool) -> None:
    table = mated()
    table.lines(f"press {button}")
    assert (table.entries()[-1] == END) is writes


def test_a_press_while_a_piece_is_in_the_hand_writes_nothing_yet() -> None:
    table = mated()
    table.lines("lift a8\n+100 press roll")
    assert not isinstance(table.entries()[-1], MatchEnded)
    table.lines("place a8\n+100 press roll")
    assert table.entries()[-1] == END


@pytest.mark.parametrize("lines", ["", "press roll\npress choose\n+60000 lift e1\n+60000 press roll"])
def test_leaving_the_match_writes_it_unless_it_is_written_already(lines: str) -> None:
    table = mated()
    table.lines(lines)
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


# --- until then -----------------------------------------------------------------------------------------------------


def test_the_move_may_be_changed_until_it_is_written_and_not_afterwards() -> None:
    table, sealed = mated(), mated()
    table.lines("+40000 lift a8\n+300 place a7\n+900 expect phase playing\nexpect pieces.a7 R\nexpect seat Bart")
    table.wait(60_000)
    assert not any(isinstance(entry, MatchEnded) for entry in table.entries())
    sealed.lines("press roll\nlift a8\n+300 place a7\n+9000 expect phase over\nexpect pieces.a8 +R")


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


@pytest.mark.parametrize(
    "ends",
    [
        pytest.param(lambda session: session.handle(TimePassed(), 61_000), id="after a minute"),
        pytest.param(lambda session: session.suspend(1500), id="when the table is switched off in order"),
        pytest.param(
            lambda session: session.load(journal_of_mate(), DictatedDice(), 1500, resumed=False),
            id="when another begins",
        ),
    ],
)
def test_a_mate_answered_on_the_page_is_written_likewise(ends: Callable[[Session], None]) -> None:
    journal = journal_of_mate()
    session = table_with(journal)
    session.handle(Answered(Pick("c5c7")), 1000)
    assert isinstance(journal.entries()[-1], Acted)
    ends(session)
    assert journal.entries()[-1] == END


def test_a_power_cut_before_it_is_written_does_not_lose_it() -> None:
    journal = journal_of_mate()
    table_with(journal).handle(Answered(Pick("c5c7")), 1000)
    table_with(journal, 2000, resumed=True)
    assert journal.entries()[-1] == END
