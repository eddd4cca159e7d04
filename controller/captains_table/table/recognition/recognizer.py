"""The rules that judge the stories of a decision: accept a move, wait, ask, or show how to put the board right.

Reed switches show which squares are occupied, never by which piece; therefore the history of changes is judged, not one
state of the board (docs/recognition.md, the rules). A *story* is a hypothesis of what hands did that ends with a
*candidate*, a move that may have been made. The cheapest story is believed; others that cost hardly more *fit*, and
people can say which is true. The table asks the players when several moves look alike or fit, when a piece may be in a
hand, or when a switch did not respond. When no story fits, the table shows how to put the board right. Before most
verdicts the board must be quiet for some time; any change restarts that wait.

The module also defines the verdicts, and the evidence (the stories and the touches) from which they follow.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from captains_table.games.contract import Square
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.board_reports import PieceReadings, Touches
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.footprint import Footprint
from captains_table.table.recognition.stories import FITS_WITHIN
from captains_table.table.recognition.story_state import StoryEnding


class Unmoved(Struct, frozen=True):
    """The verdict that the board is as it was when the decision began; at most a piece was adjusted (j'adoube)."""


class Accept(Struct, frozen=True):
    """The verdict that a candidate was played."""

    candidate: Candidate


class Wait(Struct, frozen=True):
    """The verdict to wait until the board has been quiet for `quiet_ms`; then the verdict `then` applies."""

    quiet_ms: int
    then: "BoardVerdict"


class AskWhich(Struct, frozen=True):
    """The verdict that one of several candidates was played and the players must say which.

    Attributes:
        candidates: the candidates.
        sure: whether the move is complete on the board, so that only the players' choice is missing.
        tells_apart: whether the question is asked because several moves fit all switch changes. After a further change
            on the board, this question is asked again if several moves still fit. Other questions are dropped then.
    """

    candidates: tuple[Candidate, ...]
    sure: bool
    tells_apart: bool = False


class Recover(Struct, frozen=True):
    """The verdict that the board fits no candidate, so that the players must be shown how to put it right."""


BoardVerdict = Unmoved | Accept | Wait | AskWhich | Recover


class CandidateStory(Struct, frozen=True):
    """A move that may have been made, and the end of the most plausible story (explanation of the switch changes).

    `is_blind` says that a switch that should confirm the move gave no signal; the table then asks the players.
    `is_denied` says that the board reads another piece than before on a square on which the move leaves one standing;
    such a move is neither believed nor asked about.
    """

    candidate: Candidate
    ending: StoryEnding
    is_blind: bool = False
    is_denied: bool = False

    @property
    def rank(self) -> tuple[float, int]:
        """The sort key of stories: the lowest cost comes first, then the fewest pieces in hands."""
        return self.ending.cost, self.ending.held


class Evidence(Struct, frozen=True):
    """The evidence of the switches about one decision.

    Attributes:
        home: the squares occupied when the decision began.
        occupied: the squares occupied now.
        stories: the stories that explain the touches, one for each candidate that has such a story, the cheapest first.
        standing: the ending of the story in which the last move stays as it is and nothing else was played; `None` if
            this story does not explain the board.
        touches: the touches since the board last looked as it did at the start of the decision.
        masked: the squares whose switch is ignored.
        believed: the last move of the match; `None` without a match on a board whose switches are read.
        readings: what the board reads of the pieces.
        pieces: the pieces of the match's current position.
        as_well_made: the alternatives to the last move that the working switches support as much as the last move.
            There can be alternatives only if a switch on the last move's squares was ignored since the move.
    """

    home: frozenset[Square]
    occupied: frozenset[Square]
    stories: Sequence[CandidateStory] = ()
    standing: StoryEnding | None = None
    touches: Touches = field(default_factory=Touches)
    masked: frozenset[Square] = frozenset()
    believed: Candidate | None = None
    readings: PieceReadings = field(default_factory=PieceReadings)
    pieces: Mapping[Square, str] = field(default_factory=dict)
    as_well_made: tuple[Candidate, ...] = ()

    def shows(self, candidate: Candidate) -> bool:
        """Return whether the candidate's squares are occupied, and none of those it fills is read as another piece."""
        puts = {put: piece for put, piece in candidate.footprint.puts.items() if put not in self.masked}
        return self.fits(candidate.occupied) and not self.readings.denied(puts)

    def reads(self, candidate: Candidate) -> bool:
        """Return whether the board reads just the pieces that stand after a candidate, all that it sets down known."""
        puts = candidate.footprint.puts
        is_read = self.readings.confirm(puts) and not self.readings.denied(candidate.pieces(self.pieces))
        return bool(puts) and is_read and not candidate.touched & self.masked

    def fits(self, occupied: frozenset[Square]) -> bool:
        """Return whether exactly these squares are occupied, according to the switches that are not ignored."""
        return not (self.occupied ^ occupied) - self.masked

    def set_down(self, move: Footprint) -> frozenset[Square]:
        """Return the squares on which a piece was set down as the move requires, and that are still occupied."""
        return frozenset(put for put in move.filled & self.occupied if self.touches.fills(put, move))

    def least(self) -> float:
        """Return the cost of the cheapest explanation of the board (story); 0 if there is no explanation."""
        costs = [story.ending.cost for story in self.stories]
        return min([*costs, self.standing.cost] if self.standing is not None else costs, default=0.0)

    def fitting(self) -> list[CandidateStory]:
        """Return the stories whose cost is close to the least cost, except stories whose move has only begun."""
        most = self.least() + FITS_WITHIN
        return [story for story in self.stories if story.ending.cost <= most and not story.ending.is_begun]

    def may_go_on(self) -> bool:
        """Return whether further touches may still turn the move into another move.

        They may if the switch changes fit an unfinished move, or if they fit several moves. For example, when a
        promoting pawn captures, setting the new piece down on the target square looks as if the captured piece were
        put back.
        """
        most = self.least() + FITS_WITHIN
        is_begun = any(story.ending.is_begun and story.ending.cost <= most for story in self.stories)
        return is_begun or len(self.fitting_candidates()) > 1

    def is_far_from_believed(self) -> bool:
        """Return whether the switches fit another story, but not that the last move stands and nothing else was played.

        The last move must explain the switches clearly worse than the most plausible story, or not at all.
        """
        if not self.stories:
            return False
        return self.standing is None or self.stories[0].ending.cost + FITS_WITHIN < self.standing.cost

    def fitting_candidates(self) -> list[Candidate]:
        """Return the moves that explain the switch changes, the last move in the match first if it is one of them.

        If a move and the next player's reply explain the changes together, the list contains the move, not the reply.
        """
        fits = self.standing is not None and self.standing.cost <= self.least() + FITS_WITHIN
        found = [self.believed] if fits and self.believed is not None else []
        found += [self._first_of(story.candidate) for story in self.fitting()]
        return list({candidate.id: candidate for candidate in found}.values())

    def followed_by(self, reply: Candidate) -> list[Candidate]:
        """Return the moves that may have been the last move if the next player answers with `reply`.

        A move is included if the move followed by `reply` explains the switch changes well. A complete move in place of
        the match's last move is also included if the move alone explains them well. The match's last move comes first.
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
        """Return whether the last move in the match is still the best explanation of the board.

        The result is also true if the search found no explanation at all.
        """
        rank = (self.standing.cost, self.standing.held) if self.standing is not None else (float("inf"), 0)
        return not self.stories or rank <= self.stories[0].rank

    def is_exchange_believed(self) -> bool:
        """Return whether the best explanation of the board is that pieces swapped places."""
        best = self.stories[0].candidate if self.stories else None
        is_exchange = best is not None and best.footprint.is_exchange and not best.takes_back
        return is_exchange and self.is_another_believed()

    def is_another_believed(self) -> bool:
        """Return whether some explanation of the board is certain and better than the match's last move.

        An explanation is certain if it leaves no piece in a hand and all switches that should confirm it gave a signal.
        """
        return not self.is_believed() and not self.stories[0].ending.held and not self.stories[0].is_blind


def judge(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings, quiet_ms: int) -> BoardVerdict:
    """Return the verdict about the board, given how long no switch has changed.

    If this time is still too short, the verdict is `Wait`; it contains the verdict to be given after the wait.

    Args:
        evidence: the evidence of the switches.
        candidates: the moves that may have been made.
        settings: how long the table waits.
        quiet_ms: milliseconds since the last change.
    """
    timeout, verdict = _weigh(evidence, candidates, settings)
    return verdict if quiet_ms >= timeout else Wait(timeout, verdict)


def _weigh(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings) -> tuple[int, BoardVerdict]:
    """Return for how many milliseconds the board must be quiet, and the verdict that applies then."""
    if evidence.fits(evidence.home) and (alike := swapped_pieces(evidence) or evidence.as_well_made):
        return settings.slide_ms, AskWhich(_one_of_each(alike), sure=False)
    is_other = evidence.is_another_believed() or evidence.is_far_from_believed()
    if evidence.fits(evidence.home) and not is_other:
        return 0, Unmoved()
    if evidence.is_believed():
        is_down = evidence.standing is not None and not evidence.standing.is_open
        return (0, Unmoved()) if is_down else _weigh_unclear(evidence, candidates, settings)
    best = evidence.stories[0]
    if best.ending.held or best.is_blind or best.is_denied:
        return _weigh_unclear(evidence, candidates, settings)
    alike = [story.candidate for story in evidence.stories if _looks_like(story, best)]
    timeout = max(_timeout_for(candidate, candidates, settings) for candidate in alike)
    if best.candidate.takes_back and any(map(evidence.touches.is_rocking, best.candidate.footprint.filled)):
        timeout = max(timeout, settings.slide_ms)  # the piece may only rock while it is lifted for the next move
    if len(alike) > 1:
        return timeout, AskWhich(_one_of_each(alike), sure=True)
    seals = evidence.believed is not None and evidence.believed.takes_back and not best.candidate.takes_back
    firsts = evidence.followed_by(best.candidate) if seals else []
    return timeout, (
        AskWhich(tuple(firsts), sure=True, tells_apart=True) if len(firsts) > 1 else Accept(best.candidate)
    )


def _looks_like(story: CandidateStory, other: CandidateStory) -> bool:
    """Return whether two stories have the same rank and their moves look alike on the board.

    Moves look alike if they change the same squares and leave the same squares occupied; the pieces may differ.
    If a story assumes that the last move was a different one, the other story must assume the same.
    """
    mine, theirs = story.candidate, other.candidate
    same_squares = mine.footprint.changed == theirs.footprint.changed and mine.occupied == theirs.occupied
    return story.rank == other.rank and same_squares and mine.first is theirs.first


def _weigh_unclear(evidence: Evidence, candidates: Sequence[Candidate], settings: Settings) -> tuple[int, BoardVerdict]:
    """Return how many milliseconds an unclear board must be quiet, and the verdict about the board after that.

    A board is unclear if a piece may be in a hand, or if a switch may have failed.
    """
    fitting = {story.candidate.id for story in evidence.fitting()}
    explained = {story.candidate.id for story in evidence.stories}
    denied = {story.candidate.id for story in evidence.stories if story.is_denied}
    possible = [
        candidate
        for candidate in candidates
        if not candidate.replies
        and candidate.id not in denied
        and evidence.shows(candidate)
        and (candidate.id in fitting or candidate.id not in explained)
    ]
    best = evidence.stories[0] if evidence.stories else None
    if best is not None and best.candidate.takes_back and not best.is_blind and evidence.is_far_from_believed():
        return settings.ask_ms, Accept(best.candidate)
    if read := [candidate for candidate in possible if evidence.reads(candidate)]:
        return settings.ask_ms, Accept(read[0])
    if possible:
        return _timeout_unclear(evidence, possible, settings), AskWhich(_one_of_each(possible), sure=False)
    return (settings.guide_ms if _is_settled_wrong(evidence, candidates) else settings.ask_ms), Recover()


def swapped_pieces(evidence: Evidence) -> list[Candidate]:
    """Return the next moves that may only have swapped pieces, as far as the board can tell.

    They fit the switch changes, leave no piece in a hand, and the board does not read which pieces now stand there.
    Empty unless the same squares are occupied as when the decision began.
    """
    if not evidence.fits(evidence.home):
        return []
    return [
        story.candidate
        for story in evidence.stories
        if story.candidate.footprint.is_exchange
        and not story.candidate.footprint.changed <= evidence.touches.read
        and not story.candidate.takes_back
        and not story.ending.held
    ]


def unfinished_candidates(evidence: Evidence, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the next moves that are partly made: a piece is set down, but the move is not complete on the board.

    The board may differ from the start of the decision only on squares that the move changes. Each square that the move
    fills must be vacant, must be unchanged, or must already hold its new piece.
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


def _timeout_unclear(evidence: Evidence, fitting: Sequence[Candidate], settings: Settings) -> int:
    """Return how long the board must be quiet: `hand_ms` while a piece may be in a hand, `ask_ms` otherwise.

    A piece may be in a hand if squares became vacant and none was filled. If a candidate changes a square whose switch
    is ignored, the result is always `ask_ms`.
    """
    is_masked = any(candidate.footprint.changed & evidence.masked for candidate in fitting)
    is_lifted = evidence.occupied - evidence.masked < evidence.home - evidence.masked
    return settings.hand_ms if is_lifted and not is_masked else settings.ask_ms


def _timeout_for(candidate: Candidate, candidates: Sequence[Candidate], settings: Settings) -> int:
    extended = any(other is not candidate and other.extends(candidate) for other in candidates)
    return settings.slide_ms if extended or candidate.id == TAKE_BACK else 0


def _is_settled_wrong(evidence: Evidence, candidates: Sequence[Candidate]) -> bool:
    """Return whether pieces stand on wrong squares and no piece seems to be in a hand.

    The result is true if two conditions hold. As many squares are occupied as when the decision began. No candidate
    changes all the squares that have become vacant or occupied since. Squares with an ignored switch do not count.
    """
    if len(evidence.occupied - evidence.masked) != len(evidence.home - evidence.masked):
        return False
    differing = (evidence.occupied ^ evidence.home) - evidence.masked
    return not any(differing <= candidate.footprint.changed for candidate in candidates)


def _one_of_each(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates without repeated ids; the take-back comes last."""
    by_id = {candidate.id: candidate for candidate in candidates}
    return tuple(sorted(by_id.values(), key=lambda candidate: candidate.id == TAKE_BACK))
