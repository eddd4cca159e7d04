"""Runs the club's events (tournaments): takes in results, publishes pairings, and carries out the arbiter's actions.

It also reads events from the database, caches them, and answers queries about them.
"""

import asyncio
from collections.abc import Container, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from msgspec import structs

from captains_table.club.events.counting import CannotPair, check_may_be_paired, counting_report
from captains_table.club.events.entries import (
    Entered,
    EventEntry,
    Made,
    Mended,
    Reported,
    RoundDropped,
    RoundPaired,
    RoundPublished,
)
from captains_table.club.events.event import (
    CannotBe,
    ClubEvent,
    Entrant,
    event_after,
    event_of,
    may_be_dropped,
    new_event,
)
from captains_table.club.events.legality import broken_rules, round_by_hand
from captains_table.club.events.table_assignment import assign_tables, offered_pairings
from captains_table.club.events.trf_reading import entries_of_trf, read_report, renumbered
from captains_table.club.pairing_worker import PairingWorker
from captains_table.club.service import ClubService
from captains_table.club.store.event_log import ClubEventLog, ClubPlayer, EventHead, PlayerIds, folded
from captains_table.club.store.store import StoredResult, StoreFailed
from captains_table.phrases import say
from captains_table.reporting.broker import cancel_all
from captains_table.reporting.messages import Pairings


@dataclass(frozen=True, slots=True)
class HeldEvent:
    """An event loaded from the database into memory.

    Attributes:
        head: its number, its evening, and the prefix of its matches' ids.
        event: its current state.
        written: the number of its entries in the database.
        is_being_paired: whether its next round is being paired now; meanwhile no entry can be added.
    """

    head: EventHead
    event: ClubEvent
    written: int
    is_being_paired: bool = False

    @property
    def number(self) -> int:
        """The event's number in the club."""
        return self.head.number


class EventManager:
    """Manages the club's events: takes in results, publishes pairings, and carries out the arbiter's actions.

    All methods are called on the event loop.

    Args:
        club: the club whose tables play and report.
        log: the stored players and events.

    Attributes:
        log: the stored players and events.
    """

    def __init__(self, club: ClubService, log: ClubEventLog) -> None:
        self._club = club
        self.log = log
        self._cached: dict[int, HeldEvent] = {}
        self._being_paired: dict[int, asyncio.Task[None]] = {}
        self._pairing_worker = PairingWorker()
        self._published: dict[str, Pairings] = {}
        self._current: tuple[HeldEvent, ...] | None = None  # None: must be computed anew
        club.on_deletion(self.forget)

    async def run(self) -> None:
        """Take in reported results and publish pairings, until cancelled or until the club stops.

        A database failure also ends the run; it is passed to the club's `on_failure`, and not raised.
        """
        try:
            async with aclosing(self._club.changes()) as changes:
                async for changed in changes:
                    if changed.results:
                        self._current = None  # an evening may have been deleted
                        self._take_results()
                    if changed.results or changed.tables - self._published.keys():
                        self._publish_pairings()
        except StoreFailed as error:
            self._club.on_failure(error)
        finally:
            await cancel_all(tuple(self._being_paired.values()))
            await self._pairing_worker.stop()

    # queries

    def add_players(self, listed: Sequence[tuple[str, int | None]]) -> int:
        """Add players to the club, all or none, and return how many are new.

        A name that the club has already, in whatever case, is skipped, and the stored rating of that player stays.

        Args:
            listed: the name and the rating of each player; the rating is `None` if unknown.

        Raises:
            PlayerKnown: a new name is listed twice.
        """
        known = {folded(player.name) for player in self.log.players()}
        new = [(name, rating) for name, rating in listed if folded(name) not in known]
        with self._club.store.together():
            for name, rating in new:
                self.log.add_player(name, rating)
        return len(new)

    def events(self) -> Sequence[HeldEvent]:
        """Return all events, the latest first, and cache each event."""
        return [self._hold(head) for head in self.log.heads()]

    def going_on(self) -> Sequence[HeldEvent]:
        """Return the events that have not ended, and the ended events that are cached; the latest event is first.

        Events are cached when they are first used, except by `of_evening`, and stay cached until `forget` is called.
        Two calls return the same tuple object only if none of its events has changed in between.
        """
        if self._current is None:
            going_on = {head.number for head in self.log.heads_of_open()} | set(self._cached)
            self._current = tuple(self._hold(head) for head in self.log.heads() if head.number in going_on)
        return self._current

    def of_evening(self, number: int) -> Sequence[HeldEvent]:
        """Return the events of an evening in the order in which they were made, without caching them."""
        heads = [head for head in reversed(self.log.heads()) if head.evening == number]
        return [self._cached.get(head.number) or self._read(head) for head in heads]

    def forget(self) -> None:
        """Drop all cached events; called after an evening was deleted, or a member forgotten, in the database."""
        self._cached.clear()
        self._current = None

    def event(self, number: int) -> HeldEvent:
        """Return the event with this number; raises NoSuchEvent."""
        return self._hold(self.log.head(number))

    def strangers(self, number: int) -> Sequence[StoredResult]:
        """Return those results of an event's matches that came from a table to which the match was never assigned.

        These results do not count.

        Raises:
            NoSuchEvent: there is no such event.
        """
        event = self.event(number).event
        told = self._club.store.results_of_pairings(_pairings(event))
        return [kept for kept in told if kept.user not in event.match(kept.outcome.pairing).tables]

    def results(self, number: int) -> Mapping[str, StoredResult]:
        """Return the result that counts for each finished match of an event, by the match's id; raises NoSuchEvent."""
        event = self.event(number).event
        counting = {
            told.match: match.seated.id for _, match in event.matches() if (told := counting_report(match)) is not None
        }
        kept_ones = self._club.store.results_of_pairings(counting.values())
        return {counting[kept.outcome.match]: kept for kept in kept_ones if kept.outcome.match in counting}

    def counting_seals(self) -> frozenset[str]:
        """Return the seals of the matches whose reports count in an event."""
        matches = (match for held in self.events() for _, match in held.event.matches())
        return frozenset(told.match for match in matches if (told := counting_report(match)) is not None)

    def tables_for(self, number: int) -> Sequence[str]:
        """Return the user names of the tables that are online and offer an event's game; raises NoSuchEvent.

        A table that has published no list of games counts as offering every game.
        """
        game = self.event(number).event.made.game
        there = [table for table in self._club.tables.all() if not table.is_away]
        return [table.user for table in there if not table.games or game in table.games]

    # the arbiter's actions

    def make(self, made: Made) -> int:
        """Make an event in the current evening and return its number; raises CannotBe if a setting is not allowed."""
        new_event(made)
        return self._hold(self.log.make(lambda _: [made], self._club.now_s())).number

    def make_of_report(self, text: str, made: Made) -> int:
        """Make an event from FIDE's Tournament Report File (TRF) and return its number; raises BadReport.

        Players are found by their FIDE ID or name; those whom the club does not have yet are added to it.

        Args:
            text: the TRF.
            made: the event's settings, as far as the TRF does not state them.
        """
        entries_of_trf(text, made, "")
        fide_ids = {number: line.fide_id for number, line in read_report(text).players.items()}
        with self._club.store.together():
            head = self.log.make(
                lambda prefix: self._with_own_players(entries_of_trf(text, made, prefix), fide_ids), self._club.now_s()
            )
        return self._hold(head).number

    def write(self, number: int, *entries: EventEntry) -> None:
        """Append entries to an event, all or none, and publish the changed pairings to the tables.

        Raises:
            NoSuchEvent: there is no such event.
            CannotBe: an entry cannot be added to the event, or a round of the event is being paired.
        """
        held = self.event(number)
        if held.is_being_paired:
            raise CannotBe(
                f"round {held.event.next_round} of {held.event.made.title!r} is being paired, and nothing else is "
                "changed meanwhile: try again when it is there"
            )
        event = held.event
        for entry in entries:
            event = event_after(event, entry)
        self.log.append(number, held.written, entries, self._club.now_s())
        self._cached[number] = replace(held, event=event, written=held.written + len(entries))
        self._current = None
        self._publish_pairings()

    def delete(self, number: int) -> None:
        """Delete an event that never had a paired round; raises NoSuchEvent, or CannotBe if it had one."""
        event = self.event(number).event
        if event.matches_made or number in self._being_paired:
            raise CannotBe(say("a round of {event} was paired: end it instead", repr(event.made.title)))
        self.log.delete(number)
        del self._cached[number]
        self._current = None

    def enter(self, number: int, *players: int, halves: int = 0) -> None:
        """Enter players of the club in an event, all or none.

        Args:
            number: the event's number.
            players: the players' numbers.
            halves: for how many of the rounds that they missed they get half a point each.

        Raises:
            NoSuchEvent, NoSuchPlayer: there is no such event or player.
            CannotBe: a player cannot enter.
        """
        found = map(self.log.player, players)
        entering = (Entered(player=each.number, name=each.name, rating=each.rating, halves=halves) for each in found)
        self.write(number, *entering)

    def enter_listed(self, number: int, listed: Sequence[tuple[str, int | None]], halves: int = 0) -> None:
        """Enter players by name in an event, all or none; those whom the club does not have yet are added to it.

        Who takes part already is skipped.

        Args:
            number: the event's number.
            listed: the name and the rating (`None` if unknown) of each player.
            halves: as in `enter`.

        Raises:
            NoSuchEvent: there is no such event.
            CannotBe: a player cannot enter, or everybody takes part already.
        """
        with self._club.store.together():
            self.add_players(listed)
            names, entrants = {folded(name) for name, _ in listed}, self.event(number).event.entrants
            known = [each.number for each in self.log.players() if folded(each.name) in names]
            new = [player for player in known if player not in entrants]
            if not new:
                raise CannotBe(say("all of these take part already: expected somebody who does not"))
            self.enter(number, *new, halves=halves)

    def by_hand(self, number: int, seats: Sequence[tuple[int, ...]]) -> tuple[EventEntry, ...]:
        """Return the entries that pair a round by hand: the last round, if none of its matches has begun, or the next.

        Players who are in none of the matches have a bye.

        Args:
            number: the event's number.
            seats: the players of each match, in seat order.

        Raises:
            NoSuchEvent: there is no such event.
            CannotBe: the round cannot be paired so.
        """
        held = self.event(number)
        event, dropped = held.event, tuple[EventEntry, ...]()
        if may_be_dropped(event):
            dropped = (RoundDropped(round=len(event.rounds)),)
            event = event_after(event, dropped[0])
        check_may_be_paired(event)
        matches = round_by_hand(event, seats, held.head.prefix)
        seated = {player for players in seats for player in players}
        byes = tuple(player for player in event.next_players if player not in seated)
        why = "; ".join(broken_rules(event, matches, byes))
        return (*dropped, RoundPaired(round=event.next_round, matches=matches, byes=byes, by_hand=True, why=why))

    def differing(self, player: ClubPlayer) -> Sequence[tuple[HeldEvent, Entrant]]:
        """Return the events that go on with a player under another name or rating, and what the player is there."""
        found = [(held, held.event.entrants.get(player.number)) for held in self.going_on() if not held.event.is_closed]
        return [
            (held, entrant)
            for held, entrant in found
            if entrant is not None and (entrant.name, entrant.rating) != (player.name, player.rating)
        ]

    def mend(self, number: int, player: int) -> None:
        """Carry a player's present name and rating into an event; raises NoSuchEvent, NoSuchPlayer or CannotBe."""
        found, entrant = self.log.player(player), self.event(number).event.entrants.get(player)
        was, was_rated = ("", None) if entrant is None else (entrant.name, entrant.rating)
        self.write(number, Mended(player=player, name=found.name, rating=found.rating, was=was, was_rated=was_rated))

    async def pair(self, number: int) -> None:
        """Pair the next round in a worker process, and write the pairing.

        If the event is being paired already, wait for that pairing. Pairing goes on if the caller is cancelled. Results
        that are reported during the pairing are taken in afterwards.

        Raises:
            NoSuchEvent: there is no such event.
            CannotPair: the next round cannot be paired, or the server stopped before it was paired; the event is
                unchanged.
        """
        pairing = self._being_paired.get(number)
        if pairing is None:
            check_may_be_paired(self.event(number).event)
            pairing = self._being_paired[number] = asyncio.ensure_future(self._pair(number))
            pairing.add_done_callback(lambda _: self._catch_up())
            self._mark(number)
        try:
            await asyncio.shield(pairing)
        except asyncio.CancelledError:
            if not pairing.cancelled():
                raise
            raise CannotPair("the club's server stopped before it was paired: pair it again") from None

    def publish(self, number: int) -> None:
        """Assign the open matches of the last paired round to online tables that offer the game, and publish the round.

        Raises:
            NoSuchEvent: there is no such event.
            CannotBe: no round is paired yet, a round is being paired now, or no table that offers the game is online.
        """
        event, tables = self.event(number).event, self.tables_for(number)
        if not event.rounds:
            raise CannotBe(say("no round is paired yet"))
        if not tables:
            raise CannotBe(say("no table is there at which this game can be played"))
        others = [held.event for held in self.going_on() if held.number != number]
        busy = {table: len(pairings) for table, pairings in offered_pairings(others).items()}
        round_number = event.rounds[-1].number
        tables_of = assign_tables(event, tables, busy)
        self.write(number, RoundPublished(round=round_number, at_s=int(self._club.now_s()), tables=tables_of))

    async def _pair(self, number: int) -> None:
        held = self.event(number)
        try:
            entries = [logged.entry for logged in self.log.entries(number)]
            paired = await self._pairing_worker.pair(entries, held.head.prefix)
        finally:
            del self._being_paired[number]
            self._mark(number)
        self.write(number, paired)

    def _mark(self, number: int) -> None:
        """Update `is_being_paired` of a cached event; do nothing if the event is not cached."""
        held = self._cached.get(number)
        if held is not None:
            self._cached[number] = replace(held, is_being_paired=number in self._being_paired)
            self._current = None

    # background work

    def _hold(self, head: EventHead) -> HeldEvent:
        held = self._cached.get(head.number)
        if held is None:
            held = self._cached[head.number] = self._read(head)
            self._current = None
        return held

    def _read(self, head: EventHead) -> HeldEvent:
        """Return an event read from the database."""
        logged = self.log.entries(head.number)
        event = event_of(each.entry for each in logged)
        return HeldEvent(head, event, len(logged), is_being_paired=head.number in self._being_paired)

    def _take_results(self) -> None:
        """Append entries to each current event for the new or changed results of its matches.

        Skip events that are being paired, and results from tables to which the match was never assigned.
        """
        for held in [held for held in self.going_on() if not held.is_being_paired]:
            new = [entry for entry in self._reported(held.event) if event_after(held.event, entry) != held.event]
            if new:
                self.write(held.number, *new)
                self._club.take_overlapping(report.match for report in new)

    def _catch_up(self) -> None:
        """Take in the results that tables reported while a round was paired.

        A database failure is passed to the club's `on_failure`.
        """
        try:
            self._take_results()
        except StoreFailed as error:
            self._club.on_failure(error)

    def _reported(self, event: ClubEvent) -> Sequence[Reported]:
        return [
            _report_of(kept)
            for kept in self._club.store.results_of_pairings(_pairings(event))
            if kept.user in event.match(kept.outcome.pairing).tables
        ]

    def _publish_pairings(self) -> None:
        """Publish to each table its current pairings if they differ from the pairings last published to it."""
        offers = offered_pairings([held.event for held in self.going_on()])
        for user in {table.user for table in self._club.tables.all()} | set(offers):
            pairings = Pairings(pairings=offers.get(user, ()))
            if self._published.get(user) != pairings:
                self._published[user] = pairings
                self._club.publish(user, pairings)

    def _with_own_players(self, entries: Sequence[EventEntry], fide_ids: Mapping[int, str]) -> Sequence[EventEntry]:
        """Return a report's entries with the club's players in place of the report's.

        Players are found by their FIDE ID, else by their name; those whom the club does not have yet are added.
        """
        numbers: dict[int, int] = {}
        renamed: list[EventEntry] = []
        for entry in entries:
            if isinstance(entry, Entered):
                player = self._own_player(entry, fide_ids[entry.player], numbers.values())
                numbers[entry.player] = player.number
                renamed.append(structs.replace(entry, name=player.name))
            else:
                renamed.append(entry)
        return [renumbered(entry, numbers) for entry in renamed]

    def _own_player(self, entry: Entered, fide_id: str, taken: Container[int]) -> ClubPlayer:
        """Return the club's player of a report's entry, who is added if there is none, those in `taken` aside."""
        players = [player for player in self.log.players() if player.number not in taken]
        by_id = [player for player in players if fide_id and player.ids.fide_id == fide_id]
        by_name = [each for each in players if each.name == entry.name and not (fide_id and each.ids.fide_id)]
        for player in (*by_id, *by_name):
            return player
        return self.log.add_player(entry.name, entry.rating, PlayerIds(fide_id=fide_id), is_another=True)


def _pairings(event: ClubEvent) -> list[str]:
    return [match.seated.id for _, match in event.matches()]


def _report_of(kept: StoredResult) -> Reported:
    """Convert a stored result to the event entry that reports it."""
    outcome = kept.outcome
    return Reported(
        pairing=outcome.pairing,
        match=outcome.match,
        rev=outcome.rev,
        seats=outcome.seats,
        ending=kept.ending,
        correction=0 if kept.correction is None else kept.correction.number,
        table=kept.user,
    )
