"""The wall in a real browser, where it is noticed how old each view is when it is in the page."""

from typing import Final

from playwright.sync_api import Browser

from tests.support.browser import Visitor

PROJECTOR: Final = {"viewport": {"width": 1920, "height": 1080}}
# A view counts where its table stood in the same place before: what another table's tile shows as pages turn is older.
WATCH: Final = r"""() => {
  window.ages = [];
  const last = new Map();
  const look = (slot) => {
    const table = slot.querySelector("h2 a")?.getAttribute("href");
    const moment = /@(\d{13})/.exec(slot.querySelector(".round")?.textContent ?? "")?.[1];
    if (!table || !moment) return;
    const [wasTable, wasMoment] = last.get(slot.id) ?? [];
    if (table === wasTable && moment > wasMoment) window.ages.push(Date.now() - Number(moment));
    last.set(slot.id, [table, moment]);
  };
  new MutationObserver((records) => {
    for (const slot of new Set(records.map(({ target }) => target.closest?.(".slot")))) if (slot) look(slot);
  }).observe(document.querySelector("main"), { childList: true, subtree: true });
}"""


class WatchedWall:
    """A page of the wall that notes how old each view is.

    Args:
        browser: the browser.
        address: the wall's.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._visitor = Visitor(browser)
        self._page = self._visitor.open(address, **PROJECTOR)
        self._page.evaluate(WATCH)

    def look_on(self, seconds: float) -> None:
        """Let time pass."""
        self._page.wait_for_timeout(1000 * seconds)

    def ages_ms(self) -> list[int]:
        """Return how old views were when they came, in ms."""
        return list(self._page.evaluate("window.ages"))

    def close(self) -> None:
        """Close the page; fails if anything went wrong on it."""
        self._visitor.leave()
