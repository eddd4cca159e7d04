"""Computes the states of all tables from the payloads that the tables publish, without input or output.

The module also caches the tables' latest views, remembers which table was the first to show each match, and marks
tables as lost that stay silent after a reconnect.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.club.intake.mailbox import Arrival
from captains_table.club.intake.table_state import TableState, ViewCounts, glance_at
from captains_table.phrases import ENGLISH, Language
from captains_table.reporting.messages import (
    ArbiterCall,
    BadPayload,
    FromTable,
    NewerMessage,
    Presence,
    Status,
    ViewMessage,
    decode,
)
from captains_table.reporting.said import phrases_in, view_in_language
from captains_table.reporting.table_view import BadView, decoded_view
from captains_table.table.model.view import View

MOST_READ: Final = 64
"""How many decoded views are cached: as many as the largest wall shows at once, and some more."""
MOST_TABLES: Final = 1000
MOST_MATCHES: Final = 8


class ViewCache:
    """A cache of each table's latest view: all payloads as received, and the most recently used ones also decoded."""

    def __init__(self) -> None:
        self._payloads: dict[str, bytes] = {}
        self._read: dict[str, View] = {}  # the least recently used first

    def put(self, user: str, payload: bytes, view: View) -> None:
        """Store a table's latest view as its payload; also replace the decoded view if the cache holds one."""
        self._payloads[user] = payload
        if user in self._read:
            self._read[user] = view

    def drop(self, user: str) -> None:
        """Remove a table's view."""
        self._payloads.pop(user, None)
        self._read.pop(user, None)

    def view(self, user: str) -> View | None:
        """Return a table's latest view, `None` if there is none; decode the payload if no decoded view is cached."""
        if user not in self._payloads:
            return None
        view = self._read.pop(user, None) or _read(self._payloads[user])
        self._read[user] = view
        if len(self._read) > MOST_READ:
            del self._read[next(iter(self._read))]
        return view

    def view_in(self, user: str, language: Language) -> View | None:
        """Return a table's latest view in a language; texts of which the table sent no messages stay English."""
        if language is ENGLISH or user not in self._payloads:
            return self.view(user)
        return view_in_language(self._payloads[user], language)

    def phrases(self, user: str) -> Mapping[str, str]:
        """Return the phrases of a table's latest view, packed, by their English texts."""
        return phrases_in(self._payloads[user]) if user in self._payloads else {}


def _read(payload: bytes) -> View:
    seen = decode(FromTable.VIEW, payload)
    assert isinstance(seen, ViewMessage)  # noqa: S101 - `put` was given its decoded view
    return decoded_view(seen.view)


class TooManyTables(BadPayload):
    """A payload comes from a new table, but the club has as many tables as it can have."""


@dataclass(frozen=True, slots=True)
class ExpectedTable:
    """A table that is known beforehand.

    Attributes:
        board: its number; 0 for the number that the table itself publishes.
        title: its name; empty for the name that the table itself publishes.
    """

    board: int = 0
    title: str = ""


class ShownMatches:
    """Remembers which table was the first to show each match.

    The seals of matches are public. Without this memory, any table could report a result of another table's match.
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._of: dict[str, deque[str]] = {}

    def note(self, match: str, user: str) -> None:
        """Record the table that is the first to show a match; do nothing if the match is recorded already.

        For each table, only the last `MOST_MATCHES` matches are remembered.

        Args:
            match: the match's seal (the commitment of the match's dice); an empty seal is ignored.
            user: the user name of the table.
        """
        if not match or match in self._first:
            return
        shown = self._of.setdefault(user, deque())
        if len(shown) == MOST_MATCHES:
            del self._first[shown.popleft()]
        shown.append(match)
        self._first[match] = user

    def forget(self, user: str) -> None:
        """Forget the matches that a table was the first to show."""
        for match in self._of.pop(user, ()):
            del self._first[match]

    def first_at(self, match: str) -> str | None:
        """Return the user name of the table that was the first to show a match; `None` if unknown."""
        return self._first.get(match)


class Tables:
    """The states of all tables.

    Args:
        expected: tables that are known before they publish anything, by user name.

    Attributes:
        views: the latest view of each table.
        taken: how many views were received, and how many were missed.
    """

    def __init__(self, expected: Mapping[str, ExpectedTable] | None = None) -> None:
        self._configured = dict(expected or {})
        self._expected = dict(self._configured)
        self._states = {user: self._new(user) for user in self._expected}
        self._heard_s: dict[str, float] = {}
        self._newer: dict[str, set[FromTable]] = {}
        self.views = ViewCache()
        self._matches = ShownMatches()
        self.taken = ViewCounts()

    def _new(self, user: str) -> TableState:
        expected = self._expected.get(user, ExpectedTable())
        return TableState(user, expected.board, expected.title or user)

    def all(self) -> Sequence[TableState]:
        """Return all tables sorted by board number, followed by those without a number, sorted by name."""
        return sorted(self._states.values(), key=lambda table: (table.board or 1 << 30, table.title, table.user))

    def find(self, user: str) -> TableState | None:
        """Return the state of a table; `None` if the table is not known."""
        return self._states.get(user)

    def first_shown_at(self, match: str) -> str | None:
        """Return the user name of the table that first showed the match with this seal; `None` if unknown."""
        return self._matches.first_at(match)

    def take(self, arrival: Arrival) -> bool:
        """Update a table's state from a payload that it published, and return whether the state changed.

        A table that is not known yet is added. An empty payload undoes what earlier payloads of the same kind stated.

        Raises:
            BadPayload: the payload is invalid, or there are too many tables; the state is unchanged.
            NewerMessage: the payload has a newer version; only `needs_update` was set.
        """
        user, kind = arrival.topic.user, FromTable(arrival.topic.kind)
        before = self._states.get(user)
        if before is None and len(self._states) >= MOST_TABLES:
            raise TooManyTables(f"table '{user}' is one too many: expected at most {MOST_TABLES}")
        if before is not None:
            if before.is_muted:
                return False
            self._heard_s[user] = arrival.at_s
        if not arrival.payload:
            return self._withdraw(user, kind)
        table = before or self._new(user)
        try:
            after = self._after(table, kind, arrival)
        except NewerMessage:
            self._newer.setdefault(user, set()).add(kind)
            self._states[user] = replace(table, needs_update=True)
            raise
        newer = self._newer.get(user, set())
        newer.discard(kind)
        self._states[user] = replace(after, needs_update=bool(newer))
        self._heard_s[user] = arrival.at_s
        if before is None or (after.said_board, after.said_title) != (before.said_board, before.said_title):
            self._name_tables()
        return self._states[user] != before

    def give_name(self, user: str, board: int, title: str) -> None:
        """Give a table its number and name in the club; 0 and an empty name for those of the configuration.

        What the configuration does not give either is as the table proposes.
        """
        configured = self._configured.get(user, ExpectedTable())
        self._expected[user] = given = ExpectedTable(board or configured.board, title or configured.title)
        if given == ExpectedTable() and user not in self._configured:
            del self._expected[user]
        self._states.setdefault(user, self._new(user))
        self._name_tables()

    def is_given(self, board: int, title: str, other: str) -> bool:
        """Return whether the club gave this number or name, unless 0 and empty, to a table that is not `other`."""
        return any(
            (board and board == given.board) or (title and title == given.title)
            for user, given in self._expected.items()
            if user != other
        )

    def mute(self, user: str, *, is_muted: bool) -> None:
        """Take nothing in of a table from now on, and drop what it shows; or take in what it publishes again."""
        self._states.setdefault(user, self._new(user))
        if is_muted:
            self._withdraw(user, FromTable.VIEW)
            self._withdraw(user, FromTable.NEEDS)
            self._matches.forget(user)
        self._states[user] = replace(self._states[user], is_muted=is_muted, presence=None, away_since_s=None)

    def _name_tables(self) -> None:
        """Set each table's number and name, and mark those that propose what another table has."""
        names = {user: (self._expected.get(user, ExpectedTable()), table) for user, table in self._states.items()}
        shown = {
            user: (given.board or table.said_board, given.title or table.said_title or user)
            for user, (given, table) in names.items()
        }
        count = Counter(name for board, title in shown.values() for name in _names_of(board, title))
        for user, (given, table) in names.items():
            board, title = shown[user]
            proposed = _names_of(0 if given.board else board, "" if given.title else title)
            doubled = any(count[name] > 1 for name in proposed)
            called = f"{title} ({user})" if doubled and title != user else title
            self._states[user] = replace(table, board=board, title=called, doubled=doubled)

    def _after(self, table: TableState, kind: FromTable, arrival: Arrival) -> TableState:
        match decode(kind, arrival.payload):
            case Status() as status:
                return self._with_status(table, status, arrival)
            case ViewMessage() as seen:
                return self._with_view(table, seen, arrival.payload)
            case ArbiterCall() as needs:
                return _with_needs(table, arrival, needs)
            case other:
                raise BadPayload(f"a '{type(other).__name__}' says nothing of a table")

    def _with_status(self, table: TableState, status: Status, arrival: Arrival) -> TableState:
        return replace(
            table,
            said_board=status.board or table.said_board,
            said_title=status.title or table.said_title,
            presence=status.state,
            away_since_s=_away_since(table, status.state, arrival),
            games=status.games or table.games,
        )

    def _with_view(self, table: TableState, seen: ViewMessage, payload: bytes) -> TableState:
        if seen.boot == table.boot and table.glance is not None and seen.n <= table.n:
            return table  # an older one, delivered again
        try:
            view = decoded_view(seen.view)
        except BadView as error:
            raise BadPayload(f"a '{FromTable.VIEW}' cannot be drawn: {error}") from error
        self.views.put(table.user, payload, view)
        self._matches.note(seen.match, table.user)
        gap = seen.n - table.n - 1 if seen.boot == table.boot else 0
        self.taken = ViewCounts(self.taken.views + 1, self.taken.left_out + gap)
        shown = replace(table, glance=glance_at(seen), match=seen.match, pairing=seen.pairing, boot=seen.boot, n=seen.n)
        return replace(shown, start=seen.start, moves=seen.moves)

    def _withdraw(self, user: str, kind: FromTable) -> bool:
        """Process an empty payload, with which a retained message is deleted; return whether the state changed.

        This undoes what earlier messages of this kind stated about the table. An empty status removes the table,
        unless the table is expected: then only its presence and its list of games are removed.
        """
        before = self._states.get(user)
        if before is None:
            return False
        blank = self._new(user)
        if kind is FromTable.VIEW:
            self.views.drop(user)
            self._states[user] = replace(before, glance=None, match="", start="", moves=(), pairing="", boot="", n=0)
        elif kind is FromTable.NEEDS:
            self._states[user] = replace(before, needs=False, needs_since_s=None, call="")
        elif kind is FromTable.STATUS and user in self._expected:
            self._states[user] = replace(before, presence=None, away_since_s=None, games=blank.games)
        elif kind is FromTable.STATUS:
            self._forget(user)
        return self._states.get(user) != before

    def answer(self, user: str) -> None:
        """Mark the call for an arbiter of a known table as answered."""
        table = self._states[user]
        self._states[user] = replace(table, answered=table.call)

    def _forget(self, user: str) -> None:
        for kept in (self._states, self._heard_s, self._newer):
            kept.pop(user, None)
        self.views.drop(user)

    def mark_silent_as_lost(self, since_s: float, line_lost_s: float) -> Iterable[str]:
        """Mark as lost the tables that are marked online but have been silent since the reconnect.

        Return their user names. A broker that lost its retained messages does not report that a table went offline
        while the server was disconnected; the table's silence shows it.

        Args:
            since_s: when the connection was restored.
            line_lost_s: when the connection had been lost.
        """
        silent = [
            user
            for user, table in self._states.items()
            if table.presence is Presence.READY and self._heard_s.get(user, since_s - 1) < since_s
        ]
        for user in silent:
            self._states[user] = replace(self._states[user], presence=Presence.LOST, away_since_s=line_lost_s)
        return silent


def _names_of(board: int, title: str) -> set[str]:
    """Return the names under which a table can be taken for another; 0 and an empty title have none."""
    return {name for name in (f"table {board}" if board else "", " ".join(title.casefold().split())) if name}


def _away_since(table: TableState, state: Presence, arrival: Arrival) -> float | None:
    """Return when a table went offline; `None` if it is online, or went offline before the server was connected."""
    if state is Presence.READY:
        return None
    if table.presence is None:
        return None if arrival.retained else arrival.at_s
    return arrival.at_s if table.presence is Presence.READY else table.away_since_s


def _with_needs(table: TableState, arrival: Arrival, needs: ArbiterCall) -> TableState:
    if not needs.arbiter:
        return replace(table, needs=False, needs_since_s=None, call="")
    if table.needs:
        return replace(table, call=needs.call)
    return replace(table, needs=True, needs_since_s=None if arrival.retained else arrival.at_s, call=needs.call)
