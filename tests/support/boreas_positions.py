"""Positions of Captain's Chess to think about: from matches that Boreas played quickly, with some moves by chance."""

import random
import time
from collections.abc import Iterator

from captains_table.games.captains_chess.fen import START_POSITION
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.players.captains_chess.boreas.board import BoreasBoard
from captains_table.players.captains_chess.boreas.search import BoreasLimits, BoreasSearch

BY_CHANCE = 0.15
PLIES = range(6, 60)


def played_positions(count: int, seed: int = 1, nodes: int = 300) -> list[CaptainsPosition]:
    """Return so many positions, each of a match of its own that is not over."""
    rng = random.Random(seed)
    found: list[CaptainsPosition] = []
    while len(found) < count:
        *_, last = positions_of_a_match(rng, rng.choice(PLIES), nodes)
        if last.moves:
            found.append(last)
    return found


def positions_of_a_match(
    rng: random.Random, plies: int, nodes: int, start: CaptainsPosition = START_POSITION
) -> Iterator[CaptainsPosition]:
    """Yield the positions of a match that is played quickly."""
    yield start
    position = start
    for _ in range(plies):
        if not position.moves:
            return
        if rng.random() < BY_CHANCE:
            id_ = rng.choice(list(position.moves))
        else:
            board = BoreasBoard(position)
            id_ = board.id_of(BoreasSearch(board, [], BoreasLimits(nodes), time.perf_counter).best().move)
        position = position.play(position.moves[id_])
        yield position
