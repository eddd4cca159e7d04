"""The match in hand: started, taken up again, left, and what is offered to be played after it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from captains_table.games.contract import Over
from captains_table.runtime.match_archive import (
    CannotResume,
    MatchArchive,
    MatchSummary,
    OpenedMatch,
    reading_journal,
    resuming,
)
from captains_table.runtime.membership import Membership
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.session import Session
from captains_table.runtime.table_loop import TableLoop
from captains_table.table.lobby.match_setup import LobbyContext, Paired, Request, Resume, Start


class NoSuchPairing(LookupError):
    """The club wants no such match to be played here: why, in a sentence."""


class MatchDesk:
    """Takes one match after the other to the table.

    Args:
        session: the table at work.
        archive: the matches of its journal.
        loop: lets things happen at it.
        club: its place in its club.
        seats: draws the links to the seats; `None` where the page is for this machine only.
        on_begun: is called with the table's time when a match was taken to it.

    Attributes:
        no_power_off: what to do instead where the table may not switch its machine off; empty where it may.
    """

    def __init__(
        self,
        session: Session,
        archive: MatchArchive,
        loop: TableLoop,
        club: Membership,
        seats: SeatDesk | None,
        on_begun: Callable[[int], None],
    ) -> None:
        self._session = session
        self._archive = archive
        self._loop = loop
        self._club = club
        self._seats = seats
        self._on_begun = on_begun
        self._current: int | None = None
        self.no_power_off = ""

    @property
    def current(self) -> int | None:
        """The number of the match in hand; `None` where none is."""
        return self._current

    def listed(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first; raises CannotRead."""
        return self._archive.summaries(self._current)

    # --- begun ------------------------------------------------------------------------------------------------------

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

    def ask_who_plays(self, game: str, options: Mapping[str, str]) -> None:
        """Open the lobby where it asks who plays a game; raises BadOption, UnknownGame or BoardTooSmall."""
        self._archive.check(game, options)
        self._session.open_lobby(
            self._archive.lobby_context(),
            last=self._archive.last_start(),
            wanted=Start(game, (), self._archive.spelt_out(game, options)),
        )

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
        with self._loop.using_journal():
            kept = self._club.kept_pairing(pairing)
            opened = self._archive.start(
                game, names, options, self._loop.now_ms(), kept, has_master=self._session.has_master
            )
        self._load(opened, resumed=False)

    def resume(self, number: int) -> None:
        """Take up a match again, which that in hand is already; raises NoSuchMatch, CannotResume or CannotRead."""
        if self._current == number or self._waits(Resume(number)):
            return
        opened = self._archive.open(number)
        with resuming(number):
            self._load(opened, resumed=True)

    def _waits(self, request: Request) -> bool:
        """Return whether a request to leave the match in hand waits until it is clear what was done on the board."""
        waits = self._loop.rests  # for good, as a rule

        def ask(now_ms: int) -> None:
            nonlocal waits
            waits = self._session.asks_first(request, now_ms)

        self._loop.do(ask)
        return waits

    def _load(self, opened: OpenedMatch, *, resumed: bool) -> None:
        def load(left_ms: int) -> None:
            journal, honours = opened.journal, opened.honours
            now_ms = max(left_ms, opened.at_ms)  # goes on from there: times in a journal never go back
            self._session.load(journal, opened.dice, now_ms, resumed=resumed, left_ms=left_ms, honours=honours)
            self._loop.leap(now_ms - left_ms)
            self._current = journal.number
            self._club.call_arbiter(wanted=False)  # whoever was called came for the match before
            if self._seats is not None and self._session.match is not None:
                self._seats.open(journal.number, self._session.match)
            self._on_begun(now_ms)

        self._loop.do(load)

    # --- the club's -------------------------------------------------------------------------------------------------

    @reading_journal()
    def paired(self) -> Sequence[Paired]:
        """Return the matches that the club wants to be played here; raises CannotRead."""
        match = self._session.match
        is_over = match is not None and isinstance(match.turn, Over)
        return self._club.offered(self._current if is_over else None)

    def begin_paired(self, pairing: str) -> None:
        """Start a match that the club wants to be played here, or go on with it.

        Raises:
            NoSuchPairing: the club does not want it, or not any more.
            BadOption, UnknownGame: there is no such match.
            CannotResume: it cannot be gone on with.
            TableStopped, CannotRead: the journal fails.
        """
        found = next((each for each in self.paired() if each.start.pairing == pairing), None)
        if found is None:
            raise NoSuchPairing("The club does not want this match to be played here, or not any more.")
        if found.begun is not None:
            self.resume(found.begun)
        else:
            self.new_match(found.start.game, found.start.names, found.start.options, pairing)

    # --- left, and over ---------------------------------------------------------------------------------------------

    def leave(self, *, for_good: bool) -> None:
        """Leave the match in hand for the lobby, where it can be gone on with."""
        if self._current is None:
            return
        left, self._current = self._current, None
        if self._seats is not None:
            self._seats.close()
        self._session.unload(self._loop.now_ms())
        self._archive.put_away()
        if for_good:
            self._club.give_up(left)
        self._session.open_lobby(self._lobby_context(), left=left)

    def go_on(self) -> None:
        """Take the match in hand up again that was unloaded, or open the lobby where none was."""
        number, self._current = self._current, None
        if number is None:
            self._open_lobby()
        else:
            self._resume_or_open_lobby(number)

    def look_whether_over(self) -> None:
        """Let the links to seats follow who sits there; once the match is over, tell the club and offer another."""
        match, number = self._session.match, self._current
        if match is None:
            return
        if self._seats is not None:
            self._seats.end() if match.is_ended else self._seats.seated(match)
        if match.is_ended and number is not None:
            self._club.match_ended(number)
        if self._session.shows_result:
            played = Start(match.started.game, match.started.seats, dict(match.started.options))
            self._session.open_lobby(self._lobby_context(number), last=self._archive.again(played))

    # --- the lobby --------------------------------------------------------------------------------------------------

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

    def _lobby_context(self, over: int | None = None) -> LobbyContext:
        return replace(
            self._archive.lobby_context(over),
            no_power_off=self.no_power_off,
            paired=self._club.offered(over),
            club=self._club.state(),
        )
