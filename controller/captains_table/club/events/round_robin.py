"""A round robin by Berger's tables, as the library `caissify-pairings` has them: everybody meets everybody."""

from caissify_pairings import generate_pairings

from captains_table.club.events.event import Event
from captains_table.club.events.may_be_paired import CannotPair
from captains_table.club.events.records import pairing_numbers


def pair_round_robin(event: Event) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return who meets whom in the next round, the first of a pair begins, and who meets nobody.

    Whoever has withdrawn stays in the tables: who should have met him has a match that is not played.

    Raises:
        CannotPair: there are fewer than two players.
    """
    numbers = pairing_numbers(event)
    players = [{"id": number, "starting_number": place} for number, place in numbers.items()]
    if len(players) < 2:  # noqa: PLR2004 - a pair
        raise CannotPair(f"{len(players)} would play: expected two at least")
    found = generate_pairings(
        system="round_robin",
        players=players,
        previous_pairings=set(),
        round_number=event.next_round,
        total_rounds=event.rounds_planned,
        cycles=event.made.rounds,
    )
    pairs = tuple((pairing["white_id"], pairing["black_id"]) for pairing in found if pairing["black_id"] is not None)
    return pairs, tuple(pairing["white_id"] for pairing in found if pairing["black_id"] is None)
