"""The running club: takes in what tables publish, has exports verified, and notifies subscribers of changes.

It also carries out the arbiter's actions, sends pairings to the tables, and gives the pages the tables' states, views
and exports. It runs on the event loop. Results are written in a background thread, so that a slow disk does not delay
the wall.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Container, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

from msgspec.structs import replace

from captains_table.club.broker_line import ClubLine
from captains_table.club.intake.mailbox import PER_SECOND, Arrival, BoxFull, Lane, Mailbox
from captains_table.club.intake.table_state import NOBODY, RefusedPayloads, TableState
from captains_table.club.intake.tables import ExpectedTable, Tables
from captains_table.club.proof_worker import Damaged, prove_in_worker, unpacked
from captains_table.club.result_storage import ReportedResult, StoreThread, ToStore, read_result, store_results
from captains_table.club.store.forgetting import forget_member
from captains_table.club.store.store import Correction, Evening, NoSuch, Proof, Store, StoredResult, StoreFailed
from captains_table.club.store.strikes import (
    ClubTable,
    club_tables,
    strike_results,
    strikes_of,
    take_back_strike,
    write_club_table,
)
from captains_table.phrases import ENGLISH, Language, say
from captains_table.reporting.broker import ANSWER_S, Broker, until_one_ends
from captains_table.reporting.messages import BadPayload, FinalScore, FromTable, Pairings, Topic, read_topic
from captains_table.table.model.view import View, view_in

AT_ONCE: Final = 32
"""How many payloads are processed before the loop may do something else."""
Read = TypeVar("Read")
SETTLING_S: Final = 60.0
"""The time after a reconnect within which every table that is online has published something."""


class BadCorrection(ValueError):
    """A corrected ending does not fit the seats of its match; the message says why."""


class BadTableName(ValueError):
    """A table cannot get a number or name, because another table has it; the message says so."""


class NoSuchCall(LookupError):
    """A table does not call the arbiter now, or the given id is not the id of its current call."""


class NoSuchTable(NoSuch):
    """No table with this user name is known: the club does not expect it, and it has not published anything."""


@dataclass(frozen=True, slots=True)
class BrokerLineState:
    """The state of the club's connection to its broker.

    Attributes:
        is_up: whether the connection is open.
        since_s: when it was opened or lost, in Unix seconds of the server's clock; before the first connection, when
            the server started.
        words: why the connection is not open; empty while it is open.
    """

    is_up: bool
    since_s: float
    words: str = ""


@dataclass(slots=True)
class ClubChanges:
    """The changes since a subscriber was last notified; repeated changes are merged.

    Attributes:
        tables: the user names of the tables whose state, view or refused payloads changed. If the arbiter chose a table
            for the wall to show large, that table's user name is included. If the arbiter let the wall choose, an empty
            name is included.
        results: whether stored results, corrections, proofs or evenings changed.
    """

    tables: set[str] = field(default_factory=set)
    results: bool = False


@dataclass(slots=True, eq=False)
class _Watcher:
    """A subscriber, with the changes that were not sent to the subscriber yet."""

    changed: ClubChanges
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class ClubService:
    """The club's tables, stored results and broker connection, as its pages use them.

    All methods are called on the event loop.

    Args:
        title: the club's name.
        broker: the broker of its tables.
        store: the club's database.
        expected: the tables that are known beforehand, by user name.
        on_failure: called with the error when the store fails, after which nothing can be stored any more.
        now_s: returns the time in Unix seconds.
        expiring: returns a warning for each of the broker's certificates that expires soon.

    Attributes:
        title, store, on_failure, now_s, expiring: the arguments of these names.
        tables: the known tables.
        refused: the refused payloads.
        line: the state of the connection to the broker.
        store_version: a number that grows with every change of stored results, corrections, proofs or evenings.
        shown_large: the user name of the table that the arbiter chose to show large; empty if the wall chooses.
        strikes: all strikes of the arbiter, the latest first; another object after each change.
        overlay_secrets: the secrets in the addresses of the tables' overlays, by user name.
    """

    def __init__(
        self,
        title: str,
        broker: Broker,
        store: Store,
        expected: Mapping[str, ExpectedTable],
        on_failure: Callable[[Exception], None],
        now_s: Callable[[], float] = time.time,
        expiring: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.title = title
        self.store = store
        self.on_failure = on_failure
        self.now_s = now_s
        self.expiring = expiring
        self.tables = Tables(expected)
        self.strikes = strikes_of(store)
        for user, table in club_tables(store).items():
            self.tables.give_name(user, table.board, table.title)
            self.tables.mute(user, is_muted=table.is_muted)
        self.refused = RefusedPayloads()
        self._mailbox = Mailbox()
        self._arrived = {lane: asyncio.Event() for lane in Lane}
        self._to_prove = asyncio.Event()
        self._watchers: set[_Watcher] = set()
        self._offered: dict[str, Pairings] = {}
        self._table_callbacks: list[Callable[[TableState], None]] = []
        self._deletion_callbacks: list[Callable[[], None]] = []
        self._is_stopped = False
        self.store_version = 0
        self.shown_large = store.shown_large()
        self.overlay_secrets = store.overlay_secrets()
        self.line = BrokerLineState(is_up=False, since_s=now_s(), words="it was not opened yet")
        self._settling: asyncio.TimerHandle | None = None
        self._speaker = ClubLine(broker, self._receive, self._connected, self._disconnected, self._known_users)

    async def run(self) -> None:
        """Take in what tables publish, store results and have exports verified, until cancelled or the store fails.

        A failure of the store is passed to `on_failure` instead of being raised.

        Raises:
            StoreUnusable: the background thread cannot open the database.
        """
        background = StoreThread(self.store.folder)
        work = self._speaker.hold(), self._take_seen(), self._take_results(background), self._prove(background)
        try:
            await until_one_ends(*work, again_s=2 * ANSWER_S)
        except StoreFailed as error:
            self.on_failure(error)
        finally:
            background.close()
            if self._settling is not None:
                self._settling.cancel()

    def stop(self) -> None:
        """End all `changes` streams."""
        self._is_stopped = True
        for watcher in self._watchers:
            watcher.woken.set()

    # arriving messages

    def _receive(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 - as the line passes it on
        found, now_s = read_topic(topic), self.now_s()
        if found is None or not isinstance(found.kind, FromTable):
            self._refuse(Topic(NOBODY, FromTable.STATUS), f"{topic!r} is no topic of a table", now_s)
            return
        table = self.tables.find(found.user)
        if table is not None and table.is_muted:
            return
        try:
            self._mailbox.put(Arrival(found, payload, retained, now_s))
        except BoxFull as error:
            self._refuse(found, str(error), now_s)
        else:
            self._arrived[Lane.of(found.kind)].set()

    async def _batches(self, lane: Lane, read: Callable[[Arrival], Read]) -> AsyncGenerator[Sequence[Read], None]:
        """Yield what arrives in a lane, as `read` returns it, in batches; payloads that it refuses are counted.

        Payloads above the rate limit wait in the mailbox.
        """
        while True:
            await self._arrived[lane].wait()
            self._arrived[lane].clear()
            found: list[Read] = []
            for taken, arrival in enumerate(self._mailbox.take(lane, self.now_s()), start=1):
                try:
                    found.append(read(arrival))
                except BadPayload as error:
                    self._refuse(arrival.topic, str(error), arrival.at_s)
                if taken % AT_ONCE == 0:
                    await asyncio.sleep(0)
            yield found
            if self._mailbox.holds(lane):
                await asyncio.sleep(1 / PER_SECOND)
                self._arrived[lane].set()

    async def _take_seen(self) -> None:
        """Process all payloads from tables except results."""
        async with aclosing(self._batches(Lane.SEEN, self._take_one)) as batches:
            async for _ in batches:
                pass

    def _take_one(self, arrival: Arrival) -> None:
        if self.tables.take(arrival):
            self._table_changed(arrival.topic.user)

    async def _take_results(self, background: StoreThread) -> None:
        """Store arriving results in batches, acknowledge each result once it is stored, and count refused ones."""
        async with aclosing(self._batches(Lane.RESULTS, read_result)) as batches:
            async for received in batches:
                if received:
                    await self._store_results(received, background)

    async def _store_results(self, received: Sequence[ReportedResult], background: StoreThread) -> None:
        to_store = [
            ToStore(each, self.tables.first_shown_at(each.outcome.match), self._is_offered(each)) for each in received
        ]
        refusals = await background.do(partial(store_results, results=to_store))
        for each, refusal in zip(received, refusals, strict=True):
            if refusal is None:
                self._speaker.acknowledge(each.user, each.outcome.match, each.outcome.rev)
            else:
                self._refuse(Topic(each.user, FromTable.RESULT), str(refusal), each.at_s)
        self._to_prove.set()
        self._changed(results=True)

    def _is_offered(self, reported: ReportedResult) -> bool:
        """Return whether a result is of a pairing that the club has played at its table now."""
        offered = self._offered.get(reported.user, Pairings()).pairings
        return any(pairing.id == reported.outcome.pairing for pairing in offered)

    def _refuse(self, topic: Topic, words: str, at_s: float) -> None:
        self.refused.add(topic.user, str(topic.kind), words, at_s)
        self._changed(*(() if self.tables.find(topic.user) is None else (topic.user,)))

    async def _prove(self, background: StoreThread) -> None:
        """Let a worker verify the exports of results, one at a time and the oldest first, and store the findings."""
        self._to_prove.set()
        while True:
            await self._to_prove.wait()
            self._to_prove.clear()
            while (waiting := self.store.to_prove()) is not None:
                receipt, outcome, export = waiting
                found = await prove_in_worker(outcome, export)
                noted = partial(Store.note_proof, receipt=receipt, words=found.words, remembered=found.match)
                await background.do(noted)
                self._changed(results=True)

    # the connection to the broker

    def _connected(self) -> None:
        lost_s, now_s = self.line.since_s, self.now_s()
        self.line = BrokerLineState(is_up=True, since_s=now_s)
        self._settling = asyncio.get_running_loop().call_later(SETTLING_S, self._settle, now_s, lost_s)
        self._changed()

    def _disconnected(self, why: str) -> None:
        if self._settling is not None:
            self._settling.cancel()
        since_s = self.now_s() if self.line.is_up else self.line.since_s
        self.line = BrokerLineState(is_up=False, since_s=since_s, words=why)
        self._changed()

    def _known_users(self) -> Sequence[str]:
        return [table.user for table in self.tables.all()]

    def _settle(self, since_s: float, line_lost_s: float) -> None:
        self._changed(*self.tables.mark_silent_as_lost(since_s, line_lost_s))

    # subscribers

    def _changed(self, *tables: str, results: bool = False) -> None:
        self.store_version += results
        for watcher in self._watchers:
            watcher.changed.tables.update(tables)
            watcher.changed.results |= results
            watcher.woken.set()

    def _table_changed(self, user: str) -> None:
        table = self.tables.find(user)
        if table is not None:
            for callback in self._table_callbacks:
                callback(table)
        self._changed(user)

    def on_table_change(self, callback: Callable[[TableState], None]) -> None:
        """Register a callback that is called with the table whenever a payload has changed a table's state.

        The call is synchronous, so the callback must be quick.
        """
        self._table_callbacks.append(callback)

    def on_deletion(self, callback: Callable[[], None]) -> None:
        """Register a callback that is called after an evening was deleted, or a member forgotten.

        It is also called if the database failed then, as a part may be gone.
        """
        self._deletion_callbacks.append(callback)

    async def changes(self) -> AsyncGenerator[ClubChanges, None]:
        """Yield the changes since the last item, whenever there are any.

        The first item comes at once, and says that all tables and the results changed. An item is empty if only the
        broker connection changed, or if only payloads of unknown tables were refused. A slow subscriber gets fewer,
        merged items. The stream ends when the server stops.
        """
        watcher = _Watcher(ClubChanges({table.user for table in self.tables.all()}, results=True))
        self._watchers.add(watcher)
        try:
            while not self._is_stopped:
                watcher.woken.clear()
                changed, watcher.changed = watcher.changed, ClubChanges()
                yield changed
                await watcher.woken.wait()
        finally:
            self._watchers.discard(watcher)

    # tables and views

    def table(self, user: str) -> TableState:
        """Return the state of a table; raises NoSuchTable."""
        found = self.tables.find(user)
        if found is None:
            raise NoSuchTable(say("no such table has reported here: expected one of those on the wall"))
        return found

    def view(self, user: str) -> View | None:
        """Return the latest view of a table, `None` if there is none; raises NoSuchTable.

        The most recently requested views are cached in decoded form; others are decoded again from their payloads.
        """
        return self.tables.views.view(self.table(user).user)

    def view_in(self, user: str, language: Language) -> View | None:
        """Return the latest view of a table in a language, `None` if there is none; raises NoSuchTable."""
        view = self.view(user) if language is ENGLISH else self.tables.views.view_in(self.table(user).user, language)
        return view and view_in(view, language)

    # exports

    def export(self, match: str) -> bytes:
        """Return the export that came with the result of a match, as JSON; raises NoSuchResult.

        Return empty bytes if the result has no export, or if its export cannot be unpacked.
        """
        try:
            return unpacked(self.store.export(match))
        except Damaged:
            return b""

    # the arbiter's actions

    def correct(self, match: str, ending: FinalScore | None, why: str) -> Correction:
        """Store the arbiter's correction of how a match ended (`None`: abandoned).

        Raises:
            NoSuchResult: there is no result of this match.
            BadCorrection: the ending does not fit the seats of the match.
        """
        try:
            replace(self.store.result(match).outcome, ending=ending)
        except ValueError as error:
            raise BadCorrection(str(error)) from error
        correction = self.store.correct(match, ending, why, self.now_s())
        self._changed(results=True)
        return correction

    def to_strike(
        self, user: str, since_s: float, of_events: Container[str]
    ) -> tuple[Sequence[StoredResult], Sequence[StoredResult], Sequence[StoredResult]]:
        """Return the reports of a table since a time: those that a strike concerns, those proven, those of events.

        The proven ones are struck only if the arbiter says so, and those that count in an event never.

        Args:
            user: the table's user name.
            since_s: the time in Unix seconds of the server's clock, by which they were received.
            of_events: the seals of the matches whose results count in an event.
        """
        told = self.store.received_since(user, since_s)
        free = [each for each in told if each.outcome.match not in of_events]
        return (
            [each for each in free if each.proof is not Proof.PROVEN],
            [each for each in free if each.proof is Proof.PROVEN],
            [each for each in told if each.outcome.match in of_events],
        )

    def strike(self, results: Iterable[StoredResult], user: str, since_s: float, why: str) -> None:
        """Strike reports of a table: they count nowhere until the arbiter takes that back."""
        strike_results(self.store, [each.receipt for each in results], user, since_s, why, self.now_s())
        self._struck()

    def take_back(self, strike: int) -> None:
        """Let the results of a strike count again; raises NoSuchStrike."""
        take_back_strike(self.store, strike, self.now_s())
        self._to_prove.set()
        self._struck()

    def _struck(self) -> None:
        self.strikes = strikes_of(self.store)
        self._changed(results=True)

    def take_overlapping(self, matches: Iterable[str]) -> None:
        """Let matches count although they overlap others of their table."""
        self.store.take_overlapping(matches)
        self._changed(results=True)

    def mute(self, user: str, *, is_muted: bool) -> None:
        """Take nothing in of a table, also after restarts of the server; or listen to it again.

        What a muted table reports is not acknowledged, so that it reports it again when it is listened to.
        """
        write_club_table(self.store, user, replace(self._club_table(user), is_muted=is_muted))
        self.tables.mute(user, is_muted=is_muted)
        if not is_muted:
            self._publish(user)
        self._table_changed(user)

    def name_table(self, user: str, board: int, title: str) -> None:
        """Give a table its number (0 for none) and name (empty for none) in the club; raises BadTableName."""
        if self.tables.is_given(board, title, user):
            raise BadTableName(say("another table has this number or name: expected one that no other table was given"))
        write_club_table(self.store, user, replace(self._club_table(user), board=board, title=title))
        self.tables.give_name(user, board, title)
        self._changed(*self._known_users())

    def _club_table(self, user: str) -> ClubTable:
        return club_tables(self.store).get(user, ClubTable())

    def begin_evening(self, title: str) -> Evening:
        """Begin an evening, and end the current one."""
        evening = self.store.begin_evening(title, self.now_s())
        self._changed(results=True)
        return evening

    def delete_evening(self, number: int) -> None:
        """Delete an evening, its results, its events and all data about them; raises NoSuchEvening."""
        try:
            self.store.delete_evening(number)
            self._struck()  # the strikes of the evening are gone, too
        finally:
            self._deleted()

    def forget_member(self, number: int, typed: str) -> None:
        """Forget a member, as `forgetting.forget_member` does; raises NoSuchMember or NotTheirName."""
        try:
            forget_member(self.store, number, typed)
        finally:  # the file may be changed although it could not be rewritten
            self._deleted()
            for user, table in club_tables(self.store).items():
                self.tables.give_name(user, table.board, table.title)
            self._struck()

    def _deleted(self) -> None:
        for callback in self._deletion_callbacks:
            callback()

    def show_large(self, user: str) -> None:
        """Show a table large on the wall page until the arbiter chooses again, also after restarts of the server.

        With an empty user name, the wall page chooses a table.
        """
        self.store.show_large(user)
        self.shown_large = user
        self._changed(user)

    def publish(self, user: str, pairings: Pairings) -> None:
        """Publish the matches that a table may offer, and publish them again after each reconnect; raises BadUser."""
        self._offered[user] = pairings
        self._publish(user)

    def answer(self, user: str, call: str) -> None:
        """Answer a table's call for an arbiter, and tell the table.

        Raises:
            NoSuchTable: there is no such table.
            NoSuchCall: the id is empty, or is not that of the table's current call.
        """
        if not call or self.table(user).call != call:
            raise NoSuchCall(f"table {user!r} does not call, or not any more: see what it says now")
        self.tables.answer(user)
        self._publish(user)
        self._changed(user)

    def _publish(self, user: str) -> None:
        """Publish to a table the matches that it may offer, and the id of its last call that the arbiter answered."""
        known = self.tables.find(user)
        pairings = self._offered.get(user, Pairings())
        self._speaker.publish(user, replace(pairings, answered="" if known is None else known.answered))
