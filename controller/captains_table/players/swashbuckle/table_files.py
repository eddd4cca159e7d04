"""The tables of Swashbuckle's sheets that lie in the package, read when they are first asked for."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from captains_table.players.swashbuckle.sheet_values import SheetValues

FOLDER: Final = "tables"
SWASHBUCKLE: Final = "swashbuckle.values"
SWASHBUCKLE_VOLUNTARY: Final = "swashbuckle-voluntary.values"
RAIDS: Final = "swashbuckle-raids.values"  # what piracy scores counts twice: one wins it, another loses it
SPREAD: Final = "swashbuckle-spread.values"  # the variance of the points still to come, played by the table of raids
SOLVED: Final = {(): SWASHBUCKLE, (("voluntary_scuttle", "true"),): SWASHBUCKLE_VOLUNTARY}


class TablesMissing(RuntimeError):
    """The package lacks a table."""


@cache
def sheet_values(name: str = SWASHBUCKLE) -> SheetValues:
    """Return a table of sheets; raises TablesMissing or BadTable."""
    try:
        return SheetValues((files("captains_table.players.swashbuckle") / FOLDER / name).read_bytes())
    except FileNotFoundError as error:
        raise TablesMissing(f"the package lacks {FOLDER}/{name}: expected it made by `make tables`") from error


def table_of(voluntary: bool) -> SheetValues:  # noqa: FBT001 - the adviser asks no other question
    """Return the table for matches in which boxes may be scuttled at will, or for the usual ones."""
    return sheet_values(SWASHBUCKLE_VOLUNTARY if voluntary else SWASHBUCKLE)


def optimum_alone(options: Mapping[str, str]) -> float | None:
    """Return the greatest expected plunder of a player alone; `None` under options that no table was made for."""
    name = SOLVED.get(tuple(options.items()))
    return None if name is None else sheet_values(name).optimum
