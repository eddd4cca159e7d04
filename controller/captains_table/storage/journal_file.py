"""The journal file: an append-only SQLite database of all matches of a table, whose entries survive a power cut.

The module begins and lists matches, stores and reads the entries of each match, and finds damaged entries. A
`MemoryJournal` holds the entries of a match that is not stored.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from captains_table.phrases import say
from captains_table.process.system_clock import current_wall_time
from captains_table.storage.club_ledger import ClubLedger
from captains_table.storage.journal_connection import JournalConnection, connect_journal
from captains_table.storage.schema import MIGRATIONS, JournalUnreadable, Migration, transaction
from captains_table.table.history.dice_stream import SEED_BYTES
from captains_table.table.model.codec import BadValue, tag_of
from captains_table.table.model.entries import JOURNAL_ENTRIES, Acted, Entry, MatchEnded, MatchStarted, NoSuchMatch

JOURNAL: Final = "journal.sqlite3"
"""The file's name in the folder of a table's state."""


@dataclass(frozen=True, slots=True)
class Damage:
    """The number of a match's first unreadable entry, counted from 0 as in `verify`, and why it cannot be read."""

    entry: int
    why: str


@dataclass(frozen=True, slots=True)
class DamagedMatch:
    """A match that cannot be resumed because one of its entries, or its row in the table of matches, is damaged.

    Attributes:
        number: the match's number.
        began: when the match began, ISO 8601; empty if the row is damaged.
        started: the match's first entry; `None` if that entry cannot be read.
        actions: how many actions precede the damage.
        damage: the first unreadable entry.
    """

    number: int
    began: str
    started: MatchStarted | None
    actions: int
    damage: Damage


def read_entries(rows: Iterable[tuple[int, object]]) -> tuple[list[Entry], Damage | None]:
    """Return the entries before the first unreadable one, and the damage, which is `None` if all can be read.

    A missing entry, and a first entry that is not the start of a match, count as unreadable.

    Args:
        rows: the position and text of each entry of one match, in order of position.
    """
    entries: list[Entry] = []
    for position, text in rows:
        place = len(entries)
        if position != place:
            return entries, Damage(place, f"it is missing: the next one there is has the number {position}")
        if not isinstance(text, str):  # a damaged page of the database may hold any other value
            return entries, Damage(place, f"it is no text: {text!r}")
        try:
            entry = JOURNAL_ENTRIES.from_text(text)
        except BadValue as error:
            return entries, Damage(place, str(error))
        if place == 0 and not isinstance(entry, MatchStarted):
            return entries, Damage(place, "it is not the start of a match")
        entries.append(entry)
    return entries, None if entries else Damage(0, "it is missing: nothing of the match is there")


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """The data of a match for a list of matches.

    Attributes:
        number: the number of the match.
        began: the date and time of the start, ISO 8601 with UTC offset.
        started: the journal's entry of the start.
        actions: the number of actions.
        ended: the journal's entry of the end; `None` while the match is not over.
    """

    number: int
    began: str
    started: MatchStarted
    actions: int
    ended: MatchEnded | None


class JournalFile:
    """All matches of a table in one file; `club` is the part that concerns the club.

    Args:
        path: the file.
        now: returns the current time, ISO 8601 with UTC offset.
        steps: the migrations up to the schema version that this program knows.
        has_lock: whether the caller has exclusive use of the file's directory. If not, a journal of an older version is
            upgraded only while no table works with it.

    Raises:
        JournalUnreadable: the file is no journal, is damaged, or was written by a newer program.
        JournalUnwritable: the file, its directory or its disk cannot be written.
        StateInUse: the journal must be upgraded, but a table works with it.
        StateUnusable: the journal must be upgraded, but the directory cannot be locked.
    """

    def __init__(
        self,
        path: Path,
        now: Callable[[], str] = current_wall_time,
        *,
        steps: Sequence[Migration] = MIGRATIONS,
        has_lock: bool = False,
    ) -> None:
        self.path = path
        self._now = now
        self._database = connect_journal(path, steps, has_lock=has_lock)
        self._files = JournalConnection(path, self._database)
        self.club = ClubLedger(self._files)
        self._examined: dict[int, int] = {}  # the last position of each match that was checked
        self._damaged: dict[int, DamagedMatch] = {}

    def close(self) -> None:
        self._database.close()

    def start(self, entry: MatchStarted, seed: bytes | None, pairing: str | None = None) -> "MatchJournal":
        """Begin a new match durably and return its journal.

        Args:
            entry: the match's first entry.
            seed: the seed of the match's dice; `None` if the dice are dictated.
            pairing: the id of the club's pairing for which the match is played; empty if the club has no pairing for
                the match; `None` if the match is not played at a club.

        Raises:
            JournalUnwritable: the journal cannot be written, or one of its files was moved or replaced.
        """
        began = self._now()
        with self._files.writing() as database, transaction(database):
            query = "INSERT INTO matches (began, seed) VALUES (?, ?) RETURNING number"
            [(number,)] = database.execute(query, (began, seed)).fetchall()
            insert_entry(database, number, 0, entry)
            if pairing is not None:
                database.execute("INSERT INTO club_matches VALUES (?, ?)", (number, pairing))
        return MatchJournal(self._files, number, began, seed, position=1)

    def open(self, number: int) -> "MatchJournal":
        """Return the journal of an existing match.

        Raises:
            NoSuchMatch: no match has this number.
            JournalUnreadable: the match's row is damaged.
        """
        rows = self._files.rows("SELECT began, seed FROM matches WHERE number = ?", number)
        if not rows:
            raise NoSuchMatch(say("no match has the number {number}", number))
        if not _is_whole(*rows[0]):
            raise JournalUnreadable(f"the row of match {number} is none that was written")
        return MatchJournal(self._files, number, *rows[0])

    def unfinished(self) -> list[int]:
        """Return the numbers of the unfinished matches, most recently played first."""
        query = """SELECT number FROM matches
                   WHERE NOT EXISTS (SELECT 1 FROM entries WHERE match = number AND kind = 'ended')
                   ORDER BY (SELECT id FROM entries WHERE match = number ORDER BY position DESC LIMIT 1) DESC"""
        return [int(number) for (number,) in self._files.rows(query)]

    def matches(self) -> list[MatchRecord]:
        """Return the matches, latest first, without those whose first entry or recorded end cannot be read."""
        ended = "(SELECT body FROM entries WHERE match = number AND kind = 'ended' ORDER BY id DESC LIMIT 1)"
        return self._records(f"{ended} FROM matches ORDER BY number DESC")

    def finished(self) -> list[MatchRecord]:
        """Return the matches with a recorded end, in the order in which they ended.

        A match is left out if its first entry or its recorded end cannot be read.
        """
        last = "(SELECT max(id) FROM entries WHERE match = number AND kind = 'ended')"
        return self._records(f"ended.body FROM matches JOIN entries AS ended ON ended.id = {last} ORDER BY ended.id")

    def _records(self, how_ended: str) -> list[MatchRecord]:
        """Return the records that a query finds.

        Args:
            how_ended: the last column of the query, and its FROM and ORDER BY clauses.
        """
        query = f"""SELECT number, began,
                       (SELECT body FROM entries WHERE match = number AND position = 0),
                       (SELECT count(*) FROM entries WHERE match = number AND kind = 'acted'), {how_ended}"""  # noqa: S608 - built of constants only
        return [record for row in self._files.rows(query) if (record := _record(*row)) is not None]

    def damaged(self) -> dict[int, DamagedMatch]:
        """Return the damaged matches, keyed by number.

        Entries never change. Therefore a match is examined again only if entries were added to it.
        """
        query = """SELECT number, ifnull(max(position), -1) FROM matches LEFT JOIN entries ON match = number
                   GROUP BY number"""
        for number, last in self._files.rows(query):
            if self._examined.get(number) != last:
                self._examine(number)
                self._examined[number] = last
        return dict(self._damaged)

    def _examine(self, number: int) -> None:
        try:
            journal = self.open(number)
        except JournalUnreadable as error:
            self._damaged[number] = DamagedMatch(number, "", None, 0, Damage(0, str(error)))
            return
        entries, damage = journal.readable()
        if damage is None:
            return
        started = entries[0] if entries else None
        self._damaged[number] = DamagedMatch(
            number,
            journal.began,
            started if isinstance(started, MatchStarted) else None,
            sum(isinstance(entry, Acted) for entry in entries),
            damage,
        )


class MatchJournal:
    """The history of one match in the journal file.

    Args:
        files: the open journal.
        number: the match's number.
        began: when the match began, ISO 8601 with UTC offset.
        seed: the seed of the match's dice; `None` if the dice are dictated.
        position: the number of entries; `None` if it must be read from the file when it is needed.
    """

    def __init__(
        self, files: JournalConnection, number: int, began: str, seed: bytes | None, position: int | None = None
    ) -> None:
        self.number = number
        self.began = began
        self.seed = seed
        self._files = files
        self._position = position  # of the next entry; `None`: not known yet

    def append(self, entry: Entry) -> None:
        """Write an entry durably.

        The entry is refused if another program has added entries to the match meanwhile. Thus two continuations of a
        match are never mixed.

        Raises:
            JournalUnwritable: the entry cannot be written, or a file of the journal was moved or replaced.
        """
        with self._files.writing() as database:
            position = self.count()
            insert_entry(database, self.number, position, entry)
        self._position = position + 1

    def count(self) -> int:
        """Return the number of entries; it is read from the file at most once."""
        if self._position is None:
            [(count,)] = self._files.rows("SELECT count(*) FROM entries WHERE match = ?", self.number)
            self._position = int(count)
        return self._position

    def entries(self) -> list[Entry]:
        """Return the entries in order; raises JournalUnreadable."""
        entries, damage = self.readable()
        if damage is not None:
            raise JournalUnreadable(f"entry {damage.entry} of match {self.number} cannot be read: {damage.why}")
        return entries

    def readable(self) -> tuple[list[Entry], Damage | None]:
        """Return the entries before the first unreadable one, and the damage, which is `None` if all can be read.

        Raises:
            JournalUnreadable: the file cannot be read at all.
        """
        query = "SELECT position, body FROM entries WHERE match = ? ORDER BY position"
        rows = self._files.rows(query, self.number)
        if self._position is None:
            self._position = len(rows)
        return read_entries(rows)


# --- rows -----------------------------------------------------------------------------------------------------------


def insert_entry(database: sqlite3.Connection, number: int, position: int, entry: Entry) -> None:
    """Insert the row of one entry; outside a transaction the row is durable when this returns."""
    row = (number, position, tag_of(entry), JOURNAL_ENTRIES.to_text(entry))
    database.execute("INSERT INTO entries (match, position, kind, body) VALUES (?, ?, ?, ?)", row)


def _is_whole(began: object, seed: object) -> bool:
    """Return whether a match's start time and seed, as read from a database that may be damaged, are valid."""
    return isinstance(began, str) and (seed is None or (isinstance(seed, bytes) and len(seed) == SEED_BYTES))


def _record(number: int, began: str, first: str | None, actions: int, last: str | None) -> MatchRecord | None:
    """Return the record of a match; `None` if its first entry or its recorded end cannot be read.

    Args:
        number: the match's number.
        began: when the match began.
        first: the text of the first entry.
        actions: the number of actions.
        last: the text of the recorded end; `None` if the match is not over.
    """
    if not all(isinstance(value, str | None) for value in (began, first, last)) or began is None:
        return None
    try:
        started = None if first is None else JOURNAL_ENTRIES.from_text(first)
        ended = None if last is None else JOURNAL_ENTRIES.from_text(last)
    except BadValue:
        return None
    if not isinstance(started, MatchStarted) or not isinstance(ended, MatchEnded | None):
        return None
    return MatchRecord(number, began, started, actions, ended)


class MemoryJournal:
    """The history of one match in memory."""

    def __init__(self, started: MatchStarted, began: str = "") -> None:
        self.began = began
        self._entries: list[Entry] = [started]

    def append(self, entry: Entry) -> None:
        self._entries.append(entry)

    def entries(self) -> list[Entry]:
        return list(self._entries)
