"""Results are kept: those that are new of a match, all durable at once; what cannot be true of it is refused."""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.club.intake.results import Told, is_new
from captains_table.club.store.store import Store
from captains_table.reporting.messages import BadMessage


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
