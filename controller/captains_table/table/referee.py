"""The referee: the object that receives every event of a table and returns the resulting effects.

It holds the current match, watches the board, presents questions on the buttons and the page, and returns effects: what
to record, throw, show and light. It has no clock: each event comes with its time, in milliseconds that never decrease.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.games.contract import Ask, Auction
from captains_table.phrases import message_of
from captains_table.table.history.event_log import alarms
from captains_table.table.lessons.lesson_game import Slip
from captains_table.table.model import events
from captains_table.table.model.entries import ResumeInfo
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View
from captains_table.table.playing.ambiguous_move import DeferredCall as DeferredCall
from captains_table.table.playing.answers import Answers
from captains_table.table.playing.button_handler import ButtonHandler
from captains_table.table.playing.match_play import MatchPlay
from captains_table.table.playing.thinking import AdviceFunction as AdviceFunction, ThinkRequest as ThinkRequest
from captains_table.table.prompts.asks import PromptPresenter
from captains_table.table.recognition.switches import SwitchReport
from captains_table.table.snapshot import BoardSnapshot
from captains_table.table.viewing import draw_table_view

PERSON_EVENTS: Final = (
    events.ButtonPressed | events.DieToggled | events.Answered | events.PlayerSeated | events.AdviceAsked
)
"""The events that a person causes; they end whatever is shown only for a moment."""


def no_adviser(game: str, state: object) -> None:
    """Return `None`, which means that there is no advice; used by a table without an adviser."""


class Referee:
    """The referee of one table: receives all events of the table and returns their effects.

    Args:
        settings: the table's waiting times and buttons.
        adviser: returns advice for the player who must decide, given a game's key and its state; see `Advising`.

    Attributes:
        play: the current match, and the timers that act in it.
    """

    def __init__(self, settings: Settings, adviser: AdviceFunction = no_adviser) -> None:
        self.play = MatchPlay(settings, adviser)
        self._monitor = self.play.monitor
        self._presenter = PromptPresenter(self._monitor, settings)
        self._answers = Answers(self.play)
        self._pressing = ButtonHandler(self.play, self._answers, self._presenter)
        self._shown: View | None = None

    # --- reading the state --------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The current match; callers must not change it."""
        return self.play.match

    def view(self) -> View:
        return draw_table_view(self.play, self._presenter, self._pressing.offer())

    @property
    def held_back(self) -> bool:
        """Whether the last choice gave no answer only because the menu is guarded.

        In a guarded menu, a wasteful answer must be chosen twice, and the cursor avoids starting on it.
        """
        return self._presenter.menu.held_back

    def board_snapshot(self) -> BoardSnapshot:
        return BoardSnapshot.of(self._monitor)

    def switch_reports(self) -> Sequence[SwitchReport]:
        """Return the health of every switch; empty if the match has no board."""
        return self._monitor.reports()

    def ask(self) -> Ask | Auction | None:
        return self._presenter.ask(self.play.match)

    def question(self) -> ThinkRequest | None:
        """Return the question that a computer must think about now; `None` if there is none.

        The question asks for the computer's next action, or else for advice to a player.
        """
        return self.play.computer.question() or self.play.advising.question()

    # --- matches ----------------------------------------------------------------------------------------------------

    def begin(self, match: Match, resume_info: ResumeInfo, now_ms: int) -> list[events.Effect]:
        """Load a new or resumed match and return the effects.

        Args:
            match: the match, with its history.
            resume_info: what the match's journal holds besides the actions.
            now_ms: monotonic milliseconds.
        """
        self._pressing.buttons.forget()
        self.play.begin(match, resume_info, now_ms)
        return self.flush()

    def asks_first(self, deed: DeferredCall, now_ms: int) -> bool:
        """Ask the players which move was made if the last move is ambiguous.

        To be called before an action that makes the last move final. Return whether the table asks. If it asks, the
        action is carried out after the answer. Otherwise the caller must carry out the action.

        Args:
            deed: the action.
            now_ms: monotonic milliseconds.
        """
        self.play.advance(now_ms)
        return self.play.asks_first(deed)

    def leave(self, now_ms: int) -> list[events.Effect]:
        """Fire due timers, prepare to leave the current match (see `MatchPlay.leave`), and return the effects."""
        self.play.advance(now_ms)
        self.play.leave()
        return self.flush()

    def forget_buttons(self) -> None:
        """Treat all buttons as released: their presses were meant for something other than the match."""
        self._pressing.buttons.forget()

    def confirm_end(self, now_ms: int) -> list[events.Effect]:
        """Record the end of a finished match, unless pieces are being moved on the board; return the effects.

        If the last move is ambiguous, ask first which move was made.
        """
        self.play.advance(now_ms)
        self.play.ending.confirm()
        return self.flush()

    def unload(self) -> list[events.Effect]:
        """Unload the match so that it can be resumed later, and return the effects; the board is still watched."""
        self._pressing.buttons.forget()
        self.play.unload()
        return self.flush()

    # --- events and effects -----------------------------------------------------------------------------------------

    def handle(self, event: events.Event, now_ms: int) -> list[events.Effect]:
        """Process an event and return the effects in the order in which they must be carried out.

        Timers that are due fire first.

        Args:
            event: the event.
            now_ms: monotonic milliseconds.

        Raises:
            IllegalAction: the match does not allow what the event demands; the event changed nothing. `flush` then
                returns the effects of the timers that were due.
        """
        # A switch that settles in the same millisecond as a timer is due comes before that timer.
        self.play.advance(now_ms - 1 if isinstance(event, events.SwitchChanged) else now_ms)
        self.play.now_ms = max(now_ms, self.play.now_ms)
        try:
            self._dispatch(event)
        except Slip as slip:
            self.play.slip = message_of(slip)
        self.play.advance(now_ms)
        self.play.start_clock()
        return self.flush()

    def flush(self) -> list[events.Effect]:
        """Return the pending effects; if the view changed, they include the new view, its lights and its alarms.

        If the last move has become ambiguous or clear again, the effects include a journal entry that says so.
        """
        self.play.journal_unsure()
        self._presenter.serve(self.play.match)
        view = self.view()
        if view != self._shown:
            if self._shown is None or view.lights != self._shown.lights:
                self.play.add([events.Light(view.lights)])
            self.play.add([events.Show(view), *alarms(self._shown, view)])
            self._shown = view
        return self.play.take_effects()

    def _dispatch(self, event: events.Event) -> None:  # noqa: C901, PLR0912 - one table, one line each
        play, monitor, now_ms = self.play, self._monitor, self.play.now_ms
        if isinstance(event, PERSON_EVENTS):
            play.forget_moments()
        match event:
            case events.SwitchChanged(square, closed, flickers, reading):
                monitor.switch(square, closed=closed, now_ms=now_ms, flickers=flickers, reading=reading)
                play.watch_touches()
            case events.BoardRead(occupied, readings):
                monitor.read(occupied, now_ms, readings)
                play.watch_touches()
            case events.PiecesPlaced(occupied):
                monitor.place_all(occupied, now_ms)
            case events.BoardLost(words):
                monitor.switches.trouble = words
            case events.SwitchMasked(square):
                play.mask(square)
            case events.ButtonPressed(button):
                self._pressing.press(button)
            case events.ButtonReleased(button):
                self._pressing.release(button)
            case events.DieToggled(die):
                self._pressing.toggle(die)
            case events.Answered(action):
                self._answers.answer(action)
            case events.WordsGiven(seat, text):
                play.give_words(seat, text)
            case events.ComputerAnswered(revision, action):
                play.computer.take(revision, action)
            case events.AdviceThought(revision, hint):
                play.advising.take(revision, hint)
                self._pressing.follow_advice()
            case events.PlayerSeated(seat, player):
                play.seat_player(seat, player)
            case events.TimersSwitched(run):
                play.switch_timers(run=run)
            case events.AdviceAsked():
                play.advising.advise()
                self._pressing.follow_advice()
            case events.DiceFell(faces):
                play.fall(faces)
            case events.TimePassed():
                pass
