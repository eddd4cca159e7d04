"""A table as its page, its phones, its board and its daemon see it: one door for what happens, and its parts."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.packing import png
from captains_table.devices.ports import BoardEvent, JournalUnwritable
from captains_table.games.contract import Action, Bell, Bid, Shape
from captains_table.runtime.club_line.desk import Showing
from captains_table.runtime.club_line.member import ClubMember
from captains_table.runtime.displays import RecentSounds, Subscribers
from captains_table.runtime.hardware_source import HardwareSource
from captains_table.runtime.match_archive import CannotRead, MatchArchive
from captains_table.runtime.match_desk import MatchDesk
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.reviews import ReviewDesk
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedHands, SimulatedSource
from captains_table.runtime.table_loop import TableLoop, TableStopped
from captains_table.runtime.thinking.desk import ThinkingDesk, Thought
from captains_table.storage.design_file import DESIGNS, DesignFile
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.events import AdviceThought, Answered, ComputerAnswered, Event, TimePassed
from captains_table.table.model.view import View
from captains_table.table.playing.computer_turn import Question

REVISIONS_A_MATCH = 1 << 20  # so that a revision shown in one match never fits another


class StaleAnswer(RuntimeError):
    """The answer was meant for an older view; nothing was done."""


class TooLate(StaleAnswer):
    """The auction that was bid in, or whose bell was rung, is over; nothing was done."""


class Table:
    """A table at work, on the running event loop.

    Args:
        session: the referee at work, with its board's source of events; a simulated board has hands.
        journal: the file all matches are kept in.
        display: the little screen.
        recorder: writes down what happens at the table, if that is wanted.
        on_failure: is called when the journal takes no more; the table must not go on then.
        board_shape: the shape of a real board; `None` where the board takes the shape of the game.
        seats: draws the links to the seats; `None` where the page is for this machine only.

    Attributes:
        session: the referee at work.
        loop: the table's time.
        archive: the matches of its journal.
        matches: the match in hand, started, taken up and left, also by the table's own menus.
        computers: who think for their seats, and advise.
        reviews: matches looked back on, and what each decision of one cost.
        designs: the pieces of players' own that are kept beside the journal.
        hands: the hands at a simulated board; `None` where the board is a real one.
        sounds: what was heard a moment ago.
        subscribers: who are woken when something changed.
    """

    def __init__(
        self,
        session: Session,
        journal: JournalFile,
        display: Oled,
        recorder: Recorder | None = None,
        on_failure: Callable[[JournalUnwritable], None] = lambda _: None,
        board_shape: Shape | None = None,
        seats: SeatDesk | None = None,
    ) -> None:
        self.session = session
        session.has_lobby = True
        self._display = display
        self._on_failure = on_failure
        self.board_shape = board_shape
        self.seats = seats
        self._device_faults: tuple[str, ...] = ()  # as they were shown last
        self.subscribers = Subscribers()
        self.designs = DesignFile(journal.path.with_name(DESIGNS))
        self.archive = MatchArchive(journal, board_shape, self.designs.choices)
        self.reviews = ReviewDesk(journal)
        self.sounds = session.displays.sounds = RecentSounds(asyncio.get_running_loop().time)
        self.loop = TableLoop(session)
        self.computers = ThinkingDesk(self._take_thought, self.subscribers.notify)
        self.matches = MatchDesk(session, self.archive, self.loop, seats, display, recorder)
        board = session.board
        self.hands = SimulatedHands(board, self.loop.do) if isinstance(board, SimulatedSource) else None
        self.loop.attend, self.loop.follow = self.matches.attend, self._follow
        self.loop.notify, self.loop.fail = self.subscribers.notify, self.fail

    # --- the door ---------------------------------------------------------------------------------------------------

    def handle(self, event: Event, revision: int | None = None) -> None:
        """Let something happen at the table now; nothing does while it rests or once it has stopped.

        Args:
            event: what happens.
            revision: at which that was shown to which an answer is given; `None`: it answers whatever is asked.

        Raises:
            TooLate, StaleAnswer: by now something else is shown; see `stale`.
            IllegalAction: it is not what the match asks for, and changed nothing.
            TableStopped, CannotRead: the journal fails.
        """
        if self.loop.stopped or self.loop.rests:
            return
        if isinstance(event, Answered) and revision is not None:
            self.handle(TimePassed())  # a bell that is due by now rings first: no bid slips into the next auction
            refusal = stale(self.view(), event.action, revision)
            if refusal is not None:
                raise refusal
        with self.loop.happening() as now_ms:
            self.session.handle(event, now_ms)

    def listen_to(self, board: HardwareSource) -> Callable[[BoardEvent, float], None]:
        """Return what a real board calls with everything that happens to it, and when by the event loop's clock."""

        def on_event(event: BoardEvent, at_ms: float) -> None:
            board.report(event, self.loop.at_ms(at_ms))
            with contextlib.suppress(TableStopped, CannotRead):  # that is told to whoever asks for something
                self.handle(TimePassed())

        return on_event

    # --- computers --------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Have that thought about which is to be decided now, and nothing else."""
        self.computers.follow(self.session.referee.question(), self.session.match)

    def _take_thought(self, question: Question, thought: Thought) -> None:
        """Take in what was decided, or what is advised; raises IllegalAction."""
        with contextlib.suppress(TableStopped, CannotRead):  # that is told to whoever asks for something
            if thought.action is None:
                self.handle(AdviceThought(question.revision, thought.hint))
            else:
                self.handle(ComputerAnswered(question.revision, thought.action))

    # --- the club ---------------------------------------------------------------------------------------------------

    def join(self, club: ClubMember) -> None:
        """Belong to a club from now on."""
        devices = self.session.device_faults
        self.matches.club = club
        self.session.club_state = club.state
        self.session.device_faults = lambda: (*devices(), *club.faults())

    def showing(self) -> Showing:
        """Return what a club may know of the table now."""
        return Showing(self.view(), self.session.match, self.matches.current)

    def club_changed(self) -> None:
        """Offer the club's pairings where it is asked what is to be played, and show what is to be said of it."""
        if self.loop.stopped:
            return
        with contextlib.suppress(CannotRead):
            self.session.offer(self.matches.paired())
        self.devices_changed()

    # --- what is to be seen -----------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return what is to be seen now."""
        view = self.session.view()
        thinking = [self.computers.trouble] if self.computers.trouble else []
        first = (self.matches.current or 0) * REVISIONS_A_MATCH
        since = None if view.auction_since is None else first + view.auction_since
        faults = (*view.faults, *thinking)
        return replace(view, faults=faults, revision=first + view.revision, auction_since=since)

    def display_png(self) -> bytes:
        """Return the picture on the glass, 128x64 pixels, as PNG."""
        return png(self._display.shown())

    def network_changed(self) -> None:
        """Show where the page is now, and wake everyone."""
        if not self.loop.stopped:
            self.matches.address_changed()
        self.subscribers.notify()

    def warn(self, warnings: tuple[str, ...]) -> None:
        """Show what else is to be known of the table from now on, if that is something else than before."""
        if warnings != self.session.warnings and not self.loop.stopped:
            self.session.warnings = warnings
            self.session.refresh()
            self.subscribers.notify()

    def devices_changed(self) -> None:
        """Show what is broken of the devices now, if that is something else than before, and wake everyone."""
        faults = tuple(self.session.device_faults())
        if faults != self._device_faults and not self.loop.stopped:
            self._device_faults = faults
            self.session.refresh()
        self.subscribers.notify()

    def faults(self) -> Sequence[str]:
        """Return what is broken of board and devices, in sentences."""
        trouble = self.session.referee.board_snapshot().trouble
        return (*([trouble] if trouble else []), *self.session.device_faults(), *self.session.warnings)

    # --- the end ----------------------------------------------------------------------------------------------------

    def fail(self, error: JournalUnwritable) -> None:
        """Stop the table, as its journal takes no more."""
        self.stop()
        self._on_failure(error)

    def stop(self) -> None:
        """End all watching, the time used journalled; the table does nothing more."""
        if not self.loop.stopped:
            with contextlib.suppress(JournalUnwritable):  # whoever plays on finds the time given back as after a cut
                self.session.suspend(self.loop.now_ms())
        self.loop.stop()
        self.computers.close()
        self.reviews.close()
        self.subscribers.end()


def stale(view: View, action: Action, revision: int) -> StaleAnswer | None:
    """Return why an answer comes too late for what is to be seen now; `None` where it does not.

    A bid, and the bell of an auction, name the auction they are for by any revision at which it was shown: others may
    bid meanwhile. Any other answer fits only what is shown at its own revision.

    Args:
        view: what is to be seen now.
        action: what was answered.
        revision: at which it was shown.
    """
    words = f"this answers revision {revision}; by now it is {view.revision}"
    is_of_auction = view.auction_since is not None and view.auction_since <= revision <= view.revision
    if revision == view.revision or (isinstance(action, Bid | Bell) and is_of_auction):
        return None
    return TooLate(words) if isinstance(action, Bid) else StaleAnswer(words)
