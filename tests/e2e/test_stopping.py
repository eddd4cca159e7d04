import signal
import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Call, OpenTable, SitDown
from tests.support.browser import Visitor
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.browser
STARTS = 5  # stopping takes less than so many starts on the same machine


def test_a_table_with_open_pages_stops_at_once(open_table: OpenTable, visitor: Visitor) -> None:
    table = open_table("play", "--players", "Anne", "Bart", is_warm=False)
    page = visitor.open(table.printed)
    visitor.open(f"{table.origin}/")
    visitor.accept("ERR_")
    began = time.monotonic()
    table.process.send_signal(signal.SIGTERM)
    assert table.process.wait(PATIENCE_S) == 0
    assert time.monotonic() - began < STARTS * table.started_s
    expect(page.locator("#connection")).to_be_visible()


def test_a_table_that_lost_its_power_goes_on_where_it_was_and_does_nothing_that_was_clicked_meanwhile(
    sit_down: SitDown, open_table: OpenTable, call: Call, visitor: Visitor
) -> None:
    """The display for a room comes back by itself, and as the new program draws it."""
    anne = sit_down("rounds=1")
    call(anne.table).play_one_turn("e2e4")
    anne.catch_up()
    anne.hold_roll()
    anne.move("e7", "e5")
    before = anne.board(), anne.dice(), anne.tallies(), anne.offers()
    anne.page.evaluate("window.neverReloaded = true")
    display = visitor.open(f"{anne.table.origin}/", viewport={"width": 1920, "height": 1080})
    boot = display.locator("body").get_attribute("data-boot")
    visitor.accept("ERR_")
    anne.table.kill()
    for page in (anne.page, display):
        expect(page.locator("#connection")).to_be_visible()
    expect(display.locator("#prompt")).to_contain_text("Bart (Black)")
    anne.button("done").click()
    expect(anne.page.locator("#toast")).to_contain_text("The table cannot be reached")
    again = open_table("play", "--port", str(anne.table.port))
    assert again.port == anne.table.port
    for page in (anne.page, display):
        expect(page.locator("#connection")).to_be_hidden()
    expect(display.locator(f'body:not([data-boot="{boot}"])')).to_be_attached()
    expect(display.locator("#prompt")).to_contain_text("Bart (Black)")
    anne.catch_up()
    assert (anne.board(), anne.dice(), anne.tallies(), anne.offers()) == before
    assert anne.page.evaluate("window.neverReloaded")
    anne.end_turn()
    expect(anne.page.locator("#prompt")).to_contain_text("Anne (White): throw the dice")


def test_a_page_closed_while_roll_is_held_lets_go_and_ctrl_c_stops_the_table(
    sit_down: SitDown, visitor: Visitor
) -> None:
    anne = sit_down("rounds=1")
    spectator = visitor.open(f"{anne.table.origin}/")
    anne.page.locator("[data-button=roll]").hover()
    anne.page.mouse.down()
    expect(spectator.locator("#dice .tumbling")).to_have_count(6)
    anne.page.close()
    expect(spectator.locator("#dice .tumbling")).to_have_count(0)
    visitor.accept("ERR_")
    anne.table.process.send_signal(signal.SIGINT)
    assert anne.table.process.wait(PATIENCE_S) == 0
