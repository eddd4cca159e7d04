"""What whoever has won the auction may do, and what it costs and brings.

Rules: docs/rules/crowns.md T4.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from captains_table.games.contract import Square
from captains_table.games.crowns.board import FAR_RANK, HALF_PRICE, PAWN_VALUE, SUMMONING
from captains_table.games.crowns.moving import leaves_board, pawn_targets, targets
from captains_table.games.crowns.state import Acting, Away, State, party_of


@dataclass(frozen=True, slots=True)
class Pass:
    """Does nothing, and has acted (T4)."""


@dataclass(frozen=True, slots=True)
class Summon:
    """Appears on the board out of the reserve (T4)."""

    square: Square


@dataclass(frozen=True, slots=True)
class Move:
    """Moves one's own player, and levels up if that is wanted (T4)."""

    start: Square
    end: Square
    levels_up: bool = False


@dataclass(frozen=True, slots=True)
class PawnMove:
    """Moves a pawn of the party (T4)."""

    start: Square
    end: Square


@dataclass(frozen=True, slots=True)
class PawnOff:
    """Moves a pawn off the far end (T6)."""

    start: Square


@dataclass(frozen=True, slots=True)
class CarryOff:
    """Carries a crown off the far end, and wins (K2)."""

    start: Square


@dataclass(frozen=True, slots=True)
class LevelUp:
    """Levels up without moving (T4)."""

    square: Square


@dataclass(frozen=True, slots=True)
class Bail:
    """Pays to leave prison (T4)."""


Deed = Pass | Summon | Move | PawnMove | PawnOff | CarryOff | LevelUp | Bail


def possible(state: State, acting: Acting) -> Iterator[Deed]:
    """Yield what may be done, in the order in which it is offered."""
    seat = acting.seat
    place = state.players[seat].place
    if place is Away.RESERVE:
        yield from _summons(state, seat)
    if isinstance(place, Square):
        yield from _moves(state, acting, place)
    if place is not Away.PRISON:
        yield from _pawn_moves(state, acting)
    if isinstance(place, Square):
        yield from _standing_deeds(state, seat, place)
    if place is Away.PRISON and state.players[seat].gold >= state.designs[seat].value:
        yield Bail()
    yield Pass()


def level_up_price(state: State, seat: int, square: Square) -> int:
    """Return what levelling up costs on a square: half of it, rounded up, on the middle ones (T5)."""
    price = state.designs[seat].levelled.price
    return -(-price // 2) if square in HALF_PRICE else price


def cheap_squares(state: State, acting: Acting) -> frozenset[Square]:
    """Return the squares on which whoever acts may level up for half the price now (T5)."""
    found = set()
    for deed in possible(state, acting):
        match deed:
            case Move(_, square, levels_up=True) | LevelUp(square):
                found.add(square)
            case _:
                pass
    return HALF_PRICE & found


def carry_off_price(state: State, seat: int) -> int:
    """Return the values of all other players and of the pawns on the board, which a crown carried off costs (K2)."""
    others = (
        state.designs[other].value
        for other, player in enumerate(state.players)
        if other != seat and isinstance(player.place, Square)
    )
    return sum(others) + sum(PAWN_VALUE.get(chr(letter), 0) for letter in state.pawns)


def move_gold(state: State, seat: int, end: Square) -> int:
    """Return the gold a player's move to a square brings: what he captures there, and its ring (T7)."""
    return captured_gold(state, party_of(seat), end) + (end in state.rings)


def captured_gold(state: State, party: int, square: Square) -> int:
    """Return the gold that a party gets for what it captures on a square: nothing for its own (T7)."""
    victim = state.player_at(square)
    if victim is not None:
        return state.designs[victim].value if party_of(victim) != party else 0
    return PAWN_VALUE.get(state.pawn_at(square), 0)


def _summons(state: State, seat: int) -> Iterator[Summon]:
    for square in sorted(SUMMONING[party_of(seat)]):
        if not (state.pawn_at(square) or state.player_at(square) is not None or square in state.crowns):
            yield Summon(square)


def _moves(state: State, acting: Acting, place: Square) -> Iterator[Move]:
    seat = acting.seat
    player = state.players[seat]
    for end in targets(state, seat, bound=acting.bound):
        yield Move(place, end)
        if not player.levelled and player.gold + move_gold(state, seat, end) >= level_up_price(state, seat, end):
            yield Move(place, end, levels_up=True)


def _pawn_moves(state: State, acting: Acting) -> Iterator[PawnMove | PawnOff]:
    for start, ends in pawn_targets(state, party_of(acting.seat), bound=acting.bound):
        for end in ends:
            yield PawnMove(start, end)
        if leaves_board(state, start):
            yield PawnOff(start)


def _standing_deeds(state: State, seat: int, place: Square) -> Iterator[CarryOff | LevelUp]:
    """Yield what a player on the board may do without moving to another square."""
    player = state.players[seat]
    is_far = place.rank == FAR_RANK[party_of(seat)]
    holds_both = state.worn_by(seat) and state.holds_both(party_of(seat))
    if is_far and holds_both and player.gold >= carry_off_price(state, seat):
        yield CarryOff(place)
    if not player.levelled and player.gold >= level_up_price(state, seat, place):
        yield LevelUp(place)
