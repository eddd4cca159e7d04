"""The daemon with a Pico: the real command, the real firmware, a page that shows and answers but moves no pieces."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.games.contract import parse_square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from tests.e2e.conftest import Call, OpenTable
from tests.support.micropython_bridge import SimulatedPico
from tests.support.table_process import Caller, soon, write_config


@pytest.fixture
def pico() -> Iterator[SimulatedPico]:
    """Yield a board with a match set up on it, without power."""
    pico = SimulatedPico()
    for square in Match(MatchStarted("legend", ("Anne", "Bart"), {})).pieces():
        pico.switch(square.rank * 8 + square.file, closed=True)
    yield pico
    pico.close()


def fault(player: Caller) -> str:
    """Return what the page says is broken, or nothing."""
    found = re.search(r'class="fault">.*?</span> ([^<]*)</p>', player.get("/table").text)
    return found[1] if found else ""


def is_closed(player: Caller, square: str) -> bool:
    switches = json.loads(player.get("/switches.json").text)["switches"]
    return any(switch["square"] == square and switch["closed"] for switch in switches)


def hold_roll(pico: SimulatedPico) -> None:
    pico.button("roll", down=True)
    time.sleep(0.2)
    pico.button("roll", down=False)


def test_a_table_with_a_pico_is_played_at_the_board(
    open_table: OpenTable, call: Call, pico: SimulatedPico, tmp_path: Path
) -> None:
    """Started without the board, which then comes, is played on, loses its power, and comes again."""
    device, tape = tmp_path / "ttyACM0", tmp_path / "evening.tape"
    match, board = ("[match]", 'players = ["Cleo", "Dirk"]'), ('board = "pico"', f'device = "{device}"')
    config = write_config(tmp_path, *match, table=board)
    table = open_table("run", config, "--record", tape)
    player = call(table)
    assert fault(player) == f"No board: cannot open {device}: No such file or directory"
    device.symlink_to(pico.path)
    pico.start()
    soon(lambda: fault(player) == "")
    assert player.post("/board/click", {"square": "e2"}).status_code == 404
    before = player.revision()
    hold_roll(pico)
    soon(lambda: player.revision() > before)
    thrown = player.revision()
    e2 = parse_square("e2")
    pico.switch(e2.rank * 8 + e2.file, closed=False)
    soon(lambda: not is_closed(player, "e2"))
    pico.kill()
    pico.start()
    pico.switch(parse_square("e4").rank * 8 + parse_square("e4").file, closed=True)
    soon(lambda: player.revision() > thrown)
    soon(lambda: is_closed(player, "e4"))
    assert player.get("/export/1.json").json()["entries"][-1]["action"] == {"type": "pick", "id": "e2e4"}
    player.pick("done")
    assert "hold roll" in tape.read_text()
