"""From switches to actions: judging what the stories that the switches may tell mean (docs/recognition.md, the rules).

Reeds show occupancy, never identity, so histories are judged and not pictures: the cheapest story is believed, others
that cost hardly more can be told apart by whoever was there. Where a piece may be in a hand, or a switch did not speak,
the table asks; where nothing fits it shows the way home. Each verdict names how long the board must be quiet for it,
and any change begins that wait anew.
"""

from collections.abc import Sequence

from msgspec import Struct, field

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.stories import FITS_WITHIN
from captains_table.table.recognition.story_state import Ending
from captains_table.table.recognition.switch_history import Touches


class Unmoved(Struct, frozen=True):
    """The board is as the decision began: a piece was only adjusted (j'adoube)."""


class Accept(Struct, frozen=True):
    """This was done."""

    candidate: Candidate


class Wait(Struct, frozen=True):
    """Nothing is known before the board was quiet for so long; `then` is the verdict if it stays so."""

    quiet_ms: int
    then: "Verdict"


class Which(Struct, frozen=True):
    """One of these was done, the players must say which.

    Attributes:
        candidates: what may have been done.
        sure: whether nothing is missing but the choice.
        tells_apart: whether these are the stories that fit, one of them what the match has.
    """

    candidates: tuple[Candidate, ...]
    sure: bool
    tells_apart: bool = False


class Recover(Struct, frozen=True):
    """The board fits nothing that may be done: show the way home."""


Verdict = Unmoved | Accept | Wait | Which | Recover


class Story(Struct, frozen=True):
    """Something that may have been done, and what the cheapest story costs that ends with it.

    `is_blind`: a switch that should have spoken for it said nothing, so that it is never believed without a question.
    """

    candidate: Candidate
    ending: Ending
    is_blind: bool = False

    @property
    def rank(self) -> tuple[float, int]:
        """What is believed rather: what costs less, then what leaves fewer pieces in the hands."""
        return self.ending.cost, self.ending.held


class Evidence(Struct, frozen=True):
    """What the switches say about one decision.

    Attributes:
        home: the squares occupied when the decision began.
        occupied: the squares occupied now.
        stories: what may have been done by all that was touched, the cheapest first.
        standing: how the story ends in which nothing was done beside what the match has; None if nothing explains that.
        touches: what was touched since the board last was as it began.
        masked: the squares whose switch says nothing.
        believed: what the match has as the last thing that was done; None if nothing that may still be changed.
        as_well_made: what may have been made in place of the last move by the other switches, where one that spoke for
            it was found to say nothing since.
    """

    home: frozenset[Square]
    occupied: frozenset[Square]
    stories: Sequence[Story] = ()
    standing: Ending | None = None
    touches: Touches = field(default_factory=Touches)
    masked: frozenset[Square] = frozenset()
    believed: Candidate | None = None
    as_well_made: tuple[Candidate, ...] = ()

    def fits(self, occupied: frozenset[Square]) -> bool:
        """Return whether the switches that speak say that just these squares are occupied."""
        return not (self.occupied ^ occupied) - self.masked

    def set_down(self, move: Footprint) -> frozenset[Square]:
        """Return the squares on which a piece was set down as a move has it, and still stands."""
        return frozenset(put for put in move.filled & self.occupied if self.touches.fills(put, move))

    def least(self) -> float:
        """Return what the cheapest story costs."""
        costs = [story.ending.cost for story in self.stories]
        return min([*costs, self.standing.cost] if self.standing is not None else costs, default=0.0)

    def fitting(self) -> list[Story]:
        """Return the stories that cost hardly more than the cheapest one; none of what has only been begun."""
        most = self.least() + FITS_WITHIN
        return [story for story in self.stories if story.ending.cost <= most and not story.ending.is_begun]

    def may_go_on(self) -> bool:
        """Return whether what was touched may come to something else: a story fits that has been begun, or two fit.

        The crown that is set down first, where the piece it takes stood, looks like that piece put back.
        """
        most = self.least() + FITS_WITHIN
        is_begun = any(story.ending.is_begun and story.ending.cost <= most for story in self.stories)
        return is_begun or len(self.told_apart()) > 1

    def is_far_from_believed(self) -> bool:
        """Return whether another story in place of the last move fits though pieces are in hands, and that does not."""
        best = self.stories[0] if self.stories else None
        if best is None or best.is_blind or not best.candidate.takes_back:
            return False
        return self.standing is None or best.ending.cost + FITS_WITHIN < self.standing.cost

    def told_apart(self) -> list[Candidate]:
        """Return what may have been done by the stories that fit, what the match has first.

        Where the next player has moved already, that is the move before his.
        """
        fits = self.standing is not None and self.standing.cost <= self.least() + FITS_WITHIN
        found = [self.believed] if fits and self.believed is not None else []
        found += [self._first_of(story.candidate) for story in self.fitting()]
        return list({candidate.id: candidate for candidate in found}.values())

    def followed_by(self, reply: Candidate) -> list[Candidate]:
        """Return what the last move may have been if the next player seems to have answered so.

        That is each move which this answer may follow, and each that explains the board without any answer; what the
        match has comes first.
        """
        firsts = [
            self._first_of(story.candidate)
            for story in self.fitting()
            if (story.candidate.id == reply.id and not story.candidate.takes_back)
            or (story.candidate.takes_back and not story.ending.is_open)
        ]
        found = list({first.id: first for first in firsts}.values())
        return sorted(found, key=lambda first: first is not self.believed)

    def _first_of(self, candidate: Candidate) -> Candidate:
        if candidate.first is not None:
            return candidate.first
        is_reply = self.believed is not None and self.believed.takes_back and not candidate.takes_back
        return self.believed if is_reply and self.believed is not None else candidate

    def is_believed(self) -> bool:
        """Return whether no story is to be believed rather than that what the match has is all that was done."""
        rank = (self.standing.cost, self.standing.held) if self.standing is not None else (float("inf"), 0)
        return not self.stories or rank <= self.stories[0].rank

    def is_another_believed(self) -> bool:
        """Return whether something else is to be believed than what the match has, with no piece in a hand."""
        return not self.is_believed() and not self.stories[0].ending.held and not self.stories[0].is_blind


def judge(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings, quiet_ms: int) -> Verdict:
    """Return what the board means after it was quiet for so long.

    Args:
        evidence: what the switches say.
        candidates: what may have been done.
        settings: how patient the table is.
        quiet_ms: milliseconds since the last change.
    """
    timeout, verdict = _weigh(evidence, candidates, settings)
    return verdict if quiet_ms >= timeout else Wait(timeout, verdict)


def _weigh(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings) -> tuple[int, Verdict]:
    """Return what the board means and how long it must be quiet for that."""
    if evidence.fits(evidence.home) and (alike := exchanged(evidence) or evidence.as_well_made):
        return settings.slide_ms, Which(_one_of_each(alike), sure=False)
    if evidence.fits(evidence.home) and not evidence.is_another_believed():
        return 0, Unmoved()
    if evidence.is_believed():
        is_down = evidence.standing is not None and not evidence.standing.is_open
        return (0, Unmoved()) if is_down else _weigh_unproven(evidence, candidates, settings)
    best = evidence.stories[0]
    if best.ending.held or best.is_blind:
        return _weigh_unproven(evidence, candidates, settings)
    alike = [story.candidate for story in evidence.stories if _looks_like(story, best)]
    timeout = max(_timeout_for(candidate, candidates, settings) for candidate in alike)
    if best.candidate.takes_back and any(map(evidence.touches.is_rocking, best.candidate.footprint.filled)):
        timeout = max(timeout, settings.slide_ms)  # it may touch down while it is lifted for the next move
    if len(alike) > 1:
        return timeout, Which(_one_of_each(alike), sure=True)
    seals = evidence.believed is not None and evidence.believed.takes_back and not best.candidate.takes_back
    firsts = evidence.followed_by(best.candidate) if seals else []
    return timeout, (Which(tuple(firsts), sure=True, tells_apart=True) if len(firsts) > 1 else Accept(best.candidate))


def _looks_like(story: Story, other: Story) -> bool:
    """Return whether two moves change the same squares and differ in what a piece becomes only."""
    mine, theirs = story.candidate, other.candidate
    same_squares = mine.footprint.changed == theirs.footprint.changed and mine.occupied == theirs.occupied
    return story.rank == other.rank and same_squares and mine.first is theirs.first


def _weigh_unproven(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings) -> tuple[int, Verdict]:
    """Return what the board means where a piece may be in somebody's hand, or a switch did not speak."""
    fitting = {story.candidate.id for story in evidence.fitting()}
    told = {story.candidate.id for story in evidence.stories}
    possible = [
        candidate
        for candidate in candidates
        if not candidate.replies
        and evidence.fits(candidate.occupied)
        and (candidate.id in fitting or candidate.id not in told)
    ]
    if evidence.is_far_from_believed():
        return settings.ask_ms, Accept(evidence.stories[0].candidate)
    if possible:
        return _timeout_unproven(evidence, possible, settings), Which(_one_of_each(possible), sure=False)
    return (settings.guide_ms if _is_settled_wrong(evidence, candidates) else settings.ask_ms), Recover()


def exchanged(evidence: Evidence) -> list[Candidate]:
    """Return the options by which pieces only changed places, as far as the touches explain them."""
    if not evidence.fits(evidence.home):
        return []
    return [
        story.candidate
        for story in evidence.stories
        if story.candidate.footprint.is_exchange and not story.candidate.takes_back and not story.ending.held
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


def _timeout_unproven(evidence: Evidence, fitting: Sequence[Candidate], settings: Settings) -> int:
    """A piece was lifted and nothing else was seen: it is in the hand, unless its victim's lift was missed."""
    is_masked = any(candidate.footprint.changed & evidence.masked for candidate in fitting)
    is_lifted = evidence.occupied - evidence.masked < evidence.home - evidence.masked
    return settings.hand_ms if is_lifted and not is_masked else settings.ask_ms


def _timeout_for(candidate: Candidate, candidates: Sequence[Candidate], settings: Settings) -> int:
    extended = any(other is not candidate and other.extends(candidate) for other in candidates)
    return settings.slide_ms if extended or candidate.id == TAKE_BACK else 0


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
