"""A person at the page: reads what is offered there, clicks, holds, and waits until the page has caught up."""

import re
from collections.abc import Callable
from http import HTTPStatus

from playwright.sync_api import Locator, Page, expect

from captains_table.catalog.languages import find_language
from captains_table.phrases import say
from tests.support.table_process import TableProcess

POLL_MS = 40
CAUGHT_UP = """async () => {
  const text = await (await fetch(location.pathname + location.search)).text();
  const now = new DOMParser().parseFromString(text, "text/html");
  const words = (page, id) => page.getElementById(id)?.textContent.replace(/\\s+/g, " ").trim();
  const fragments = ["heading", "prompt", "ask", "dice", "tallies", "log", "board"];
  return fragments.every((id) => words(now, id) === words(document, id));
}"""


def open_drawer(page: Page, name: str = "more") -> None:
    """Open a drawer of the page one plays on, unless it is open."""
    button = page.locator(f"[data-drawer={name}-drawer]")
    if button.get_attribute("aria-expanded") != "true":
        button.click()


class Person:
    """Somebody playing on the page `/table`; all that is known is read from the page."""

    def __init__(self, page: Page, table: TableProcess) -> None:
        self.page = page
        self.table = table
        self.catch_up()

    # --- reading ----------------------------------------------------------------------------------------------------

    def catch_up(self) -> None:
        """Wait until the page shows what the table would show now."""
        self.page.wait_for_function(CAUGHT_UP, polling=POLL_MS)

    def button(self, id_: str) -> Locator:
        """Return the button of an option."""
        return self.page.locator(f'#ask [data-pick="{id_}"]')

    def square(self, square: str) -> Locator:
        """Return a square of the board."""
        return self.page.locator(f'[data-square="{square}"]')

    def offers(self) -> list[str]:
        """Return the ids of all options asked for, moves on the board included."""
        self.catch_up()
        return self._each("#ask [data-pick]", "data-pick")

    def dice(self) -> list[str]:
        """Return each die in words."""
        return self._each("#dice [aria-label]", "aria-label")

    def board(self) -> list[str]:
        """Return each square in words."""
        return self._each("[data-square]", "aria-label")

    def see_board(self, squares: list[str]) -> None:
        """Wait until each square is in words as given."""
        self.page.wait_for_function(
            """(squares) => squares.join("; ") === [...document.querySelectorAll("[data-square]")].map(
              (each) => each.getAttribute("aria-label")).join("; ")""",
            arg=squares,
            polling=POLL_MS,
        )

    def _each(self, selector: str, attribute: str) -> list[str]:
        """Return an attribute of all elements that a selector finds."""
        read = "(all, name) => all.map((each) => each.getAttribute(name))"
        found: list[str] = self.page.locator(selector).evaluate_all(read, attribute)
        return found

    def tallies(self) -> dict[str, dict[str, int]]:
        """Return everybody's tallies by name."""
        heads = self.page.locator("#tallies thead th").all_inner_texts()[1:]
        tallies = {}
        for row in self.page.locator("#tallies tbody tr").all():
            name = re.sub(r"^▶|, on turn$", "", row.locator("th").inner_text()).strip()
            tallies[name.removesuffix(", on turn")] = dict(
                zip(heads, map(int, row.locator("td").all_inner_texts()), strict=True)
            )
        return tallies

    # --- drawers --------------------------------------------------------------------------------------------------

    def open_drawer(self, name: str = "more") -> None:
        """Open a drawer, unless it is open."""
        open_drawer(self.page, name)

    def open_workshop(self) -> None:
        """Open the drawer with the table's own buttons, and the fold in which they are."""
        self.open_drawer()
        for summary in self.page.locator("#workshop:not([open]) > summary").all():
            summary.click()

    def close_drawer(self) -> None:
        """Close the drawer that is open, if one is."""
        for close in self.page.locator(".drawer.open [data-close]").all():
            close.click()

    # --- doing ------------------------------------------------------------------------------------------------------

    def hold_roll(self, while_held: Callable[[], None] = lambda: None) -> None:
        """Hold the Roll button, look around, and let go."""
        self._hold()
        expect(self.page.locator("#dice .tumbling").first).to_be_attached()
        while_held()
        with self.page.expect_response("**/button/roll/release*"):  # dice at rest may be an older page, not the throw
            self._let_go()
        expect(self.page.locator("#dice .tumbling")).to_have_count(0)
        self.catch_up()

    def _hold(self) -> None:
        self.close_drawer()
        self.page.locator("[data-button=roll]").hover()
        self.page.mouse.down()

    def _let_go(self) -> None:
        self.page.mouse.up()

    def click(self, *squares: str) -> None:
        """Click squares one after the other."""
        for square in squares:
            with self.page.expect_response("**/board/click*"):
                self._touch(square)
        self.catch_up()

    def _touch(self, square: str) -> None:
        self.square(square).click()

    def move(self, start: str, end: str) -> None:
        """Move a piece and wait until the table has taken it for a move."""
        self.click(start, end)
        language = find_language(self.page.locator("html").get_attribute("lang") or "")
        made = say("{name}: your move is made", "").render(language).strip(" :\u00a0")
        expect(self.page.locator("#prompt")).to_contain_text(made, ignore_case=True)
        self.catch_up()

    def choose(self, id_: str) -> None:
        """Click an option's button, again where a switch was still bouncing and the table wants the board clear."""
        while self._click_option(id_) == HTTPStatus.CONFLICT:
            if (
                self.page.locator("html").get_attribute("lang") == "en"
            ):  # other pages follow later: an answer may be stale
                expect(self.page.locator("#toast")).to_contain_text("still on the move")
            self.catch_up()
        self.catch_up()

    def _click_option(self, id_: str) -> int:
        """Press an option's button, and again for as long as it asks for that; return how the table answers."""
        with self.page.expect_response("**/answer*") as answered:
            self._press(id_)
            while self.page.locator(f'#ask .sure[data-pick="{id_}"]').count():
                self._press(id_)
        return answered.value.status

    def _press(self, id_: str) -> None:
        """Press an option's button; an answer that the big button gives in its place is given as the menu would."""
        if self.button(id_).is_visible():
            self.button(id_).click()
        else:
            self.button(id_).dispatch_event("click")

    def end_turn(self) -> None:
        """Throw the cargo dice if they were not yet thrown, and end the turn."""
        if self.button("roll-cargo").count():
            self.choose("roll-cargo")
        self.choose("done")

    def pawn_turn(self, start: str, end: str) -> None:
        """Play a whole turn with a pawn, which any die allows."""
        self.hold_roll()
        self.move(start, end)
        self.end_turn()
