"""A whole match of every game against the computer, from the first screen to the result and back: nothing jumps.

Only `make long` plays them: at three sizes at once, whose pages act in turn; and by the keyboard alone.
"""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page, TimeoutError as TooLate, expect

from tests.e2e.conftest import OpenTable
from tests.support.browser import Visitor
from tests.support.looking import DESKTOP, LAPTOP, PHONE, out_of_sight, tell_shifts
from tests.support.person_at_page import CAUGHT_UP, POLL_MS
from tests.support.told_dice import HONEST

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.timeout(1800)]
SIZES: Final = {"1366x768": LAPTOP, "390x844": PHONE, "1920x1080": DESKTOP}
GAMES: Final = ("legend", "chess", "captains-chess", "ship-captain-crew", "swashbuckle", "crowns", "pig")
BY_FORM: Final = {
    "pig": "target=20&name1=Anne&name2=Bart",
    "crowns": "turn_limit=30&timer=0&name1=Anne&name2=notus:1",
}
"""Matches that no card begins: no computer plays the first, and chance may take for ever to win the other."""
ENDS: Final = ("done", "stand", "bank", "roll-cargo", "score-", "no-curse", "scuttle-")
"""What ends a turn, before all else."""
SHOWN: Final = """() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  return {
    over: document.querySelector("#result .result") !== null,
    picks: all("#ask [data-pick]:not(.risky, .by-roll)").map((pick) => pick.dataset.pick),
    moves: [...document.querySelectorAll('[data-to]:not([data-to=""])')].map(
      (square) => [square.dataset.square, square.dataset.to.split(" ")]),
    throws: all('#roll [aria-disabled="false"]').length > 0,
    others: all("#ask [data-throw]").length > 0,
    bids: all("#ask :is([data-raise='1'], [data-act]):enabled").length > 0,
    leads: document.querySelector(".bids li")?.classList.contains("leads") ?? false,
    bell: all("#ask [data-bell]").length > 0,
    wrong: all("#repair button").length > 0,
  };
}"""
ASKED: Final = f"""() => {{
  const shown = ({SHOWN})();
  const asks = shown.over || shown.wrong || shown.throws || shown.others || shown.bell;
  return asks || shown.picks.length || shown.moves.length ? shown : null;
}}"""
IN_SIGHT: Final = tuple(f".deck-table:not(:has(.result)) {each}" for each in ("#prompt .prompt", "#roll .knob"))
MOST_DEEDS: Final = 1500
MOST_TABS: Final = 150
HOLD_MS: Final = 120
LATER_MS: Final = 60_000


class Mouse:
    """Acts by the mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        """Press the first element that a selector finds."""
        self.page.locator(selector).first.click()

    def throw(self) -> None:
        """Hold the Roll button for a moment."""
        self.page.locator("#roll .knob").hover()
        self.page.mouse.down()
        self.page.wait_for_timeout(HOLD_MS)
        self.page.mouse.up()

    def touch(self, square: str) -> None:
        """Lift or put down at a square."""
        self.page.locator(f'[data-square="{square}"]').click()


class Keys(Mouse):
    """Acts by the keyboard alone: Tab, Enter, Space and the arrows; what has the focus must show it."""

    def press(self, selector: str) -> None:
        self._tab_to(selector)
        self.page.keyboard.press("Enter")

    def throw(self) -> None:
        self._tab_to("#roll .knob")
        self.page.keyboard.down("Space")
        self.page.wait_for_timeout(HOLD_MS)
        self.page.keyboard.up("Space")

    def touch(self, square: str) -> None:
        self._tab_to("[data-square]")
        here = str(self.page.evaluate("document.activeElement.dataset.square"))
        files, ranks = ord(square[0]) - ord(here[0]), int(square[1:]) - int(here[1:])
        if self.page.locator("[data-square]").first.get_attribute("data-square") == "h1":
            files, ranks = -files, -ranks  # the board is turned round
        for steps, forth, back in ((files, "ArrowRight", "ArrowLeft"), (ranks, "ArrowUp", "ArrowDown")):
            for _ in range(abs(steps)):
                self.page.keyboard.press(forth if steps > 0 else back)
        assert self.page.evaluate("document.activeElement.dataset.square") == square
        self.page.keyboard.press("Enter")

    def _tab_to(self, selector: str) -> None:
        for _ in range(MOST_TABS):
            if self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            if self.page.locator(selector).count() == 0:  # a computer was quicker: it is tried again
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {selector}")


class Windows:
    """Plays on a table in several windows in turn, and notes what shifts in any of them.

    Attributes:
        shifted: what shifted where, after which deed; and whether that was within half a second of input.
        hidden: what one should have seen and did not.
    """

    def __init__(self, visitor: Visitor, address: str, hands: type[Mouse], *sizes: str) -> None:
        self.shifted: list[tuple[str, str, Sequence[object]]] = []
        self.hidden: list[tuple[str, str, str]] = []
        self._random = Random(7)
        self._deed = "open"
        self.pages: dict[str, Page] = {}
        self._hands: dict[str, Mouse] = {}
        for size in sizes:
            # A page that a script is given is closed afterwards: no other test's shifts are told to this one.
            page = visitor.open(
                "about:blank", is_drawn=True, script="'its own';", reduced_motion="no-preference", **SIZES[size]
            )
            tell_shifts(page, partial(self._hear, size))
            page.goto(address)
            self.pages[size] = page
            self._hands[size] = hands(page)

    def _hear(self, size: str, shift: Sequence[object]) -> None:
        self.shifted.append((size, self._deed, shift))

    def begin(self, game: str) -> None:
        """Begin a match against the computer, from the first screen."""
        size, hands = next(iter(self._hands.items()))
        page = self.pages[size]
        self._deed = "begin"
        if game in BY_FORM:
            page.goto(f"{page.url.partition('/table')[0]}/new?game={game}&{BY_FORM[game]}")
            hands.press("#form .primary")
        else:
            hands.press(f"#card-{game} .deal .primary")
        for each in self.pages.values():
            expect(each.locator("#first > .first")).to_have_count(0)
            expect(each.locator("#prompt .prompt")).to_be_visible()

    def play(self) -> int:
        """Play until the match is over; return how much was done."""
        for deed in range(MOST_DEEDS):
            size = self._random.choice(list(self.pages))
            shown = self.pages[size].wait_for_function(ASKED, polling=POLL_MS, timeout=LATER_MS).json_value()
            if shown["over"]:
                return deed
            self._do(size, self._hands[size], shown)
            for name, page in self.pages.items():
                self.hidden += [(name, self._deed, each) for each in out_of_sight(page, *IN_SIGHT)]
        raise AssertionError("the match does not end")

    def _do(self, size: str, hands: Mouse, shown: dict[str, Any]) -> None:
        page = self.pages[size]
        before = page.evaluate(STATE)
        picks = shown["picks"]
        ends = next((pick for end in ENDS for pick in picks if pick.startswith(end)), None)
        if shown["wrong"]:
            self._note(size, "set up")
            hands.press("#repair button")
        elif shown["bell"]:
            self._bid(size, hands, shown)
        elif shown["others"]:
            self._note(size, "throw the others")
            hands.press("#ask [data-throw]")
        elif ends is not None and shown["throws"] and self._random.random() < 0.5:
            self._note(size, "throw again")
            hands.throw()
        elif ends is not None:
            self._pick(size, hands, ends)
        elif shown["moves"]:
            self._move(size, hands, *self._random.choice(shown["moves"]))
        elif shown["throws"]:
            self._note(size, "throw")
            hands.throw()
        else:
            self._pick(size, hands, self._random.choice(picks))
        try:
            page.wait_for_function(f"(before) => ({STATE})() !== before", arg=before, polling=POLL_MS, timeout=1500)
        except TooLate:  # it was refused, and is tried again
            return
        for each in self.pages.values():
            each.wait_for_function(CAUGHT_UP, polling=POLL_MS)

    def _move(self, size: str, hands: Mouse, start: str, ways: Sequence[str]) -> None:
        end = self._random.choice(ways)
        self._note(size, f"move {start} {end}")
        for square in (start, end):
            hands.touch(square)
            self.pages[size].evaluate("() => queue")  # the table has been told
            self.pages[size].wait_for_function(CAUGHT_UP, polling=POLL_MS)

    def _note(self, size: str, deed: str) -> None:
        self._deed = f"{deed} at {size}"

    def _pick(self, size: str, hands: Mouse, pick: str) -> None:
        self._note(size, pick)
        chosen = f'#ask [data-pick="{pick}"]'
        hands.press(chosen)
        if self.pages[size].locator(f"{chosen}.sure").count():
            hands.press(chosen)

    def _bid(self, size: str, hands: Mouse, shown: dict[str, Any]) -> None:
        if shown["bids"] and not shown["leads"] and self._random.random() < 0.6:
            self._note(size, "bid")
            hands.press("#ask :is([data-raise='1'], [data-act])")
            return
        self._note(size, "bell")
        hands.press("#ask [data-bell]")

    def faults(self) -> list[str]:
        """Return in words what jumped and what was hidden: at which size, after which deed, which element."""
        jumped = [f"{size}: after {deed!r} {what} jumped" for size, deed, what in self.shifted]
        return list(
            dict.fromkeys(jumped + [f"{size}: after {deed!r} hidden: {what}" for size, deed, what in self.hidden])
        )

    def go_back(self) -> None:
        """Go from the result to the games and back, and begin a rematch."""
        size, hands = next(iter(self._hands.items()))
        page = self.pages[size]
        self._note(size, "another game")
        expect(page.locator("#result .result-ways")).to_be_visible()
        expect(page.locator("#result [inert]")).to_have_count(0)  # a press meant for the game is taken by none of them
        hands.press('#result [href="/new"]')
        page.wait_for_url("**/new*")
        self._note(size, "back")
        page.go_back()
        expect(page.locator("#result .result")).to_be_visible()
        self._note(size, "rematch")
        page.wait_for_timeout(1500)
        hands.press("#result [data-pick^=rematch]")
        for each in self.pages.values():
            expect(each.locator("#result .result")).to_have_count(0)
            each.wait_for_function(CAUGHT_UP, polling=POLL_MS)


STATE: Final = "() => [...document.querySelectorAll('#log, #ask, #prompt, #dice')].map((each) => each.innerHTML).join()"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hands", "sizes"), [(Mouse, tuple(SIZES)), (Keys, ("1366x768",))], ids=["three-sizes", "keys"]
)
def test_nothing_jumps_from_the_first_screen_to_the_result_and_back(
    hands: type[Mouse], sizes: tuple[str, ...], game: str, open_table: OpenTable, visitor: Visitor
) -> None:
    table = open_table("play", "--think", "0.05", dice=HONEST)
    visitor.accept("409 (Conflict)", "400 (Bad Request)")
    windows = Windows(visitor, table.printed, hands, *sizes)
    windows.begin(game)
    windows.play()
    windows.go_back()
    assert windows.faults() == []
