"""A table's membership of a club: publishes view and results, offers pairings, and calls for the arbiter.

A table without a club has a membership whose methods do nothing. Results are recorded in the journal before they are
sent. If the players' names are not to be published, their initials are published instead; with the names, the export of
a finished match is published too.
"""

import asyncio
import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import UNSET, Raw

from captains_table import __version__
from captains_table.devices.ports import JournalUnwritable
from captains_table.games.chess.game import Chess
from captains_table.games.contract import BadOption
from captains_table.games.registry import GAMES, UnknownGame
from captains_table.reporting.messages import (
    LARGEST,
    FinalScore,
    MatchReport,
    Pairing,
    Presence,
    Status,
    ViewMessage,
    encode,
)
from captains_table.reporting.played_moves import standing_moves, start_fen
from captains_table.reporting.said import said_of
from captains_table.reporting.table_view import spectator_view
from captains_table.runtime.club_line.connection import ClubConnection, TableCallbacks
from captains_table.runtime.club_line.discovery import discovery
from captains_table.runtime.club_line.speaker_messages import SpeakerSetup
from captains_table.runtime.config import ClubConfig
from captains_table.storage.exports import damage_words
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.history.export import end_entry, export_json
from captains_table.table.lobby.match_setup import ClubPairing, ClubState, Start
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory, Match
from captains_table.table.model.view import Phase, View
from captains_table.table.renamed_match import RenamedMatch, player_initials, renamed_start


class NoOutcome(ValueError):
    """A match's journal yields no result; the message says why, in words."""


class NoClub:
    """The membership of a table without a club, and the interface of `ClubMember`: here every method does nothing."""

    @property
    def calls_arbiter(self) -> bool | None:
        """Whether an arbiter is called; `None` without a club."""
        return None

    def state(self) -> ClubState | None:
        """Return `None`, as there is no club; a member returns its state in the club, for the table's menu."""
        return None

    def offered(self, over: int | None = None) -> tuple[ClubPairing, ...]:  # noqa: ARG002 - ClubMember uses it
        """Return the pairings that are still to be started or resumed at this table; none without a club.

        Args:
            over: the number of a match that counts as over because its result is shown, even if its end is not written;
                `None` if there is no such match.

        Raises:
            JournalUnreadable: the journal cannot be read.
        """
        return ()

    def pairing_to_record(self, pairing: str) -> str | None:  # noqa: ARG002 - ClubMember uses it
        """Return `None`: without a club, no pairing is recorded for a new match."""
        return None

    def call_arbiter(self, *, wanted: bool) -> None:
        """Call for the club's arbiter if `wanted`, else withdraw the call; does nothing without a club."""

    def match_ended(self, number: int) -> None:
        """Record for the club the result of a match whose end was written; without a club do nothing.

        Repeated calls for the same match have no effect.
        """

    def give_up(self, number: int) -> None:
        """Record for the club that a match was left for good; without a club do nothing.

        If players resume the match later, the result of the match changes.
        """


class ClubMember(NoClub):
    """A table's membership of a club, in effect from `open` to `close`.

    Args:
        config: the configuration of the club.
        journal: the journal of all matches.
        around: what the membership needs from the table.
    """

    def __init__(self, config: ClubConfig, journal: JournalFile, around: TableCallbacks) -> None:
        self._config = config
        self._journal = journal
        self._around = around
        self._retelling: tuple[Match, RenamedMatch] | None = None
        self._pairing: tuple[int, str | None] | None = None  # the last one read, with its match number
        self._noting = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: int | None = None  # the last match whose end was reported
        self._failures: tuple[str, ...] = ()
        self._link = ClubConnection(_setup(config), around, journal.club, self._seen)

    def open(self) -> None:
        """Connect to the club, and record the results of matches that were not recorded when they ended."""
        self._link.open()
        self._begin(self._journal.club.due)

    async def close(self) -> None:
        """Publish that the table leaves, and disconnect."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._link.close()

    def look(self) -> None:
        """Publish what has changed at the table, as far as the connection accepts it now."""
        self._link.look()

    def faults(self) -> tuple[str, ...]:
        """Return, as sentences, the faults of the connection and the reasons why results could not be recorded."""
        return (*self._link.faults(), *self._failures)

    # --- the arbiter ------------------------------------------------------------------------------------------------

    def state(self) -> ClubState:
        """Return whether this table calls the arbiter, and whether its match was paired by the club, for the menu."""
        number = self._around.showing().number
        return ClubState(self._link.calls_arbiter, is_paired=number is not None and bool(self._pairing_of(number)))

    @property
    def calls_arbiter(self) -> bool:
        """Whether the table is calling for an arbiter."""
        return self._link.calls_arbiter

    def call_arbiter(self, *, wanted: bool) -> None:
        self._link.call_arbiter(wanted=wanted)

    # --- pairings ---------------------------------------------------------------------------------------------------

    def offered(self, over: int | None = None) -> tuple[ClubPairing, ...]:
        """Return the pairings that are still to be started or resumed at this table.

        Args:
            over: the number of a match that counts as over although its end is not written yet; `None` without one.
        """
        pairings = self._link.pairings.pairings
        begun = self._journal.club.matches_of([each.id for each in pairings])
        return tuple(paired for each in pairings if (paired := _paired(each, begun[each.id], over)))

    def pairing_to_record(self, pairing: str) -> str:
        """Return the id of the pairing to record for a new match.

        The result is the given id, which is empty if there is no pairing.
        """
        return pairing

    # --- results ----------------------------------------------------------------------------------------------------

    def match_ended(self, number: int) -> None:
        if number != self._ended:
            self._ended = number
            self._begin(self._journal.club.due)

    def give_up(self, number: int) -> None:
        self._begin(lambda: [number])

    def _begin(self, numbers: Callable[[], Sequence[int]]) -> None:
        """Start to record the results of matches in the background.

        Args:
            numbers: returns the numbers of the matches.
        """
        task = asyncio.ensure_future(self._note_all(numbers))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _note_all(self, numbers: Callable[[], Sequence[int]]) -> None:
        """Record the results of the matches whose numbers `numbers` returns; wait first for recordings in progress."""
        try:
            async with self._noting:
                for number in numbers():
                    await self._note(number)
        except JournalUnwritable as error:
            self._around.on_failure(error)
        except JournalUnreadable as error:
            self._say(f"A result cannot be told to the club: {error}")

    async def _note(self, number: int) -> None:
        """Derive a match's result in a thread, store it in the ledger, and send it to the club.

        A match that was started without a club has no result for the club. If the journal is damaged or yields no
        result, report the problem as a fault of the table.
        """
        journal, ledger = self._journal.open(number), self._journal.club
        entries, damage = journal.readable()
        pairing = ledger.pairing_of(number)
        if damage is not None:
            self._say(f"The result of match {number} cannot be told to the club: {damage_words(damage)}")
        if damage is not None or pairing is None:
            return
        played = entries, journal.seed, journal.began, self._around.now(), pairing
        try:
            outcome = await asyncio.to_thread(match_outcome, *played, names=self._config.names)
        except NoOutcome as error:
            self._say(f"The result of match {number} cannot be told to the club: {error}")
            return
        ledger.note(
            number,
            outcome.match,
            len(entries),
            lambda rev: encode(msgspec.structs.replace(outcome, rev=rev)),
        )
        self._link.results_changed()

    def _say(self, sentence: str) -> None:
        """Add a sentence to the table's faults."""
        if sentence not in self._failures:
            self._failures = (*self._failures, sentence)
            self._around.on_change()

    # --- the view ---------------------------------------------------------------------------------------------------

    def _seen(self) -> ViewMessage:
        """Return the table's present view as a message for the club; the connection sets the message's number."""
        showing = self._around.showing()
        view, match, number = showing.view, showing.match, showing.number
        if match is None or number is None or view.phase is Phase.IDLE:
            return ViewMessage(boot=self._around.boot, n=0, view=spectator_view(view))
        published = view if self._config.names else self._with_initials(view, match)
        pairing = self._pairing_of(number) or ""
        shown = spectator_view(published)
        seen = ViewMessage(
            boot=self._around.boot,
            n=0,
            match=match.started.commitment,
            pairing=pairing,
            view=shown,
            said=said_of(shown),
        )
        if not pairing or match.game.key != Chess.key:
            return seen
        return msgspec.structs.replace(seen, start=start_fen(match), moves=standing_moves(match))

    def _pairing_of(self, number: int) -> str | None:
        if self._pairing is None or self._pairing[0] != number:
            try:
                self._pairing = number, self._journal.club.pairing_of(number)
            except JournalUnreadable:  # the view is published without it; the result will report the error
                return None
        return self._pairing[1]

    def _with_initials(self, view: View, match: Match) -> View:
        if self._retelling is None or self._retelling[0] is not match:
            self._retelling = match, RenamedMatch(match.started, player_initials(match.started))
        return self._retelling[1].view(view, match)


def _paired(pairing: Pairing, matches: Mapping[int, bool], over: int | None) -> ClubPairing | None:
    """Return a pairing as the lobby offers it; `None` if one of its matches is over.

    Args:
        pairing: the pairing.
        matches: maps the number of each match begun for the pairing to whether the match is over.
        over: the number of a match that counts as over; `None` if there is no such match.
    """
    if any(is_over or number == over for number, is_over in matches.items()):
        return None
    start = Start(pairing.game, pairing.seats, dict(pairing.options), pairing.id)
    return ClubPairing(pairing.heading, start, next(iter(matches), None))


def _setup(config: ClubConfig) -> SpeakerSetup:
    status = Status(
        state=Presence.READY,
        board=config.board,
        title=config.called,
        program=__version__,
        games=tuple(GAMES),
    )
    return SpeakerSetup(
        host=config.host,
        port=config.broker_port,
        user=config.user,
        password_file="" if config.password_file is None else str(config.password_file),
        ca="" if config.ca is None else str(config.ca),
        status=Raw(encode(status)),
        discovery=Raw(discovery(config, __version__)),
    )


def match_outcome(
    entries: Sequence[Entry], seed: bytes | None, began: str, ended: str, pairing: str, *, names: bool
) -> MatchReport:
    """Return a match's result as revision 1; a match without a written end counts as left unfinished.

    Args:
        entries: the entries of the match's journal.
        seed: the seed of the match's dice; `None` if they were dictated.
        began: when the match began, ISO 8601.
        ended: when the match ended, ISO 8601.
        pairing: the id of the match's pairing; empty without a pairing.
        names: whether to include the players' names; otherwise only their initials are included. With the names, the
            match's export is included if the match has a written end and the export is not too large.

    Raises:
        NoOutcome: the journal does not begin with the start of a match, or the match cannot be started from it.
    """
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        raise NoOutcome("its journal does not begin with the start of a match")
    seen = started if names else renamed_start(started, player_initials(started))
    try:
        seats = Match.resumed([seen]).names
    except (BadHistory, BadOption, UnknownGame) as error:
        raise NoOutcome(str(error)) from error
    end = end_entry(entries)
    outcome = MatchReport(
        match=started.commitment,
        rev=1,
        pairing=pairing,
        game=started.game,
        options=seen.options,
        seats=seats,
        kinds=() if started.kinds is UNSET else tuple(started.kinds or ()),
        ending=None if end is None else FinalScore(winner=end.winner, scores=end.scores),
        began=began,
        ended=ended,
        export=_packed(export_json(entries, seed, began)) if names and end is not None else "",
    )
    return outcome if len(encode(outcome)) <= LARGEST else msgspec.structs.replace(outcome, export="")


def _packed(export: Mapping[str, object]) -> str:
    """Return an exported match as JSON, compressed by zlib and encoded in base64."""
    text = json.dumps(export, ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")
