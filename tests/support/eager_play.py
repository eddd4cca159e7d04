"""A player who knows no game but likes what is rare, so that random matches come by everything and end."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from captains_table.games.contract import Action, Decide, Game, Pick, PickAsk, Turn, parse_square
from tests.support.random_play import random_action

RARE = {
    "buy-back",
    "agree",
    "e1g1",
    "e1c1",
    "e8g8",
    "e8c8",
    "e1h1",
    "e1b1",
    "e8h8",
    "e8b8",
    "hornswaggle",
    "score-piracy",
}
RARE_SHARE = 0.5
REGICIDE_SHARE = 0.2
SHY: dict[str, dict[str, float]] = {
    "captains-chess": {"offer-draw": 0.1, "agree": 0.05, "claim-draw": 0.3, "resign": 0.01}
}


def eager_action(game: Game[Any], state: Any, turn: Turn, rng: random.Random) -> Action:  # noqa: ANN401
    """Return a random answer that likes what is rare, and to take a king, so that every match ends."""
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        ask = without_the_shy(game, turn.ask, rng)
        turn = Decide(turn.seat, ask)
        ids = [option.id for option in ask.options]
        if (rare := [id_ for id_ in ids if id_ in RARE]) and rng.random() < RARE_SHARE:
            return Pick(rng.choice(rare))
        board = game.pieces(state)
        kings = [option.id for option in ask.options if option.on_board and taken(board, option.id) in ("k", "K")]
        if kings and rng.random() < REGICIDE_SHARE:
            return Pick(kings[0])
    return random_action(turn, rng)


def without_the_shy(game: Game[Any], ask: PickAsk, rng: random.Random) -> PickAsk:
    """Return an ask without what is rarely done, as far as anything else is left."""
    shy = {id_ for id_, share in SHY.get(game.key, {}).items() if rng.random() > share}
    options = tuple(option for option in ask.options if option.id not in shy)
    return replace(ask, options=options, default=None) if options and len(options) < len(ask.options) else ask


def taken(board: Mapping[Any, str], id_: str) -> str | None:
    """Return what stands on the square a board move ends on."""
    try:
        return board.get(parse_square(id_[2:4]))
    except ValueError:
        return None
