"""A table as its page and its daemon see it: in real time, with its journal file, honest dice, and a glass."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from captains_table import catalog
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.packing import png
from captains_table.devices.ports import BoardEvent, JournalUnwritable, OnEvent
from captains_table.games.common.sitter import Sitter
from captains_table.games.contract import Action, Correctable, IllegalAction, MasterAction, Shape, Square
from captains_table.players.common.opponents import opponent_of
from captains_table.process.hang_watch import HangWatch
from captains_table.runtime.analyses import AnalysisDesk
from captains_table.runtime.club_line.member import ClubMember, Showing
from captains_table.runtime.computers import Computers
from captains_table.runtime.driver import TableDriver
from captains_table.runtime.hardware_driver import HardwareDriver
from captains_table.runtime.hearing import Hearing
from captains_table.runtime.lobby_desk import LobbyDesk
from captains_table.runtime.match_archive import MatchArchive, reading_journal
from captains_table.runtime.match_desk import MatchDesk
from captains_table.runtime.membership import Membership
from captains_table.runtime.power_off import PowerOff
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.reviews import ReviewDesk
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.simulated_driver import SimulatedDriver
from captains_table.runtime.simulated_hands import SimulatedHands
from captains_table.runtime.table_loop import Consequences, TableLoop
from captains_table.runtime.watchers import Watchers
from captains_table.storage.design_file import DESIGNS, DesignFile
from captains_table.storage.journal_file import JournalFile
from captains_table.table.history.review import Decision
from captains_table.table.lobby.match_setup import Paired, Start
from captains_table.table.model.events import Button
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, View
from captains_table.table.recognition.switches import SwitchReport
from captains_table.web.kept_designs import KeptDesigns, choices_of
from captains_table.web.port import (
    CannotRead,
    Hands,
    Heard,
    MatchSummary,
    Review,
    SeatKeys,
    StaleAnswer,
    Standings,
    stale,
)

REVISIONS_A_MATCH = 1 << 20  # so that a revision shown in one match never fits another


class TableService:
    """The table as the page and the daemon see it.

    Args:
        table: the table that is played at, simulated or real.
        journal: the file all matches are kept in.
        display: the little screen.
        recorder: writes down what happens at the table, if that is wanted.
        on_failure: is called when the journal takes no more; the table must not go on then.
        board_shape: returns the shape of a real board, or None where the board takes the shape of the game.
        seats: draws the links to the seats; None where the page is for this machine only.
    """

    def __init__(
        self,
        table: TableDriver,
        journal: JournalFile,
        display: Oled,
        recorder: Recorder | None = None,
        on_failure: Callable[[JournalUnwritable], None] = lambda _: None,
        board_shape: Callable[[], Shape | None] = lambda: None,
        seats: SeatDesk | None = None,
    ) -> None:
        self._table = table
        self._session = table.session
        self._session.has_lobby = True
        self._display = display
        self._recorder = recorder
        self._on_failure = on_failure
        self._board_shape = board_shape
        self._seats = seats
        self._device_faults: tuple[str, ...] = ()  # as they were shown last
        self._watchers = Watchers()
        self._designs = DesignFile(journal.path.with_name(DESIGNS))
        self._archive = MatchArchive(journal, board_shape, partial(choices_of, self._designs))
        self._reviews = ReviewDesk(journal)
        self._analyses = AnalysisDesk(journal)
        self._hearing = Hearing(asyncio.get_running_loop().time)
        self._session.outlets.on_signal = self._hearing.signal
        self._session.outlets.on_told = self._hearing.tell
        self._club = Membership()
        self._loop = TableLoop(table, Consequences(self._attend, self._follow, self.notify, self.fail))
        self._computers = Computers(table, self._loop, self.notify)
        self._matches = MatchDesk(self._session, self._archive, self._loop, self._club, seats, self._match_begun)
        self._lobby = LobbyDesk(self._session, self._matches, self._loop, self._club, display, self.notify)
        self._hands = SimulatedHands(table, self._loop.do) if isinstance(table, SimulatedDriver) else None

    # --- the club ---------------------------------------------------------------------------------------------------

    def join(self, club: ClubMember) -> None:
        """Belong to a club from now on."""
        devices = self._session.device_faults
        self._club.join(club)
        self._session.club_state = club.state
        self._session.device_faults = lambda: (*devices(), *club.faults())

    def showing(self) -> Showing:
        """Return what a club may know of the table now."""
        return Showing(self.view(), self._session.match, self._matches.current)

    def club_changed(self) -> None:
        """Offer the club's pairings where it is asked what is to be played, and show what is to be said of it."""
        if self._loop.stopped:
            return
        with contextlib.suppress(CannotRead):
            self._session.offer(self.paired())
        self.devices_changed()

    def paired(self) -> Sequence[Paired]:
        """Return the matches that the club wants to be played here; raises CannotRead."""
        return self._matches.paired()

    def begin_paired(self, pairing: str) -> None:
        """Start a match that the club wants to be played here, or go on with it; see `MatchDesk.begin_paired`."""
        self._matches.begin_paired(pairing)

    @property
    def calls_arbiter(self) -> bool | None:
        """Whether an arbiter is called; `None` where the table belongs to no club."""
        return self._club.calls_arbiter

    def call_arbiter(self, *, wanted: bool) -> None:
        """Ask the club for an arbiter, or for none any more; without a club nothing happens."""
        self._club.call_arbiter(wanted=wanted)

    # --- matches ----------------------------------------------------------------------------------------------------

    def begin(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Take up the match that was left last, or start one, or ask what is to be played; see `MatchDesk.begin`."""
        self._matches.begin(game, names, options)

    def ask_who_plays(self, game: str, options: Mapping[str, str]) -> None:
        """Open the lobby where it asks who plays a game; raises BadOption, UnknownGame or BoardTooSmall."""
        self._matches.ask_who_plays(game, options)

    def new_match(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Start a match, leaving the current one to be resumed later.

        Raises:
            BadOption, UnknownGame: there is no such match.
            TableStopped, CannotRead: the journal fails.
        """
        self._matches.new_match(game, names, options)

    def resume(self, number: int) -> None:
        """Take up a match again, which that in hand is already; raises NoSuchMatch, CannotResume or CannotRead."""
        self._matches.resume(number)

    def _match_begun(self, now_ms: int) -> None:
        if self._recorder is not None:
            self._recorder.start_tape(now_ms)
        self._table.begun(now_ms)

    def _attend(self) -> None:
        self._lobby.attend()

    def _follow(self) -> None:
        self._computers.follow()

    # --- where it stands --------------------------------------------------------------------------------------------

    def may_switch_off(self, power_off: PowerOff) -> None:
        """Let the machine be switched off at the table, or say there what to do instead."""
        self._lobby.may_switch_off(power_off)

    def is_at(self, address: Callable[[], str]) -> None:
        """Let the table show by which address others open its page, or why none do; empty: only this machine does."""
        self._session.page_address = address

    def board_shape(self) -> Shape | None:
        """Return the shape of a real board, or None where the board takes the shape of the game."""
        return self._board_shape()

    # --- the journal ------------------------------------------------------------------------------------------------

    def matches(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first; raises CannotRead."""
        return self._archive.summaries(self._matches.current)

    @reading_journal()
    def known_names(self) -> Sequence[str]:
        """Return everybody who has played here, whoever played last first; raises CannotRead."""
        return self._archive.known_names()

    @reading_journal()
    def rematch(self) -> Start | None:
        """Return how the match that was started last may be played again, or None; raises CannotRead."""
        return self._archive.last_start()

    def leave_ms(self) -> int:
        """Return how long *back* is held to leave a match."""
        return self._session.settings.leave_ms

    def missing_games(self) -> Mapping[int, str]:
        """Return the key of the game of every match that is not over and whose game is not installed, by its number."""
        return self._archive.missing_games()

    def ends_where_it_hangs(self, watch: HangWatch) -> None:
        """Be watched from now on: a plug-in's game that holds the table up ends it."""
        self._archive.watch_by(watch)

    def hung_matches(self) -> Mapping[int, str]:
        """Return the key of the game of every match that is not over and in which the table hung, by its number."""
        return self._archive.hung()

    async def review(self, number: int) -> Review:
        """Return a match looked back on; raises NoSuchMatch or CannotRead."""
        review = await self._reviews.review(number)
        return review.but(is_current=self._matches.current == number)

    async def analyse(self, number: int) -> Sequence[Decision]:
        """Return what each decision of a finished match cost; raises NoSuchMatch, CannotRead or CannotAnalyse."""
        return await self._analyses.analyse(number)

    def records(self) -> Standings:
        """Return what is remembered over matches; raises CannotRead."""
        return self._archive.standings()

    def export(self, number: int, form: str) -> str:
        """Return a match as text in one of its forms; raises NoSuchMatch, NoSuchForm or CannotRead."""
        return self._archive.export(number, form)

    # --- what is to be seen -----------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return what is to be seen now."""
        view = self._session.view()
        thinking = [self._computers.trouble] if self._computers.trouble else []
        faults = (*view.faults, *thinking)
        first = (self._matches.current or 0) * REVISIONS_A_MATCH
        since = None if view.auction_since is None else first + view.auction_since
        return replace(view, faults=faults, revision=first + view.revision, auction_since=since)

    def heard(self) -> Sequence[Heard]:
        """Return the last things that were heard, oldest first."""
        return self._hearing.latest()

    def seat_keys(self) -> SeatKeys | None:
        """Return the links to the seats, or None where the page is for this machine only."""
        return self._seats

    def hands(self) -> Hands | None:
        """Return the hands at a simulated board, or None where the board is a real one."""
        return self._hands

    def designs(self) -> KeptDesigns:
        """Return the pieces of players' own that are kept beside the journal."""
        return self._designs

    def switches(self) -> Sequence[SwitchReport]:
        """Return how every switch of the board is doing; empty where no match has a board."""
        return self._session.switch_reports()

    def display_png(self) -> bytes:
        """Return the picture on the glass as PNG."""
        return png(self._display.shown())

    def changes(self) -> AsyncGenerator[None, None]:
        """Yield at once and then whenever view, board or glass changed; end when the table stops."""
        return self._watchers.changes()

    def notify(self) -> None:
        """Wake everyone who watches: something changed."""
        self._watchers.notify()

    def network_changed(self) -> None:
        """Show where the page is now, and wake everyone."""
        if not self._loop.stopped:
            self._lobby.address_changed()
        self.notify()

    def warn(self, warnings: tuple[str, ...]) -> None:
        """Show what else is to be known of the table from now on, if that is something else than before."""
        if warnings != self._session.warnings and not self._loop.stopped:
            self._session.warnings = warnings
            self._session.refresh()
            self.notify()

    def devices_changed(self) -> None:
        """Show what is broken of the devices now, if that is something else than before, and wake everyone."""
        faults = tuple(self._session.device_faults())
        if faults != self._device_faults and not self._loop.stopped:
            self._device_faults = faults
            self._session.refresh()
        self.notify()

    def faults(self) -> Sequence[str]:
        """Return what is broken of board and devices, in sentences."""
        trouble = self._session.board_snapshot().trouble
        return (*([trouble] if trouble else []), *self._session.device_faults(), *self._session.warnings)

    def fail(self, error: JournalUnwritable) -> None:
        """Stop the table, as its journal takes no more."""
        self.stop()
        self._on_failure(error)

    def stop(self) -> None:
        """End all watching, the time used journalled; the table does nothing more."""
        if not self._loop.stopped:
            with contextlib.suppress(JournalUnwritable):  # whoever plays on finds the time given back as after a cut
                self._session.suspend(self._loop.now_ms())
        self._loop.stop()
        self._computers.close()
        self._reviews.close()
        self._analyses.close()
        self._watchers.end()

    # --- what people do ---------------------------------------------------------------------------------------------

    def press(self, button: Button) -> None:
        """Press a button down."""
        self._loop.do(lambda now_ms: self._table.press(button, now_ms))

    def release(self, button: Button) -> None:
        """Let a button go."""
        self._loop.do(lambda now_ms: self._table.release(button, now_ms))

    def mask(self, square: Square) -> None:
        """Let the switch of a square say nothing from now on."""
        self._loop.do(lambda now_ms: self._table.mask(square, now_ms))

    def toggle(self, die: int) -> None:
        """Hold a die (1-based) that may stay, or let it go; raises IllegalAction."""
        self._loop.do(lambda now_ms: self._table.toggle(die, now_ms))

    def answer(self, action: Action, revision: int) -> None:
        """Answer the ask shown at this revision; raises TooLate, StaleAnswer or IllegalAction."""
        refusal: StaleAnswer | None = None

        def answer(now_ms: int) -> None:
            nonlocal refusal
            self._table.tick(now_ms)  # a bell that is due by now rings first: no bid slips into the next auction
            refusal = stale(self.view(), action, revision)
            if refusal is None:
                self._table.answer(action, now_ms)

        self._loop.do(answer)
        if refusal is not None:
            raise refusal

    def corrections(self) -> Sequence[Correctable]:
        """Return what a game master may set right in the match in hand; nothing where he has nothing to do."""
        match = self._session.match if self._is_played() else None
        return () if match is None else match.game.corrections(match.state)

    def master(self, action: MasterAction) -> None:
        """Do what a game master does, whoever is to act; raises IllegalAction or BoardUnclear."""
        self._check_played()
        self._loop.do(lambda now_ms: self._table.answer(action, now_ms))

    def switch_timers(self, *, run: bool) -> None:
        """Let the time to bid and to act stand still, or run on; raises IllegalAction."""
        self._check_played()
        self._loop.do(lambda now_ms: self._table.switch_timers(now_ms, run=run))

    def _is_played(self) -> bool:
        """Return whether a match is what everybody sees, and it is not over."""
        return self._session.view().phase not in (Phase.IDLE, Phase.OVER)

    def _check_played(self) -> None:
        """Raise IllegalAction where no match goes on: what a game master does is for no lobby."""
        if not self._is_played():
            raise IllegalAction("no match is played now: expected one to be started, or taken up again")

    def seat_player(self, seat: int, player: str) -> None:
        """Let a computer, as `aether:3`, or a person (empty), play a seat of the match in hand from now on.

        Raises:
            IllegalAction: the seat is played so already, or there is no such seat.
            NoSuchOpponent: this game has no such computer.
        """
        match = self._session.match
        if player and match is not None:
            opponent_of(Sitter.parsed(player), catalog.opponents_of(match.game.key))
        self._loop.do(lambda now_ms: self._table.seat_player(seat, player, now_ms))
        if self._seats is not None and match is not None and not match.is_ended:
            self._seats.seated(match)

    def think_with(self, engine: Path) -> None:
        """Let a UCI engine play Captain's Chess too, where somebody seats it; raises BadEngine."""
        self._computers.seat_engine(engine)

    def think_for(self, seconds: float | None) -> None:
        """Let computers think so long at most from their next decision on; `None`: what their levels take."""
        self._computers.think_for(seconds)

    def advise(self) -> None:
        """Show advice to whoever must decide; the match records it."""
        self._loop.do(self._table.advise)

    def give_words(self, seat: int, text: str) -> None:
        """Let a player's own words go into the dice; raises IllegalAction."""
        self._loop.do(lambda now_ms: self._table.give_words(seat, text, now_ms))

    def take_over(self, settings: Settings, think_s: float | None = None) -> None:
        """Be as patient as these settings say from now on; what is due by them happens at once.

        Args:
            settings: the table's patience.
            think_s: as in `think_for`.
        """
        self.think_for(think_s)
        self._loop.do(lambda _: self._session.take_over(settings))

    # --- what a real board sends ------------------------------------------------------------------------------------

    def board_listener(self, table: HardwareDriver) -> OnEvent:
        """Return what a real board is to call with everything that happens to it."""

        def on_event(event: BoardEvent, at_ms: float) -> None:
            happened_ms = self._loop.at_ms(at_ms)
            self._loop.do_unasked(lambda now_ms: table.on_event(event, happened_ms, now_ms))

        return on_event
