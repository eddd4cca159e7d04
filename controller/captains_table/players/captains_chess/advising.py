"""Advice on a move of Captain's Chess: what Boreas at his best plays, and what he holds the position for."""

from captains_table.games.captains_chess.state import Main, State
from captains_table.games.contract import Pick
from captains_table.players.captains_chess.boreas.player import ADVISER, Boreas
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import Means

PAWN = 100  # hundredths
MATED = 100  # pawns: nothing else is worth as much


def advise_on_move(state: State, means: Means) -> Advice | None:
    """Return the best move; `None` where none is asked for."""
    if not isinstance(state.step, Main):
        return None
    judged = Boreas(ADVISER, means).judge(state)
    pawns = judged.value / PAWN
    why = f"{pawns:+.1f} pawns ahead" if abs(pawns) < MATED else "it mates" if pawns > 0 else "mate is not far"
    return Advice(Pick(judged.move), f"Move {state.position.label(state.position.moves[judged.move])}", why, pawns)
