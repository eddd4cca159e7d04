"""The board monitor: it follows the switches during each decision and reports moves to accept, questions and faults.

A *candidate* is a move that may have been made on the board; a *story* is a hypothesis of what hands did that ends with
a candidate (docs/recognition.md). The life of a decision:

 1. `decide`: the match asks for something, and the board should show the match's position. If the board differs, or
    if a computer's move must be made on it, the board must first be corrected (state ALIGNING), unless the next move
    may have begun already.
 2. Touches: `switch` records each settled change. When the board is again as at the start of the decision, the changes
    are forgotten, unless they may still mean a move.
 3. Verdict: after each change, and after quiet times, `advance` judges the board by the rules of `recognizer`: wait,
    accept, ask which move it was (ASKING), or show how to put the board right (RECOVERING).
 4. Accept: `advance` returns the candidate. The caller records it in the journal at once, after taking back the last
    move if the candidate replaces that move, and begins the next decision.
 5. Provisional: the touches are kept until the move is sealed, so that another option of the same decision, or the
    position before the move, may still be recognised instead.
 6. Sealed: an answer, a throw or the next move makes the move final; the touches that belong to it are then dropped.

A player presses a button when the move is finished. Then `flush` returns a move that was held back because it might
become longer. If the board is unclear, `force` asks at once, or shows at once how to put the board right.
"""

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from types import MappingProxyType
from typing import Final

from captains_table.games.contract import Shape, Square
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import BoardDifference, Phase
from captains_table.table.recognition.board_reports import SwitchChange
from captains_table.table.recognition.candidates import Candidate, answered_take_back
from captains_table.table.recognition.decision import BoardDecision
from captains_table.table.recognition.instructions import MoveToMake, UnfinishedMove, wrong_squares
from captains_table.table.recognition.recognizer import Accept, AskWhich, BoardVerdict, Recover, Unmoved, Wait, judge
from captains_table.table.recognition.story_state import SwitchRecord
from captains_table.table.recognition.switches import SwitchReport, SwitchStates


class MonitorState(Enum):
    """What the monitor is doing: recognising moves, asking the players, or having the board put right."""

    WATCHING = auto()
    RECOVERING = auto()  # the board fits no candidate: the way back is shown until it is right again
    ASKING = auto()  # the board fits several candidates
    ALIGNING = auto()  # the board must be corrected before moves are recognised


MOST_SUSPECTS = 1  # if more squares are wrong, pieces stand on wrong squares
DOUBT_FACTOR = 2  # a switch becomes suspect once the board has been wrong for this many times `ask_ms`
THINKING_FACTOR = 5  # the same while pieces are only missing: one may be in somebody's hand
BOUGHT_BOARD: Final = Shape(8, 8)
NO_READINGS: Final[Mapping[Square, str]] = MappingProxyType({})
WATCHED = (MonitorState.WATCHING, MonitorState.RECOVERING)  # the states in which moves are recognised


class BoardMonitor:
    """Watches the board and decides which moves to accept, what to ask, and what must be put right.

    Attributes:
        switches: the board's switches.
        decision: the current decision.
        changed_ms: when the board last changed, or `put_off_doubt` was last called, in table milliseconds.
        state: what the monitor is doing about the board.
        aligning_for: the phase in which the board must be made like the match: set-up, restoring, or playing (after a
            move that was made elsewhere).
        asked: the candidates among which the players are asked to choose.
        asked_is_sure: whether the move is complete on the board, and only the players' choice is missing.
        to_make: the computer's move that a person must still make on the board; `None` if there is none.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.switches = SwitchStates()
        self.decision = BoardDecision(self.switches, settings)
        self.changed_ms = 0
        self._accepted: set[tuple[Candidate | None, Candidate]] = set()
        self.asked_is_sure = False
        self._tells_apart = False
        self.decide(None)

    # --- decisions --------------------------------------------------------------------------------------------------

    def decide(
        self,
        match: Match | None,
        *,
        phase: Phase = Phase.PLAYING,
        going_on: bool = False,
        recognised: bool = False,
        recalled: SwitchRecord | None = None,
        to_make: MoveToMake | None = None,
    ) -> None:
        """Begin a decision: from now on the board should show the match's current position.

        Args:
            match: the match; `None` when no match is played.
            phase: why the board may differ: set-up, restoring, or a move that was made elsewhere (playing).
            going_on: whether players may already have begun the next move.
            recognised: whether the last move was recognised on the board, so that any difference comes from a move in
                progress.
            recalled: the switch changes recorded before the match was resumed; `None` if there are none.
            to_make: the computer's latest move, which a person must make on the board; `None` if there is none.
        """
        self.switches.play_on(match.game.shape if match is not None else None)
        if match is not self.decision.match:
            self.switches.readings.forget()
        touched = self.decision.begin(match)
        if recalled is not None:
            self.decision.recall(recalled)
        self._dismissed = False
        self._is_long_wrong = False
        self.asked: tuple[Candidate, ...] = ()
        self.aligning_for, self.to_make = phase, to_make
        self._align()
        if recognised:
            self.state = MonitorState.WATCHING
        if going_on and self.state is MonitorState.ALIGNING:
            self.state = MonitorState.WATCHING
            self.decision.go_on_with(touched)
        self._learn()

    def _learn(self) -> None:
        """Learn what the board's readings mean if it shows the match's position; the last move may still be another.

        A piece that was exchanged for another one may begin a promotion.
        """
        match = self.decision.match
        if match is None or not self.switches.readings.on or not self.decision.is_home():
            return
        if self.decision.holds_another_piece():
            return
        last = match.provisional
        before = match.game.pieces(last.before) if last is not None else match.pieces()
        self.switches.readings.learn(
            {square: piece for square, piece in match.pieces().items() if before.get(square) == piece}
        )

    def _align(self) -> None:
        """Set the state to ALIGNING if the board must be corrected, and otherwise to WATCHING.

        The board must be corrected if it can be read, and either differs from the match or lacks a computer's move.
        """
        is_read = self.decision.has_board and self.switches.linked
        is_wrong = is_read and (self.to_make is not None or not self.decision.is_home())
        self.state = MonitorState.ALIGNING if is_wrong else MonitorState.WATCHING

    # --- switches ---------------------------------------------------------------------------------------------------

    def switch(self, square: Square, *, closed: bool, now_ms: int, flickers: int = 0, reading: str = "") -> None:
        """Record a settled change of a switch; it counts as a touch unless the square is ignored or unused.

        A report of a state that is already known is skipped, and so is any report while the link is lost. If the board
        reads another piece on a square that was occupied, the piece before left at the same time.
        """
        was_closed = square in self.switches.closed
        if not self.switches.linked or (closed == was_closed and not self.switches.is_another(square, reading)):
            return
        was_ignored = self.switches.ignored()
        changes = []
        for is_closed in (False, True) if closed and was_closed else (closed,):
            read = self.switches.change(square, closed=is_closed, at_ms=now_ms, flickers=flickers, reading=reading)
            changes.append(SwitchChange(now_ms, square, is_closed, read))
        if square not in was_ignored and not self.switches.is_unused(square):
            self._touched(changes, now_ms)
        if loose := self.switches.ignored() - was_ignored:
            self.decision.void(loose)

    def read(self, occupied: frozenset[Square], now_ms: int, readings: Mapping[Square, str] = NO_READINGS) -> None:
        """Record the state of the whole board, e.g. after a lost link; squares that changed count as touched now.

        On the first reading, it is unknown which squares were touched. If the board then differs from the match, the
        pieces must be put right.
        """
        was_read = self.switches.was_read
        changes = self.switches.read(occupied, readings, now_ms)
        if not was_read:
            self._align()
        self._touched(changes, now_ms)

    def place_all(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Record that all pieces were placed at once, which the simulated table can do."""
        self.switches.place_all(occupied)
        self.to_make = None
        self.decision.restart()
        self._evaluate(now_ms)

    def mask(self, square: Square, now_ms: int) -> None:
        """Ignore a square's switch from now on."""
        self.switches.masked.add(square)
        self.decision.void([square])
        self._evaluate(now_ms)

    def _touched(self, changes: Iterable[SwitchChange], now_ms: int) -> None:
        for change in changes:
            self.decision.touch(change)
            self.to_make = None if self.to_make is None else self.to_make.touched([change.square])
        self._evaluate(now_ms)

    def _evaluate(self, now_ms: int) -> None:
        """Update the monitor's state after a change on the board.

        An open question is closed. Only the question which of several moves was made is asked again, if several moves
        still fit. The monitor then watches for moves again if no question is open, no computer's move is left to make
        on the board, and the board is as it was when the decision began.
        """
        self.changed_ms = now_ms
        self._dismissed = False
        self._accepted.clear()
        self._is_long_wrong = False
        if self.state is MonitorState.ASKING and not (self._tells_apart and self.ask_stories()):
            self.state, self.asked = MonitorState.WATCHING, ()
        is_home = self.decision.forget_undone_touches(watched=self.state in WATCHED)
        if is_home and not self.asked and not self._is_still_made():
            self.to_make = None
            if self.state is MonitorState.ALIGNING and self.aligning_for is not Phase.RESTORING:
                self.decision.settle()  # the move answered on a page has now been made on the board
            self.state = MonitorState.WATCHING
        if is_home:
            self._learn()

    def _is_still_made(self) -> bool:
        """Return whether people must still complete a computer's move: some of its squares were not touched yet."""
        return self.to_make is not None and bool(self.to_make.untouched)

    # --- time -------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return the table time in ms when `advance` must be called if nothing changes; `None` if never."""
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
        """Return when to take back a computer's answer and the player's move before it; `None` if that is not due.

        It is due only if both moves are undone on the board, moves are recognised, and `dismiss` was not called since
        the board last changed.
        """
        is_undone = self._is_watching() and not self._dismissed and self.decision.is_answer_undone()
        return self.changed_ms + self._settings.slide_ms if is_undone else None

    def _made_due_ms(self) -> int | None:
        """Return when a computer's move counts as made although not all its switches changed.

        The switch of a captured piece may stay closed if the capturing piece takes its place quickly. The result is
        `None` if the board does not agree with the match, or if none or all of the move's squares were touched.
        """
        is_made = self.switches.linked and self.state is MonitorState.ALIGNING and self.decision.is_home()
        waits = is_made and self._is_still_made() and self.to_make is not None and self.to_make.has_begun
        return self.changed_ms + self._settings.hand_ms if waits else None

    def _doubt_due_ms(self) -> int | None:
        """Return when a switch may become suspect if the board stays wrong until then.

        `None` if this time is over already, or if no square is shown as wrong.
        """
        if self._is_long_wrong or not self._is_shown_wrong():
            return None
        return self.changed_ms + self._settings.ask_ms * (DOUBT_FACTOR if self.wrong().extra else THINKING_FACTOR)

    def _is_judging(self) -> bool:
        is_playing = self.decision.has_board and self._is_watching()
        return is_playing and not self._dismissed and (self.decision.invalidated or self.decision.differs())

    def _is_watching(self) -> bool:
        """Return whether the switches can be read and moves are recognised."""
        return self.switches.linked and self.state in WATCHED

    def _verdict(self, now_ms: int) -> BoardVerdict:
        return judge(self.decision.evidence(), self.decision.possible(), self._settings, now_ms - self.changed_ms)

    def advance(self, now_ms: int) -> Candidate | None:
        """Judge the board, and return the move or take-back to accept; `None` if there is none. Call this at `due_ms`.

        Begin to ask the players, or to guide them back to the right position, if needed. If the players have undone a
        computer's move and their own move before it, return the candidate that takes back both moves.
        """
        if rested := self.switches.health.rested(now_ms):
            self.decision.trust(rested, now_ms)
            self._evaluate(self.changed_ms)  # nothing changed on the board
        undone_ms = self._undone_due_ms()
        if undone_ms is not None and undone_ms <= now_ms and self.decision.match is not None:
            return answered_take_back(self.decision.match)
        made_ms = self._made_due_ms()
        if made_ms is not None and made_ms <= now_ms:
            self.to_make = None
            self._evaluate(self.changed_ms)
        doubt_ms = self._doubt_due_ms()
        if doubt_ms is not None and doubt_ms <= now_ms:
            self._is_long_wrong = True
        return self._consider(self._verdict(now_ms)) if self._is_judging() else None

    def flush(self, now_ms: int) -> Candidate | None:
        """Return the move that will be accepted if the board stays quiet; `None` if no move is waiting.

        Call this when a player presses a button or answers, which ends the wait for a possible longer move.
        """
        if not self._is_judging():
            return None
        verdict = self._verdict(now_ms)
        return verdict.then.candidate if isinstance(verdict, Wait) and isinstance(verdict.then, Accept) else None

    def is_unfinished(self) -> bool:
        """Return whether a move may be in progress.

        False while the players must first put the board right. Also false if the switches are not read or the link is
        lost.
        """
        return self._is_in_play() and self.decision.differs()

    def force(self, now_ms: int) -> None:
        """Judge the board without waiting, because a player has finished moving.

        If necessary, begin to ask about the board, or to show how to put it right. Call `flush` before this method, and
        accept the move that `flush` returns: this method accepts no move.
        """
        if self._is_judging():
            verdict = self._verdict(now_ms)
            self._consider(verdict.then if isinstance(verdict, Wait) else verdict)

    def _consider(self, verdict: BoardVerdict) -> Candidate | None:
        match verdict:
            case Accept(candidate):
                return self._accept_once(candidate)
            case AskWhich():
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
        """Return a candidate unless it was already accepted since the board last changed; then ask and return `None`.

        The question to the players is which move was made. Only an acceptance after the same last move counts. Two
        starting positions may judge the same changes differently, and the table must not switch between two moves
        forever.
        """
        believed = self.decision.believed()
        if (believed, candidate) not in self._accepted or believed is None:
            self._accepted.add((believed, candidate))
            return candidate
        self._ask(AskWhich((believed, candidate), sure=True))
        return None

    def ask_stories(self) -> bool:
        """Ask which move was made if several moves fit the switch changes; return whether the question was asked."""
        stories = self.stories()
        if stories:
            self._ask(AskWhich(stories, sure=True, tells_apart=True))
        return bool(stories)

    def _ask(self, which: AskWhich) -> None:
        """Start asking the players which candidate was played."""
        self.state, self.asked = MonitorState.ASKING, which.candidates
        self.asked_is_sure, self._tells_apart = which.sure, which.tells_apart

    def settle(self) -> None:
        """Treat the last move as certain, because a person said that it was made."""
        if self.state is MonitorState.ASKING:
            self.state, self.asked = MonitorState.WATCHING, ()
        self.decision.settle()

    def put_off_doubt(self, now_ms: int) -> None:
        """Restart the time after which a wrong board makes a switch suspect.

        This is called when a person says that the board is being put right.
        """
        self._is_long_wrong = False
        self.changed_ms = now_ms

    def dismiss(self) -> None:
        """Stop asking which move was made, and do not judge the board again until it changes.

        Touches that look as if pieces had swapped places are forgotten.
        """
        self.state, self.asked, self._dismissed = MonitorState.WATCHING, (), True
        self.decision.invalidated = False
        self.decision.forget_exchange()

    # --- state of the board for other modules -------------------------------------------------------------------------

    def suspects(self) -> tuple[Square, ...]:
        """Return the square whose switch may be broken; empty if no switch is suspect.

        A switch is suspect if the board has been wrong for long, and only the square of this switch is wrong.
        """
        wrong = self.wrong()
        squares = (*wrong.missing, *wrong.extra)
        is_doubted = self._is_long_wrong and self._settings.doubts_switches
        return squares if is_doubted and len(squares) <= MOST_SUSPECTS else ()

    def may_lie_turned(self) -> bool:
        """Return whether the board may lie turned round, with its connector at the other side.

        If turned, the board would look as the match does, or, before the first move, the lifted piece may move.
        """
        match, closed = self.decision.match, self.switches.closed
        if match is None or not self._settings.may_lie_turned:
            return False
        home, state, game = match.pieces().keys(), match.state, match.game
        if closed != home and set(map(BOUGHT_BOARD.turned, closed)) == home:
            return True
        if any(step.on_board for step in match.history):
            return False
        pairs = [(square, BOUGHT_BOARD.turned(square)) for square in (*self.lifted(), *self.wrong().missing)]
        hindered = [turned for square, turned in pairs if game.hindrance(state, square) is not None]
        return any(turned in home and game.hindrance(state, turned) is None for turned in hindered)

    def reports(self) -> list[SwitchReport]:
        """Return the health of every switch that the match's game uses; empty if no switches are read."""
        match, suspects = self.decision.match, self.suspects()
        shape = match.game.shape if match is not None and self.decision.has_board else None
        squares = shape.squares() if shape is not None else ()
        return [self.switches.report(square, suspect=square in suspects) for square in squares]

    def wrong(self) -> BoardDifference:
        """Return how the board differs from the match; an empty difference if nothing must be put right."""
        match = self.decision.match
        if match is None or not (self._is_shown_wrong() and self.decision.has_board):
            return BoardDifference()
        return wrong_squares(match.pieces(), self.switches.occupied, self.switches.ignored())

    def _is_shown_wrong(self) -> bool:
        return self.switches.linked and self.state in (MonitorState.RECOVERING, MonitorState.ALIGNING)

    def lifted(self) -> list[Square]:
        """Return the squares from which a piece was lifted.

        The list is empty if moves are not recognised now. It is also empty if players are correcting the board and a
        square is wrongly occupied.
        """
        is_elsewhere = bool(self.switches.occupied - self.decision.home - self.switches.ignored())
        is_unknown = not self._is_watching() or (self.state is MonitorState.RECOVERING and is_elsewhere)
        return [] if is_unknown else self.decision.lifted()

    def unfinished(self) -> UnfinishedMove | None:
        """Return what remains to be done of a move that was made halfway.

        `None` if no move was made halfway, or if moves are not recognised now.
        """
        return self.decision.unfinished() if self._is_watching() else None

    # --- stories ------------------------------------------------------------------------------------------------------

    def stories(self) -> tuple[Candidate, ...]:
        """Return the moves that may have been made according to the switches, if there are several.

        Empty if at most one move fits, if the switches are not read, or while the players must set up the pieces.
        """
        stories = self.decision.stories() if self._is_in_play() else []
        return tuple(stories) if len(stories) > 1 else ()

    def rivals(self) -> tuple[Candidate, ...]:
        """Return the moves that fit the switch changes, except the last move as the match records it.

        Empty while a move is in progress, while a question is open or was dismissed, while people correct the pieces on
        the board, and if the switches are not read.
        """
        is_resting = self._is_in_play() and self.state is MonitorState.WATCHING and not self._dismissed
        if not is_resting or not self.decision.is_home():
            return ()
        return tuple(story for story in self.decision.stories() if story != self.decision.believed())

    def testimony(self) -> SwitchRecord | None:
        """Return the record of switch changes.

        `None` if the board cannot be read, if it differs from the match, or while it is being put right.
        """
        is_resting = self._is_in_play() and self.state in (MonitorState.WATCHING, MonitorState.ASKING)
        return self.decision.testimony() if is_resting and self.decision.is_home() else None

    def _is_in_play(self) -> bool:
        return self.decision.has_board and self.switches.linked and self.state is not MonitorState.ALIGNING
