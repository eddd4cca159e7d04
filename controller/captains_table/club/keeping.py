"""Results held against what is kept of the same match, and kept off the loop; what cannot be true is refused."""

import asyncio
import base64
import binascii
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from captains_table.club.intake.mailbox import Arrival
from captains_table.club.store.store import Store
from captains_table.reporting.messages import BadMessage, Outcome, Report, read

MOST_REVISIONS: Final = 64
Done = TypeVar("Done")


class Forged(BadMessage):
    """A result was told before, and otherwise: by another table, or with other words under the same revision."""


@dataclass(frozen=True, slots=True)
class Told:
    """A result as a table tells it.

    Attributes:
        user: the table.
        outcome: what it tells, without the export.
        export: the match, deflated; empty where there came none.
        at_s: when it arrived, in Unix seconds.
    """

    user: str
    outcome: Outcome
    export: bytes
    at_s: float


def read_result(arrival: Arrival) -> Told:
    """Return the result of a payload; raises BadMessage."""
    outcome = read(Report.RESULT, arrival.payload)
    if not isinstance(outcome, Outcome):
        raise BadMessage(f"a '{type(outcome).__name__}' is no result")
    try:
        export = base64.b64decode(outcome.export, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadMessage(f"the export of a '{Report.RESULT}' is not base64: {error}") from error
    return Told(arrival.topic.user, msgspec.structs.replace(outcome, export=""), export, arrival.at_s)


def is_new(told: Told, kept: Sequence[Told], shown_at: str | None = None) -> bool:
    """Return whether a result is to be kept: False where exactly this revision is kept already.

    Args:
        told: what is told.
        kept: every revision that is kept of the same match.
        shown_at: the table that was the first to show this match, where that is known.

    Raises:
        Forged: it cannot be true of this match.
    """
    match, rev = told.outcome.match[:8], told.outcome.rev
    if not kept and shown_at not in {None, told.user}:
        raise Forged(f"match {match}… is played at table '{shown_at}': expected its results from there alone")
    for other in kept:
        if other.user != told.user:
            raise Forged(f"match {match}… was told by table '{other.user}': expected its results from there alone")
        if other.outcome.rev == rev and (other.outcome, other.export) != (told.outcome, told.export):
            raise Forged(f"revision {rev} of match {match}… was told otherwise before: expected a higher revision")
    if any(other.outcome.rev == rev for other in kept):
        return False
    if len(kept) >= MOST_REVISIONS:
        raise Forged(f"match {match}… has {len(kept)} revisions: expected at most {MOST_REVISIONS}")
    return True


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


def keep(store: Store, results: Sequence[tuple[Told, str | None]]) -> Sequence[BadMessage | None]:
    """Keep results, all durable at once, and return of each why it was refused, `None` where it is kept.

    One that is kept already is not kept once more.

    Args:
        store: where.
        results: each with the table that was the first to show its match, `None` where that is not known.
    """
    with store.together():
        return [_refusal(store, told, shown_at) for told, shown_at in results]


def _refusal(store: Store, told: Told, shown_at: str | None) -> BadMessage | None:
    """Keep a result, and return why it was refused, `None` where it was not."""
    kept = [Told(*revision, told.at_s) for revision in store.revisions(told.outcome.match)]
    try:
        if is_new(told, kept, shown_at):
            store.add_result(told.user, told.outcome, told.export, told.at_s)
    except BadMessage as error:
        return error
    return None
