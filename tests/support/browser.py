"""A real Chromium, and pages of it on which nothing may go wrong unnoticed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.support.patience import PATIENCE_MS
from tests.support.tools import program

expect.set_options(timeout=PATIENCE_MS)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Shadows and gradients take a quarter of a page's work, and move nothing. Axe needs them: see `tests.support.axe`.
WITHOUT_DECORATION = """
const plain = new CSSStyleSheet();
plain.replaceSync("*, *::before, *::after { box-shadow: none !important; background-image: none !important }"
  + "svg.board { filter: opacity(1) !important }");
document.adoptedStyleSheets = [plain];
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield Debian's Chromium without a window: the same pages for two thirds of the work."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium-headless-shell"), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """A person with a browser: every page opened is watched for errors and for requests that leave the table.

    Args:
        browser: opens the pages.
        is_plain: whether they are drawn without shadows and gradients.
    """

    def __init__(self, browser: Browser, *, is_plain: bool = False) -> None:
        self._browser, self._is_plain = browser, is_plain
        self._contexts: list[BrowserContext] = []
        self._accepted: list[tuple[str, str]] = []
        self._wrong: list[str] = []
        self._requests: list[str] = []

    def open(self, address: str, **settings: Any) -> Page:  # noqa: ANN401 - Playwright's own context settings
        """Open an address in a browser of its own (no cookies shared); settings are those of a browser context.

        The visitor asks for less motion, unless told otherwise: drawing marks that breathe is most of a page's work.
        """
        context = self._browser.new_context(**{"reduced_motion": "reduce"} | settings)
        self._contexts.append(context)
        if self._is_plain:
            context.add_init_script(WITHOUT_DECORATION)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self._wrong.append(f"page error: {error}"))
        page.on("console", self._on_event)
        page.on("request", self._see)
        page.goto(address)
        return page

    def accept(self, *words: str, at: str = "") -> None:
        """Expect console errors with these words from now on, of addresses that begin so: a test provokes them."""
        self._accepted += [(each, at) for each in words]

    def leave(self) -> None:
        """Close all pages and fail if anything went wrong on one of them."""
        for context in self._contexts:
            context.close()
        assert not self._wrong, "\n".join(self._wrong)

    def places(self) -> set[str]:
        """Return the host and port of every request so far."""
        return {urlsplit(url).netloc for url in self._requests}

    def _on_event(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"}:
            return
        url = message.location["url"]
        if not any(words in message.text and url.startswith(at) for words, at in self._accepted):
            self._wrong.append(f"console: {message.text} ({message.location})")

    def _see(self, request: Request) -> None:
        if urlsplit(request.url).scheme in {"data", "blob"}:
            return
        self._requests.append(request.url)
        origin = urlsplit(request.frame.page.url).netloc
        if origin and urlsplit(request.url).netloc != origin:
            self._wrong.append(f"a request left for {request.url}")
