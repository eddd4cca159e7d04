"""What each open box would take with the dice as they lie, written beside the sheets."""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.contract import STAND, Prospect, SheetRow, Turn, offered_option
from captains_table.games.swashbuckle.asks import SCORE, SCUTTLE, THROW_FOR_IT, turn_of
from captains_table.games.swashbuckle.boxes import PIRACY, piracy_points, title_of
from captains_table.games.swashbuckle.paper import rows
from captains_table.games.swashbuckle.sheet import scoring_boxes
from captains_table.games.swashbuckle.state import Choosing, HoldDecision, PiracyFallen, State


def rows_with_prospects(state: State) -> Sequence[SheetRow]:
    """Return all sheets side by side, and what the player on turn would get in each open box."""
    prospects = {title_of(box): prospect for box, prospect in _prospects(state).items()}
    return [replace(row, prospect=prospects.get(row.title)) for row in rows(state)]


def _prospects(state: State) -> dict[str, Prospect]:
    """Return what each open box would take, and by which option; nothing while the dice are not for that."""
    match state.step:
        case PiracyFallen():
            return {PIRACY: Prospect(state.seat, str(piracy_points(state.turn.lying)), STAND.id)}
        case Choosing() | HoldDecision(hornswaggle=False):
            words, turn, boxes = _words(state), turn_of(state), state.sheet.open_boxes()
            return {box: Prospect(state.seat, words.get(box, "0"), _id(turn, box)) for box in boxes}
        case _:
            return {}


def _words(state: State) -> dict[str, str]:
    scorings = scoring_boxes(state.sheet, state.turn.lying, state.options.values)
    return {each.box: THROW_FOR_IT if each.to_be_thrown else str(each.points) for each in scorings}


def _id(turn: Turn, box: str) -> str:
    """Return the option that fills a box now: by its points, or else by giving it up; empty where none is offered."""
    ids = (f"{SCORE}{box}", f"{SCUTTLE}{box}")
    return next((id_ for id_ in ids if offered_option(turn, id_) is not None), "")
