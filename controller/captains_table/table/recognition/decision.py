"""One decision on the board: its candidates, the touches since it began, and the resulting evidence.

A *candidate* is a move that may have been made; a *story* is a hypothesis of what hands did that ends with a candidate.
Stories that cost hardly more than the cheapest one *fit* (docs/recognition.md). The decision also finds moves that are
undone or only begun on the board, and the moves that a menu must offer.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.board_reports import SwitchChange, Touches
from captains_table.table.recognition.candidates import (
    TAKE_BACK,
    Candidate,
    believed_candidate,
    candidates_of,
    replies_to,
)
from captains_table.table.recognition.footprint import differing_squares
from captains_table.table.recognition.instructions import UnfinishedMove
from captains_table.table.recognition.recognizer import CandidateStory, Evidence, swapped_pieces, unfinished_candidates
from captains_table.table.recognition.stories import FITS_WITHIN
from captains_table.table.recognition.story_history import StoryHistory
from captains_table.table.recognition.story_state import UNTOUCHED, StoryEnding, SwitchRecord
from captains_table.table.recognition.switches import SwitchStates

MOST_ANSWERABLE = 3
DENIED = 6.0
"""The cost of a square on which the board reads another piece now: more than whatever hands may have done besides."""
EXTRA = 3.0
"""The cost of a square on which a piece too many is read now: a captured one, or one set across a border."""


class _Answerable(NamedTuple):
    """The moves that the next player may have answered, if it is uncertain which move was made.

    Attributes:
        base: the state of the match before these moves.
        ids: the option ids of the moves recorded as made, and of the alternatives that fitted the switches as well.
    """

    base: Any
    ids: set[str]


class BoardDecision:
    """Holds the data to decide what was done on the board: the possible moves, touched squares, and evidence.

    `begin` starts the next decision.

    Args:
        switches: the board's switches.
        settings: the table's settings; `settings.switches` says whether the switches are read at all.

    Attributes:
        match: the current match; `None` if there is none.
        home: the squares occupied when the decision began.
        invalidated: whether the last move is in doubt, because the switch of one of its squares chattered or was masked
            after the move.
    """

    def __init__(self, switches: SwitchStates, settings: Settings) -> None:
        self._switches = switches
        self._settings = settings
        self._book = StoryHistory(switches.readings)
        self._touches = Touches()
        self._answerable: list[_Answerable] = []  # for the current search and the two before, the newest first
        self.begin(None)

    @property
    def has_board(self) -> bool:
        """Whether the match is played on a board whose switches are read."""
        return self._has_squares and self._settings.switches == "read"

    @property
    def _has_squares(self) -> bool:
        return self.match is not None and self.match.game.shape is not None

    def begin(self, match: Match | None) -> Sequence[SwitchChange]:
        """Begin a decision, and return the earlier switch changes that may belong to it; empty for a new match.

        The earlier changes were reported after the last move was complete on the board.
        """
        self.match = match
        self._candidates: list[Candidate] | None = None
        self._replies: dict[str, list[Candidate]] = {}
        self._evidence: Evidence | None = None
        self._believed: Candidate | None = None
        self._is_certain = False
        self.invalidated = False
        self.home = frozenset(match.pieces()) if match is not None and self.has_board else frozenset()
        touched = self._book.begin(match if self.has_board else None)
        self._remember_believed()
        self._touches.clear()
        return touched

    def _remember_believed(self) -> None:
        """Record the last move as a move that the next player may already have answered.

        The record is kept even if the table later concludes that a different move was made.
        """
        base, last = self._book.begun.base, self._book.last_move_in_search()
        known = self._answerable
        answerable = next((each for each in known if each.base is base), _Answerable(base, set()))
        self._answerable = [answerable, *(each for each in known if each is not answerable)][:MOST_ANSWERABLE]
        if last is not None:
            answerable.ids.add(last)

    def go_on_with(self, changes: Iterable[SwitchChange]) -> None:
        """Treat earlier switch changes as part of this decision."""
        changes = tuple(changes)
        self._book.go_on_with(changes)
        for change in changes:
            self._touches.note(change)
        self._evidence = None

    def recall(self, testimony: SwitchRecord) -> None:
        """Restore the switch changes that were recorded before the match was resumed."""
        self._book.recall(testimony)
        self._remember_believed()
        self._evidence = None

    def testimony(self) -> SwitchRecord:
        """Return the recorded switch changes; the list of changes is empty if at most one move explains them well."""
        found = self._book.testimony()
        return found if len(self.stories()) > 1 else found._replace(changes=())

    def restart(self) -> None:
        """Forget the switch changes so far, because all pieces were placed at once, as a simulated board can do."""
        self._book.restart()
        self._touches.clear()
        self._evidence = None

    def settle(self) -> None:
        """Treat the last move as certain, and forget the touches before it.

        If the board does not show it, because pieces were moved since, no other move is considered in its place before
        the board is as the match has it.
        """
        self._is_certain = not self._switches.agree(self.home)
        self._book.settle(is_on_board=not self._is_certain)
        self._evidence = None

    # --- what may be done -------------------------------------------------------------------------------------------

    def options(self) -> list[Candidate]:
        """Return all moves that the board may show, without the next player's replies; computed once."""
        if self._candidates is None:
            self._candidates = candidates_of(self.match) if self.match is not None and self._has_squares else []
        if self._is_certain:
            return [each for each in self._candidates if not each.takes_back or each.id == TAKE_BACK]
        return self._candidates

    def possible(self) -> list[Candidate]:
        """Return all moves that the board may show, including the next player's replies.

        Only the replies that were computed already are included.
        """
        return [*self.options(), *(reply for replies in self._replies.values() for reply in replies)]

    def unreadable(self) -> Collection[str]:
        """Return the ids of options that must be offered in a menu.

        If no switches are read, these are all next moves. Otherwise they are the next moves that change a square whose
        switch is ignored.
        """
        ignored = self._switches.ignored()
        if self._has_squares and not self.has_board:
            return {option.id for option in self.options() if not option.takes_back}
        if not ignored:
            return ()
        return {option.id for option in self.options() if not option.takes_back and option.footprint.changed & ignored}

    # --- what was done ----------------------------------------------------------------------------------------------

    def touch(self, change: SwitchChange) -> None:
        """Record that a square's switch has changed."""
        self._touches.note(change)
        self._book.note(change)
        self._evidence = None

    def void(self, squares: Collection[Square]) -> None:
        """Drop the changes of switches that are now ignored, because they chatter or were masked.

        Set `invalidated` if one of these squares was changed by the last move and that move may still be changed.
        """
        last = self.match.provisional if self.match is not None else None
        if self.match is not None and last is not None:
            changed = differing_squares(self.match.game.pieces(last.before), self.match.pieces())
            self.invalidated = self.invalidated or not changed.isdisjoint(squares)
        self._book.void(squares)
        self._evidence = None

    def trust(self, squares: Iterable[Square], at_ms: int) -> None:
        """Use switches again after they have chattered."""
        for square in squares:
            closed = square in self._switches.occupied
            self._touches.note(SwitchChange(at_ms, square, closed))
            self._book.trust(square, closed=closed)
        self._evidence = None

    def forget_undone_touches(self, *, watched: bool) -> bool:
        """Forget the touches if the board is as it was when the decision began; return whether the board is as it was.

        The recorded switch changes may be forgotten too (`StoryHistory.forget_at_home`). While moves are recognised,
        two exceptions apply. If pieces may have swapped places, or the board reads another piece on a square, nothing
        is forgotten. If the touches may still become part of a move, the switch changes are kept.

        Args:
            watched: whether moves are recognised now.
        """
        self._evidence = None
        if watched and (self.is_exchanged() or self.holds_another_piece()):
            return True
        if not watched or not self.evidence().may_go_on():
            is_other = self._book.forget_at_home(self._switches.occupied, self._switches.ignored())
            self._evidence = None if is_other else self._evidence
        if self._switches.agree(self.home):
            self._is_certain = False
            self._touches.clear()
        return self.is_home()

    def forget_exchange(self) -> None:
        """Forget the touches if they look as if pieces had swapped places."""
        if self.is_exchanged():
            self._touches.clear()
            self._book.restart()
            self._evidence = None

    def is_home(self) -> bool:
        """Return whether the board is as it was when the decision began.

        Switches that only neighbouring pieces close do not count.
        """
        return self._switches.agree(self.home) or self._switches.agree(self.home | self._echoes())

    def _echoes(self) -> frozenset[Square]:
        """Return the squares whose switch is closed only by a neighbouring piece.

        Empty unless the switches show the match's last move, finished and without any unexplained change.
        """
        evidence = self.evidence()
        standing = evidence.standing
        if standing is None or standing.is_open or standing.unexplained or not evidence.is_believed():
            return frozenset()
        return standing.echoes

    def is_exchanged(self) -> bool:
        """Return whether pieces may have swapped places.

        This is so if the same squares are occupied as when the decision began, and a swap of pieces explains the switch
        changes since then.
        """
        if not self._touches.opened_ms or not self._switches.agree(self.home):
            return False
        return bool(swapped_pieces(self.evidence())) or self.evidence().is_exchange_believed()

    def holds_another_piece(self) -> bool:
        """Return whether the board is as when the decision began but for a square on which it reads another piece."""
        return self._switches.agree(self.home) and bool(self._exchanged())

    def _exchanged(self) -> frozenset[Square]:
        """Return the squares on which another piece is read than when it was first touched in this decision."""
        readings, left = self._switches.readings, self._touches.left
        return frozenset(square for square in left if readings.differ(left[square], readings.on.get(square, "")))

    def differs(self) -> bool:
        """Return whether the board shows any sign of a move."""
        evidence = self.evidence()
        is_other = evidence.is_another_believed() or evidence.is_far_from_believed()
        return not self.is_home() or self.is_exchanged() or is_other

    def has_begun(self, options: Iterable[Candidate]) -> bool:
        """Return whether one of the options may have begun.

        An option may have begun if it changes every square that now differs from the start of the decision.
        """
        differing = (self._switches.occupied ^ self.home) - self._switches.ignored()
        return any(differing <= option.footprint.changed for option in options)

    def lifted(self) -> list[Square]:
        """Return the squares, sorted, from which the piece has disappeared since the decision began.

        Squares with an ignored switch are left out.
        """
        return sorted(self.home - self._switches.occupied - self._switches.ignored())

    def unfinished(self) -> UnfinishedMove | None:
        """Return what must still be done to complete moves made halfway; `None` if no move was made halfway."""
        evidence = self.evidence()
        begun = unfinished_candidates(evidence, self.options())
        done = [evidence.set_down(candidate.footprint) for candidate in begun]
        return UnfinishedMove.of(begun, done, self._switches.occupied) if begun else None

    # --- evidence -----------------------------------------------------------------------------------------------------

    def evidence(self) -> Evidence:
        """Return the evidence of the switches; computed once after each change."""
        if self._evidence is None:
            self._book.silence(self._switches.ignored())
            stories = self._stories() if self._book.has_history() else []
            self._evidence = Evidence(
                self.home,
                self._switches.occupied,
                sorted(stories, key=lambda story: (*story.rank, story.candidate.takes_back)),
                self._standing(),
                self._touches,
                self._switches.ignored(),
                self.believed(),
                self._switches.readings,
                self._now(),
                self._as_well_made() if self.invalidated else (),
            )
        return self._evidence

    def _standing(self) -> StoryEnding | None:
        """Return the ending of the story with only the match's last move.

        `None` if that story does not explain the board.
        """
        ending = self._book.costs.standing(self.options()) if self._book.has_history() else UNTOUCHED
        is_explained = ending is not None and not ending.unexplained & ending.echoes
        if ending is None or not is_explained or not self._is_seen(self.home, ending):
            return None
        return self._with_denials(ending, self._now(), frozenset())

    def _is_seen(self, occupied: frozenset[Square], ending: StoryEnding) -> bool:
        """Return whether the switches agree with the end of a move; always true while a piece is still in a hand.

        Args:
            occupied: the squares that are occupied in the position after the move.
            ending: what the move left behind: pieces in hands, and switches that are closed on other squares.
        """
        return bool(ending.held) or self._switches.agree(occupied | ending.echoes | ending.strays)

    def _stories(self) -> list[CandidateStory]:
        """Return, for each move that may have been made, the story (explanation of the switch changes) that fits it.

        If the search includes the recorded last move, stories are also returned for the moves that may have been made
        instead of the last move, and for replies to these moves.
        """
        found = self._stories_of(self.options())
        if self._book.last_move_in_search() is None:
            return found
        self._note_answerable(found)
        firsts = [option for option in self.options() if option.takes_back and option.id in self._answerable[0].ids]
        return [*found, *(story for first in firsts for story in self._stories_of(self._replies_to(first)))]

    def _stories_of(self, candidates: Sequence[Candidate]) -> list[CandidateStory]:
        return [story for each in candidates if (story := self._story(each, candidates)) is not None]

    def _note_answerable(self, found: Sequence[CandidateStory]) -> None:
        """Remember which alternatives to the last move are complete and among the most plausible moves.

        The next player may reply to one of these alternatives instead of the recorded last move.
        """
        least = min((story.ending.cost for story in found), default=0.0)
        self._answerable[0].ids.update(
            story.candidate.id
            for story in found
            if story.candidate.takes_back and story.ending.is_complete and story.ending.cost <= least + FITS_WITHIN
        )

    def _as_well_made(self) -> tuple[Candidate, ...]:
        """Return the alternatives to the last move that fit the switches equally well.

        An alternative is left out if it changes a square with an ignored switch.
        """
        ignored = self._switches.ignored()
        return tuple(
            option
            for option in self.options()
            if option.instead is not None
            and option.instead.changed
            and not option.instead.changed & ignored
            and self._switches.agree(option.occupied)
            and (ending := self._book.costs.ending(option, self.options())) is not None
            and not ending.held
        )

    def _replies_to(self, first: Candidate) -> list[Candidate]:
        if first.id not in self._replies and self.match is not None:
            self._replies[first.id] = replies_to(self.match, first)
        return self._replies[first.id]

    def _story(self, candidate: Candidate, instead: Sequence[Candidate]) -> CandidateStory | None:
        """Return the story of a candidate; `None` if no story of the candidate fits the board.

        Args:
            candidate: the candidate.
            instead: the candidate and all its alternatives.
        """
        ending = self._book.costs.ending(candidate, instead)
        if ending is None or not self._is_seen(candidate.occupied, ending):
            return None
        is_unread = bool(candidate.touched & self._switches.ignored())
        pieces = candidate.pieces(self._now())
        standing = pieces.keys() - candidate.footprint.filled
        return CandidateStory(
            candidate,
            self._with_denials(ending, pieces, candidate.touched),
            is_blind=ending.is_unseen or is_unread,
            is_denied=bool(self._exchanged() & standing),
        )

    def _with_denials(
        self, ending: StoryEnding, pieces: Mapping[Square, str], changed: frozenset[Square]
    ) -> StoryEnding:
        """Return the ending, dearer by each touched or changed square where another piece or one too many is read."""
        squares, readings = (self._book.touched() | changed) - self._switches.ignored(), self._switches.readings
        denied = readings.denied({square: pieces[square] for square in squares & pieces.keys()})
        extra = len(squares & readings.on.keys() - pieces.keys())
        return ending._replace(cost=ending.cost + DENIED * denied + EXTRA * extra)

    def _now(self) -> Mapping[Square, str]:
        return {} if self.match is None else self.match.pieces()

    def way_back(self) -> Candidate | None:
        """Return the candidate that takes back the last move, if the last two moves are undone on the board.

        Return `None` if the moves are not undone, and also if a move explains the switch changes.
        """
        evidence = self.evidence()
        if evidence.stories or evidence.standing is not None:
            return None
        if not self._book.is_as_before_earlier(self._switches.occupied, self._switches.ignored()):
            return None
        return next((option for option in self.options() if option.id == TAKE_BACK), None)

    def is_answer_undone(self) -> bool:
        """Return whether two moves are undone on the board: the computer's answer and the player's move before it."""
        step = self.match.answered_move if self.match is not None and self.has_board else None
        if step is None or self.match is None or self.is_home():
            return False
        return self._switches.agree(frozenset(self.match.game.pieces(step.before)))

    def believed(self) -> Candidate | None:
        """Return the last move of the match as a candidate (`believed_candidate`).

        Return `None` if there is no match, or no board whose switches are read.
        """
        if self._believed is None and self.match is not None and self.has_board:
            self._believed = believed_candidate(self.match)
        return self._believed

    def stories(self) -> list[Candidate]:
        """Return all moves that explain the switch changes well; the recorded last move comes first if it does."""
        return self.evidence().fitting_candidates()
