"""Advice on Legend's move: what Aether at his best does with the Legend die as it lies, and what that is worth.

Source: docs/rules/legend.md L7 - L20.
"""

from captains_table.games.contract import Keep, Pick
from captains_table.games.legend import asks
from captains_table.games.legend.state import LEGEND_DIE, Main, State
from captains_table.players.common.advice import Advice
from captains_table.players.common.opponents import Means
from captains_table.players.legend.aether.levels import LEVELS
from captains_table.players.legend.aether.planning import plan
from captains_table.players.legend.aether.thinking import thinker_of

MEASURE = "ahead at the end, as far as the search sees"


def advise_on_move(state: State, means: Means) -> Advice | None:
    """Return the best use of the Legend die as it lies; `None` where no move is to be made with it."""
    turn = state.turn
    if not isinstance(turn.step, Main) or turn.moved or turn.die is None:
        return None
    thinker = thinker_of(LEVELS[max(LEVELS)], means)
    thinker.begin()
    found = plan(thinker, state)
    why = f"{found.value:+.1f} {MEASURE}"
    match found.action:
        case "throw":
            kept = tuple(die for die in asks.throwable(state) if die != LEGEND_DIE)
            return Advice(Keep(kept), "Throw the Legend die again", why, found.value)
        case "genie":
            return Advice(Pick(asks.GENIE.id), asks.GENIE.label, why, found.value)
        case _ if found.move is None:
            return None
        case _:
            move = asks.permitted_moves(state)[found.move]
            return Advice(Pick(found.move), f"Move {state.position.label(move)}", why, found.value)
