"""Results are kept by a thread of its own, so that nobody waits for the disk; what cannot be true is refused."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from captains_table.club.intake.results import Told, is_new
from captains_table.club.store.store import Store
from captains_table.reporting.messages import BadMessage

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


@dataclass(frozen=True, slots=True)
class ToKeep:
    """A result to be kept, and the table that was the first to show its match, `None` where that is not known."""

    told: Told
    shown_at: str | None


def keep(store: Store, results: Sequence[ToKeep]) -> Sequence[BadMessage | None]:
    """Keep results, all durable at once, and return of each why it was refused, `None` where it is kept.

    One that is kept already is not kept once more.
    """
    with store.together():
        return [_refusal(store, result) for result in results]


def _refusal(store: Store, result: ToKeep) -> BadMessage | None:
    """Keep a result, and return why it was refused, `None` where it was not."""
    told = result.told
    kept = [Told(*revision, told.at_s) for revision in store.revisions(told.outcome.match)]
    try:
        if is_new(told, kept, result.shown_at):
            store.add_result(told.user, told.outcome, told.export, told.at_s)
    except BadMessage as error:
        return error
    return None
