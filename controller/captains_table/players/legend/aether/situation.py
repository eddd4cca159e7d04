"""Aether's input and output: a turn of Legend as plain values (`Situation`), and the action found (`FoundAction`).

The module also ends a turn in a match state, and compares the seats' scores.

Source: docs/rules/legend.md.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

import chess

from captains_table.games.contract import Over
from captains_table.games.legend import rounds
from captains_table.games.legend.state import Captured, State, grand_scores
from captains_table.games.legend.steps import LegendMain

ActionKind = Literal["throw", "move", "genie"]
MOST_THROWS: Final = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Situation:
    """A turn of Legend; every pair is (White's, Black's), whichever side is to move.

    Attributes:
        fen: the position before the turn's move, with the side to move, castling rights and en passant square.
        die: the face of the Legend die; `None` before its first throw.
        throws: how many times the die was thrown this turn, 0 to 3 (L5).
        cargo: the cargo tallies, without this turn's dice.
        legend: the legend tallies.
        captures: the pieces that each side has captured, as lower-case FEN letters; a promoted piece counts as the
            piece that it was when it was captured (L17).
        genie_spent: whether each side has summoned the Genie this round (L18).
        rounds_left: the number of rounds of the match after this one.
        turns_left: the number of turns until this round is broken off, including this one; `None` without a limit (L3).
        scores_piece: whether a move scores the piece's value instead of the die's (L9).
        is_final: whether the die may not be thrown again, because a bargain was accepted or the Genie was summoned.
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
class FoundAction:
    """The best action that a search found.

    Attributes:
        action: "throw" for throwing the Legend die, "move" for a move on the board or a forfeit, or "genie" for
            summoning the Genie.
        move: the move as UCI text, castling as the king's move; `None` for other actions, or if no permitted piece can
            move.
        value: the expected difference of the grand scores at the end of the match for the side to move, including the
            current tallies.
        depth: the search depth in moves, including the move found.
        nodes: the number of positions that were searched.
    """

    action: ActionKind
    move: str | None
    value: float
    depth: int
    nodes: int


def situation_of(state: State, *, may_summon: bool = True) -> Situation:
    """Return the search's input for a turn before its move.

    Args:
        state: a state of a match that is not over.
        may_summon: whether the Genies may be used; if not, both count as spent.
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
    """Return the values of the two seats in the order White, Black."""
    return by_seat if state.colour_of(0) == chess.WHITE else (by_seat[1], by_seat[0])


def _letters(held: tuple[Captured, ...]) -> str:
    return "".join(chess.piece_symbol(captured.kind) for captured in held)


def turn_ended(state: State) -> State:
    """Return the state after the end of a turn whose move was made or forfeited, without scoring the cargo dice."""
    # without cargo dice: their value is computed separately from the move
    turn = replace(state.turn, faces=(None,) * 5 + state.turn.faces[5:], step=LegendMain())
    return rounds.end_player_turn(replace(state, turn=turn, latest_events=()))


def is_over(state: State) -> bool:
    """Return whether the match is over."""
    return isinstance(state.turn.step, Over)


def grand_lead(state: State, seat: int) -> int:
    """Return how far a seat's grand score is ahead of the other seat's; negative if it is behind."""
    scores = grand_scores(state)
    return scores[seat] - scores[1 - seat]


def standing(state: State, seat: int) -> tuple[int, ...]:
    """Return a seat's lead in each criterion that decides a match, in order; a tuple above (0, 0, 0) wins (L4)."""
    won, legend = state.rounds_won, state.legend
    return grand_lead(state, seat), won[seat] - won[1 - seat], legend[seat] - legend[1 - seat]
