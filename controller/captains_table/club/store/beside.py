"""The club's file once more, in a thread of its own: whoever has something written there waits for no disk."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from captains_table.club.store.store import Store

Done = TypeVar("Done")


class StoreBeside:
    """A second store of the same file, worked with beside the loop, one piece of work after the other. To be closed.

    Args:
        folder: where the file is; the caller has the sole use of it.

    Raises:
        StoreUnusable: the file cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        try:
            self._store = self._thread.submit(Store, folder).result()
        except BaseException:
            self._thread.shutdown()
            raise

    async def do(self, work: Callable[[Store], Done]) -> Done:
        """Do some work with the store and return what it returns, or raise what it raises.

        Whoever is cancelled meanwhile does not learn what came of it: it is done wholly, or not at all.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._store)

    def close(self) -> None:
        """Close the store, when all work with it is done."""
        self._thread.submit(self._store.close)
        self._thread.shutdown()
