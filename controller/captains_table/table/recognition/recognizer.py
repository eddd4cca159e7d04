"""From switches to actions: judging what the occupied and touched squares mean (docs/recognition.md explains it).

Reeds show occupancy, never identity. What is occupied decides; what was touched chooses between equals; where the
evidence is missing the table asks and never guesses. A masked or chattering switch says nothing. These are the rules;
each names the setting for how long the board must be quiet before it applies, and any change begins the wait anew and
withdraws what was asked.

 1. A *candidate* is anything that may have been done on the board: an option of the ask; and as long as the last move
    may still be changed, each other option of the decision before it (in its place), and the position before it
    (`take-back`). It *fits* when the squares occupied afterwards are those that are occupied now.
 2. A candidate that fits is *proven* when the touches explain it: each square it changes was touched, and each one it
    fills closed after a square opened that its piece may have come from (on neighbouring squares up to `OVERLAP_MS`
    before: slid). So a lifted piece that has one capture leaves that capture's occupancy, but not its touches: it is in
    the hand. What stands in place of the last move is explained either from that move on; or from before it, if its
    piece was seen to go elsewhere since, and the last move set no victim elsewhere on the board.
 3. One candidate is proven: it is accepted, at once; or after `slide_ms` if another extends it (the same piece further
    on a path it may be slid on, or a move that it is a part of, such as castling), or if it changes the last move and
    may as well be a piece that touches down again while it is lifted for the next one. Several are proven: asked which,
    after `slide_ms` if another extends one of them, else at once.
    A lone one that changes the last move, and may as well be a part of the next one (a victim that came from its corner
    is set there again, or rests on its way there), is asked about after `ask_ms`.
 4. Candidates fit and none is proven: asked which, after `hand_ms` if pieces were only lifted (they are in the hand, or
    the lift of a victim was missed) on switches that all speak, else after `ask_ms`.
 5. The board is as the decision began: nothing was done, pieces were only adjusted (j'adoube); at once. But where
    options only let pieces change places and the touches explain that, they are asked about, after `slide_ms`; and so
    is what may have been made in place of the last move where a switch that spoke for that was found to chatter since.
 6. None fits: the way home is shown; after `guide_ms` if as many pieces stand as before and what differs is part of no
    candidate (a piece rests where none may go), else after `ask_ms`. Where pieces of a move were set down and others
    were not yet (`half_made`), what is left of it is shown instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.touches import Touches


@dataclass(frozen=True, slots=True)
class Unmoved:
    """The board is as the decision began: a piece was only adjusted (j'adoube)."""


@dataclass(frozen=True, slots=True)
class Accept:
    """This was done."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is known before the board was quiet for so long; `then` is the verdict if it stays so."""

    quiet_ms: int
    then: "Accept | Which | Recover"


@dataclass(frozen=True, slots=True)
class Which:
    """One of these was done, the players must say which; `sure`: nothing is missing but the choice."""

    candidates: tuple[Candidate, ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class Recover:
    """The board fits nothing that may be done: show the way home."""


Verdict = Unmoved | Accept | Wait | Which | Recover


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the switches say about one decision.

    Attributes:
        home: the squares occupied when the decision began.
        occupied: the squares occupied now.
        touches: what was touched since the board last was as it began.
        earlier: for as long as the last move may still be changed, what was touched since the board last was as the
            decision of that move began.
        masked: the squares whose switch says nothing.
        invalidated: whether a switch that spoke for the last move was found to say nothing since.
    """

    home: frozenset[Square]
    occupied: frozenset[Square]
    touches: Touches = field(default_factory=Touches)
    earlier: Touches = field(default_factory=Touches)
    masked: frozenset[Square] = frozenset()
    invalidated: bool = False

    def fits(self, occupied: frozenset[Square]) -> bool:
        """Return whether the switches that speak say that just these squares are occupied."""
        return not (self.occupied ^ occupied) - self.masked

    def proves(self, candidate: Candidate) -> bool:
        """Return whether the touches explain a candidate, on switches that speak.

        Either from the last move on, or because that move never was: a square closed that the piece did not go to.
        """
        if not candidate.footprint.changed & self.masked and self.touches.explain(candidate.footprint):
            return True
        instead = candidate.instead
        if instead is None or candidate.must_be_moved_back or not instead.changed or instead.changed & self.masked:
            return False
        return self.earlier.explain(instead) and self._is_elsewhere(candidate, instead)

    def set_down(self, move: Footprint) -> frozenset[Square]:
        """Return the squares on which a piece was set down as a move has it, and still stands."""
        return frozenset(put for put in move.filled & self.occupied if self.touches.fills(put, move))

    def _is_elsewhere(self, candidate: Candidate, instead: Footprint) -> bool:
        """Return whether the moved piece is not just in the hand again.

        It came to another square since, or was slid to the one that closed before; or the square where it was believed
        to be had only closed along with the one where it really was put.
        """
        if instead.filled & self.touches.closed_ms.keys():
            return True
        believed = candidate.footprint.left
        return bool(believed) and all(
            any(
                self.earlier.goes(square, put, self.touches) or self.earlier.is_echo(square, put)
                for put in instead.filled
            )
            for square in believed
        )


def judge(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings, quiet_ms: int) -> Verdict:
    """Return what the board means after it was quiet for so long.

    Args:
        evidence: what the switches say.
        candidates: what may have been done.
        settings: how patient the table is.
        quiet_ms: milliseconds since the last change.
    """
    if not evidence.fits(evidence.home):
        timeout, verdict = _weigh(evidence, candidates, settings)
    elif exchanges := exchanged(evidence, candidates):
        timeout, verdict = settings.slide_ms, Which(_one_of_each(exchanges), sure=False)
    elif evidence.invalidated and (others := _as_well_made(evidence, candidates)):
        timeout, verdict = settings.slide_ms, Which(_one_of_each(others), sure=False)
    else:
        return Unmoved()
    return verdict if quiet_ms >= timeout else Wait(timeout, verdict)


def exchanged(evidence: Evidence, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the options by which pieces only changed places, as far as the touches explain them."""
    return [
        candidate
        for candidate in candidates
        if candidate.footprint.is_exchange and not candidate.takes_back and evidence.proves(candidate)
    ]


def half_made(evidence: Evidence, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the options of which some pieces were set down and others were not yet.

    Nothing else differs on the board: what they fill is filled, or as it was, or its piece is in somebody's hand.
    """
    differing = (evidence.occupied ^ evidence.home) - evidence.masked
    return [
        candidate
        for candidate in candidates
        if not candidate.takes_back
        and differing <= candidate.footprint.changed
        and not evidence.fits(candidate.occupied)
        and evidence.set_down(candidate.footprint)
        and evidence.occupied & candidate.footprint.filled <= evidence.home | evidence.set_down(candidate.footprint)
    ]


def _as_well_made(evidence: Evidence, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return what may have been made in place of the last move: the switches that speak fit both."""
    return [
        candidate
        for candidate in candidates
        if candidate.instead is not None
        and candidate.instead.changed
        and evidence.fits(candidate.occupied)
        and not candidate.instead.changed & evidence.masked
        and evidence.earlier.explain(candidate.instead)
    ]


def _weigh(
    evidence: Evidence, candidates: Sequence[Candidate], settings: Settings
) -> tuple[int, "Accept | Which | Recover"]:
    """Return what the board means and how long it must be quiet for that."""
    fitting = [candidate for candidate in candidates if evidence.fits(candidate.occupied)]
    proven = [candidate for candidate in fitting if evidence.proves(candidate)]
    if len(proven) == 1 and _may_begin_next(evidence, proven[0], candidates):
        return settings.ask_ms, Which((proven[0],), sure=False)
    if len(proven) == 1:
        timeout = _timeout_for(proven[0], candidates, settings)
        return max(timeout, _timeout_to_amend(evidence, proven[0], candidates, settings)), Accept(proven[0])
    if proven:
        timeout = max(_timeout_for(candidate, candidates, settings) for candidate in proven)
        return timeout, Which(_one_of_each(proven), sure=True)
    if fitting:
        return _timeout_unproven(evidence, fitting, settings), Which(_one_of_each(fitting), sure=False)
    return (settings.guide_ms if _is_settled_wrong(evidence, candidates) else settings.ask_ms), Recover()


def _may_begin_next(evidence: Evidence, candidate: Candidate, candidates: Sequence[Candidate]) -> bool:
    """Return whether what seems to change the last move may as well be a victim on its way to where it is set."""
    if not candidate.takes_back:
        return False
    start, end = candidate.footprint.origin, candidate.footprint.target
    is_on_its_way = (
        start is not None
        and end is not None
        and any(not other.takes_back and other.footprint.may_carry(start, end) for other in candidates)
    )
    return is_on_its_way or bool(half_made(evidence, candidates))


def _timeout_unproven(evidence: Evidence, fitting: Sequence[Candidate], settings: Settings) -> int:
    """A piece was lifted and nothing else was seen: it is in the hand, unless its victim's lift was missed."""
    is_masked = any(candidate.footprint.changed & evidence.masked for candidate in fitting)
    is_lifted = evidence.occupied - evidence.masked < evidence.home - evidence.masked
    return settings.hand_ms if is_lifted and not is_masked else settings.ask_ms


def _timeout_for(candidate: Candidate, candidates: Sequence[Candidate], settings: Settings) -> int:
    extended = any(other is not candidate and other.extends(candidate) for other in candidates)
    return settings.slide_ms if extended else 0


def _timeout_to_amend(
    evidence: Evidence, candidate: Candidate, candidates: Sequence[Candidate], settings: Settings
) -> int:
    """The last move is not changed in haste where all that was touched may also begin the next one.

    A piece that rocks as it is lifted, to take the one that just moved, looks for a moment like its victim.
    """
    if not candidate.takes_back or not any(map(evidence.touches.is_rocking, candidate.footprint.filled)):
        return 0
    touched = evidence.touches.squares()
    begins_next = any(not other.takes_back and touched <= other.footprint.changed for other in candidates)
    return settings.slide_ms if begins_next else 0


def _is_settled_wrong(evidence: Evidence, candidates: Sequence[Candidate]) -> bool:
    """As many pieces stand as before, and what differs is part of nothing that may be done."""
    if len(evidence.occupied - evidence.masked) != len(evidence.home - evidence.masked):
        return False
    differing = (evidence.occupied ^ evidence.home) - evidence.masked
    return not any(differing <= candidate.footprint.changed for candidate in candidates)


def _one_of_each(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates with each id once; the plain way back is offered last."""
    by_id = {candidate.id: candidate for candidate in candidates}
    return tuple(sorted(by_id.values(), key=lambda candidate: candidate.id == TAKE_BACK))
