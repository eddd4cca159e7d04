"""Aether at a seat of Legend: an answer to everything the game can ask.

The cargo dice and the Legend die are decided apart from each other (L5), and one throw throws both. As long as cargo
dice are worth throwing the move waits (L7): it costs nothing, and what they come to may decide the last round.

Source: docs/rules/legend.md.
"""

from collections.abc import Collection

from captains_table.games.contract import (
    ABANDON,
    DONE,
    ROLL,
    THROW_AGAIN,
    Action,
    Amount,
    AmountAsk,
    Decide,
    Keep,
    KeepAsk,
    Pick,
    PickAsk,
)
from captains_table.games.legend import asks
from captains_table.games.legend.state import (
    CARGO_DICE,
    LEGEND_DIE,
    AbandonConsent,
    BuyConsent,
    BuyPiece,
    BuyPrice,
    Entering,
    GenieHop,
    State,
)
from captains_table.players.legend.aether import bargaining, cargo_keeping
from captains_table.players.legend.aether.abandoning import answer_to_abandoning, would_abandon
from captains_table.players.legend.aether.outlook import after_move, cargo_to_win, is_last_round
from captains_table.players.legend.aether.planning import plan
from captains_table.players.legend.aether.thinking import PERCENT, Thinker

KEPT_BACK = 0.2  # of the time to think, for offers and the Genie's squares
FIRST_THROWS = (ROLL.id, asks.ROLL_LEGEND.id, asks.ROLL_CARGO.id)


class AetherPlayer:
    """Answers for whichever seat is asked. It remembers in which turn of a round it offered to buy, and no more.

    Args:
        thinker: decides as its level does.
    """

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._bargainer = bargaining.Bargainer(thinker)
        self._cargo_chosen: tuple[int, ...] | None = None  # which cargo dice stay, for the answer in hand

    def __call__(self, state: State, decide: Decide) -> Action:
        """Return the answer to what a seat is asked."""
        self._thinker.begin(KEPT_BACK)
        self._cargo_chosen = None
        match decide.ask:
            case PickAsk(options=options):
                return Pick(self._pick(state, {option.id for option in options if not option.in_vain}))
            case KeepAsk():
                return Keep(self._sure_to_throw(state))
            case AmountAsk() as ask:
                step = state.turn.step
                kind = step.kind if isinstance(step, BuyPrice) else 0
                return Amount(self._bargainer.price(state, kind, ask))

    def _pick(self, state: State, offered: Collection[str]) -> str:
        match state.turn.step:
            case GenieHop(squares):
                return bargaining.best_hop(self._thinker, state, squares)
            case BuyPiece():
                return self._bargainer.piece(state)
            case Entering(kind):
                return bargaining.best_entry(self._thinker, state, kind)
            case BuyConsent(kind, price):
                return bargaining.answer_to_offer(self._thinker, state, kind, price)
            case AbandonConsent():
                return answer_to_abandoning(self._thinker, state)
            case _:
                return self._main(state, offered)

    # --- the main step ----------------------------------------------------------------------------------------------

    def _main(self, state: State, offered: Collection[str]) -> str:
        first = next((id_ for id_ in FIRST_THROWS if id_ in offered), None)
        if first is not None:
            return ABANDON.id if first == ROLL.id and would_abandon(state) else first
        if len(self._kept(state)) < len(asks.throwable(state)):
            return THROW_AGAIN.id
        return DONE.id if state.turn.moved else self._move(state, offered)

    def _move(self, state: State, offered: Collection[str]) -> str:
        found = plan(self._thinker, state)
        if asks.BUY_BACK.id in offered and self._bargainer.would_buy(state, found):
            return asks.BUY_BACK.id
        if found.action == "genie":
            return asks.GENIE.id
        return found.move or DONE.id

    # --- dice -------------------------------------------------------------------------------------------------------

    def _sure_to_throw(self, state: State) -> tuple[int, ...]:
        """Return which dice stay where one must fall, even if all had better stay: the cargo die that costs least."""
        kept = self._kept(state)
        if len(kept) < len(asks.throwable(state)):
            return kept
        fallen = cargo_keeping.least_loss(state)
        return tuple(die for die in kept if die != fallen)

    def _kept(self, state: State) -> tuple[int, ...]:
        """Return which of the dice that may be thrown stay."""
        throwable = asks.throwable(state)
        kept: tuple[int, ...] = ()
        if CARGO_DICE[0] in throwable:
            kept = self._cargo_kept(state)
        if LEGEND_DIE in throwable and plan(self._thinker, state).action != "throw":
            kept = (*kept, LEGEND_DIE)
        return kept

    def _cargo_kept(self, state: State) -> tuple[int, ...]:
        """Return which cargo dice stay."""
        if self._cargo_chosen is None:
            kept = cargo_keeping.best_keep(state, self._cargo_needed(state))
            slips = self._thinker.level.slips
            slipped = slips > 0 and self._thinker.below(PERCENT) < slips
            self._cargo_chosen = cargo_keeping.slipped(kept, self._thinker.below) if slipped else kept
        return self._cargo_chosen

    def _cargo_needed(self, state: State) -> int | None:
        """Return the cargo that wins the match where this turn ends it, by the move made or thought of."""
        if not is_last_round(state):
            return None
        if state.turn.moved:
            return cargo_to_win(state, state)
        found = plan(self._thinker, state) if state.turn.die is not None else None
        if found is None or found.action != "move" or found.move is None:
            return None
        return cargo_to_win(state, after_move(state, found.move))
