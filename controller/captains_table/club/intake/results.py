"""A result that is told, held against what is kept of the same match: taken, known already, or refused."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from captains_table.club.intake.mailbox import Arrival
from captains_table.reporting.messages import BadMessage, Outcome, read
from captains_table.reporting.topics import Report

MOST_REVISIONS: Final = 64


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
