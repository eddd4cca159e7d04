"""Assigns matches of events (tournaments) to tables, lists the pairings tables may offer, and finds overdue matches."""

from collections.abc import Mapping, Sequence
from typing import Final

from captains_table.club.events.counting import match_points
from captains_table.club.events.event import ClubEvent, EventMatch
from captains_table.phrases import say
from captains_table.reporting.messages import MOST_PAIRINGS, Pairing

MINUTE_S: Final = 60


def open_matches(event: ClubEvent) -> tuple[EventMatch, ...]:
    """Return the matches of the last round that are to be played and whose points are still open.

    The result is empty before the round is published and after the event was ended.
    """
    last = event.rounds[-1] if event.rounds else None
    if event.is_closed or last is None or last.published_s is None:
        return ()
    return tuple(match for match in last.matches if match.seated.board and match_points(event, match) is None)


def assign_tables(event: ClubEvent, tables: Sequence[str], busy: Mapping[str, int]) -> Mapping[str, str]:
    """Assign each open match of the last round to a table; return the table's user name by the match's id.

    In the order of boards, each match gets the table that has the fewest matches to play; among equals, the first table
    is taken. If there are fewer tables than matches, a table gets several matches, to be played one after the other.
    Without tables or rounds, the result is empty.

    Args:
        event: the event.
        tables: the user names of the tables that may be used, in order of preference.
        busy: how many matches each table already has to play.
    """
    load = {table: busy.get(table, 0) for table in tables}
    found: dict[str, str] = {}
    if load and event.rounds:
        for match in sorted(event.rounds[-1].matches, key=lambda match: match.seated.board):
            if match.seated.board and match_points(event, match) is None:
                table = min(load, key=lambda table: load[table])
                load[table] += 1
                found[match.seated.id] = table
    return found


def offered_pairings(events: Sequence[ClubEvent]) -> Mapping[str, tuple[Pairing, ...]]:
    """Return the pairings that each table may offer now, by the table's user name.

    A table gets at most `MOST_PAIRINGS`; tables without pairings are left out.
    """
    found: dict[str, list[Pairing]] = {}
    for event in events:
        for match in open_matches(event):
            if match.tables:
                found.setdefault(match.tables[-1], []).append(pairing_of(event, match))
    return {table: tuple(pairings[:MOST_PAIRINGS]) for table, pairings in found.items()}


def pairing_of(event: ClubEvent, match: EventMatch) -> Pairing:
    """Return a match of the last round in the form that is published to its table."""
    return Pairing(
        id=match.seated.id,
        heading=say("Round {round}", event.rounds[-1].number),
        game=event.made.game,
        options=dict(event.made.options),
        seats=tuple(event.name(seat) for seat in match.seated.seats),
    )


def overdue(event: ClubEvent, now_s: float) -> tuple[EventMatch, ...]:
    """Return the matches that are overdue: they are open and have no report, and the time limit has passed.

    The limit is how late a player may come, counted from the publication of the last round. A match is never overdue if
    its table had another match of the round to play first. The result is empty if the event has no limit, before the
    last round is published, and after the event has ended.
    """
    last = event.rounds[-1] if event.rounds else None
    if not event.made.forfeit_min or last is None or last.published_s is None:
        return ()
    is_late = now_s - last.published_s >= MINUTE_S * event.made.forfeit_min
    first = {table: match for match in reversed(last.matches) if match.seated.board for table in match.tables[-1:]}
    at_once = [match for match in open_matches(event) if not match.tables or first[match.tables[-1]] is match]
    return tuple(match for match in at_once if not match.reports) if is_late else ()
