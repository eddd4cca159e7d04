"""Aether as a player of Legend, which answers every question of the game.

The player decides about the cargo dice and the Legend die separately (L5), but throws them together. It moves only when
no cargo dice are worth throwing again (L7). To move later costs nothing, and in the last round the best move may depend
on the cargo. In a long round it proposes to abandon the round. Weaker levels err with the cargo dice.

Source: docs/rules/legend.md.
"""

from collections.abc import Collection, Sequence
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
from captains_table.games.legend import asks, steps
from captains_table.games.legend.state import CARGO_DICE, LEGEND_DIE, LEGEND_THROWS, State
from captains_table.players.common.advice import dice_showing
from captains_table.players.common.hold_solver import KeepPolicy
from captains_table.players.common.strategies import PERCENT, Below
from captains_table.players.legend.aether import bargaining
from captains_table.players.legend.aether.outlook import EVEN, after_move, cargo_to_win, is_last_round, outlook, plan
from captains_table.players.legend.aether.situation import grand_lead, standing
from captains_table.players.legend.aether.thinking import Thinker
from captains_table.players.legend.dice_advice import least_cargo_loss
from captains_table.players.legend.dice_solver import cargo_policy

PARTS: Final = 4  # the divisor of the search's limits, for answers to proposals
DRAGGING: Final = 160  # turns in a round after which it proposes to abandon the round
OFFER_EVERY: Final = 20  # turns until the next proposal
HOPELESS: Final = 300  # turns in a round after which it agrees to any proposal that ends it
WINNING = 1000  # greater than any cargo
KEPT_BY_A_SLIP = 2  # in three: the chance to keep a die that should be kept
RESERVED = 0.2  # the share of the thinking time that is reserved for offers and the Genie's squares
FIRST_THROWS = (ROLL.id, asks.ROLL_LEGEND.id, asks.ROLL_CARGO.id)


def would_abandon(state: State) -> bool:
    """Return whether to propose abandoning the round; to be asked before the first throw of a turn.

    In a long round (from turn DRAGGING on), each seat proposes once in OFFER_EVERY turns. In the last round, a seat
    that would lose the match by abandoning does not propose before turn HOPELESS. After a refused proposal, no second
    one is made in the same turn; the state has no events then.
    """
    if not state.latest_events:
        return False
    is_due = state.turns >= DRAGGING and state.turns // 2 % (OFFER_EVERY // 2) == 0
    loses_by_it = is_last_round(state) and standing(state, state.seat) < EVEN
    return is_due and (state.turns >= HOPELESS or not loses_by_it)


def answer_to_abandoning(thinker: Thinker, state: State) -> str:
    """Return the answer of the seat that is not on turn to a proposal to abandon the round.

    After HOPELESS turns the seat agrees. Before that, in the last round it agrees only if abandoning wins the match. In
    an earlier round it agrees after DRAGGING turns, and whenever it expects no gain from playing on.
    """
    seat = state.opponent
    if state.turns >= HOPELESS:
        return AGREE.id
    if is_last_round(state):
        return AGREE.id if standing(state, seat) > EVEN else REFUSE.id
    gains_nothing = state.turns >= DRAGGING or outlook(thinker, state, seat, PARTS) <= grand_lead(state, seat)
    return AGREE.id if gains_nothing else REFUSE.id


def best_keep(state: State, needed: int | None = None) -> tuple[int, ...]:
    """Return the cargo dice to keep under best play; all of them if throwing gains nothing.

    Args:
        state: a state in which the cargo dice were thrown and may be thrown again.
        needed: the least cargo with which this turn wins the match; `None` to keep for the greatest expected cargo.
    """
    faces = [face for face in state.turn.cargo_faces if face is not None]
    dice = cargo_policy() if needed is None else _to_win(needed)
    kept = dice.best(faces, LEGEND_THROWS - state.turn.cargo_throws).kept
    return dice_showing(kept, state.turn.faces, CARGO_DICE)


@lru_cache(maxsize=4)
def _to_win(needed: int) -> KeepPolicy:
    """Return the policy that maximises the chance of the needed cargo and, with far less weight, the expected cargo."""
    return KeepPolicy(lambda faces: (cargo(faces) >= needed) * WINNING + cargo(faces))


def slipped(kept: Sequence[int], below: Below) -> tuple[int, ...]:
    """Return a beginner's choice of dice to keep: by chance, some dice that should be kept are left out."""
    return tuple(die for die in kept if below(3) < KEPT_BY_A_SLIP)


class AetherPlayer:
    """Answers for every seat that Aether plays; from turn to turn the player remembers only the planned offers to buy.

    Args:
        thinker: runs the searches at one level of strength.
    """

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._bargainer = bargaining.Bargainer(thinker)
        self._cargo_chosen: tuple[int, ...] | None = None  # the cargo dice to keep, for the current answer

    def __call__(self, state: State, decide: Decide) -> Action:
        """Return the answer to a question."""
        self._thinker.begin(RESERVED)
        self._cargo_chosen = None
        match decide.ask:
            case PickAsk(options=options):
                return Pick(self._pick(state, {option.id for option in options if not option.in_vain}))
            case KeepAsk():
                return Keep(self._sure_to_throw(state))
            case AmountAsk() as ask:
                step = state.turn.step
                kind = step.kind if isinstance(step, steps.BuyPrice) else 0
                return Amount(self._bargainer.price(state, kind, ask))

    def _pick(self, state: State, offered: Collection[str]) -> str:
        match state.turn.step:
            case steps.GenieHop(squares):
                return bargaining.best_hop(self._thinker, state, squares)
            case steps.BuyPiece():
                return self._bargainer.piece(state)
            case steps.Entering(kind):
                return bargaining.best_entry(self._thinker, state, kind)
            case steps.BuyConsent(kind, price):
                return bargaining.answer_to_offer(self._thinker, state, kind, price)
            case steps.AbandonConsent():
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
        """Return the dice to keep, but never all of them.

        If all should be kept, the cargo die whose throw costs the least expected cargo is thrown.
        """
        kept = self._kept(state)
        if len(kept) < len(asks.throwable(state)):
            return kept
        _, fallen = least_cargo_loss(state)
        return tuple(die for die in kept if die != fallen)

    def _kept(self, state: State) -> tuple[int, ...]:
        """Return the dice to keep among the dice that may be thrown."""
        throwable = asks.throwable(state)
        kept: tuple[int, ...] = ()
        if CARGO_DICE[0] in throwable:
            kept = self._cargo_kept(state)
        if LEGEND_DIE in throwable and plan(self._thinker, state).action != "throw":
            kept = (*kept, LEGEND_DIE)
        return kept

    def _cargo_kept(self, state: State) -> tuple[int, ...]:
        """Return the cargo dice to keep; a weak level sometimes errs."""
        if self._cargo_chosen is None:
            kept = best_keep(state, self._cargo_needed(state))
            slips = self._thinker.level.slips
            errs = slips > 0 and self._thinker.below(PERCENT) < slips
            self._cargo_chosen = slipped(kept, self._thinker.below) if errs else kept
        return self._cargo_chosen

    def _cargo_needed(self, state: State) -> int | None:
        """Return the least cargo of this turn that wins the match, after the turn's move.

        The move is the one made already, or else the planned one. The result is `None` without a move. It is also
        `None` if the match goes on after the turn, or if no cargo wins the match.
        """
        if not is_last_round(state):
            return None
        if state.turn.moved:
            return cargo_to_win(state, state)
        found = plan(self._thinker, state) if state.turn.die is not None else None
        if found is None or found.action != "move" or found.move is None:
            return None
        return cargo_to_win(state, after_move(state, found.move))
