"""Converts a build's wiring plan to a harness for WireViz: connectors, cables, connections and bill of materials."""

from collections.abc import Collection
from typing import Any

from captains_table.hardware.kinds import Part
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.wiring.parts import parts_of
from captains_table.hardware.wiring.plan import Box, Bundle, Pin
from captains_table.hardware.wiring.planning import plan_of


def harness_of(profile: Profile) -> dict[str, Any]:
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
