"""What the club keeps of its evenings, in one SQLite file that one server writes.

Whatever returns has been made durable before, unless it stands within `together`: then it is durable after that.
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
from captains_table.club.store.schema import open_store
from captains_table.reporting.messages import Ending, Outcome
from captains_table.storage.schema import transaction

# Players who were entered in the events of an evening; and how one is forgotten who is entered in no other.
_ENTERED: Final = """
SELECT DISTINCT json_extract(body, '$.player') FROM event_entries JOIN events ON events.number = event
WHERE evening = ? AND json_extract(body, '$.entry') = 'entered'
"""
_FORGET_PLAYER: Final = """
DELETE FROM players WHERE number = ?1 AND NOT EXISTS (
    SELECT 1 FROM event_entries
    WHERE json_extract(body, '$.entry') = 'entered' AND json_extract(body, '$.player') = ?1
)
"""
# What events of other evenings were told by results of this one.
_TOLD: Final = """
SELECT event, position FROM event_entries JOIN events ON events.number = event
WHERE evening <> ?1 AND json_extract(body, '$.entry') = 'reported'
AND json_extract(body, '$.match') IN (SELECT match FROM results WHERE evening = ?1)
"""
FILE: Final = "club.sqlite3"
LONGEST_EVENING_S: Final = 18 * 3600.0
"""An evening that nobody ended is over by then: what comes later begins another."""
_OUTCOME: Final = msgspec.json.Decoder(Outcome)
_REMEMBERED: Final = msgspec.json.Decoder(ProvenMatch)
_ENDING: Final = msgspec.json.Decoder(Ending | None)
_EVENINGS: Final = "SELECT number, title, began_s, ended_s FROM evenings"
_OF_MATCHES: Final = "WHERE match IN (SELECT value FROM json_each(?)) ORDER BY number"
_CORRECTIONS: Final = "SELECT number, match, was, ending, why, at_s FROM corrections"
# The highest revision of each match.
_HIGHEST: Final = """
SELECT receipt, evening, match, user, outcome, received_s, proof, proof_words, remembered FROM results
WHERE rev = (SELECT max(rev) FROM results AS others WHERE others.match = results.match)
"""
_OF_PAIRINGS: Final = "AND pairing <> '' AND pairing IN (SELECT value FROM json_each(?)) ORDER BY receipt"
StoreFailed = sqlite3.Error
"""What every method raises where the disk takes no more, or gives back what it was not given."""


class Proof(StrEnum):
    """What the export that came with a result was found to be."""

    NONE = "none"  # there came none
    PENDING = "pending"  # it has not been verified yet
    PROVEN = "proven"
    FAILED = "failed"  # it does not prove this result: it counts for no season


@dataclass(frozen=True, slots=True)
class Correction:
    """What the arbiter set right of a match, logged for good.

    Attributes:
        number: counts the corrections, from 1.
        match: the seal of the match.
        was: how it had ended before; `None`: it was left for good.
        ending: how it ended, in place of that.
        why: the arbiter's words.
        at_s: when, in Unix seconds of the server's clock.
    """

    number: int
    match: str
    was: Ending | None
    ending: Ending | None
    why: str
    at_s: float


@dataclass(frozen=True, slots=True)
class KeptResult:
    """The result of a match as the club keeps it: the highest revision that was told.

    Attributes:
        receipt: counts what was received, from 1; the order of results is this.
        user: the table that told it: its word the result is.
        evening: the number of the evening it belongs to.
        outcome: what was told, without the export.
        received_s: when, in Unix seconds of the server's clock; only for people.
        proof: what the export was found to be.
        proof_words: why it proves nothing, or what it proves.
        correction: the arbiter's last word on it, `None` where he said nothing.
        remembered: what its export says of the match, where it was proven.
    """

    receipt: int
    user: str
    evening: int
    outcome: Outcome
    received_s: float
    proof: Proof
    proof_words: str = ""
    correction: Correction | None = None
    remembered: ProvenMatch | None = None

    @property
    def ending(self) -> Ending | None:
        """How the match ended: as the arbiter says where he said something; `None`: it was left for good."""
        return self.outcome.ending if self.correction is None else self.correction.ending


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the club.

    Attributes:
        number: by which it is known.
        title: what it is called.
        began_s: when its first result came, or the arbiter began it, in Unix seconds of the server's clock.
        ended_s: when the arbiter ended it; `None` while it goes on, or was never ended.
    """

    number: int
    title: str
    began_s: float
    ended_s: float | None = None


def forget_evening(database: sqlite3.Connection, number: int) -> None:
    """Delete an evening with its results, corrections and events, and what is left of it elsewhere.

    Players are forgotten who were entered in no other event; and an event of another evening, some of whose matches
    were told in this one, has these reports no more: their results are open again.

    Args:
        database: the club's file, within a transaction.
        number: the evening's.
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
    """Write an event anew without some of its entries, which cannot be taken out one by one."""
    head = database.execute("SELECT number, evening, prefix FROM events WHERE number = ?", (event,)).fetchone()
    entries = database.execute(
        "SELECT position, at_s, body FROM event_entries WHERE event = ? ORDER BY position", (event,)
    ).fetchall()
    kept = [(at_s, body) for position, at_s, body in entries if position not in positions]
    database.execute("DELETE FROM events WHERE number = ?", (event,))
    database.execute("INSERT INTO events (number, evening, prefix) VALUES (?, ?, ?)", head)
    database.executemany(
        "INSERT INTO event_entries (event, position, at_s, body) VALUES (?, ?, ?, ?)",
        [(event, place, at_s, body) for place, (at_s, body) in enumerate(kept)],
    )


class NoSuchResult(LookupError):
    """The club keeps no result of a match with this seal."""


class NoSuchEvening(LookupError):
    """The club keeps no evening of this number."""


class Store:
    """The club's file. To be closed.

    Args:
        folder: where it is, or is made; the caller has the sole use of it.

    Attributes:
        folder: where the file is.
        database: the connection, for what else belongs to an evening and has its own tables there.

    Raises:
        StoreUnusable: the file cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = open_store(folder / FILE)

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make all that is written meanwhile durable at once, or none of it; within another one, with that."""
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
        """Return the evening that goes on; where none does, one begins that is called by its date."""
        latest = next(iter(self.evenings()), None)
        if latest is not None and latest.ended_s is None and now_s - latest.began_s < LONGEST_EVENING_S:
            return latest
        return self.begin_evening(f"{datetime.fromtimestamp(now_s).astimezone():%Y-%m-%d}", now_s)

    def begin_evening(self, title: str, now_s: float) -> Evening:
        """Begin an evening; the one that goes on ends."""
        with self.together():
            self.database.execute("UPDATE evenings SET ended_s = ? WHERE ended_s IS NULL", (now_s,))
            inserting = "INSERT INTO evenings (title, began_s) VALUES (?, ?) RETURNING number"
            [(number,)] = self.database.execute(inserting, (title, now_s))
            return Evening(number, title, now_s)

    def delete_evening(self, number: int) -> None:
        """Delete an evening with all that is kept of it, so that nothing of it is left in the file.

        Raises:
            NoSuchEvening: there is none.
        """
        self.evening(number)
        with self.together():
            forget_evening(self.database, number)
        self.database.execute("VACUUM")
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # the wall

    def shown_large(self) -> str:
        """Return the user of the table that the arbiter has shown large; empty where he leaves it to the wall."""
        found = self.database.execute("SELECT user FROM shown_large").fetchone()
        return "" if found is None else str(found[0])

    def show_large(self, user: str) -> None:
        """Keep which table is shown large, for good; empty: the wall chooses."""
        with self.together():
            self.database.execute("DELETE FROM shown_large")
            if user:
                self.database.execute("INSERT INTO shown_large (number, user) VALUES (1, ?)", (user,))

    # results

    def add_result(self, user: str, outcome: Outcome, export: bytes, now_s: float) -> None:
        """Keep a revision of a result; of an earlier one of the same match it has the evening."""
        with self.together():
            found = self.database.execute("SELECT evening FROM results WHERE match = ?", (outcome.match,)).fetchone()
            evening = self.evening_now(now_s).number if found is None else found[0]
            told = evening, outcome.match, outcome.rev, user, outcome.pairing
            self.database.execute(
                "INSERT INTO results (evening, match, rev, user, pairing, outcome, export, received_s, proof)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*told, msgspec.json.encode(outcome), export, now_s, Proof.PENDING if export else Proof.NONE),
            )

    def revisions(self, match: str) -> Sequence[tuple[str, Outcome, bytes]]:
        """Return all revisions kept of a match, in the order of receipt: who told it, what was told, the export."""
        rows = self.database.execute(
            "SELECT user, outcome, export FROM results WHERE match = ? ORDER BY receipt", (match,)
        )
        return [(user, _OUTCOME.decode(outcome), export) for user, outcome, export in rows]

    def results(self, evening: int | None = None, after: int = 0) -> Sequence[KeptResult]:
        """Return the results of an evening, or of all, by the receipt of their highest revisions.

        Args:
            evening: its number; `None`: all evenings.
            after: only those that were received after this receipt.
        """
        if evening is None:
            return self._kept(f"{_HIGHEST} AND receipt > ? ORDER BY receipt", (after,))
        return self._kept(f"{_HIGHEST} AND receipt > ? AND evening = ? ORDER BY receipt", (after, evening))

    def result(self, match: str) -> KeptResult:
        """Return the result of a match; raises NoSuchResult."""
        for found in self._kept(f"{_HIGHEST} AND match = ?", (match,)):
            return found
        raise NoSuchResult(f"there is no result of a match {match[:8]}…: expected the seal of one that was told")

    def results_of_pairings(self, pairings: Iterable[str]) -> Sequence[KeptResult]:
        """Return all that was told of these pairings, by whichever table, by the receipt of the highest revisions."""
        return self._kept(f"{_HIGHEST} {_OF_PAIRINGS}", (msgspec.json.encode(list(pairings)).decode(),))

    def _kept(self, query: str, values: Sequence[object]) -> Sequence[KeptResult]:
        rows = self.database.execute(query, tuple(values)).fetchall()
        corrections = self._last_corrections([row[2] for row in rows])
        return [
            KeptResult(
                receipt,
                user,
                evening,
                _OUTCOME.decode(outcome),
                received_s,
                Proof(proof),
                words,
                corrections.get(match),
                _REMEMBERED.decode(remembered) if remembered else None,
            )
            for receipt, evening, match, user, outcome, received_s, proof, words, remembered in rows
        ]

    def export(self, match: str) -> bytes:
        """Return the export of a match's highest revision, deflated; empty where there is none. Raises NoSuchResult."""
        receipt = self.result(match).receipt
        [(export,)] = self.database.execute("SELECT export FROM results WHERE receipt = ?", (receipt,))
        return bytes(export)

    # proofs

    def to_prove(self) -> tuple[int, Outcome, bytes] | None:
        """Return the next result whose export is not verified: receipt, what was told, the export."""
        found = self.database.execute(
            "SELECT receipt, outcome, export FROM results WHERE proof = 'pending' ORDER BY receipt LIMIT 1"
        ).fetchone()
        return None if found is None else (found[0], _OUTCOME.decode(found[1]), found[2])

    def note_proof(self, receipt: int, words: str, remembered: ProvenMatch | None = None) -> None:
        """Keep in words what an export proves, and what it says of the match, `None` where it proves nothing.

        Nothing is kept where its evening was deleted meanwhile.
        """
        proof, written = Proof.FAILED, b""
        if remembered is not None:
            proof, written = Proof.PROVEN, msgspec.json.encode(remembered)
        self.database.execute(
            "UPDATE results SET proof = ?, proof_words = ?, remembered = ? WHERE receipt = ?",
            (proof, words, written, receipt),
        )

    # corrections

    def correct(self, match: str, ending: Ending | None, why: str, now_s: float) -> Correction:
        """Log how a match ended in truth; raises NoSuchResult."""
        with self.together():
            kept = self.result(match)
            values = kept.evening, match, msgspec.json.encode(kept.ending), msgspec.json.encode(ending), why, now_s
            [(number,)] = self.database.execute(
                "INSERT INTO corrections (evening, match, was, ending, why, at_s) VALUES (?, ?, ?, ?, ?, ?)"
                " RETURNING number",
                values,
            )
            return Correction(number, match, kept.ending, ending, why, now_s)

    def corrections(self, evening: int | None = None) -> Sequence[Correction]:
        """Return the corrections of an evening, or of all, oldest first."""
        chosen = f"{_CORRECTIONS} WHERE ?1 IS NULL OR evening = ?1 ORDER BY number"
        return [_correction(row) for row in self.database.execute(chosen, (evening,))]

    def _last_corrections(self, matches: Iterable[str]) -> dict[str, Correction]:
        rows = self.database.execute(f"{_CORRECTIONS} {_OF_MATCHES}", (msgspec.json.encode(list(matches)).decode(),))
        return {correction.match: correction for correction in map(_correction, rows)}


def _correction(row: tuple[int, str, bytes, bytes, str, float]) -> Correction:
    number, match, was, ending, why, at_s = row
    return Correction(number, match, _ENDING.decode(was), _ENDING.decode(ending), why, at_s)
