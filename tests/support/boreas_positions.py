"""Positions of Captain's Chess to think about: from matches that Boreas played quickly, with some moves by chance."""

import random
import time

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
        last = _played(rng, rng.choice(PLIES), nodes)
        if last.moves:
            found.append(last)
    return found


def _played(rng: random.Random, plies: int, nodes: int) -> CaptainsPosition:
    """Return how a match stands that is played quickly, after so many moves at most."""
    position = START_POSITION
    for _ in range(plies):
        if not position.moves:
            break
        if rng.random() < BY_CHANCE:
            id_ = rng.choice(list(position.moves))
        else:
            board = BoreasBoard(position)
            id_ = board.id_of(BoreasSearch(board, [], BoreasLimits(nodes), time.perf_counter).best().move)
        position = position.play(position.moves[id_])
    return position
