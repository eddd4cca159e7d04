"""A club under many tables, as `make club-load` has it; here fewer of them, and for a short while."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.club_load.halls import Brokers
from tests.club_load.load import Load, put_under
from tests.club_load.recorded import PLAYED, Reel, recorded
from tests.support.effort import LONG_RUN, effort

TABLES, DAEMONS = effort(8, 50), effort(0, 1)
SECONDS = effort(4, 60)
VIEWS = effort(6, 200)
GAMES = effort(5, 10)


@pytest.mark.waits
@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("brokers", list(Brokers) if LONG_RUN else [Brokers.ONE])
def test_of_what_many_tables_say_nothing_is_lost_and_all_results_are_kept_once(
    brokers: Brokers, tmp_path: Path, browser: Browser
) -> None:
    """Views are counted by their numbers; the last of each table is on its page, and views come to the wall."""
    reels = [Reel(recorded(played, number, VIEWS)) for number, played in enumerate(PLAYED[:GAMES], 1)]
    assert {reel.game for reel in reels} == {
        "captains-chess",
        "crowns",
        "legend",
        "ship-captain-crew",
        "swashbuckle",
    }
    found = put_under(Load(TABLES, SECONDS, DAEMONS, brokers, reels), tmp_path, browser)
    assert found.lost() == []
    assert [(table.lost, table.n) for table in found.tables] == [(0, SECONDS)] * TABLES
    assert len(found.results) >= TABLES
    assert min(found.ages_ms) > 0
    assert [heard.views > 1 for heard in found.heard.values()] == [True] * DAEMONS
