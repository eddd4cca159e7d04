"""Thirty-two at one table: dice, journal, export and links are theirs as they are of two."""

from pathlib import Path
from typing import Final

import pytest

from captains_table.runtime.seat_links import SeatLinks
from captains_table.storage.key_files import SeatKeyFile
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Salted, SeatKind
from tests.support.honest_match import HonestTable
from tests.support.party import PARTY

HUMAN: Final[SeatKind] = "human"
ALL_HUMAN: Final = tuple(HUMAN for _ in PARTY)


@pytest.mark.slow
def test_every_one_of_thirty_two_has_a_link_salts_the_dice_and_the_match_is_proven_over_a_power_cut(
    tmp_path: Path,
) -> None:
    table = HonestTable("ship-captain-crew", {"mode": "single"}, ALL_HUMAN, PARTY)
    complaints: list[str] = []
    links = SeatLinks(SeatKeyFile(tmp_path / "seats"), complaints.append)
    links.open(1, table.match)
    keys = [link.key or "" for link in links.links()]
    assert len(set(keys)) == 32
    assert [links.seat_of(key) for key in keys] == list(range(32))
    assert complaints == []
    table.play_on(3, most=70)
    state = table.match.state
    table.cut(60)
    assert table.match.state == state
    table.play_on(4)
    assert [entry.seat for entry in table.entries() if isinstance(entry, Salted)] == list(range(32))
    assert verify_export(table.export()).proven
