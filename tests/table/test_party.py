"""Thirty-two at one table: dice, journal, export and links are theirs as they are of two."""

from pathlib import Path
from typing import Final

import pytest

from captains_table.devices.dice_sources import commitment
from captains_table.runtime.seat_links import SeatLinks
from captains_table.storage.key_files import SeatKeyFile
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import MatchStarted, Salted, SeatKind
from captains_table.table.model.match import Match
from tests.support.honest_match import SEED, HonestTable
from tests.support.party import PARTY

HUMAN: Final[SeatKind] = "human"
ALL_HUMAN: Final = tuple(HUMAN for _ in PARTY)


@pytest.mark.slow
def test_every_one_of_thirty_two_salts_the_dice_a_power_cut_costs_nothing_and_the_match_is_proven() -> None:
    table = HonestTable("ship-captain-crew", {"mode": "single"}, ALL_HUMAN, PARTY)
    table.play_on(3, most=70)
    state = table.match.state
    table.cut(60)
    assert table.match.state == state
    table.play_on(4)
    assert [entry.seat for entry in table.entries() if isinstance(entry, Salted)] == list(range(32))
    assert verify_export(table.export()).proven


@pytest.mark.parametrize("game", ["ship-captain-crew", "swashbuckle"])
def test_every_seat_of_thirty_two_has_a_link_of_its_own(game: str, tmp_path: Path) -> None:
    complaints: list[str] = []
    desk = SeatLinks(SeatKeyFile(tmp_path / "seats"), complaints.append)
    desk.open(1, Match(MatchStarted(game, PARTY, {}, commitment(SEED), ALL_HUMAN, 0)))
    keys = [link.key or "" for link in desk.links()]
    assert len(set(keys)) == 32
    assert [desk.seat_of(key) for key in keys] == list(range(32))
    assert complaints == []
