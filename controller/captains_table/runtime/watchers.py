"""Everybody who is to know when something at the table changed: pages that are followed, and the like."""

import asyncio
from collections.abc import AsyncGenerator


class Watchers:
    """Wakes all who watch; they end once the table does."""

    def __init__(self) -> None:
        self._changed: set[asyncio.Event] = set()
        self._ended = False

    async def changes(self) -> AsyncGenerator[None, None]:
        """Yield at once and then whenever something changed, until the end."""
        changed = asyncio.Event()
        changed.set()
        self._changed.add(changed)
        try:
            while not self._ended:
                await changed.wait()
                changed.clear()
                if not self._ended:
                    yield
        finally:
            self._changed.discard(changed)

    def notify(self) -> None:
        """Wake everyone: something changed."""
        for changed in self._changed:
            changed.set()

    def end(self) -> None:
        """Let all watching end."""
        self._ended = True
        self.notify()
