"""The match in hand: started, taken up again, left; and what is asked for in the lobby and the table's own menu."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import BadOption, Over
from captains_table.games.registry import UnknownGame
from captains_table.process.supervisor import SIMULATED, PowerOff
from captains_table.runtime.club_line.member import NoClub
from captains_table.runtime.match_archive import (
    CannotResume,
    MatchArchive,
    MatchSummary,
    OpenedMatch,
    reading_journal,
    resuming,
)
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.seat_desk import SeatDesk
from captains_table.runtime.session import Session
from captains_table.runtime.table_loop import TableLoop
from captains_table.table.lobby import match_setup
from captains_table.table.model.entries import NoSuchMatch

SWITCHING_OFF_S = 30.0  # systemd stops the table within a second
ONLY_HERE = 'Only this machine opens it: for others, host = "0.0.0.0" under [web]'
ARBITER_COMES = "Called: the club's wall shows it"
NO_ARBITER = "Nobody is called any more"
NOT_OFF = "The machine was not switched off: run 'sudo poweroff' on it"


class NoSuchPairing(LookupError):
    """The club wants no such match to be played here: why, in a sentence."""


@dataclass(eq=False)
class MatchDesk:
    """Takes one match after the other to the table.

    Attributes:
        session: the table at work.
        archive: the matches of its journal.
        loop: lets things happen at it.
        seats: draws the links to the seats; `None` where the page is for this machine only.
        display: the little screen.
        recorder: writes down what happens at the table; `None` where that is not wanted.
        club: the table's place in its club.
        current: the number of the match in hand; `None` where none is.
        power_off: how the machine is switched off at the table.
    """

    session: Session
    archive: MatchArchive
    loop: TableLoop
    seats: SeatDesk | None
    display: Oled
    recorder: Recorder | None
    club: NoClub = field(default_factory=NoClub, init=False)
    current: int | None = field(default=None, init=False)
    power_off: PowerOff = field(default=PowerOff(instead=SIMULATED), init=False)

    def may_switch_off(self, power_off: PowerOff) -> None:
        """Let the machine be switched off at the table, or say there what to do instead."""
        self.power_off = power_off
        self.session.no_power_off = power_off.instead

    def listed(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first; raises CannotRead."""
        return self.archive.summaries(self.current)

    # --- begun ------------------------------------------------------------------------------------------------------

    def begin(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Take up the match that was left last; if all are over start one, or ask what nobody has said yet.

        A match whose game is not installed stays as it is. Where the one left last cannot be taken up, the lobby opens
        and says so; raises CannotResume then, all the same.
        """
        unfinished = self.archive.latest_unfinished()
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
        self.archive.check(game, options)
        self.session.open_lobby(
            self.archive.lobby_context(),
            last=self.archive.last_start(),
            wanted=match_setup.Start(game, (), self.archive.spelt_out(game, options)),
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
        if self._waits(match_setup.Start(game, tuple(names), dict(options), pairing)):
            return
        with self.loop.using_journal():
            kept = self.club.kept_pairing(pairing)
            opened = self.archive.start(
                game, names, options, self.loop.now_ms(), kept, has_master=self.session.has_master
            )
        self._load(opened, resumed=False)

    def resume(self, number: int) -> None:
        """Take up a match again, which that in hand is already; raises NoSuchMatch, CannotResume or CannotRead."""
        if self.current == number or self._waits(match_setup.Resume(number)):
            return
        opened = self.archive.open(number)
        with resuming(number):
            self._load(opened, resumed=True)

    def _waits(self, request: match_setup.Request) -> bool:
        """Return whether a request to leave the match in hand waits until it is clear what was done on the board."""
        waits = self.loop.do(lambda now_ms: self.session.asks_first(request, now_ms))
        return self.loop.rests if waits is None else waits  # it rests for good, as a rule

    def _load(self, opened: OpenedMatch, *, resumed: bool) -> None:
        def load(left_ms: int) -> None:
            journal, honours = opened.journal, opened.honours
            now_ms = max(left_ms, opened.at_ms)  # goes on from there: times in a journal never go back
            self.session.load(journal, opened.dice, now_ms, resumed=resumed, left_ms=left_ms, honours=honours)
            self.loop.leap(now_ms - left_ms)
            self.current = journal.number
            self.club.call_arbiter(wanted=False)  # whoever was called came for the match before
            if self.seats is not None and self.session.match is not None:
                self.seats.open(journal.number, self.session.match)
            if self.recorder is not None:
                self.recorder.start_tape(now_ms)
            self.session.board.begun(now_ms)

        self.loop.do(load)

    # --- the club's -------------------------------------------------------------------------------------------------

    @reading_journal()
    def paired(self) -> Sequence[match_setup.Paired]:
        """Return the matches that the club wants to be played here; raises CannotRead."""
        match = self.session.match
        is_over = match is not None and isinstance(match.turn, Over)
        return self.club.offered(self.current if is_over else None)

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
        if self.current is None:
            return
        left, self.current = self.current, None
        if self.seats is not None:
            self.seats.close()
        self.session.unload(self.loop.now_ms())
        self.archive.watch.clear()
        if for_good:
            self.club.give_up(left)
        self.session.open_lobby(self._lobby_context(), left=left)

    def _go_on(self) -> None:
        """Take the match in hand up again that was unloaded, or open the lobby where none was."""
        number, self.current = self.current, None
        if number is None:
            self._open_lobby()
        else:
            self._resume_or_open_lobby(number)

    def _look_whether_over(self) -> None:
        """Let the links to seats follow who sits there; once the match is over, tell the club and offer another."""
        match, number = self.session.match, self.current
        if match is None:
            return
        if self.seats is not None:
            self.seats.end() if match.is_ended else self.seats.seated(match)
        if match.is_ended and number is not None:
            self.club.match_ended(number)
        if self.session.shows_result:
            played = match_setup.Start(match.started.game, match.started.seats, dict(match.started.options))
            self.session.open_lobby(self._lobby_context(number), last=self.archive.again(played))

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _resume_or_open_lobby(self, number: int) -> None:
        try:
            self.resume(number)
        except CannotResume as error:
            self._open_lobby()
            self.session.refuse(error)
            raise

    def _open_lobby(self) -> None:
        context = self._lobby_context()
        is_first = not self.archive.known_names() and not context.paired
        self.session.open_lobby(context, last=self.archive.last_start(), is_first=is_first)

    def _lobby_context(self, over: int | None = None) -> match_setup.LobbyContext:
        return replace(
            self.archive.lobby_context(over),
            no_power_off=self.session.no_power_off,
            paired=self.club.offered(over),
            club=self.club.state(),
        )

    # --- what people ask for ----------------------------------------------------------------------------------------

    def attend(self) -> None:
        """Carry out what was asked for; once a match is over, offer another one."""
        try:
            self._handle(self.session.take_request())
        except (BadOption, UnknownGame, NoSuchMatch, CannotResume) as error:
            self.session.refuse(error)
        self._look_whether_over()

    def _handle(self, request: match_setup.Request | None) -> None:
        match request:
            case match_setup.Start(game, names, options, pairing):
                self.new_match(game, names, options, pairing)
            case match_setup.Resume(number):
                self.resume(number)
            case match_setup.ShowAddress():
                self._show_address()
            case match_setup.SwitchOff():
                self._switch_off()
            case match_setup.CallArbiter(wanted):
                self.club.call_arbiter(wanted=wanted)
                self.session.say("The arbiter", ARBITER_COMES if wanted else NO_ARBITER)
            case match_setup.Leave() | match_setup.GiveUp():
                self.leave(for_good=isinstance(request, match_setup.GiveUp))

    def address_changed(self) -> None:
        """Show where the page is now, if that is what the table shows."""
        if self.session.view().joining:
            self.session.refresh() if self.session.greets else self._show_address()

    def _show_address(self) -> None:
        address = self.session.page_address()
        words = address.partition("//")[2] or address or ONLY_HERE
        self.session.say("The page", words, address)

    # --- switching off ----------------------------------------------------------------------------------------------

    def _switch_off(self) -> None:
        """Keep what is played, say when the plug may be pulled, and ask for the power-off."""
        self.session.unload(self.loop.now_ms())
        self.session.say_farewell()
        self.display.stay_lit()
        self.loop.rests = True
        try:
            self.power_off.ask()
        except OSError as error:
            self._stay_on(f"{NOT_OFF} ({error.strerror})")
        else:
            self.loop.later(SWITCHING_OFF_S, partial(self._stay_on, NOT_OFF))

    def _stay_on(self, why: str) -> None:
        """Go on where it was left, as the machine was not switched off."""
        if self.loop.stopped:
            return
        self.loop.rests = False
        self.display.stay_lit(stays=False)
        with contextlib.suppress(CannotResume):  # the lobby is open then, and says so
            self._go_on()
        self.session.say("Still on", why)
        self.loop.notify()
