"""An engine of others' making plays Captain's Chess: the real one a whole match; odd ones are seen through."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from captains_table import catalog
from captains_table.catalog.entry import JudgedMove
from captains_table.games.captains_chess.exports import position_line
from captains_table.games.captains_chess.fen import parse_fen
from captains_table.games.captains_chess.game import State
from captains_table.games.captains_chess.position import FAIRY_LETTERS
from captains_table.games.contract import Action, Decide, Over, Pick, PickAsk
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy
from captains_table.process.worker_side import encode_line
from captains_table.runtime import uci_engine
from captains_table.runtime.engines import LEVELS, TABLE_LEVELS, engine_opponent, examine
from captains_table.runtime.thinking.client import THOUGHT, ThinkingRequest
from captains_table.runtime.thinking.thinker import ComputerThinker
from captains_table.runtime.uci_engine import (
    BadEngine,
    EngineLevel,
    EnginePlayer,
    EngineProgram,
    SlowEngine,
    UciEngine,
    checked_option,
)
from captains_table.table.model.entries import Acted, MatchStarted
from tests.support.captains_chess_play import GAME, play, start
from tests.support.odd_engines import odd_engine, odd_program, starts
from tests.support.patience import PATIENCE_S
from tests.support.tools import engine

pytestmark = pytest.mark.slow  # most start an engine, which `make fairy` builds

KEY = GAME.key
DIALECT = catalog.dialects()[KEY]
QUICK = EngineLevel("quick", 200)
SHARP = "r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R {} KQkq - 0 1"
CROWDED = "4k4/P1P3P2/9/B6R1/1r6b/9/p1p3p2/4K4 {} - - 0 1"


def opponent_at(path: Path) -> Opponent:
    """Return an engine as `[table] engine` offers it."""
    program = EngineProgram("Engine", str(path), games=(KEY,))
    return engine_opponent(program, KEY, EnginePlayer(program), TABLE_LEVELS)


def judged_by(
    player: EnginePlayer, state: State, level: EngineLevel = QUICK, think_s: float | None = None
) -> JudgedMove:
    return player.judge(DIALECT, state, level, think_s)


def answered(opponent: Opponent, level: int, state: State, think_s: float | None = None) -> Action:
    """Return what an opponent answers in a state, seated for this answer alone."""
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    return seated(opponent, level, think_s)(state, turn)


def seated(opponent: Opponent, level: int, think_s: float | None = None) -> Strategy:
    return opponent.make(level, Means(random.Random(1).randrange, time.monotonic, think_s))


def is_gone(pid: int) -> bool:
    """Return whether nothing is left of a process, not even a zombie."""
    return not Path(f"/proc/{pid}").exists()


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while not is_gone(pid):
        assert time.monotonic() < until, f"process {pid} is still there"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def fairy() -> Iterator[EnginePlayer]:
    player = EnginePlayer(EngineProgram("Fairy", str(engine())), pytest.fail)
    yield player
    player.close()


def test_it_plays_a_whole_match_against_itself_and_every_answer_is_one_that_the_game_offers() -> None:
    opponent = opponent_at(engine())
    both = [seated(opponent, level) for level in (4, 1)]
    state, answers = GAME.start(["Anne", "Bart"], {"clock": "5+3"}), 0
    while not isinstance(turn := GAME.turn(state), Over):
        assert isinstance(turn, Decide)
        assert isinstance(turn.ask, PickAsk)
        action = both[turn.seat](state, turn)
        assert isinstance(action, Pick)
        assert action.id in {option.id for option in turn.ask.options}
        state, answers = GAME.apply(state, action), answers + 1
    assert answers > 4  # an engine of the lowest level may be mated soon


@pytest.mark.parametrize("side", ["w", "b"])
@pytest.mark.parametrize("fen", [SHARP, CROWDED])
def test_it_knows_crowned_pieces_castling_and_what_becomes_of_pieces_on_the_last_rank(
    fen: str, side: str, fairy: EnginePlayer
) -> None:
    state = start(fen.format(side))
    for _ in range(4):
        if not state.position.moves:
            break
        state = play(state, judged_by(fairy, state).move)


def test_it_sees_a_mate_and_says_what_a_position_is_worth(fairy: EnginePlayer) -> None:
    state = start("k8/1p7/1K7/9/9/9/9/8R w - - 0 1")
    judged = judged_by(fairy, state)
    assert (judged.move, judged.value) == ("i1i8+", 29_999)
    assert judged_by(fairy, start("4k4/p8/9/9/9/9/P8/Q3K4 b - - 0 1")).value < -500


def test_it_is_told_what_came_before_and_goes_round_in_circles_where_that_saves_it(fairy: EnginePlayer) -> None:
    state = start("7k1/7p1/9/9/9/2q6/r8/5Q2K w - - 0 1")  # a rook behind, and the king can be checked for ever
    state = play(state, "f1f8", "h8i7", "f8i5", "i7h8", "i5f8", "h8i7")
    assert judged_by(fairy, state, EngineLevel("thorough", 20_000)).value == 0


def test_it_thinks_as_long_as_it_may(fairy: EnginePlayer) -> None:
    began = time.monotonic()
    assert judged_by(fairy, start(), EngineLevel("thorough", 1 << 40), think_s=0.2).move in start().position.moves
    assert time.monotonic() - began >= 0.15


def told(state: State) -> tuple[str, list[str]]:
    match = re.fullmatch(r"position fen (.+?)(?: moves (.+))?", position_line(state))
    assert match is not None
    return match[1], (match[2] or "").split()


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1", ["e2e4", "e7e5", "b1c3", "b8a6", "c3b1"]),
        ("rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR b KQkq - 7 12", ["b8a6", "b1c3", "a6b8", "c3b1", "b8a6"]),
        ("4k3r/9/1p7/9/9/1P7/9/R3K4 w Qk - 3 30", ["e1b1", "e8h8"]),
        ("4k4/1p7/9/2P6/9/9/9/4K4 b - - 0 9", ["b7b5"]),
    ],
)
def test_the_position_it_is_told_leads_with_its_moves_to_where_the_match_stands(fen: str, moves: list[str]) -> None:
    state = play(start(fen), *moves)
    first, played = told(state)
    position = parse_fen(first)
    assert len(played) == len(state.past)
    for id_ in played:
        position = position.play(position.moves[id_])
    assert position == state.position
    sharp = start(SHARP.format("w"))  # an engine knows letters alone
    assert told(sharp)[0] == sharp.position.fen(FAIRY_LETTERS)
    assert "+" not in told(sharp)[0]


def test_a_level_is_kept_within_what_an_engine_offers(tmp_path: Path) -> None:
    running = UciEngine(odd_program(tmp_path), DIALECT)
    running.keep_to(500)
    assert running.ask("isready", "readyok", PATIENCE_S)[0].endswith("name UCI_Elo value 900")
    running.close()


def sent_lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which all lines are added that are sent to engines from now on."""
    said, send = list[str](), UciEngine.send

    def watched(engine: UciEngine, *lines: str) -> None:
        said.extend(lines)
        send(engine, *lines)

    monkeypatch.setattr(UciEngine, "send", watched)
    return said


@pytest.mark.parametrize(
    ("think_s", "go"), [(None, "go nodes 3000"), (0.25, "go nodes 3000 movetime 250")], ids=["level alone", "time too"]
)
def test_time_to_think_is_told_next_to_its_levels_positions(
    think_s: float | None, go: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = sent_lines(monkeypatch)
    answered(opponent_at(odd_engine(tmp_path)), 4, start(), think_s)
    assert [line for line in said if line.startswith("go")][-1] == go


DEBIAN = "Debian's build of fairy-stockfish dies on 9x8 positions"
REMEDY = "'make fairy' builds one that plays it, and says where it is"


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("ends-at-once", f"ended with status 3: expected a UCI engine; {REMEDY}"),
        ("mute", f"said no 'uciok' within 0.6 s: expected a UCI engine; {REMEDY}"),
        ("floods-at-once", f"says too much: more than 8 MB without 'uciok': expected a UCI engine; {REMEDY}"),
        ("knows-no-variants", f"(Plain) plays no variants that can be defined for it: {REMEDY}"),
        ("dies-on-nine-files", "(Oddity 1) ended by signal 11, when it was tried at 'position fen rncb"),
        ("dies-on-nine-files", f"w KQkq - 0 1'. {DEBIAN}: {REMEDY}"),
        ("plays-on-eight-files", "answered 'h1g1', which is no legal move, when it was tried at 'position fen k8/9/9"),
        ("plays-on-eight-files", f"/8K w - - 0 1': {REMEDY}"),
    ],
)
def test_what_does_not_play_on_nine_files_is_refused_with_a_reason_and_a_remedy(
    fault: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "mute":
        monkeypatch.setattr(uci_engine, "START_S", 0.6)
    program = odd_program(tmp_path, fault)
    with pytest.raises(BadEngine, match=re.escape(words)) as refused:
        examine(program)
    assert program.path in str(refused.value)
    assert isinstance(refused.value, SlowEngine) == (fault == "mute")
    assert is_gone(starts(tmp_path)[-1])


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text("no program", encoding="utf-8")
    for path in (tmp_path / "engine", tmp_path / "nothing", tmp_path):
        with pytest.raises(BadEngine, match=r"cannot be run \(.*\): expected a UCI engine; 'make fairy' builds one"):
            examine(EngineProgram("Nothing", str(path)))


def test_one_that_is_slow_to_start_is_waited_for_and_that_is_said_while_it_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_engine, "SLOW_S", 0.2)
    said, program = list[str](), odd_program(tmp_path, "starts-slowly")
    player = EnginePlayer(program, said.append)
    assert judged_by(player, start()).move in start().position.moves
    player.close()
    assert said == [f"The engine {program.path} is still starting", ""]


def answer_of_odd(fault: str, folder: Path, said: list[str]) -> str:
    """Return the move of an engine whose fault shows at its third question, the first one of the match."""
    player = EnginePlayer(odd_program(folder, fault), said.append, said.append)
    try:
        return judged_by(player, start()).move
    finally:
        player.close()


@pytest.mark.parametrize(
    ("fault", "what"), [("dies-once", "ended with status 1"), ("hangs-once", "gave no answer within 3.5 s")]
)
def test_one_that_dies_or_hangs_is_started_again_once_and_that_is_said(
    fault: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_engine, "THINK_S", 0.5)
    monkeypatch.setattr(uci_engine, "SPARE_S", 3.0)
    said = list[str]()
    assert answer_of_odd(fault, tmp_path, said) in start().position.moves
    assert said == [f"The engine {tmp_path / fault} {what}; it is started again"]
    assert len(starts(tmp_path)) == 2
    assert all(is_gone(pid) for pid in starts(tmp_path))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("dies-always", "ended with status 1"),
        ("cheats", "answered 'a1i8', which is no legal move"),
        ("garbles", "answered '\ufffd\ufffd', which is no legal move"),
        ("resigns", "answered '(none)', which is no legal move"),
        ("endless-line", "said a line of more than 65,536 bytes"),
        ("floods", "says too much: more than 1 MB without 'bestmove'"),
        ("floods-with-nothing", "says too much: more than 1 MB without 'bestmove'"),
        ("hangs-up", "closed its line"),
        ("falls-silent", "gave no answer within 3.5 s"),
    ],
)
def test_one_that_fails_twice_at_a_position_is_given_up_and_the_log_names_the_position(
    fault: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uci_engine, "MOST_BYTES", 1 << 20)
    if words.startswith("gave"):
        monkeypatch.setattr(uci_engine, "THINK_S", 0.5)
        monkeypatch.setattr(uci_engine, "SPARE_S", 3.0)
    said, path = list[str](), tmp_path / fault
    with pytest.raises(BadEngine, match=re.escape(f"{path} {words}, twice")):
        answer_of_odd(fault, tmp_path, said)
    assert said == [
        f"The engine {path} {words}; it is started again",
        f"the engine {path} {words} at {position_line(start())!r}",
    ]
    assert len(starts(tmp_path)) == 2
    assert all(is_gone(pid) for pid in starts(tmp_path))


def test_one_that_does_not_count_its_positions_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_engine, "THINK_S", 0.3)
    player = EnginePlayer(odd_program(tmp_path, "thinks-until-stopped"), pytest.fail)
    state = start("k8/9/9/9/9/7p1/7P1/8K w - - 0 1")
    judged = judged_by(player, state)
    assert (judged.move, judged.value) == ("i1h1", 33)
    player.close()


def test_what_one_says_unasked_belongs_to_no_question(tmp_path: Path) -> None:
    assert answer_of_odd("talks-out-of-turn", tmp_path, []) in start().position.moves


# --- options --------------------------------------------------------------------------------------------------------

DECLARED = {
    "Hash": "spin default 16 min 1 max 1024",
    "Own Book": "check default false",
    "Style": "combo default Solid var Solid var Very Risky",
    "EvalFile": "string default <empty>",
    "Clear Hash": "button",
}


def test_options_are_told_as_the_engine_writes_them() -> None:
    given = {"hash": "8", "OWN BOOK": "true", "Style": "Very Risky", "evalfile": "/a b.nnue", "Clear Hash": ""}
    checked = dict(checked_option(DECLARED, name, value) for name, value in given.items())
    assert checked == {
        "Hash": "8",
        "Own Book": "true",
        "Style": "Very Risky",
        "EvalFile": "/a b.nnue",
        "Clear Hash": "",
    }


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("Hush", "8", r"it has no option 'Hush': expected one of Hash, .* .did you mean 'Hash'"),
        ("hash", "0", "its option Hash = '0': expected a whole number from 1 to 1024"),
        ("hash", "1e3", "its option Hash = '1e3': expected a whole number from 1 to 1024"),
        ("own book", "1", "its option Own Book = '1': expected true or false"),
        ("style", "Risky", "its option Style = 'Risky': expected one of Solid, Very Risky"),
    ],
)
def test_options_that_the_engine_does_not_have_are_refused_in_words(name: str, value: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        checked_option(DECLARED, name, value)


def test_the_owners_options_come_before_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = sent_lines(monkeypatch)
    with pytest.raises(BadEngine, match="its option Style = 'Mild': expected one of Solid, Very Risky"):
        examine(odd_program(tmp_path, options={"Style": "Mild"}))
    assert examine(odd_program(tmp_path, options={"hash": "2", "style": "Very Risky"})).name == "Oddity 1"
    assert "setoption name Style value Very Risky" in said
    assert [line for line in said if "Hash" in line][-1] == "setoption name Hash value 2"


# --- levels ---------------------------------------------------------------------------------------------------------


def test_one_that_cannot_limit_its_strength_looks_at_fewer_positions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, program = sent_lines(monkeypatch), odd_program(tmp_path, "cannot-limit-itself")
    assert examine(program).elo is None
    player = EnginePlayer(program, pytest.fail)
    judged_by(player, start(), LEVELS[1])
    judged_by(player, start(), LEVELS[9])
    player.close()
    assert [line for line in said if line.startswith("go")][-2:] == ["go nodes 100", "go nodes 200000"]
    assert not any("UCI_" in line and "Variant" not in line for line in said)


def test_one_process_serves_all_levels_and_ends_with_the_opponent(tmp_path: Path) -> None:
    opponent = opponent_at(odd_engine(tmp_path))
    for level in opponent.levels:
        answered(opponent, level, start())
    (pid,) = starts(tmp_path)
    del opponent
    wait_until_gone(pid)


def test_one_that_is_in_order_is_named_and_ended(tmp_path: Path) -> None:
    facts = examine(odd_program(tmp_path))
    assert (facts.name, facts.elo, dict(facts.refused)) == ("Oddity 1", (900, 1400), {})
    assert all(is_gone(pid) for pid in starts(tmp_path))


def test_one_that_does_not_end_by_itself_is_ended(tmp_path: Path) -> None:
    running = UciEngine(odd_program(tmp_path, "never-ends"), DIALECT)
    pid = running._worker.pid
    assert pid is not None
    running.close()
    assert is_gone(pid)


SEATS = ("engine:2", "boreas:1")
STARTED = MatchStarted("captains-chess", SEATS, {}, kinds=("computer", "computer"))


def test_it_sits_at_the_table_is_started_again_when_it_was_killed_and_dies_with_the_process_that_thinks(
    tmp_path: Path,
) -> None:
    path = odd_engine(tmp_path, "never-ends")
    programs = msgspec.json.encode([EngineProgram("Engine", str(path), games=(KEY,))]).decode()
    command = [sys.executable, "-m", "captains_table.runtime.thinking.thinker", "--engines", programs]
    question = encode_line(ThinkingRequest(0, (STARTED,), SEATS[0], 0))
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as thinker:
        assert thinker.stdin is not None
        assert thinker.stdout is not None
        for is_killed in (True, False):
            thinker.stdin.write(question)
            thinker.stdin.flush()
            thought = THOUGHT.decode(next(line for line in thinker.stdout if b"action" in line))
            assert isinstance(thought.action, Pick)
            if is_killed:
                os.kill(starts(tmp_path)[0], signal.SIGKILL)
        thinker.kill()
        said = thinker.communicate()[1].decode()
    assert f"The engine {path} ended by signal 9; it is started again" in said
    first, second = starts(tmp_path)
    wait_until_gone(first)
    wait_until_gone(second)


def test_one_that_cannot_be_played_against_is_an_answer_in_words_and_others_still_play(tmp_path: Path) -> None:
    opponents = {"engine": opponent_at(odd_engine(tmp_path, "dies-on-nine-files"))}
    mind = ComputerThinker(lambda game: {**catalog.opponents_of(game), **opponents}, time.monotonic)
    with pytest.raises(BadEngine, match="Debian's build of fairy-stockfish dies on 9x8 positions"):
        mind.answer(ThinkingRequest(0, (STARTED,), SEATS[0], 0))
    moved = Acted(1, 0, 1000, Pick("e2e4"))
    assert isinstance(mind.answer(ThinkingRequest(1, (moved,), SEATS[1], 1)), Pick)
    assert len(starts(tmp_path)) == 1
