"""Writes a build's wiring documents: the harness for WireViz, the diagram drawn from it, a parts list and a page.

The page is a Markdown text for reading. The diagram contains the digest of the harness from which it was drawn.
"""

import csv
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.wiring.harness import harness_of
from captains_table.hardware.wiring.wiring_page import COLUMNS, part_rows, wiring_page


class CannotDraw(RuntimeError):
    """WireViz or Graphviz is missing."""


def write_documents(profile: Profile, directory: Path) -> list[Path]:
    """Write a build's harness (.yml), parts list (.csv), page for reading (.md) and diagram (.svg); return the paths.

    Raises:
        NothingToWire: the table is simulated.
        CannotDraw: WireViz or Graphviz is not installed.
        OSError: the directory cannot be written.
    """
    texts = text_documents(profile) | {"svg": draw_diagram(profile)}
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for ending, text in texts.items():
        path = directory / f"{profile.name}.{ending}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def text_documents(profile: Profile) -> dict[str, str]:
    """Return the text of each document except the diagram, keyed by the file name's ending.

    Raises:
        NothingToWire: the table is simulated.
        CannotDraw: WireViz is not installed.
    """
    page = "\n".join(wiring_page(profile)) + "\n"
    return {"yml": harness_text(profile), "csv": _csv(part_rows(profile)), "md": page}


def harness_text(profile: Profile) -> str:
    """Return the harness as YAML for WireViz; raises NothingToWire or CannotDraw."""
    yaml = _wireviz().yaml
    text: str = yaml.safe_dump(harness_of(profile), allow_unicode=True, sort_keys=False, width=120)
    return f"# Made from the profile {profile.name} by `captains-table wiring {profile.name}`.\n{text}"


def digest_of(harness: str) -> str:
    """Return the SHA-256 of a harness, which marks the diagram drawn from it."""
    return hashlib.sha256(harness.encode()).hexdigest()


def draw_diagram(profile: Profile) -> str:
    """Return the wiring diagram as SVG, with the SHA-256 digest of the harness description as a comment.

    Raises:
        NothingToWire: the table is simulated.
        CannotDraw: WireViz or Graphviz is not installed.
    """
    wireviz = _wireviz()
    from graphviz import ExecutableNotFound

    harness = harness_text(profile)
    graph = wireviz.parse(harness, return_types="harness").graph
    graph.format = "svg"
    try:
        svg: str = graph.pipe(encoding="utf-8")
    except ExecutableNotFound:
        raise CannotDraw("the diagram needs Graphviz: expected the command `dot` (Debian package graphviz)") from None
    return f"{svg.rstrip()}\n<!-- harness sha256 {digest_of(harness)} -->\n"


def _wireviz() -> Any:  # noqa: ANN401 - WireViz is not typed
    try:
        from wireviz import wireviz
    except ModuleNotFoundError:
        raise CannotDraw(
            "wiring documents are made by WireViz: expected it to be installed (pip install 'captains-table[wiring]')"
        ) from None
    return wireviz


def _csv(parts: Sequence[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(parts)
    return out.getvalue()
