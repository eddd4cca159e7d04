"""What tests of a club share: a broker, a server's settings, somebody with a browser; rounds are paired at once."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from captains_table.club.events.entries import EventEntry, RoundPaired
from captains_table.club.events.event import event_of
from captains_table.club.events.pairing import next_round
from captains_table.club.pairing_worker import PairingWorker
from tests.support.browser import Visitor
from tests.support.club_process import configured
from tests.support.mosquitto import Mosquitto


@pytest.fixture(autouse=True, scope="module")
def pairs_here() -> Iterator[None]:
    """Pair rounds in this process: a worker for each would be most of the work (test_pairing_beside has workers)."""

    async def pair_here(_: PairingWorker, entries: Sequence[EventEntry], prefix: str) -> RoundPaired:
        return next_round(event_of(entries), prefix)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PairingWorker, "pair", pair_here)
        yield


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def config(tmp_path: Path, mosquitto: Mosquitto) -> Path:
    return configured(tmp_path, mosquitto.port)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser, is_plain=True)
    yield visitor
    visitor.leave()
