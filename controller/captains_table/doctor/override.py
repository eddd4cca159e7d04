"""Writes what doctor found out into the profile's local override, leaving the builder's own keys as they are."""

import json
import tomllib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import Profile
from captains_table.storage.files import write_whole
from captains_table.storage.profile_files import OVERRIDE

HEAD = "# Written by `captains-table doctor`: how this table differs from its profile. Delete it to begin anew.\n"


@dataclass(frozen=True, slots=True)
class Cure:
    """What another map puts right, on top of what the profile corrects now: as it answers -> what it really is.

    Attributes:
        switches: square that is read -> square it really is.
        lights: square that is lit -> square that really shines.
        buttons: button that answers -> button it really is.
    """

    switches: Mapping[Square, Square] = field(default_factory=dict)
    lights: Mapping[Square, Square] = field(default_factory=dict)
    buttons: Mapping[str, str] = field(default_factory=dict)


Thing = TypeVar("Thing", bound=Hashable)


def corrected(before: Mapping[Thing, Thing], found: Mapping[Thing, Thing]) -> dict[Thing, Thing]:
    """Return corrections after those found on top of them: as it is wired -> what it really is."""
    wired = {*before, *found}
    pairs = {wire: found.get(before.get(wire, wire), before.get(wire, wire)) for wire in wired}
    return {wire: real for wire, real in pairs.items() if wire != real}


def write_override(profile: Profile, cure: Cure, state_dir: Path) -> Path:
    """Write the corrections of what is cured, leave the others as they are, and return the file; raises OSError."""
    path = state_dir / OVERRIDE
    values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    values |= {"profile": profile.name}
    if cure.switches:
        values["corrections"] = _table(profile.corrections, cure.switches)
    if cure.lights and profile.lights is not None:
        values.setdefault("lights", {})["corrections"] = _table(profile.lights.corrections, cure.lights)
    if cure.buttons:
        before = {str(wire): str(real) for wire, real in profile.buttons.corrections.items()}
        values.setdefault("buttons", {})["corrections"] = _table(before, cure.buttons)
    state_dir.mkdir(parents=True, exist_ok=True)
    write_whole(path, HEAD + format_toml(values), keeps_mode=True)
    return path


def _table(before: Mapping[Thing, Thing], found: Mapping[Thing, Thing]) -> dict[str, str]:
    """Return corrections as words.

    What the profile's own file corrects is named even where it is right now: tables are merged key by key.
    """
    kept = {str(wire): str(wire) for wire in before}
    return kept | {str(wire): str(real) for wire, real in sorted(corrected(before, found).items(), key=str)}


def format_toml(values: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """Return text, numbers, truths, lists of them and tables within tables as TOML."""
    plain = {key: value for key, value in values.items() if not isinstance(value, dict)}
    text = f"\n[{'.'.join(path)}]\n" if path else ""
    text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain.items())
    tables = ((key, value) for key, value in values.items() if isinstance(value, dict))
    return text + "".join(format_toml(value, (*path, key)) for key, value in tables)
