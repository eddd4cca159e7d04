"""Writes what doctor found out into the profile's local override, leaving the builder's own keys as they are."""

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import Profile
from captains_table.storage.profile_files import OVERRIDE

HEAD = "# Written by `captains-table doctor`: how this table differs from its profile. Delete it to begin anew.\n"


def corrected(profile: Profile, places: Mapping[Square, Square]) -> dict[Square, Square]:
    """Return the corrections of a profile after those that were found on top of them: wiring -> real square."""
    wired = (Square(file, rank) for rank in range(profile.shape.ranks) for file in range(profile.shape.files))
    pairs = {wire: places[profile.corrections.get(wire, wire)] for wire in wired}
    return {wire: real for wire, real in pairs.items() if wire != real}


def write_override(profile: Profile, corrections: Mapping[Square, Square], state_dir: Path) -> Path:
    """Write the corrections and return the file; raises OSError."""
    path = state_dir / OVERRIDE
    values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    # What the profile's own file corrects is named even where it is right now: tables are merged key by key.
    kept = {str(wire): str(wire) for wire in profile.corrections}
    values |= {"profile": profile.name}
    values["corrections"] = kept | {str(wire): str(real) for wire, real in sorted(corrections.items())}
    state_dir.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(HEAD + format_toml(values))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return path


def format_toml(values: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """Return text, numbers, truths, lists of them and tables within tables as TOML."""
    plain = {key: value for key, value in values.items() if not isinstance(value, dict)}
    text = f"\n[{'.'.join(path)}]\n" if path else ""
    text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain.items())
    tables = ((key, value) for key, value in values.items() if isinstance(value, dict))
    return text + "".join(format_toml(value, (*path, key)) for key, value in tables)
