"""Lists the possible deeds (actions) of the winner of an auction, with their prices, ids and labels.

Other functions tell the gold of a capture, the squares where levelling up is half price, and why a piece cannot be
moved.

Rules: docs/rules/crowns.md T2 to T7, K2 and "Action".
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from captains_table.games.contract import Hindrance, Option, Over, Square
from captains_table.games.crowns.board import FAR_RANK, HALF_PRICE, PARTIES, PARTY_OF_PAWN, PAWN_VALUE, SUMMONING
from captains_table.games.crowns.move_generation import pawn_targets, player_targets
from captains_table.games.crowns.state import Acting, Arriving, Away, Bidding, Escaping, Pledging, State, party_of
from captains_table.phrases import message, say

PASS: Final = "pass"  # noqa: S105 - no secret
DO_NOTHING: Final = Option(PASS, say("Pass"), declines=True, then=say("You do nothing this turn, and your bid is gone"))
LEVEL_UP: Final = "level-up"
BAIL: Final = "bail"


class Pass(Struct, frozen=True):
    """The deed of doing nothing, which counts as acting (T4)."""


class Summon(Struct, frozen=True):
    """The deed of entering the board from the reserve on a summoning square (T4)."""

    square: Square


class PlayerMove(Struct, frozen=True):
    """The deed of moving the player's token, and optionally levelling up (T4)."""

    start: Square
    end: Square
    levels_up: bool = False


class PawnMove(Struct, frozen=True):
    """The deed of moving a pawn of the party (T4)."""

    start: Square
    end: Square


class PawnOff(Struct, frozen=True):
    """The deed of moving a pawn off the board at the far end (T6)."""

    start: Square


class CarryOff(Struct, frozen=True):
    """The deed that wins the match: a wearer of a crown steps off the board at the far end (K2)."""

    start: Square


class LevelUp(Struct, frozen=True):
    """The deed of levelling up without moving (T4)."""

    square: Square


class Bail(Struct, frozen=True):
    """The deed of paying to leave prison (T4)."""


CrownsDeed = Pass | Summon | PlayerMove | PawnMove | PawnOff | CarryOff | LevelUp | Bail


def possible(state: State, acting: Acting) -> Iterator[CrownsDeed]:
    """Yield the deeds that the acting player may do and can pay for, in the order in which they are offered."""
    seat = acting.seat
    place = state.players[seat].place
    if place is Away.RESERVE:
        for square in sorted(SUMMONING[party_of(seat)]):
            if not (state.pawn_at(square) or state.player_at(square) is not None or square in state.crowns):
                yield Summon(square)
    if isinstance(place, Square):
        yield from _moves(state, acting, place)
    if place is not Away.PRISON:
        for start, ends in pawn_targets(state, party_of(seat), bound=acting.bound):
            yield from (PawnMove(start, end) for end in ends)
            if start.rank == FAR_RANK[party_of(seat)]:  # T6: the next step leaves the board
                yield PawnOff(start)
    if isinstance(place, Square):
        yield from _standing_deeds(state, seat, place)
    if place is Away.PRISON and state.players[seat].gold >= state.designs[seat].value:
        yield Bail()
    yield Pass()


def level_up_price(state: State, seat: int, square: Square) -> int:
    """Return the price of levelling up on a square; the price is halved and rounded up on half-price squares (T5)."""
    price = state.designs[seat].levelled.price
    return -(-price // 2) if square in HALF_PRICE else price


def cheap_squares(state: State, acting: Acting) -> frozenset[Square]:
    """Return the half-price squares on which the acting player may level up now, by moving there or staying (T5)."""
    deeds = list(possible(state, acting))
    reached = {deed.end for deed in deeds if isinstance(deed, PlayerMove) and deed.levels_up}
    return HALF_PRICE & (reached | {deed.square for deed in deeds if isinstance(deed, LevelUp)})


def carry_off_price(state: State, seat: int) -> int:
    """Return the price of carrying a crown off: the total value of all other players and pawns on the board (K2)."""
    others = (
        state.designs[other].value
        for other, player in enumerate(state.players)
        if other != seat and isinstance(player.place, Square)
    )
    return sum(others) + sum(PAWN_VALUE.get(chr(letter), 0) for letter in state.pawns)


def captured_gold(state: State, party: int, square: Square) -> int:
    """Return the gold that a party gets for capturing the piece on a square (T7).

    It is 0 if the piece is a player of the same party, or the square is vacant.
    """
    victim = state.player_at(square)
    if victim is not None:
        return state.designs[victim].value if party_of(victim) != party else 0
    return PAWN_VALUE.get(state.pawn_at(square), 0)


def _moves(state: State, acting: Acting, place: Square) -> Iterator[PlayerMove]:
    seat = acting.seat
    player = state.players[seat]
    for end in player_targets(state, seat, bound=acting.bound):
        yield PlayerMove(place, end)
        gold = player.gold + captured_gold(state, party_of(seat), end) + (end in state.rings)  # T7
        if not player.levelled and gold >= level_up_price(state, seat, end):
            yield PlayerMove(place, end, levels_up=True)


def _standing_deeds(state: State, seat: int, place: Square) -> Iterator[CarryOff | LevelUp]:
    """Yield the deeds that a player can do from a square without moving to another: carrying a crown off, levelling up.

    Only deeds that the player can pay for are yielded.
    """
    player = state.players[seat]
    is_far = place.rank == FAR_RANK[party_of(seat)]
    holds_both = state.worn_by(seat) and state.holds_both(party_of(seat))
    if is_far and holds_both and player.gold >= carry_off_price(state, seat):
        yield CarryOff(place)
    if not player.levelled and player.gold >= level_up_price(state, seat, place):
        yield LevelUp(place)


def offers(state: State, acting: Acting) -> tuple[Option, ...]:
    """Return the options for all possible deeds, in the order of `possible`."""
    return tuple(
        DO_NOTHING
        if isinstance(deed, Pass)
        else Option(
            id_of(deed),
            _words(state, acting.seat, deed),
            on_board=not isinstance(deed, LevelUp | Bail),
            then=say("Levelled up, it has its second set of moves") if _levels_up(deed) else "",
        )
        for deed in possible(state, acting)
    )


def _levels_up(deed: CrownsDeed) -> bool:
    return isinstance(deed, LevelUp) or (isinstance(deed, PlayerMove) and deed.levels_up)


def deed_of(state: State, acting: Acting, id_: str) -> CrownsDeed:
    """Return the possible deed whose option has the given id; an option with this id must be offered."""
    return next(deed for deed in possible(state, acting) if id_of(deed) == id_)


def id_of(deed: CrownsDeed) -> str:  # noqa: PLR0911 - one table, one line each
    """Return the id of a deed's option."""
    match deed:
        case Pass():
            return PASS
        case Summon(square):
            return f"summon-{square}"
        case PlayerMove(start, end, levels_up):
            return f"{start}{end}{'+' if levels_up else ''}"
        case PawnMove(start, end):
            return f"{start}{end}"
        case PawnOff(start) | CarryOff(start):
            return f"{start}-off"
        case LevelUp():
            return LEVEL_UP
        case Bail():
            return BAIL


def _words(state: State, seat: int, deed: CrownsDeed) -> str:  # noqa: PLR0911 - one table, one line each
    match deed:
        case Pass():
            return DO_NOTHING.label
        case Summon(square):
            return say("Appear on {square}", str(square))
        case PlayerMove(_, end, levels_up):
            return _move_words(state, seat, end, levels_up=levels_up)
        case PawnMove(start, end):
            move = f"{start}{'x' if _is_occupied(state, end) else '-'}{end}"
            return say("Pawn {move}", move)
        case PawnOff(start):
            return say("Pawn {square} leaves the board", str(start))
        case CarryOff():
            return say("Carry the crown off for {price} gold", carry_off_price(state, seat))
        case LevelUp(square):
            return say("Level up for {price} gold", level_up_price(state, seat, square))
        case Bail():
            return say("Leave prison for {price} gold", state.designs[seat].value)


def _move_words(state: State, seat: int, end: Square, *, levels_up: bool) -> str:
    if not levels_up:
        text = message("Capture on {square}") if _is_occupied(state, end) else message("Move to {square}")
        return say(text, square=str(end))
    text = message("Move to {square} and level up: pay {price}")
    if _is_occupied(state, end):
        text = message("Capture on {square} and level up: pay {price}")
    return say(text, square=str(end), price=level_up_price(state, seat, end))


def _is_occupied(state: State, square: Square) -> bool:
    return bool(state.pawn_at(square)) or state.player_at(square) is not None


def crowns_hindrance(state: State, square: Square) -> Hindrance | None:
    """Return why a piece cannot be moved; `None` if no piece is on the square, or the match is over.

    Args:
        state: the match.
        square: the square of the piece. The caller must know that the piece cannot be moved now.
    """
    pawn, seat = state.pawn_at(square), state.player_at(square)
    if isinstance(state.step, Over) or not (pawn or seat is not None):
        return None
    if seat is None:
        whose = say("That pawn is {party}'s", PARTIES[PARTY_OF_PAWN[pawn]])
    else:
        whose = say("That token is {name}'s", state.name(seat))
    match state.step:
        case Bidding():
            return Hindrance(say("{whose}, and bids are made first", whose))
        case Pledging(tied, _, pledged):
            name = state.name(tied[len(pledged)])
            return Hindrance(say("{whose}, and {name} is asked for a pledge first", whose, name))
        case Arriving(asked) | Escaping(asked, _):
            return Hindrance(say("{whose}, and {name} is asked first", whose, state.name(asked)))
        case Acting(actor) if seat is not None:
            others = say("{whose}, and {name} acts", whose, state.name(actor))
            return Hindrance(say("Your token has no move from there") if seat == actor else others)
        case Acting(actor):
            return Hindrance(_of_pawn(state, actor, pawn, whose))


def _of_pawn(state: State, actor: int, pawn: str, whose: str) -> str:
    if PARTY_OF_PAWN[pawn] != party_of(actor):
        party = PARTIES[party_of(actor)]
        return say("{whose}, and {name} is of {party}", whose, state.name(actor), party)
    is_prisoner = state.players[actor].place is Away.PRISON
    return say("Prisoners move no pawns") if is_prisoner else say("That pawn is blocked")
