"""A build's documents: the harness as WireViz reads it, the diagram it draws, and the parts list."""

import csv
import hashlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.wiring.boot import boot_lines
from captains_table.hardware.wiring.harness import harness_of
from captains_table.hardware.wiring.lights import played_amps
from captains_table.hardware.wiring.plan import Plan
from captains_table.hardware.wiring.planning import plan_of

COLUMNS: Final = ("Nr", "Part", "Quantity", "Unit", "For")
COLOURS: Final = {
    "BN": "brown",
    "RD": "red",
    "OG": "orange",
    "YE": "yellow",
    "GN": "green",
    "BU": "blue",
    "VT": "violet",
    "GY": "grey",
    "WH": "white",
    "BK": "black",
}


class CannotDraw(RuntimeError):  # noqa: N818 - named by its condition
    """WireViz or Graphviz is missing."""


def write_documents(profile: Profile, directory: Path) -> list[Path]:
    """Write a build's harness (.yml), diagram (.svg), parts list (.csv) and both on one page (.md).

    Raises:
        NothingToWire: the table is simulated.
        CannotDraw: WireViz or Graphviz is not installed.
        OSError: the directory cannot be written.
    """
    texts = text_documents(profile) | {"svg": draw(profile)}
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for ending, text in texts.items():
        path = directory / f"{profile.name}.{ending}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def text_documents(profile: Profile) -> dict[str, str]:
    """Return all documents but the diagram by their file's ending; raises NothingToWire, CannotDraw."""
    parts = bill_of_materials(profile)
    return {"yml": harness_text(profile), "csv": _csv(parts), "md": "\n".join(_page(profile, parts)) + "\n"}


def harness_text(profile: Profile) -> str:
    """Return the harness as WireViz reads it; raises NothingToWire, CannotDraw."""
    yaml = _wireviz().yaml
    text: str = yaml.safe_dump(harness_of(profile), allow_unicode=True, sort_keys=False, width=120)
    return f"# Made from the profile {profile.name} by `captains-table wiring {profile.name}`.\n{text}"


def digest_of(harness: str) -> str:
    """Return what a diagram bears of the harness it was drawn from."""
    return hashlib.sha256(harness.encode()).hexdigest()


def draw(profile: Profile) -> str:
    """Return the diagram as SVG, marked with the digest of its harness; raises NothingToWire, CannotDraw."""
    wireviz = _wireviz()
    from graphviz import ExecutableNotFound  # noqa: PLC0415 - comes with WireViz, which only this command needs

    harness = harness_text(profile)
    graph = wireviz.parse(harness, return_types="harness").graph
    graph.format = "svg"
    try:
        svg: str = graph.pipe(encoding="utf-8")
    except ExecutableNotFound:
        raise CannotDraw("the diagram needs Graphviz: expected the command `dot` (Debian package graphviz)") from None
    return f"{svg.rstrip()}\n<!-- harness sha256 {digest_of(harness)} -->\n"


def bill_of_materials(profile: Profile) -> list[Sequence[str]]:
    """Return WireViz's bill of materials as rows of number, part, quantity, unit, use; raises CannotDraw."""
    wireviz = _wireviz()
    from wireviz.wv_bom import bom_list  # noqa: PLC0415 - only this command needs it

    rows: list[Sequence[str]] = bom_list(wireviz.parse(harness_of(profile), return_types="harness").bom())
    return rows[1:]


def _wireviz() -> Any:  # noqa: ANN401 - WireViz is not typed
    try:
        from wireviz import wireviz  # noqa: PLC0415 - only this command needs it
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


def _page(profile: Profile, parts: Sequence[Sequence[str]]) -> Iterator[str]:
    name = profile.name
    yield f"<!-- Made from the profile {name} by `captains-table wiring {name}`. -->"
    yield f"# {name}: {profile.title}"
    yield ""
    yield f"![Wiring of {name}]({name}.svg)"
    yield ""
    yield "The numbers at the Pico and the Pi are places on their headers, counted as on their pinouts."
    yield "The inside of the board (reeds and diodes) is drawn in the [build guide](../README.md)."
    yield from _lights_words(profile)
    lines = boot_lines(profile)
    if lines:
        yield from ("", "In the Pi's `/boot/firmware/config.txt`:", "")
        yield from (f"    {line}" for line in lines)
    yield from ("", "## Wires", "")
    yield from _table(("From", "Pin", "Colour", "To", "Pin"), _wires(plan_of(profile)))
    yield from ("", "## Parts", "")
    yield from _table(COLUMNS, parts)


def _lights_words(profile: Profile) -> Iterator[str]:
    if profile.lights is not None:
        yield ""
        yield (
            f"At the brightness of the profile the lights draw {played_amps(profile):.1f} A at most; the supply is "
            "sized for all of them fully lit, which a fault can bring about."
        )


def _wires(plan: Plan) -> Iterator[Sequence[str]]:
    for bundle, wire in plan.connections():
        start, end = plan.boxes[bundle.start], plan.boxes[bundle.end]
        yield (
            start.name,
            f"{wire.start} ({start.pins[wire.start]})",
            COLOURS[wire.colour],
            end.name,
            f"{wire.end} ({end.pins[wire.end]})",
        )


def _table(head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> Iterator[str]:
    for cells in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(cells)} |"
