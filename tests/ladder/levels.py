"""`python -m tests.ladder.levels`: what levels of computers score against the careful child, or any other player.

Without players: level 0 of every computer. A win counts 1, a draw 1/2. Exit code 1 if a level 0 scores more than 30 %
or less than 5 % against the careful child.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from captains_table.catalog import ENTRIES
from captains_table.runtime.simulated_matches import CAREFUL, SimulationPlan, play_match, sitters_of
from tests.ladder.results import share_of

LEAST, MOST = 0.05, 0.30


def share(plan: SimulationPlan, number: int) -> float:
    """Return what the first player of a plan gets of the one point of a match; seats change from match to match."""
    first, second = play_match(plan, number)
    return (1 + first.won - second.won) / 2


def main(argv: Sequence[str] | None = None) -> int:
    seats = [(entry.game.key, sitter) for entry in ENTRIES for sitter in sitters_of(entry)]
    parser = argparse.ArgumentParser(prog="python -m tests.ladder.levels", description=__doc__)
    parser.add_argument("players", nargs="*", help="computers and their levels, such as boreas:1 (level 0 of each)")
    parser.add_argument("--game", help="the game that they play (each that they can)")
    parser.add_argument("--against", default=CAREFUL, help="the other player (careful)")
    parser.add_argument("--matches", type=int, default=200, help="matches of each (200)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--seed", type=int, default=0, help="the same seed plays the same matches (0)")
    arguments = parser.parse_args(argv)
    is_right, options = True, dict(each.split("=", 1) for each in arguments.option)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for game, player in seats:
            if (player not in arguments.players if arguments.players else not player.endswith(":0")) or (
                arguments.game not in {None, game}
            ):
                continue
            plan = SimulationPlan(game, (player, arguments.against), options, arguments.matches, arguments.seed)
            shares = list(pool.map(partial(share, plan), range(plan.matches)))
            found = share_of([[each] for each in shares])
            is_right &= arguments.against != CAREFUL or not player.endswith(":0") or LEAST <= found.value <= MOST
            told = f"{found.told()} of {plan.matches} matches, {shares.count(0.5)} drawn"
            print(f"{game}: {player} against {arguments.against}: {told}", flush=True)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
