"""A table on the event loop: real time, the journal file, honest dice, a glass, and the door of the page."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace

from captains_table.devices.dice_sources import DiceMismatch, HonestDice, commitment
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.display.packing import png
from captains_table.devices.ports import BoardEvent, Dice, JournalUnwritable, OnEvent
from captains_table.games.common.board_sizes import BoardTooSmall, check_fits
from captains_table.games.contract import Action, BadOption, Shape, Square
from captains_table.games.registry import GAMES, UnknownGame, game_by_key
from captains_table.runtime.driver import TableDriver
from captains_table.runtime.hardware_driver import HardwareDriver
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.simulated_driver import SimulatedDriver
from captains_table.runtime.simulated_hands import SimulatedHands
from captains_table.storage.exports import all_names, export_match, forms_of, outcome_words
from captains_table.storage.journal_file import JournalFile, MatchJournal, MatchRecord
from captains_table.storage.leaderboard import Records
from captains_table.storage.match_index import JournalMatchIndex
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.lobby.match_setup import Leave, LobbyContext, Request, Resume, Start
from captains_table.table.model.entries import Acted, ClockWentOn, MatchStarted, NoSuchMatch, TakenBack
from captains_table.table.model.events import Button
from captains_table.table.model.match import BadHistory
from captains_table.table.model.view import Phase, View
from captains_table.table.recognition.switch_health import SwitchReport
from captains_table.web.port import CannotResume, Hands, MatchSummary, StaleAnswer, Standings, TableStopped

REVISIONS_A_MATCH = 1 << 20  # so that a revision shown in one match never fits another


class TableService:
    """The table as the page and the daemon see it.

    Args:
        table: the table that is played at, simulated or real.
        journal: the file all matches are kept in.
        display: the little screen.
        recorder: writes down what happens at the table, if that is wanted.
        on_failure: is told when the journal takes no more; the table must not go on then.
        board_shape: says what shape a real board has; none where the board takes the shape of the game.

    Attributes:
        device_faults: returns what is broken of glass and lights, in sentences.
    """

    def __init__(
        self,
        table: TableDriver,
        journal: JournalFile,
        display: Oled,
        recorder: Recorder | None = None,
        on_failure: Callable[[JournalUnwritable], None] = lambda _: None,
        board_shape: Callable[[], Shape | None] = lambda: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._file = journal
        self._records = Records(journal)
        self._current: MatchJournal | None = None
        self._display = display
        self._on_failure = on_failure
        self._board_shape = board_shape
        self.device_faults: Callable[[], Sequence[str]] = tuple
        self._index = JournalMatchIndex(journal)
        self._table = table
        self._table.session.has_lobby = True
        self._hands = SimulatedHands(table, self._do) if isinstance(table, SimulatedDriver) else None
        self._recorder = recorder
        self._timer: asyncio.TimerHandle | None = None
        self._watchers: set[asyncio.Event] = set()
        self._stopped = False

    # --- matches ----------------------------------------------------------------------------------------------------

    def begin(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Take up the match that was left last; if all are over start one, or where no game is named open the lobby."""
        unfinished = self._file.latest_unfinished()
        if unfinished is not None:
            self.resume(unfinished)
        elif game:
            self.new_match(game, names, options)
        else:
            self._table.session.open_lobby(self._lobby_context(), last=self._again(self._index.last()))

    def new_match(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Start a match, leaving the current one to be resumed later; raises BadOption or UnknownGame."""
        check_fits(game_by_key(game), self._board_shape())
        options = self._records.agreed(game, names, options)
        game_by_key(game).start(names, options)  # refuses what cannot be started before anything is written
        seed = HonestDice.new_seed()
        started = MatchStarted(game, tuple(names), dict(options), commitment(seed))
        journal = self._file.start(started, seed)
        self._load(journal, HonestDice(seed), resumed=False)

    def resume(self, number: int) -> None:
        """Take up a match again; raises NoSuchMatch or CannotResume."""
        journal = self._file.open(number)
        try:
            entries = journal.entries()
            if isinstance(entries[0], MatchStarted):
                check_fits(game_by_key(entries[0].game), self._board_shape())
            if journal.seed is None:
                raise CannotResume(f"Match {number} was played with dictated dice and cannot be gone on with.")
            timed = (entry.at_ms for entry in entries if isinstance(entry, Acted | TakenBack | ClockWentOn))
            self._go_on_from(max(timed, default=0))
            self._load(journal, HonestDice.resumed(journal.seed, entries), resumed=True)
        except (DiceMismatch, BadHistory, BoardTooSmall, UnknownGame, JournalUnreadable) as error:
            raise CannotResume(f"Match {number} cannot be taken up again: {error}.") from error

    def _go_on_from(self, at_ms: int) -> None:
        """Let the table's clock go on from the last action, so that times in a journal never go back."""
        self._began -= max(0, at_ms - self._now_ms()) / 1000

    def _load(self, journal: MatchJournal, dice: Dice, *, resumed: bool) -> None:
        session = self._table.session

        def load(now_ms: int) -> None:
            session.load(journal, dice, now_ms, resumed=resumed)
            self._current = journal
            if self._recorder is not None:
                self._recorder.start_tape(now_ms)
            self._table.begun(now_ms)

        self._do(load)

    def board_shape(self) -> Shape | None:
        """Return the shape of a real board; none where the board takes the shape of the game."""
        return self._board_shape()

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _lobby_context(self) -> LobbyContext:
        return LobbyContext(GAMES, self._index, self._board_shape())

    def _again(self, last: Start | None) -> Start | None:
        """Return a match that may be played again; none if this table has not the game or no room for it."""
        fitting = {game.key: game for game in self._lobby_context().fitting()}
        if last is None or last.game not in fitting:
            return None
        ranks = {option.name for option in fitting[last.game].options if option.of_players}  # decided anew each time
        return replace(last, options={name: value for name, value in last.options.items() if name not in ranks})

    def _attend(self) -> None:
        """Carry out what was asked for in the lobby; once a match is over, offer another one."""
        session = self._table.session
        request, session.request = session.request, None
        try:
            self._handle_request(request)
        except (BadOption, UnknownGame, NoSuchMatch, CannotResume) as error:
            session.refuse(error)
        match = session.referee.match
        if match is not None and session.view().phase is Phase.OVER and not session.lobby.is_open:
            started = match.started
            session.open_lobby(
                self._lobby_context(), last=self._again(Start(started.game, started.seats, dict(started.options)))
            )

    def _handle_request(self, request: Request | None) -> None:
        match request:
            case Start(game, names, options):
                self.new_match(game, names, options)
            case Resume(number):
                self.resume(number)
            case Leave() if self._current is not None:
                left, self._current = self._current.number, None
                self._table.session.unload(self._now_ms())
                self._table.session.open_lobby(self._lobby_context(), left=left)

    # --- the journal ------------------------------------------------------------------------------------------------

    def matches(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first."""
        return [self._summary(record) for record in self._file.matches()]

    def _summary(self, record: MatchRecord) -> MatchSummary:
        return MatchSummary(
            number=record.number,
            game=record.started.game,
            seats=tuple(all_names(record)),
            began=record.began,
            actions=record.actions,
            outcome=outcome_words(record),
            is_current=self._current is not None and self._current.number == record.number,
            forms=forms_of(record.started.game),
        )

    def records(self) -> Standings:
        """Return what is remembered over matches."""
        return self._records.standings()

    def export(self, number: int, form: str) -> str:
        """Return a match as text in one of its forms; raises NoSuchMatch or NoSuchForm."""
        return export_match(self._file.open(number), form)

    # --- what is to be seen -----------------------------------------------------------------------------------------

    def view(self) -> View:
        """Return what is to be seen now."""
        view = self._table.session.view()
        number = self._current.number if self._current is not None else 0
        faults = (*view.faults, *self.device_faults())
        return replace(view, faults=faults, revision=number * REVISIONS_A_MATCH + view.revision)

    def hands(self) -> Hands | None:
        """Return the hands at a simulated board; none where the board is a real one."""
        return self._hands

    def switches(self) -> Sequence[SwitchReport]:
        """Return how every switch of the board is doing; nothing where no match has a board."""
        return self._table.session.referee.monitor.reports()

    def display_png(self) -> bytes:
        """Return the picture on the glass as PNG."""
        return png(self._display.shown())

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once and then whenever view, board or glass changed; end when the table stops."""
        changed = asyncio.Event()
        changed.set()
        self._watchers.add(changed)
        try:
            while not self._stopped:
                await changed.wait()
                changed.clear()
                if not self._stopped:
                    yield
        finally:
            self._watchers.discard(changed)

    def notify(self) -> None:
        """Tell everyone who watches that something changed."""
        for changed in self._watchers:
            changed.set()

    def stop(self) -> None:
        """End all watching; the table does nothing more."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        self.notify()

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
        """Answer the ask shown at this revision; raises StaleAnswer or IllegalAction."""
        now = self.view().revision
        if revision != now:
            raise StaleAnswer(f"this answers revision {revision}; by now it is {now}")
        self._do(lambda now_ms: self._table.answer(action, now_ms))

    # --- what a real board tells ------------------------------------------------------------------------------------

    def board_listener(self, table: HardwareDriver) -> OnEvent:
        """Return what a real board is to tell of everything that happens to it."""

        def on_event(event: BoardEvent, at_ms: float) -> None:
            happened_ms = int(at_ms - self._began * 1000)
            with contextlib.suppress(TableStopped):  # whoever must know of that has been told
                self._do(lambda now_ms: table.on_event(event, happened_ms, now_ms))

        return on_event

    def advise(self) -> None:
        """Show advice to whoever must decide; the match records it."""
        self._do(self._table.advise)

    # --- time -------------------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        return int((self._loop.time() - self._began) * 1000)

    def _do(self, act: Callable[[int], None]) -> None:
        """Let something happen, set the next timer, tell those who watch; a journal that fails stops the table."""
        if self._stopped:
            return
        try:
            act(self._now_ms())
            self._attend()
        except JournalUnwritable as error:
            self.stop()
            self._on_failure(error)
            raise TableStopped(f"The table has stopped: {error}. Nothing played before is lost.") from error
        finally:
            self._set_timer()
            self.notify()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due_ms = self._table.due_ms()
        if due_ms is not None and not self._stopped:
            self._timer = self._loop.call_at(self._began + (due_ms + 1) / 1000, self._tick)

    def _tick(self) -> None:
        self._do(self._table.tick)
