"""A table that somebody plays at: buttons, answers and time for its session, and what its board reports by and by."""

from collections.abc import Sequence
from typing import NamedTuple

from captains_table.games.contract import (
    Action,
    Ask,
    Auction,
    Square,
)
from captains_table.runtime.session import Session
from captains_table.table.model.events import (
    AdviceAsked,
    AdviceThought,
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    ComputerAnswered,
    DieToggled,
    Event,
    PlayerSeated,
    SwitchMasked,
    TimePassed,
    TimersSwitched,
    WordsGiven,
)
from captains_table.table.model.match import Match
from captains_table.table.model.view import Hint, View
from captains_table.table.recognition.switches import SwitchReport
from captains_table.table.snapshot import BoardSnapshot


class ScheduledEvent(NamedTuple):
    """An event of the board that is to be taken in, and when."""

    at_ms: int
    event: Event


class TableDriver:
    """A session and the events of its board that are on their way to it; every method says when it happens."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @property
    def match(self) -> Match | None:
        """The match in hand; only to be read."""
        return self.session.match

    def view(self) -> View:
        """Return what was shown last."""
        return self.session.view()

    def match_view(self) -> View:
        """Return what the match in hand shows, also behind the lobby."""
        return self.session.match_view()

    def ask(self) -> Ask | Auction | None:
        """Return what the match in hand asks now, also behind the lobby."""
        return self.session.ask()

    def board_snapshot(self) -> BoardSnapshot:
        """Return what the table knows about its board now."""
        return self.session.board_snapshot()

    def switch_reports(self) -> Sequence[SwitchReport]:
        """Return how every switch of the board is doing; empty where no match has a board."""
        return self.session.switch_reports()

    def begun(self, now_ms: int) -> None:
        """Make the board ready for a match that was taken up, if that is in anybody's power."""

    def press(self, button: Button, now_ms: int) -> None:
        """Press a button down."""
        self._happens(ButtonPressed(button), now_ms)

    def release(self, button: Button, now_ms: int) -> None:
        """Let a button go."""
        self._happens(ButtonReleased(button), now_ms)

    def toggle(self, die: int, now_ms: int) -> None:
        """Hold a die that may stay, or let it go; raises IllegalAction."""
        self._happens(DieToggled(die), now_ms)

    def answer(self, action: Action, now_ms: int) -> None:
        """Answer the ask directly.

        Raises:
            IllegalAction: the ask does not offer it; nothing was changed.
        """
        self._happens(Answered(action), now_ms)

    def give_words(self, seat: int, text: str, now_ms: int) -> None:
        """Give a player's own words for the dice; raises IllegalAction, and nothing was changed."""
        self._happens(WordsGiven(seat, text), now_ms)

    def answer_computer(self, revision: int, action: Action, now_ms: int) -> None:
        """Take in what a computer decided about the match as it was at a revision; raises IllegalAction."""
        self._happens(ComputerAnswered(revision, action), now_ms)

    def take_advice(self, revision: int, hint: Hint | None, now_ms: int) -> None:
        """Take in the advice that was thought about, on the match as it was at a revision."""
        self._happens(AdviceThought(revision, hint), now_ms)

    def seat_player(self, seat: int, player: str, now_ms: int) -> None:
        """Let a computer (`aether:3`), or a person (empty), play a seat from now on; raises IllegalAction."""
        self._happens(PlayerSeated(seat, player), now_ms)

    def switch_timers(self, now_ms: int, *, run: bool) -> None:
        """Let the time to bid and to act stand still, or run on; raises IllegalAction."""
        self._happens(TimersSwitched(run), now_ms)

    def advise(self, now_ms: int) -> None:
        """Ask for advice."""
        self._happens(AdviceAsked(), now_ms)

    def mask(self, square: Square, now_ms: int) -> None:
        """Declare a switch dead."""
        self._happens(SwitchMasked(square), now_ms)

    def tick(self, now_ms: int) -> None:
        """Let time pass: the board reports what is due, timers that are due fire."""
        self._happens(TimePassed(), now_ms)

    def due_ms(self) -> int | None:
        """Return when something happens by itself next, None if nothing is waited for."""
        dues = (self.session.due_ms(), self._report_due_ms())
        return min((due_ms for due_ms in dues if due_ms is not None), default=None)

    def _happens(self, event: Event, now_ms: int) -> None:
        self._catch_up(now_ms)
        self.session.handle(event, now_ms)

    def _report_due_ms(self) -> int | None:
        """Return when the board has something to report next, None if nothing is on its way."""
        return None

    def _next_report(self, now_ms: int) -> ScheduledEvent | None:  # noqa: ARG002 - a board says what is on its way
        """Take out and return what the board reports next, None if that is not due by now."""
        return None

    def _catch_up(self, now_ms: int) -> None:
        """Take in what the board has to report by now."""
        while (report := self._next_report(now_ms)) is not None:
            self._deliver(report.event, report.at_ms)

    def _deliver(self, event: Event, at_ms: int) -> None:
        self.session.handle(event, at_ms)
