"""`python -m tests.siege`: lay siege to the table, and print what came of it. Exit code 1 if it fell short anywhere."""

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from captains_table.runtime.plugins import install_plugins
from tests.siege.attack import Case
from tests.siege.attacks import ATTACKS
from tests.siege.campaign import Result, run_attack
from tests.siege.report import print_table, write_markdown
from tests.siege.sizes import add_sizes, units_of

WIDTH = 180
"""Of the table where nobody looks: in a file lines are long."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make every attack and return the exit code."""
    install_plugins()
    words = list(sys.argv[1:] if argv is None else argv)
    arguments = parser().parse_args(words)
    console = Console(stderr=False, width=None if sys.stdout.isatty() else WIDTH)
    results = besiege(arguments)
    print_table(results, console)
    if arguments.markdown is not None:
        write_markdown(arguments.markdown, results, shlex.join(["python", "-m", "tests.siege", *words]))
    return 1 if any(result.found for result in results) else 0


def besiege(arguments: argparse.Namespace) -> list[Result]:
    """Make the attacks one after the other, with a bar for each."""
    columns = (
        *(TextColumn("{task.description:18}"), BarColumn(), MofNCompleteColumn()),
        *(TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[found]}")),
    )
    results = []
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        for name in arguments.only or ATTACKS:
            attack = ATTACKS[name]
            units = units_of(name, arguments)
            cases = [case for case in attack.cases(units, arguments.seed) if arguments.case in (None, case.number)]
            if arguments.case is not None and not cases:
                cases = [Case(name, arguments.case, attack.each, arguments.seed)]
            if not cases:
                continue
            task = progress.add_task(name, total=sum(case.units for case in cases), found="")
            results.append(
                run_attack(attack, cases, arguments.workers, lambda units, task=task: progress.advance(task, units))
            )  # type: ignore[misc]
            found = len(results[-1].found)
            progress.update(task, found=f"{found} found" if found else "nothing lost")
            if progress.disable:
                console.print(
                    f"{name}: {results[-1].units:,} {attack.unit} in {results[-1].seconds:.0f} s, {found} found"
                )
    return results


def parser() -> argparse.ArgumentParser:
    """Return what the command line may say."""
    found = argparse.ArgumentParser(prog="python -m tests.siege", description=__doc__)
    add_sizes(found)
    found.add_argument("--seed", type=int, default=0, help="another seed makes other kills, requests and inputs (0)")
    found.add_argument("--only", choices=list(ATTACKS), action="append", help="this attack alone; may be given again")
    found.add_argument("--case", type=int, metavar="N", help="this case of it alone, as a finding names it")
    found.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="how many processes")
    found.add_argument("--markdown", type=Path, metavar="FILE", help="write the table into this document too")
    return found


if __name__ == "__main__":
    sys.exit(main())
