"""The display for a room, with a real table that goes away under it and comes back."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor


@pytest.mark.browser
def test_the_display_comes_back_by_itself_and_as_the_new_program_draws_it(
    open_table: OpenTable, visitor: Visitor
) -> None:
    visitor.accept("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET")
    first = open_table("play", "swashbuckle", "order=seated", "--players", "Anne", "Bart")
    display = visitor.open(f"{first.origin}/", viewport={"width": 1920, "height": 1080})
    expect(display.locator("#prompt")).to_contain_text("Anne: throw the dice")
    boot = display.locator("body").get_attribute("data-boot")
    first.kill()
    expect(display.locator("#connection")).to_be_visible()
    expect(display.locator("#prompt")).to_contain_text("Anne: throw the dice")
    open_table("matches", "resume", "1", "--port", str(first.port))
    expect(display.locator("#connection")).to_be_hidden()
    expect(display.locator(f'body:not([data-boot="{boot}"])')).to_be_attached()
    expect(display.locator("#prompt")).to_contain_text("Anne: throw the dice")
