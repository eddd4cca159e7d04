"""`python -m tests.ladder`: how strong Aether's levels are. Exit code 1 where a pairing falls short of its goal."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from captains_table.process.plugins import install_plugins
from tests.ladder.exactness import exactness_line
from tests.ladder.game import Played, play
from tests.ladder.pairings import PAIRINGS, Pairing
from tests.ladder.playing import play_rest
from tests.ladder.report import Row, line_of, row_of, write_markdown

EXACT: Final = "exact"
USUAL: Final = user_cache_path("captains-table") / "ladder.jsonl"
Round = tuple[str, int, bool]
"""The key of a pairing, the number of a pair, and whether the first player has White."""


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is left to play, print what came of all, and return the exit code."""
    install_plugins()
    arguments = parser().parse_args(argv)
    only = arguments.only or [*PAIRINGS, EXACT]
    rows = [_played(PAIRINGS[name], arguments) for name in only if name != EXACT]
    if arguments.markdown is not None:
        write_markdown(arguments.markdown, rows)
    reached = all(row.reached for row in rows)
    if EXACT in only:
        exact, words = exactness_line(arguments.positions, processes=arguments.processes)
        print(words, flush=True)
        reached = reached and exact
    return 0 if reached else 1


def _played(pairing: Pairing, arguments: argparse.Namespace) -> Row:
    pairs = max(1, (arguments.games or pairing.games) // 2)
    keys: list[Round] = [(pairing.key, pair, white) for pair in range(pairs) for white in (True, False)]
    found = play_rest(arguments.results, keys, _play, arguments.processes, batch=1)
    row = row_of(pairing, [[Played(*found[key]) for key in keys[at : at + 2]] for at in range(0, len(keys), 2)])
    print(line_of(row), flush=True)
    return row


def _play(key: Round) -> Played:
    name, pair, first_has_white = key
    pairing = PAIRINGS[name.split()[0]]
    return play(pairing.first, pairing.second, pair, first_has_white=first_has_white)


def parser() -> argparse.ArgumentParser:
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
