"""Debian's Stockfish plays chess: found without being started, and replaced when it is killed or stands still."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Timer

import msgspec
import pytest

from captains_table import catalog, daemon
from captains_table.games.chess import Chess
from captains_table.games.chess.state import State
from captains_table.games.contract import Decide, Over, Pick, PickAsk
from captains_table.players.common.opponents import Means
from captains_table.process.worker import Worker
from captains_table.process.worker_side import encode_line
from captains_table.runtime import uci_engine
from captains_table.runtime.config import TableConfig
from captains_table.runtime.engines import ENGINES, LEVELS, FactFile, engine_opponent, find_stockfish
from captains_table.runtime.table import Table
from captains_table.runtime.thinking.client import THOUGHT, ThinkingRequest
from captains_table.runtime.uci_engine import BadEngine, EngineLevel, EnginePlayer, EngineProgram
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.view import Phase
from tests.support.against_computers import MATE, AtTheTable
from tests.support.effort import LONG_RUN, effort
from tests.support.patience import PATIENCE_S
from tests.support.quick_computers import quick_computers
from tests.support.service_at_work import OpenTable
from tests.support.tools import stockfish

pytestmark = pytest.mark.slow

GAME = Chess()
DIALECT = catalog.dialects()[GAME.key]
ENDLESS = EngineLevel("without end", 1 << 40)
LADDER = {"fen": "4k3/8/R7/7p/8/8/8/1R2K3 w - - 0 1"}


def program() -> EngineProgram:
    return EngineProgram("Stockfish", str(stockfish()), games=(GAME.key,))


def start(**options: str) -> State:
    return GAME.start(("Anne", "Bart"), options)


def played(state: State, *ids: str) -> State:
    for id_ in ids:
        state = GAME.apply(state, Pick(id_))
    return state


@pytest.fixture
def player() -> Iterator[EnginePlayer]:
    player = EnginePlayer(program(), pytest.fail)
    yield player
    player.close()


@pytest.mark.parametrize("options", [{}, {"start": "0"}, {"clock": "5+3"}], ids=["usual", "Chess960", "clock"])
def test_it_plays_against_itself_and_every_answer_is_one_that_the_game_offers(
    options: dict[str, str], player: EnginePlayer
) -> None:
    opponent = engine_opponent(program(), GAME.key, player, LEVELS)
    both = [opponent.make(level, Means(lambda _: 0, time.monotonic)) for level in (3, 1)]
    state = start(**options)
    for _ in range(effort(60, 600)):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            break
        assert isinstance(turn, Decide)
        assert isinstance(turn.ask, PickAsk)
        state = GAME.apply(state, both[turn.seat](state, turn))
    assert state.position.number > 4


BARE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
SHUFFLED = "1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1"


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        (BARE, ("e1g1", "e8c8")),
        (SHUFFLED, ("e1g1", "e8b8")),
        ("4k3/1P6/8/8/8/8/6p1/4K3 w - - 0 1", ("b7b8q", "e8e7", "b8b1", "g2g1n")),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", ("d2d4", "e4d3")),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", ("a1a2", "e8e7", "a2a1", "e7e8", "a1a2", "e8e7")),
    ],
    ids=["castling", "castling in Chess960", "promotion", "en passant", "repetition"],
)
def test_it_is_told_every_kind_of_move(fen: str, moves: Sequence[str], player: EnginePlayer) -> None:
    """An engine takes a line with a move that it does not know for a shorter one, and answers for the wrong side."""
    state = played(start(fen=fen), *moves)
    assert player.judge(DIALECT, state, EngineLevel("quick", 500)).move in state.position.moves


def test_it_sees_a_mate_and_is_told_of_a_match_of_chess960_and_back(player: EnginePlayer) -> None:
    mate = start(fen="k7/8/1K6/8/8/8/8/7R w - - 0 1")
    castles = start(fen="3k4/8/8/8/8/8/8/R2K2NR w HA - 0 1")
    for state in (mate, castles, mate):
        judged = player.judge(DIALECT, state, EngineLevel("quick", 2_000))
        assert judged.move in state.position.moves
    assert (judged.move, judged.value) == ("h1h8", 29_999)


# --- failing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_one_that_is_killed_or_stands_still_while_it_thinks_is_replaced(
    how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_engine, "SPARE_S", 3.0)
    said, pids = list[str](), list[int]()

    def started(engine: uci_engine.UciEngine) -> None:
        pid = pid_of(engine._worker)
        pids.append(pid)
        if len(pids) == 1:
            Timer(0.3, os.kill, (pid, how)).start()

    player = EnginePlayer(program(), said.append, pytest.fail, started)
    state = start()
    assert player.judge(DIALECT, state, ENDLESS, think_s=0.8).move in state.position.moves
    what = "ended by signal 9" if how is signal.SIGKILL else "gave no answer within 4.8 s"
    assert said == [f"The engine {program().path} {what}; it is started again"]
    assert len(set(pids)) == 2
    assert not Path(f"/proc/{pids[0]}").exists()
    player.close()
    assert not Path(f"/proc/{pids[1]}").exists()


def pid_of(worker: Worker[str]) -> int:
    assert worker.pid is not None
    return worker.pid


def test_it_cannot_play_chess960_without_the_option_for_it(
    player: EnginePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.judge(DIALECT, start(), EngineLevel("quick", 100))
    assert player._engine is not None
    less = {name: told for name, told in player._engine._declared.items() if name != "UCI_Chess960"}
    monkeypatch.setattr(player._engine, "_declared", less)
    with pytest.raises(BadEngine, match=r"stockfish \(Stockfish .*\) cannot play this: it has no option UCI_Chess960"):
        player.judge(DIALECT, start(start="0"), EngineLevel("quick", 100))
    assert player.judge(DIALECT, start(), EngineLevel("quick", 100)).move


# --- at a table -----------------------------------------------------------------------------------------------------


def test_its_name_is_known_once_it_has_moved(tmp_path: Path) -> None:
    found, file = find_stockfish(), tmp_path / ENGINES
    assert found is not None
    assert found.games == (GAME.key,)
    programs = msgspec.json.encode([found]).decode()
    command = (sys.executable, "-m", "captains_table.runtime.thinking.thinker", "--engines", programs)
    started = MatchStarted(GAME.key, ("stockfish:3", "Anne"), {}, kinds=("computer", "human"))
    question = encode_line(ThinkingRequest(0, (started,), "stockfish:3", 0))

    async def answer() -> object:
        worker = Worker((*command, "--facts", str(file)), THOUGHT.decode)
        await worker.start()
        thought = await worker.ask(question)
        await asyncio.to_thread(worker.close)
        return thought.action

    assert isinstance(asyncio.run(answer()), Pick)
    facts = FactFile(file).find(found)
    assert facts is not None
    assert facts.name.startswith("Stockfish ")
    assert facts.elo is not None


async def play_to_the_end(
    table: Table, names: Sequence[str], options: dict[str, str], plan: Sequence[tuple[str, str]] = ()
) -> None:
    with quick_computers(is_watched=False):
        table.matches.new_match(GAME.key, names, options)
        person, deadline = AtTheTable(table, plan), time.monotonic() + 6 * PATIENCE_S
        while not person.do():
            assert time.monotonic() < deadline, table.view()
            await asyncio.sleep(0.005)
    view = table.view()
    assert (view.phase, view.faults) == (Phase.OVER, ())
    assert view.result is not None


async def test_a_person_mates_it_at_the_simulated_board(open_table: OpenTable, tmp_path: Path) -> None:
    with open_table() as table:
        daemon._offer_engines(table, TableConfig(state_dir=tmp_path))
        await play_to_the_end(table, ("Anne", "stockfish:3"), LADDER, MATE)
        result = table.view().result
        assert result is not None
        assert result.winner == 0


@pytest.mark.long
async def test_it_plays_a_whole_match_at_the_simulated_board(open_table: OpenTable, tmp_path: Path) -> None:
    with open_table() as table:
        daemon._offer_engines(table, TableConfig(state_dir=tmp_path))
        await play_to_the_end(table, ("stockfish:9", "stockfish:3"), {} if LONG_RUN else LADDER)
