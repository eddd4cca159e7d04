"""A table on the event loop: real time, the journal file, honest dice, a glass, and the door of the page."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from captains_table import catalog
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.packing import png
from captains_table.devices.ports import BoardEvent, JournalUnwritable, OnEvent
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.common.sitter import Sitter
from captains_table.games.contract import (
    Action,
    BadOption,
    Correctable,
    IllegalAction,
    MasterAction,
    Over,
    Shape,
    Square,
)
from captains_table.games.registry import UnknownGame
from captains_table.players.common.opponents import opponent_of
from captains_table.runtime.analyses import AnalysisDesk
from captains_table.runtime.club_line.member import ClubMember, Showing
from captains_table.runtime.driver import TableDriver
from captains_table.runtime.hardware_driver import HardwareDriver
from captains_table.runtime.hearing import Hearing
from captains_table.runtime.match_archive import MatchArchive, OpenedMatch, reading_journal, resuming
from captains_table.runtime.power_off import SIMULATED, PowerOff, nothing
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.reviews import ReviewDesk
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.simulated_driver import SimulatedDriver
from captains_table.runtime.simulated_hands import SimulatedHands
from captains_table.runtime.thinking.desk import ThinkingDesk
from captains_table.runtime.thinking.messages import Thought
from captains_table.runtime.uci_engine import engine_opponent, try_engine
from captains_table.runtime.watchers import Watchers
from captains_table.storage.design_file import DESIGNS, DesignFile
from captains_table.storage.journal_file import JournalFile, MatchJournal
from captains_table.table.history.judged import Decision
from captains_table.table.lobby.match_setup import (
    CallArbiter,
    GiveUp,
    Leave,
    LobbyContext,
    Paired,
    Request,
    Resume,
    ShowAddress,
    Start,
    SwitchOff,
)
from captains_table.table.model.entries import NoSuchMatch
from captains_table.table.model.events import Button
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, View
from captains_table.table.playing.computer_turn import Question
from captains_table.table.recognition.switch_health import SwitchReport
from captains_table.web.kept_designs import KeptDesigns, choices_of
from captains_table.web.port import (
    CannotRead,
    CannotResume,
    Hands,
    Heard,
    MatchSummary,
    NoSuchPairing,
    Review,
    SeatKeys,
    StaleAnswer,
    Standings,
    TableStopped,
    stale,
)

SWITCHING_OFF_S = 30.0  # systemd stops the table within a second
ONLY_HERE = 'Only this machine opens it: for others, host = "0.0.0.0" under [web]'
ARBITER_COMES = "Called: the club's wall shows it"
NO_ARBITER = "Nobody is called any more"
NOT_OFF = "The machine was not switched off: run 'sudo poweroff' on it"
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
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._designs = DesignFile(journal.path.with_name(DESIGNS))
        self._archive = MatchArchive(journal, board_shape, partial(choices_of, self._designs))
        self._reviews = ReviewDesk(journal)
        self._analyses = AnalysisDesk(journal)
        self._current: MatchJournal | None = None
        self._display = display
        self._on_failure = on_failure
        self._board_shape = board_shape
        self._seats = seats
        self._device_faults: tuple[str, ...] = ()  # as they were shown last
        self._power_off = PowerOff(nothing, SIMULATED)
        self._page_address: Callable[[], str] = str
        self._is_switching_off = False
        self._table = table
        self._session = table.session
        self._session.has_lobby = True
        self._hearing = Hearing(self._loop.time)
        self._session.on_signal = self._hearing.signal
        self._session.on_told = self._hearing.tell
        self._hands = SimulatedHands(table, self._do) if isinstance(table, SimulatedDriver) else None
        self._recorder = recorder
        self._thinking = ThinkingDesk(self._take_thought, self.notify)
        self._timer: asyncio.TimerHandle | None = None
        self._watchers = Watchers()
        self._stopped = False
        self._club: ClubMember | None = None

    # --- the club ---------------------------------------------------------------------------------------------------

    def join(self, club: ClubMember) -> None:
        """Belong to a club from now on."""
        self._club, devices = club, self._session.device_faults
        self._session.club_state = club.state
        self._session.device_faults = lambda: (*devices(), *club.faults())

    def showing(self) -> Showing:
        """Return what a club may know of the table now."""
        return Showing(self.view(), self._session.match, None if self._current is None else self._current.number)

    def club_changed(self) -> None:
        """Offer the club's pairings where it is asked what is to be played, and show what is to be said of it."""
        if self._stopped:
            return
        with contextlib.suppress(CannotRead), reading_journal():
            self._session.offer(self.paired())
        self.devices_changed()

    def club_failed(self, error: JournalUnwritable) -> None:
        """Stop the table, as its journal takes no more."""
        self.stop()
        self._on_failure(error)

    def paired(self) -> Sequence[Paired]:
        """Return the matches that the club wants to be played here; raises CannotRead."""
        match = self._session.match
        is_over = match is not None and isinstance(match.turn, Over)
        over = self._current.number if self._current is not None and is_over else None
        return () if self._club is None else self._club.offered(over)

    def begin_paired(self, pairing: str) -> None:
        """Start a match that the club wants to be played here, or go on with it.

        Raises:
            NoSuchPairing: the club does not want it, or not any more.
            BadOption, UnknownGame: there is no such match.
            CannotResume: it cannot be gone on with.
            TableStopped, CannotRead: the journal fails.
        """
        with reading_journal():
            found = next((each for each in self.paired() if each.start.pairing == pairing), None)
        if found is None:
            raise NoSuchPairing("The club does not want this match to be played here, or not any more.")
        if found.begun is not None:
            self.resume(found.begun)
        else:
            self.new_match(found.start.game, found.start.names, found.start.options, pairing)

    @property
    def calls_arbiter(self) -> bool | None:
        """Whether an arbiter is called; `None` where the table belongs to no club."""
        return None if self._club is None else self._club.calls_arbiter

    def call_arbiter(self, *, wanted: bool) -> None:
        """Ask the club for an arbiter, or for none any more; without a club nothing happens."""
        if self._club is not None:
            self._club.call_arbiter(wanted=wanted)

    # --- matches ----------------------------------------------------------------------------------------------------

    def begin(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Take up the match that was left last; if all are over start one, or ask what nobody has said yet.

        A match whose game is not installed stays as it is. Where the one left last cannot be taken up, the lobby opens
        and says so; raises CannotResume then, all the same.
        """
        unfinished = self._archive.latest_unfinished()
        if unfinished is not None:
            self._resume_or_open_lobby(unfinished)
        elif game and names:
            self.new_match(game, names, options)
        elif game:
            self.ask_who_plays(game, options)
        else:
            self._open_lobby()

    def may_switch_off(self, power_off: PowerOff) -> None:
        """Let the machine be switched off at the table, or say there what to do instead."""
        self._power_off = power_off
        self._session.no_power_off = power_off.instead

    def is_at(self, address: Callable[[], str]) -> None:
        """Let the table show by which address others open its page; empty: only this machine does."""
        self._page_address = address

    def ask_who_plays(self, game: str, options: Mapping[str, str]) -> None:
        """Open the lobby where it asks who plays a game; raises BadOption, UnknownGame or BoardTooSmall."""
        self._archive.check(game, options)
        self._session.open_lobby(
            self._archive.lobby_context(),
            last=self._archive.last_start(),
            wanted=Start(game, (), self._archive.spelt_out(game, options)),
        )

    def _resume_or_open_lobby(self, number: int) -> None:
        try:
            self.resume(number)
        except CannotResume as error:
            self._open_lobby()
            self._session.refuse(error)
            raise

    def _open_lobby(self) -> None:
        context = self._lobby_context()
        is_first = not self._archive.known_names() and not context.paired
        self._session.open_lobby(context, last=self._archive.last_start(), is_first=is_first)

    def new_match(self, game: str, names: Sequence[str], options: Mapping[str, str], pairing: str = "") -> None:
        """Start a match, leaving the current one to be resumed later.

        Args:
            game: its key.
            names: who plays, in seat order.
            options: of the game.
            pairing: the id of the club's pairing that it is, empty for any other match.

        Raises:
            BadOption, UnknownGame: there is no such match.
            TableStopped, CannotRead: the journal fails.
        """
        if self._waits(Start(game, tuple(names), dict(options), pairing)):
            return
        with self._using_journal():
            at_club = None if self._club is None else pairing
            opened = self._archive.start(game, names, options, self._now_ms(), at_club)
        self._load(opened, resumed=False)

    def resume(self, number: int) -> None:
        """Take up a match again, which that in hand is already; raises NoSuchMatch, CannotResume or CannotRead."""
        if (self._current is not None and self._current.number == number) or self._waits(Resume(number)):
            return
        opened = self._archive.open(number)
        with resuming(number):
            self._load(opened, resumed=True)

    def _waits(self, request: Request) -> bool:
        """Return whether a request to leave the match in hand waits until it is clear what was done on the board."""
        waits = self._is_switching_off  # for good, as a rule

        def ask(now_ms: int) -> None:
            nonlocal waits
            waits = self._session.asks_first(request, now_ms)

        self._do(ask)
        return waits

    def _load(self, opened: OpenedMatch, *, resumed: bool) -> None:
        def load(left_ms: int) -> None:
            journal, honours = opened.journal, opened.honours
            now_ms = max(
                left_ms, opened.at_ms
            )  # the table's clock goes on from there: times in a journal never go back
            self._session.load(journal, opened.dice, now_ms, resumed=resumed, left_ms=left_ms, honours=honours)
            self._began -= (now_ms - left_ms) / 1000
            self._current = journal
            self.call_arbiter(wanted=False)  # whoever was called came for the match before
            if self._seats is not None and self._session.match is not None:
                self._seats.open(journal.number, self._session.match)
            if self._recorder is not None:
                self._recorder.start_tape(now_ms)
            self._table.begun(now_ms)

        self._do(load)

    def board_shape(self) -> Shape | None:
        """Return the shape of a real board, or None where the board takes the shape of the game."""
        return self._board_shape()

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _lobby_context(self, over: int | None = None) -> LobbyContext:
        context = replace(self._archive.lobby_context(over), no_power_off=self._power_off.instead)
        if self._club is None:
            return context
        return replace(context, paired=self._club.offered(over), club=self._club.state())

    def _show_address(self) -> None:
        address = self._page_address()
        words = address.partition("//")[2] or ONLY_HERE
        self._session.say("The page", words, address)

    def _switch_off(self) -> None:
        """Keep what is played, say when the plug may be pulled, and ask for the power-off."""
        number = None if self._current is None else self._current.number
        self._session.unload(self._now_ms())
        self._session.say_farewell()
        self._display.stay_lit()
        self._is_switching_off = True
        try:
            self._power_off.ask()
        except OSError as error:
            self._stay_on(number, f"{NOT_OFF} ({error.strerror})")
        else:
            self._loop.call_later(SWITCHING_OFF_S, self._stay_on, number, NOT_OFF)

    def _stay_on(self, number: int | None, why: str) -> None:
        """Go on where it was left, as the machine was not switched off."""
        if self._stopped:
            return
        self._is_switching_off, self._current = False, None
        self._display.stay_lit(stays=False)
        if number is None:
            self._open_lobby()
        else:
            with contextlib.suppress(CannotResume):
                self._resume_or_open_lobby(number)
        self._session.say("Still on", why)
        self.notify()

    def _attend(self) -> None:
        """Carry out what was asked for in the lobby; once a match is over, offer another one."""
        session = self._session
        try:
            self._handle_request(session.take_request())
        except (BadOption, UnknownGame, NoSuchMatch, CannotResume) as error:
            session.refuse(error)
        match = session.match
        if match is not None and match.is_ended and self._seats is not None:
            self._seats.end()
        if match is not None and match.is_ended and self._club is not None and self._current is not None:
            self._club.match_ended(self._current.number)
        if match is not None and session.shows_result:
            played = Start(match.started.game, match.started.seats, dict(match.started.options))
            over = None if self._current is None else self._current.number
            session.open_lobby(self._lobby_context(over), last=self._archive.again(played))

    def _handle_request(self, request: Request | None) -> None:
        match request:
            case Start(game, names, options, pairing):
                self.new_match(game, names, options, pairing)
            case Resume(number):
                self.resume(number)
            case ShowAddress():
                self._show_address()
            case SwitchOff():
                self._switch_off()
            case CallArbiter(wanted):
                self.call_arbiter(wanted=wanted)
                self._session.say("The arbiter", ARBITER_COMES if wanted else NO_ARBITER)
            case Leave() | GiveUp() if self._current is not None:
                self._leave(for_good=isinstance(request, GiveUp))

    def _leave(self, *, for_good: bool) -> None:
        """Leave the match in hand for the lobby, where it can be gone on with."""
        if self._current is None:
            return
        left, self._current = self._current.number, None
        if self._seats is not None:
            self._seats.close()
        self._session.unload(self._now_ms())
        if for_good and self._club is not None:
            self._club.give_up(left)
        self._session.open_lobby(self._lobby_context(), left=left)

    # --- the journal ------------------------------------------------------------------------------------------------

    def matches(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first; raises CannotRead."""
        return self._archive.summaries(None if self._current is None else self._current.number)

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

    async def review(self, number: int) -> Review:
        """Return a match looked back on; raises NoSuchMatch or CannotRead."""
        review = await self._reviews.review(number)
        return review.but(is_current=self._current is not None and self._current.number == number)

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
        number = self._current.number if self._current is not None else 0
        thinking = [self._thinking.trouble] if self._thinking.trouble else []
        faults = (*view.faults, *thinking)
        first = number * REVISIONS_A_MATCH
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

    def devices_changed(self) -> None:
        """Show what is broken of the devices now, if that is something else than before, and wake everyone."""
        faults = tuple(self._session.device_faults())
        if faults != self._device_faults and not self._stopped:
            self._device_faults = faults
            self._session.refresh()
        self.notify()

    def faults(self) -> Sequence[str]:
        """Return what is broken of board and devices, in sentences."""
        trouble = self._session.board_snapshot().trouble
        return (*([trouble] if trouble else []), *self._session.device_faults())

    def stop(self) -> None:
        """End all watching, the time used journalled; the table does nothing more."""
        if not self._stopped:
            with contextlib.suppress(JournalUnwritable):  # whoever plays on finds the time given back as after a cut
                self._session.suspend(self._now_ms())
        self._stopped = True
        self._thinking.close()
        if self._timer is not None:
            self._timer.cancel()
        self._reviews.close()
        self._analyses.close()
        self._watchers.end()

    # --- what people do ---------------------------------------------------------------------------------------------

    def press(self, button: Button) -> None:
        """Press a button down."""
        self._do(lambda now_ms: self._table.press(button, now_ms))

    def release(self, button: Button) -> None:
        """Let a button go."""
        self._do(lambda now_ms: self._table.release(button, now_ms))

    def mask(self, square: Square) -> None:
        """Let the switch of a square say nothing from now on."""
        self._do(lambda now_ms: self._table.mask(square, now_ms))

    def toggle(self, die: int) -> None:
        """Hold a die (1-based) that may stay, or let it go; raises IllegalAction."""
        self._do(lambda now_ms: self._table.toggle(die, now_ms))

    def answer(self, action: Action, revision: int) -> None:
        """Answer the ask shown at this revision; raises TooLate, StaleAnswer or IllegalAction."""
        refusal: StaleAnswer | None = None

        def answer(now_ms: int) -> None:
            nonlocal refusal
            self._table.tick(now_ms)  # a bell that is due by now rings first: no bid slips into the next auction
            refusal = stale(self.view(), action, revision)
            if refusal is None:
                self._table.answer(action, now_ms)

        self._do(answer)
        if refusal is not None:
            raise refusal

    def corrections(self) -> Sequence[Correctable]:
        """Return what a game master may set right in the match in hand; nothing where he has nothing to do."""
        match = self._session.match if self._is_played() else None
        return () if match is None else match.game.corrections(match.state)

    def master(self, action: MasterAction) -> None:
        """Do what a game master does, whoever is to act; raises IllegalAction or BoardUnclear."""
        self._check_played()
        self._do(lambda now_ms: self._table.answer(action, now_ms))

    def switch_timers(self, *, run: bool) -> None:
        """Let the time to bid and to act stand still, or run on; raises IllegalAction."""
        self._check_played()
        self._do(lambda now_ms: self._table.switch_timers(now_ms, run=run))

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
        self._do(lambda now_ms: self._table.seat_player(seat, player, now_ms))
        if self._seats is not None and match is not None and not match.is_ended:
            self._seats.seated(match)

    def think_with(self, engine: Path) -> None:
        """Let a UCI engine play Captain's Chess too, where somebody seats it; raises BadEngine."""
        try_engine(engine)
        catalog.add_opponent(CaptainsChess.key, engine_opponent(engine))
        self._thinking.add_arguments("--engine", str(engine))

    def think_for(self, seconds: float | None) -> None:
        """Let computers think so long at most from their next decision on; `None`: what their levels take."""
        self._thinking.think_s = seconds

    def _take_thought(self, question: Question, thought: Thought) -> None:
        """Take in what a computer decided, or advises; raises IllegalAction."""
        table, action = self._table, thought.action
        with contextlib.suppress(TableStopped, CannotRead):  # as in `_tick`
            if action is None:
                self._do(lambda now_ms: table.take_advice(question.revision, thought.hint, now_ms))
            else:
                self._do(lambda now_ms: table.answer_computer(question.revision, action, now_ms))

    def give_words(self, seat: int, text: str) -> None:
        """Let a player's own words go into the dice; raises IllegalAction."""
        self._do(lambda now_ms: self._table.give_words(seat, text, now_ms))

    def take_over(self, settings: Settings, think_s: float | None = None) -> None:
        """Be as patient as these settings say from now on; what is due by them happens at once.

        Args:
            settings: the table's patience.
            think_s: as in `think_for`.
        """
        self.think_for(think_s)
        self._do(lambda _: self._session.take_over(settings))

    # --- what a real board sends ------------------------------------------------------------------------------------

    def board_listener(self, table: HardwareDriver) -> OnEvent:
        """Return what a real board is to call with everything that happens to it."""

        def on_event(event: BoardEvent, at_ms: float) -> None:
            happened_ms = int(at_ms - self._began * 1000)
            with contextlib.suppress(TableStopped, CannotRead):  # as in `_tick`
                self._do(lambda now_ms: table.on_event(event, happened_ms, now_ms))

        return on_event

    def advise(self) -> None:
        """Show advice to whoever must decide; the match records it."""
        self._do(self._table.advise)

    # --- time -------------------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        return int((self._loop.time() - self._began) * 1000)

    def _do(self, act: Callable[[int], None]) -> None:
        """Let something happen, set the next timer, wake those who watch; a journal that fails stops the table."""
        if self._stopped or self._is_switching_off:
            return
        try:
            with self._using_journal():
                act(self._now_ms())
                self._attend()
        finally:
            self._set_timer()
            if not self._stopped:
                self._thinking.follow(self._session.question(), self._session.match)
            self.notify()

    @contextlib.contextmanager
    def _using_journal(self) -> Iterator[None]:
        """Let a journal that takes no more stop the table, and the page know of one that cannot be read.

        Raises:
            TableStopped: the journal cannot be written.
            CannotRead: it cannot be read.
        """
        try:
            with reading_journal():
                yield
        except JournalUnwritable as error:
            self.stop()
            self._on_failure(error)
            raise TableStopped(f"The table has stopped: {error.words}") from error

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_ms = self._table.due_ms()
        if due_ms is not None and not self._stopped:
            self._timer = self._loop.call_at(self._began + (due_ms + 1) / 1000, self._tick)

    def _tick(self) -> None:
        with contextlib.suppress(TableStopped, CannotRead):  # `on_failure` was called, or the page says it when asked
            self._do(self._table.tick)
