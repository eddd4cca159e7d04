"""`make club`, small: a table plays, its results are on the wall, and Ctrl-C ends all."""

import os
import re
import signal
import socket
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from captains_table.club.config import read_club_config
from captains_table.reporting.broker import read_password
from captains_table.reporting.messages import DISPLAY_USER, ROOT, discovery_topic
from tests.clubroom import room
from tests.clubroom.crew import Crew
from tests.clubroom.programme import SHORT, SHORT_CONTEST
from tests.clubroom.room import Room
from tests.support.broker_guest import Guest
from tests.support.browser import Visitor
from tests.support.listening_process import AddressedProcess
from tests.support.pages import Answer, Pages
from tests.support.patience import PATIENCE_S

SOURCE = Path(__file__).parents[2]
WALL = re.compile(r"^The wall is at (?P<address>http://\S+)$", re.MULTILINE)
NAMES = re.compile("(Anke|Bram|Cato) (beats|and)")


class Demonstration(AddressedProcess):
    """The program of `make club`, in a session of its own as in a terminal."""

    def __init__(self, folder: Path) -> None:
        self.kept_in = folder / "temporary"
        self.kept_in.mkdir()
        around = (f"TMPDIR={self.kept_in}", f"PYTHONPATH={SOURCE}")
        program = ("setsid", "env", *around, sys.executable, "-m", "tests.clubroom")
        super().__init__(["--tables", "1", "--short"], folder, "club", WALL, program)

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
    """Sign in as the display: the table is found as a device, and every topic that it names is there to be heard."""
    (club,) = demonstration.kept_in.glob("*/the club's own")
    port = read_club_config(club / "config.toml").broker.port
    with Guest(port, club / "ca.crt", DISPLAY_USER, read_password(club / "display-password")) as display:
        display.listen("#")
        heard, named = dict[str, bytes](), set[str]()
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not (named and named <= heard.keys()):
            heard |= dict(display.heard_within(1.0))
            named = set(re.findall(rf'"({ROOT}/[^"]+)"', heard.get(discovery_topic("table-1"), b"").decode()))
    assert named
    assert named <= {topic for topic in heard if topic.startswith(f"{ROOT}/table-1/")}, "no topic in vain"
    assert not [topic for topic in heard if "/club/" in topic]


class SlowPages(Pages):
    """The arbiter's pages of a club that is too slow, then refuses, then has paired the last round."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:1")
        self.answers: list[Answer | OSError] = [
            TimeoutError("timed out"),
            Answer(503, "full", ""),
            Answer(409, "paired", ""),
        ]

    def post(self, path: str, fields: Mapping[str, str] = {}) -> Answer:  # noqa: ARG002 - whatever is asked
        answer = self.answers.pop(0)
        if not isinstance(answer, Answer):
            raise answer
        return answer


def test_an_evening_goes_on_though_the_club_answers_too_late_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither the arbiter nor a crew at a table that is gone ends it."""
    monkeypatch.setattr(room, "ROUND_S", 0.0)
    monkeypatch.setattr(room, "SHORT_PAUSE_S", 0.0)
    evening = object.__new__(Room)  # without its processes
    slow = SlowPages()
    evening.__dict__ |= {
        "_contest": SHORT_CONTEST,
        "_short": True,
        "_looked_s": 0.0,
        "tables": [],
        "crews": [Crew("http://127.0.0.1:1", SHORT[0])],
        "_arbiter": Namespace(pages=slow),
    }
    for _ in range(3):
        evening.look_after()
    assert slow.answers == []

    def too_slow(*_: object) -> None:
        raise TimeoutError("timed out")

    evening.__dict__ |= {"_arbiter": None, "club": Namespace(wait_until=lambda holds, _: holds(), health=too_slow)}
    monkeypatch.setattr(room, "Arbiter", lambda _: Namespace(make_swiss=too_slow))
    evening.open_event()
    assert evening._arbiter is None
    assert capsys.readouterr().err == "There is no event, as the club did not answer in time: timed out\n"


@pytest.mark.slow
@pytest.mark.browser
def test_an_event_is_played_whose_results_are_on_the_wall_until_it_is_interrupted(
    demonstration: Demonstration, visitor: Visitor
) -> None:
    address = demonstration.address()
    page = visitor.open(address)
    expect(page.locator("body")).to_contain_text("Table 1")
    expect(page.locator("#standings")).to_contain_text("Round 2 of 2")  # paired from what came back of the first
    expect(page.locator("#news")).to_contain_text(NAMES)
    page.close()
    look_on_as_home_assistant_does(demonstration)
    assert demonstration.interrupt() == 0, demonstration.complaints
    assert demonstration.complaints == ""
    assert demonstration.is_over()
    assert list(demonstration.kept_in.iterdir()) == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=PATIENCE_S)
