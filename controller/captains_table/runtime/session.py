"""A table at work: one referee, its journal and dice, and whatever shows and lights; time comes in with each call."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from captains_table.devices.ports import Buzzer, Dice, Display, Journal, Lights
from captains_table.games.contract import IllegalAction
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.lobby.match_setup import Leave, LobbyContext, Request, Start
from captains_table.table.model.entries import Entry, Salted, resume_info_of
from captains_table.table.model.events import (
    Button,
    ButtonReleased,
    DiceFell,
    Effect,
    Event,
    Light,
    Record,
    Show,
    Signal,
    Throw,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View
from captains_table.table.prompts.long_press import LongHold
from captains_table.table.referee import Adviser, Referee, no_adviser


class Session:
    """Carries out what the referee says, in order: what is recorded is durable before anything later is done.

    Args:
        settings: the table's patience and buttons.
        displays: every display a view is shown on.
        lights: what lights the squares.
        buzzers: what sounds.
        adviser: who advises whoever must decide.

    A table that can start and keep matches sets `has_lobby` and carries out what the lobby leaves in `request`.
    """

    def __init__(
        self,
        settings: Settings,
        displays: Sequence[Display] = (),
        lights: Sequence[Lights] = (),
        buzzers: Sequence[Buzzer] = (),
        adviser: Adviser = no_adviser,
    ) -> None:
        self.referee = Referee(settings, adviser)
        self.lobby = Lobby(settings)
        self.has_lobby = False
        self.request: Request | None = None
        self._long_hold = LongHold(settings)
        self._shown = self.referee.view()
        self._displays = list(displays)
        self._lights = list(lights)
        self._buzzers = list(buzzers)
        self._journal: Journal | None = None
        self._dice: Dice | None = None
        self.on_throw: Callable[[tuple[int, ...]], None] = lambda _: None
        self.on_event: Callable[[Event, int], None] = lambda _, __: None

    def load(self, journal: Journal, dice: Dice, now_ms: int, *, resumed: bool) -> None:
        """Take up the match of a journal, new or resumed; raises BadHistory."""
        entries = journal.entries()
        match = Match.resumed(entries)
        self.lobby.close()
        self.request = None
        self._long_hold.forget()
        self._execute(self.referee.leave(), now_ms)
        self._journal, self._dice = journal, dice
        self._execute(self.referee.begin(match, resume_info_of(entries, resumed=resumed), now_ms), now_ms)

    def handle(self, event: Event, now_ms: int) -> None:
        """Take in an event and carry out what follows.

        Raises:
            IllegalAction: an answer is not what the match asks for, and changed nothing.
            JournalUnwritable: an action could not be made durable; it was not shown.
        """
        if self.lobby.takes(event):
            self.request = self.lobby.handle(event, now_ms) or self.request
            self._show()
        elif not self._leaves(event, now_ms):
            self._play(event, now_ms)

    def _play(self, event: Event, now_ms: int) -> None:
        try:
            effects = self.referee.handle(event, now_ms)
        except IllegalAction:
            self._execute(self.referee.flush(), now_ms)  # a move that was waiting may have become due
            raise
        self._execute(effects, now_ms)
        self.on_event(event, now_ms)
        if self.has_lobby:
            self._long_hold.on_event(event, now_ms, throwing=bool(self.referee.tumbling))

    def due_ms(self) -> int | None:
        """Return when something happens by itself next, none if nothing is waited for."""
        dues = (self.referee.due_ms(), self._long_hold.due_ms())
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _leaves(self, event: Event, now_ms: int) -> bool:
        """Notice that the match is to be left, and return whether that is all an event means."""
        if not self._long_hold.is_over(now_ms):
            return False
        self.request = Leave()
        is_release = event == ButtonReleased(self._long_hold.button)
        if not is_release and self._long_hold.button is Button.BACK:
            self.on_event(ButtonReleased(Button.BACK), now_ms)  # what going back did stays done
        return is_release and self._long_hold.button is not Button.BACK

    def unload(self, now_ms: int) -> None:
        """Leave the match as it stands."""
        self._journal = self._dice = None
        self._execute(self.referee.unload(), now_ms)

    def open_lobby(self, context: LobbyContext, *, left: int | None = None, last: Start | None = None) -> None:
        """Show what may be played; see `Lobby.open`."""
        self.lobby.open(context, left=left, last=last)
        self._show()

    def refuse(self, error: Exception) -> None:
        """Show in the lobby why what was asked for cannot be done."""
        self.lobby.refuse(error)
        self._show()

    def _show(self) -> None:
        self._display(Show(self.referee.view()))

    # --- carrying out -----------------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return what was shown last: nothing of it is not durable."""
        return self._shown

    def _execute(self, effects: Iterable[Effect], now_ms: int) -> None:
        waiting = deque(effects)
        while waiting:
            effect = waiting.popleft()
            match effect:
                case Record(entry):
                    self._record(entry)
                case Throw(count):
                    waiting.extend(self._throw(count, now_ms))
                case _:
                    self._display(effect)

    def _record(self, entry: Entry) -> None:
        if self._journal is not None:
            self._journal.append(entry)
        if isinstance(entry, Salted) and self._dice is not None:
            self._dice.add_salt(entry.held_ms)

    def _throw(self, count: int, now_ms: int) -> Iterable[Effect]:
        if self._dice is None:
            return ()
        faces = self._dice.throw(count)
        self.on_throw(faces)
        return self.referee.handle(DiceFell(faces), now_ms)

    def _display(self, effect: Effect) -> None:
        match effect:
            case Show(behind):
                view = self.lobby.view(behind) if self.lobby.is_open else behind
                self._shown = view
                for display in self._displays:
                    display.show(view)
            case Light(marks):
                for lights in self._lights:
                    lights.light(marks)
            case Signal(kind, square):
                for lights in self._lights:
                    lights.signal(kind, square)
                for buzzer in self._buzzers:
                    buzzer.signal(kind)
