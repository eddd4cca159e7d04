"""The referee: the one object every event goes into and every effect comes out of.

It holds the match in hand, watches the board, serves the ask to buttons and page, and says what is to be recorded,
thrown, shown and lit. It knows no clock: time comes in with each event, in milliseconds that only go forward.
"""

from collections.abc import Callable, Sequence
from typing import Any

from captains_table.games.contract import (
    PRESS_CLOCK,
    ROLL,
    THROW_AGAIN,
    Action,
    Ask,
    Decide,
    IllegalAction,
    Keep,
    KeepAsk,
    Option,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    Square,
    TimeUp,
)
from captains_table.table.history.event_log import EventLog, alarm
from captains_table.table.model.entries import Advised, Masked, MatchEnded, ResumeInfo, Salted
from captains_table.table.model.events import (
    AdviceAsked,
    Answered,
    BoardLost,
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
    DiceFell,
    DieToggled,
    Effect,
    Event,
    Light,
    PiecesPlaced,
    Record,
    Show,
    SwitchChanged,
    SwitchMasked,
    Throw,
    TimePassed,
)
from captains_table.table.model.match import Match, Step
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Hint, Phase, View
from captains_table.table.prompts.asks import (
    MASK,
    PUT_RIGHT,
    STILL_MOVING,
    dice_to_fall,
)
from captains_table.table.prompts.buttons import Buttons, Command, CommandKind
from captains_table.table.prompts.menu import BACK, MenuState, choose
from captains_table.table.prompts.presenter import PromptPresenter
from captains_table.table.recognition.board_monitor import BoardMonitor, MonitorState
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate, options_of
from captains_table.table.viewing import draw

Adviser = Callable[[str, Any], Hint | None]
NO_ADVICE = Hint("No advice on this")


def no_adviser(game: str, state: object) -> None:
    """Advise on nothing."""


class Referee:
    """One table's referee.

    Args:
        settings: the table's patience and buttons.
        adviser: is given a game's key and state, and advises whoever must decide; none where it knows nothing.
    """

    def __init__(self, settings: Settings, adviser: Adviser = no_adviser) -> None:
        self.settings = settings
        self.hint: Hint | None = None
        self._adviser = adviser
        self.match: Match | None = None
        self.monitor = BoardMonitor(settings)
        self.presenter = PromptPresenter(self.monitor, one_button=settings.buttons == "one")
        self.tumbling: tuple[int, ...] = ()
        self.event_log = EventLog()
        self._buttons = Buttons(settings)
        self.now_ms = 0
        self._decided_ms = 0
        self._end_due_ms: int | None = None
        self._effects: list[Effect] = []
        self._shown: View | None = None

    # --- coming in --------------------------------------------------------------------------------------------------

    def begin(self, match: Match, resume_info: ResumeInfo, now_ms: int) -> list[Effect]:
        """Take up a match, new or resumed, and return what is to be done.

        Args:
            match: the match, with its history.
            resume_info: what its journal tells beside the actions.
            now_ms: monotonic milliseconds.
        """
        self.match = match
        self.now_ms = max(now_ms, self.now_ms)
        self.event_log.begin(match)
        self._buttons.forget()
        self._end_due_ms = None
        match.is_ended = resume_info.ended
        shape = match.game.shape
        self.monitor.masked = (
            {square for square in shape.squares() if str(square) in resume_info.masked} if shape else set()
        )
        self._decide(Phase.RESTORING if resume_info.resumed else Phase.SETUP)
        if isinstance(match.turn, Over) and not resume_info.ended:
            self._end(match, match.turn)  # the power was cut before the end was written
        self._start_clock()
        return self.flush()

    def leave(self) -> list[Effect]:
        """Leave the match in hand for another one and return what is to be done before."""
        self._end_now()
        return self.flush()

    def unload(self) -> list[Effect]:
        """Leave the match as it stands, to be taken up again; the board is still watched."""
        self._end_now()
        self.match = None
        self.event_log = EventLog()
        self._buttons.forget()
        self.monitor.masked = set()
        self._decide(Phase.PLAYING)
        return self.flush()

    def handle(self, event: Event, now_ms: int) -> list[Effect]:
        """Take in an event and return what is to be done, in this order; timers due by now fire first.

        Args:
            event: what happened.
            now_ms: monotonic milliseconds.

        Raises:
            IllegalAction: an answer or a throw is not what the match asks for, and changed nothing; what had become
                due by then did happen, and is to be had by `flush`.
        """
        # What settles in the millisecond in which a timer is due changed before: it comes before that timer.
        self._advance(now_ms - 1 if isinstance(event, SwitchChanged) else now_ms)
        self.now_ms = max(now_ms, self.now_ms)
        self._dispatch(event)
        self._advance(now_ms)
        self._start_clock()
        return self.flush()

    def due_ms(self) -> int | None:
        """Return when a timer fires, or a clock shows another second; none if nothing is waited for."""
        match = self.match
        tick_ms = None if match is None or match.clock is None else match.clock.tick_ms(match.seat, self.now_ms)
        return min((due for due in (self._timer_ms(), tick_ms) if due is not None), default=None)

    def view(self) -> View:
        """Return what is to be seen now."""
        return draw(self)

    def ask(self) -> Ask | None:
        """Return what must be decided now."""
        return self.presenter.ask(self.match)

    def _advance(self, now_ms: int) -> None:
        while (due_ms := self._timer_ms()) is not None and due_ms <= now_ms:
            self.now_ms = max(due_ms, self.now_ms)
            if due_ms == self.monitor.due_ms():
                self._accept(self.monitor.advance(due_ms))
            elif due_ms == self._time_up_ms():
                self._play(TimeUp())
            else:
                self._end_now()
            self._start_clock()
        self.now_ms = max(now_ms, self.now_ms)

    def _timer_ms(self) -> int | None:
        dues = (self.monitor.due_ms(), self._time_up_ms(), self._end_due_ms)
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    def _time_up_ms(self) -> int | None:
        match = self.match
        return None if match is None or match.clock is None else match.clock.up_ms(match.seat)

    def _start_clock(self) -> None:
        """Let the clock go on once the board is as the match has it."""
        if self.match is not None and self.monitor.state is not MonitorState.ALIGNING:
            went_on = self.match.start_clock(self.now_ms)
            if went_on is not None:
                self._effects.append(Record(went_on))

    def _dispatch(self, event: Event) -> None:  # noqa: C901 - one table, one line each
        match event:
            case SwitchChanged(square, closed, flickers):
                self.monitor.switch(square, closed=closed, now_ms=self.now_ms, flickers=flickers)
            case BoardRead(occupied):
                self.monitor.read(occupied, self.now_ms)
            case PiecesPlaced(occupied):
                self.monitor.place_all(occupied, self.now_ms)
            case BoardLost(words):
                self.monitor.lose_link(words)
            case SwitchMasked(square):
                self._mask(square)
            case ButtonPressed(button):
                self._pressed(button)
            case ButtonReleased(button):
                self._execute(self._buttons.released(button, self.now_ms))
            case DieToggled(die):
                self._toggle(die)
            case Answered(action):
                self._answer(action)
            case AdviceAsked():
                self._advise()
            case DiceFell(faces):
                self._fall(faces)
            case TimePassed():
                pass

    def flush(self) -> list[Effect]:
        """Return what is still to be done."""
        self.presenter.serve(self.match)
        view = self.view()
        if view != self._shown:
            if self._shown is None or view.marks != self._shown.marks:
                self._effects.append(Light(view.marks))
            self._effects.append(Show(view))
            self._effects += alarm(self._shown, view)
            self._shown = view
        effects, self._effects = self._effects, []
        return effects

    # --- buttons ----------------------------------------------------------------------------------------------------

    def _pressed(self, button: Button) -> None:
        self._accept(self.monitor.flush(self.now_ms))
        if button is Button.ROLL and self._press_clock():
            return
        if button is Button.ROLL and self.monitor.is_unfinished():
            self.monitor.force(self.now_ms)
        self.presenter.serve(self.match)
        self._execute(self._buttons.pressed(button, self.now_ms, may_throw=bool(self._throwable_now())))

    def _press_clock(self) -> bool:
        """Press the clock if that is waited for; the opponent may have begun to move already."""
        match = self.match
        asks_press = match is not None and PRESS_CLOCK in self._options()
        if (
            match is None
            or not asks_press
            or self.monitor.state not in (MonitorState.WATCHING, MonitorState.RECOVERING)
        ):
            return False
        press = Pick(PRESS_CLOCK.id)
        if self.monitor.is_unfinished():
            following = options_of(match.game, match.game.apply(match.state, press))
            if not self.monitor.has_begun(following):
                return False
        self._play(press)
        return True

    def _options(self) -> Sequence[Option]:
        turn = self.match.turn if self.match is not None else None
        return turn.ask.options if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else ()

    def _execute(self, command: Command | None) -> None:
        match command:
            case Command(CommandKind.TUMBLE):
                self.tumbling = self._throwable_now()
            case Command(CommandKind.THROW, held_ms):
                self.tumbling = ()
                self._throw_held(held_ms)
            case Command(CommandKind.NEXT):
                self.presenter.menu = self.presenter.menu.next()
            case Command(CommandKind.PREVIOUS):
                self.presenter.menu = self.presenter.menu.previous()
            case Command(CommandKind.CHOOSE):
                self._choose()
            case Command(CommandKind.BACK):
                self._back()
            case Command(CommandKind.ADVISE):
                self._advise()

    def _throwable_now(self) -> tuple[int, ...]:
        """Return the dice the roll button throws now; none while the board has to be put right or explained."""
        if self.match is None or self.monitor.state is not MonitorState.WATCHING or self.monitor.is_unfinished():
            return ()
        return dice_to_fall(self.match, self.presenter.menu, one_button=self.settings.buttons == "one")

    def _throw_held(self, held_ms: int) -> None:
        if self.match is None or not self._throwable_now():
            return
        turn = self.match.turn
        if isinstance(turn, Roll | Decide):
            self._add_salt(self.match, turn.seat, held_ms)
        if isinstance(turn, Roll):
            self._effects.append(Throw(len(turn.dice)))
        elif isinstance(turn, Decide):
            self._play(Keep(self.presenter.menu.held_dice()) if isinstance(turn.ask, KeepAsk) else Pick(ROLL.id))

    def _add_salt(self, match: Match, seat: int, ms: int) -> None:
        """Before a player's first throw, let how long he held the button, or took, go into the dice."""
        if seat not in match.salted:
            match.salted.add(seat)
            self._effects.append(Record(Salted(seat, ms)))

    def _choose(self) -> None:
        ask = self.ask()
        if ask is None or (
            self.monitor.state in (MonitorState.RECOVERING, MonitorState.ALIGNING) and not self.monitor.suspects()
        ):
            return
        if self.presenter.menu.chosen is not None and self.presenter.menu.chosen.id == BACK:
            self._back()
            return
        chosen = choose(ask, self.presenter.menu)
        if isinstance(chosen, MenuState):
            self.presenter.menu = chosen
        elif not self._answered_about_board(chosen):
            self._accept(self.monitor.flush(self.now_ms))
            if self.monitor.is_unfinished() and not (self.match and self.match.is_on_board(chosen)):
                self.monitor.force(self.now_ms)
            else:
                self._play(chosen)

    def _mask(self, square: Square) -> None:
        self._effects.append(Record(Masked(str(square))))
        self.monitor.mask(square, self.now_ms)

    def _toggle(self, die: int) -> None:
        ask = self.ask()
        if not isinstance(ask, KeepAsk) or die not in ask.dice:
            raise IllegalAction(f"die {die} is not to be chosen now")
        self.presenter.menu = self.presenter.menu.with_toggled(str(die))

    def _back(self) -> None:
        if self.monitor.asked:
            self.monitor.dismiss()
        elif self.match is not None and self.match.in_sub_menu():
            self._effects.append(Record(self.match.take_back(self.match.history[-1], self.now_ms)))
            self._decide(Phase.PLAYING)

    def _advise(self) -> None:
        """Show advice on what the game asks, and record that it was asked for; once a decision."""
        match = self.match
        if match is None or not isinstance(match.turn, Decide) or self.hint is not None:
            return
        hint = self._adviser(match.game.key, match.state)
        self.hint = hint or NO_ADVICE
        if hint is not None:
            advised = Advised(match.turn.seat, match.revision, hint.words)
            self._effects.append(Record(advised))
            self.event_log.advise(match, advised.seat, advised.words)

    # --- actions ----------------------------------------------------------------------------------------------------

    def _answer(self, action: Action) -> None:
        if self.match is None:
            raise IllegalAction("no match is played: start one first")
        if self._answered_about_board(action):
            return
        self._accept(self.monitor.flush(self.now_ms))
        if action == Pick(PRESS_CLOCK.id) and self._press_clock():
            return
        if self._is_too_early(action):
            self.monitor.force(self.now_ms)
            raise IllegalAction("the board is not clear yet: expected the move to be finished or put back first")
        turn = self.match.turn
        if isinstance(action, Keep) and isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            self._keep_from_pick(self.match, action)
        else:
            self._play(action)

    def _answered_about_board(self, action: Action) -> bool:
        """Take an answer to what the table asks about the board; return whether it was one."""
        if not isinstance(action, Pick):
            return False
        if self.monitor.asked and action.id == STILL_MOVING.id:
            self.monitor.dismiss()
            return True
        meant = next((candidate for candidate in self.monitor.asked if candidate.id == action.id), None)
        self._accept(meant)
        return meant is not None or (bool(self.monitor.suspects()) and self._answered_suspicion(action))

    def _is_too_early(self, action: Action) -> bool:
        """Return whether an answer would seal a move that the hands on the board may be about to change."""
        match = self.match
        if match is None or match.provisional is None or not self.monitor.is_unfinished():
            return False
        return not match.is_on_board(action)

    def _answered_suspicion(self, pick: Pick) -> bool:
        """Mask the switch that is said to be broken; return whether the pick was about that at all."""
        broken = [square for square in self.monitor.suspects() if pick.id == f"{MASK}{square}"]
        for square in broken:
            self._mask(square)
        if pick.id == PUT_RIGHT.id:
            self.monitor.put_off_doubt(self.now_ms)
        return bool(broken) or pick.id == PUT_RIGHT.id

    def _keep_from_pick(self, match: Match, keep: Keep) -> None:
        """Pick `throw-again` and answer in one go; where nothing is to be chosen the dice fall at once."""
        pick = Pick(THROW_AGAIN.id)
        opened = match.game.apply(match.state, pick)
        chooses = isinstance(match.game.turn(opened), Decide)
        if chooses:
            match.game.apply(opened, keep)  # raises before anything is recorded
        self._play(pick)
        if chooses:
            self._play(keep)

    def _fall(self, faces: tuple[int, ...]) -> None:
        if self.match is None or not isinstance(self.match.turn, Roll):
            raise IllegalAction(f"dice fell ({', '.join(map(str, faces))}) that were not to be thrown")
        self._play(Rolled(faces))

    def _accept(self, candidate: Candidate | None) -> None:
        if candidate is None or self.match is None:
            return
        if candidate.takes_back and self.match.provisional is not None:
            self._take_back(self.match, self.match.provisional)
        if candidate.id == TAKE_BACK:
            self._decide(Phase.PLAYING)
        else:
            self._play(Pick(candidate.id))

    def _play(self, action: Action) -> None:
        if self.match is None:
            return
        match = self.match
        pieces = match.pieces()
        acted = match.act(action, self.now_ms)
        if isinstance(match.turn, Roll) and match.turn.at_once:  # stirred first, so that no cut comes between
            self._add_salt(match, match.turn.seat, self.now_ms - self._decided_ms)
        self._effects.append(Record(acted))
        step = match.history[-1]
        self._effects += self.event_log.add(match, step)
        if isinstance(match.turn, Over):
            if step.on_board:  # like any move it may yet be changed by going on with it
                self._end_due_ms = self.now_ms + self.settings.ask_ms
            else:
                self._end(match, match.turn)
        is_new_board = not step.on_board and match.pieces() != pieces
        self._decide(Phase.SETUP if is_new_board else Phase.PLAYING, going_on=action == Pick(PRESS_CLOCK.id))

    def _end(self, match: Match, over: Over) -> None:
        self._end_due_ms = None
        match.is_ended = True
        self._effects.append(Record(MatchEnded(over.result.winner, over.result.scores)))

    def _end_now(self) -> None:
        """Write the end of a match that a move on the board has brought about."""
        if self._end_due_ms is not None and self.match is not None and isinstance(self.match.turn, Over):
            self._end(self.match, self.match.turn)
            self._decide(Phase.PLAYING)

    def _take_back(self, match: Match, step: Step) -> None:
        self._end_due_ms = None
        taken_back = match.take_back(step, self.now_ms)
        self._effects.append(Record(taken_back))
        self.event_log.take_back(match, taken_back.seat)

    def _decide(self, phase: Phase, *, going_on: bool = False) -> None:
        """Begin the next decision; dice that fall at once are thrown."""
        self.tumbling, self.hint = (), None
        self.monitor.decide(self.match, phase=phase, going_on=going_on)
        turn = self.match.turn if self.match is not None else None
        if isinstance(turn, Roll) and turn.at_once:
            self._effects.append(Throw(len(turn.dice)))
        self._decided_ms = self.now_ms
