"""Whole matches against computers by the simulated switches and the buttons; they think in their own process."""

import asyncio
import time
from pathlib import Path

import pytest

from captains_table.runtime.table import Table
from captains_table.table.model.view import Phase
from tests.e2e.test_against_computers import LADDER, MATE
from tests.support.against_computers import AtTheTable
from tests.support.patience import PATIENCE_S
from tests.support.quick_computers import quick_computers
from tests.support.service_at_work import at_a_table

LOOK_S = 0.005
MOST_S = 6 * PATIENCE_S
MATCHES = {
    "legend": ({"rounds": "1", "turn_limit": "2"}, ("aether:1", "Anne"), ()),
    "captains-chess": ({"fen": LADDER.removeprefix("fen=")}, ("Anne", "boreas:2"), MATE),
    "ship-captain-crew": ({"target": "15"}, ("zephyr:1", "Anne", "zephyr:2"), ()),
    "swashbuckle": ({}, ("eurus:2", "Anne"), ()),
}


@pytest.mark.parametrize("game", MATCHES)
def test_a_whole_match_against_computers_by_switches_and_buttons(game: str, tmp_path: Path) -> None:
    options, names, plan = MATCHES[game]

    async def play(table: Table) -> None:
        table.matches.new_match(game, names, options)
        player = AtTheTable(table, plan)
        deadline = time.monotonic() + MOST_S
        while not player.do():
            assert time.monotonic() < deadline, table.view()
            await asyncio.sleep(LOOK_S)
        view = table.view()
        assert view.phase is Phase.OVER
        assert view.faults == ()
        assert view.result is not None

    with quick_computers(is_watched=False):
        at_a_table(tmp_path, play)
