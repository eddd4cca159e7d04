"""Watching the board for one decision after another: what its switches say, what was touched, and what that means.

The life of a decision, from the table's side:

 1. `decide`: the match asks for something, and the board should be as the match has it. If it is not, and nobody's
    hands may have begun already, it is to be made so first (state ALIGNING).
 2. Touches: each switch that settles (`switch`) notes its square; a board that is as it was at the start forgets them.
 3. Verdict: after each change, and once it was quiet long enough, `advance` judges what the board means by the rules
    of `recognizer`: wait, accept, ask which (ASKING), or show the way home (RECOVERING).
 4. Accept: `advance` returns the candidate. Whoever keeps the match journals it at once, after taking the last move
    back where the candidate stands in its place, and begins the next decision.
 5. Provisional: until something seals the move its touches are kept (`last_move`), so that another option of the same
    decision, or the position before, may still be recognised in its place.
 6. Sealed: by an answer, a throw or the next move; `decide` then follows another last move, and the touches are gone.

A button that is pressed counts as saying that the move is finished: `flush` gives the move that only waits for a longer
one, `force` asks or guides at once where the board is not clear.
"""

from collections.abc import Iterable
from enum import Enum, auto

from captains_table.games.contract import Square
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, Wrong
from captains_table.table.recognition.candidates import Candidate, undone
from captains_table.table.recognition.decision import Decision
from captains_table.table.recognition.left_to_do import MoveToMake, UnfinishedMove, wrong_squares
from captains_table.table.recognition.recognizer import Accept, Recover, Unmoved, Verdict, Wait, Which, judge
from captains_table.table.recognition.story_state import Testimony
from captains_table.table.recognition.switches import SwitchReport, SwitchStates


class MonitorState(Enum):
    """What the monitor is doing about the board."""

    WATCHING = auto()
    RECOVERING = auto()  # the board fits nothing: the way home is shown until it is right again
    ASKING = auto()  # the board fits several things
    ALIGNING = auto()  # the board is to be made like the match before anything is recognised


MOST_SUSPECTS = 1  # more squares than that are wrong because pieces stand wrong
DOUBT_FACTOR = 2  # the board stays wrong twice as long as it may stand undecided before its switches are doubted
THINKING_FACTOR = 5  # where pieces are only missing they may be in somebody's hand
WATCHED = (MonitorState.WATCHING, MonitorState.RECOVERING)  # moves are recognised


class BoardMonitor:
    """Watches the board, and says what is to be accepted, asked or put right.

    Attributes:
        switches: what the board's switches say.
        decision: what may be done on the board, and what has been touched for it.
        changed_ms: when the board last changed.
        state: what the table is doing about the board.
        aligning_for: why the board may differ from the match, where it is to be made like it.
        asked: what the players are asked about.
        asked_is_sure: whether nothing is missing but their choice.
        to_make: the computer's move that a hand is still to make, if there is one.
    """

    def __init__(self, settings: Settings, occupied: frozenset[Square] = frozenset()) -> None:
        self._settings = settings
        self.switches = SwitchStates(occupied)
        self.decision = Decision(self.switches, settings)
        self.changed_ms = 0
        self._dismissed = False
        self._accepted: set[tuple[Candidate | None, Candidate]] = set()
        self._is_long_wrong = False
        self.state = MonitorState.WATCHING
        self.aligning_for = Phase.PLAYING
        self.asked: tuple[Candidate, ...] = ()
        self.asked_is_sure = False
        self._tells_apart = False
        self.to_make: MoveToMake | None = None

    # --- decisions --------------------------------------------------------------------------------------------------

    def decide(
        self,
        match: Match | None,
        *,
        phase: Phase = Phase.PLAYING,
        going_on: bool = False,
        recognised: bool = False,
        recalled: Testimony | None = None,
        to_make: MoveToMake | None = None,
    ) -> None:
        """Begin a decision: the board should now be as the match has it.

        Args:
            match: the match; None when no match is played.
            phase: why the board may differ: set-up, restoring, or a move that was made elsewhere.
            going_on: whether hands may have begun already with what is decided now.
            recognised: whether the board itself told what was done last: whatever differs is hands at work.
            recalled: what the switches said before the match was taken up again.
            to_make: what a computer has just played, which a hand is to make.
        """
        self.switches.play_on(match.game.shape if match is not None else None)
        touched = self.decision.begin(match)
        if recalled is not None:
            self.decision.recall(recalled)
        self._dismissed = False
        self._is_long_wrong = False
        self.asked = ()
        self.aligning_for, self.to_make = phase, to_make
        self._align()
        if recognised:
            self.state = MonitorState.WATCHING
        if going_on and self.state is MonitorState.ALIGNING:
            self.state = MonitorState.WATCHING
            self.decision.go_on_with(touched)

    def _align(self) -> None:
        """Have the board made like the match, if it is not."""
        is_read = self.decision.has_board and self.switches.linked
        is_wrong = is_read and (self.to_make is not None or not self.decision.is_home())
        self.state = MonitorState.ALIGNING if is_wrong else MonitorState.WATCHING

    # --- switches ---------------------------------------------------------------------------------------------------

    def switch(self, square: Square, *, closed: bool, now_ms: int, flickers: int = 0) -> None:
        """Take in a switch that has settled; one that repeats what is known, is ignored or beside the game, is mute."""
        if not self.switches.linked or closed == (square in self.switches.closed):
            return
        was_ignored = self.switches.ignored()
        self.switches.change(square, closed=closed, at_ms=now_ms, flickers=flickers)
        if square not in was_ignored and not self.switches.is_beside(square):
            self._touched([square], now_ms)
        if loose := self.switches.ignored() - was_ignored:
            self.decision.void(loose)

    def lose_link(self, trouble: str) -> None:
        """Know that the switches are not read, or not any more, and why."""
        self.switches.trouble = trouble

    def read(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Take in a whole board, as after a dropped link: what differs from before was touched meanwhile.

        Of a board that was never read before nobody knows what was touched: it is to be made like the match.
        """
        was_read = self.switches.was_read
        differing = self.switches.read(occupied)
        if not was_read:
            self._align()
        self._touched(sorted(differing, key=lambda square: square in occupied), now_ms)  # lifted before set down

    def place_all(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Take in that the pieces were put where they belong in one go, as the simulated table can."""
        self.switches.place_all(occupied)
        self.to_make = None
        self.decision.restart()
        self._look(now_ms)

    def mask(self, square: Square, now_ms: int) -> None:
        """Let a switch say nothing from now on."""
        self.switches.masked.add(square)
        self.decision.void([square])
        self._look(now_ms)

    def _touched(self, squares: Iterable[Square], now_ms: int) -> None:
        for square in squares:
            self.decision.touch(square, now_ms)
            self.to_make = None if self.to_make is None else self.to_make.touched([square])
        self._look(now_ms)

    def _look(self, now_ms: int) -> None:
        """Look at the board anew after something changed."""
        self.changed_ms = now_ms
        self._dismissed = False
        self._accepted.clear()
        self._is_long_wrong = False
        if self.state is MonitorState.ASKING and not (self._tells_apart and self.ask_stories()):
            self.state, self.asked = MonitorState.WATCHING, ()
        is_home = self.decision.forget_what_came_to_nothing(watched=self.state in WATCHED)
        if is_home and not self.asked and not self._is_still_made():
            self.to_make = None
            if self.state is MonitorState.ALIGNING and self.aligning_for is not Phase.RESTORING:
                self.decision.settle()  # what was answered on a page was made on the board
            self.state = MonitorState.WATCHING

    def _is_still_made(self) -> bool:
        """Return whether hands have not touched all squares of the move they are to make."""
        return self.to_make is not None and bool(self.to_make.untouched)

    # --- time -------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when something may be believed or asked if nothing else happens."""
        dues = (self._verdict_due_ms(), self._made_due_ms(), self._undone_due_ms(), self._doubt_due_ms())
        rest_ms = self.switches.health.rest_due_ms()
        return min((due for due in (*dues, rest_ms) if due is not None), default=None)

    def _verdict_due_ms(self) -> int | None:
        if not self._is_judging():
            return None
        verdict = self._verdict(self.changed_ms)
        timeout_ms, then = (verdict.quiet_ms, verdict.then) if isinstance(verdict, Wait) else (0, verdict)
        if isinstance(then, Unmoved) or (isinstance(then, Recover) and self.state is MonitorState.RECOVERING):
            return None
        return self.changed_ms + timeout_ms

    def _undone_due_ms(self) -> int | None:
        """Return when a computer's answer is taken back with the move before it: both stand as before."""
        is_undone = self._is_watching() and not self._dismissed and self.decision.is_answer_undone()
        return self.changed_ms + self._settings.slide_ms if is_undone else None

    def _made_due_ms(self) -> int | None:
        """Return when a move is taken for made though not all its switches spoke: a victim may be gone in no time."""
        is_made = self.switches.linked and self.state is MonitorState.ALIGNING and self.decision.is_home()
        waits = is_made and self._is_still_made() and self.to_make is not None and self.to_make.has_begun
        return self.changed_ms + self._settings.hand_ms if waits else None

    def _doubt_due_ms(self) -> int | None:
        """Return when switches become suspect, None if they are or nothing is wrong that could be put right."""
        if self._is_long_wrong or not self._is_shown_wrong():
            return None
        return self.changed_ms + self._settings.ask_ms * (DOUBT_FACTOR if self.wrong().extra else THINKING_FACTOR)

    def _is_judging(self) -> bool:
        is_playing = self.decision.has_board and self._is_watching()
        return is_playing and not self._dismissed and (self.decision.invalidated or self.decision.differs())

    def _is_watching(self) -> bool:
        """Return whether moves are recognised on a board that is read."""
        return self.switches.linked and self.state in WATCHED

    def _verdict(self, now_ms: int) -> Verdict:
        return judge(self.decision.evidence(), self.decision.possible(), self._settings, now_ms - self.changed_ms)

    def advance(self, now_ms: int) -> Candidate | None:
        """Judge the board and return the candidate to accept, if there is one; to be called when something is due."""
        if rested := self.switches.health.rested(now_ms):
            self.decision.trust(rested, now_ms)
            self._look(self.changed_ms)  # nobody did anything now
        undone_ms = self._undone_due_ms()
        if undone_ms is not None and undone_ms <= now_ms and self.decision.match is not None:
            return undone(self.decision.match)
        made_ms = self._made_due_ms()
        if made_ms is not None and made_ms <= now_ms:
            self.to_make = None
            self._look(self.changed_ms)
        doubt_ms = self._doubt_due_ms()
        if doubt_ms is not None and doubt_ms <= now_ms:
            self._is_long_wrong = True
        return self._consider(self._verdict(now_ms)) if self._is_judging() else None

    def flush(self, now_ms: int) -> Candidate | None:
        """Return the move that only waits for a possible longer one: a press of a button says it is finished."""
        if not self._is_judging():
            return None
        verdict = self._verdict(now_ms)
        return verdict.then.candidate if isinstance(verdict, Wait) and isinstance(verdict.then, Accept) else None

    def is_unfinished(self) -> bool:
        """Return whether hands are at work: the board differs from the match, and not because the table changed it."""
        return self._is_telling() and self.decision.differs()

    def force(self, now_ms: int) -> None:
        """Ask or guide at once: somebody says that he has finished, but the board is not clear."""
        if self._is_judging():
            verdict = self._verdict(now_ms)
            self._consider(verdict.then if isinstance(verdict, Wait) else verdict)

    def _consider(self, verdict: Verdict) -> Candidate | None:
        match verdict:
            case Accept(candidate):
                return self._accept_once(candidate)
            case Which():
                self._ask(verdict)
            case Recover():
                back = self.decision.way_back()
                if back is not None:
                    return self._accept_once(back)
                self.state = MonitorState.RECOVERING
            case Unmoved() | Wait():
                pass
        return None

    def _accept_once(self, candidate: Candidate) -> Candidate | None:
        """Return what is to be accepted, unless it was, and was taken back, with no change between: then it is asked.

        Begun from two positions, one history may be judged in two ways; the table must not go to and fro for ever.
        """
        believed = self.decision.believed()
        if (believed, candidate) not in self._accepted or believed is None:
            self._accepted.add((believed, candidate))
            return candidate
        self._ask(Which((believed, candidate), sure=True))
        return None

    def ask_stories(self) -> bool:
        """Ask which story is meant if several fit, and return whether that is asked now."""
        stories = self.stories()
        if stories:
            self._ask(Which(stories, sure=True, tells_apart=True))
        return bool(stories)

    def _ask(self, which: Which) -> None:
        """Ask what was done on the board; which story it was is asked until it is answered or clear."""
        self.state, self.asked = MonitorState.ASKING, which.candidates
        self.asked_is_sure, self._tells_apart = which.sure, which.tells_apart

    def settle(self) -> None:
        """Take the last move for certain: somebody said that it was made."""
        if self.state is MonitorState.ASKING:
            self.state, self.asked = MonitorState.WATCHING, ()
        self.decision.settle()

    def put_off_doubt(self, now_ms: int) -> None:
        """Doubt no switch for another while: the board is being put right."""
        self._is_long_wrong = False
        self.changed_ms = now_ms

    def dismiss(self) -> None:
        """Leave the question which of several things was done, until the board changes."""
        self.state, self.asked, self._dismissed = MonitorState.WATCHING, (), True
        self.decision.invalidated = False
        self.decision.forget_exchange()

    # --- what others may know ---------------------------------------------------------------------------------------

    def suspects(self) -> tuple[Square, ...]:
        """Return the squares whose switch may be broken: the board has long been wrong there and nowhere else."""
        wrong = self.wrong()
        squares = (*wrong.missing, *wrong.extra)
        return squares if self._is_long_wrong and len(squares) <= MOST_SUSPECTS else ()

    def reports(self) -> list[SwitchReport]:
        """Return the health of every switch of the board."""
        match, suspects = self.decision.match, self.suspects()
        shape = match.game.shape if match is not None and self.decision.has_board else None
        squares = shape.squares() if shape is not None else ()
        return [self.switches.report(square, suspect=square in suspects) for square in squares]

    def wrong(self) -> Wrong:
        """Return how the board differs from the match, if that is to be put right."""
        match = self.decision.match
        if match is None or not (self._is_shown_wrong() and self.decision.has_board):
            return Wrong()
        return wrong_squares(match.pieces(), self.switches.occupied, self.switches.ignored())

    def _is_shown_wrong(self) -> bool:
        return self.switches.linked and self.state in (MonitorState.RECOVERING, MonitorState.ALIGNING)

    def lifted(self) -> list[Square]:
        """Return the squares whose piece is in somebody's hand, as far as nothing is put anywhere else meanwhile.

        Of a board that is not read nobody knows.
        """
        is_elsewhere = bool(self.switches.occupied - self.decision.home - self.switches.ignored())
        is_unknown = not self._is_watching() or (self.state is MonitorState.RECOVERING and is_elsewhere)
        return [] if is_unknown else self.decision.lifted()

    def unfinished(self) -> UnfinishedMove | None:
        """Return what is left to do of a move of which some pieces were set down, None if there is none."""
        return self.decision.unfinished() if self._is_watching() else None

    # --- what may have been done on it ------------------------------------------------------------------------------

    def stories(self) -> tuple[Candidate, ...]:
        """Return what may have been done by the stories that fit, none where it is only one."""
        stories = self.decision.stories() if self._is_telling() else []
        return tuple(stories) if len(stories) > 1 else ()

    def rivals(self) -> tuple[Candidate, ...]:
        """Return what may have been done as well as what the match has, while the board rests so."""
        is_resting = self._is_telling() and self.state is MonitorState.WATCHING and not self._dismissed
        if not is_resting or not self.decision.is_home():
            return ()
        return tuple(story for story in self.decision.stories() if story != self.decision.believed())

    def testimony(self) -> Testimony | None:
        """Return what the switches said while the board rests as the match has it, `None` while hands are at work."""
        is_resting = self._is_telling() and self.state in (MonitorState.WATCHING, MonitorState.ASKING)
        return self.decision.testimony() if is_resting and self.decision.is_home() else None

    def _is_telling(self) -> bool:
        return self.decision.has_board and self.switches.linked and self.state is not MonitorState.ALIGNING
