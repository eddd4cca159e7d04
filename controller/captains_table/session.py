"""A table at work: one referee, its journal and dice, and whatever shows and lights; time comes in with each call."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from captains_table.devices.ports import Buzzer, Dice, Glass, Journal, Lights
from captains_table.games.contract import IllegalAction
from captains_table.table.events import DiceFell, Effect, Event, Light, Record, Show, Signal, Throw
from captains_table.table.journal import Entry, Salted, story_of
from captains_table.table.match import Match
from captains_table.table.referee import Adviser, Referee, no_adviser
from captains_table.table.settings import Settings
from captains_table.table.view import View


class Session:
    """Carries out what the referee says, in order: what is recorded is durable before anything later is done.

    Args:
        settings: the table's patience and buttons.
        glasses: every display a view is shown on.
        lights: what lights the squares.
        buzzers: what sounds.
        adviser: who advises whoever must decide.
    """

    def __init__(
        self,
        settings: Settings,
        glasses: Sequence[Glass] = (),
        lights: Sequence[Lights] = (),
        buzzers: Sequence[Buzzer] = (),
        adviser: Adviser = no_adviser,
    ) -> None:
        self.referee = Referee(settings, adviser)
        self._shown = self.referee.view()
        self._glasses = list(glasses)
        self._lights = list(lights)
        self._buzzers = list(buzzers)
        self._journal: Journal | None = None
        self._dice: Dice | None = None
        self.on_throw: Callable[[tuple[int, ...]], None] = lambda _: None
        self.on_event: Callable[[Event, int], None] = lambda _, __: None

    def take_up(self, journal: Journal, dice: Dice, now_ms: int, *, resumed: bool) -> None:
        """Take up the match of a journal, new or resumed; raises BadHistory."""
        entries = journal.entries()
        match = Match.resumed(entries)
        self._carry_out(self.referee.leave(), now_ms)
        self._journal, self._dice = journal, dice
        self._carry_out(self.referee.begin(match, story_of(entries, resumed=resumed), now_ms), now_ms)

    def handle(self, event: Event, now_ms: int) -> None:
        """Take in an event and carry out what follows.

        Raises:
            IllegalAction: an answer is not what the match asks for, and changed nothing.
            JournalUnwritable: an action could not be made durable; it was not shown.
        """
        try:
            effects = self.referee.handle(event, now_ms)
        except IllegalAction:
            self._carry_out(self.referee.flush(), now_ms)  # a move that was waiting may have become due
            raise
        self._carry_out(effects, now_ms)
        self.on_event(event, now_ms)

    def view(self) -> View:
        """Return what was shown last: nothing of it is not durable."""
        return self._shown

    def _carry_out(self, effects: Iterable[Effect], now_ms: int) -> None:
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
            case Show(view):
                self._shown = view
                for glass in self._glasses:
                    glass.show(view)
            case Light(marks):
                for lights in self._lights:
                    lights.light(marks)
            case Signal(kind, square):
                for lights in self._lights:
                    lights.signal(kind, square)
                for buzzer in self._buzzers:
                    buzzer.signal(kind)
