"""The display for a room in a real browser: any view on it, and whether all of it can be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from playwright.sync_api import Browser, ViewportSize

from captains_table.games.contract import Die, Shape
from captains_table.table.model.view import LogLine, Phase, SeatView, View
from captains_table.web.reach import PageReach
from tests.support.browser import Visitor
from tests.support.fake_table import FakeTable
from tests.support.served_page import ServedPage, serving_page

SCREEN = (1920, 1080)

# What a person across the room could not read: what is larger than its box, what another box cuts off, and what is
# beyond the window. Lines of the log that there is no room for are hidden, and not looked at.
_MISFITS = """() => {
  const found = new Set();
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth || scrollHeight > clientHeight) found.add(`window: ${scrollWidth} x ${scrollHeight}`);
  const isSeen = (element) => !element.closest(".unseen") && !element.querySelector(".unseen")
    && element.getClientRects().length && getComputedStyle(element).visibility !== "hidden";
  const isBeyond = (box) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
  const isTooWide = (element) => !element.closest("svg") && getComputedStyle(element).display !== "inline"
    && element.scrollWidth > element.clientWidth + 1;
  const cuts = (around, box) => getComputedStyle(around).overflow !== "visible"
    && (box.bottom > around.getBoundingClientRect().bottom + 2 || box.right > around.getBoundingClientRect().right + 2);
  const texts = "h1, h2, p, th, td, li, small, b, .card, .score-sheet, .tallies, .die, .qr";
  for (const element of [...document.querySelectorAll(texts)].filter(isSeen)) {
    const who = `${element.tagName} ${element.getAttribute("class")}: ${element.textContent.trim().slice(0, 40)}`;
    const box = element.getBoundingClientRect();
    if (isBeyond(box)) found.add(`beyond the window: ${who}`);
    if (isTooWide(element)) found.add(`wider than its box: ${who}`);
    for (let around = element.parentElement; around !== document.body; around = around.parentElement) {
      if (cuts(around, box)) found.add(`cut off: ${who}`);
    }
  }
  return [...found];
}"""
_SMALLEST = """(selector) => {
  const seen = [...document.querySelectorAll(selector)].filter(
    (element) => element.getClientRects().length && getComputedStyle(element).visibility !== "hidden");
  return seen.length ? Math.min(...seen.map((element) => parseFloat(getComputedStyle(element).fontSize))) : 0;
}"""


class ReachedAt(PageReach):
    """A page that others reach by one address, whatever network this machine is on."""

    def __init__(self, address: str) -> None:
        super().__init__("0.0.0.0", 8377, ("table.example",))  # noqa: S104 - not listened on
        self.now = address

    def addresses(self) -> tuple[str, ...]:
        """Return it; nothing while it is empty."""
        return (self.now,) if self.now else ()


class RoomDisplay:
    """A table whose display is open in a browser."""

    def __init__(self, visitor: Visitor, served: ServedPage, reach: ReachedAt, **settings: Any) -> None:  # noqa: ANN401 - Playwright's own context settings
        self.served = served
        self.reach = reach
        self._visitor = visitor
        self.page = visitor.open(served.address, **settings)

    def another(self, **settings: Any) -> Self:  # noqa: ANN401 - as above
        """Open the display of the same table in another browser."""
        return type(self)(self._visitor, self.served, self.reach, **settings)

    def show(self, view: View, size: tuple[int, int] = SCREEN) -> None:
        """Let the table show a view in a window of this size, laid out as on a page that has just been opened."""
        window: ViewportSize = {"width": size[0], "height": size[1]}
        if self.page.viewport_size != window:
            self.page.set_viewport_size(window)
            self.page.evaluate("() => new Promise(requestAnimationFrame)")  # the page has heard of its new size
        self.page.evaluate("() => { fitted = ''; }")
        self.served.show(self.page, view)

    def smallest(self, selector: str) -> float:
        """Return the smallest size of letters (px) that is seen of these elements; 0 where none is seen."""
        return float(self.page.evaluate(_SMALLEST, selector))

    def misfits(self) -> list[str]:
        """Return in words what cannot be seen whole."""
        return list(self.page.evaluate(_MISFITS))


@contextmanager
def room_display(browser: Browser) -> Iterator[RoomDisplay]:
    """Yield a display that others reach at an address; what its browser complains about fails the test."""
    visitor, reach = Visitor(browser, is_plain=True), ReachedAt("http://192.0.2.7:8377/")
    with serving_page(FakeTable(), reach) as served:
        yield RoomDisplay(visitor, served, reach)
        visitor.leave()


def long_name(seat: int, length: int = 24) -> str:
    """Return a name of so many characters, another one for each seat."""
    return f"{f'{chr(65 + seat % 26)}{seat} Bartholomew Roberts of the Seven Seven Seas'[:length].strip():s<{length}}"


def crowd(count: int, *, board: bool = False, clocks: bool = False, bell: bool = False) -> View:
    """Return a match of many players with long names and five tallies, the fourth of them on turn."""
    names = [long_name(seat) for seat in range(count)]
    tallies = {"gold": 123, "crowns": 4, "ships": 12, "honour": 37, "total": 1234}
    return View(
        phase=Phase.PLAYING,
        game="crowns",
        title="Crowns",
        heading="Round 3 of 9",
        prompt=(f"{names[3]}: bid for the harbour of Tortuga",),
        seat=3,
        seats=tuple(
            SeatView(name, tallies, on_turn=seat == 3, seconds_left=305 if clocks else None)
            for seat, name in enumerate(names)
        ),
        dice=tuple(Die(face) for face in range(1, 7)),
        shape=Shape(8, 8) if board else None,
        bell_seconds=42 if bell else None,
        log=tuple(LogLine(seat, f"{names[seat]}: throws 6 5 4 3 2") for seat in range(count)),
    )
