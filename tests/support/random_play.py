"""A player who knows no game: it answers whatever is asked, by the contract alone."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from captains_table.games.contract import (
    Action,
    Amount,
    AmountAsk,
    Auction,
    Bell,
    Bid,
    Decide,
    Game,
    Keep,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    Turn,
)

BOARD_SHARE = 0.6
MOST_ACTIONS = 100_000


def random_action(turn: Turn, rng: random.Random) -> Action:
    """Return an answer to whatever is due; raises ValueError when the match is over."""
    match turn:
        case Roll(dice=dice):
            return Rolled(tuple(rng.randint(1, 6) for _ in dice))
        case Decide(ask=PickAsk() as ask):
            return Pick(_random_option(ask, rng))
        case Decide(ask=KeepAsk(dice=dice)):
            return Keep(tuple(sorted(rng.sample(dice, rng.randrange(len(dice))))))
        case Decide(ask=AmountAsk(lo=lo, hi=hi)):
            return Amount(rng.randint(lo, hi))
        case Auction(bidders=bidders):
            answers: list[Action] = [Bell()]
            answers += [Bid(bidder.seat, rng.randint(bidder.least, bidder.most)) for bidder in bidders]
            return rng.choice(answers)
        case _:
            raise ValueError(f"nothing is to be done: {turn}")


def _random_option(ask: PickAsk, rng: random.Random) -> str:
    """Moves come first, then what a sensible player does; the last of many options (giving up) is rare."""
    on_board = [option.id for option in ask.options if option.on_board]
    others = [option for option in ask.options if not option.on_board]
    if on_board and (not others or rng.random() < BOARD_SHARE):
        return rng.choice(on_board)
    last = others[-1] if len(others) > 1 else None
    weights = [6 if option.id == ask.default else 0.05 if option is last else 2 for option in others]
    return rng.choices(others, weights)[0].id


def play_match(
    game: Game[Any], names: Sequence[str], options: Mapping[str, str], rng: random.Random, most: int = MOST_ACTIONS
) -> list[Action]:
    """Return the actions of a match played to its end, or its first `most` actions."""
    state = game.start(names, options)
    actions: list[Action] = []
    while len(actions) < most and not isinstance(turn := game.turn(state), Over):
        action = random_action(turn, rng)
        state = game.apply(state, action)
        actions.append(action)
    return actions
