"""Where players and pawns may go (docs/rules/crowns.md T4, T6, T8, K1)."""

from functools import cache
from typing import Final

from captains_table.games.common.movement import Movement, Reach
from captains_table.games.contract import Square
from captains_table.games.crowns.board import (
    FAR_RANK,
    KING_STEPS,
    PARTY_OF_PAWN,
    PAWN_LETTERS,
    SHAPE,
    pawn_steps,
    turned_for,
)
from captains_table.games.crowns.grids import Grid
from captains_table.games.crowns.state import VACANT, State, number_of, party_of

_FIRST_PLAYER: Final = len(PAWN_LETTERS) + 1
_CODE_OF_PAWN: Final = {ord(letter): code for code, letter in enumerate(PAWN_LETTERS, 1)} | {VACANT: 0}
_PAWN_CODES: Final = tuple(
    frozenset(code for code, letter in enumerate(PAWN_LETTERS, 1) if PARTY_OF_PAWN[letter] == party) for party in (0, 1)
)


def targets(state: State, seat: int, *, bound: bool = False) -> list[Square]:
    """Return the squares a seat's player may move to from where he stands; none while he is not on the board.

    Args:
        state: the match.
        seat: whose player it is.
        bound: whether a pledge keeps him from capturing (T3).
    """
    place = state.players[seat].place
    if not isinstance(place, Square):
        return []
    reach = _reach(state.grid(seat), party_of(seat), is_king=bool(state.worn_by(seat)))
    return _reached(state, reach, place, party_of(seat), bound=bound)


def pawn_targets(state: State, square: Square, *, bound: bool = False) -> list[Square]:
    """Return the squares that the pawn on a square may go to; arguments as in `targets`."""
    letter = state.pawn_at(square)
    return _reached(state, _pawn_reach(letter), square, PARTY_OF_PAWN[letter], bound=bound)


def leaves_board(state: State, square: Square) -> bool:
    """Return whether the next step forward of the pawn on a square leads off the board (T6)."""
    return square.rank == FAR_RANK[PARTY_OF_PAWN[state.pawn_at(square)]]


def _reached(state: State, reach: Reach, start: Square, party: int, *, bound: bool) -> list[Square]:
    board = _occupied(state)
    numbers = reach.targets(board, number_of(start), _barred(state, party, bound=bound))
    return [SHAPE.square_at(number) for number in sorted(set(numbers))]


def _occupied(state: State) -> bytes:
    """Return a code for what blocks each square: pawns and players, but neither rings nor crowns (T6)."""
    board = bytearray(_CODE_OF_PAWN[letter] for letter in state.pawns)
    for seat, player in enumerate(state.players):
        if isinstance(player.place, Square):
            board[number_of(player.place)] = _FIRST_PLAYER + seat
    return bytes(board)


def _barred(state: State, party: int, *, bound: bool) -> frozenset[int]:
    """Return the codes a party may not capture: own pawns never, own players unless it holds both crowns (T8)."""
    if bound:
        return frozenset(range(1, _FIRST_PLAYER + len(state.seats)))
    own = frozenset() if state.holds_both(party) else frozenset(_FIRST_PLAYER + seat for seat in state.members(party))
    return _PAWN_CODES[party] | own


@cache
def _reach(grid: Grid, party: int, *, is_king: bool) -> Reach:
    movement = grid.movement
    if is_king:  # K1: whoever wears a crown may also step as a king
        movement = Movement(movement.leaps | KING_STEPS, movement.rides)
    return Reach(SHAPE, turned_for(party, movement))


@cache
def _pawn_reach(letter: str) -> Reach:
    return Reach(SHAPE, Movement(frozenset(pawn_steps(letter))))
