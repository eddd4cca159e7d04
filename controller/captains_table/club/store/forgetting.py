"""How an evening is forgotten: all that belongs to it, and what others know by it alone."""

import sqlite3
from typing import Final

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
