"""Positions of Captain's Chess to think about: from matches that Boreas played quickly, with some moves by chance."""

import random
import time

from captains_table.games.captains_chess.fen import START_POSITION
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.players.boreas.board import BoreasBoard
from captains_table.players.boreas.search import BoreasLimits, BoreasSearch
from captains_table.players.boreas.setups import setup_of_position

BY_CHANCE = 0.15
PLIES = range(6, 60)


def played_positions(count: int, seed: int = 1, nodes: int = 300) -> list[CaptainsPosition]:
    """Return so many positions, each of a match of its own that is not over."""
    rng, found = random.Random(seed), list[CaptainsPosition]()
    while len(found) < count:
        position = START_POSITION
        for _ in range(rng.choice(PLIES)):
            if not position.moves:
                break
            if rng.random() < BY_CHANCE:
                id_ = rng.choice(list(position.moves))
            else:
                board = BoreasBoard(setup_of_position(position))
                id_ = board.id_of(BoreasSearch(board, [], BoreasLimits(nodes), time.perf_counter).best().move)
            position = position.play(position.moves[id_])
        if position.moves:
            found.append(position)
    return found
