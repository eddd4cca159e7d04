"""`python -m tests.siege`: lay siege to the table, and print what came of it. Exit code 1 if it fell short anywhere."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from captains_table.process.plugins import install_plugins
from tests.siege.attack import Attack, Case, Trial
from tests.siege.campaign import ATTACKS, Result, lines_of, run_attack, write_markdown
from tests.support.nursery import Nursery

WORKERS = (os.cpu_count() or 1) + 1
"""One more than there are cores: a worker that waits for a piece that slides lets another work."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make the attacks one after the other, and return the exit code."""
    install_plugins()
    arguments = parser().parse_args(argv)
    nursery = Trial.nursery = Nursery() if arguments.small else None
    try:
        results = besiege(arguments)
    finally:
        Trial.nursery = None
        if nursery is not None:
            nursery.close()
    if arguments.markdown is not None:
        write_markdown(arguments.markdown, results)
    return 1 if any(result.found for result in results) else 0


def besiege(arguments: argparse.Namespace) -> list[Result]:
    results = []
    for name in arguments.only or ATTACKS:
        cases = cases_of(ATTACKS[name], arguments)
        if cases:  # a small campaign has one worker: all would speak with one nursery
            results.append(run_attack(ATTACKS[name], cases, 1 if arguments.small else arguments.workers))
            sys.stdout.write("\n".join([*lines_of(results[-1]), ""]))
            sys.stdout.flush()
    return results


def cases_of(attack: Attack, arguments: argparse.Namespace) -> list[Case]:
    """Return the cases of an attack, or the one that is asked for."""
    usual = attack.small if arguments.small else attack.full
    cases = list(attack.cases(usual if arguments.units is None else arguments.units, arguments.seed))
    if arguments.case is None:
        return cases
    beyond = Case(attack.name, arguments.case, attack.each, arguments.seed)
    return [*(case for case in cases if case.number == arguments.case), beyond][:1]


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m tests.siege", description=__doc__)
    found.add_argument("--small", action="store_true", help="the small campaign that is part of the tests")
    found.add_argument("--seed", type=int, default=0, help="another seed makes other kills, requests and inputs (0)")
    found.add_argument("--only", choices=list(ATTACKS), action="append", help="this attack alone; may be given again")
    found.add_argument("--units", type=int, metavar="N", help="how many of each, in place of its own number")
    found.add_argument("--case", type=int, metavar="N", help="this case of it alone, as a finding names it")
    found.add_argument("--workers", type=int, default=WORKERS, metavar="N", help=f"how many processes ({WORKERS})")
    found.add_argument("--markdown", type=Path, metavar="FILE", help="write the table into this document too")
    return found


if __name__ == "__main__":
    sys.exit(main())
