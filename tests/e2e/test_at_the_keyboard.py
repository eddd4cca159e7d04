from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.person_at_page import Person

pytestmark = pytest.mark.browser
SitDown = Callable[..., Person]
MOST_TABS = 20


def focused(page: Page) -> str | None:
    """Return the square that has the focus."""
    square: str | None = page.evaluate("document.activeElement.getAttribute('data-square')")
    return square


def tab_to_the_board(page: Page) -> str:
    """Press Tab until a square has the focus, and return it."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        square = focused(page)
        if square:
            return square
    raise AssertionError("Tab does not reach the board")


def walk(page: Page, to: str) -> None:
    """Walk on the board with the arrows."""
    here = focused(page)
    assert here
    files, ranks = ord(to[0]) - ord(here[0]), int(to[1]) - int(here[1])
    for _ in range(abs(files)):
        page.keyboard.press("ArrowRight" if files > 0 else "ArrowLeft")
    for _ in range(abs(ranks)):
        page.keyboard.press("ArrowUp" if ranks > 0 else "ArrowDown")
    assert focused(page) == to


def press(person: Person, key: str) -> None:
    """Press one of the table's buttons by its key."""
    with person.page.expect_response("**/button/*/release*"):
        person.page.keyboard.press(key)
    person.catch_up()


def hold_space(person: Person) -> None:
    """Hold the space bar, see the dice tumble, and let go."""
    person.page.keyboard.down("Space")
    expect(person.page.locator("#dice .tumbling").first).to_be_attached()
    person.page.wait_for_timeout(200)
    person.page.keyboard.up("Space")
    expect(person.page.locator("#dice .tumbling")).to_have_count(0)
    person.catch_up()


def choose(person: Person, id_: str) -> None:
    """Move the cursor from where it starts to an option, and choose it."""
    ids = [pick.get_attribute("data-pick") for pick in person.page.locator("#ask > .ask > .answers [data-pick]").all()]
    default = person.page.locator("#ask > .ask > .answers .primary").get_attribute("data-pick")
    for _ in range((ids.index(id_) - ids.index(default)) % len(ids)):
        press(person, "n")
    press(person, "c")


def test_two_turns_are_played_by_keys_alone(sit_down: SitDown) -> None:
    """Space rolls, arrows and Enter move, N and C choose."""
    anne = sit_down("rounds=1")
    page = anne.page
    hold_space(anne)
    expect(page.locator("#dice .thrown")).to_have_count(6)
    tab_to_the_board(page)
    walk(page, "e2")
    page.keyboard.press("Enter")
    expect(page.locator("#hand")).to_contain_text("In the hand")
    assert focused(page) == "e2"
    walk(page, "e4")
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("your move is made", ignore_case=True)
    anne.catch_up()
    assert focused(page) == "e4"
    choose(anne, "done")
    expect(page.locator("#prompt")).to_contain_text("Bart (Black): throw the dice")
    assert focused(page) == "e4"  # nothing takes the focus away
    hold_space(anne)
    expect(page.locator("#prompt")).to_contain_text("Bart (Black), Legend die")


def test_back_leaves_the_choice_of_dice(sit_down: SitDown) -> None:
    """Throw again is chosen, thought better of, and chosen again."""
    anne = sit_down("rounds=1")
    hold_space(anne)
    dice = anne.dice()
    choose(anne, "throw-again")
    expect(anne.page.locator("#prompt")).to_contain_text("Which dice stay?")
    press(anne, "b")
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")
    assert anne.dice() == dice
    choose(anne, "throw-again")
    expect(anne.page.locator("#prompt")).to_contain_text("Which dice stay?")
    press(anne, "Escape")
    expect(anne.page.locator("#prompt")).to_contain_text(", Legend die")


def test_keys_do_not_touch_the_table_while_a_field_is_typed_in(sit_down: SitDown) -> None:
    """A name with the letters n, c and b in it is a name."""
    anne = sit_down("rounds=1")
    revision = anne.page.locator("#ask [data-revision]").get_attribute("data-revision")
    anne.page.get_by_role("link", name="New match").first.click()
    anne.page.get_by_label("First player").fill("")
    anne.page.get_by_label("First player").press_sequentially("Bianca n c b")
    assert anne.page.get_by_label("First player").input_value() == "Bianca n c b"
    anne.page.locator(".bar").get_by_role("link", name="Play").click()
    anne.catch_up()
    assert anne.page.locator("#ask [data-revision]").get_attribute("data-revision") == revision
