"""Where no board is (`board = "none"`), as on a real floor: moves are answers, and nothing is asked about pieces."""

import random
from io import StringIO
from pathlib import Path

import pytest

from captains_table.cli.main import build_parser
from captains_table.cli.serving import config_from
from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import (
    Bell,
    Bid,
    Correct,
    Decide,
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    Roll,
    parse_square,
)
from captains_table.runtime.applied_config import settings_for, source_of
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.config import TableConfig, parse_table_config
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.session import Session
from captains_table.runtime.tape_player import replay_lines
from captains_table.storage.journal_file import MemoryJournal
from captains_table.storage.key_files import SEATS, SeatKeyFile
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.events import ComputerAnswered, SwitchChanged
from captains_table.table.model.settings import BadSetting, Settings
from captains_table.table.model.view import BoardDifference, Phase, View
from captains_table.web.scene import Scene
from tests.runtime.seat_guests import Evening
from tests.support.played_table import PlayedTable
from tests.support.random_play import random_action
from tests.support.service_at_work import OpenTable, answer
from tests.support.visiting import visit_there

TAKE_BACK = Pick("take-back")
OPTIONS = {"crowns": {"turn_limit": "8", "timer": "0"}, "legend": {"turn_limit": "8"}}


class Floor(PlayedTable):
    """A match on a floor, in memory; a name with a colon is a computer's."""

    def __init__(self, game: str = "crowns", *names: str, **options: str) -> None:
        names = names or ("Anne", "Bart")
        kinds: tuple[SeatKind, ...] = tuple("computer" if ":" in name else "human" for name in names)
        self.journal = MemoryJournal(MatchStarted(game, names, options, kinds=kinds))
        self.dice = DictatedDice()
        self.dice.seed(5)
        self.power(resumed=False)

    def power(self, *, resumed: bool) -> None:
        self.session = Session(Settings(switches="none"))
        self.session.load(self.journal, self.dice, self.now_ms, resumed=resumed)

    def do(self, *actions: Pick | Bid | Bell | Correct) -> View:
        self.answer(*actions, after_ms=60_000)
        return self.view


def asks_nothing_about_pieces(view: View) -> bool:
    """Return whether nothing is to be put right, nor asked of what was done with pieces."""
    return view.wrong == BoardDifference() and not view.asks_about_board and view.phase in (Phase.PLAYING, Phase.OVER)


@pytest.mark.parametrize("game", ["crowns", "legend", "captains-chess"])
def test_a_match_is_played_by_answers_alone_and_nobody_is_asked_to_move_a_piece(game: str) -> None:
    floor, rng = Floor(game, **OPTIONS.get(game, {})), random.Random(4)
    for _ in range(40):
        assert asks_nothing_about_pieces(floor.view)
        turn = floor.match.turn
        if isinstance(turn, Over):
            break
        if isinstance(turn, Roll):
            floor.press()
            continue
        options = turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()
        moves = [Pick(option.id) for option in options if option.on_board]
        floor.answer(rng.choice(moves) if moves else random_action(turn, rng), after_ms=0)
    assert len(floor.match.history) > 10
    floor.power(resumed=True)
    assert asks_nothing_about_pieces(floor.view)


def test_a_correction_asks_no_hand_to_put_a_token_there() -> None:
    view = Floor(timer="0").do(Bid(0, 2), Bell(), Pick("summon-a1"), Correct("place", "Anne", "d4"))
    assert asks_nothing_about_pieces(view)
    assert view.pieces[parse_square("d4")] == "1"


def test_a_switch_that_speaks_all_the_same_says_nothing() -> None:
    floor = Floor(timer="0")
    for square in ("a2", "b2", "d4"):
        floor.session.handle(SwitchChanged(parse_square(square), square == "d4"), floor.now_ms)
    floor.wait(60_000)
    assert asks_nothing_about_pieces(floor.view)
    assert floor.session.referee.switch_reports() == []


def test_every_move_is_in_the_menu_of_the_buttons_too() -> None:
    view = Floor(timer="0").do(Bid(0, 2), Bell())
    assert {"summon-a1", "a2a3", "pass"} <= {entry.id for entry in view.menu.entries}


def test_the_last_move_is_taken_back_by_saying_so_until_something_seals_it() -> None:
    floor = Floor(timer="0")
    view = floor.do(Bid(0, 2), Bell(), Pick("summon-a1"))
    assert view.undoes == 0
    assert [Scene(view, seat=seat).may_undo for seat in (None, 0, 1)] == [True, True, False]
    view = floor.do(TAKE_BACK)
    assert (view.undoes, view.seat, view.pieces.get(parse_square("a1"))) == (None, 0, None)
    view = floor.do(Pick("summon-c1"), Bid(1, 1))
    assert view.undoes is None
    with pytest.raises(IllegalAction):
        floor.do(TAKE_BACK)


async def test_nobody_takes_back_from_a_seat_what_somebody_else_has_moved(
    open_table: OpenTable, tmp_path: Path
) -> None:
    desk = SeatLinks(SeatKeyFile(tmp_path / SEATS), print)
    with open_table(seats=desk, on_floor=True) as table:
        at = Evening(table, [])
        table.matches.new_match("captains-chess", ("Anne", "Bart"), {})
        for seat, id_, code, next_seat in ((0, "e2e3", 204, 1), (1, "take-back", 403, 1), (0, "take-back", 204, 0)):
            answered = await at.answer(at.key(seat), {"type": "pick", "id": id_})
            assert answered.status_code == code
            assert code == 204 or "This move is somebody else's" in answered.json()["error"]
            assert table.view().seat == next_seat


async def test_the_move_that_ended_the_match_is_taken_back_while_the_next_one_is_offered(open_table: OpenTable) -> None:
    with open_table(on_floor=True) as table:
        table.matches.new_match("captains-chess", ("Anne", "Bart"), {"fen": "7k1/6ppp/9/9/9/9/9/R3K4 w - - 0 1"})
        answer(table, "a1a8+")
        assert table.view().phase is Phase.OVER
        body = {"revision": table.view().revision, "action": {"type": "pick", "id": "take-back"}}
        undone = await visit_there(table, lambda client: client.post("/answer?page=table", json=body))
        assert undone.status_code == 204
        assert (table.view().phase, table.view().seat) == (Phase.PLAYING, 0)
        lifted = await visit_there(table, lambda client: client.post("/board/click", json={"square": "a1"}))
        assert lifted.status_code == 404
        assert "This table has no board: pick the move" in lifted.text


def test_a_computers_move_is_made_at_once_and_waits_for_no_hand() -> None:
    floor = Floor("captains-chess", "Anne", "boreas:1")
    floor.do(Pick("e2e3"))
    floor.wait(5000)
    floor.session.handle(ComputerAnswered(floor.match.revision, Pick("e7e6")), floor.now_ms)
    floor.wait(5000)
    view = floor.view
    assert view.seat == 0
    assert view.pieces[parse_square("e6")]
    assert asks_nothing_about_pieces(view)
    assert view.undoes == 0, "with the computer's answer"


def test_the_player_to_act_picks_on_the_pages_board_and_nobody_else() -> None:
    view = Floor(timer="0").do(Bid(0, 2), Bell())
    boards = {seat: Scene(view, seat=seat).board() for seat in (0, 1)}
    assert "data-picks" in boards[0]
    assert 'data-to="a3"' in boards[0]
    assert "data-picks" not in boards[1]
    assert "data-picks" not in Scene(view, watches=True).board()
    assert not any("data-board" in board for board in boards.values()), "no hand lifts anything"


def test_a_recorded_floor_replays_to_the_same_actions() -> None:
    tape, out, err = StringIO(), StringIO(), StringIO()
    floor = Floor(timer="0")
    Recorder(floor.session, tape).start_tape(0)
    floor.do(
        Bid(0, 2), Bell(), Pick("summon-a1"), TAKE_BACK, Pick("summon-c1"), Correct("place", "Anne", "d4"), Bid(1, 1)
    )
    assert "config switches=none" in tape.getvalue()
    assert replay_lines("tape", tape.getvalue().splitlines(), out, err) == 0, err.getvalue()
    assert '"places": {"Anne": "d4", "Bart": "reserve"}' in out.getvalue()


def test_no_board_is_configured_as_the_board() -> None:
    config = parse_table_config({"table": {"board": "none"}, "settings": {"ask_ms": 500}})
    settings = settings_for(config, None)  # type: ignore[arg-type]  # no device is asked
    assert (settings.switches, settings.ask_ms) == ("none", 500)
    assert type(source_of(config, Session(settings))) is BoardSource
    assert type(source_of(TableConfig(), Session(Settings()))) is not BoardSource


def test_the_board_is_read_or_none_and_stays_that_when_the_configuration_is_read_again() -> None:
    with pytest.raises(BadSetting, match="switches=some: expected read or none"):
        Settings().with_value("switches", "some")
    session = Session(Settings(switches="none"))
    session.take_over(Settings(ask_ms=500))
    assert (session.settings.switches, session.settings.ask_ms) == ("none", 500)


def test_a_game_master_is_asked_for_on_the_command_line() -> None:
    parsed = build_parser().parse_args
    assert config_from(parsed(["play", "--master"])).master
    assert not config_from(parsed(["play"])).master
    assert parsed(["run", "--master", "table.toml"]).master
