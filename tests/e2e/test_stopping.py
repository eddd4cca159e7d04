import signal
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.patience import PATIENCE_S
from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
STARTS = 5  # stopping takes less than so many starts on the same machine
SitDown = Callable[..., Person]


@pytest.fixture
def nursery() -> None:
    """How long a start takes is measured here, and the command is stopped as people started it."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_table_with_open_pages_stops_at_once(
    sit_down: SitDown, visitor: Visitor, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    """A service manager does not wait, nor should a person at a terminal."""
    anne = sit_down("rounds=1")
    visitor.open(f"{anne.table.origin}/")
    visitor.accept("ERR_")
    began = time.monotonic()
    anne.table.process.send_signal(number)
    code = anne.table.process.wait(PATIENCE_S)
    seconds = time.monotonic() - began
    with capsys.disabled():
        print(f" [{number.name}: ended in {seconds:.2f} s]", end="")
    assert code == 0
    assert seconds < STARTS * anne.table.started_s
    expect(anne.page.locator("#connection")).to_be_visible()


def test_a_table_that_lost_its_power_goes_on_where_it_was(
    sit_down: SitDown, open_table: OpenTable, visitor: Visitor
) -> None:
    """The open page finds it again by itself: same position, same dice, same tallies."""
    anne = sit_down("rounds=1")
    anne.pawn_turn("e2", "e4")
    anne.hold_roll()
    anne.move("e7", "e5")
    before = anne.board(), anne.dice(), anne.tallies(), anne.offers()
    anne.page.evaluate("window.neverReloaded = true")
    visitor.accept("ERR_")
    anne.table.kill()
    expect(anne.page.locator("#connection")).to_be_visible()
    again = open_table("play", "--port", str(anne.table.port))
    assert again.port == anne.table.port
    expect(anne.page.locator("#connection")).to_be_hidden()
    anne.catch_up()
    assert (anne.board(), anne.dice(), anne.tallies(), anne.offers()) == before
    assert anne.page.evaluate("window.neverReloaded")
    anne.end_turn()
    expect(anne.page.locator("#prompt")).to_contain_text("Anne (White): throw the dice")


def test_what_is_done_while_the_line_is_down_is_not_done_later(
    sit_down: SitDown, open_table: OpenTable, visitor: Visitor
) -> None:
    """A click that reached nobody says so, and is forgotten."""
    anne = sit_down("rounds=1")
    visitor.accept("ERR_")
    anne.table.kill()
    expect(anne.page.locator("#connection")).to_be_visible()
    anne.button("roll").click()
    expect(anne.page.locator("#toast")).to_contain_text("The table cannot be reached")
    open_table("play", "--port", str(anne.table.port))
    expect(anne.page.locator("#connection")).to_be_hidden()
    anne.catch_up()
    expect(anne.page.locator("#dice .unthrown")).to_have_count(6)


def test_a_page_closed_while_roll_is_held_lets_go(sit_down: SitDown, visitor: Visitor) -> None:
    """Else the dice would tumble for everybody, for ever."""
    anne = sit_down("rounds=1")
    spectator = visitor.open(f"{anne.table.origin}/")
    anne.page.locator("[data-button=roll]").hover()
    anne.page.mouse.down()
    expect(spectator.locator("#dice .tumbling")).to_have_count(6)
    anne.page.close()
    expect(spectator.locator("#dice .tumbling")).to_have_count(0)
