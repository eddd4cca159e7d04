"""Plays the match in progress on its board: carries out and records actions, fires timers, and begins decisions.

It also begins, resumes and leaves matches, runs the clock, takes moves back, and accepts salt, new players and masked
switches. All results are effects, which the caller carries out.
"""

from collections.abc import Iterable, Mapping
from functools import partial

from captains_table.games.contract import (
    PRESS_CLOCK,
    Action,
    Bell,
    Correct,
    IllegalAction,
    Over,
    Pick,
    Roll,
    Rolled,
    Square,
    TimeUp,
    deadline_of,
    goes_on_with_time,
)
from captains_table.phrases import say
from captains_table.table.history.event_log import MatchLog
from captains_table.table.lessons.lesson_game import PULSE_MS, SHOW_MS, check_lesson, lesson_of, wanted_action
from captains_table.table.model.entries import Entry, Masked, ResumeInfo, Salted, StopReason
from captains_table.table.model.events import Effect, Record, ThrowDice
from captains_table.table.model.match import Match, Step
from captains_table.table.model.player_clocks import next_second_ms
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import LastThrow, Phase
from captains_table.table.playing.ambiguous_move import DeferredAction, DeferredCall, UnsureJournal
from captains_table.table.playing.ending import EndRecorder
from captains_table.table.playing.thinking import AdviceFunction, Advising, ComputerTurn
from captains_table.table.playing.timed_displays import (
    DelayedAnnouncement,
    TransientValue,
    last_throw_of,
    takes_a_piece,
)
from captains_table.table.playing.touch_move import TouchedPiece
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.instructions import MoveToMake
from captains_table.table.recognition.story_state import SwitchRecord


class MatchPlay:
    """The match in progress, on which button commands and the page's answers act.

    Args:
        settings: the table's settings.
        adviser: computes advice; see `Advising`.

    Attributes:
        match: the match in progress; `None` if there is none.
        monitor: the state of the board as the switches report it.
        sealing: the action that waits until it is clear which move was made last.
        ending: records the end of the match.
        event_log: the log of the match in words.
        last_throw: the throw that ended a turn or decided who begins, while it is shown.
        past_throw: the same throw until the next one falls.
        in_vain: is set while displays show that a press of the roll button had no effect.
        advising: gives advice to the player who must decide.
        slip: what the coach of a lesson says to what was just done in vain; empty if nothing was.
        quiet_since_ms: when somebody did something last.
        tumbling: the dice that tumble, numbered from 1.
        now_ms: the time of the current event.
        decided_ms: when the current decision began.
        computer: carries out the turns of the computers.
    """

    def __init__(self, settings: Settings, adviser: AdviceFunction) -> None:
        self.settings = settings
        self.match: Match | None = None
        self.monitor = BoardMonitor(settings)
        self.sealing = DeferredAction(self.monitor, settings)
        self.ending = EndRecorder(self)
        self.event_log = MatchLog()
        self.advising = Advising(self, adviser)
        self.last_throw = TransientValue[LastThrow]()
        self.past_throw: LastThrow | None = None
        self.in_vain = TransientValue[bool]()
        self.slip = ""
        self.quiet_since_ms = 0
        self.tumbling: tuple[int, ...] = ()
        self.now_ms = 0
        self.decided_ms = 0
        self._announcing = DelayedAnnouncement(settings)
        self._bell_ms: int | None = None  # when the bell rings; None: no timer runs
        self._coached_ms = 0  # when the timer of a lesson's coach last fired
        self._remembering = UnsureJournal()
        self._touched = TouchedPiece()
        self.computer = ComputerTurn(self)
        self._effects: list[Effect] = []

    def add(self, effects: Iterable[Effect]) -> None:
        """Append effects to the list of effects that are to be carried out."""
        self._effects += effects

    def record(self, entry: Entry | None) -> None:
        """Add the effect that stores an entry durably; do nothing for `None`."""
        if entry is not None:
            self._effects.append(Record(entry))

    def take_effects(self) -> list[Effect]:
        """Return the effects to be carried out, in order, and forget them."""
        effects, self._effects = self._effects, []
        return effects

    def current_match(self) -> Match:
        """Return the match in progress; raises IllegalAction if there is none."""
        if self.match is None:
            raise IllegalAction(say("no match is played: start one first"))
        return self.match

    # --- resuming a match and leaving it ----------------------------------------------------------------------------

    def begin(self, match: Match, resume_info: ResumeInfo, now_ms: int) -> None:
        """Begin a new or resumed match; see `Referee.begin`."""
        self.match = match
        match.computers_think = self.settings.computers_think
        self.now_ms = max(now_ms, self.now_ms)
        self.event_log.begin(match)
        self._announcing.take()  # a resumed match is shown whole at once
        self.forget_moments()
        self.past_throw = None
        self.sealing.forget()
        self._bell_ms = None
        match.is_ended = resume_info.ended
        squares = match.game.shape.squares() if match.game.shape else ()
        self.monitor.switches.masked = {square for square in squares if str(square) in resume_info.masked}
        unsure, phase = resume_info.unsure, Phase.RESTORING if resume_info.resumed else Phase.SETUP
        self.decide(phase, recalled=self._remembering.recall(match, unsure))
        if unsure is not None and unsure.asked:
            self.monitor.ask_stories()
        self.ending.resume(resume_info)
        self.start_clock()

    def leave(self) -> None:
        """Prepare to leave the match: announce a delayed capture, record a pending end, and stop the clock."""
        self.announce_now()
        self.ending.write_if_open()
        self.stop_clock("left")

    def unload(self) -> None:
        """Leave the match without beginning another one; the board is still watched."""
        self.leave()
        self.sealing.forget()
        self.forget_moments()
        self.match = self.past_throw = None
        self.event_log = MatchLog()
        self.monitor.switches.masked = set()
        self.decide(Phase.PLAYING)

    # --- time -------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when the next timer fires or a shown countdown changes its seconds; `None` if there is neither."""
        match = self.match
        clock_ms = None if match is None or match.clock is None else match.clock.tick_ms(match.seat, self.now_ms)
        bell_ms = None if self._bell_ms is None else next_second_ms(self._bell_ms, self.now_ms)
        dues = (self._timer_ms(), clock_ms, bell_ms)
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    def advance(self, now_ms: int) -> None:
        """Fire all timers that are due by now, in the order of their times."""
        while (due_ms := self._timer_ms()) is not None and due_ms <= now_ms:
            self.now_ms = max(due_ms, self.now_ms)
            if due_ms == self.monitor.due_ms():
                self.accept(self.monitor.advance(due_ms))
            else:
                fire = next((fire for at_ms, fire in self._timers() if at_ms == due_ms), self._end)
                fire()
            self.start_clock()
        self.now_ms = max(now_ms, self.now_ms)

    def forget_moments(self) -> None:
        """Stop showing the last throw, the notice that the roll button had no effect, and a slip in a lesson."""
        self.last_throw.forget()
        self.in_vain.forget()
        self.slip, self.quiet_since_ms = "", self.now_ms

    def _timer_ms(self) -> int | None:
        dues = (self.monitor.due_ms(), *(due_ms for due_ms, _ in self._timers()))
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    def _timers(self) -> list[tuple[int | None, DeferredCall]]:
        """Return each timer's due time (`None` while it does not run) and action, without the board's own timer.

        If several timers are due at the same time, the first of them in the list fires first.
        """
        return [
            (self.sealing.due_ms(), self.sealing.reconsider),
            (self._announcing.due_ms(self.monitor), self.announce_now),
            (self.last_throw.due_ms, self.last_throw.forget),
            (self.in_vain.due_ms, self.in_vain.forget),
            (self._coach_due_ms(), self._let_coach),
            (self._time_up_ms(), partial(self.act, TimeUp())),
            (self._bell_due_ms(), partial(self.act, Bell())),
            (self.computer.due_ms(), self.computer.advance),
            (self.ending.due_ms(), self._end),
        ]

    def _end(self) -> None:
        """Record the end of a match that is over; if its last move is ambiguous, first ask which move was made."""
        if not self.asks_first(self.ending.write_if_open):
            self.ending.write_if_open()

    def _coach_due_ms(self) -> int | None:
        """Return when the coach of a lesson repeats what to do, or offers to show it; `None` without a lesson."""
        if self.match is None or lesson_of(self.match.game) is None:
            return None
        return next(
            (self.quiet_since_ms + ms for ms in (PULSE_MS, SHOW_MS) if self._coached_ms < self.quiet_since_ms + ms),
            None,
        )

    def _let_coach(self) -> None:
        self._coached_ms = self.now_ms

    def _time_up_ms(self) -> int | None:
        match = self.match
        return None if match is None or match.clock is None else match.clock.up_ms(match.seat)

    def _bell_due_ms(self) -> int | None:
        """Return when the bell timer rings; `None` without a bell timer, or while an action waits for an answer."""
        return None if self.sealing.is_waiting else self._bell_ms

    def start_clock(self) -> None:
        """Start the clock and the bell timer.

        Nothing happens while the pieces must be set up as in the match, or while an action waits for an answer. After a
        power cut the bell timer continues with the time that was left at the last bid or correction.
        """
        is_playing = self.monitor.state is not MonitorState.ALIGNING and not self.sealing.is_waiting
        if self.match is None or not is_playing:
            return
        self.record(self.match.start_clock(self.now_ms))
        left_ms = None if self.match.timers.are_stopped else self.match.bell_after_ms()
        if self._bell_ms is None and left_ms is not None:
            self._bell_ms = self.now_ms + left_ms

    def switch_timers(self, *, run: bool) -> None:
        """Stop the timers for bids and actions, or let them run again, and record the change.

        Raises:
            IllegalAction: there is no match, or the match does not allow the change now.
        """
        self.record(self.current_match().switch_timers(self.now_ms, self.bell_left_ms(), run=run))
        self._bell_ms = None
        self.event_log.switch_timers(run=run)

    def stop_clock(self, why: StopReason) -> None:
        """Stop the clock and record the time used until now and the reason."""
        if self.match is not None:
            self.record(self.match.stop_clock(self.now_ms, why))

    def bell_left_ms(self) -> int | None:
        """Return the milliseconds left before the bell; `None` if no bell rings automatically.

        While the bell's timer does not run, the result is the time that is left according to the journal.
        """
        if self._bell_ms is not None:
            return max(0, self._bell_ms - self.now_ms)
        return None if self.match is None else self.match.bell_after_ms()

    # --- actions ----------------------------------------------------------------------------------------------------

    def act(self, action: Action, *, recognised: bool = False) -> None:
        """Carry out an action, record it and begin the next decision; do nothing without a match.

        Args:
            action: the action.
            recognised: whether the action was recognised on the board, so that it may still turn out to be a
                different action.

        Raises:
            IllegalAction: the match does not allow the action; nothing was recorded.
        """
        if self.match is None:
            return
        match = self.match
        check_lesson(match.game, match.state, action)
        pieces = match.pieces()
        went_on = match.start_clock(self.now_ms, action)  # an action starts the clock even if the board is not right
        try:
            acted = match.act(action, self.now_ms)
        except IllegalAction:
            if went_on is not None and match.clock is not None:
                match.clock.stop()
            raise
        self.record(went_on)
        if isinstance(match.turn, Roll) and match.turn.at_once:  # salt before action: a power cut must not lose it
            self.add_salt(match, match.turn.seat, self.now_ms - self.decided_ms)
        self.record(acted)
        step = match.history[-1]
        self.slip, self.quiet_since_ms = "", self.now_ms
        self._report(match, step, pieces, recognised=recognised)
        self.event_log.remark(step.acted.seat, self._touched.remark(match, step))
        self._touched.forget()
        if isinstance(match.turn, Over) and match.provisional is None:  # else it may still change
            self.ending.write()
        is_new_board = not step.on_board and match.pieces() != pieces
        is_correction = isinstance(action, Correct) and not is_new_board  # leaves a move in progress alone
        is_aligning = self.monitor.state is MonitorState.ALIGNING
        phase = self.monitor.aligning_for if is_correction and is_aligning else Phase.PLAYING
        self.decide(
            Phase.SETUP if is_new_board else phase,
            going_on=action == Pick(PRESS_CLOCK.id) or (is_correction and not is_aligning),
            recognised=recognised,
            to_make=self._to_make(match, step),
        )
        if step.on_board and not recognised and self.monitor.state is MonitorState.WATCHING:
            self.monitor.settle()  # the player said which move it was, and the board shows it
        if self.monitor.to_make is not None:
            self.stop_clock("hand")  # no clock runs while a hand makes the computer's move
        elif is_new_board and self.monitor.state is MonitorState.ALIGNING:
            self.stop_clock("put-back")  # nor while the pieces of a takeback are put back

    def watch_touches(self) -> None:
        """Note which pieces the players hold."""
        if self.match is not None and self.match.game.touch_move:
            self._touched.look(self.monitor.lifted(), self.now_ms)

    def show_lesson(self, match: Match) -> None:
        """Do what the learner of a lesson is to do now; nothing while a computer acts."""
        action = wanted_action(match)
        if isinstance(action, Rolled):
            self.add([ThrowDice(len(action.faces))])
        elif action is not None:
            self.act(action)

    def _to_make(self, match: Match, step: Step) -> MoveToMake | None:
        """Return a computer's move that a person must now make on the board; `None` if there is none."""
        if not (step.on_board and step.is_by_absent and match.computers_think and self.monitor.decision.has_board):
            return None
        return MoveToMake.of(match.game.pieces(step.before), match.pieces(), self.monitor.switches.ignored())

    def _report(self, match: Match, step: Step, before: Mapping[Square, str], *, recognised: bool) -> None:
        """Log an action and announce its events; those of a recognised capture wait until the board is quiet."""
        late = self._announcing.take_sealed(match.provisional)
        delayed = recognised and takes_a_piece(before, match.pieces())
        self._effects += self.event_log.add(match, step, late=late, delayed=delayed)
        thrown = last_throw_of(match, step, delayed=delayed)
        times = 2 if _hides_throw(match, step) else 1
        self.last_throw.show(thrown, self.now_ms, lambda ms: self.settings.paced_ms(times * ms))
        if thrown is not None or isinstance(step.acted.action, Rolled):
            self.past_throw = thrown
        elif step.on_board and not match.game.dice(match.state):
            self.past_throw = None  # its dice decided how the match began, and lie there no more
        if delayed:
            self._announcing.delay(step, before, match.pieces())

    def announce_now(self) -> None:
        """Announce the delayed capture, if there is one."""
        step = self._announcing.take()
        if step is not None and self.match is not None:
            self._effects += self.event_log.announce(self.match, step)

    def accept(self, candidate: Candidate | None) -> None:
        """Carry out a move or a take-back that was recognised on the board; do nothing for `None`.

        If the move replaces the last move, take the last move back first. If the move is a reply to an
        alternative to the last move, first replace the last move by this alternative.
        """
        if candidate is None or self.match is None:
            return
        if candidate.first is not None:
            self.accept(candidate.first)
        if candidate.takes_back and self.match.provisional is not None:
            self._take_back(self.match, self.match.provisional)
        if candidate.id == TAKE_BACK and not candidate.takes_back:
            self.undo(self.match.answered_move)
        elif candidate.id == TAKE_BACK:
            self.decide(Phase.PLAYING, recognised=True)
        else:
            self.act(Pick(candidate.id), recognised=True)

    def undoable(self) -> Step | None:
        """Return the move that players may take back in the menu; `None` if there is none.

        At a board whose switches are read, the result is always `None`: players put the pieces back to undo a move.
        """
        match = self.match
        return None if match is None or self.monitor.decision.has_board else match.provisional or match.answered_move

    def undo(self, step: Step | None) -> None:
        """Take back a move and all later actions, such as a computer's reply; raises IllegalAction for `None`."""
        if self.match is None or step is None:
            raise IllegalAction(say("nothing can be taken back: expected a move that only a computer has answered"))
        self._take_back(self.match, step)
        self.decide(Phase.PLAYING)

    def asks_first(self, deed: DeferredCall, *, owed: bool = False) -> bool:
        """Ask about an ambiguous last move before an action makes that move final; return whether the table asks."""
        waits = self.sealing.asks_first(deed, owed=owed)
        if waits:
            self.journal_unsure(asking=True)  # the question is journalled before it stops the clock
            self.stop_clock("asked")
        return waits

    def dismiss(self) -> None:
        """Close the table's question about the board, and drop the action that waited for the answer."""
        self.sealing.forget()
        self.monitor.dismiss()

    def finish_move(self) -> None:
        """Accept a move that was held back because it might become a longer one."""
        self.accept(self.monitor.flush(self.now_ms))

    def fall(self, faces: tuple[int, ...]) -> None:
        """Accept the faces of requested dice; raises IllegalAction if no dice were to be thrown."""
        if self.match is None or not isinstance(self.match.turn, Roll):
            raise IllegalAction(say("dice fell ({dice}) that were not to be thrown", ", ".join(map(str, faces))))
        self.act(Rolled(faces))

    def add_salt(self, match: Match, seat: int, ms: int) -> None:
        """Mix the milliseconds of a seat's press or wait into the dice if the dice need the seat's contribution now."""
        if match.salt.wants_press(seat, match.started):
            salted = Salted(seat, ms)
            match.salt.note(salted)
            self.record(salted)

    def give_words(self, seat: int, text: str) -> None:
        """Mix a player's own text into the dice and record the text; raises IllegalAction if no text may be given."""
        match = self.current_match()
        self.record(match.give_words(seat, text))
        self.event_log.give_words(match, seat)

    def seat_player(self, seat: int, player: str) -> None:
        """Let a computer or a person play a seat from now on, and record the change.

        Args:
            seat: the seat.
            player: the computer, such as `aether:3`; empty for a person.

        Raises:
            IllegalAction: there is no match, or the match does not allow the change.
        """
        match = self.current_match()
        seated = match.seat_player(seat, player)
        self.record(seated)
        self.event_log.seat_player(match, seated)
        self.decide(Phase.PLAYING)

    def go_back(self) -> None:
        """Close the question about the board; if there is none, close the submenu that the player opened last."""
        if self.monitor.asked:
            self.dismiss()
        elif self.match is not None and self.match.in_sub_menu():
            self.record(self.match.start_clock(self.now_ms))
            self.record(self.match.take_back(self.match.history[-1], self.now_ms))
            self.decide(Phase.PLAYING)

    def mask(self, square: Square) -> None:
        """Ignore a switch from now on; record the change unless the end of the match is recorded already."""
        if self.match is None or not self.match.is_ended:
            self.record(Masked(str(square)))
        self.monitor.mask(square, self.now_ms)

    # --- decisions and the end --------------------------------------------------------------------------------------

    def journal_unsure(self, *, asking: bool = False) -> None:
        """Record what makes the last move ambiguous, and whether the players are asked which move was made.

        Nothing is recorded if the journal already has the same information.

        Args:
            asking: whether to record the question even if nothing new is known about the move.
        """
        match = self.match if self.match and not self.match.is_ended else None
        news = self._remembering.news(match, self.monitor) if match else None
        if news is None and match and asking:
            news = self._remembering.question(match)
        self.record(news)

    def decide(
        self,
        phase: Phase,
        *,
        going_on: bool = False,
        recognised: bool = False,
        recalled: SwitchRecord | None = None,
        to_make: MoveToMake | None = None,
    ) -> None:
        """Begin the next decision, and throw at once the dice that need no press; see `BoardMonitor.decide`."""
        self.tumbling = ()
        self.advising.hint = None
        self.computer.forget()
        self.in_vain.forget()
        self.monitor.decide(
            self.match, phase=phase, going_on=going_on, recognised=recognised, recalled=recalled, to_make=to_make
        )
        turn = self.match.turn if self.match is not None else None
        if not self._goes_on_with_time():
            self._bell_ms = None
        if isinstance(turn, Roll) and turn.at_once:
            self._effects.append(ThrowDice(len(turn.dice)))
        self.decided_ms = self.now_ms

    def _goes_on_with_time(self) -> bool:
        """Return whether the bell timer continues; it continues after a bid or a correction."""
        match = self.match
        if match is None or not match.history or deadline_of(match.turn) is None:
            return False
        return goes_on_with_time(match.history[-1].acted.action)

    def _take_back(self, match: Match, step: Step) -> None:
        self._announcing.take()
        self.computer.forget()
        self.forget_moments()
        self.past_throw = None
        self.record(match.start_clock(self.now_ms))
        taken_back = match.take_back(step, self.now_ms)
        self.record(taken_back)
        self.event_log.take_back(match, taken_back.seat)


def _hides_throw(match: Match, step: Step) -> bool:
    """Return whether a computer's dice will hide a person's throw, which nobody had time to read before it counted."""
    is_persons = isinstance(step.acted.action, Rolled) and not match.seating.is_program(step.acted.seat)
    return is_persons and match.absent_decides and match.clock is None
