"""Decodes arriving results, checks each against what is known of its match, and stores those that are accepted.

`StoreThread` runs database jobs, such as `store_results`, in a background thread.
"""

import asyncio
import base64
import binascii
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from captains_table.club.intake.mailbox import Arrival
from captains_table.club.store.forgetting import without_former_names
from captains_table.club.store.store import Store
from captains_table.club.store.strikes import club_tables, is_struck
from captains_table.reporting.messages import BadPayload, FromTable, MatchReport, decode, encode

MOST_REVISIONS: Final = 64
MOST_SCORE: Final = 999_999_999
"""No game's scores come near it; the arbiter's corrections have the same bound."""
LARGEST_OUTCOME: Final = 1 << 15
"""The maximum size in bytes of a result without its export: four times what 32 players with the longest names take."""
Done = TypeVar("Done")


class Forged(BadPayload):
    """A result is refused because it contradicts what is known of its match, or the match has too many revisions.

    A result contradicts what is known if another table has already reported the match, or if the same revision is
    stored with other content. The first result of a match is also refused if another table was the first to show the
    match.
    """


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """A result as a table reported it.

    Attributes:
        user: the table's user name.
        outcome: the reported outcome, without the export.
        export: the exported match, deflated; empty if the table sent none, `None` if it was not kept.
        at_s: the time of arrival in Unix seconds.
    """

    user: str
    outcome: MatchReport
    export: bytes | None
    at_s: float


def read_result(arrival: Arrival) -> ReportedResult:
    """Decode a result and its export from a table's payload; raises BadPayload."""
    outcome = decode(FromTable.RESULT, arrival.payload)
    if not isinstance(outcome, MatchReport):
        raise BadPayload(f"a '{type(outcome).__name__}' is no result")
    try:
        export = base64.b64decode(outcome.export, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadPayload(f"the export of a '{FromTable.RESULT}' is not base64: {error}") from error
    scores = () if outcome.ending is None else outcome.ending.scores
    if any(abs(score) > MOST_SCORE for score in scores):
        raise BadPayload(f"a score of more than 9 digits: expected -{MOST_SCORE} to {MOST_SCORE}")
    told = msgspec.structs.replace(outcome, export="")
    size = len(encode(told))
    if size > LARGEST_OUTCOME:
        raise BadPayload(f"{size:,} bytes of result without its export: expected at most {LARGEST_OUTCOME:,}")
    return ReportedResult(arrival.topic.user, told, export, arrival.at_s)


def is_new(reported: ReportedResult, stored: Sequence[ReportedResult], shown_at: str | None = None) -> bool:
    """Return whether a result must be stored: False if exactly this revision is stored already.

    Args:
        reported: the reported result.
        stored: all stored revisions of the same match.
        shown_at: the user name of the table that was the first to show this match; `None` if unknown.

    Raises:
        Forged: the result contradicts what is known of its match, or the match has `MOST_REVISIONS` revisions already.
    """
    match, rev = reported.outcome.match[:8], reported.outcome.rev
    if not stored and shown_at not in {None, reported.user}:
        raise Forged(f"match {match}… is played at table '{shown_at}': expected its results from there alone")
    for other in stored:
        if other.user != reported.user:
            raise Forged(f"match {match}… was told by table '{other.user}': expected its results from there alone")
        same_export = other.export is None or other.export == reported.export
        if other.outcome.rev == rev and not (other.outcome == reported.outcome and same_export):
            raise Forged(f"revision {rev} of match {match}… was told otherwise before: expected a higher revision")
    if any(other.outcome.rev == rev for other in stored):
        return False
    if len(stored) >= MOST_REVISIONS:
        raise Forged(f"match {match}… has {len(stored)} revisions: expected at most {MOST_REVISIONS}")
    return True


class StoreThread:
    """A second connection to the club's database, with a background thread that runs jobs on it, one at a time.

    Call `close` at the end.

    Args:
        folder: the folder of the database, which no other process may use.

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
        """Run a job on the store in the background thread; return the job's result, or raise the job's exception.

        If the caller is cancelled, a job that has begun is completed, and a job that still waits may be dropped.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._store)

    def close(self) -> None:
        """Wait until all pending jobs are done, then close the store."""
        self._thread.submit(self._store.close)
        self._thread.shutdown()


@dataclass(frozen=True, slots=True)
class ToStore:
    """A result to be stored, and what the club knows of its match.

    Attributes:
        reported: the result.
        shown_at: the user name of the table that was the first to show the match; `None` if unknown.
        of_event: whether the club has the match's pairing played at this table now.
    """

    reported: ReportedResult
    shown_at: str | None = None
    of_event: bool = False


def store_results(store: Store, results: Sequence[ToStore]) -> Sequence[BadPayload | None]:
    """Store results in one transaction; return the reason of refusal of each result, or `None` if it is accepted.

    A revision that is stored already with the same content, or that the arbiter struck, is neither refused nor stored
    again. Results of muted tables are refused.
    """
    with store.together():
        muted = {user for user, table in club_tables(store).items() if table.is_muted}
        return [
            BadPayload("the arbiter does not listen to this table")
            if each.reported.user in muted
            else _refusal(store, each)
            for each in results
        ]


def _refusal(store: Store, result: ToStore) -> BadPayload | None:
    """Store a result unless it is stored or struck already; return the error if the result is refused, else `None`.

    The names of former members are replaced; the export, which would tell them, is then left out.
    """
    reported, outcome = result.reported, without_former_names(store, result.reported.outcome)
    if is_struck(store, reported.user, outcome.match, outcome.rev):
        return None
    if outcome != reported.outcome:
        reported = replace(reported, outcome=outcome, export=b"")
    stored = [ReportedResult(*revision, reported.at_s) for revision in store.revisions(outcome.match)]
    try:
        if is_new(reported, stored, result.shown_at):
            store.add_result(reported.user, outcome, reported.export or b"", reported.at_s, of_event=result.of_event)
    except BadPayload as error:
        return error
    return None
