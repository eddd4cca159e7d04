"""Draws a case with its dimensions, at 1:2 on an A2 sheet."""

from typing import Any, Final

from hardware.case.faces import Face, front_rail, left_wall, lid, panel
from hardware.case.svg import Sheet, View

A2: Final = (594.0, 420.0)
SCALE: Final = 0.5


def drawing(measures: dict[str, Any], build: str) -> Sheet:
    """Return the drawing of plan, console, lid, left wall and front rail, dimensioned from left and lower edges."""
    sheet = Sheet(f"Case of {build}, dimensions in millimetres, 1:2", *A2)
    View(sheet, 20, 14).words((0, 0), sheet.title, "title", "start")
    _plan(measures, View(sheet, 46, 372, SCALE))
    right = 350.0
    _face(panel(measures), View(sheet, right, 90, SCALE))
    _face(lid(measures), View(sheet, right, 187, SCALE))
    _face(front_rail(measures), View(sheet, right, 262, SCALE))
    _face(left_wall(measures), View(sheet, right, 365))
    return sheet


def _plan(measures: dict[str, Any], view: View) -> None:
    """Draw the plan of the whole table from above: console, rails, squares."""
    width, console_depth = measures["panel_size"]
    rail, board = measures["rail_width"], measures["board"]
    depth = console_depth + board[1] + 2 * rail
    view.words((0, depth + 8), "Plan, from above", "", "start")
    view.rectangle((0, 0), (width, depth))
    view.line((0, console_depth), (width, console_depth))
    for seam in measures["console_seams"]:
        view.line((seam, 0), (seam, console_depth), "hidden")
    view.rectangle((rail, console_depth + rail), (board[0], board[1]))
    square, low = measures["square"], console_depth + rail
    for step in range(1, round(board[0] / square)):
        view.line((rail + step * square, low), (rail + step * square, depth - rail), "thin")
    for step in range(1, round(board[1] / square)):
        view.line((rail, low + step * square), (width - rail, low + step * square), "thin")
    panel(measures).draw(view, named=False)
    view.across([rail, rail + square, rail + board[0], width], 0, 6)
    view.up([console_depth, console_depth + rail, console_depth + rail + square, depth], 0, 6)


def _face(face: Face, view: View) -> None:
    """Draw a face with the positions of its cuts; cuts with equal positions share a dimension line."""
    size = "" if view.scale == SCALE else ", 1:1"
    view.words((0, face.size[1] + 6), f"{face.title}{size}; {face.drills()}", "", "start")
    face.draw(view)
    view.across([round(cut.middle[0], 1) for cut in face.cuts] + [face.size[0]], 0, 4)
    view.up([round(cut.middle[1], 1) for cut in face.cuts] + [face.size[1]], 0, 4)
