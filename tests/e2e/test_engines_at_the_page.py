"""The real command offers engines: the found Stockfish by itself, others by `--engine`; none delays the start."""

import contextlib
import os
import signal
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.conftest import Call, OpenTable
from tests.support.odd_engines import odd_engine, starts
from tests.support.table_process import Caller, soon
from tests.support.tools import stockfish

pytestmark = pytest.mark.slow


def children(process: int) -> dict[str, int]:
    """Return the names and numbers of the programs that a process and its children have started."""
    found = dict[str, int]()
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        for pid in map(int, tasks.read_text(encoding="ascii").split()):
            with contextlib.suppress(FileNotFoundError):
                found |= {Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip(): pid, **children(pid)}
    return found


def test_stockfish_is_found_and_plays_and_is_not_started_before_its_first_move(
    open_table: OpenTable, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"/usr/bin:/bin:{stockfish().parent.with_name('bin')}")  # as a service's, without games
    table = open_table("play", "chess", "--players", "Anne", "stockfish:3", is_warm=False)
    table.expected_complaints = None  # that it starts slowly, on a busy machine
    caller = call(table)
    assert "Stockfish (Elo 1350)" in caller.get("/table").text
    assert "stockfish" not in children(table.process.pid)
    before = caller.revision()
    caller.move("e2", "e4")
    soon(lambda: "stockfish" in children(table.process.pid))
    soon(lambda: caller.revision() >= before + 2)
    assert "Anne (White): your move" in caller.get("/table").text
    state = tmp_path / "state" / "engines.json"
    soon(lambda: state.exists() and "Stockfish 1" in state.read_text(encoding="utf-8"))
    table.stop()
    again = open_table("play", "chess", "--players", "Anne", "Bart", is_warm=False)
    assert "Stockfish 1" in call(again).get("/new?game=chess").text


def test_a_match_goes_on_when_the_engine_is_killed(open_table: OpenTable, call: Call) -> None:
    assert stockfish()
    table = open_table("play", "chess", "--players", "Anne", "stockfish:9")
    table.expected_complaints = None  # by then it may have answered
    caller = call(table)
    begun = caller.revision()
    for number, squares in enumerate((("e2", "e4"), ("b1", "c3")), start=1):
        caller.move(*squares)
        os.kill(soon(lambda: children(table.process.pid).get("stockfish")), signal.SIGKILL)
        soon(partial(has_come_to, caller, begun + 2 * number))


def has_come_to(caller: Caller, revision: int) -> bool:
    return caller.revision() >= revision


def test_an_engine_that_the_command_names_is_offered_under_its_files_name(
    open_table: OpenTable, call: Call, tmp_path: Path
) -> None:
    path = odd_engine(tmp_path, "none").rename(tmp_path / "oddity")
    table = open_table("play", "captains-chess", "--engine", path, "--players", "oddity:2", "Anne")
    caller = call(table)
    assert "Oddity (Elo 1000)" in caller.get("/table").text
    soon(lambda: "Anne (Black): your move" in caller.get("/table").text)
    assert starts(tmp_path)
