"""Says which rules a round breaks that the arbiter pairs by hand."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from captains_table.club.events.colours import Strength, colours_of, met_before
from captains_table.club.events.counting import numbered_matches
from captains_table.club.events.entries import WIN, PairedMatch, System
from captains_table.club.events.event import PAIR, CannotBe, ClubEvent
from captains_table.club.events.keizer import may_have_bye
from captains_table.club.events.player_rounds import How, PlayerRounds, pairing_numbers, player_rounds


def round_by_hand(event: ClubEvent, seats: Sequence[tuple[int, ...]], prefix: str) -> tuple[PairedMatch, ...]:
    """Return the matches of the next round between these players, on boards in this order.

    Args:
        event: the event.
        seats: the players of each match, in seat order.
        prefix: the beginning of the ids of the event's matches.

    Raises:
        CannotBe: a player is paired twice, is not in the event, or does not play the round; a match has too few or too
            many players; or the event is a round robin.
    """
    if event.made.system is System.ROUND_ROBIN:
        raise CannotBe("in a round robin it is fixed from the beginning who meets whom: expected another system")
    seated = [player for players in seats for player in players]
    for player in seated:
        entrant = event.entrants.get(player)
        if entrant is None or not entrant.plays(event.next_round):
            name = f"player {player}" if entrant is None else entrant.name
            raise CannotBe(f"{name} does not play round {event.next_round}: expected one who does")
        if seated.count(player) > 1:
            raise CannotBe(f"{entrant.name} is paired twice: expected everybody once")
    if not seats:
        raise CannotBe("nobody is paired: expected a match at least")
    for board, players in enumerate(seats, 1):
        if not PAIR <= len(players) <= event.made.group_size:
            expected = "2 players" if event.made.group_size == PAIR else f"2 to {event.made.group_size} players"
            raise CannotBe(f"board {board} has {len(players)}: expected {expected}")
    return numbered_matches(event, seats, prefix)


def broken_rules(event: ClubEvent, matches: Sequence[PairedMatch], byes: Sequence[int]) -> tuple[str, ...]:
    """Return a sentence for each rule that the next round breaks if it is paired so; empty if it breaks none.

    In a Swiss event, the rules are the absolute ones (FIDE Handbook C.04.1, and C.04.3, absolute criteria): nobody
    meets an opponent twice, has a second bye, or gets a seat that the seats so far forbid. In groups, players who have
    met should not meet again while others are left. In Keizer, nobody meets an opponent again within the agreed number
    of rounds, or has a bye while others have had fewer.
    """
    history = player_rounds(event)
    return (*_rematches(event, history, matches), *_byes(event, history, byes), *_seats(event, history, matches))


def _rematches(event: ClubEvent, history: PlayerRounds, matches: Sequence[PairedMatch]) -> Iterator[str]:
    is_keizer = event.made.system is System.KEIZER
    met = met_before(history, event.next_round - event.keizer.rounds_apart) if is_keizer else met_before(history)
    for match in matches:
        for one, two in combinations(match.seats, 2):
            if (min(one, two), max(one, two)) in met:
                lately = f" in the last {event.keizer.rounds_apart} rounds" if is_keizer else ""
                yield f"{event.name(one)} and {event.name(two)} have met already{lately}"


def _byes(event: ClubEvent, history: PlayerRounds, byes: Sequence[int]) -> Iterator[str]:
    if event.made.system is System.GROUPS:
        yield from (f"{event.name(player)} plays nobody" for player in byes)
        return
    if len(byes) > 1:
        yield f"{', '.join(map(event.name, byes))} play nobody: one at most, if their number is odd"
    if event.made.system is System.KEIZER:
        allowed = may_have_bye(event, history, event.next_players)
        yield from (f"{event.name(player)} has had more byes than others" for player in byes if player not in allowed)
        return
    for player in byes:
        if any(turnout.how in {How.BYE, How.FORFEIT} and turnout.halves == WIN for turnout in history[player]):
            yield f"{event.name(player)} has had a point without playing already"


def _seats(event: ClubEvent, history: PlayerRounds, matches: Sequence[PairedMatch]) -> Iterator[str]:
    if event.made.system in {System.GROUPS, System.KEIZER}:
        return
    numbers = pairing_numbers(event)
    for match in matches:
        for player, begins in zip(match.seats, (True, False), strict=True):
            strength, wish = colours_of(history[player], numbers[player]).preference
            if strength is Strength.ABSOLUTE and wish is not begins:
                seat = "first seat (White)" if begins else "second seat (Black)"
                yield f"{event.name(player)} cannot have the {seat} again"
