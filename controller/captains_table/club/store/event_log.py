"""Stores the club's players and the entries of its events in the club's database."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Final, NamedTuple

from captains_table.club.events.entries import EVENT_ENTRIES, Closed, EventEntry, Reopened, Reported
from captains_table.club.store.arbiters import acting_arbiter
from captains_table.club.store.store import NoSuch, Store
from captains_table.phrases import say
from captains_table.table.model.codec import tag_of

ENDING, REOPENING = (f'{{"entry":"{tag_of(entry)}"%' for entry in (Closed, Reopened))
"""The SQL patterns (LIKE) of the stored entries that end an event, and that open it again."""
_PLAYERS: Final = (
    "SELECT number, name, rating, own_name, club_number, national_id, fide_id FROM players WHERE NOT is_former"
)
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


class NumberTaken(ValueError):
    """Another player has this number of the club, the national federation or FIDE; the message says who."""


class NoSuchPlayer(NoSuch):
    """The club has no player with this number."""


class NoSuchEvent(NoSuch):
    """The club has no event with this number."""


class PlayerIds(NamedTuple):
    """The numbers of a player: in the club, in the national federation and in FIDE; empty if unknown."""

    club_number: str = ""
    national_id: str = ""
    fide_id: str = ""


NO_IDS: Final = PlayerIds()


@dataclass(frozen=True, slots=True)
class ClubPlayer:
    """A player of the club.

    Attributes:
        number: the player's number in this file.
        name: the name in events and at tables, which no other player has: `own_name`, followed by the number if another
            player had that name first.
        rating: a rating that the arbiter entered; `None` if unknown.
        own_name: the name as it was entered.
        ids: the player's other numbers.
    """

    number: int
    name: str
    rating: int | None
    own_name: str
    ids: PlayerIds = NO_IDS


@dataclass(frozen=True, slots=True)
class Logged:
    """An event's entry, with when and by whom it was written.

    Attributes:
        at_s: the time in Unix seconds of the server's clock, for display only.
        entry: the entry.
        arbiter: who wrote it; empty for what a table reported, and if that is not known.
    """

    at_s: float
    entry: EventEntry
    arbiter: str = ""


@dataclass(frozen=True, slots=True)
class EventHead:
    """An event's number, the evening it belongs to, and the prefix of its matches' ids."""

    number: int
    evening: int
    prefix: str


def folded(name: str) -> str:
    """Return a name in the form by which names are compared, whatever their case, spaces and form of Unicode."""
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


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
        """Return all players, sorted by name, without former members."""
        return list(map(_player, self._database.execute(f"{_PLAYERS} ORDER BY name COLLATE NOCASE, name")))

    def player(self, number: int) -> ClubPlayer:
        """Return the player with this number; raises NoSuchPlayer."""
        for row in self._database.execute(f"{_PLAYERS} AND number = ?", (number,)):
            return _player(row)
        raise NoSuchPlayer(say("there is no player {number}: expected one of the list", number))

    def former_members(self) -> Sequence[tuple[int, str]]:
        """Return the number of each former member, and what stands in place of the name."""
        return self._database.execute("SELECT number, name FROM players WHERE is_former ORDER BY number").fetchall()

    def add_player(
        self, name: str, rating: int | None, ids: PlayerIds = NO_IDS, *, is_another: bool = False
    ) -> ClubPlayer:
        """Add a player to the club; raises PlayerKnown if the name exists already, unless `is_another`.

        Args:
            name: the player's name.
            rating: the player's rating; `None` if unknown.
            ids: the player's other numbers.
            is_another: whether the player may have the name of another one, and is then told apart by the number.
        """
        with self._store.together():
            inserting = "INSERT INTO players (name, own_name) VALUES (hex(randomblob(16)), '') RETURNING number"
            [(number,)] = self._database.execute(inserting).fetchall()
            return self.change_player(number, name, rating, ids, is_another=is_another)

    def change_player(
        self, number: int, name: str, rating: int | None, ids: PlayerIds = NO_IDS, *, is_another: bool = False
    ) -> ClubPlayer:
        """Change a player's name, rating and numbers; events that the player has entered keep name and rating.

        Raises:
            NoSuchPlayer: there is no such player.
            PlayerKnown: another player has this name, and not `is_another`.
            NumberTaken: another player has one of the numbers.
        """
        with self._store.together():
            known = self.player(number)
            for other in self.players():
                taken = [mine for mine, its in zip(ids, other.ids, strict=True) if mine and mine == its]
                if taken and other.number != number:
                    raise NumberTaken(say("{name} has the number {number} already", other.name, taken[0]))
            is_same = name == known.own_name
            shown = known.name if is_same else self._told_apart(number, name, is_another=is_another)
            self._database.execute(
                "UPDATE players SET name = ?, own_name = ?, rating = ?, club_number = ?, national_id = ?, fide_id = ?"
                " WHERE number = ?",
                (shown, name, rating, *ids, number),
            )
            return self.player(number)

    def _told_apart(self, number: int, name: str, *, is_another: bool) -> str:
        """Return a name that no other player has, with the player's number if that is needed; raises PlayerKnown."""
        asked = "SELECT name FROM players WHERE number <> ?"
        others = {folded(shown): shown for (shown,) in self._database.execute(asked, (number,))}
        known, numbered = others.get(folded(name)), f"{name} ({number})"
        if known is not None and (folded(numbered) in others or not is_another):
            raise PlayerKnown(say("{name} is on the list already", known))
        return name if known is None else numbered

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
        raise NoSuchEvent(say("there is no event {number}: expected one of the list", number))

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

    def delete(self, number: int) -> None:
        """Delete an event with its entries; its number is not used again."""
        self._database.execute("DELETE FROM events WHERE number = ?", (number,))

    def append(self, number: int, position: int, entries: Sequence[EventEntry], now_s: float) -> None:
        """Append entries to an event, all or none; they name the acting arbiter, unless a table reported them.

        Args:
            number: the event's number.
            position: how many entries the event has already.
            entries: the new entries.
            now_s: the time of writing, in Unix seconds.
        """
        rows = [
            (
                *(number, position + place, now_s, EVENT_ENTRIES.to_text(entry)),
                "" if isinstance(entry, Reported) else acting_arbiter(),
            )
            for place, entry in enumerate(entries)
        ]
        with self._store.together():
            self._database.executemany(
                "INSERT INTO event_entries (event, position, at_s, body, arbiter) VALUES (?, ?, ?, ?, ?)", rows
            )

    def entries(self, number: int) -> Sequence[Logged]:
        """Return all entries of an event, in order; raises NoSuchEvent."""
        self.head(number)
        rows = self._database.execute(
            "SELECT at_s, body, arbiter FROM event_entries WHERE event = ? ORDER BY position", (number,)
        )
        return [Logged(at_s, EVENT_ENTRIES.from_text(body), arbiter) for at_s, body, arbiter in rows]


def _player(row: tuple[int, str, int | None, str, str, str, str]) -> ClubPlayer:
    number, name, rating, own_name, *ids = row
    return ClubPlayer(number, name, rating, own_name, PlayerIds(*ids))
