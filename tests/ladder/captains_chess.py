"""`python -m tests.ladder.captains_chess boreas:2 boreas:1`: two computers at Captain's Chess, in pairs of matches.

Both matches of a pair begin with the same moves by chance, and the players exchange colours. A match that is not over
after 300 moves of both sides counts as drawn. Without players: to how many draw offers each level of Boreas agrees, by
where a match stands.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from captains_table.catalog import opponents_of
from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.fen import START_FEN
from captains_table.games.common.chesslike.match import AnyState
from captains_table.games.contract import AGREE, Decide, Game, Over, Pick
from captains_table.players.common.opponents import Means, Opponent, opponent_of, sitter_of
from captains_table.players.common.strategies import Strategy
from captains_table.runtime.engines import TABLE_LEVELS, engine_opponent
from captains_table.runtime.uci_engine import EnginePlayer, EngineProgram
from tests.ladder.results import share_of

GAME = CaptainsChess()
BY_CHANCE = 4  # moves of both sides together
LONGEST = 300
WON: Final = "4k4/p8/9/9/9/9/PPP6/QR2K4 {} - - 0 60"
STANDINGS: Final[Mapping[str, tuple[str, Sequence[str]]]] = {  # a first position and moves; then a draw is offered
    "start": (START_FEN, ()),
    "after 1.e4 e5": (START_FEN, ("e2e4", "e7e5")),
    "lost": (WON.format("w"), ()),
    "level late": ("4k4/pp7/9/9/9/9/PP7/4K4 w - - 30 60", ()),
    "won": (WON.format("b"), ()),
}


def begun(pair: int, game: Game[Any] = GAME) -> AnyState:
    """Return how both matches of a pair begin: some moves by chance, after which nobody has lost."""
    rng, state = random.Random(pair), cast("AnyState", game.start(["A", "B"], {}))
    for _ in range(BY_CHANCE):
        state = cast("AnyState", game.apply(state, Pick(rng.choice(list(state.position.moves)))))
    return state


def play(state: AnyState, players: Sequence[Strategy], game: Game[Any] = GAME) -> tuple[float, float]:
    """Play a match to its end and return what each seat got of its one point."""
    for _ in range(LONGEST):
        turn = game.turn(state)
        if isinstance(turn, Over):
            winner = turn.result.winner
            return (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))
        assert isinstance(turn, Decide)
        state = game.apply(state, players[turn.seat](state, turn))
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


def agreed(level: int, standing: str, offers: int) -> int:
    """Return to how many of so many offers a level agrees, with chance seeded by the offer's number."""
    first, moves = STANDINGS[standing]
    state = GAME.start(["A", "B"], {"fen": first})
    for action in (*moves, "offer-draw"):
        state = GAME.apply(state, Pick(action))
    turn, boreas = GAME.turn(state), opponents_of(GAME.key)["boreas"]
    assert isinstance(turn, Decide)
    players = (boreas.make(level, Means(random.Random(seed).randrange, lambda: 0.0)) for seed in range(offers))
    return sum(player(state, turn) == Pick(AGREE.id) for player in players)


def offer_lines(offers: int) -> Iterator[str]:
    yield f"| Level | {' | '.join(STANDINGS)} |"
    yield f"|{'---|' * (len(STANDINGS) + 1)}"
    for level in opponents_of(GAME.key)["boreas"].levels:
        told = " | ".join(f"{agreed(level, standing, offers)} of {offers}" for standing in STANDINGS)
        yield f"| {level} | {told} |"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ladder.captains_chess", description=__doc__)
    parser.add_argument("players", nargs="*", help="two computers and their levels, such as boreas:3")
    parser.add_argument("--games", type=int, default=40, help="matches, two to a pair (40)")
    parser.add_argument("--offers", type=int, default=25, help="draw offers to each level in each standing (25)")
    parser.add_argument("--engine", type=Path, help="the engine that plays as engine:1 and so on")
    arguments = parser.parse_args(argv)
    if not arguments.players:
        sys.stdout.writelines(f"{line}\n" for line in offer_lines(arguments.offers))
        return 0
    first, second = arguments.players
    opponents = dict(opponents_of(GAME.key))
    if arguments.engine is not None:
        program = EngineProgram("Engine", str(arguments.engine))
        opponents["engine"] = engine_opponent(program, GAME.key, EnginePlayer(program), TABLE_LEVELS)
    began = time.perf_counter()
    pairs = [play_pair(pair, first, second, opponents) for pair in range(arguments.games // 2)]
    share, shares = share_of(pairs), [each for pair in pairs for each in pair]
    sys.stdout.write(
        f"{first} against {second}: {share.told()} of {len(shares)} matches, "
        f"{shares.count(0.5)} drawn, {(time.perf_counter() - began) / len(shares):.1f} s each\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
