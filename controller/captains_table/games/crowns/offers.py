"""How deeds are offered to whoever acts: each with its id and its words.

Rules: docs/rules/crowns.md T4 and "Action".
"""

from typing import Final

from captains_table.games.contract import Option, Square
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
from captains_table.games.crowns.state import Acting, State

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
