"""Broker killed and full, server killed, lines slow and cut, a table away: an event ends as if nothing had been."""

from pathlib import Path

import pytest

from captains_table.club.events.entries import Made, System
from captains_table.club.events.event import event_of
from captains_table.club.events.standings import standings
from captains_table.club.events.trf import trf_of
from captains_table.club.events.trf_reading import entries_of_trf
from captains_table.runtime.club_line import connection
from tests.club_load.disturbed_evening import Swiss, hold_disturbed, lost_or_changed
from tests.club_load.light_table import GAME
from tests.support.club_process import WITHOUT_WORKERS
from tests.support.effort import LONG_RUN

SWISS = Swiss(20, 7, 11, 4, away_s=60, every_s=0.5) if LONG_RUN else Swiss(6, 5, 3, 4, away_s=1, every_s=0.5)


@pytest.mark.waits
@pytest.mark.slow
@pytest.mark.long
def test_an_event_at_which_everything_fails_once_ends_as_the_undisturbed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches are played by computers at tables with the real journal and the real line to the club.

    Every result is kept once; the report, with its pairings and results, is the library's own, and is read again.
    """
    monkeypatch.setattr(connection, "SENT_AGAIN_S", 1.0)
    undisturbed = SWISS.undisturbed().event
    held = hold_disturbed(SWISS, tmp_path, WITHOUT_WORKERS)
    assert lost_or_changed(SWISS, held, tmp_path) == []
    played = [match for round_ in undisturbed.rounds for match in round_.matches if match.reports]
    assert len(held.ended) > len(played)
    assert all(back.waited > 1 for back in held.back)
    assert held.back
    again = event_of(entries_of_trf(held.report, Made(title="x", game=GAME, system=System.SWISS, rounds=1), "again-"))
    assert [(line.player, line.halves) for line in standings(again)] == [
        (line.player, line.halves) for line in standings(undisturbed)
    ]
    assert trf_of(again) == held.report
