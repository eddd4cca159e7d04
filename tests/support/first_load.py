"""What a browser takes over the wire to show a page for the first time, and when it paints."""

from typing import Any

from playwright.sync_api import Page

MOST_BYTES = 250_000
_PAINTS = """() => new Promise((done) => {
  const first = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN;
  new PerformanceObserver((list) => done([first(), list.getEntries().at(-1).startTime]))
    .observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => done([first(), first()]), 2000);
})"""


class FirstLoads:
    """Opens pages in a browser as if each was opened for the first time: nothing comes from its cache.

    Attributes:
        taken: the bytes over the wire since the last page was opened, headers included; an open stream is not counted.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self.taken = 0
        session = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", self._add)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _add(self, finished: dict[str, Any]) -> None:
        self.taken += int(finished["encodedDataLength"])

    def open(self, address: str) -> None:
        """Open a page, and wait until its fonts are there too."""
        self._page.goto("about:blank")  # what the last page still asks for is not of this one
        self.taken = 0
        self._page.goto(address)
        self._page.evaluate("() => document.fonts.ready.then(() => null)")

    def paints_ms(self) -> tuple[float, float]:
        """Return when the page had its first and its largest contentful paint, after it was asked for."""
        first, largest = self._page.evaluate(_PAINTS)
        return first, largest
