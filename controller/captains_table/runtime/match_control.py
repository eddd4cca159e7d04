"""Controls the current match: starts, resumes and leaves it, and carries out requests from the lobby and the menu.

Other requests show the page's address, call for the club's arbiter, or switch the machine off. The control also starts
the club's pairings, updates the links to the seats, and reports finished matches to the club.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from captains_table.catalog.languages import language_names
from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import BadOption, Over
from captains_table.games.registry import UnknownGame
from captains_table.phrases import message_of, say
from captains_table.process.supervisor import SIMULATED_REFUSAL, PowerOff
from captains_table.runtime.club_line.member import NoClub
from captains_table.runtime.lessons import lesson_for, open_lesson
from captains_table.runtime.match_archive import (
    CannotRead,
    CannotResume,
    MatchArchive,
    MatchSummary,
    OpenedMatch,
    reading_journal,
    resuming,
)
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.seat_links import SeatLinks
from captains_table.runtime.session import Session
from captains_table.runtime.table_loop import TableLoop
from captains_table.storage.choice_file import ChoiceFile
from captains_table.storage.design_file import CannotKeep
from captains_table.table.lessons.lesson import BadLesson, Lesson
from captains_table.table.lessons.lesson_game import AGAIN, ENDING_PICKS, PLAY
from captains_table.table.lobby import match_setup
from captains_table.table.lobby.level_proposal import FinishedStart
from captains_table.table.lobby.table_screens import PACE_NAMES
from captains_table.table.model.entries import NoSuchMatch
from captains_table.table.model.match import Match

SWITCHING_OFF_S = 30.0  # then switching off has failed: systemd stops the table within a second
ONLY_HERE = say('Only this machine opens it: for others, host = "0.0.0.0" under [web]')
ARBITER_COMES = say("Called: the club's wall shows it")
NO_ARBITER = say("Nobody is called any more")
NOT_OFF = say("The machine was not switched off: run 'sudo poweroff' on it")


class NoLesson(LookupError):
    """A lesson cannot be held; the message is a sentence that says why."""


class NoSuchPairing(LookupError):
    """The club has no such pairing for this table; the message is a sentence that says why."""


@dataclass(eq=False)
class MatchControl:
    """Starts, resumes and leaves matches at a table, one at a time.

    Attributes:
        session: the table's session.
        archive: the matches in the table's journal.
        loop: calls actions with the table's time.
        seats: issues the links to the seats; `None` if only this machine can open the page.
        display: the small OLED display.
        recorder: writes a tape of everything that happens; `None` if none is recorded.
        club: the table's membership of a club; `NoClub` if it belongs to none.
        current: the number of the current match; `None` without one.
        power_off: how the machine is switched off at the table.
        choices: store a chosen pace and language for the next start, by their settings; without them it is forgotten.
    """

    session: Session
    archive: MatchArchive
    loop: TableLoop
    seats: SeatLinks | None
    display: Oled
    recorder: Recorder | None
    club: NoClub = field(default_factory=NoClub, init=False)
    current: int | None = field(default=None, init=False)
    power_off: PowerOff = field(default=PowerOff(instead=SIMULATED_REFUSAL), init=False)
    choices: dict[str, ChoiceFile] = field(default_factory=dict, init=False)

    def may_switch_off(self, power_off: PowerOff) -> None:
        """Set how the table's menu switches the machine off.

        If the machine cannot be switched off, set the text that the menu shows instead.
        """
        self.power_off = power_off
        self.session.no_power_off = power_off.instead

    def keep_choices(self, **files: ChoiceFile) -> None:
        """Take the stored pace and language, and store each one that is chosen from now on."""
        self.choices.update(files)
        self._take({name: file.read() for name, file in files.items()})

    def set_pace(self, pace: str) -> None:
        """Set the pace of computers and dice, a key of PACES; raises CannotKeep if it was set but not stored."""
        self._choose("pace", pace)

    def _choose(self, name: str, choice: str) -> None:
        self._take({name: choice})
        if name in self.choices:
            self.choices[name].write(choice)

    def configure(self, **configured: str) -> None:
        """Take the pace and the language of a reloaded configuration, as far as the configuration has changed."""
        for name, choice in configured.items():
            if name in self.choices and choice != self.choices[name].configured:
                self.choices[name].configured = choice  # what was stored before does not count any more
                self._take({name: choice})

    def _take(self, choices: Mapping[str, str]) -> None:
        def take(_: int) -> None:
            for name, choice in choices.items():
                setattr(self.session.settings, name, choice)
            self.session.refresh()

        self.loop.do(take)

    def listed(self) -> Sequence[MatchSummary]:
        """Return the matches in the journal, latest first; raises CannotRead."""
        return self.archive.summaries(self.current)

    # --- starting and resuming --------------------------------------------------------------------------------------

    def begin(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> None:
        """Resume the match that was left last; if there is none, start the given match.

        If only a game is given, the lobby opens at the question who plays. Without a game the lobby opens at its first
        question.

        Raises:
            CannotResume: the match that was left last cannot be resumed, for example because its game is not installed.
                The lobby opens and shows the reason.
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
        """Open the lobby at the question who plays this game; raises BadOption, UnknownGame or BoardTooSmall."""
        self.archive.check(game, options)
        self.session.open_lobby(
            self.archive.lobby_context(),
            last=self.archive.last_start(),
            wanted=match_setup.Start(game, (), self.archive.spelt_out(game, options)),
        )

    def new_match(self, game: str, names: Sequence[str], options: Mapping[str, str], pairing: str = "") -> None:
        """Start a match; the current one is left and can be resumed later.

        If the players must first say what was done on the board, the match is started after their answer.

        Args:
            game: the game's key.
            names: the players, in seat order.
            options: the game's options.
            pairing: the id of the club's pairing; empty for a match that is not a pairing.

        Raises:
            BadOption, UnknownGame: the match cannot be played.
            TableStopped, CannotRead: the journal fails.
        """
        if self._waits(match_setup.Start(game, tuple(names), dict(options), pairing)):
            return
        with self.loop.using_journal():
            recorded = self.club.pairing_to_record(pairing)
            opened = self.archive.start(
                game, names, options, self.loop.now_ms(), recorded, has_master=self.session.has_master
            )
        self._load(opened, resumed=False)

    def resume(self, number: int) -> None:
        """Resume a match, unless it is the current one already.

        If the players must first say what was done on the board, the match is resumed after their answer.

        Raises:
            NoSuchMatch: there is no match with this number.
            CannotResume: the match cannot be resumed.
            TableStopped, CannotRead: the journal fails.
        """
        if self.current == number or self._waits(match_setup.Resume(number)):
            return
        opened = self.archive.open(number)
        with resuming(number):
            self._load(opened, resumed=True)

    def _waits(self, request: match_setup.Request) -> bool:
        """Return whether a request is not carried out now.

        A request waits while the players are asked what was done on the board. If the table rests, the request is
        dropped.
        """
        waits = self.loop.do(lambda now_ms: self.session.asks_first(request, now_ms))
        return self.loop.rests if waits is None else waits  # None: the table rests or has stopped

    def _load(self, opened: OpenedMatch, *, resumed: bool) -> None:
        def load(left_ms: int) -> None:
            journal, honours = opened.journal, opened.honours
            now_ms = max(left_ms, opened.at_ms)  # times in a journal never decrease
            self.session.load(journal, opened.dice, now_ms, resumed=resumed, left_ms=left_ms, honours=honours)
            self.loop.leap(now_ms - left_ms)
            self.current = journal.number
            self.club.call_arbiter(wanted=False)  # a call for an arbiter was about the previous match
            if self.seats is not None and self.session.match is not None:
                self.seats.open(journal.number, self.session.match)
            if self.recorder is not None:
                self.recorder.start_tape(now_ms)
            self.session.board.begun(now_ms)

        self.loop.do(load)

    # --- lessons ----------------------------------------------------------------------------------------------------

    def begin_lesson(self, game: str, step: int = 1) -> None:
        """Hold the lesson of a game, from a step on; nothing of it is stored.

        Raises:
            NoLesson: the game has no lesson that can be held, or a match is open, or the lesson has no such step.
        """
        match = self.session.match
        if self.current is not None and match is not None and not isinstance(match.turn, Over):
            raise NoLesson(say("A match is open: leave it first, it can be resumed after the lesson."))
        try:
            lesson = lesson_for(game)
            if lesson is None:
                raise NoLesson(say("There is no lesson of {game}.", repr(game)))
            if not 1 <= step <= len(lesson.steps):
                raise NoLesson(say("The lesson has no step {step}: expected 1 to {count}.", step, len(lesson.steps)))
            opened = open_lesson(lesson, step)
        except (BadLesson, OSError) as error:
            raise NoLesson(say("The lesson of {game} cannot be held: {error}.", game, message_of(error))) from error
        self.leave(for_good=False)

        def load(now_ms: int) -> None:
            resumed = step > 1
            self.session.load(opened.journal, opened.dice, now_ms, resumed=resumed, game=opened.game)
            self.session.board.begun(now_ms)

        self.loop.do(load)

    def _end_lesson(self, lesson: Lesson, match: Match) -> None:
        """Carry out what was chosen at the end of a lesson; do nothing before."""
        chosen = match.history[-1].acted.action if match.history else None
        if chosen not in ENDING_PICKS:
            return
        self.leave(for_good=False)
        first = match_setup.against_computer(match.game, lesson.names[1], lesson.names[:1])
        if chosen == AGAIN:
            self.begin_lesson(lesson.game)
        elif chosen == PLAY and first is not None:
            self.new_match(first.game, first.names, first.options)

    # --- pairings of the club ---------------------------------------------------------------------------------------

    @reading_journal()
    def paired(self) -> Sequence[match_setup.ClubPairing]:
        """Return the club's pairings for this table that are still to be played; raises CannotRead."""
        match = self.session.match
        is_over = match is not None and isinstance(match.turn, Over)
        return self.club.offered(self.current if is_over else None)

    def begin_paired(self, pairing: str) -> None:
        """Start the match of one of the club's pairings, or resume it.

        Raises:
            NoSuchPairing: the club has no such pairing for this table, or not any more.
            BadOption, UnknownGame: the pairing's match cannot be played.
            CannotResume: the match cannot be resumed.
            TableStopped, CannotRead: the journal fails.
        """
        found = next((each for each in self.paired() if each.start.pairing == pairing), None)
        if found is None:
            raise NoSuchPairing(say("The club does not want this match to be played here, or not any more."))
        if found.begun is not None:
            self.resume(found.begun)
        else:
            self.new_match(found.start.game, found.start.names, found.start.options, pairing)

    # --- leaving and ending -----------------------------------------------------------------------------------------

    def leave_if_clear(self) -> bool:
        """Leave the current match; if the players must first say what was done on the board, after their answer.

        Return whether the match was left at once.
        """
        is_clear = not self._waits(match_setup.Leave())
        if is_clear:
            self.leave(for_good=False)
        return is_clear

    def leave(self, *, for_good: bool) -> None:
        """Leave the current match and open the lobby, where the match can be resumed; do nothing without a match.

        Args:
            for_good: whether to report to the club that the match was left permanently.
        """
        if self.session.teaches is not None:
            self.session.unload(self.loop.now_ms())
            self._open_lobby()
        if self.current is None:
            return
        left, self.current = self.current, None
        if self.seats is not None:
            self.seats.close()
        if self.recorder is not None:
            self.recorder.stop_tape()
        self.session.unload(self.loop.now_ms())
        self.archive.watch.clear()
        if for_good:
            self.club.give_up(left)
        self.session.open_lobby(self._lobby_context(), left=left)

    def _go_on(self) -> None:
        """Resume the match that was current before it was unloaded, or open the lobby if there was none."""
        number, self.current = self.current, None
        if number is None:
            self._open_lobby()
        else:
            self._resume_or_open_lobby(number)

    def _after_event(self) -> None:
        """After each event, update the links to the seats' pages, and report a finished match to the club.

        Open the lobby once the displays show the final result.
        """
        match, number = self.session.match, self.current
        if match is None:
            return
        if (lesson := self.session.teaches) is not None:
            self._end_lesson(lesson, match)
            return
        if self.seats is not None:
            self.seats.end() if match.is_ended else self.seats.seated(match)
        if match.is_ended and number is not None:
            self.club.match_ended(number)
        if self.session.shows_result:
            options = {**match.started.options, **match.game.for_rematch(match.state)}
            played = match_setup.Start(match.started.game, match.started.seats, options)
            again, context = self.archive.again(played), self._lobby_context(number)
            if again is not None and isinstance(match.turn, Over):
                just = FinishedStart(played, match.turn.result.winner)
                with contextlib.suppress(CannotRead):
                    context = replace(context, other_level=self.archive.other_level(again, just, number))
            self.session.open_lobby(context, last=again)

    # --- the lobby --------------------------------------------------------------------------------------------------

    def _resume_or_open_lobby(self, number: int) -> None:
        try:
            self.resume(number)
        except CannotResume as error:
            self._open_lobby()
            self.session.refuse(error)
            raise

    def _open_lobby(self) -> None:
        self.session.open_lobby(self._lobby_context(), last=self.archive.last_start())

    def _lobby_context(self, over: int | None = None) -> match_setup.LobbyContext:
        return replace(
            self.archive.lobby_context(over),
            settings=self.session.settings,
            no_power_off=self.session.no_power_off,
            paired=self.club.offered(over),
            club=self.club.state(),
            languages=language_names,
        )

    # --- requests ---------------------------------------------------------------------------------------------------

    def attend(self) -> None:
        """Carry out the stored request, if there is one; if it cannot be carried out, show the reason in the lobby.

        Then update the links to seats. If a match has ended, report it to the club and offer another match.
        """
        try:
            self._handle(self.session.take_request())
        except (BadOption, UnknownGame, NoSuchMatch, CannotResume, CannotKeep, NoLesson) as error:
            self.session.refuse(error)
        self._after_event()

    def _handle(self, request: match_setup.Request | None) -> None:  # noqa: C901 - one table
        match request:
            case match_setup.Start(game, names, options, pairing):
                self.new_match(game, names, options, pairing)
            case match_setup.StartLesson(game, step):
                self.begin_lesson(game, step)
            case match_setup.Resume(number):
                self.resume(number)
            case match_setup.ShowAddress():
                self._show_address()
            case match_setup.SwitchOff():
                self._switch_off()
            case match_setup.SetPace(pace):
                self._settle("pace", pace, say("Pace"), PACE_NAMES[pace])
            case match_setup.SetLanguage(code):
                self._settle("language", code, say("Language"), language_names()[code])
            case match_setup.SwitchCards(is_on):
                self._switch_cards(is_on=is_on)
            case match_setup.CallArbiter(wanted):
                self.club.call_arbiter(wanted=wanted)
                self.session.say(say("The arbiter"), ARBITER_COMES if wanted else NO_ARBITER)
            case match_setup.Leave() | match_setup.GiveUp():
                self.leave(for_good=isinstance(request, match_setup.GiveUp))

    def _settle(self, name: str, choice: str, title: str, words: str) -> None:
        self._choose(name, choice)
        self.session.say(title, say("{choice} from now on", words))

    def _switch_cards(self, *, is_on: bool) -> None:
        cards = self.session.displays.cards
        if cards is not None:
            cards.file.switch(is_on=is_on)
        words = say("Each is shown once") if is_on else say("None is shown any more")
        self.session.say(say("Cards"), words if cards is not None else say("This table has no small display for them"))

    def address_changed(self) -> None:
        """Update the page's address on the displays, if the displays show an address now."""
        if self.session.view().joining:
            self.session.refresh() if self.session.greets else self._show_address()

    def _show_address(self) -> None:
        address = self.session.page_address()
        words = address.partition("//")[2] or address or ONLY_HERE
        self.session.say(say("The page"), words, address)

    # --- switching off ----------------------------------------------------------------------------------------------

    def _switch_off(self) -> None:
        """Unload the match, show the farewell, and request the power-off; stay on if that fails or takes too long."""
        self.session.unload(self.loop.now_ms())
        self.session.say_farewell()
        self.display.stay_lit()
        self.loop.rests = True
        try:
            self.power_off.ask()
        except OSError as error:
            self._stay_on(say("{problem} ({error})", NOT_OFF, error.strerror or ""))
        else:
            self.loop.later(SWITCHING_OFF_S, partial(self._stay_on, NOT_OFF))

    def _stay_on(self, why: str) -> None:
        """Go on with the match or the lobby, and show `why`, the reason why the machine was not switched off."""
        if self.loop.stopped:
            return
        self.loop.rests = False
        self.display.stay_lit(stays=False)
        with contextlib.suppress(CannotResume):  # then the lobby is open and shows the reason
            self._go_on()
        self.session.say(say("Still on"), why)
        self.loop.notify()
