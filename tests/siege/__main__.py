"""`python -m tests.siege`: lay siege to the table, and print what came of it. Exit code 1 if it fell short anywhere."""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from math import ceil
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from captains_table.process.plugins import install_plugins
from tests.siege.attack import Attack, Case
from tests.siege.attacks import ATTACKS, SIZES
from tests.siege.campaign import Result, run_attack
from tests.siege.report import print_table, write_markdown

WIDTH = 180
"""Of the table where no terminal is: in a file lines are long."""

COLUMNS = (
    *(TextColumn("{task.description:18}"), BarColumn(), MofNCompleteColumn()),
    *(TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[found]}")),
)
WORKERS = (os.cpu_count() or 1) + 1
"""One more than there are cores: a worker that waits for a piece that slides lets another work."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make every attack and return the exit code."""
    install_plugins()
    arguments = parser().parse_args(argv)
    console = Console(stderr=False, width=None if sys.stdout.isatty() else WIDTH)
    results = besiege(arguments)
    print_table(results, console)
    if arguments.markdown is not None:
        write_markdown(arguments.markdown, results)
    return 1 if any(result.found for result in results) else 0


def besiege(arguments: argparse.Namespace) -> list[Result]:
    """Make the attacks one after the other, with a bar for each."""
    results = []
    console = Console(stderr=True)
    with Progress(*COLUMNS, console=console, disable=not console.is_terminal) as progress:
        for name in arguments.only or ATTACKS:
            cases = cases_of(ATTACKS[name], arguments)
            if cases:
                results.append(watched(ATTACKS[name], cases, arguments.workers, progress))
    return results


def cases_of(attack: Attack, arguments: argparse.Namespace) -> list[Case]:
    """Return the cases of an attack, or the one that is asked for."""
    size, given = SIZES[attack.made.option], getattr(arguments, attack.made.option.replace("-", "_"))
    wanted = given if given is not None else size.small if arguments.small else size.full
    cases = list(attack.cases(ceil(wanted * attack.made.share), arguments.seed))
    if arguments.case is None:
        return cases
    beyond = Case(attack.name, arguments.case, attack.made.each, arguments.seed)
    return [*(case for case in cases if case.number == arguments.case), beyond][:1]


def watched(attack: Attack, cases: Sequence[Case], workers: int, progress: Progress) -> Result:
    """Make one attack, and show how far it is: by a bar, or by a line at its end where no terminal is."""
    task = progress.add_task(attack.name, total=sum(case.units for case in cases), found="")
    result = run_attack(attack, cases, workers, partial(progress.advance, task))
    found = f"{len(result.found)} found" if result.found else "nothing lost"
    progress.update(task, found=found)
    if progress.disable:
        progress.console.print(f"{attack.name}: {result.units:,} {attack.made.unit} in {result.seconds:.0f} s, {found}")
    return result


def parser() -> argparse.ArgumentParser:
    """Return what the command line may say."""
    found = argparse.ArgumentParser(prog="python -m tests.siege", description=__doc__)
    for name, size in SIZES.items():
        found.add_argument(f"--{name}", type=int, metavar="N", help=f"how many ({size.full:,}; --small: {size.small})")
    found.add_argument("--small", action="store_true", help="the small campaign that is part of the tests")
    found.add_argument("--seed", type=int, default=0, help="another seed makes other kills, requests and inputs (0)")
    found.add_argument("--only", choices=list(ATTACKS), action="append", help="this attack alone; may be given again")
    found.add_argument("--case", type=int, metavar="N", help="this case of it alone, as a finding names it")
    found.add_argument("--workers", type=int, default=WORKERS, metavar="N", help=f"how many processes ({WORKERS})")
    found.add_argument("--markdown", type=Path, metavar="FILE", help="write the table into this document too")
    return found


if __name__ == "__main__":
    sys.exit(main())
