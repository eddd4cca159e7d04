"""Pairs the next round of an event by its system: Swiss, round robin (Berger's tables), groups or Keizer."""

from captains_table.club.events.counting import CannotPair, check_may_be_paired, numbered_matches
from captains_table.club.events.entries import RoundPaired, System
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.groups import pair_groups
from captains_table.club.events.keizer_pairing import pair_keizer
from captains_table.club.events.player_rounds import pairing_numbers
from captains_table.club.events.swiss import Pairs, pair_swiss, pairs_by_library


def pair_round_robin(event: ClubEvent) -> tuple[Pairs, tuple[int, ...]]:
    """Return the pairs of the next round and the players with a bye; in a pair, the first player has the first seat.

    Players who have withdrawn stay in Berger's tables: their opponents get a match that is not played. If number 1 does
    not begin in the first round, all colours are the other way round.

    Raises:
        CannotPair: there are fewer than two players.
    """
    numbers = pairing_numbers(event)
    players = [{"id": number, "starting_number": place} for number, place in numbers.items()]
    if len(players) < 2:  # noqa: PLR2004 - a pair
        raise CannotPair(f"{len(players)} would play: expected two at least")
    pairs, byes = pairs_by_library(event, "round_robin", players, set(), cycles=event.made.rounds)
    return (pairs if event.made.number_one_begins else tuple((two, one) for one, two in pairs)), byes


def next_round(event: ClubEvent, prefix: str) -> RoundPaired:
    """Return the entry with the pairings of the next round.

    Args:
        event: the event.
        prefix: the beginning of the ids of the event's matches; no other event of the club uses the same prefix.

    Raises:
        CannotPair: the round cannot be paired; the message says why.
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
        case System.KEIZER:
            seats, byes = pair_keizer(event)
    return RoundPaired(round=event.next_round, matches=numbered_matches(event, seats, prefix), byes=byes)
