"""Move generation of Crowns: the squares to which players and pawns may move.

The parts of move generation can be used alone: piece codes, move tables, the pieces that a party may not capture, and
the squares that a piece reaches on an empty board.

Rules: docs/rules/crowns.md T3, T4, T6, T8, K1.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from captains_table.games.common.movement import MailboxBoard, Movement, Reach
from captains_table.games.contract import Square
from captains_table.games.crowns.board import (
    CROWNS_SHAPE,
    KING_LEAPS,
    PARTY_OF_PAWN,
    PAWN_LETTERS,
    pawn_leaps,
    turned_for,
)
from captains_table.games.crowns.grids import MoveGrid
from captains_table.games.crowns.state import VACANT_SQUARE, State, number_of, party_of

FIRST_PLAYER: Final = len(PAWN_LETTERS) + 1
"""The piece code of the first player: pawns have codes from 1 in the order of their letters, then players by seat."""
_PAWNS_TO_CODES: Final = bytes.maketrans(
    bytes([VACANT_SQUARE]) + PAWN_LETTERS.encode(), bytes([0]) + bytes(range(1, FIRST_PLAYER))
)
_PAWN_CODES: Final = tuple(
    frozenset(code for code, letter in enumerate(PAWN_LETTERS, 1) if PARTY_OF_PAWN[letter] == party) for party in (0, 1)
)


def player_targets(state: State, seat: int, *, bound: bool = False) -> list[Square]:
    """Return the squares to which a seat's player may move; none while the player is off the board.

    Args:
        state: the match.
        seat: the player's seat.
        bound: whether a pledge forbids captures (T3).
    """
    place = state.players[seat].place
    if not isinstance(place, Square):
        return []
    reach = reach_of(state, seat, levelled=state.players[seat].levelled, is_king=bool(state.worn_by(seat)))
    return _reached(reach, occupied(state), place, _not_captured_now(state, party_of(seat), bound=bound))


def pawn_targets(state: State, party: int, *, bound: bool = False) -> Iterator[tuple[Square, list[Square]]]:
    """Yield the square of each pawn of a party, with a list of the squares to which the pawn may move.

    The list is empty if the pawn cannot move to any square.

    Args:
        state: the match.
        party: the party of the pawns.
        bound: whether a pledge forbids captures (T3).
    """
    board, barred = occupied(state), _not_captured_now(state, party, bound=bound)
    for start in state.pawns_of(party):
        yield start, _reached(_pawn_reach(state.pawn_at(start)), board, start, barred)


def occupied(state: State) -> bytearray:
    """Return the piece code of each square, by number; 0 if neither a pawn nor a player stands there.

    Rings and crowns have no code, since they do not block a square (T6).
    """
    board = bytearray(state.pawns.translate(_PAWNS_TO_CODES))
    for seat, player in enumerate(state.players):
        if isinstance(player.place, Square):
            board[number_of(player.place)] = FIRST_PLAYER + seat
    return board


def reach_of(state: State, seat: int, *, levelled: bool, is_king: bool) -> Reach:
    """Return the move tables of a seat's piece.

    Args:
        state: the match.
        seat: the seat.
        levelled: whether the piece uses its levelled-up grid.
        is_king: whether the piece may also step like a king, as a player with a crown may (K1).
    """
    design = state.designs[seat]
    return _reach(design.levelled if levelled else design.standard, party_of(seat), is_king=is_king)


@cache
def not_captured(party: int, seats: int, *, holds_both: bool, bound: bool = False) -> frozenset[int]:
    """Return the codes of the pieces that a party may not capture (T3, T8).

    Args:
        party: the capturing party.
        seats: the number of seats.
        holds_both: whether the party holds both crowns, and so may capture its own players (never its own pawns).
        bound: whether a pledge forbids all captures.
    """
    if bound:
        return frozenset(range(1, FIRST_PLAYER + seats))
    own = frozenset() if holds_both else frozenset(FIRST_PLAYER + seat for seat in range(party, seats, 2))
    return _PAWN_CODES[party] | own


def _not_captured_now(state: State, party: int, *, bound: bool) -> frozenset[int]:
    return not_captured(party, len(state.seats), holds_both=state.holds_both(party), bound=bound)


def _reached(reach: Reach, board: MailboxBoard, start: Square, barred: frozenset[int]) -> list[Square]:
    numbers = reach.targets(board, number_of(start), barred)
    return [CROWNS_SHAPE.square_at(number) for number in sorted(set(numbers))]


@cache
def _reach(grid: MoveGrid, party: int, *, is_king: bool) -> Reach:
    movement = grid.movement
    if is_king:  # K1: a player with a crown may also step like a king
        movement = Movement(movement.leaps | KING_LEAPS, movement.rides)
    return Reach(CROWNS_SHAPE, turned_for(party, movement))


@cache
def _pawn_reach(letter: str) -> Reach:
    return Reach(CROWNS_SHAPE, Movement(frozenset(pawn_leaps(letter))))


def reached(grid: MoveGrid, party: int, start: Square) -> frozenset[Square]:
    """Return the squares that a piece reaches in one move on an empty board.

    Args:
        grid: the piece's moves.
        party: the piece's party, 0 for White or 1 for Black. Black's moves are turned by 180 degrees.
        start: the piece's square.
    """
    reach = Reach(CROWNS_SHAPE, turned_for(party, grid.movement))
    nothing = bytes(CROWNS_SHAPE.files * CROWNS_SHAPE.ranks)
    return frozenset(map(CROWNS_SHAPE.square_at, reach.targets(nothing, CROWNS_SHAPE.squares().index(start), ())))
