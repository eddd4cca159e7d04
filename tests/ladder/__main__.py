"""`python -m tests.ladder`: how strong Aether's levels are. Exit code 1 where a pairing falls short of its goal.

With `--game chess` first: how strong Boreas's levels are in chess (`tests.ladder.chess_levels`).
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from platformdirs import user_cache_path

from captains_table.players.legend.aether.evaluation import Evaluation
from captains_table.players.legend.aether.opponent import LEVELS
from captains_table.players.legend.aether.situation import Situation
from captains_table.players.legend.aether.weights import WEIGHTS
from captains_table.process.plugins import install_plugins
from tests.ladder import chess_levels
from tests.ladder.game import Played, play
from tests.ladder.pairings import PAIRINGS, Pairing
from tests.ladder.results import Share, play_rest, share_of
from tests.support.marked_table import rewrite_table
from tests.support.plain_expectimax import greatest_error, ordinary_situations

EXACT: Final = "exact"
DEPTH: Final = 3
ALLOWED: Final = 1e-6
BATCH: Final = 5
SEED: Final = 3  # not the seed of the tests' own positions
USUAL: Final = user_cache_path("captains-table") / "ladder.jsonl"
MARKS: Final = ("<!-- the table of `make ladder` -->", "<!-- its end -->")
HEADINGS: Final = (
    *("Pairing", "Rounds", "Leads in", "To reach", "Takes the king", "By points", "Turns", "Seconds a turn"),
)
Round = tuple[str, int, bool]
"""The key of a pairing, the number of a pair, and whether the first player has White."""


class Row(NamedTuple):
    """What came of a pairing: how many rounds, and for the first player on average what `Played` has of each."""

    pairing: Pairing
    rounds: int
    leads: Share
    kings: Share
    by: float
    turns: float
    seconds: tuple[float, float]

    @property
    def reached(self) -> bool:
        king_goal = self.pairing.king_goal
        return self.leads.value >= self.pairing.goal and (king_goal is None or self.kings.value >= king_goal)

    def cells(self) -> tuple[str, ...]:
        king_goal = "" if self.pairing.king_goal is None else f", king {self.pairing.king_goal:.0%}"
        return (
            *(self.pairing.words, f"{self.rounds:,}", self.leads.told(), f"{self.pairing.goal:.0%}{king_goal}"),
            *(self.kings.told(), f"{self.by:+.1f}", f"{self.turns:.0f}"),
            f"{self.seconds[0]:.3f}, {self.seconds[1]:.3f}",
        )

    def line(self) -> str:
        """Return what came of the pairing, for a terminal."""
        words, rounds, leads, goal, kings, by, turns, seconds = self.cells()
        verdict = "reached" if self.reached else "NOT REACHED"
        return (
            f"{words}: leads in {leads} of {rounds}, to reach {goal}: {verdict}; takes the king in {kings}, {by} "
            f"points, {turns} turns a round, {seconds} s a turn"
        )


def row_of(pairing: Pairing, pairs: Sequence[Sequence[Played]]) -> Row:
    rounds = [each for pair in pairs for each in pair]
    leads = share_of([[each.lead for each in pair] for pair in pairs])
    kings = share_of([[each.king for each in pair] for pair in pairs])
    by, turns = fmean(each.by for each in rounds), fmean(each.turns for each in rounds)
    seconds = fmean(each.seconds[0] for each in rounds), fmean(each.seconds[1] for each in rounds)
    return Row(pairing, len(rounds), leads, kings, by, turns, seconds)


def level_lines() -> list[str]:
    """Return the levels as rows of a document's table."""
    return [
        f"| {number} | {level.words} | {level.nodes:,} | {level.glances} % | {level.slips} % |"
        for number, level in LEVELS.items()
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is left to play, print what came of all, and return the exit code."""
    install_plugins()
    words = sys.argv[1:] if argv is None else argv
    if list(words[:2]) == ["--game", "chess"]:
        return chess_levels.main(words[2:])
    arguments = parser().parse_args(words)
    only = arguments.only or [*PAIRINGS, EXACT]
    rows = [_played(PAIRINGS[name], arguments) for name in only if name != EXACT]
    if arguments.markdown is not None:
        order = [pairing.words for pairing in PAIRINGS.values()]
        rewrite_table(arguments.markdown, MARKS, HEADINGS, [row.cells() for row in rows], order=order)
    exact = True
    if EXACT in only:
        exact, words = exactness_line(arguments.positions, processes=arguments.processes)
        print(words, flush=True)
    return 0 if exact and all(row.reached for row in rows) else 1


def _played(pairing: Pairing, arguments: argparse.Namespace) -> Row:
    pairs = max(1, (arguments.games or pairing.games) // 2)
    keys: list[Round] = [(pairing.key, pair, white) for pair in range(pairs) for white in (True, False)]
    found = play_rest(arguments.results, keys, _play, arguments.processes, batch=1)
    row = row_of(pairing, [[Played(*found[key]) for key in keys[at : at + 2]] for at in range(0, len(keys), 2)])
    print(row.line(), flush=True)
    return row


def _play(key: Round) -> Played:
    name, pair, first_has_white = key
    pairing = PAIRINGS[name.split()[0]]
    return play(pairing.first, pairing.second, pair, first_has_white=first_has_white)


def exactness_line(positions: int, depth: int = DEPTH, processes: int | None = None) -> tuple[bool, str]:
    """Return whether so many values are those of a plain expectimax written from the rules, and that in words."""
    situations = list(ordinary_situations(positions, SEED))
    batches = [situations[first : first + BATCH] for first in range(0, positions, BATCH)]
    with ProcessPoolExecutor(processes or os.cpu_count(), initializer=install_plugins) as pool:
        error = max(pool.map(_error_of, batches, [depth] * len(batches)))
    words = f"{positions} positions {depth} moves deep: greatest difference from a plain search {error:.1e}"
    exact = error <= ALLOWED
    return exact, f"{words}, allowed {ALLOWED:.0e}: {'reached' if exact else 'NOT REACHED'}"


def _error_of(batch: list[Situation], depth: int) -> float:
    return greatest_error(batch, depth, Evaluation(WEIGHTS))


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m tests.ladder", description=__doc__)
    found.add_argument("--only", choices=[*PAIRINGS, EXACT], action="append", help="this alone; may be given again")
    found.add_argument("--games", type=int, help="so many rounds of each pairing, in place of its own number")
    found.add_argument("--positions", type=int, default=300, help="positions compared with a plain search (300)")
    found.add_argument("--results", type=Path, default=USUAL, metavar="FILE", help=f"what was played already ({USUAL})")
    found.add_argument("--processes", type=int, default=os.cpu_count(), help="how many run at once (one a core)")
    found.add_argument("--markdown", type=Path, metavar="FILE", help="write the table into this document")
    return found


if __name__ == "__main__":
    sys.exit(main())
