"""Whole matches against computers by the simulated switches and the buttons; they think in their own process."""

import asyncio
import time

import pytest

from captains_table.runtime.table import Table
from captains_table.table.model.view import Phase
from tests.support.against_computers import LADDER, MATE, AtTheTable
from tests.support.effort import effort
from tests.support.patience import PATIENCE_S
from tests.support.quick_computers import quick_computers

LOOK_S = 0.005
MOST_S = 6 * PATIENCE_S
MATCHES = {
    "legend": ({"rounds": "1", "turn_limit": "2"}, ("aether:1", "Anne"), ()),
    "captains-chess": ({"fen": LADDER.removeprefix("fen=")}, ("Anne", "boreas:2"), MATE),
    "ship-captain-crew": ({"target": "15"}, ("zephyr:1", "Anne", "zephyr:2"), ()),
    "swashbuckle": ({}, ("eurus:2", "Anne"), ()),
}


@pytest.mark.long
@pytest.mark.parametrize("game", list(MATCHES)[: effort(3, 4)])
async def test_a_whole_match_against_computers_by_switches_and_buttons(game: str, table: Table) -> None:
    options, names, plan = MATCHES[game]
    with quick_computers(is_watched=False):
        table.matches.new_match(game, names, options)
        player = AtTheTable(table, plan)
        deadline = time.monotonic() + MOST_S
        while not player.do():
            assert time.monotonic() < deadline, table.view()
            await asyncio.sleep(LOOK_S)
        view = table.view()
        assert (view.phase, view.faults) == (Phase.OVER, ())
        assert view.result is not None
