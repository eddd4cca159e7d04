"""The next round of an event, by whatever system it is paired."""

from captains_table.club.events.entries import RoundPaired, Seated, System
from captains_table.club.events.event import Event
from captains_table.club.events.groups import pair_groups
from captains_table.club.events.may_be_paired import check_may_be_paired
from captains_table.club.events.round_robin import pair_round_robin
from captains_table.club.events.swiss import pair_swiss


def next_round(event: Event, prefix: str) -> RoundPaired:
    """Return the pairings of the next round.

    Args:
        event: the event; every match so far counts something.
        prefix: what the ids of its matches begin with, in the club no other event's.

    Raises:
        CannotPair: it cannot be paired now; the message says why.
    """
    check_may_be_paired(event)
    seats: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    match event.made.system:
        case System.SWISS:
            seats, byes = pair_swiss(event)
        case System.ROUND_ROBIN:
            seats, byes = pair_round_robin(event)
        case System.GROUPS:
            seats = pair_groups(event)
    return RoundPaired(round=event.next_round, matches=_numbered(event, seats, prefix), byes=byes)


def _numbered(event: Event, seats: tuple[tuple[int, ...], ...], prefix: str) -> tuple[Seated, ...]:
    """Return matches with their boards; one that somebody is known to miss has none."""
    found: list[Seated] = []
    board = 0
    for place, seated in enumerate(seats, event.matches_made + 1):
        absent = tuple(seat for seat in seated if not event.entrants[seat].plays(event.next_round))
        board += not absent
        found.append(Seated(id=f"{prefix}{place}", board=0 if absent else board, seats=seated, absent=absent))
    return tuple(found)
