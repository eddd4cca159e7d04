"""A club under many tables, as `make club-load` has it; here fewer of them, and for a short while."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.club_load.halls import Brokers
from tests.club_load.load import Load, put_under
from tests.club_load.recorded import PLAYED, recorded
from tests.club_load.reels import Reel
from tests.support.effort import LONG_RUN, effort

TABLES = effort(25, 50)
SECONDS = effort(12, 60)
VIEWS = effort(8, 200)


@pytest.mark.waits
@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("brokers", list(Brokers) if LONG_RUN else [Brokers.ONE])
def test_of_what_many_tables_say_nothing_is_lost_and_all_results_are_kept_once(
    brokers: Brokers, tmp_path: Path, browser: Browser
) -> None:
    """Views are counted by their numbers; the last of each table is on its page, and views come to the wall."""
    reels = [Reel(recorded(played, number, VIEWS)) for number, played in enumerate(PLAYED, 1)]
    assert {reel.game for reel in reels} == {
        "captains-chess",
        "crowns",
        "legend",
        "ship-captain-crew",
        "swashbuckle",
    }
    found = put_under(Load(TABLES - 1, SECONDS, 1, brokers, reels), tmp_path, browser)
    assert found.lost() == []
    assert found.shown.lost == 0
    assert sum(found.shown.views.values()) == (TABLES - 1) * SECONDS
    assert len(found.results) >= TABLES - 1
    assert min(found.ages_ms) > 0
    assert found.heard["daemon-1"].views > 1
