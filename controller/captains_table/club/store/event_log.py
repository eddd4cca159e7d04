"""Stores the club's players and the entries of its events in the club's database."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Final

from captains_table.club.events.entries import EVENT_ENTRIES, Closed, EventEntry, Reopened
from captains_table.club.store.store import Store
from captains_table.table.model.codec import tag_of

ENDING, REOPENING = (f'{{"entry":"{tag_of(entry)}"%' for entry in (Closed, Reopened))
"""The SQL patterns (LIKE) of the stored entries that end an event, and that open it again."""
_PLAYERS: Final = "SELECT number, name, rating FROM players"
_HEADS: Final = "SELECT number, evening, prefix FROM events"
_OPEN: Final = """
WHERE (SELECT total(body LIKE ?) - total(body LIKE ?) FROM event_entries WHERE event = events.number) = 0
ORDER BY number DESC
"""


def draw_prefix() -> str:
    """Return a random prefix for the ids of an event's matches; two events hardly ever get the same prefix."""
    return f"{token_hex(4)}-"


class PlayerKnown(ValueError):
    """A player of this name exists already."""


class NoSuchPlayer(LookupError):
    """The club has no player with this number."""


class NoSuchEvent(LookupError):
    """The club has no event with this number."""


@dataclass(frozen=True, slots=True)
class ClubPlayer:
    """A player of the club: number, name, and a rating that the arbiter entered (`None` if unknown)."""

    number: int
    name: str
    rating: int | None


@dataclass(frozen=True, slots=True)
class Logged:
    """An event's entry, and the time at which it was written (Unix seconds of the server's clock; for display only)."""

    at_s: float
    entry: EventEntry


@dataclass(frozen=True, slots=True)
class EventHead:
    """An event's number, the evening it belongs to, and the prefix of its matches' ids."""

    number: int
    evening: int
    prefix: str


class ClubEventLog:
    """The players and events in the club's database.

    Every write is durable on return. Within a block of `Store.together`, writes are durable when the block ends.

    Args:
        store: the club's database.
        draw_prefix: returns a new prefix for the ids of an event's matches at each call.
    """

    def __init__(self, store: Store, draw_prefix: Callable[[], str]) -> None:
        self._store = store
        self._database = store.database
        self._draw_prefix = draw_prefix

    # players

    def players(self) -> Sequence[ClubPlayer]:
        """Return all players, sorted by name."""
        return [ClubPlayer(*row) for row in self._database.execute(f"{_PLAYERS} ORDER BY name COLLATE NOCASE, name")]

    def player(self, number: int) -> ClubPlayer:
        """Return the player with this number; raises NoSuchPlayer."""
        for row in self._database.execute(f"{_PLAYERS} WHERE number = ?", (number,)):
            return ClubPlayer(*row)
        raise NoSuchPlayer(f"there is no player {number}: expected one of the list")

    def add_player(self, name: str, rating: int | None) -> ClubPlayer:
        """Add a player to the club; raises PlayerKnown if the name exists already."""
        inserting = "INSERT INTO players (name, rating) VALUES (?, ?) RETURNING number"
        try:
            [(number,)] = self._database.execute(inserting, (name, rating))
        except sqlite3.IntegrityError as error:
            raise PlayerKnown(f"{name} is on the list already") from error
        return ClubPlayer(number, name, rating)

    def change_player(self, number: int, name: str, rating: int | None) -> ClubPlayer:
        """Change a player's name and rating; events that the player has entered keep the old name and rating.

        Raises:
            NoSuchPlayer: there is no such player.
            PlayerKnown: another player has this name.
        """
        self.player(number)
        try:
            self._database.execute("UPDATE players SET name = ?, rating = ? WHERE number = ?", (name, rating, number))
        except sqlite3.IntegrityError as error:
            raise PlayerKnown(f"{name} is on the list already") from error
        return self.player(number)

    # events

    def heads(self) -> Sequence[EventHead]:
        """Return the heads of all events, the latest first."""
        return [EventHead(*row) for row in self._database.execute(f"{_HEADS} ORDER BY number DESC")]

    def heads_of_open(self) -> Sequence[EventHead]:
        """Return the heads of the events that have not ended, the latest first."""
        return [EventHead(*row) for row in self._database.execute(f"{_HEADS} {_OPEN}", (ENDING, REOPENING))]

    def head(self, number: int) -> EventHead:
        """Return the head of an event; raises NoSuchEvent."""
        for row in self._database.execute(f"{_HEADS} WHERE number = ?", (number,)):
            return EventHead(*row)
        raise NoSuchEvent(f"there is no event {number}: expected one of the list")

    def make(self, entries: Callable[[str], Sequence[EventEntry]], now_s: float) -> EventHead:
        """Make an event in the current evening; if there is no current evening, begin one.

        Args:
            entries: returns the event's first entries, given the prefix of its matches' ids.
            now_s: the time of writing, in Unix seconds.
        """
        with self._store.together():
            evening, prefix = self._store.evening_now(now_s).number, self._draw_prefix()
            inserting = "INSERT INTO events (evening, prefix) VALUES (?, ?) RETURNING number"
            [(number,)] = self._database.execute(inserting, (evening, prefix))
            self.append(number, 0, entries(prefix), now_s)
            return EventHead(number, evening, prefix)

    def append(self, number: int, position: int, entries: Sequence[EventEntry], now_s: float) -> None:
        """Append entries to an event, all or none.

        Args:
            number: the event's number.
            position: how many entries the event has already.
            entries: the new entries.
            now_s: the time of writing, in Unix seconds.
        """
        rows = [(number, position + place, now_s, EVENT_ENTRIES.to_text(entry)) for place, entry in enumerate(entries)]
        with self._store.together():
            self._database.executemany(
                "INSERT INTO event_entries (event, position, at_s, body) VALUES (?, ?, ?, ?)", rows
            )

    def entries(self, number: int) -> Sequence[Logged]:
        """Return all entries of an event, in order; raises NoSuchEvent."""
        self.head(number)
        rows = self._database.execute(
            "SELECT at_s, body FROM event_entries WHERE event = ? ORDER BY position", (number,)
        )
        return [Logged(at_s, EVENT_ENTRIES.from_text(body)) for at_s, body in rows]
