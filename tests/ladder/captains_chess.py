"""`python -m tests.ladder.captains_chess boreas:2 boreas:1`: two computers at Captain's Chess, in pairs of matches.

Both matches of a pair begin with the same moves by chance, and the players exchange colours. A match that is not over
after 300 moves of both sides counts as drawn.
"""

import argparse
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from captains_table.catalog import opponents_of
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.state import State
from captains_table.games.contract import Decide, Over, Pick
from captains_table.players.common.opponents import Means, Opponent, opponent_of, sitter_of
from captains_table.players.common.strategies import Strategy
from captains_table.runtime.uci_engine import engine_opponent
from tests.ladder.figures import share_of

GAME = CaptainsChess()
BY_CHANCE = 4  # moves of both sides together
LONGEST = 300


def begun(pair: int) -> State:
    """Return how both matches of a pair begin: some moves by chance, after which nobody has lost."""
    rng, state = random.Random(pair), GAME.start(["A", "B"], {})
    for _ in range(BY_CHANCE):
        state = GAME.apply(state, Pick(rng.choice(list(state.position.moves))))
    return state


def play(state: State, players: Sequence[Strategy]) -> tuple[float, float]:
    """Play a match to its end and return what each seat got of its one point."""
    for _ in range(LONGEST):
        turn = GAME.turn(state)
        if isinstance(turn, Over):
            winner = turn.result.winner
            return (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))
        assert isinstance(turn, Decide)
        state = GAME.apply(state, players[turn.seat](state, turn))
    return 0.5, 0.5


def play_pair(pair: int, first: str, second: str, opponents: Mapping[str, Opponent]) -> list[float]:
    """Return what the first got of both matches of a pair; the same number gives the same matches."""
    players = [_player(words, pair, opponents) for words in (first, second)]
    return [play(begun(pair), players)[0], play(begun(pair), players[::-1])[1]]


def _player(words: str, pair: int, opponents: Mapping[str, Opponent]) -> Strategy:
    sitter = sitter_of(words, opponents)
    assert sitter is not None, f"{words}: expected a computer and its level, such as boreas:3"
    means = Means(random.Random(f"{words} {pair}").randrange, time.perf_counter)
    return opponent_of(sitter, opponents).make(sitter.level, means)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ladder.captains_chess", description=__doc__)
    parser.add_argument("first", help="a computer and its level, such as boreas:3")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=40, help="matches, two to a pair (40)")
    parser.add_argument("--engine", type=Path, help="the engine that plays as engine:1 and so on")
    arguments = parser.parse_args(argv)
    opponents = dict(opponents_of(GAME.key))
    if arguments.engine is not None:
        opponents["engine"] = engine_opponent(arguments.engine)
    began = time.perf_counter()
    pairs = [play_pair(pair, arguments.first, arguments.second, opponents) for pair in range(arguments.games // 2)]
    share, shares = share_of(pairs), [each for pair in pairs for each in pair]
    sys.stdout.write(
        f"{arguments.first} against {arguments.second}: {share.told()} of {len(shares)} matches, "
        f"{shares.count(0.5)} drawn, {(time.perf_counter() - began) / len(shares):.1f} s each\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
