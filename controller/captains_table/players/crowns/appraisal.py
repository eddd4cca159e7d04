"""What a standing in a match of Crowns is worth to a seat, in gold, as far as one look can tell.

It is a rule of thumb: gold, where one stands, how far the crowns are, what one may lose next turn, and whether somebody
may win next turn.
"""

from typing import Final

from captains_table.games.common.steps import Finished
from captains_table.games.contract import Square
from captains_table.games.crowns.board import FAR_RANK, SHAPE, is_adjacent
from captains_table.games.crowns.deeds import carry_off_price
from captains_table.games.crowns.moving import pawn_targets, targets
from captains_table.games.crowns.state import Away, State, party_of

WIN: Final = 1000.0
SOMEBODY_MAY_WIN: Final = 60.0
ON_BOARD: Final = 3.0
IN_PRISON: Final = 2.0
LEVELLED: Final = 0.8
"""Of what it cost."""
WORN: Final = 12.0
OF_PARTY: Final = 5.0
NEAR_CROWN: Final = 0.7
"""For each square nearer to a crown that is not one's own."""
TAKEN_NEXT: Final = 0.45
"""How much of what may be captured next turn counts as lost."""
FARTHEST: Final = SHAPE.files - 1


def worth(state: State, seat: int) -> float:
    """Return what a match is worth to a seat, in gold."""
    if isinstance(state.step, Finished):
        winner = state.step.result.winner
        return 0.0 if winner is None else WIN if winner == seat else -WIN
    player = state.players[seat]
    found = player.gold + 2.0 * player.cards + _crowns_of_party(state, seat)
    if player.place is Away.PRISON:
        found -= IN_PRISON + state.designs[seat].value
    elif isinstance(player.place, Square):
        at_stake = _at_stake(state, seat)
        found += ON_BOARD + at_stake + _nearness(state, seat, player.place)
        if _is_attacked(state, seat, player.place):
            found -= TAKEN_NEXT * (ON_BOARD + at_stake + state.designs[seat].value)
    rivals = (other for other in range(len(state.seats)) if other != seat and state.players[other].gold)
    return found - SOMEBODY_MAY_WIN * any(may_win(state, rival) for rival in rivals)


def may_win(state: State, seat: int) -> bool:
    """Return whether a seat wins by one move if it is let act (K2)."""
    worn, place = state.worn_by(seat), state.players[seat].place
    if not worn or not isinstance(place, Square):
        return False
    other = state.crown_square(1 - worn[0])
    if other is not None and is_adjacent(place, other) and other in targets(state, seat):
        return True
    party = party_of(seat)
    is_far = place.rank == FAR_RANK[party]
    return is_far and state.holds_both(party) and state.players[seat].gold > carry_off_price(state, seat)


def _at_stake(state: State, seat: int) -> float:
    """Return what a player loses beside his place if he is captured."""
    levelled = LEVELLED * state.designs[seat].levelled.price if state.players[seat].levelled else 0.0
    return levelled + WORN * len(state.worn_by(seat))


def _crowns_of_party(state: State, seat: int) -> float:
    party = party_of(seat)
    return OF_PARTY * sum(1 for crown in state.crowns if isinstance(crown, int) and party_of(crown) == party)


def _nearness(state: State, seat: int, place: Square) -> float:
    found = 0.0
    for party, crown in enumerate(state.crowns):
        if crown == seat:
            continue
        there = state.crown_square(party)
        if there is not None:
            found += NEAR_CROWN * (FARTHEST - max(abs(there.file - place.file), abs(there.rank - place.rank)))
    return found


def _is_attacked(state: State, seat: int, place: Square) -> bool:
    """Return whether somebody may capture a player next turn (T7, T8)."""
    parties = [1 - party_of(seat), *([party_of(seat)] if state.holds_both(party_of(seat)) else [])]
    for party in parties:
        if any(place in targets(state, other) for other in state.members(party) if other != seat):
            return True
        if any(place in pawn_targets(state, square) for square in state.pawns_of(party)):
            return True
    return False
