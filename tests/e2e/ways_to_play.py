"""Ways to play on the page: by one finger, by the keyboard alone; and how to press what asks twice."""

from playwright.sync_api import Locator, Page, TimeoutError as TooLate, expect

from tests.support.looking import Finger
from tests.support.person_at_page import Person
from tests.support.table_process import TableProcess

MOST_TABS = 20
MOST_TRIES = 20
HOLD_MS = 200
AT_ONCE = "#ask > .ask > .answers"
PICKS = "(picks) => picks.map((pick) => pick.dataset.pick)"
ASKS_MS = 3000
"""A button asks for a little longer than this: who comes later, as on a busy machine, begins anew."""
APART_MS = 350  # a finger that taps sooner after another gesture is taken for the same by Chromium


class ByFinger(Person):
    """Somebody with a phone: taps, and holds the button with their finger."""

    def __init__(self, page: Page, table: TableProcess) -> None:
        super().__init__(page, table)
        self.finger = Finger(page)

    def _hold(self) -> None:
        self.finger.down(self.page.locator("[data-button=roll]"))

    def _let_go(self) -> None:
        self.finger.up()

    def _touch(self, square: str) -> None:
        self._tap(self.square(square))

    def _press(self, id_: str) -> None:
        self._tap(self.button(id_))

    def _tap(self, it: Locator) -> None:
        self.page.wait_for_timeout(APART_MS)
        it.tap()


class ByKeys(Person):
    """Somebody who never touches a pointer: Space rolls, arrows and Enter move, N and C choose."""

    def _hold(self) -> None:
        self.page.keyboard.down("Space")

    def _let_go(self) -> None:
        self.page.wait_for_timeout(HOLD_MS)
        self.page.keyboard.up("Space")

    def _touch(self, square: str) -> None:
        """Walk to a square, and lift or put a piece there."""
        self.tab_to_the_board()
        self.walk(square)
        self.page.keyboard.press("Enter")

    def choose(self, id_: str) -> None:
        """Choose an option, again where the table wanted the board clear first, or a key was down too long for it."""
        expect(self.page.locator(f'{AT_ONCE} [data-pick="{id_}"]')).to_be_attached()
        self.catch_up()
        asked = self._asked()
        for _ in range(MOST_TRIES):
            for _ in self._ids("[data-pick]", "#ask"):  # in the knob's order, which need not be the page's
                if (self._ids(".at-cursor", "#ask") or self._ids(".primary")) == [id_]:
                    break
                self.press("n")
            self.press("c")
            if self._asked() != asked:
                return
        raise AssertionError(f"{id_} is not taken")

    def _ids(self, which: str, among: str = AT_ONCE) -> list[str]:
        """Return the options that a selector finds, among those offered at once."""
        ids: list[str] = self.page.locator(f"{among} {which}").evaluate_all(PICKS)
        return ids

    def _asked(self) -> list[str | None]:
        """Return what is asked, and after how many actions; nothing once the match is over."""
        asks = self.page.locator("#ask > .ask").all()
        return [ask.get_attribute(name) for ask in asks for name in ("data-revision", "data-asked")]

    def press(self, key: str) -> None:
        with self.page.expect_response("**/button/*/release*"):
            self.page.keyboard.press(key)
        self.catch_up()

    def focused(self) -> str | None:
        square: str | None = self.page.evaluate("document.activeElement.getAttribute('data-square')")
        return square

    def tab_to_the_board(self) -> None:
        """Press Tab until a square has the focus."""
        for _ in range(MOST_TABS):
            if self.focused():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Tab does not reach the board")

    def walk(self, to: str) -> None:
        """Walk on the board with the arrows."""
        here = self.focused()
        assert here
        files, ranks = ord(to[0]) - ord(here[0]), int(to[1]) - int(here[1])
        for _ in range(abs(files)):
            self.page.keyboard.press("ArrowRight" if files > 0 else "ArrowLeft")
        for _ in range(abs(ranks)):
            self.page.keyboard.press("ArrowUp" if ranks > 0 else "ArrowDown")
        assert self.focused() == to


def press_twice(page: Page, name: str, again: str = "Really? Press again") -> None:
    """Press a button, and once more when it asks."""
    for _ in range(MOST_TRIES):
        page.get_by_role("button", name=name).click()
        try:
            page.get_by_role("button", name=again).click(timeout=ASKS_MS)
        except TooLate:
            continue
        return
    raise AssertionError(f"the button {name!r} was pressed in vain")
