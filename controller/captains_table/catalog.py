"""Who advises in which game: the advisers of `players` with the tables that lie in the package."""

from functools import cache
from importlib.resources import files
from typing import Any

from captains_table.games.contract import Keep, Pick
from captains_table.players.common.advice import Adviser
from captains_table.players.legend import dice_advice
from captains_table.players.ship_captain_crew import adviser
from captains_table.players.swashbuckle.adviser import SwashbuckleAdviser
from captains_table.players.swashbuckle.sheet_values import SheetValues
from captains_table.table.model.view import Hint

FOLDER = "tables"
SWASHBUCKLE, SWASHBUCKLE_VOLUNTARY = "swashbuckle.values", "swashbuckle-voluntary.values"


class TablesMissing(RuntimeError):  # noqa: N818 - named by its condition
    """The package lacks a table."""


def hint(game: str, state: Any) -> Hint | None:  # noqa: ANN401 - each game has its own state
    """Return advice on a game's state as displays show it; none where there is none to give."""
    adviser = adviser_of(game)
    advice = None if adviser is None else adviser(state)
    if advice is None:
        return None
    action = advice.action
    return Hint(
        advice.words,
        advice.why,
        action.id if isinstance(action, Pick) else None,
        action.dice if isinstance(action, Keep) else None,
    )


@cache
def adviser_of(game: str) -> Adviser | None:
    """Return who advises in a game, by its key; none where nobody does.

    Raises:
        TablesMissing: a table was not made.
        BadTable: a table is damaged.
    """
    match game:
        case "ship-captain-crew":
            return adviser.advise
        case "legend":
            return dice_advice.advise
        case "swashbuckle":
            return SwashbuckleAdviser(_table_of)
        case _:
            return None


def _table_of(voluntary: bool) -> SheetValues:  # noqa: FBT001 - the adviser asks no other question
    return sheet_values(SWASHBUCKLE_VOLUNTARY if voluntary else SWASHBUCKLE)


@cache
def sheet_values(name: str = SWASHBUCKLE) -> SheetValues:
    """Return a table of Swashbuckle's sheets; raises TablesMissing or BadTable."""
    try:
        return SheetValues((files("captains_table.players.swashbuckle") / FOLDER / name).read_bytes())
    except FileNotFoundError as error:
        raise TablesMissing(f"the package lacks {FOLDER}/{name}: expected it made by `make tables`") from error
