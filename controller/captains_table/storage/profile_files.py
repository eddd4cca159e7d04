"""Loads hardware profiles from files: bundled ones, a builder's own, and the table's override written by `doctor`."""

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from captains_table.games.contract import did_you_mean
from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.profiles.profile_reader import parse_profile
from captains_table.hardware.profiles.toml_reader import BadProfile
from captains_table.storage.ownership import as_owner
from captains_table.storage.toml_file import BadToml, read_toml

OVERRIDE: Final = "profile-override.toml"
SUFFIX: Final = ".toml"
BUILDS: Final = "captains_table_builds"  # hardware/profiles, which the build backend packages with the program
OVERRIDABLE: Final = ("profile", "corrections", "glass", "lights", "matrix", "buttons")


def profile_names() -> list[str]:
    """Return the names of the bundled profiles, sorted; raises BadProfile if the program is not installed."""
    return sorted(file.name.removesuffix(SUFFIX) for file in _builds().iterdir() if file.name.endswith(SUFFIX))


def load_profile(name: str, state_dir: Path | None = None) -> Profile:
    """Return a profile by its name or its file, changed by the table's override file if there is one.

    Args:
        name: one of `profile_names`, or the path of a TOML file, which contains a slash or ends in .toml.
        state_dir: the folder of the table's state; if it contains `profile-override.toml`, that file must name
            this profile, and changes some of its keys. `None` for the profile without an override.

    Raises:
        BadProfile: the profile or the override cannot be read or used; the message names the file, the key, and what
            was expected.
        Planted: as in `as_owner`, for the state directory.
    """
    file = _find(name)
    values = _read(file)
    profile = _parse(file.name.removesuffix(SUFFIX), values, str(file))
    if state_dir is None:
        return profile
    override = state_dir / OVERRIDE
    with as_owner(state_dir, state=True) as folder:
        if not (folder / OVERRIDE).exists():
            return profile
        changes = dict(_read(folder / OVERRIDE))
    for key in changes:
        if key not in OVERRIDABLE:
            raise BadProfile(f"{override}: unknown key {key!r}: expected {', '.join(OVERRIDABLE)}")
    found_on = changes.pop("profile", None)
    if found_on != profile.name:
        raise BadProfile(
            f"{override}: profile = {found_on!r}: expected {profile.name!r}, the build this table is now. Run "
            "`captains-table doctor` again, or delete the file"
        )
    return _parse(profile.name, _merged(values, changes), f"{override} over {file}")


def _builds() -> Traversable:
    try:
        return files(BUILDS)
    except ModuleNotFoundError:
        raise BadProfile(
            "the builds that come with the program are missing: expected it to be installed (`make play`, "
            "`make install`, `pip install`), not only copied"
        ) from None


def _find(name: str) -> Traversable:
    if "/" in name or name.endswith(SUFFIX):
        return Path(name)
    if name not in profile_names():
        meant = did_you_mean(name, profile_names())
        raise BadProfile(f"no profile {name!r}: expected {', '.join(profile_names())}, or the path of a file{meant}")
    return _builds() / f"{name}{SUFFIX}"


def _read(file: Traversable) -> Mapping[str, Any]:
    try:
        return read_toml(file)
    except BadToml as error:
        raise BadProfile(f"{file}: {error}") from error


def _parse(name: str, values: Mapping[str, Any], where: str) -> Profile:
    try:
        return parse_profile(name, values)
    except BadProfile as error:
        raise BadProfile(f"{where}: {error}") from error


def _merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with the changed keys replaced, also in nested tables."""
    merged = dict(values)
    for key, change in changes.items():
        old = merged.get(key)
        merged[key] = _merged(old, change) if isinstance(old, dict) and isinstance(change, dict) else change
    return merged
