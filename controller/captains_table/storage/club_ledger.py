"""The journal's tables about the club: the pairing of each match, and the results to send until they are acknowledged.

A result is identified by a revision and by the seal of its match, which is the match's dice commitment. Only the
highest revision is sent; an acknowledgement by the club covers all lower revisions too. The ledger also lists the
finished matches whose result is missing or outdated.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from captains_table.storage.journal_connection import JournalConnection
from captains_table.storage.schema import transaction


@dataclass(frozen=True, slots=True)
class Unacknowledged:
    """A result that the club has not acknowledged yet: the seal of its match, its revision, and the payload to send."""

    seal: str
    rev: int
    payload: bytes


class ClubLedger:
    """Reads and writes the journal's database tables about the club.

    Args:
        journal: the open journal.
    """

    def __init__(self, journal: JournalConnection) -> None:
        self._journal = journal

    # --- pairings ---------------------------------------------------------------------------------------------------

    def pairing_of(self, number: int) -> str | None:
        """Return the id of the club's pairing for which a match is played.

        The id is empty for a match at a club without a pairing; the result is `None` for a match that is not played at
        a club.
        """
        rows = self._journal.rows("SELECT pairing FROM club_matches WHERE match = ?", number)
        return str(rows[0][0]) if rows else None

    def matches_of(self, pairings: Sequence[str]) -> dict[str, dict[int, bool]]:
        """Return the matches of each pairing, as a mapping from a match's number to whether the match is over.

        The matches of a pairing are in order, latest first. A pairing without a match has an empty mapping.
        """
        query = """SELECT pairing, match,
                       EXISTS (SELECT 1 FROM entries WHERE match = club_matches.match AND kind = 'ended')
                   FROM club_matches WHERE pairing IN (SELECT value FROM json_each(?)) ORDER BY match DESC"""
        found: dict[str, dict[int, bool]] = {pairing: {} for pairing in pairings}
        for pairing, number, over in self._journal.rows(query, json.dumps(list(pairings))):
            found[pairing][int(number)] = bool(over)
        return found

    # --- results ----------------------------------------------------------------------------------------------------

    def due(self) -> list[int]:
        """Return the numbers of the finished matches at the club whose result is not stored or is outdated.

        A result is outdated if the match has more journal entries than the result was derived from.
        """
        query = """SELECT match FROM club_matches
                   WHERE EXISTS (SELECT 1 FROM entries WHERE match = club_matches.match AND kind = 'ended')
                   AND (SELECT count(*) FROM entries WHERE match = club_matches.match)
                       > ifnull((SELECT max(entries) FROM club_results WHERE match = club_matches.match), 0)
                   ORDER BY match"""
        return [int(number) for (number,) in self._journal.rows(query)]

    def note(self, number: int, seal: str, entries: int, payload_of: Callable[[int], bytes]) -> None:
        """Store a result to be sent, with a revision one higher than the last; raises JournalUnwritable.

        Args:
            number: the match's number.
            seal: the id by which the club knows the match.
            entries: how many of the match's journal entries the result is derived from.
            payload_of: returns the payload, given the revision.
        """
        with self._journal.writing() as database, transaction(database):
            query = "SELECT ifnull(max(rev), 0) + 1 FROM club_results WHERE match = ?"
            [(rev,)] = database.execute(query, (number,)).fetchall()
            query = "INSERT INTO club_results (match, rev, seal, entries, payload) VALUES (?, ?, ?, ?, ?)"
            database.execute(query, (number, rev, seal, entries, payload_of(int(rev))))

    def unacknowledged(self) -> list[Unacknowledged]:
        """Return the results that the club has not acknowledged, each in its highest revision, oldest first."""
        query = """SELECT seal, rev, payload FROM club_results AS result
                   WHERE acknowledged = 0 AND rev = (SELECT max(rev) FROM club_results WHERE match = result.match)
                   ORDER BY id"""
        return [Unacknowledged(str(seal), int(rev), bytes(payload)) for seal, rev, payload in self._journal.rows(query)]

    def acknowledge(self, seal: str, rev: int) -> None:
        """Record that the club has stored a result up to this revision; raises JournalUnwritable."""
        query = "UPDATE club_results SET acknowledged = 1 WHERE seal = ? AND rev <= ? AND acknowledged = 0"
        with self._journal.writing() as database:
            database.execute(query, (seal, rev))
