"""What the arbiter decides about tables and their results: strikes, muted tables, and the names that the club gives.

A struck result is moved to a table of its own, so that it counts nowhere, and the same match can be reported again by
another table. Taking back the strike moves it back. Every write is durable on return, except within `Store.together`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.club.store.arbiters import acting_arbiter
from captains_table.club.store.store import NoSuch, Store

_STRIKE: Final = """
INSERT INTO strikes (evening, user, since_s, why, at_s, results, arbiter) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING number
"""
_RESULT: Final = (
    "receipt, evening, match, rev, user, pairing, outcome, export, received_s, proof, proof_words, remembered, "
    "began_s, ended_s"
)
_MOVE_OUT: Final = f"""
INSERT INTO struck_results ({_RESULT}, strike)
SELECT {_RESULT}, ? FROM results WHERE receipt IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - names of columns
# Only those that nothing else has taken the place of.
_MOVE_BACK: Final = f"""
INSERT INTO results ({_RESULT}) SELECT {_RESULT} FROM struck_results WHERE strike = ? AND NOT EXISTS (
    SELECT 1 FROM results
    WHERE results.match = struck_results.match
    AND (results.user <> struck_results.user OR results.rev = struck_results.rev)
)
"""  # noqa: S608 - names of columns


class NoSuchStrike(NoSuch):
    """The arbiter made no strike with this number."""


@dataclass(frozen=True, slots=True)
class Strike:
    """The arbiter's decision that results of a table do not count.

    Attributes:
        number: its number in the club, from 1.
        user: the table's user name.
        since_s: results received since this time were struck, in Unix seconds of the server's clock.
        why: the arbiter's reason.
        at_s: when the arbiter decided it.
        results: how many reports were struck.
        arbiter: who decided it; empty if that is not known.
        taken_back_s: when the arbiter took it back; `None` while it holds.
    """

    number: int
    user: str
    since_s: float
    why: str
    at_s: float
    results: int
    arbiter: str = ""
    taken_back_s: float | None = None

    def covers(self, user: str, at_s: float) -> bool:
        """Return whether it holds, and concerns what a table showed at a time."""
        return self.taken_back_s is None and user == self.user and self.since_s <= at_s <= self.at_s


class ClubTable(Struct, frozen=True):
    """What the club decided about a table: its number (0 for none), its name (empty for none), and if it is muted."""

    board: int = 0
    title: str = ""
    is_muted: bool = False


def strike_results(store: Store, receipts: Sequence[int], user: str, since_s: float, why: str, now_s: float) -> None:
    """Strike reports of a table, given by their receipts, and log it in the current evening."""
    chosen = msgspec.json.encode(receipts).decode()
    with store.together():
        evening = store.evening_now(now_s).number
        values = evening, user, since_s, why, now_s, len(receipts), acting_arbiter()
        [(number,)] = store.database.execute(_STRIKE, values).fetchall()
        store.database.execute(_MOVE_OUT, (number, chosen))
        store.database.execute("DELETE FROM results WHERE receipt IN (SELECT value FROM json_each(?))", (chosen,))


def take_back_strike(store: Store, number: int, now_s: float) -> None:
    """Let struck results count again; raises NoSuchStrike.

    Results whose match another table has reported since, or whose revision is stored anew, stay struck.
    """
    with store.together():
        noting = "UPDATE strikes SET taken_back_s = ? WHERE number = ? AND taken_back_s IS NULL"
        if not store.database.execute(noting, (now_s, number)).rowcount:
            raise NoSuchStrike(f"there is no strike {number} to be taken back: expected one of the list")
        store.database.execute(_MOVE_BACK, (number,))
        returned = "DELETE FROM struck_results WHERE strike = ? AND receipt IN (SELECT receipt FROM results)"
        store.database.execute(returned, (number,))


def strikes_of(store: Store) -> Sequence[Strike]:
    """Return all strikes, the latest first, with those that were taken back."""
    asked = "SELECT number, user, since_s, why, at_s, results, arbiter, taken_back_s FROM strikes ORDER BY number DESC"
    return [Strike(*row) for row in store.database.execute(asked)]


def is_struck(store: Store, user: str, match: str, rev: int) -> bool:
    """Return whether this revision of a table's result is struck."""
    asked = "SELECT 1 FROM struck_results WHERE match = ? AND user = ? AND rev = ?"
    return store.database.execute(asked, (match, user, rev)).fetchone() is not None


def club_tables(store: Store) -> Mapping[str, ClubTable]:
    """Return what the club decided about tables, by user name."""
    rows = store.database.execute("SELECT user, board, title, is_muted FROM club_tables")
    return {user: ClubTable(board, title, bool(is_muted)) for user, board, title, is_muted in rows}


def write_club_table(store: Store, user: str, table: ClubTable) -> None:
    """Store what the club decided about a table."""
    values = user, table.board, table.title, table.is_muted
    store.database.execute("INSERT OR REPLACE INTO club_tables VALUES (?, ?, ?, ?)", values)
