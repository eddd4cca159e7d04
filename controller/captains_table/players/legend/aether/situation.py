"""What Aether is asked, read from a match, and what it answers: a turn of Legend as plain values.

Source: docs/rules/legend.md.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

import chess

from captains_table.games.contract import Over
from captains_table.games.legend import rounds
from captains_table.games.legend.state import Captured, Main, State, grand_scores

ActionKind = Literal["throw", "move", "genie"]
MOST_THROWS: Final = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Situation:
    """A turn in hand: pairs are (White's, Black's), whoever is to move.

    Attributes:
        fen: the position before the turn's move; it says who is to move, who may still castle, and en passant.
        die: how the Legend die lies; `None` before its first throw.
        throws: how often it fell this turn, 0 to 3 (L5).
        cargo: the tallies without what this turn's dice bring.
        legend: the tallies.
        captures: what each holds of the other's pieces, small letters as FEN has them, promoted ones as taken (L17).
        genie_spent: whether each has summoned the Genie this round (L18).
        rounds_left: rounds of the match after this one.
        turns_left: turns until this round is broken off, this one included; `None` without a limit (L3).
        scores_piece: legend is the moved piece's value, not the die's (L9).
        is_final: the die may not be thrown again (a price was accepted, the Genie summoned).
    """

    fen: str
    die: int | None
    throws: int
    cargo: tuple[int, int] = (0, 0)
    legend: tuple[int, int] = (0, 0)
    captures: tuple[str, str] = ("", "")
    genie_spent: tuple[bool, bool] = (False, False)
    rounds_left: int = 0
    turns_left: int | None = None
    scores_piece: bool = False
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a search holds for best.

    Attributes:
        action: throw the Legend die, make a move on the board, or summon the Genie.
        move: in UCI, castling as the king's move; `None` where nothing is moved, or no permitted piece can move.
        value: the expected difference of the grand scores at the end of the match, for whoever is to move, the present
            tallies included.
        depth: moves looked ahead, this one included.
        nodes: positions that were looked at.
    """

    action: ActionKind
    move: str | None
    value: float
    depth: int
    nodes: int


def situation_of(state: State, *, may_summon: bool = True) -> Situation:
    """Return a turn before its move as the search takes it.

    Args:
        state: its move is not made, and the match goes on.
        may_summon: whether the Genie may be thought of at all, by either side.
    """
    turn, limit = state.turn, state.options.turn_limit
    return Situation(
        fen=state.position.fen(),
        die=turn.die,
        throws=turn.legend_throws,
        cargo=_by_colour(state, state.cargo),
        legend=_by_colour(state, state.legend),
        captures=_by_colour(state, (_letters(state.captures[0]), _letters(state.captures[1]))),
        genie_spent=_by_colour(state, state.genie_spent) if may_summon else (True, True),
        rounds_left=state.options.rounds - state.round,
        turns_left=limit - state.turns if limit else None,
        scores_piece=state.options.score == "piece",
        is_final=turn.legend_final,
    )


def _by_colour(state: State, by_seat: tuple[T, T]) -> tuple[T, T]:
    """Return what two seats have as White's and Black's."""
    return by_seat if state.colour_of(0) == chess.WHITE else (by_seat[1], by_seat[0])


def _letters(held: tuple[Captured, ...]) -> str:
    return "".join(chess.piece_symbol(captured.kind) for captured in held)


def turn_ended(state: State) -> State:
    """Return the state after a turn whose move was made or forfeited, without what its cargo dice bring."""
    # the cargo dice are off the table: what they come to is weighed apart from the move
    turn = replace(state.turn, faces=(None,) * 5 + state.turn.faces[5:], step=Main())
    return rounds.end_turn(replace(state, turn=turn, latest_events=()))


def is_over(state: State) -> bool:
    """Return whether the match is over."""
    return isinstance(state.turn.step, Over)


def lead(state: State, seat: int) -> int:
    """Return by how much a seat's grand score exceeds the other's; negative where it is less."""
    scores = grand_scores(state)
    return scores[seat] - scores[1 - seat]


def standing(state: State, seat: int) -> tuple[int, ...]:
    """Return a seat's lead in what decides a match, the weightiest first; it would win by more than (0, 0, 0) (L4)."""
    won, legend = state.rounds_won, state.legend
    return lead(state, seat), won[seat] - won[1 - seat], legend[seat] - legend[1 - seat]
