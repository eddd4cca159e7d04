"""From switches to actions: judging what the occupied and touched squares mean (design, Contract 2).

Reeds tell occupancy, never identity. What is occupied decides; what was touched chooses between equals; where the
evidence is missing the table asks and never guesses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.games.contract import Square
from captains_table.table.candidates import TAKE_BACK, Candidate
from captains_table.table.settings import Settings


@dataclass(frozen=True, slots=True)
class Unmoved:
    """The board is as the decision began: a piece was only adjusted (j'adoube)."""


@dataclass(frozen=True, slots=True)
class Accept:
    """This was done."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing can be said before the board was quiet for so long; `then` is what will be said if it stays so."""

    quiet_ms: int
    then: "Accept | Which | Guide"


@dataclass(frozen=True, slots=True)
class Which:
    """One of these was done, the players must say which; `sure` tells whether nothing is missing but the choice."""

    candidates: tuple[Candidate, ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class Guide:
    """The board fits nothing that may be done: show the way home."""


Verdict = Unmoved | Accept | Wait | Which | Guide


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the switches say about one decision.

    Attributes:
        home: the squares occupied when the decision began.
        occupied: the squares occupied now.
        touched: the squares whose switch changed since the board last was as it began.
        masked: the squares whose switch says nothing.
    """

    home: frozenset[Square]
    occupied: frozenset[Square]
    touched: frozenset[Square] = frozenset()
    masked: frozenset[Square] = frozenset()

    def fits(self, occupied: frozenset[Square]) -> bool:
        """Return whether the switches that speak say that just these squares are occupied."""
        return not (self.occupied ^ occupied) - self.masked

    def proves(self, candidate: Candidate) -> bool:
        """Return whether every square a candidate changes was touched, and none of them is masked."""
        return candidate.changed <= self.touched - self.masked


def judge(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings, quiet_ms: int) -> Verdict:
    """Return what the board means after it was quiet for so long.

    Args:
        evidence: what the switches say.
        candidates: what may have been done.
        settings: how patient the table is.
        quiet_ms: milliseconds since the last believed change.
    """
    if evidence.fits(evidence.home):
        return Unmoved()
    patience, verdict = _weigh(evidence, candidates, settings)
    return verdict if quiet_ms >= patience else Wait(patience, verdict)


def _weigh(
    evidence: Evidence, candidates: Sequence[Candidate], settings: Settings
) -> tuple[int, "Accept | Which | Guide"]:
    """Return what the board means and how long it must be quiet for that."""
    fitting = [candidate for candidate in candidates if evidence.fits(candidate.occupied)]
    proven = [candidate for candidate in fitting if evidence.proves(candidate)]
    if len(proven) == 1:
        return _patience_for(proven[0], candidates, settings), Accept(proven[0])
    if proven:
        patience = max(_patience_for(candidate, candidates, settings) for candidate in proven)
        return patience, Which(_one_of_each(proven), sure=True)
    if fitting:
        return settings.ask_ms, Which(_one_of_each(fitting), sure=False)
    return (settings.slide_ms if _is_settled_wrong(evidence, candidates) else settings.ask_ms), Guide()


def _patience_for(candidate: Candidate, candidates: Sequence[Candidate], settings: Settings) -> int:
    extended = any(other is not candidate and other.extends(candidate) for other in candidates)
    return settings.slide_ms if extended else 0


def _is_settled_wrong(evidence: Evidence, candidates: Sequence[Candidate]) -> bool:
    """As many pieces stand as before, and what differs is part of nothing that may be done."""
    if len(evidence.occupied - evidence.masked) != len(evidence.home - evidence.masked):
        return False
    differing = (evidence.occupied ^ evidence.home) - evidence.masked
    return not any(differing <= candidate.changed for candidate in candidates)


def _one_of_each(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates with each id once; the plain way back is offered last."""
    by_id = {candidate.id: candidate for candidate in candidates}
    return tuple(sorted(by_id.values(), key=lambda candidate: candidate.id == TAKE_BACK))
