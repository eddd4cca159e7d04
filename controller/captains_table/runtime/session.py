"""A table at work: one referee, its journal and dice, and whatever shows and lights; time comes in with each call."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from captains_table.devices.ports import Buzzer, Dice, Display, Journal, Lights
from captains_table.games.common.records import Honours
from captains_table.games.contract import IllegalAction, Pick
from captains_table.process.system_clock import wall_time
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.displays import Displays
from captains_table.table.history.export import final_digest
from captains_table.table.history.narrator import Narrator
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.lobby.match_setup import ClubState, GiveWords, Leave, LobbyContext, Paired, Request, Start
from captains_table.table.model import events
from captains_table.table.model.entries import Entry, Resumed, Salted, Words, resume_info_of
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Hold, Phase, View
from captains_table.table.prompts.long_presses import LongHold, MenuHold
from captains_table.table.recognition.candidates import TAKE_BACK
from captains_table.table.referee import Adviser, Referee, no_adviser

CONFIRMING: Final = (events.ButtonPressed(events.Button.ROLL), events.ButtonPressed(events.Button.CHOOSE))
"""Presses that take the result behind the lobby for granted."""
HOLD_ON: Final = "Hold on: the table's menu"
LET_GO: Final = "Let go: nothing happens"


class Session:
    """Carries out what the referee says, in order: what is recorded is durable before anything later is done.

    Args:
        settings: the table's patience and buttons, until `take_over` says others.
        displays: every display a view is shown on.
        lights: what lights the squares.
        buzzers: what sounds.
        adviser: who advises whoever must decide.
        now: returns what time it is, ISO 8601 with UTC offset; empty where that is not known.

    A table that can start and keep matches sets `has_lobby` and carries out what `take_request` returns. One whose page
    other devices reach sets `page_address`, which returns where that is now; if it `greets` as well, displays show that
    until somebody presses something. It calls `refresh` when the address changed. One that has
    devices sets `device_faults`, which says in sentences what is broken of them, and calls `refresh` when that changed.
    What else is to be known, as that the disk is nearly full, it says in `warnings`, which follow.
    One that has a game master's page sets `has_master`. One that may not switch its machine off sets `no_power_off`:
    what to do instead. One that belongs to a club sets
    `club_state`.
    """

    def __init__(
        self,
        settings: Settings,
        displays: Sequence[Display] = (),
        lights: Sequence[Lights] = (),
        buzzers: Sequence[Buzzer] = (),
        adviser: Adviser = no_adviser,
        now: Callable[[], str] = wall_time,
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
        self._long_hold = LongHold(self.settings)
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
    ) -> None:
        """Take up the match of a journal, new or resumed; raises BadHistory.

        Args:
            journal: where the match is kept.
            dice: what it is thrown with.
            now_ms: when it is taken up.
            resumed: whether it is gone on with.
            left_ms: when the match in hand is left, where the table's time leaps forward between the two.
            honours: what stands before the players' names, in seat order; of a seat that is not there nothing.
        """
        entries = journal.entries()
        match = Match.resumed(entries)
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
        """Take in an event, after what the board has to report by then, and carry out what follows.

        Raises:
            IllegalAction: an answer is not what the match asks for, and changed nothing.
            JournalUnwritable: an action could not be made durable; it was not shown.
        """
        for each, at_ms in self.board.events(event, now_ms):
            if self._is_of_menus(each, at_ms):
                continue
            seen = self.referee.view() if each == events.ButtonPressed(events.Button.BACK) else None
            try:
                effects = self.referee.handle(each, at_ms)
            except IllegalAction:
                self._execute(self.referee.flush(), at_ms)  # a move that was waiting may have become due
                raise
            self._execute(effects, at_ms)
            self.on_event(each, at_ms)
            if self.has_lobby:
                self._long_hold.on_event(each, at_ms, throwing=self.referee.is_tumbling)
                self._offer_words(each, seen)

    def _is_of_menus(self, event: events.Event, now_ms: int) -> bool:
        """Take in an event that is the lobby's or the table's own menu's; return whether it is no more than that."""
        if self._only_begins(event) or (self.has_lobby and self._is_of_menu_hold(event, now_ms)):
            return True
        is_undone = event == events.Answered(Pick(TAKE_BACK)) and self.referee.may_undo
        if not self._lobby.takes(event) or is_undone:
            return self._leaves(event, now_ms)
        self.referee.play.forget_moments()
        request = self._lobby.handle(event, now_ms)
        if isinstance(event, events.Answered) or event in CONFIRMING:
            self._confirm_end(now_ms)
        self._ask_for(request, now_ms)
        self.refresh()
        return True

    def _only_begins(self, event: events.Event) -> bool:
        """Take the page's address off the displays; return whether that is all, as what a button means was not seen."""
        if not self.greets or not self._lobby.takes(event):
            return False
        self.greets = False
        self.refresh()
        return isinstance(event, events.ButtonPressed)

    def due_ms(self) -> int | None:
        """Return when something happens by itself next; None if nothing is waited for."""
        dues = (self.referee.play.due_ms(), self._long_hold.due_ms(), self._menu_hold.due_ms(), self.board.due_ms())
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    # --- the table's own menu ---------------------------------------------------------------------------------------

    def _is_of_menu_hold(self, event: events.Event, now_ms: int) -> bool:
        """Notice how long the button of the table's own menu is held, and return whether that is all an event means."""
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
            self._lobby.open_table(self.no_power_off, in_match=in_match, club=self.club_state())
            has_changed = True
        if has_changed:
            self.refresh()
        return is_taken

    def say(self, title: str, words: str, address: str = "") -> None:
        """Show something to be read in the lobby, or beside the match."""
        self._lobby.say(title, words, address)
        self.refresh()

    def say_farewell(self) -> None:
        """Show that the machine is being switched off, as no match is in hand any more."""
        self._lobby.say_farewell()
        self.refresh()

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _leaves(self, event: events.Event, now_ms: int) -> bool:
        """Notice that the match is to be left, and return whether that is all an event means."""
        if not self._long_hold.is_over(now_ms):
            return False
        if not self.asks_first(Leave(), now_ms):
            self._request = Leave()
        is_release = event == events.ButtonReleased(self._long_hold.button)
        if not is_release and self._long_hold.button is events.Button.BACK:
            self.on_event(events.ButtonReleased(events.Button.BACK), now_ms)  # what going back did stays done
        return is_release and self._long_hold.button is not events.Button.BACK

    def _offer_words(self, event: events.Event, seen: View | None) -> None:
        """Let own words for the dice be spelled once *back* is tapped where it leads nowhere.

        Args:
            event: what happened.
            seen: what was to be seen before *back* was pressed; None where something else happened.
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
        """Keep what was asked for in the lobby for whoever keeps the matches; what concerns the one in hand is done."""
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
        """Ask what was done on the board, if that is not clear, before what is asked for seals the last move.

        Returns whether it waits for that; it is asked for again once that is answered.
        """

        def ask_again() -> None:
            self._request = request

        waits = self.referee.asks_first(ask_again, now_ms)
        self._execute(self.referee.flush(), now_ms)
        return waits

    def take_request(self) -> Request | None:
        """Return what was asked for in the lobby, once; None if nothing was."""
        request, self._request = self._request, None
        return request

    def unload(self, now_ms: int) -> None:
        """Leave the match as it stands; the time used is journalled first."""
        self.suspend(now_ms)
        self._journal = self._dice = None
        self._execute(self.referee.unload(), now_ms)

    def suspend(self, now_ms: int) -> None:
        """Journal the time used by whoever has to act, as before the table is switched off in good order."""
        self._execute(self.referee.leave(now_ms), now_ms)

    def open_lobby(
        self,
        context: LobbyContext,
        *,
        left: int | None = None,
        last: Start | None = None,
        wanted: Start | None = None,
        is_first: bool = False,
    ) -> None:
        """Show what may be played; see `Lobby.open`."""
        self._lobby.open(context, left=left, last=last, wanted=wanted, is_first=is_first)
        self.refresh()

    def offer(self, paired: Sequence[Paired]) -> None:
        """Offer the club's pairings where the lobby asks what is to be played."""
        self._lobby.offer(paired)
        self.refresh()

    def refuse(self, error: Exception) -> None:
        """Show in the lobby why what was asked for cannot be done."""
        self._lobby.refuse(error)
        self.refresh()

    def _confirm_end(self, now_ms: int) -> None:
        """Have the end of the match behind the lobby written, if it is not and no hand is at work on the board."""
        was_open = self.match is not None and not self.match.is_ended
        self._execute(self.referee.confirm_end(now_ms), now_ms)
        if was_open and self.match is not None and self.match.is_ended:
            # a tape knows of no lobby: there the button says so
            self.on_event(events.ButtonReleased(events.Button.ROLL), now_ms)

    def _is_decided(self, shown: Phase) -> bool:
        """Return whether the match in hand is over, and no other move is on offer that may have been made."""
        match = self.match
        board = self.referee.board_snapshot()
        is_asked = match is not None and not match.is_ended and bool(board.asked or board.rivals)
        return match is None or (shown is Phase.OVER and not is_asked)

    def refresh(self) -> None:
        """Show what is to be seen anew, as something changed that is not the match's."""
        self._display(events.Show(self.referee.view()))

    # --- what others may know ---------------------------------------------------------------------------------------

    @property
    def match(self) -> Match | None:
        """The match in hand; only to be read."""
        return self.referee.match

    def take_over(self, settings: Settings) -> None:
        """Be as patient as these settings say from now on, also in the middle of a match; board and buttons stay."""
        own = self.settings
        own.copy_from(replace(settings, buttons=own.buttons, switches=own.switches, back=own.back))

    @property
    def shows_result(self) -> bool:
        """Whether the result of the match in hand is what is seen."""
        is_seen = self.match is not None and self.displays.shown.phase is Phase.OVER and not self._lobby.is_open
        return is_seen and self._is_decided(self.displays.shown.phase)

    # --- carrying out -----------------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return what was shown last: nothing of it is not durable."""
        return self.displays.shown

    def _execute(self, effects: Iterable[events.Effect], now_ms: int) -> None:
        """Carry out what is to be done, in order; of several views only the last one lasts, and is shown at the end."""
        waiting = deque(effects)
        shown: events.Show | None = None
        while waiting:
            effect = waiting.popleft()
            match effect:
                case events.Record(entry):
                    self._record(entry)
                case events.Throw(count):
                    waiting.extend(self._throw(count, now_ms))
                case events.Show():
                    shown = effect
                case _:
                    self._display(effect)
        if shown is not None:
            self._display(shown)

    def _with_digest(self, view: View) -> View:
        """Return a view with the digest of the match's export, once nothing can be taken back any more."""
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
            case Words(_, text) if self._dice is not None:
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

    def _show(self, behind: View) -> None:
        """Show the match, or the lobby in front of it, with what is to be seen besides."""
        if self._lobby.is_in_the_way and not self._is_decided(behind.phase):
            self._lobby.close()  # the move that ended the match was changed, or may be
        behind = replace(behind, faults=(*behind.faults, *self.device_faults(), *self.warnings))
        view = self._lobby.view(behind) if self._lobby.is_open else behind
        if self.greets and view.phase is Phase.IDLE and set(view.faults) <= set(self.warnings):
            view = replace(view, joining=self.page_address())  # the first thing to be seen, if that is no fault
        view = self._narrator.tell(self._with_digest(view))
        share = self._menu_hold.share
        self.displays.show(view if share is None else replace(view, hold=Hold(HOLD_ON, LET_GO, share)))
