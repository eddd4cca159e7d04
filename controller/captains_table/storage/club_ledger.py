"""What a table owes its club, beside its matches: whose pairing each is, and results until they are acknowledged.

A result is known by its match's seal and a revision. Only the highest is told; whoever acknowledges it has all before.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from captains_table.storage.open_files import OpenFiles
from captains_table.storage.opening import reading, writing


@dataclass(frozen=True, slots=True)
class Unacknowledged:
    """A result that the club has not acknowledged yet: its match's seal, its revision, and what is told."""

    seal: str
    rev: int
    payload: bytes


class ClubLedger:
    """The journal file's tables about the club.

    Args:
        path: the journal file.
        database: the connection to it.
        files: see that it is still in its place when something is written.
    """

    def __init__(self, path: Path, database: sqlite3.Connection, files: OpenFiles) -> None:
        self._path = path
        self._database = database
        self._files = files

    # --- pairings ---------------------------------------------------------------------------------------------------

    def pairing_of(self, number: int) -> str | None:
        """Return by which pairing a match was begun, empty for another one at a club; `None`: at no club."""
        with reading(self._path):
            row = self._database.execute("SELECT pairing FROM club_matches WHERE match = ?", (number,)).fetchone()
        return None if row is None else str(row[0])

    def matches_of(self, pairings: Sequence[str]) -> dict[str, dict[int, bool]]:
        """Return the matches that were begun by each of these pairings, latest first, and whether each is over."""
        query = """SELECT pairing, match,
                       EXISTS (SELECT 1 FROM entries WHERE match = club_matches.match AND kind = 'ended')
                   FROM club_matches WHERE pairing IN (SELECT value FROM json_each(?)) ORDER BY match DESC"""
        found: dict[str, dict[int, bool]] = {pairing: {} for pairing in pairings}
        with reading(self._path):
            for pairing, number, over in self._database.execute(query, (json.dumps(list(pairings)),)):
                found[pairing][int(number)] = bool(over)
        return found

    # --- results ----------------------------------------------------------------------------------------------------

    def due(self) -> list[int]:
        """Return the matches at the club that are over and of which that has not been noted, or not as they are now."""
        query = """SELECT match FROM club_matches
                   WHERE EXISTS (SELECT 1 FROM entries WHERE match = club_matches.match AND kind = 'ended')
                   AND (SELECT count(*) FROM entries WHERE match = club_matches.match)
                       > ifnull((SELECT max(entries) FROM club_results WHERE match = club_matches.match), 0)
                   ORDER BY match"""
        with reading(self._path):
            return [int(number) for (number,) in self._database.execute(query).fetchall()]

    def note(self, number: int, seal: str, entries: int, payload_of: Callable[[int], bytes]) -> None:
        """Keep a result to be told, as a revision higher than any before; raises JournalUnwritable.

        Args:
            number: the match's.
            seal: by which the club knows it.
            entries: how many entries of the match it was derived from.
            payload_of: returns what is told as a revision.
        """
        with self._files.in_place(), writing(self._path), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            query = "SELECT ifnull(max(rev), 0) + 1 FROM club_results WHERE match = ?"
            [(rev,)] = self._database.execute(query, (number,)).fetchall()
            row = (number, rev, seal, entries, payload_of(int(rev)))
            self._database.execute(
                "INSERT INTO club_results (match, rev, seal, entries, payload) VALUES (?, ?, ?, ?, ?)", row
            )

    def unacknowledged(self) -> list[Unacknowledged]:
        """Return the highest revision of each result that the club has not acknowledged, oldest first."""
        query = """SELECT seal, rev, payload FROM club_results AS result
                   WHERE acknowledged = 0 AND rev = (SELECT max(rev) FROM club_results WHERE match = result.match)
                   ORDER BY id"""
        with reading(self._path):
            rows = self._database.execute(query).fetchall()
        return [Unacknowledged(str(seal), int(rev), bytes(payload)) for seal, rev, payload in rows]

    def acknowledge(self, seal: str, rev: int) -> None:
        """Note that the club keeps a result in this revision, and so all revisions before; raises JournalUnwritable."""
        query = "UPDATE club_results SET acknowledged = 1 WHERE seal = ? AND rev <= ? AND acknowledged = 0"
        with self._files.in_place(), writing(self._path):
            self._database.execute(query, (seal, rev))
