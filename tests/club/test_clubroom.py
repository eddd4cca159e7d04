"""`make club` as somebody calls it, small: two tables play, their results are on the wall, and Ctrl-C ends all."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from captains_table.club.config import read_club_config
from captains_table.reporting.broker import read_password
from captains_table.reporting.messages import DISPLAY_USER, ROOT, discovery_topic
from tests.support.broker_guest import Guest
from tests.support.browser import Visitor
from tests.support.patience import PATIENCE_S
from tests.support.told_address import STEP_S

SOURCE = Path(__file__).parents[2]
WALL = re.compile(r"^The wall is at (http://\S+)$", re.MULTILINE)
NAMES = re.compile("(Anke|Bram|Cato|Daan) (beats|and)")


class Demonstration:
    """The program of `make club`, in a session of its own as in a terminal."""

    def __init__(self, folder: Path) -> None:
        self._out = folder / "out.txt"
        self.kept_in = folder / "temporary"
        self.kept_in.mkdir()
        command = [sys.executable, "-m", "tests.clubroom", "--tables", "2", "--short"]
        environment = os.environ | {"TMPDIR": str(self.kept_in), "PYTHONPATH": str(SOURCE)}
        with self._out.open("w") as out:
            self.process = subprocess.Popen(
                command, cwd=SOURCE, env=environment, stdout=out, stderr=out, start_new_session=True
            )

    def wall(self) -> str:
        """Return the wall's address, as soon as it is printed."""
        patience = time.monotonic() + PATIENCE_S
        while (found := WALL.search(self.words)) is None:
            assert self.process.poll() is None, self.words
            assert time.monotonic() < patience, self.words
            time.sleep(STEP_S)
        return found[1]

    @property
    def words(self) -> str:
        return self._out.read_text()

    def interrupt(self) -> int:
        """Press Ctrl-C, which every process of a terminal hears, and return the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(PATIENCE_S)

    def is_over(self) -> bool:
        """Return whether no process of it is left."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False


@pytest.fixture
def demonstration(tmp_path: Path) -> Iterator[Demonstration]:
    shown = Demonstration(tmp_path)
    try:
        yield shown
    finally:
        if not shown.is_over():
            os.killpg(shown.process.pid, signal.SIGKILL)
        shown.process.wait(PATIENCE_S)


def look_on_as_home_assistant_does(demonstration: Demonstration) -> None:
    """Sign in as the display: each table is found as a device, and whatever that names is there to be heard."""
    (club,) = demonstration.kept_in.glob("*/club")
    port = read_club_config(club / "config.toml").broker.port
    with Guest(port, club / "ca.crt", DISPLAY_USER, read_password(club / "display-password")) as display:
        display.listen("#")
        heard = dict(display.payloads_within(1.0))
    for user in ("table-1", "table-2"):
        device = json.loads(heard[discovery_topic(user)])
        named = set(re.findall(rf'"({ROOT}/[^"]+)"', json.dumps(device)))
        assert named
        assert named <= {topic for topic in heard if topic.startswith(f"{ROOT}/{user}/")}, "no topic in vain"
    assert not [topic for topic in heard if "/club/" in topic]


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    visitor.leave()


@pytest.mark.slow
@pytest.mark.browser
def test_two_tables_play_an_event_whose_results_are_on_the_wall_until_it_is_interrupted(
    demonstration: Demonstration, visitor: Visitor
) -> None:
    address = demonstration.wall()
    page = visitor.open(address)
    expect(page.locator("body")).to_contain_text("Table 2")
    expect(page.locator("#standings")).to_contain_text("Round 2 of 2")  # paired from what came back of the first
    expect(page.locator("#news")).to_contain_text(NAMES)
    page.close()
    look_on_as_home_assistant_does(demonstration)
    assert demonstration.interrupt() == 0, demonstration.words
    assert "Traceback" not in demonstration.words
    assert demonstration.is_over()
    assert list(demonstration.kept_in.iterdir()) == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=PATIENCE_S)
