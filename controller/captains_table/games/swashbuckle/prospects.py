"""What each open box would take with the dice as they lie, written beside the sheets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.contract import STAND, Prospect, SheetRow, Turn, offered_option
from captains_table.games.swashbuckle.asks import THROW_FOR_IT, turn_of
from captains_table.games.swashbuckle.boxes import PIRACY, piracy_points, title_of
from captains_table.games.swashbuckle.cells import SCORE, SCUTTLE, cell_id
from captains_table.games.swashbuckle.paper import rows
from captains_table.games.swashbuckle.sheet import open_cells, scoring_cells
from captains_table.games.swashbuckle.state import Choosing, HoldDecision, PiracyFallen, State

Cell = tuple[int, str]  # a column, from 0, and a box


def rows_with_prospects(state: State) -> Sequence[SheetRow]:
    """Return all sheets side by side, and what the player on turn would get in each open box."""
    found: dict[str, list[Prospect]] = {}
    for (_, box), prospect in _prospects(state).items():
        found.setdefault(title_of(box), []).append(prospect)
    return [replace(row, prospects=tuple(found.get(row.title, ()))) for row in rows(state)]


def _prospects(state: State) -> Mapping[Cell, Prospect]:
    """Return what each open box would take, and by which option; nothing while the dice are not for that."""
    match state.step:
        case PiracyFallen():
            column, turn = state.turn.column, turn_of(state)
            id_ = STAND.id if offered_option(turn, STAND.id) is not None else ""
            return {(column, PIRACY): Prospect(state.seat, str(piracy_points(state.turn.lying)), id_, column)}
        case Choosing() | HoldDecision(hornswaggle=False):
            words, turn = _words(state), turn_of(state)
            return {
                cell: Prospect(state.seat, words.get(cell, "0"), _id(state, turn, cell), cell[0])
                for cell in open_cells(state.columns)
            }
        case _:
            return {}


def _words(state: State) -> Mapping[Cell, str]:
    scorings = scoring_cells(state.columns, state.turn.lying, state.options.values)
    return {(each.column, each.box): THROW_FOR_IT if each.to_be_thrown else str(each.points) for each in scorings}


def _id(state: State, turn: Turn, cell: Cell) -> str:
    """Return the option that fills a box now: by its points, or else by giving it up; empty where none is offered."""
    ids = (cell_id(kind, cell[1], cell[0], state.columns) for kind in (SCORE, SCUTTLE))
    return next((id_ for id_ in ids if offered_option(turn, id_) is not None), "")
