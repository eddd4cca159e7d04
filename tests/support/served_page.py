"""The page of a table that another thread serves, as a browser needs it."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from captains_table.page.app import create_app
from captains_table.table.model.view import View
from captains_table.web.reach import PageReach
from captains_table.web.serving.server import listen, serve_page
from tests.support.fake_table import FakeTable
from tests.support.patience import PATIENCE_S

# A sentence that the table speaks comes to a page after the fragments that changed before it.
_LISTEN = """(words) => { window.spoken = new Promise((done) => {
  document.addEventListener("heard", ({ detail }) => { if (detail.told === words) done(); });
}); }"""


class ServedPage:
    """A page that is served by a loop on another thread."""

    def __init__(self, table: FakeTable, port: int, loop: asyncio.AbstractEventLoop) -> None:
        self.table = table
        self.address = PageReach("127.0.0.1", port).own
        self._loop = loop
        self._changes = itertools.count(1)

    def change(self, page: Page, act: Callable[[], object]) -> None:
        """Do something to the table on its own loop, and wait until a page that follows it shows the result."""
        words = f"change {next(self._changes)}"

        def act_and_speak() -> None:
            act()
            self.table.speak(words)

        page.wait_for_function("() => shown.size > 0")  # the first event has come
        page.evaluate(_LISTEN, words)
        self._loop.call_soon_threadsafe(act_and_speak)
        page.evaluate("() => window.spoken")

    def show(self, page: Page, view: View) -> None:
        """Let the table show a view, and wait until a page that follows it shows it, too."""
        self.change(page, lambda: self.table.show(view))


@contextmanager
def serving_page(table: FakeTable, reach: PageReach | None = None) -> Iterator[ServedPage]:
    """Serve the page of a table; after that it is as if the table were switched off."""
    loop, stopping, listener = asyncio.new_event_loop(), asyncio.Event(), listen("127.0.0.1", 0)
    served = serve_page(create_app(table, reach=reach), listener, stopping=stopping)
    thread = threading.Thread(target=lambda: loop.run_until_complete(served))
    thread.start()
    try:
        yield ServedPage(table, listener.getsockname()[1], loop)
    finally:
        loop.call_soon_threadsafe(stopping.set)
        thread.join(PATIENCE_S)
        loop.close()
