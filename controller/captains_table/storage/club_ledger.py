"""What a table owes its club, beside its matches: whose pairing each is, and results until they are acknowledged.

A result is known by its match's seal and a revision. Only the highest is told; whoever acknowledges it has all before.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from captains_table.storage.open_files import OpenFiles
from captains_table.storage.schema import transaction


@dataclass(frozen=True, slots=True)
class Unacknowledged:
    """A result that the club has not acknowledged yet: its match's seal, its revision, and what is told."""

    seal: str
    rev: int
    payload: bytes


class ClubLedger:
    """The journal file's tables about the club.

    Args:
        journal: the open journal.
    """

    def __init__(self, journal: OpenFiles) -> None:
        self._journal = journal

    # --- pairings ---------------------------------------------------------------------------------------------------

    def pairing_of(self, number: int) -> str | None:
        """Return by which pairing a match was begun, empty for another one at a club; `None`: at no club."""
        rows = self._journal.rows("SELECT pairing FROM club_matches WHERE match = ?", number)
        return str(rows[0][0]) if rows else None

    def matches_of(self, pairings: Sequence[str]) -> dict[str, dict[int, bool]]:
        """Return the matches that were begun by each of these pairings, latest first, and whether each is over."""
        query = """SELECT pairing, match,
                       EXISTS (SELECT 1 FROM entries WHERE match = club_matches.match AND kind = 'ended')
                   FROM club_matches WHERE pairing IN (SELECT value FROM json_each(?)) ORDER BY match DESC"""
        found: dict[str, dict[int, bool]] = {pairing: {} for pairing in pairings}
        for pairing, number, over in self._journal.rows(query, json.dumps(list(pairings))):
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
        return [int(number) for (number,) in self._journal.rows(query)]

    def note(self, number: int, seal: str, entries: int, payload_of: Callable[[int], bytes]) -> None:
        """Keep a result to be told, as a revision higher than any before; raises JournalUnwritable.

        Args:
            number: the match's.
            seal: by which the club knows it.
            entries: how many entries of the match it was derived from.
            payload_of: returns what is told as a revision.
        """
        with self._journal.writing() as database, transaction(database):
            query = "SELECT ifnull(max(rev), 0) + 1 FROM club_results WHERE match = ?"
            [(rev,)] = database.execute(query, (number,)).fetchall()
            query = "INSERT INTO club_results (match, rev, seal, entries, payload) VALUES (?, ?, ?, ?, ?)"
            database.execute(query, (number, rev, seal, entries, payload_of(int(rev))))

    def unacknowledged(self) -> list[Unacknowledged]:
        """Return the highest revision of each result that the club has not acknowledged, oldest first."""
        query = """SELECT seal, rev, payload FROM club_results AS result
                   WHERE acknowledged = 0 AND rev = (SELECT max(rev) FROM club_results WHERE match = result.match)
                   ORDER BY id"""
        return [Unacknowledged(str(seal), int(rev), bytes(payload)) for seal, rev, payload in self._journal.rows(query)]

    def acknowledge(self, seal: str, rev: int) -> None:
        """Note that the club keeps a result in this revision, and so all revisions before; raises JournalUnwritable."""
        query = "UPDATE club_results SET acknowledged = 1 WHERE seal = ? AND rev <= ? AND acknowledged = 0"
        with self._journal.writing() as database:
            database.execute(query, (seal, rev))
