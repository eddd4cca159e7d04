"""Aether at a seat of Legend: an answer to everything the game can ask.

The cargo dice and the Legend die are decided apart from each other (L5), and one throw throws both. As long as cargo
dice are worth throwing the move waits (L7): it costs nothing, and what they come to may decide the last round.

Source: docs/rules/legend.md.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from captains_table.games.common.dice import cargo
from captains_table.games.contract import (
    ABANDON,
    AGREE,
    DONE,
    REFUSE,
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
    MAX_THROWS,
    AbandonConsent,
    BuyConsent,
    BuyPiece,
    BuyPrice,
    Entering,
    GenieHop,
    State,
)
from captains_table.players.common.advice import dice_showing
from captains_table.players.common.cargo_solver import FreeHold, cargo_dice
from captains_table.players.common.hold_solver import dice_multisets
from captains_table.players.common.strategies import PERCENT, Below
from captains_table.players.legend.aether import bargaining
from captains_table.players.legend.aether.outlook import EVEN, after_move, cargo_to_win, is_last_round, outlook, plan
from captains_table.players.legend.aether.situation import lead, standing
from captains_table.players.legend.aether.thinking import Thinker
from captains_table.players.legend.dice_advice import least_cargo_loss

PARTS: Final = 4  # of a search
DRAGGING: Final = 160  # turns in a round, after which it proposes to give it up,
OFFER_EVERY: Final = 20  # again after so many,
HOPELESS: Final = 300  # and after so many agrees to whatever ends it
WINNING = 1000  # weighs more than any cargo
KEPT_BY_A_SLIP = 2  # of three dice that should stay
KEPT_BACK = 0.2  # of the time to think, for offers and the Genie's squares
FIRST_THROWS = (ROLL.id, asks.ROLL_LEGEND.id, asks.ROLL_CARGO.id)


def would_abandon(state: State) -> bool:
    """Return whether it proposes to abandon a round that drags on: at the beginning of a turn, now and then.

    A refusal leaves no events behind, the end of the turn before does: so a turn sees one proposal.
    """
    if not state.latest_events:
        return False
    is_due = state.turns >= DRAGGING and state.turns // 2 % (OFFER_EVERY // 2) == 0
    loses_by_it = is_last_round(state) and standing(state, state.seat) < EVEN
    return is_due and (state.turns >= HOPELESS or not loses_by_it)


def answer_to_abandoning(thinker: Thinker, state: State) -> str:
    """Return whether the seat that is not on turn agrees: if it is to expect less by playing on."""
    seat = state.opponent
    if state.turns >= HOPELESS:
        return AGREE.id
    if is_last_round(state):
        return AGREE.id if standing(state, seat) > EVEN else REFUSE.id
    gains_nothing = state.turns >= DRAGGING or outlook(thinker, state, seat, PARTS) <= lead(state, seat)
    return AGREE.id if gains_nothing else REFUSE.id


def best_keep(state: State, needed: int | None = None) -> tuple[int, ...]:
    """Return the cargo dice that stay under best play; all of them where none is better thrown.

    Args:
        state: the cargo dice have fallen and may be thrown again.
        needed: the cargo from which on this turn wins the match; `None` where it does not end it.
    """
    faces = [face for face in state.turn.cargo_faces if face is not None]
    dice = cargo_dice() if needed is None else _to_win(needed)
    kept = dice.best(faces, MAX_THROWS - state.turn.cargo_throws).kept
    return dice_showing(kept, state.turn.faces, CARGO_DICE)


@lru_cache(maxsize=4)
def _to_win(needed: int) -> FreeHold:
    """Return what the dice are worth where a certain cargo wins the match; beyond that more is better, as ever."""
    return FreeHold(
        [Fraction((cargo(multiset) >= needed) * WINNING + cargo(multiset)) for multiset in dice_multisets(5).full]
    )


def slipped(kept: Sequence[int], below: Below) -> tuple[int, ...]:
    """Return a keep as somebody errs who overlooks what his dice have come to: some of the good ones are thrown too."""
    return tuple(die for die in kept if below(3) < KEPT_BY_A_SLIP)


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
        _, fallen = least_cargo_loss(state)
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
            kept = best_keep(state, self._cargo_needed(state))
            slips = self._thinker.level.slips
            errs = slips > 0 and self._thinker.below(PERCENT) < slips
            self._cargo_chosen = slipped(kept, self._thinker.below) if errs else kept
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
