"""What came of a campaign, as a table for a terminal and for a document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.siege.attack import Fault
from tests.siege.attacks import ATTACKS
from tests.siege.campaign import MOST_FINDINGS, Result
from tests.support.marked_table import Rows, rewrite_table

BEGIN: Final = "<!-- the table of `make siege` -->"
END: Final = "<!-- its end -->"
HEADINGS: Final = ("Attack", "What it does", "Made", "What came of it", "Minutes", *(str(fault) for fault in Fault))


def rows(results: Sequence[Result]) -> list[tuple[str, ...]]:
    return [
        (
            result.attack.name,
            result.attack.what,
            f"{result.units:,} {result.attack.made.unit}",
            ", ".join(f"{what}: {count:,}" for what, count in sorted(result.outcome.counts.items())),
            f"{result.seconds / 60:.1f}",
            *(str(sum(finding.fault is fault for _, finding in result.found)) for fault in Fault),
        )
        for result in results
    ]


def print_table(results: Sequence[Result], console: Console) -> None:
    """Print the table, and each finding with how to repeat it."""
    table = Table(*HEADINGS, show_lines=True)
    for row in rows(results):
        table.add_row(*row)
    console.print(table)
    found = [one for result in results for one in result.found]
    for case, finding in found[:MOST_FINDINGS]:
        console.print(f"{finding.fault}: {finding.words}\n    repeat it: {case.repeat}", markup=False, highlight=False)
    if len(found) > MOST_FINDINGS:
        console.print(f"and {len(found) - MOST_FINDINGS} more")


def in_all(table: Rows) -> str:
    """Return how long a campaign took, and how much was found."""
    minutes = sum(float(row[HEADINGS.index("Minutes")]) for row in table)
    found = sum(int(count) for row in table for count in row[-len(Fault) :])
    return f"{minutes:.0f} minutes in all; found: {found or 'nothing'}."


def write_markdown(path: Path, results: Sequence[Result]) -> None:
    """Put the table into a document, between its two marks; attacks that were not made keep their rows."""
    rewrite_table(path, (BEGIN, END), HEADINGS, rows(results), order=list(ATTACKS), foot=in_all)
