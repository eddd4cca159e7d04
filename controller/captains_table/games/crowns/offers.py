"""How deeds are offered to the seat that acts, and what keeps a token or a pawn where it stands.

Rules: docs/rules/crowns.md T2 to T4, T6 and "Action".
"""

from typing import Final

from captains_table.games.common.steps import Finished
from captains_table.games.contract import Hindrance, Option, Square
from captains_table.games.crowns.board import PARTIES, PARTY_OF_PAWN
from captains_table.games.crowns.deeds import (
    Bail,
    CarryOff,
    Deed,
    LevelUp,
    Move,
    Pass,
    PawnMove,
    PawnOff,
    Summon,
    carry_off_price,
    level_up_price,
    possible,
)
from captains_table.games.crowns.state import Acting, Arriving, Away, Bidding, Escaping, Pledging, State, party_of

PASS: Final = "pass"  # noqa: S105 - no secret
NOTHING_DONE: Final = "You do nothing this turn, and your bid is gone"
LEVEL_UP: Final = "level-up"
BAIL: Final = "bail"


def offers(state: State, acting: Acting) -> tuple[Option, ...]:
    """Return how what may be done is offered."""
    return tuple(_offer(state, acting.seat, deed) for deed in possible(state, acting))


def deed_of(state: State, acting: Acting, id_: str) -> Deed:
    """Return the deed that is offered by an id."""
    return next(deed for deed in possible(state, acting) if id_of(deed) == id_)


def id_of(deed: Deed) -> str:  # noqa: PLR0911 - one table, one line each
    """Return what a deed is picked by."""
    match deed:
        case Pass():
            return PASS
        case Summon(square):
            return f"summon-{square}"
        case Move(start, end, levels_up):
            return f"{start}{end}{'+' if levels_up else ''}"
        case PawnMove(start, end):
            return f"{start}{end}"
        case PawnOff(start) | CarryOff(start):
            return f"{start}-off"
        case LevelUp():
            return LEVEL_UP
        case Bail():
            return BAIL


def _offer(state: State, seat: int, deed: Deed) -> Option:
    is_on_board = not isinstance(deed, Pass | LevelUp | Bail)
    words, declines = _words(state, seat, deed), isinstance(deed, Pass)
    return Option(id_of(deed), words, on_board=is_on_board, declines=declines, then=NOTHING_DONE if declines else "")


def _words(state: State, seat: int, deed: Deed) -> str:  # noqa: PLR0911 - one table, one line each
    match deed:
        case Pass():
            return "Pass"
        case Summon(square):
            return f"Appear on {square}"
        case Move(start, end, levels_up):
            words = f"{state.designs[seat].name} {start}{_joint(state, end)}{end}"
            return f"{words}, level up for {level_up_price(state, seat, end)}" if levels_up else words
        case PawnMove(start, end):
            return f"Pawn {start}{_joint(state, end)}{end}"
        case PawnOff(start):
            return f"Pawn {start} leaves the board"
        case CarryOff():
            return f"Carry the crown off for {carry_off_price(state, seat)} gold"
        case LevelUp(square):
            return f"Level up for {level_up_price(state, seat, square)} gold"
        case Bail():
            return f"Leave prison for {state.designs[seat].value} gold"


def _joint(state: State, end: Square) -> str:
    return "x" if state.pawn_at(end) or state.player_at(end) is not None else "-"


def hindrance(state: State, square: Square) -> Hindrance | None:
    """Return what keeps what stands on a square from being moved now; `None` where nothing stands there.

    It is taken that no move leads away from there.
    """
    pawn, seat = state.pawn_at(square), state.player_at(square)
    if isinstance(state.step, Finished) or not (pawn or seat is not None):
        return None
    owner = PARTIES[PARTY_OF_PAWN[pawn]] if seat is None else state.name(seat)
    whose = f"That {'pawn' if seat is None else 'token'} is {owner}'s"
    match state.step:
        case Bidding():
            return Hindrance(f"{whose}, and bids are made first")
        case Pledging(tied, _, pledged):
            return Hindrance(f"{whose}, and {state.name(tied[len(pledged)])} is asked for a pledge first")
        case Arriving(asked) | Escaping(asked, _):
            return Hindrance(f"{whose}, and {state.name(asked)} is asked first")
        case Acting(actor) if seat is not None:
            others = f"{whose}, and {state.name(actor)} acts"
            return Hindrance("Your token has no move from there" if seat == actor else others)
        case Acting(actor):
            return Hindrance(_of_pawn(state, actor, pawn, whose))


def _of_pawn(state: State, actor: int, pawn: str, whose: str) -> str:
    if PARTY_OF_PAWN[pawn] != party_of(actor):
        return f"{whose}, and {state.name(actor)} is of {PARTIES[party_of(actor)]}"
    return "Prisoners move no pawns" if state.players[actor].place is Away.PRISON else "That pawn is blocked"
