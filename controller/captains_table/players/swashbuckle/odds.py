"""Computes exact odds of Swashbuckle as lines of text: for a match played alone, and for a turn aimed at one box."""

from collections.abc import Iterator
from functools import partial

from captains_table.games.swashbuckle.sheet import BOXES, PIRACY, box_points, box_title, is_for_piracy
from captains_table.players.common.figures import LABEL_WIDTH, figure
from captains_table.players.common.hold_solver import KeepPolicy
from captains_table.players.swashbuckle.sheet_values import SWASHBUCKLE_VOLUNTARY, sheet_values


def swashbuckle_odds() -> Iterator[str]:
    """Yield the lines of text with the odds of Swashbuckle.

    The lines give the expected plunder of a match played alone. For each box they give the chance to score in the box,
    and (except for piracy) the expected points, if a turn is played for that box alone.
    """
    yield "Swashbuckle alone: greatest expected plunder of a whole match"
    for label, table in (
        ("scuttling only where nothing scores", sheet_values()),
        ("scuttling at will (voluntary_scuttle)", sheet_values(SWASHBUCKLE_VOLUNTARY)),
    ):
        yield f"{label:{LABEL_WIDTH}} {table.optimum:14.4f}"
    yield "one turn of three throws for one box alone, best chance that it scores:"
    for box in BOXES:
        yield figure(f"  {box_title(box)}", KeepPolicy(partial(_scores, box)).expected())
    yield "the same for the greatest expected points:"
    for box in BOXES:
        if box != PIRACY:
            yield figure(f"  {box_title(box)}", KeepPolicy(partial(box_points, box)).expected())


def _scores(box: str, faces: tuple[int, ...]) -> bool:
    return is_for_piracy(faces) if box == PIRACY else box_points(box, faces) > 0
