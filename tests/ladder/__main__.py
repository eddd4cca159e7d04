"""`python -m tests.ladder`: how strong Aether's levels are. Exit code 1 where a pairing falls short of its goal."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from captains_table.process.plugins import install_plugins
from tests.ladder.exactness import exactness_line
from tests.ladder.game import Played, play
from tests.ladder.pairings import PAIRINGS, Pairing
from tests.ladder.report import Row, line_of, row_of, write_markdown
from tests.ladder.results import USUAL, Results

EXACT = "exact"


class Round(NamedTuple):
    """A round to be played."""

    pairing: str
    pair: int
    first_has_white: bool


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is left to play, print what came of all, and return the exit code."""
    install_plugins()
    arguments = parser().parse_args(argv)
    results, only = Results(arguments.results), arguments.only or [*PAIRINGS, EXACT]
    rows = [_played(PAIRINGS[name], results, arguments) for name in only if name != EXACT]
    if arguments.markdown is not None:
        write_markdown(arguments.markdown, rows)
    reached = all(row.reached for row in rows)
    if EXACT in only:
        exact, words = exactness_line(arguments.positions, processes=arguments.processes)
        print(words, flush=True)
        reached = reached and exact
    return 0 if reached else 1


def _played(pairing: Pairing, results: Results, arguments: argparse.Namespace) -> Row:
    pairs = max(1, (arguments.games or pairing.games) // 2)
    waiting = [
        each
        for each in _rounds(pairing, pairs)
        if not results.has(pairing.key, each.pair, first_has_white=each.first_has_white)
    ]
    with ProcessPoolExecutor(arguments.processes, initializer=install_plugins) as pool:
        running = {pool.submit(_play, each): each for each in waiting}
        for done in as_completed(running):
            each = running[done]
            results.add(pairing.key, each.pair, done.result(), first_has_white=each.first_has_white)
    row = row_of(pairing, results.of(pairing.key, pairs))
    print(line_of(row), flush=True)
    return row


def _rounds(pairing: Pairing, pairs: int) -> Iterator[Round]:
    for pair in range(pairs):
        for first_has_white in (True, False):
            yield Round(pairing.name, pair, first_has_white)


def _play(each: Round) -> Played:
    pairing = PAIRINGS[each.pairing]
    return play(pairing.first, pairing.second, each.pair, first_has_white=each.first_has_white)


def parser() -> argparse.ArgumentParser:
    """Return what the command line may say."""
    found = argparse.ArgumentParser(prog="python -m tests.ladder", description=__doc__)
    found.add_argument("--only", choices=[*PAIRINGS, EXACT], action="append", help="this alone; may be given again")
    found.add_argument("--games", type=int, help="so many rounds of each pairing, in place of its own number")
    found.add_argument(
        "--positions", type=int, default=300, help="positions whose value is compared with a plain search (300)"
    )
    found.add_argument("--results", type=Path, default=USUAL, metavar="FILE", help=f"what was played already ({USUAL})")
    found.add_argument(
        "--processes", type=int, default=os.cpu_count(), help="how many run at once (as many as there are cores)"
    )
    found.add_argument("--markdown", type=Path, metavar="FILE", help="write the table into this document")
    return found


if __name__ == "__main__":
    sys.exit(main())
