"""The case as bodies: OpenSCAD evaluates its text to a tree of cubes and cylinders, Manifold makes solids of that.

OpenSCAD's own kernel takes minutes for what Manifold does in a tenth of a second; that both make the same of a part is
tested (tests/hardware/test_case.py).
"""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from manifold3d import Manifold, OpType

from tests.support.patience import PATIENCE_S
from tests.support.tools import program

CASE = Path(__file__).parents[2] / "hardware" / "case" / "table.scad"
COARSE = "$fn=16"  # sides of a circle: enough for every finding, and quick
TOKEN = re.compile(r"\s*(?:([\w$]+)\(([^{};]*)\)\s*([{;])|(}))")
WORDS = {"true": "True", "false": "False", "undef": "None"}


@dataclass(frozen=True, slots=True)
class Screw:
    """A screw of the case, as fasteners.scad lists it.

    Attributes:
        name: what it holds.
        size: "M3", "M2.5" or "M2".
        at: under its head, in millimetres.
        way: the direction it is driven in, a unit vector.
        through: how far it goes through what it holds.
        length: under its head.
        holds: depth of the hole that holds it.
    """

    name: str
    size: str
    at: tuple[float, float, float]
    way: tuple[float, float, float]
    through: float
    length: float
    holds: float

    @property
    def in_insert(self) -> bool:
        """Whether a heat-set insert holds it; else it cuts its thread itself."""
        return self.size == "M3"


@dataclass(frozen=True, slots=True)
class ScrewSize:
    """What is drilled for a screw: diameters and the head's height in millimetres."""

    shank: float
    clearance: float
    head: float
    head_height: float
    head_room: float
    holding: float


@dataclass(frozen=True, slots=True)
class Model:
    """Every body of a build in its place.

    Attributes:
        bodies: name to solid; names begin with what it is ("lid left", "plug usb-c at 11.2").
        screws: all of them.
        sizes: what is drilled for each size of screw.
        insert_length: of a heat-set insert, in millimetres.
        insert_wall: what plastic an insert needs around it, in millimetres.
    """

    bodies: dict[str, Manifold]
    screws: list[Screw]
    sizes: dict[str, ScrewSize]
    insert_length: float
    insert_wall: float

    def among(self, *beginnings: str) -> "Model":
        """Return the model with only those bodies whose names begin so."""
        return replace(self, bodies={name: body for name, body in self.bodies.items() if name.startswith(beginnings)})


@dataclass(frozen=True, slots=True)
class Node:
    """A node of OpenSCAD's tree (.csg): a body, a transformation or a boolean, with what it is applied to."""

    kind: str
    words: dict[str, Any]
    children: list["Node"]


def openscad(*definitions: str, out: Path) -> subprocess.CompletedProcess[str]:
    """Run OpenSCAD on the case; the suffix of `out` says what it writes."""
    words = [word for definition in definitions for word in ("-D", definition)]
    command = [program("openscad"), *words, "-o", str(out), str(CASE)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


def model_of(folder: Path, *definitions: str) -> Model:
    """Return the whole build with these definitions.

    Raises:
        ValueError: OpenSCAD refused it; its words are in the error.
    """
    tree, echoed = _evaluated(folder, 'part="everything"', *definitions)
    named = list(_named(tree))
    names = [value for key, value in echoed if key == "solid"]
    if len(named) != len(names):
        raise ValueError(f"{len(names)} names for {len(named)} bodies")
    facts = dict(echoed)
    return Model(
        bodies={name: body_of(node) for name, node in zip(names, named, strict=True)},
        screws=[_screw(value) for key, value in echoed if key == "screw"],
        sizes={name: ScrewSize(*numbers) for name, numbers in facts["sizes"]},
        insert_length=facts["insert"][0],
        insert_wall=facts["insert"][1],
    )


def part_of(folder: Path, *definitions: str) -> Manifold:
    """Return one part as it lies on the printer's bed."""
    return body_of(_evaluated(folder, *definitions)[0])


def body_of(node: Node) -> Manifold:
    """Return a node as a solid."""
    if node.kind == "cube":
        return Manifold.cube(node.words["size"], center=node.words["center"])
    if node.kind == "cylinder":
        return _cylinder(node.words)
    parts = [body_of(child) for child in node.children]
    if node.kind == "multmatrix":
        return _joined(parts).transform(np.array(node.words["0"], dtype=float)[:3])
    if node.kind == "hull":
        return Manifold.batch_hull(parts)
    if node.kind in {"difference", "intersection"}:
        way = OpType.Subtract if node.kind == "difference" else OpType.Intersect
        return Manifold.batch_boolean(parts, way)
    return _joined(parts)


def _evaluated(folder: Path, *definitions: str) -> tuple[Node, list[tuple[str, Any]]]:
    out = folder / "case.csg"
    made = openscad(COARSE, *definitions, out=out)
    if made.returncode != 0 or "WARNING" in made.stderr:
        raise ValueError(made.stderr)
    echoed = re.findall(r"^ECHO: (\w+) = (.*)$", made.stderr, re.MULTILINE)
    return parse_tree(out.read_text(encoding="utf-8")), [(key, json.loads(value)) for key, value in echoed]


def parse_tree(text: str) -> Node:
    """Return the tree of a .csg file.

    Raises:
        ValueError: it is no such file; the error names the place.
    """
    root = Node("group", {}, [])
    open_nodes, place, end = [root], 0, len(text.rstrip())
    while place < end:
        found = TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"not a tree of OpenSCAD at {text[place : place + 40]!r}")
        place = found.end()
        kind, words, opening, closing = found.groups()
        if closing:
            open_nodes.pop()
            continue
        node = Node(kind, _words(words), [])
        open_nodes[-1].children.append(node)
        if opening == "{":
            open_nodes.append(node)
    return root


@lru_cache(maxsize=4096)
def _words(text: str) -> dict[str, Any]:
    """Return arguments by name; those without a name by their place."""
    for word, python in WORDS.items():
        text = re.sub(rf"\b{word}\b", python, text)
    call = ast.parse(f"f({text.replace('$', '_')})", mode="eval").body
    assert isinstance(call, ast.Call)
    named = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    return {str(place): ast.literal_eval(value) for place, value in enumerate(call.args)} | named


def _named(node: Node) -> Iterator[Node]:
    """Yield what stands under each `named` of the text, in the order it was told in: its colour marks it."""
    for child in node.children:
        for found in [child] if child.kind == "color" else _named(child):
            yield Node(node.kind, node.words, [found]) if node.kind == "multmatrix" else found


def _cylinder(words: dict[str, Any]) -> Manifold:
    return Manifold.cylinder(words["h"], words["r1"], words["r2"], int(words["_fn"]), center=words["center"])


def _joined(parts: list[Manifold]) -> Manifold:
    return Manifold.batch_boolean(parts, OpType.Add) if parts else Manifold()


def _screw(values: list[Any]) -> Screw:
    name, size, at, way, through, length, holds = values
    return Screw(name, size, tuple(at), tuple(way), through, length, holds)
