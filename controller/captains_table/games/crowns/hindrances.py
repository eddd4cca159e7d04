"""What keeps a token or a pawn where it stands, for whoever has lifted it (docs/rules/crowns.md T2 - T4, T6)."""

from captains_table.games.common.steps import Finished
from captains_table.games.contract import Hindrance, Square
from captains_table.games.crowns.board import PARTIES, PARTY_OF_PAWN
from captains_table.games.crowns.state import Acting, Arriving, Away, Bidding, Escaping, Pledging, State, party_of


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
