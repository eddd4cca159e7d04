"""What the club keeps of an evening, as values: results as they were told, and what the arbiter set right."""

from dataclasses import dataclass
from enum import StrEnum

from captains_table.club.season.season import ProvenMatch
from captains_table.reporting.messages import Ending, Outcome


class Proof(StrEnum):
    """What the export that came with a result was found to be."""

    NONE = "none"  # there came none
    PENDING = "pending"  # it has not been verified yet
    PROVEN = "proven"
    FAILED = "failed"  # it does not prove this result: it counts for no season


@dataclass(frozen=True, slots=True)
class Correction:
    """What the arbiter set right of a match, logged for good.

    Attributes:
        number: counts the corrections, from 1.
        match: the seal of the match.
        was: how it had ended before; `None`: it was left for good.
        ending: how it ended, in place of that.
        why: the arbiter's words.
        at_s: when, in Unix seconds of the server's clock.
    """

    number: int
    match: str
    was: Ending | None
    ending: Ending | None
    why: str
    at_s: float


@dataclass(frozen=True, slots=True)
class KeptResult:
    """The result of a match as the club keeps it: the highest revision that was told.

    Attributes:
        receipt: counts what was received, from 1; the order of results is this.
        user: the table that told it: its word the result is.
        evening: the number of the evening it belongs to.
        outcome: what was told, without the export.
        received_s: when, in Unix seconds of the server's clock; only for people.
        proof: what the export was found to be.
        proof_words: why it proves nothing, or what it proves.
        correction: the arbiter's last word on it, `None` where he said nothing.
        remembered: what its export says of the match, where it was proven.
    """

    receipt: int
    user: str
    evening: int
    outcome: Outcome
    received_s: float
    proof: Proof
    proof_words: str = ""
    correction: Correction | None = None
    remembered: ProvenMatch | None = None

    @property
    def ending(self) -> Ending | None:
        """How the match ended: as the arbiter says where he said something; `None`: it was left for good."""
        return self.outcome.ending if self.correction is None else self.correction.ending


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the club.

    Attributes:
        number: by which it is known.
        title: what it is called.
        began_s: when its first result came, or the arbiter began it, in Unix seconds of the server's clock.
        ended_s: when the arbiter ended it; `None` while it goes on, or was never ended.
    """

    number: int
    title: str
    began_s: float
    ended_s: float | None = None
