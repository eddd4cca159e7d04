"""Static evaluation of a match of Crowns for one seat, in gold.

The value is a heuristic of gold, position, distance to the crowns, pieces that may be lost next turn, and the danger
that another seat wins next turn.
"""

from collections.abc import Iterator
from functools import cache
from math import log1p
from typing import Final

from captains_table.games.common.movement import Reach
from captains_table.games.crowns.board import CROWNS_SHAPE, FAR_RANK, PARTY_OF_PAWN, PAWN_LETTERS, pawn_leaps
from captains_table.games.crowns.deeds import PawnMove, PlayerMove, deed_of
from captains_table.games.crowns.move_generation import not_captured
from captains_table.games.crowns.state import Acting, State, number_of, party_of
from captains_table.players.crowns.lookahead import ADJACENT, AWAY, SQUARE_COUNT, VALUE_OF_CODE, Lookahead

WIN: Final = 1000.0
SOMEBODY_MAY_WIN: Final = 60.0
ON_BOARD: Final = 3.0
IN_PRISON: Final = 2.0
LEVELLED: Final = 0.8
"""Value of a level-up, as a share of its price."""
CARD: Final = 2.0
WORN: Final = 12.0
OF_PARTY: Final = 5.0
NEAR_CROWN: Final = 5.0
"""Bonus for being one move away from a crown that the player does not wear."""
WEARER: Final = 6.0
"""Factor of this bonus for a player who wears the other crown."""
FARTHER: Final = 0.75
"""Factor of this bonus for each further move."""
PATIENCE: Final = 60
"""From this turn on danger counts less and less, because wearers who always avoid each other never win."""
BOLDNESS: Final = 20.0
"""After this many further turns danger counts half."""
PLENTY: Final = 12.0
"""With this much gold a further coin is worth half as much as the first."""
TAKEN_NEXT: Final = 0.45
"""The share of a piece's value that is deducted if it may be captured next turn."""

_NEARNESS: Final = tuple(NEAR_CROWN * FARTHER ** max(0, moves - 1) for moves in range(SQUARE_COUNT))


def _pawn_attacks(party: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield, for each square of the board, all pairs (origin, pawn) with which a party can attack the square.

    The origin is the square from which the pawn can step to the attacked square. The pawn is given by the place of its
    letter in PAWN_LETTERS, counted from 1.
    """
    for number in range(SQUARE_COUNT):
        rank, file = divmod(number, CROWNS_SHAPE.files)
        yield tuple(
            ((rank - ranks) * CROWNS_SHAPE.files + file - files, code)
            for code, letter in enumerate(PAWN_LETTERS, 1)
            if PARTY_OF_PAWN[letter] == party
            for files, ranks in pawn_leaps(letter)
            if 0 <= rank - ranks < CROWNS_SHAPE.ranks and 0 <= file - files < CROWNS_SHAPE.files
        )


_PAWN_ATTACKS: Final = tuple(tuple(_pawn_attacks(party)) for party in (0, 1))


def match_value(seen: Lookahead, seat: int) -> float:
    """Return the value of a match for a seat, in gold."""
    if seen.winner is not None:
        return WIN if seen.winner == seat else -WIN
    design, place, own = seen.state.designs[seat], seen.places[seat], party_of(seat)
    caution = BOLDNESS / (BOLDNESS + max(0, seen.state.turn - PATIENCE))
    found = gold_value(seen.gold[seat]) + CARD * seen.state.players[seat].cards
    found += OF_PARTY * sum(1 for wearer in seen.wearers if wearer != AWAY and party_of(wearer) == own)
    if seat in seen.jailed:
        found -= IN_PRISON + design.value
    elif place != AWAY:
        levelled = LEVELLED * design.levelled.price if seat in seen.levelled else 0.0
        at_stake = ON_BOARD + levelled + WORN * seen.wearers.count(seat)
        found += at_stake + _nearness(seen, seat, place)
        if _is_attacked(seen, seat, place):
            found -= caution * TAKEN_NEXT * (at_stake + design.value)
    rivals = {wearer for wearer in seen.wearers if wearer not in {AWAY, seat}}
    return found - caution * SOMEBODY_MAY_WIN * any(may_win(seen, rival) for rival in rivals)


def gold_value(gold: int) -> float:
    """Return the value of an amount of gold: nearly linear at first, then with diminishing returns."""
    return PLENTY * log1p(gold / PLENTY)


def _nearness(seen: Lookahead, seat: int, place: int) -> float:
    """Return the bonus for being near crowns that the seat may capture and does not wear."""
    party = party_of(seat)
    moves_to = moves_from(seen.reach(seat))[place]
    holds_both = seen.holds_both(party)
    found = 0.0
    for crown, wearer in zip(seen.crowns, seen.wearers, strict=True):
        moves = moves_to[crown]
        if wearer != seat and moves and (holds_both or wearer == AWAY or party_of(wearer) != party):
            found += _NEARNESS[moves]
    return found * WEARER if seat in seen.wearers else found


@cache
def moves_from(reach: Reach) -> tuple[tuple[int, ...], ...]:
    """Return, for each pair of squares, the number of moves from the first to the second on an empty board.

    The number is 0 if the second square cannot be reached.
    """
    return tuple(_moves_from(reach, start) for start in range(SQUARE_COUNT))


def _moves_from(reach: Reach, start: int) -> tuple[int, ...]:
    moves, reached, empty = {start: 0}, [start], bytes(SQUARE_COUNT)
    for at in reached:
        for to in reach.targets(empty, at, ()):
            if to not in moves:
                moves[to] = moves[at] + 1
                reached.append(to)
    return tuple(moves.get(number, 0) for number in range(SQUARE_COUNT))


def may_win(seen: Lookahead, seat: int) -> bool:
    """Return whether a seat could win the match with its next action, if it wins the next auction (K2).

    The seat needs gold for its bid. To win by carrying off the crowns, it needs more gold than carrying off costs.
    """
    place, party = seen.places[seat], party_of(seat)
    if seat not in seen.wearers or not seen.gold[seat]:
        return False
    other = seen.crowns[1 - seen.wearers.index(seat)]
    holds_both = seen.holds_both(party)
    if other in ADJACENT[place] and _reaches(seen, seat, other, holds_both=holds_both):
        return True
    is_far = place // CROWNS_SHAPE.files == FAR_RANK[party]
    return is_far and holds_both and seen.gold[seat] > _carry_off_price(seen, seat)


def _reaches(seen: Lookahead, seat: int, number: int, *, holds_both: bool) -> bool:
    barred = not_captured(party_of(seat), len(seen.places), holds_both=holds_both)
    return number in seen.reach(seat).targets(seen.board, seen.places[seat], barred)


def _carry_off_price(seen: Lookahead, seat: int) -> int:
    others = (
        design.value for other, design in enumerate(seen.state.designs) if other != seat and seen.places[other] != AWAY
    )
    return sum(others) + sum(VALUE_OF_CODE[code] for code in seen.board if code < len(VALUE_OF_CODE))


def takes_undefended(state: State, id_: str) -> bool:
    """Return whether an action captures a piece, and no piece may then capture on the same square."""
    assert isinstance(state.step, Acting)  # noqa: S101
    deed = deed_of(state, state.step, id_)
    if not isinstance(deed, PlayerMove | PawnMove):
        return False
    seen, end = Lookahead.of(state), number_of(deed.end)
    return bool(seen.board[end]) and not _is_attacked(seen.after(state.step.seat, deed), state.step.seat, end)


def _is_attacked(seen: Lookahead, seat: int, place: int) -> bool:
    """Return whether another piece may capture a piece of a seat's party on a square next turn (T7, T8)."""
    own = party_of(seat)
    parties = (1 - own, own) if seen.holds_both(own) else (1 - own,)
    for party in parties:
        for start, code in _PAWN_ATTACKS[party][place]:
            if seen.board[start] == code:
                return True
        for other in range(party, len(seen.places), 2):
            if other != seat and seen.places[other] != AWAY and _reaches(seen, other, place, holds_both=party == own):
                return True
    return False
