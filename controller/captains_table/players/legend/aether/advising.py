"""Aether as adviser in Legend: the best action for the present face of the Legend die, and the cost of other actions.

Source: docs/rules/legend.md L7 - L19.
"""

from collections.abc import Mapping

from captains_table.games.contract import THROW_AGAIN, Action, Keep, Pick
from captains_table.games.legend import asks
from captains_table.games.legend.state import LEGEND_DIE, State
from captains_table.games.legend.steps import LegendHoldStep, LegendMain
from captains_table.phrases import say
from captains_table.players.common.advice import Advice, lead_in_words
from captains_table.players.common.opponents import Judgement, Means
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.opponent import LEVELS
from captains_table.players.legend.aether.outlook import plan
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import situation_of
from captains_table.players.legend.aether.thinking import thinker_of

DEPTH = 3
"""Search depth in moves, the judged move included. It is small because every move gets an exact value."""


def advise_on_legend_move(state: State, means: Means) -> Advice | None:
    """Return advice on the best action, given the current face of the Legend die.

    The result is `None` if the turn is not in its main step (`LegendMain`), if the die was not thrown yet, if the
    turn's move was made already, or if the player can only forfeit the move.
    """
    turn = state.turn
    if not isinstance(turn.step, LegendMain) or turn.moved or turn.die is None:
        return None
    thinker = thinker_of(LEVELS[max(LEVELS)], means)
    thinker.begin()
    found = plan(thinker, state)
    why = _worth_in_words(found.value)
    match found.action:
        case "throw":
            kept = tuple(die for die in asks.throwable(state) if die != LEGEND_DIE)
            return Advice(Keep(kept), say("Throw the Legend die again"), why, found.value)
        case "genie":
            return Advice(Pick(asks.GENIE.id), asks.GENIE.label, why, found.value)
        case _ if found.move is None:
            return None
        case _:
            move = asks.permitted_moves(state)[found.move]
            return Advice(Pick(found.move), say("Move {move}", state.position.label(move)), why, found.value)


def _worth_in_words(value: float) -> str:
    return say("{lead} at the end, as far as the search sees", lead_in_words(value))


class MoveJudge:
    """Judges actions with the Legend die: finds their costs by search. One instance can judge a whole match."""

    def __init__(self) -> None:
        self._aether = Aether()

    def __call__(self, state: State, action: Action, means: Means) -> Judgement | None:
        """Return the cost of a move, of throwing the Legend die again, or of summoning the Genie; `None` if unknown.

        The cost is unknown for any other action, before the first throw of the Legend die, after the turn's move, in
        steps other than `LegendMain` and `LegendHoldStep`, and if the search did not value the action.
        """
        if state.turn.moved or state.turn.die is None or not isinstance(state.turn.step, LegendMain | LegendHoldStep):
            return None
        chosen = _chosen(state, action)
        if chosen is None:
            return None
        until = None if means.think_s is None else means.seconds() + means.think_s
        worth = self._worth(state, AetherLimits(depth=DEPTH, until=until, seconds=means.seconds))
        if chosen not in worth:
            return None
        best = max(worth, key=worth.__getitem__)
        move = best if best in asks.permitted_moves(state) else ""
        cost = max(0.0, worth[best] - worth[chosen])
        return Judgement(cost, _words(state, best), move, _worth_in_words(worth[best]))

    def _worth(self, state: State, limits: AetherLimits) -> Mapping[str, float]:
        """Return the value of each possible action with the Legend die, keyed by the action's id."""
        weighed = self._aether.weigh(situation_of(state), limits)
        others = {THROW_AGAIN.id: weighed.throw, asks.GENIE.id: weighed.genie}
        return {**weighed.moves, **{id_: value for id_, value in others.items() if value is not None}}


def _chosen(state: State, action: Action) -> str | None:
    """Return the id of an action that uses the Legend die; `None` for any other action."""
    match action:
        case Keep(dice) if LEGEND_DIE in asks.throwable(state) and LEGEND_DIE not in dice:
            return THROW_AGAIN.id
        case Pick(id_) if id_ == asks.GENIE.id or id_ in asks.permitted_moves(state):
            return id_
        case _:
            return None


def _words(state: State, id_: str) -> str:
    if id_ == THROW_AGAIN.id:
        return say("throw the Legend die again")
    if id_ == asks.GENIE.id:
        return say("summon the Genie")
    return state.position.label(asks.permitted_moves(state)[id_])
