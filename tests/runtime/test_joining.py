"""A table whose page other devices reach shows them the way there, until somebody presses something."""

import asyncio
import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from luma.core.interface.serial import noop

from captains_table import daemon
from captains_table.devices.build import build
from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import Pick, parse_square
from captains_table.runtime.config import TableConfig
from captains_table.runtime.session import Session
from captains_table.runtime.table import Table
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased, SwitchChanged
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View
from captains_table.web.reach import PageReach
from tests.runtime.conftest import on_loop
from tests.support.fake_hardware import FakeHardware

ADDRESS = "http://192.0.2.7:8377/table"


class Shown:
    """A display that keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def show(self, view: View) -> None:
        self.views.append(view)

    def close(self) -> None:
        """Have nothing to close."""


@contextlib.contextmanager
def lobby(folder: Path) -> Iterator[tuple[Session, Shown, Table]]:
    shown = Shown()
    session = Session(Settings(), [shown])
    session.page_address, session.greets = lambda: ADDRESS, True
    file = JournalFile(folder / "journal.sqlite3")
    display = Oled(noop())
    table = Table(session, file, display)
    table.matches.begin("", (), {})
    try:
        yield session, shown, table
    finally:
        table.stop()
        display.close()
        file.close()


Lobby = tuple[Session, Shown, Table]


@pytest.fixture
def opened(runner: asyncio.Runner, tmp_path: Path) -> Iterator[Lobby]:
    yield from on_loop(runner, lobby(tmp_path))


def press(session: Session, button: Button, at_ms: int) -> None:
    session.handle(ButtonPressed(button), at_ms)
    session.handle(ButtonReleased(button), at_ms + 50)


@pytest.mark.parametrize("button", list(Button))
def test_the_first_press_only_takes_the_address_away_and_the_next_one_means_what_it_says(
    opened: Lobby, button: Button
) -> None:
    session, shown, _ = opened
    menu = session.view().menu
    assert shown.views[-1].joining == ADDRESS
    press(session, button, 100)
    assert (shown.views[-1].joining, session.view().menu) == ("", menu)
    press(session, Button.NEXT, 300)
    assert session.view().menu.cursor == (menu.cursor or 0) + 1


def test_an_answer_on_the_page_takes_it_away_and_is_heard_and_pieces_that_are_moved_do_not(opened: Lobby) -> None:
    session, _, table = opened
    session.handle(SwitchChanged(parse_square("e2"), closed=True), 10)
    assert (session.greets, session.view().joining) == (True, ADDRESS)
    for pick in ("new", "game-swashbuckle"):
        table.handle(Answered(Pick(pick)), session.view().revision)
    assert session.view().joining == ""
    assert "players-1" in [entry.id for entry in session.view().menu.entries]


def test_what_is_broken_is_said_first_and_a_match_takes_it_away_for_good(opened: Lobby) -> None:
    session, shown, table = opened
    session.device_faults = lambda: ["The lights do not answer"]
    table.devices_changed()
    assert session.view().joining == ""
    session.device_faults = tuple
    table.devices_changed()
    assert session.view().joining == ADDRESS
    table.matches.new_match("swashbuckle", ("Anne",), {})
    assert shown.views[-1].joining == ""
    session.unload(1000)
    table.matches.begin("", (), {})
    assert session.view().joining == ""


def test_the_address_that_is_shown_follows_the_network(opened: Lobby) -> None:
    """As the first thing to be seen, and where it was asked for; also where there is none for a while."""
    session, shown, table = opened
    for now in ("No network yet", "http://192.0.2.9:8377/table", "http://10.42.0.1:8377/table"):
        table.session.page_address = partial(str, now)
        table.network_changed()
        assert shown.views[-1].joining == now
    press(session, Button.ROLL, 100)
    assert session.view().joining == ""
    session.say("The page", "10.42.0.1:8377/table", "http://10.42.0.1:8377/table")
    for now in ("No network yet", "http://192.0.2.9:8377/table"):
        table.session.page_address = partial(str, now)
        table.network_changed()
        assert session.view().joining == now
        assert session.view().prompt[0] == now.removeprefix("http://")
    press(session, Button.ROLL, 300)
    assert session.view().joining == "", "one step back leads out of it"
    table.network_changed()
    assert session.view().joining == ""


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
@pytest.mark.parametrize(
    ("profile", "host", "is_shown"),
    [("gpio-8x8", "0.0.0.0", True), ("gpio-8x8", "127.0.0.1", False), ("simulated", "0.0.0.0", False)],  # noqa: S104
)
def test_a_glass_shows_where_the_page_is_if_others_reach_it_and_never_the_token(
    profile: str, host: str, *, is_shown: bool, tmp_path: Path
) -> None:
    build_of = load_profile(profile)
    config = TableConfig(profile=profile, host=host, state_dir=tmp_path)
    with contextlib.closing(build(build_of, FakeHardware(build_of))) as devices:
        assert daemon._session(config, devices, PageReach(host, 8377)).greets == is_shown
