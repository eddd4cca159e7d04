"""The referee: the one object every event goes into and every effect comes out of.

It holds the match in hand, watches the board, serves the ask to buttons and page, and says what is to be recorded,
thrown, shown and lit. It knows no clock: time comes in with each event, in milliseconds that only go forward.
"""

from collections.abc import Sequence
from typing import Final

from captains_table.games.contract import Ask, Auction
from captains_table.table.history.event_log import alarms
from captains_table.table.model import events
from captains_table.table.model.entries import ResumeInfo
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View
from captains_table.table.playing.advising import Adviser as Adviser
from captains_table.table.playing.answers import Answers
from captains_table.table.playing.computer_turn import Question as Question
from captains_table.table.playing.match_play import MatchPlay
from captains_table.table.playing.pressing import Pressing
from captains_table.table.playing.sealing import Deed as Deed
from captains_table.table.prompts.presenter import PromptPresenter
from captains_table.table.recognition.switches import SwitchReport
from captains_table.table.snapshot import BoardSnapshot
from captains_table.table.viewing import draw

BY_HAND: Final = events.ButtonPressed | events.DieToggled | events.Answered | events.PlayerSeated | events.AdviceAsked
"""What somebody does: nothing is shown for a moment any longer."""


def no_adviser(game: str, state: object) -> None:
    """Advise on nothing."""


class Referee:
    """One table's referee.

    Args:
        settings: the table's patience and buttons.
        adviser: is given a game's key and state, and advises whoever must decide; returns None where it knows nothing.

    Attributes:
        play: the match in hand, and when something happens in it by itself.
    """

    def __init__(self, settings: Settings, adviser: Adviser = no_adviser) -> None:
        self.play = MatchPlay(settings, adviser)
        self._monitor = self.play.monitor
        self._presenter = PromptPresenter(self._monitor, settings)
        self._answers = Answers(self.play)
        self._pressing = Pressing(self.play, self._answers, self._presenter)
        self._shown: View | None = None

    # --- what others may know ---------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The match in hand; only to be read."""
        return self.play.match

    @property
    def is_tumbling(self) -> bool:
        """Whether dice tumble until a button is let go."""
        return bool(self.play.tumbling)

    def view(self) -> View:
        """Return what is to be seen now."""
        return draw(self.play, self._presenter, self._pressing.offer())

    @property
    def held_back(self) -> bool:
        """Whether the last choice answered nothing, though on a tape it would have."""
        return self._presenter.menu.held_back

    def board_snapshot(self) -> BoardSnapshot:
        """Return what is known about the board now."""
        return BoardSnapshot.of(self._monitor)

    def switch_reports(self) -> Sequence[SwitchReport]:
        """Return how every switch of the board is doing; empty where no match has a board."""
        return self._monitor.reports()

    @property
    def may_undo(self) -> bool:
        """Whether the last move may be taken back by saying so, as no board is read."""
        return self.play.undoable() is not None

    def ask(self) -> Ask | Auction | None:
        """Return what must be decided now."""
        return self._presenter.ask(self.play.match)

    def question(self) -> Question | None:
        """Return what is to be thought about now, a computer's decision or advice; `None` where nothing is."""
        return self.play.computer.question() or self.play.advising.question()

    # --- matches ----------------------------------------------------------------------------------------------------

    def begin(self, match: Match, resume_info: ResumeInfo, now_ms: int) -> list[events.Effect]:
        """Take up a match, new or resumed, and return what is to be done.

        Args:
            match: the match, with its history.
            resume_info: what its journal holds beside the actions.
            now_ms: monotonic milliseconds.
        """
        self._pressing.buttons.forget()
        self.play.begin(match, resume_info, now_ms)
        return self.flush()

    def asks_first(self, deed: Deed, now_ms: int) -> bool:
        """Ask what was done on the board, if that is not clear, before a deed seals it; return whether that waits.

        Args:
            deed: what is done once that is answered.
            now_ms: monotonic milliseconds.
        """
        self.play.advance(now_ms)
        return self.play.asks_first(deed)

    def leave(self, now_ms: int) -> list[events.Effect]:
        """Stop the match in hand, timers due by now first, and return what is to be done before it is left."""
        self.play.advance(now_ms)
        self.play.leave()
        return self.flush()

    def forget_buttons(self) -> None:
        """Know of no button that is down: what was held meant something else than the match's."""
        self._pressing.buttons.forget()

    def confirm_end(self, now_ms: int) -> list[events.Effect]:
        """Write the end of a match that is over, unless hands are at work on the board; return what is to be done."""
        self.play.advance(now_ms)
        self.play.ending.confirm()
        return self.flush()

    def unload(self) -> list[events.Effect]:
        """Leave the match as it stands, to be taken up again; the board is still watched."""
        self._pressing.buttons.forget()
        self.play.unload()
        return self.flush()

    # --- events and effects -----------------------------------------------------------------------------------------

    def handle(self, event: events.Event, now_ms: int) -> list[events.Effect]:
        """Take in an event and return what is to be done, in this order; timers due by now fire first.

        Args:
            event: what happened.
            now_ms: monotonic milliseconds.

        Raises:
            IllegalAction: an answer or a throw is not what the match asks for, and changed nothing; what had become
                due by then did happen, and is to be had by `flush`.
        """
        # What settles in the millisecond in which a timer is due changed before: it comes before that timer.
        self.play.advance(now_ms - 1 if isinstance(event, events.SwitchChanged) else now_ms)
        self.play.now_ms = max(now_ms, self.play.now_ms)
        self._dispatch(event)
        self.play.advance(now_ms)
        self.play.start_clock()
        return self.flush()

    def flush(self) -> list[events.Effect]:
        """Return what is still to be done."""
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
        if isinstance(event, BY_HAND):
            play.forget_moments()
        match event:
            case events.SwitchChanged(square, closed, flickers):
                monitor.switch(square, closed=closed, now_ms=now_ms, flickers=flickers)
            case events.BoardRead(occupied):
                monitor.read(occupied, now_ms)
            case events.PiecesPlaced(occupied):
                monitor.place_all(occupied, now_ms)
            case events.BoardLost(words):
                monitor.lose_link(words)
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
            case events.PlayerSeated(seat, player):
                play.seat_player(seat, player)
            case events.TimersSwitched(run):
                play.switch_timers(run=run)
            case events.AdviceAsked():
                play.advising.advise()
            case events.DiceFell(faces):
                play.fall(faces)
            case events.TimePassed():
                pass
