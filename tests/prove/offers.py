"""What may be played from a state, as ends for the judge; worked out once for each state."""

from functools import lru_cache, partial
from typing import Any

from captains_table.games.contract import Decide, Game, Pick, PickAsk
from captains_table.games.registry import game_by_key
from tests.prove.stories.judge import End


def ends_of(game: Game[Any], state: Any) -> tuple[End, ...]:  # noqa: ANN401 - each game has its own state
    """Return what may be played from a state, and behind each move what may follow it."""
    return _ends(game.key, state)


@lru_cache(maxsize=2048)
def _ends(key: str, state: Any) -> tuple[End, ...]:  # noqa: ANN401
    game = game_by_key(key)
    found = []
    for id_ in board_ids(game, state):
        after = game.apply(state, Pick(id_))
        found.append(End(id_, dict(game.pieces(after)), partial(_ends, key, after)))
    return tuple(found)


def board_ids(game: Game[Any], state: object) -> list[str]:
    turn = game.turn(state)
    if not isinstance(turn, Decide) or not isinstance(turn.ask, PickAsk):
        return []
    return [option.id for option in turn.ask.options if option.on_board]
