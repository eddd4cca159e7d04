"""The club's SQLite database: evenings, results with exports and proofs, and the arbiter's decisions.

The decisions are corrections, and the table that the wall shows large. When an evening is deleted, its events are
deleted too, and so are players who entered no other event. `event_log` reads and writes events and players.

Every write is durable on return, except in a `with` block of `together`. The writes in this block become durable when
the block ends.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from captains_table.club.season.season import ProvenMatch
from captains_table.club.store.arbiters import acting_arbiter
from captains_table.club.store.schema import open_store
from captains_table.phrases import as_english
from captains_table.reporting.messages import FinalScore, MatchReport
from captains_table.storage.schema import transaction

# The first query returns the players of an evening's events. The second deletes a player who is in no remaining event.
_ENTERED: Final = """
SELECT DISTINCT json_extract(body, '$.player') FROM event_entries JOIN events ON events.number = event
WHERE evening = ? AND json_extract(body, '$.entry') = 'entered'
"""
_FORGET_PLAYER: Final = """
DELETE FROM players WHERE number = ?1 AND NOT is_former AND NOT EXISTS (
    SELECT 1 FROM event_entries
    WHERE json_extract(body, '$.entry') = 'entered' AND json_extract(body, '$.player') = ?1
)
"""
# Entries in events of other evenings that report a match of this evening.
_TOLD: Final = """
SELECT event, position FROM event_entries JOIN events ON events.number = event
WHERE evening <> ?1 AND json_extract(body, '$.entry') = 'reported'
AND json_extract(body, '$.match') IN (SELECT match FROM results WHERE evening = ?1)
"""
FILE: Final = "club.sqlite3"
LONGEST_EVENING_S: Final = 18 * 3600.0
"""An evening that the arbiter did not end is over after this time: later results begin another."""
_OUTCOME: Final = msgspec.json.Decoder(MatchReport)
_REMEMBERED: Final = msgspec.json.Decoder(ProvenMatch)
_ENDING: Final = msgspec.json.Decoder(FinalScore | None)
_EVENINGS: Final = "SELECT number, title, began_s, ended_s FROM evenings"
_OF_MATCHES: Final = "WHERE match IN (SELECT value FROM json_each(?)) ORDER BY number"
_CORRECTIONS: Final = "SELECT number, match, was, ending, why, at_s, arbiter FROM corrections"
_EVERY: Final = "SELECT receipt, evening, match, user, outcome, received_s, proof, proof_words, remembered FROM results"
_OF_HIGHEST_REVISION: Final = "WHERE rev = (SELECT max(rev) FROM results AS others WHERE others.match = results.match)"
_HIGHEST: Final = f"{_EVERY} {_OF_HIGHEST_REVISION}"
# Matches whose time overlaps that of another match of their table. A match that its export proves, or that the arbiter
# took or corrected, is not among them, but others may overlap it.
_OVERLAPPING: Final = """
SELECT match FROM (
    SELECT match, proof, began_s < max(ended_s) OVER earlier OR ended_s > lead(began_s) OVER ordered AS overlaps
    FROM results
    WHERE evening IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR user IN (SELECT value FROM json_each(?2)))
    AND rev = (SELECT max(rev) FROM results AS others WHERE others.match = results.match)
    WINDOW ordered AS (PARTITION BY evening, user ORDER BY began_s, ended_s),
        earlier AS (ordered ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
WHERE overlaps AND proof <> 'proven'
AND match NOT IN (SELECT match FROM taken_matches) AND match NOT IN (SELECT match FROM corrections)
"""
_TAKE: Final = """
INSERT OR IGNORE INTO taken_matches (match, evening) SELECT match, evening FROM results WHERE match = ?
"""
# The oldest export to verify of the table with the fewest that failed this evening: junk delays its own table alone.
_TO_PROVE: Final = """
SELECT receipt, outcome, export FROM results WHERE receipt = (
    SELECT receipt FROM (
        SELECT user, evening, min(receipt) AS receipt FROM results WHERE proof = 'pending' GROUP BY user
    ) AS oldest
    ORDER BY (
        SELECT count(*) FROM results AS failed
        WHERE failed.evening = oldest.evening AND failed.user = oldest.user AND failed.proof = 'failed'
    ), receipt LIMIT 1
)
"""
_UNPROVEN_BYTES: Final = """
SELECT coalesce(sum(length(export)), 0), coalesce(sum(length(export)) FILTER (WHERE user = ?2), 0) FROM results
WHERE evening = ?1 AND proof <> 'proven' AND length(export) > 0
"""
MOST_BYTES: Final = 1 << 29
MOST_BYTES_OF_TABLE: Final = 1 << 24
"""How many bytes of unproven exports are stored of one evening: of all tables, and of one. A match takes some 10 kB."""
LEAST_MATCH_S: Final = 10.0
"""The shortest time for which a match is taken to have been played, whatever its table says."""
_OF_PAIRINGS: Final = "AND pairing <> '' AND pairing IN (SELECT value FROM json_each(?)) ORDER BY receipt"
StoreFailed = sqlite3.Error
"""The exception that every method raises if the disk is full or returns errors."""


class Proof(StrEnum):
    """The state of verification of the match export that a table sent with a result."""

    NONE = "none"  # there is no export
    PENDING = "pending"  # it has not been verified yet
    PROVEN = "proven"
    FAILED = "failed"  # it does not prove this result: it counts for no season


@dataclass(frozen=True, slots=True)
class Correction:
    """The arbiter's correction of how a match ended.

    A correction never changes, and is deleted only together with its evening.

    Attributes:
        number: the number of the correction in the club, from 1.
        match: the seal of the match.
        was: the ending before the correction; `None` if the match was abandoned.
        ending: the corrected ending; `None` if the match was abandoned.
        why: the arbiter's reason.
        at_s: the time in Unix seconds of the server's clock.
        arbiter: who corrected it; empty if that is not known.
    """

    number: int
    match: str
    was: FinalScore | None
    ending: FinalScore | None
    why: str
    at_s: float
    arbiter: str = ""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The stored result of a match: the highest revision that its table reported.

    Attributes:
        receipt: the number of the revision in the order in which the club received revisions of any match, from 1.
        user: the user name of the table that reported the match.
        evening: the number of the evening to which the match belongs.
        outcome: the reported outcome, without the export.
        received_s: the time of receipt in Unix seconds of the server's clock, which is only displayed.
        proof: the state of the export's verification.
        proof_words: in words, what the export proves, or why it proves nothing; empty if it was never verified.
        correction: the arbiter's latest correction; `None` if there is none.
        remembered: the facts about the match that its export proves; `None` unless the export is proven.
        is_held: whether it is on neither the wall nor a hall of fame until the arbiter takes it, because its match
            overlaps another of its table.
    """

    receipt: int
    user: str
    evening: int
    outcome: MatchReport
    received_s: float
    proof: Proof
    proof_words: str = ""
    correction: Correction | None = None
    remembered: ProvenMatch | None = None
    is_held: bool = False

    @property
    def ending(self) -> FinalScore | None:
        """The ending of the match, after the arbiter's correction if any; `None` if the match was abandoned."""
        return self.outcome.ending if self.correction is None else self.correction.ending


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the club: the session to which each result and each event belongs.

    Attributes:
        number: its number, from 1.
        title: its name.
        began_s: when the evening began, in Unix seconds of the server's clock: when the arbiter began it, or else when
            its first result or event was stored.
        ended_s: when this evening ended because the next one began; `None` if this is the last evening.
    """

    number: int
    title: str
    began_s: float
    ended_s: float | None = None


def forget_evening(database: sqlite3.Connection, number: int) -> None:
    """Delete an evening with its results, corrections and events, and remove all references to them.

    Players of the deleted events who were entered in no other event are deleted too, but not former members, so that
    their names are replaced in results that arrive later. In events of other evenings, the
    reports of matches of the deleted evening are removed, so that the results of these matches are open again.

    Args:
        database: the connection to the club's file, within a transaction.
        number: the evening's number.
    """
    entered = database.execute(_ENTERED, (number,)).fetchall()
    told: dict[int, set[int]] = {}
    for event, position in database.execute(_TOLD, (number,)).fetchall():
        told.setdefault(event, set()).add(position)
    for event, positions in told.items():
        _write_without(database, event, positions)
    database.execute("DELETE FROM evenings WHERE number = ?", (number,))
    database.executemany(_FORGET_PLAYER, entered)


def _write_without(database: sqlite3.Connection, event: int, positions: set[int]) -> None:
    """Remove the entries at some positions of an event's log.

    The event is deleted and inserted again, because the database does not allow the deletion of single entries.
    """
    head = database.execute("SELECT number, evening, prefix FROM events WHERE number = ?", (event,)).fetchone()
    entries = database.execute(
        "SELECT position, at_s, body, arbiter FROM event_entries WHERE event = ? ORDER BY position", (event,)
    ).fetchall()
    kept = [row for position, *row in entries if position not in positions]
    database.execute("DELETE FROM events WHERE number = ?", (event,))
    database.execute("INSERT INTO events (number, evening, prefix) VALUES (?, ?, ?)", head)
    database.executemany(
        "INSERT INTO event_entries (event, position, at_s, body, arbiter) VALUES (?, ?, ?, ?, ?)",
        [(event, place, *row) for place, row in enumerate(kept)],
    )


class NoSuch(LookupError):
    """The club has nothing of this number or name: the base class of errors that say what is missing."""


class NoSuchResult(NoSuch):
    """The club has no result of the match with this seal."""


class NoSuchEvening(NoSuch):
    """The club has no evening with this number."""


class Store:
    """The club's database. It must be closed.

    Args:
        folder: the folder of the file. It must exist, and no other process may use it; the file is made if it is
            missing.

    Attributes:
        folder: the folder of the file.
        database: the connection, for other modules that have tables in the same file.

    Raises:
        StoreUnusable: the file cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = open_store(folder / FILE)

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Open a transaction for all writes in the block; a nested block joins the outer transaction."""
        with nullcontext() if self.database.in_transaction else transaction(self.database):
            yield

    # evenings

    def evenings(self) -> Sequence[Evening]:
        """Return all evenings, the latest first."""
        return [Evening(*row) for row in self.database.execute(f"{_EVENINGS} ORDER BY number DESC")]

    def evening(self, number: int) -> Evening:
        """Return an evening; raises NoSuchEvening."""
        for row in self.database.execute(f"{_EVENINGS} WHERE number = ?", (number,)):
            return Evening(*row)
        raise NoSuchEvening(f"there is no evening {number}: expected a number from the list of evenings")

    def evening_now(self, now_s: float) -> Evening:
        """Return the current evening, that is, the latest one, if it began less than 18 hours ago and has not ended.

        Otherwise begin an evening that is named after the date, and return it.
        """
        latest = next(iter(self.evenings()), None)
        if latest is not None and latest.ended_s is None and now_s - latest.began_s < LONGEST_EVENING_S:
            return latest
        return self.begin_evening(f"{datetime.fromtimestamp(now_s).astimezone():%Y-%m-%d}", now_s)

    def begin_evening(self, title: str, now_s: float) -> Evening:
        """Begin an evening, and end the current one."""
        with self.together():
            self.database.execute("UPDATE evenings SET ended_s = ? WHERE ended_s IS NULL", (now_s,))
            inserting = "INSERT INTO evenings (title, began_s) VALUES (?, ?) RETURNING number"
            [(number,)] = self.database.execute(inserting, (title, now_s))
            return Evening(number, title, now_s)

    def delete_evening(self, number: int) -> None:
        """Delete an evening as `forget_evening` does, and rewrite the file, so that no trace of the evening is left.

        Raises:
            NoSuchEvening: there is no such evening.
        """
        self.evening(number)
        with self.together():
            forget_evening(self.database, number)
        self.rewrite_file()

    def rewrite_file(self) -> None:
        """Rewrite the file and empty its log, so that nothing is left in it of what was deleted."""
        self.database.execute("VACUUM")
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # the wall

    def shown_large(self) -> str:
        """Return the user name of the table that the arbiter chose to show large; empty if the wall chooses."""
        found = self.database.execute("SELECT user FROM shown_large").fetchone()
        return "" if found is None else str(found[0])

    def show_large(self, user: str) -> None:
        """Store which table the club's wall page shows large; with an empty user name, the page chooses a table."""
        with self.together():
            self.database.execute("DELETE FROM shown_large")
            if user:
                self.database.execute("INSERT INTO shown_large (number, user) VALUES (1, ?)", (user,))

    def overlay_secrets(self) -> dict[str, str]:
        """Return the secrets in the addresses of overlays, by the user names of their tables."""
        return dict(self.database.execute("SELECT user, secret FROM overlays"))

    def renew_overlay(self, user: str, secret: str) -> None:
        """Store a new secret for a table's overlay; the old one opens nothing any more."""
        self.database.execute("INSERT OR REPLACE INTO overlays (user, secret) VALUES (?, ?)", (user, secret))

    # results

    def add_result(
        self, user: str, outcome: MatchReport, export: bytes, now_s: float, *, of_event: bool = False
    ) -> None:
        """Store a revision of a match's result.

        The revision belongs to the evening of the match's earlier revisions, or else to the current evening. If the
        evening's unproven exports would exceed their limit, the result is stored without its export; the proof's words
        say so.

        Args:
            user: the table's user name.
            outcome: the reported outcome, without the export.
            export: the deflated export; empty if the table sent none.
            now_s: the time of arrival, in Unix seconds.
            of_event: whether the club has the match played at this table: then the limit does not apply, and the result
                counts even if its match overlaps another of the table.
        """
        with self.together():
            found = self.database.execute("SELECT evening FROM results WHERE match = ?", (outcome.match,)).fetchone()
            evening = self.evening_now(now_s).number if found is None else found[0]
            words = "" if of_event else self._too_much(evening, user, len(export))
            kept = b"" if words else export
            told = evening, outcome.match, outcome.rev, user, outcome.pairing, encoded(outcome), kept, now_s
            proof = Proof.PENDING if kept else Proof.NONE
            self.database.execute(
                "INSERT INTO results (evening, match, rev, user, pairing, outcome, export, received_s, proof,"
                " proof_words, began_s, ended_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*told, proof, words, *_played(outcome, now_s)),
            )
            if of_event:
                self.take_overlapping([outcome.match])

    def _too_much(self, evening: int, user: str, size: int) -> str:
        """Return in words why an export of this size is not stored; empty if there is room for it."""
        if not size:
            return ""
        [(of_all, of_table)] = self.database.execute(_UNPROVEN_BYTES, (evening, user))
        for told, most, whose in ((of_table, MOST_BYTES_OF_TABLE, "this table"), (of_all, MOST_BYTES, "all tables")):
            if told + size > most:
                return (
                    f"its export of {size:,} bytes was not kept: of {whose} there are {told:,} bytes of exports of "
                    f"this evening that prove nothing; expected at most {most:,}"
                )
        return ""

    def revisions(self, match: str) -> Sequence[tuple[str, MatchReport, bytes | None]]:
        """Return all stored revisions of a match in the order of receipt.

        Each revision is a tuple: the table's user name, the outcome, and the deflated export (empty if the table sent
        none, `None` if it was not kept).
        """
        rows = self.database.execute(
            "SELECT user, outcome, export, proof = 'none' AND proof_words <> '' FROM results WHERE match = ?"
            " ORDER BY receipt",
            (match,),
        )
        return [(user, _OUTCOME.decode(outcome), None if lacks else export) for user, outcome, export, lacks in rows]

    def received_since(self, user: str, since_s: float) -> Sequence[StoredResult]:
        """Return all revisions that a table reported since a time in Unix seconds, in the order of receipt."""
        return self._kept(f"{_EVERY} WHERE user = ? AND received_s >= ? ORDER BY receipt", (user, since_s))

    def overlapping(self, evenings: Iterable[int], users: Iterable[str] | None = None) -> frozenset[str]:
        """Return the seals of the matches that do not count because they overlap another match of their table.

        Args:
            evenings: the numbers of the evenings to look at.
            users: the user names of the tables to look at; `None` for all.
        """
        wanted = [
            None if values is None else msgspec.json.encode(list(values)).decode() for values in (evenings, users)
        ]
        return frozenset(match for (match,) in self.database.execute(_OVERLAPPING, wanted))

    def take_overlapping(self, matches: Iterable[str]) -> None:
        """Let matches count even if they overlap another match of their table; unknown matches are ignored."""
        with self.together():
            self.database.executemany(_TAKE, [(match,) for match in matches])

    def results(self, evening: int | None = None, after: int = 0) -> Sequence[StoredResult]:
        """Return the results of an evening, or of all evenings, each in its highest revision, in the order of receipt.

        Args:
            evening: the evening's number; `None` for all evenings.
            after: a receipt; only results with a higher receipt are returned.
        """
        if evening is None:
            return self._kept(f"{_HIGHEST} AND receipt > ? ORDER BY receipt", (after,))
        return self._kept(f"{_HIGHEST} AND receipt > ? AND evening = ? ORDER BY receipt", (after, evening))

    def result(self, match: str) -> StoredResult:
        """Return the highest revision of a match's result; raises NoSuchResult."""
        for found in self._kept(f"{_HIGHEST} AND match = ?", (match,)):
            return found
        raise NoSuchResult(f"there is no result of a match {match[:8]}…: expected the seal of one that was told")

    def results_of_pairings(self, pairings: Iterable[str]) -> Sequence[StoredResult]:
        """Return the results of the matches with these pairing ids, of all tables, in the order of receipt.

        Only the highest revision of each result is returned. None is marked as held, as events count it anyway.
        """
        wanted = (msgspec.json.encode(list(pairings)).decode(),)
        return self._kept(f"{_HIGHEST} {_OF_PAIRINGS}", wanted, finds_held=False)

    def _kept(self, query: str, values: Sequence[object], *, finds_held: bool = True) -> Sequence[StoredResult]:
        rows = self.database.execute(query, tuple(values)).fetchall()
        corrections = self._last_corrections([row[2] for row in rows])
        held = self.overlapping({row[1] for row in rows}, {row[3] for row in rows}) if rows and finds_held else ()
        return [
            StoredResult(
                receipt,
                user,
                evening,
                _OUTCOME.decode(outcome),
                received_s,
                Proof(proof),
                words,
                corrections.get(match),
                _REMEMBERED.decode(remembered) if remembered else None,
                match in held,
            )
            for receipt, evening, match, user, outcome, received_s, proof, words, remembered in rows
        ]

    def export(self, match: str) -> bytes:
        """Return the deflated export of a match's highest revision; empty if it has none. Raises NoSuchResult."""
        receipt = self.result(match).receipt
        [(export,)] = self.database.execute("SELECT export FROM results WHERE receipt = ?", (receipt,))
        return bytes(export)

    # proofs

    def to_prove(self) -> tuple[int, MatchReport, bytes] | None:
        """Return the receipt, the outcome and the deflated export of a revision that waits to be verified.

        It is the oldest of its table; the table with the fewest failed exports this evening comes first. Return `None`
        if no revision waits.
        """
        found = self.database.execute(_TO_PROVE).fetchone()
        return None if found is None else (found[0], _OUTCOME.decode(found[1]), found[2])

    def note_proof(self, receipt: int, words: str, remembered: ProvenMatch | None = None) -> None:
        """Store what the verification of an export found; do nothing if the export was deleted in the meantime.

        Args:
            receipt: the receipt of the revision with which the export came.
            words: what the export proves, or why it proves nothing.
            remembered: the facts about the match; `None` if the export proves nothing.
        """
        proof, written = Proof.FAILED, b""
        if remembered is not None:
            proof, written = Proof.PROVEN, encoded(remembered)
        self.database.execute(
            "UPDATE results SET proof = ?, proof_words = ?, remembered = ? WHERE receipt = ? AND proof = 'pending'",
            (proof, words, written, receipt),
        )

    # corrections

    def correct(self, match: str, ending: FinalScore | None, why: str, now_s: float) -> Correction:
        """Store and return a correction of how a match ended (`None`: it was abandoned); raises NoSuchResult."""
        with self.together():
            kept = self.result(match)
            said = why, now_s, acting_arbiter()
            values = kept.evening, match, encoded(kept.ending), encoded(ending), *said
            [(number,)] = self.database.execute(
                "INSERT INTO corrections (evening, match, was, ending, why, at_s, arbiter) VALUES (?, ?, ?, ?, ?, ?, ?)"
                " RETURNING number",
                values,
            )
            return Correction(number, match, kept.ending, ending, *said)

    def corrections(self, evening: int | None = None) -> Sequence[Correction]:
        """Return the corrections of the results of an evening, or of all evenings (`None`), the oldest first."""
        chosen = f"{_CORRECTIONS} WHERE ?1 IS NULL OR evening = ?1 ORDER BY number"
        return [_correction(row) for row in self.database.execute(chosen, (evening,))]

    def _last_corrections(self, matches: Iterable[str]) -> dict[str, Correction]:
        rows = self.database.execute(f"{_CORRECTIONS} {_OF_MATCHES}", (msgspec.json.encode(list(matches)).decode(),))
        return {correction.match: correction for correction in map(_correction, rows)}


def _played(outcome: MatchReport, received_s: float) -> tuple[float, float]:
    """Return when a match began and ended by its table's clock, in Unix seconds, at least `LEAST_MATCH_S` apart.

    If the table reported no times, or the end before the beginning, the match ended when the report was received.
    """
    try:
        began_s, ended_s = (datetime.fromisoformat(told).timestamp() for told in (outcome.began, outcome.ended))
    except (ValueError, OverflowError):
        began_s, ended_s = received_s, received_s
    if ended_s < began_s:
        began_s, ended_s = received_s, received_s
    return min(began_s, ended_s - LEAST_MATCH_S), ended_s


def _correction(row: tuple[int, str, bytes, bytes, str, float, str]) -> Correction:
    number, match, was, ending, why, at_s, arbiter = row
    return Correction(number, match, _ENDING.decode(was), _ENDING.decode(ending), why, at_s, arbiter)


def encoded(value: object) -> bytes:
    """Return a value as JSON; phrases in it are written in English."""
    return msgspec.json.encode(value, enc_hook=as_english)
