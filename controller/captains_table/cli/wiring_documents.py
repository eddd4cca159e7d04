"""Writes a build's wiring documents: the harness for WireViz, the diagram drawn from it, a parts list and a page.

The page is a Markdown text for reading. The diagram contains the digest of the harness from which it was drawn.
"""

import csv
import hashlib
import io
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from captains_table.hardware.kinds import Part
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.wiring.parts import parts_of
from captains_table.hardware.wiring.plan import Box, Bundle, Pin
from captains_table.hardware.wiring.planning import plan_of
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
    text: str = yaml.safe_dump(_harness_of(profile), allow_unicode=True, sort_keys=False, width=120)
    return f"# Made from the profile {profile.name} by `captains-table wiring {profile.name}`.\n{text}"


def _harness_of(profile: Profile) -> dict[str, Any]:
    """Return the harness of a build as WireViz reads it; raises NothingToWire."""
    plan = plan_of(profile)
    used: set[tuple[str, Pin]] = set()  # (box, pin) with a wire or a bridge
    for bundle, wire in plan.connections():
        used |= {(bundle.start, wire.start), (bundle.end, wire.end)}
    return {
        "metadata": {"title": f"{profile.name}: {profile.title}"},
        "connectors": {box.name: _connector(box, used) for box in plan.boxes.values()},
        "cables": {bundle.name: _cable(bundle) for bundle in plan.bundles},
        "connections": [_connection(bundle) for bundle in plan.bundles],
        "additional_bom_items": [_item(part) for part in parts_of(profile)],
    }


def _connector(box: Box, used: Collection[tuple[str, Pin]]) -> dict[str, Any]:
    pins = [pin for pin in box.pins if (box.name, pin) in used]
    connector: dict[str, Any] = {
        "type": box.what,
        "pins": pins,
        "pinlabels": [box.pins[pin] for pin in pins],
        "show_pincount": False,
        "ignore_in_bom": True,
    }
    if box.note:
        connector["notes"] = box.note
    return connector


def _cable(bundle: Bundle) -> dict[str, Any]:
    cable: dict[str, Any] = {"colors": [wire.colour for wire in bundle.wires], "ignore_in_bom": True}
    if not bundle.cable:
        cable["category"] = "bundle"
    return cable | {"show_wirecount": False, "show_name": bundle.cable}


def _connection(bundle: Bundle) -> list[dict[str, list[int | str]]]:
    return [
        {bundle.start: [wire.start for wire in bundle.wires]},
        {bundle.name: list(range(1, len(bundle.wires) + 1))},
        {bundle.end: [wire.end for wire in bundle.wires]},
    ]


def _item(part: Part) -> dict[str, Any]:
    item = {"description": part.what, "qty": part.quantity, "designators": part.use}
    return item | ({"unit": part.unit} if part.unit else {})


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
