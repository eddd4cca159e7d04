"""A real Chromium, and pages of it on which nothing may go wrong unnoticed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

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
# Drawing takes another quarter; what nobody looks at is laid out all the same, but no layout shift is told of it.
PLAIN = """
const plain = new CSSStyleSheet();
plain.replaceSync("*, *::before, *::after { box-shadow: none !important; background-image: none !important }"
  + "svg.board { filter: opacity(1) !important } html { opacity: %d !important }");
document.adoptedStyleSheets = [plain];
try {
  for (const name of ["explain", "cards"]) localStorage.setItem(`captains-table.${name}`, "off");
} catch { /* no page of a table */ }
"""
_ANY_SIZE = ViewportSize(width=1280, height=720)
_IDLE: WeakKeyDictionary[Browser, dict[str, list[Page]]] = WeakKeyDictionary()
"""Pages of plain visitors who have left, by their settings: the next goes on with them, and starts none."""


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
        is_plain: whether they lack decoration and cards for newcomers, are not drawn unless they must be, and serve the
            next visitor again.
    """

    def __init__(self, browser: Browser, *, is_plain: bool = False) -> None:
        self._browser, self._is_plain = browser, is_plain
        self._opened: list[tuple[Page, str, ViewportSize]] = []
        self._accepted: list[tuple[str, str]] = []
        self._wrong: list[str] = []

    def open(self, address: str, **settings: Any) -> Page:  # noqa: ANN401 - Playwright's own context settings
        """Open an address in a browser of its own (no cookies shared).

        The visitor asks for less motion, unless told otherwise: drawing marks that breathe is most of a page's work.

        Args:
            address: what is opened.
            settings: of a browser context; and `is_drawn`, whether a plain visitor sees anything; and `script`, which
                runs before those of every page that is opened there.
        """
        is_drawn, script = settings.pop("is_drawn", False), settings.pop("script", "")
        scripts = [PLAIN % is_drawn, script] if self._is_plain else [script]
        key = f"{is_drawn} {sorted(settings.items())}" if self._is_plain and not script else ""
        idle = _IDLE.setdefault(self._browser, {}).get(key)
        page = idle.pop() if idle else self._new_page(scripts, settings)
        self._opened.append((page, key, page.viewport_size or _ANY_SIZE))
        page.on("pageerror", self._on_error)
        page.on("console", self._on_event)
        page.on("request", self._see)
        page.goto(address)
        return page

    def _new_page(self, scripts: Sequence[str], settings: dict[str, Any]) -> Page:
        context = self._browser.new_context(**{"reduced_motion": "reduce"} | settings)
        for script in scripts:
            context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        return page

    def accept(self, *words: str, at: str = "") -> None:
        """Expect console errors with these words from now on, of addresses that begin so: a test provokes them."""
        self._accepted += [(each, at) for each in words]

    def leave(self) -> None:
        """Close all pages and fail if anything went wrong on one of them."""
        for page, key, size in self._opened:
            for event, watch in (("pageerror", self._on_error), ("console", self._on_event), ("request", self._see)):
                page.remove_listener(event, watch)
            if not key or page.is_closed():
                page.context.close()
                continue
            page.evaluate("() => { try { localStorage.clear(); } catch { /* no page of a table */ } }")
            page.goto("about:blank")
            page.context.clear_cookies()
            page.emulate_media(media="null")
            page.set_viewport_size(size)
            _IDLE[self._browser].setdefault(key, []).append(page)
        assert not self._wrong, "\n".join(self._wrong)

    def _on_error(self, error: Error) -> None:
        self._wrong.append(f"page error: {error}")

    def _on_event(self, message: ConsoleMessage) -> None:
        if message.type not in {"error", "warning"}:
            return
        url = message.location["url"]
        if not any(words in message.text and url.startswith(at) for words, at in self._accepted):
            self._wrong.append(f"console: {message.text} ({message.location})")

    def _see(self, request: Request) -> None:
        if urlsplit(request.url).scheme in {"data", "blob"}:
            return
        origin = urlsplit(request.frame.page.url).netloc
        if origin and urlsplit(request.url).netloc != origin:
            self._wrong.append(f"a request left for {request.url}")
