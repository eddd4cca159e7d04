"""A match that ends by a move on the board, at a table with a lobby: it offers the next match, and may still go on."""

import asyncio
import io

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Pick, parse_square
from captains_table.games.registry import GAMES
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.runtime.table import Table
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.lobby.match_setup import LobbyContext
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from tests.runtime.leaping_loop import leap
from tests.support.lobby_guest import Memory
from tests.support.service_at_work import OpenTable, answer, press

MATE_IN_ONE = {"fen": "7k1/6ppp/9/9/9/9/9/R3K4 w - - 0 1"}
MATE = "a1a8+"


def outcome(table: Table) -> str | None:
    return next(match.outcome for match in table.matches.listed() if match.is_current)


def asked(table: Table) -> list[str]:
    return [entry.id for entry in table.view().menu.entries]


@pytest.fixture
def mated(table: Table, runner: asyncio.Runner) -> Table:
    async def play() -> None:
        end_by_mate(table)

    runner.run(play())
    return table


def end_by_mate(table: Table) -> None:
    table.matches.new_match("captains-chess", ("Anne", "Bart"), MATE_IN_ONE)
    answer(table, MATE)
    assert table.view().phase is Phase.OVER


def test_the_next_match_is_offered_at_once_and_an_answer_in_the_lobby_takes_the_end_for_granted(mated: Table) -> None:
    assert asked(mated) == ["rematch", "computer", "learn", "new", "table-menu"]
    assert mated.view().result is not None
    assert outcome(mated) is None
    answer(mated, "new")
    assert outcome(mated) is not None
    assert mated.view().phase is Phase.IDLE


@pytest.mark.parametrize("button", [Button.ROLL, Button.CHOOSE])
def test_so_does_a_press_that_is_no_walk_through_the_menu(mated: Table, button: Button) -> None:
    press(mated, Button.NEXT)
    assert outcome(mated) is None
    mated.handle(ButtonPressed(button))
    assert outcome(mated) is not None


def test_the_next_match_writes_the_end_of_the_one_before(mated: Table) -> None:
    answer(mated, "rematch")
    assert mated.view().phase is Phase.PLAYING
    assert [match.outcome is None for match in mated.matches.listed()] == [True, False]


def test_a_table_that_is_stopped_in_good_order_has_written_it(open_table: OpenTable) -> None:
    with open_table() as table:
        end_by_mate(table)
    with open_table() as table:
        assert [match.outcome is None for match in table.matches.listed()] == [False]


@pytest.mark.parametrize(("ends", "level"), [(MATE, 3), ("resign", 1)])
async def test_after_three_wins_or_losses_in_a_row_the_journal_lets_another_level_be_proposed(
    open_table: OpenTable, ends: str, level: int
) -> None:
    """The first two matches were played before the table was started again; another in between counts for nothing."""
    against = ("Anne", "boreas:2")
    with open_table() as table:
        for names in (against, ("Anne", "Bart"), against):
            table.matches.new_match("captains-chess", names, MATE_IN_ONE)
            answer(table, ends)
            assert asked(table)[0] == "rematch"
    with open_table() as table:
        table.matches.new_match("captains-chess", against, MATE_IN_ONE)
        answer(table, ends)
        assert [entry.label for entry in table.view().menu.entries][:2] == [f"Rematch \u00b7 level {level}", "Rematch"]
        answer(table, "rematch-level")
        match = table.session.match
        assert match is not None
        assert sorted(match.started.seats) == ["Anne", f"boreas:{level}"]
        assert match.started.options == MATE_IN_ONE


async def test_the_lobby_makes_room_where_the_match_goes_on_after_all(mated: Table) -> None:
    hands = mated.hands
    assert hands is not None
    hands.click(parse_square("a8"))
    hands.click(parse_square("a7"))
    await leap(3)
    view = mated.view()
    assert (view.phase, view.pieces[parse_square("a7")], view.seats[1].on_turn) == (Phase.PLAYING, "R", True)
    assert "rematch" not in asked(mated)
    assert "resign" in asked(mated)
    answer(mated, "resign")
    assert (mated.view().phase, asked(mated)) == (Phase.OVER, ["rematch", "computer", "learn", "new", "table-menu"])


def test_a_recorded_tape_says_that_the_end_was_taken_for_granted() -> None:
    """What is pressed in the lobby is on no tape; put away, the pieces would change the last move of the replay."""
    session, tape = Session(Settings()), io.StringIO()
    session.has_lobby = True
    start = MatchStarted("captains-chess", ("Anne", "Bart"), MATE_IN_ONE)
    session.load(MemoryJournal(start), DictatedDice(), 0, resumed=False)
    Recorder(session, tape).start_tape(0)
    session.handle(Answered(Pick(MATE)), 1000)
    session.open_lobby(LobbyContext(GAMES, Memory([], [])))
    session.handle(ButtonPressed(Button.CHOOSE), 3000)
    session.handle(ButtonReleased(Button.CHOOSE), 3100)
    assert tape.getvalue().splitlines()[-2:] == [f"+1000 pick {MATE}", "+2000 hold roll 0"]
