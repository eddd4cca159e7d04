"""A table between two marks of a Markdown document, which a long run writes and a later one goes on with."""

from collections.abc import Callable, Sequence
from pathlib import Path

Rows = Sequence[Sequence[str]]


def rewrite_table(
    path: Path,
    marks: tuple[str, str],
    headings: Sequence[str],
    rows: Rows,
    *,
    order: Sequence[str],
    foot: Callable[[Rows], str] = lambda _: "",
) -> None:
    """Put rows into a table between two marks, in place of those with the same first cell; raises ValueError.

    Others stay if their first cell is in the order; new rows whose first cell is not come last. `foot` returns what is
    said below the rows.
    """
    begin, end = marks
    before, found_begin, rest = path.read_text(encoding="utf-8").partition(begin)
    old, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"{path}: expected the marks {begin} and {end}, between which the table is written")
    lines = (line.removeprefix("| ").removesuffix(" |").split(" | ") for line in old.splitlines())
    known: dict[str, Sequence[str]] = {line[0]: line for line in lines if line[0] in order}
    known |= {row[0]: row for row in rows}
    table = [known[name] for name in dict.fromkeys([*order, *known]) if name in known]
    written = [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}"]
    written += [f"| {' | '.join(row)} |" for row in table]
    below = foot(table)
    text = "\n".join([*written, "", below] if below else written)
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")
