"""Which table plays which match: board by board, and where there are fewer tables than matches one after the other."""

from collections.abc import Mapping, Sequence

from captains_table.club.events.counting import count_of
from captains_table.club.events.event import Event, Match
from captains_table.reporting.messages import MOST_PAIRINGS, Pairing


def open_matches(event: Event) -> tuple[Match, ...]:
    """Return the matches of the last round, once it is told to the tables, of which it is not known what they count."""
    last = event.rounds[-1] if event.rounds else None
    if last is None or last.published_s is None:
        return ()
    return tuple(match for match in last.matches if match.seated.board and count_of(event, match) is None)


def dealt(events: Sequence[Event], tables: Sequence[str]) -> Mapping[str, tuple[Pairing, ...]]:
    """Return what each table is to offer now, nothing included, the first board at the first table.

    A match stays at its table whatever else is finished. Several events take the tables one after the other.

    Args:
        events: all that go on.
        tables: the tables' users, in the order of their boards.
    """
    found: dict[str, list[Pairing]] = {table: [] for table in tables}
    before = 0
    for event in events:
        for match in open_matches(event) if tables else ():
            table = tables[(before + match.seated.board - 1) % len(tables)]
            if len(found[table]) < MOST_PAIRINGS:
                found[table].append(pairing_of(event, match))
        before += boards_of(event)
    return {table: tuple(pairings) for table, pairings in found.items()}


def boards_of(event: Event) -> int:
    """Return how many boards the last round has that is told to the tables."""
    last = event.rounds[-1] if event.rounds else None
    return 0 if last is None or last.published_s is None else max((m.seated.board for m in last.matches), default=0)


def pairing_of(event: Event, match: Match) -> Pairing:
    """Return a match as it is told to its table."""
    round_number = next(round_.number for round_ in event.rounds if match in round_.matches)
    return Pairing(
        id=match.seated.id,
        heading=f"Round {round_number}",
        game=event.made.game,
        options=dict(event.made.options),
        seats=tuple(event.name(seat) for seat in match.seated.seats),
    )


def overdue(event: Event, now_s: float) -> tuple[Match, ...]:
    """Return the open matches of a round whose time to come is over; who does not sit there by now has lost."""
    last = event.rounds[-1] if event.rounds else None
    if not event.made.forfeit_min or last is None or last.published_s is None:
        return ()
    is_late = now_s - last.published_s >= 60 * event.made.forfeit_min
    return tuple(match for match in open_matches(event) if not match.reports) if is_late else ()
