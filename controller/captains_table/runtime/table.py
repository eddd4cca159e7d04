"""The table as a whole: it handles all events and gives the web page and the daemon access to its parts.

It refuses answers to outdated views, passes questions to the computers' process, joins the club, and adds faults and
warnings to the view. It can also stop the table permanently.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.packing import png
from captains_table.devices.ports import BoardEvent, JournalUnwritable
from captains_table.games.contract import Action, Bell, Bid, Shape
from captains_table.phrases import say
from captains_table.runtime.club_line.connection import TableNow
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.coaching import TurnCoach
from captains_table.runtime.displays import RecentSounds, Subscribers
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.match_archive import CannotRead, MatchArchive
from captains_table.runtime.match_control import MatchControl
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.reviews import MatchReviews
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedHands, SimulatedSource
from captains_table.runtime.table_loop import TableLoop, TableStopped
from captains_table.runtime.thinking.client import ThinkingAnswer, ThinkingClient
from captains_table.storage.design_file import DESIGNS, DesignFile
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.events import AdviceThought, Answered, ComputerAnswered, Event, TimePassed
from captains_table.table.model.view import View
from captains_table.table.playing.thinking import ThinkRequest

REVISIONS_A_MATCH = 1 << 20  # so that a revision of one match never equals one of another match


class StaleAnswer(RuntimeError):
    """The answer was given to an outdated view; the answer was ignored."""


class BidTooLate(StaleAnswer):
    """The bid came after the end of its auction; the bid was ignored."""


class Table:
    """A table that runs on the current event loop.

    Args:
        session: the session, with its board's source of events.
        journal: the journal of all matches.
        display: the small OLED display.
        recorder: records a tape of everything that happens; `None`: no tape.
        on_failure: is called with the error when the journal cannot be written; the table has stopped by then.
        board_shape: the shape of a real board; `None` if the board takes the shape of each game.
        seats: issues the links to the seats; `None` if only this machine can open the page.

    Attributes:
        session: the session: referee, journal, dice and displays.
        loop: runs actions and timers in the table's time.
        archive: the matches of the journal.
        matches: starts, resumes and leaves matches, also at the request of the table's menus.
        computers: the computer players' process, which also gives advice.
        reviews: reviews of matches, and the costs of their decisions.
        coach: says what the last turn against a computer was worth.
        designs: the store of pieces that players designed, next to the journal.
        board_shape, seats: the arguments of these names.
        hands: the page's hands on a simulated board; `None` if the board is real or there is no board.
        sounds: the most recent sounds.
        subscribers: the tasks that follow the table's changes.
    """

    def __init__(
        self,
        session: Session,
        journal: JournalFile,
        display: Oled,
        recorder: Recorder | None = None,
        on_failure: Callable[[JournalUnwritable], None] = lambda _: None,
        board_shape: Shape | None = None,
        seats: SeatLinks | None = None,
    ) -> None:
        self.session = session
        session.has_lobby = True
        self._display = display
        self._on_failure = on_failure
        self.board_shape = board_shape
        self.seats = seats
        self._device_faults: tuple[str, ...] = ()  # as last shown
        self.subscribers = Subscribers()
        self.designs = DesignFile(journal.path.with_name(DESIGNS))
        self.archive = MatchArchive(journal, board_shape, self.designs.choices)
        self.reviews = MatchReviews(journal)
        self.coach = TurnCoach()
        self.sounds = session.displays.sounds = RecentSounds(asyncio.get_running_loop().time)
        self.loop = TableLoop(session)
        self.computers = ThinkingClient(self._take_thought, self.subscribers.notify)
        self.matches = MatchControl(session, self.archive, self.loop, seats, display, recorder)
        board = session.board
        self.hands = SimulatedHands(board, self.loop.do) if isinstance(board, SimulatedSource) else None
        self.loop.attend, self.loop.follow = self.matches.attend, self._follow
        self.loop.notify, self.loop.fail = self.subscribers.notify, self.fail

    # --- events -----------------------------------------------------------------------------------------------------

    def handle(self, event: Event, revision: int | None = None) -> None:
        """Handle an event now; ignore it while the table rests and once the table has stopped.

        Args:
            event: the event.
            revision: the revision of the view to which an answer was given; `None` for the present view.

        Raises:
            BidTooLate, StaleAnswer: the answer's view is outdated; see `stale_answer`.
            IllegalAction: the match does not ask for this answer; nothing changed.
            TableStopped, CannotRead: the journal fails.
        """
        if self.loop.stopped or self.loop.rests:
            return
        if isinstance(event, Answered) and revision is not None:
            self.handle(TimePassed())  # a bell that is due rings first: no late bid enters the next auction
            refusal = stale_answer(self.view(), event.action, revision)
            if refusal is not None:
                raise refusal
        with self.loop.happening() as now_ms:
            self.session.handle(event, now_ms)

    def listen_to(self, board: HardwareSource) -> Callable[[BoardEvent, float], None]:
        """Return the callback for a real board's events.

        The callback takes an event, and the time at which the event happened in milliseconds of the event loop's clock.
        """

        def on_event(event: BoardEvent, at_ms: float) -> None:
            board.report(event, self.loop.at_ms(at_ms))
            with contextlib.suppress(TableStopped, CannotRead):  # the page's next request reports that
                self.handle(TimePassed())

        return on_event

    def listen_to_buttons(self) -> Callable[[BoardEvent, float], None]:
        """Return the callback for the events of buttons that are not the board's, which it takes like `listen_to`'s."""
        board = self.session.board
        if isinstance(board, HardwareSource):
            return self.listen_to(board)  # its reports may be late, and all keep their order

        def on_event(event: BoardEvent, _: float) -> None:
            with contextlib.suppress(TableStopped, CannotRead):
                self.handle(event)

        return on_event

    # --- computers --------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Let the computers think about the present question, and stop thinking about earlier ones."""
        self.computers.follow(self.session.referee.question(), self.session.match)

    def _take_thought(self, question: ThinkRequest, thought: ThinkingAnswer) -> None:
        """Handle a computer's decision or advice; raises IllegalAction."""
        with contextlib.suppress(TableStopped, CannotRead):  # the page's next request reports that
            if thought.action is None:
                self.handle(AdviceThought(question.revision, thought.hint))
            else:
                self.handle(ComputerAnswered(question.revision, thought.action))

    # --- the club ---------------------------------------------------------------------------------------------------

    def join(self, club: ClubMember) -> None:
        """Make the table a member of its club, and show the club's pairings, menu entries and faults from now on."""
        devices = self.session.device_faults
        self.matches.club = club
        self.session.club_state = club.state
        self.session.device_faults = lambda: (*devices(), *club.faults())

    def showing(self) -> TableNow:
        """Return the table's present state, as the club is told it: nothing of a lesson."""
        if self.session.teaches is not None:
            return TableNow(View())
        return TableNow(self.view(), self.session.match, self.matches.current)

    def club_changed(self) -> None:
        """After a change in the club, offer its pairings in the lobby, and show the faults of devices and club."""
        if self.loop.stopped:
            return
        with contextlib.suppress(CannotRead):
            self.session.offer(self.matches.paired())
        self.devices_changed()

    # --- the view ---------------------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return the present view.

        It includes a fault of the computers' process. Its revision is unique over all matches.
        """
        view = self.session.view()
        thinking = [self.computers.trouble] if self.computers.trouble else []
        first = (self.matches.current or 0) * REVISIONS_A_MATCH
        since = None if view.auction_since is None else first + view.auction_since
        faults = (*view.faults, *thinking)
        return replace(view, faults=faults, revision=first + view.revision, auction_since=since)

    def display_png(self) -> bytes:
        """Return the picture on the OLED display, 128x64 pixels, as PNG."""
        return png(self._display.shown())

    def network_changed(self) -> None:
        """Update the page's address where it is shown, and wake all subscribers."""
        if not self.loop.stopped:
            self.matches.address_changed()
        self.subscribers.notify()

    def warn(self, warnings: tuple[str, ...]) -> None:
        """Replace the warnings that the table shows, and wake all subscribers if they changed."""
        if warnings != self.session.warnings and not self.loop.stopped:
            self.session.warnings = warnings
            self.session.refresh()
            self.subscribers.notify()

    def devices_changed(self) -> None:
        """Show the devices' faults if they changed, and wake all subscribers."""
        faults = tuple(self.session.device_faults())
        if faults != self._device_faults and not self.loop.stopped:
            self._device_faults = faults
            self.session.refresh()
        self.subscribers.notify()

    def faults(self) -> Sequence[str]:
        """Return the faults of the board, the devices and the club's connection, and the warnings, as sentences."""
        trouble = self.session.referee.board_snapshot().trouble
        return (*([trouble] if trouble else []), *self.session.device_faults(), *self.session.warnings)

    # --- the end ----------------------------------------------------------------------------------------------------

    def fail(self, error: JournalUnwritable) -> None:
        """Stop the table because its journal cannot be written, and report that."""
        self.stop()
        self._on_failure(error)

    def stop(self) -> None:
        """Stop the table permanently: record the time that the players have used, end processes and subscriptions."""
        if not self.loop.stopped:
            with contextlib.suppress(JournalUnwritable):  # then the time used is lost, as after a power cut
                self.session.suspend(self.loop.now_ms())
        self.loop.stop()
        self.computers.close()
        self.reviews.close()
        self.coach.close()
        self.subscribers.end()


def stale_answer(view: View, action: Action, revision: int) -> StaleAnswer | None:
    """Return the error for an answer to an outdated view; `None` if the answer is in time.

    A bid, and the bell of an auction, are in time at every revision since the auction began, because others may have
    bid meanwhile. Any other answer must have the present revision.

    Args:
        view: the present view.
        action: the answer.
        revision: the revision of the view that was answered.
    """
    words = say("this answers revision {revision}; by now it is {now}", revision, view.revision)
    is_of_auction = view.auction_since is not None and view.auction_since <= revision <= view.revision
    if revision == view.revision or (isinstance(action, Bid | Bell) and is_of_auction):
        return None
    return BidTooLate(words) if isinstance(action, Bid) else StaleAnswer(words)
