import signal
import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable, SitDown
from tests.support.browser import Visitor
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.browser
STARTS = 5  # stopping takes less than so many starts on the same machine


@pytest.mark.parametrize("nursery", [None], ids=["from-cold"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_table_with_open_pages_stops_at_once(
    sit_down: SitDown, visitor: Visitor, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_a_table_that_lost_its_power_goes_on_where_it_was_and_does_nothing_that_was_clicked_meanwhile(
    sit_down: SitDown, open_table: OpenTable, visitor: Visitor
) -> None:
    anne = sit_down("rounds=1")
    anne.pawn_turn("e2", "e4")
    anne.hold_roll()
    anne.move("e7", "e5")
    before = anne.board(), anne.dice(), anne.tallies(), anne.offers()
    anne.page.evaluate("window.neverReloaded = true")
    visitor.accept("ERR_")
    anne.table.kill()
    expect(anne.page.locator("#connection")).to_be_visible()
    anne.button("done").click()
    expect(anne.page.locator("#toast")).to_contain_text("The table cannot be reached")
    again = open_table("play", "--port", str(anne.table.port))
    assert again.port == anne.table.port
    expect(anne.page.locator("#connection")).to_be_hidden()
    anne.catch_up()
    assert (anne.board(), anne.dice(), anne.tallies(), anne.offers()) == before
    assert anne.page.evaluate("window.neverReloaded")
    anne.end_turn()
    expect(anne.page.locator("#prompt")).to_contain_text("Anne (White): throw the dice")


def test_a_page_closed_while_roll_is_held_lets_go(sit_down: SitDown, visitor: Visitor) -> None:
    anne = sit_down("rounds=1")
    spectator = visitor.open(f"{anne.table.origin}/")
    anne.page.locator("[data-button=roll]").hover()
    anne.page.mouse.down()
    expect(spectator.locator("#dice .tumbling")).to_have_count(6)
    anne.page.close()
    expect(spectator.locator("#dice .tumbling")).to_have_count(0)
