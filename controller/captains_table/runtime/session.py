"""The session of a table: a referee with its journal, dice, lobby and displays; each call is given the time.

The session passes each event to the greeting, the table's menu, the lobby or the referee, and carries out the referee's
effects. It handles the long presses that open the menu or leave the match, and stores the lobby's requests for its
owner. The displays also show faults and warnings.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from captains_table.catalog.languages import find_language, language_names
from captains_table.devices.ports import BuzzerDevice, Dice, DisplayDevice, Journal, LightsDevice
from captains_table.games.common.records import Honours
from captains_table.games.contract import Game, IllegalAction, Pick
from captains_table.phrases import say
from captains_table.process.system_clock import current_wall_time
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.displays import Displays
from captains_table.table.history.export import final_digest
from captains_table.table.history.narrator import Narrator
from captains_table.table.lessons.lesson import Lesson
from captains_table.table.lessons.lesson_game import lesson_of
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.lobby.match_setup import (
    ClubPairing,
    ClubState,
    GiveWords,
    Leave,
    LobbyContext,
    Request,
    Start,
)
from captains_table.table.meanings import meanings_shown
from captains_table.table.model import events
from captains_table.table.model.entries import Entry, Resumed, Salted, SaltText, resume_info_of
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import LongPress, Phase, View
from captains_table.table.prompts.buttons import LeaveHold, MenuHold
from captains_table.table.recognition.candidates import TAKE_BACK
from captains_table.table.referee import AdviceFunction, Referee, no_adviser

CONFIRMING: Final = (events.ButtonPressed(events.Button.ROLL), events.ButtonPressed(events.Button.CHOOSE))
"""Presses in the lobby that confirm the result of the match behind it."""
HOLD_ON: Final = say("Hold on: the table's menu")
LET_GO: Final = say("Let go: nothing happens")


class Session:
    """Passes events to the lobby and the referee, and carries out the referee's effects in order.

    A recorded entry is durable before any later effect is carried out.

    Args:
        settings: the table's delays and buttons; `take_over` may replace the delays.
        displays: the displays that show each view.
        lights: the lights of the squares.
        buzzers: the buzzers that sound signals.
        adviser: gives advice on decisions.
        now: returns the date and time, ISO 8601 with UTC offset; empty if unknown.

    Attributes:
        referee: the referee of the match; it returns effects, which the session carries out.
        board: the source of the board's events; without a board it reports nothing.
        displays: the displays, lights and buzzers.
        has_lobby: whether there is a lobby; if so, the owner of the session carries out what `take_request` returns.
        page_address: returns the page's present address for other devices; call `refresh` when it changed.
        greets: whether displays greet with the page's address; the greeting ends at the first press or answer, and when
            a match is loaded.
        has_master: whether the table has a game master's page.
        on_throw: is called with the faces of each throw.
        on_event: is called with each event that was handled, and the table's time.
        device_faults: returns the devices' faults as sentences; call `refresh` when they changed.
        board_words: returns in words which board is read, and its battery; empty if there is nothing to say.
        turn_board: reads the board the other way round from now on.
        warnings: further sentences, shown after the faults, such as that the disk is nearly full.
        no_power_off: what to do instead, if the machine cannot be switched off at the table; otherwise empty.
        club_state: returns the state of the table's club for the menu; `None` without a club.
    """

    def __init__(
        self,
        settings: Settings,
        displays: Sequence[DisplayDevice] = (),
        lights: Sequence[LightsDevice] = (),
        buzzers: Sequence[BuzzerDevice] = (),
        adviser: AdviceFunction = no_adviser,
        now: Callable[[], str] = current_wall_time,
    ) -> None:
        self.settings = replace(settings)
        self.referee = Referee(self.settings, adviser)
        self.board = BoardSource()
        self._lobby = Lobby(self.settings)
        self.has_lobby = False
        self.page_address: Callable[[], str] = str
        self.greets = False
        self.has_master = False
        self._request: Request | None = None
        self._long_hold = LeaveHold(self.settings)
        self._back_led_nowhere = False
        self._narrator = Narrator()
        self.displays = Displays(self.referee.view(), displays, lights, buzzers)
        self._now = now
        self._journal: Journal | None = None
        self._digest: str | None = None
        self._dice: Dice | None = None
        self.on_throw: Callable[[tuple[int, ...]], None] = lambda _: None
        self.on_event: Callable[[events.Event, int], None] = lambda _, __: None
        self.device_faults: Callable[[], Sequence[str]] = tuple
        self.board_words: Callable[[], str] = str
        self.turn_board: Callable[[], None] = lambda: None
        self.warnings: tuple[str, ...] = ()
        self.no_power_off = ""
        self.club_state: Callable[[], ClubState | None] = lambda: None
        self._menu_hold = MenuHold(self.settings)

    def load(
        self,
        journal: Journal,
        dice: Dice,
        now_ms: int,
        *,
        resumed: bool,
        left_ms: int | None = None,
        honours: Sequence[Honours] = (),
        game: Game[Any] | None = None,
    ) -> None:
        """Load the match of a journal, new or resumed, in place of the current one; raises BadHistory.

        The lobby, a greeting, a stored request and long presses in progress end.

        Args:
            journal: the match's journal.
            dice: the match's dice.
            now_ms: the table's time at which the match goes on.
            resumed: whether the match was played before.
            left_ms: the table's time at which the current match is left; `None` if it is left at `now_ms`.
            honours: the honours to be shown before the players' names, in seat order; seats beyond the end have none.
            game: the match's rules, if they are not those of the registered game, as in a lesson.
        """
        entries = journal.entries()
        match = Match.resumed(entries, game)
        match.honours = tuple(honours)
        self._lobby.close()
        self.greets = False
        self._request = None
        self._long_hold.forget()
        self._menu_hold.forget()
        self.suspend(now_ms if left_ms is None else left_ms)
        self._journal, self._dice, self._digest = journal, dice, None
        resume_info = resume_info_of(entries, resumed=resumed)
        if resumed and not resume_info.ended:
            self._record(Resumed(self._now(), now_ms, self.has_master))
        self._execute(self.referee.begin(match, resume_info, now_ms), now_ms)

    def handle(self, event: events.Event, now_ms: int) -> None:
        """Handle an event, and carry out the effects; reports of the board that are due earlier are handled first.

        Raises:
            IllegalAction: the match does not ask for this answer; nothing changed.
            JournalUnwritable: an action could not be made durable; it was not shown.
        """
        for each, at_ms in self.board.events(event, now_ms):
            if (each is not event and self._closes_card(each)) or self._menus_take(each, at_ms):
                continue
            seen = self.referee.view() if each == events.ButtonPressed(events.Button.BACK) else None
            try:
                effects = self.referee.handle(each, at_ms)
            except IllegalAction:
                self._execute(self.referee.flush(), at_ms)  # a waiting move may have become due
                raise
            self._execute(effects, at_ms)
            self.on_event(each, at_ms)
            if self.has_lobby:
                self._long_hold.on_event(each, at_ms, throwing=bool(self.referee.play.tumbling))
                self._offer_words(each, seen)

    def _menus_take(self, event: events.Event, now_ms: int) -> bool:
        """Pass an event to the greeting, the table's own menu and the lobby; return whether one of them consumed it.

        The long press that leaves the match may also consume the event. The referee does not get a consumed event.
        """
        if self._ends_greeting(event) or (self.has_lobby and self._menu_hold_takes(event, now_ms)):
            return True
        is_undone = event == events.Answered(Pick(TAKE_BACK)) and self.referee.play.undoable() is not None
        if not self._lobby.takes(event) or is_undone:
            return self._leave_hold_takes(event, now_ms)
        self.referee.play.forget_moments()
        request = self._lobby.handle(event, now_ms)
        if isinstance(event, events.Answered) or event in CONFIRMING:
            self._confirm_end(now_ms)
        self._ask_for(request, now_ms)
        self.refresh()
        return True

    def _ends_greeting(self, event: events.Event) -> bool:
        """End the greeting if there is one and the event is meant for the lobby.

        Return whether a press ended the greeting; the press then has no other effect.
        """
        if not self.greets or not self._lobby.takes(event):
            return False
        self.greets = False
        self.refresh()
        return isinstance(event, events.ButtonPressed)

    def _closes_card(self, event: events.Event) -> bool:
        """Close the card on the small display at a press that would choose something unseen; return whether it did.

        Only presses at the table itself close a card: pages do not show it.
        """
        cards, one = self.displays.cards, self.settings.buttons == "one"
        may_close = isinstance(event, events.ButtonPressed) and (one or event.button is not events.Button.ROLL)
        if not may_close or cards is None or not cards.close():
            return False
        self.referee.forget_buttons()
        self._lobby.forget_buttons()
        self.refresh()
        return True

    def due_ms(self) -> int | None:
        """Return when the next timer is due, in the table's time; `None` if no timer runs."""
        dues = (self.referee.play.due_ms(), self._long_hold.due_ms(), self._menu_hold.due_ms(), self.board.due_ms())
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    # --- the table's own menu ---------------------------------------------------------------------------------------

    def _menu_hold_takes(self, event: events.Event, now_ms: int) -> bool:
        """Handle an event as part of the long press that opens the table's menu; return whether the event is used up.

        The menu opens once the button has been held long enough.
        """
        hold = self._menu_hold
        is_taken = hold.takes(event)
        if is_taken:
            self.referee.forget_buttons()
            self._lobby.forget_buttons()
        elif self.settings.buttons != "one" or self._lobby.is_open:
            hold.press(event, now_ms)
        has_changed = hold.look(now_ms) or is_taken
        if hold.is_over(now_ms):
            match = self.match
            in_match = match is not None and not match.is_ended and not self._lobby.is_in_the_way
            meanings = meanings_shown(self.referee.view()) if in_match else {}
            self._lobby.open_table(
                self.no_power_off,
                in_match=in_match,
                club=self.club_state(),
                meanings=meanings,
                languages=language_names,
            )
            has_changed = True
        if has_changed:
            self.refresh()
        return is_taken

    def say(self, title: str, words: str, address: str = "") -> None:
        """Show a message in the lobby, or in front of the match, with a web address if one is given."""
        self._lobby.say(title, words, address)
        self.refresh()

    def say_farewell(self) -> None:
        """Show that the machine is being switched off; the match must have been unloaded."""
        self._lobby.say_farewell()
        self.refresh()

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _leave_hold_takes(self, event: events.Event, now_ms: int) -> bool:
        """Request to leave the match if a button was held long enough; return whether the event was used up."""
        if not self._long_hold.is_over(now_ms):
            return False
        if not self.asks_first(Leave(), now_ms):
            self._request = Leave()
        is_release = event == events.ButtonReleased(self._long_hold.button)
        if not is_release and self._long_hold.button is events.Button.BACK:
            self.on_event(events.ButtonReleased(events.Button.BACK), now_ms)  # the effect of the press remains
        return is_release and self._long_hold.button is not events.Button.BACK

    def _offer_words(self, event: events.Event, seen: View | None) -> None:
        """Let the players enter a text for the dice's randomness, after a press of *back* that had no other effect.

        The entry opens when the button is released, if the match still accepts texts.

        Args:
            event: the event that was handled.
            seen: the view before the event, if the event is a press of *back*; otherwise `None`.
        """
        match = self.match
        if seen is not None:
            self._back_led_nowhere = self.referee.view() == seen
        elif event == events.ButtonReleased(events.Button.BACK) and self._back_led_nowhere and match is not None:
            self._back_led_nowhere = False
            if match.takes_words():
                self._lobby.open_words(match.names)
                self.refresh()

    def _ask_for(self, request: Request | None, now_ms: int) -> None:
        """Carry out or store a request of the lobby; `None` is no request.

        A text for the dice's randomness takes effect at once, or is refused in the lobby. All other requests are stored
        for `take_request`. If the players must first be asked about the board, a request to leave the match is stored
        after their answer.
        """
        if isinstance(request, Leave):
            self._lobby.close()
            request = None if self.asks_first(request, now_ms) else request
        if not isinstance(request, GiveWords):
            self._request = request or self._request
            return
        try:
            self.handle(events.WordsGiven(request.seat, request.text), now_ms)
        except IllegalAction as error:
            self._lobby.refuse(error)
        else:
            self._lobby.close()

    def asks_first(self, request: Request, now_ms: int) -> bool:
        """Ask the players which move was made, if a request would make an ambiguous last move final.

        Return whether the players are asked. If so, the request is stored after their answer. If not, the caller must
        carry it out.
        """

        def ask_again() -> None:
            self._request = request

        waits = self.referee.asks_first(ask_again, now_ms)
        self._execute(self.referee.flush(), now_ms)
        return waits

    def take_request(self) -> Request | None:
        """Return the stored request and clear it; `None` if there is none."""
        request, self._request = self._request, None
        return request

    def unload(self, now_ms: int) -> None:
        """Write the time used to the journal, then remove the match from the table; it can be resumed."""
        self.suspend(now_ms)
        self._journal = self._dice = None
        self._execute(self.referee.unload(), now_ms)

    def suspend(self, now_ms: int) -> None:
        """Record in the journal how much time the acting players have used, for example before switching off."""
        self._execute(self.referee.leave(now_ms), now_ms)

    def open_lobby(
        self,
        context: LobbyContext,
        *,
        left: int | None = None,
        last: Start | None = None,
        wanted: Start | None = None,
    ) -> None:
        """Open the lobby, which offers games and matches; see `Lobby.open`."""
        self._lobby.open(context, left=left, last=last, wanted=wanted)
        self.refresh()

    def offer(self, paired: Sequence[ClubPairing]) -> None:
        """Show the club's pairings for this table on the lobby's first screen, if that screen is open."""
        self._lobby.offer(paired)
        self.refresh()

    def refuse(self, error: Exception) -> None:
        """Show in the lobby why a request cannot be carried out."""
        self._lobby.refuse(error)
        self.refresh()

    def _confirm_end(self, now_ms: int) -> None:
        """Write the end of a match whose result was confirmed, unless it is written already.

        The end is not written while pieces are being moved. If the last move is ambiguous, the players are first asked
        which move was made.
        """
        was_open = self.match is not None and not self.match.is_ended
        self._execute(self.referee.confirm_end(now_ms), now_ms)
        if was_open and self.match is not None and self.match.is_ended:
            # a tape has no lobby: there the button confirms the end
            self.on_event(events.ButtonReleased(events.Button.ROLL), now_ms)

    def _is_decided(self, shown: Phase) -> bool:
        """Return whether the match is over, and no alternative to its last move is offered.

        Also true if there is no match.

        Args:
            shown: the phase of the view that is or will be shown.
        """
        match = self.match
        board = self.referee.board_snapshot()
        is_asked = match is not None and not match.is_ended and bool(board.asked or board.rivals)
        return match is None or (shown is Phase.OVER and not is_asked)

    def refresh(self) -> None:
        """Show the referee's view again after a change outside the match, such as a change of the lobby."""
        self._display(events.Show(self.referee.view()))

    # --- state for others -------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The current match; callers must not change it."""
        return self.referee.match

    @property
    def teaches(self) -> Lesson | None:
        """The lesson that is held; `None` while a match is played, or nothing is."""
        return None if self.match is None else lesson_of(self.match.game)

    def take_over(self, settings: Settings) -> None:
        """Apply the delays of new settings, even during a match; pace, language, board and buttons stay."""
        own = self.settings
        kept = replace(settings, buttons=own.buttons, switches=own.switches, back=own.back)
        kept = replace(kept, pace=own.pace, language=own.language)
        own.copy_from(replace(kept, doubts_switches=own.doubts_switches, may_lie_turned=own.may_lie_turned))

    @property
    def shows_result(self) -> bool:
        """Whether the displays show the final result of the current match, and the lobby is not open."""
        is_seen = self.match is not None and self.displays.shown.phase is Phase.OVER and not self._lobby.is_open
        return is_seen and self._is_decided(self.displays.shown.phase)

    # --- effects ----------------------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return the last shown view; everything in it is durable in the journal."""
        return self.displays.shown

    def _execute(self, effects: Iterable[events.Effect], now_ms: int) -> None:
        """Carry out effects in order, then the effects that follow from thrown dice.

        Only the last view is shown, after all other effects.
        """
        waiting = deque(effects)
        shown: events.Show | None = None
        while waiting:
            effect = waiting.popleft()
            match effect:
                case events.Record(entry):
                    self._record(entry)
                case events.ThrowDice(count):
                    waiting.extend(self._throw(count, now_ms))
                case events.Show():
                    shown = effect
                case _:
                    self._display(effect)
        if shown is not None:
            self._display(shown)

    def _with_digest(self, view: View) -> View:
        """Return the view, with the digest of the match's export added once the end of the match is written."""
        if self._journal is None or self.match is None or not self.match.is_ended or view.phase is not Phase.OVER:
            return view
        if self._digest is None:
            self._digest = final_digest(self._journal.entries(), self._journal.began)
        return replace(view, digest=self._digest)

    def _record(self, entry: Entry) -> None:
        if self._journal is not None:
            self._journal.append(entry)
        match entry:
            case Salted(_, held_ms) if self._dice is not None:
                self._dice.add_salt(held_ms)
            case SaltText(_, text) if self._dice is not None:
                self._dice.add_words(text)

    def _throw(self, count: int, now_ms: int) -> Iterable[events.Effect]:
        if self._dice is None:
            return ()
        faces = self._dice.throw(count)
        self.on_throw(faces)
        return self.referee.handle(events.DiceFell(faces), now_ms)

    def _display(self, effect: events.Effect) -> None:
        match effect:
            case events.Show(behind):
                self._show(behind)
            case events.Light(marks):
                self.displays.light(marks)
            case events.Signal(kind, square):
                self.displays.signal(kind, square)
            case events.TurnBoard():
                self.turn_board()

    def _show(self, behind: View) -> None:
        """Show the lobby if it is open, otherwise the view of the match, on all displays.

        The displays also show the faults, the address of the page as a greeting, the digest of a finished match, and
        the progress of a long press.

        Args:
            behind: the view of the match.
        """
        if self._lobby.is_in_the_way and not self._is_decided(behind.phase):
            self._lobby.close()  # the move that ended the match was changed, or may be
        behind = replace(behind, faults=(*behind.faults, *self.device_faults(), *self.warnings))
        view = self._lobby.view(behind) if self._lobby.is_open else behind
        if self.greets and view.phase is Phase.IDLE and set(view.faults) <= set(self.warnings):
            view = replace(view, joining=self.page_address())  # the greeting, unless there are faults
        view = self._narrator.tell(self._with_digest(view))
        share = self._menu_hold.share
        held = view if share is None else replace(view, hold=LongPress(HOLD_ON, LET_GO, share))
        language = find_language(self.settings.language)
        self.displays.show(held, language=language, may_have_card=share is None and not self._lobby.is_open)
