"""Draws a drilling template in real size, as one sheet and cut into A4 pages."""

import math
from typing import Any, Final

from hardware.case.faces import faces_of
from hardware.case.svg import Sheet, View

MARGIN: Final = 15.0
BETWEEN: Final = 22.0  # space between two faces, with the name of the next
CHECK_MM: Final = 100.0
A4: Final = (297.0, 210.0)
PRINTED: Final = (277.0, 190.0)  # the printable area of A4
OVERLAP: Final = 10.0


def template(measures: dict[str, Any], build: str) -> Sheet:
    """Return a sheet with all faces below each other, at 1:1, and a line of 100 mm for checking the scale."""
    faces = faces_of(measures)
    width = max(face.size[0] for face in faces) + 2 * MARGIN
    height = 2 * MARGIN + 12 + sum(face.size[1] + BETWEEN for face in faces)
    sheet = Sheet(f"Drilling template of {build}, 1:1", width, height)
    _head(View(sheet, MARGIN, MARGIN + 6), sheet.title)
    base = MARGIN + 12.0
    for face in faces:
        base += face.size[1] + BETWEEN
        view = View(sheet, MARGIN, base)
        view.words(
            (0, face.size[1] + 4), f"{face.title}, {face.size[0]:g} x {face.size[1]:g} mm; {face.drills()}", "", "start"
        )
        face.draw(view)
    return sheet


def pages(sheet: Sheet) -> str:
    """Return the sheet as HTML with A4 landscape pages that overlap by 10 mm, for printing at 100 % by a browser."""
    step = PRINTED[0] - OVERLAP, PRINTED[1] - OVERLAP
    columns, rows = math.ceil(sheet.width / step[0]), math.ceil(sheet.height / step[1])
    cut = [_page(sheet, column, row, step) for row in range(rows) for column in range(columns)]
    look = (
        "@page { size: A4 landscape; margin: 0 } body { margin: 0 } svg { display: block } .page { break-after: page }"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>{sheet.title}, on A4</title>\n'
        f"<style>{look}</style></head><body>\n"
        + "".join(f'<div class="page">{page}</div>\n' for page in cut)
        + "</body></html>\n"
    )


def _page(sheet: Sheet, column: int, row: int, step: tuple[float, float]) -> str:
    """Return one page as SVG: a framed part of the sheet, its row and column, and a check line."""
    left, top = (A4[0] - PRINTED[0]) / 2, (A4[1] - PRINTED[1]) / 2
    page = Sheet(f"{sheet.title}, row {row + 1}, column {column + 1}", *A4)
    _head(View(page, left + 2, A4[1] - 3), f"{page.title}; frames overlap by {OVERLAP:g} mm")
    shown = f"{column * step[0]:g} {row * step[1]:g} {PRINTED[0]:g} {PRINTED[1]:g}"
    frame = f'x="{left:g}" y="{top:g}" width="{PRINTED[0]:g}" height="{PRINTED[1]:g}"'
    page.drawn.append(f'<svg class="part" {frame} viewBox="{shown}">\n' + "\n".join(sheet.drawn) + "\n</svg>")
    page.drawn.append(f'<rect class="thin" {frame}/>')
    return page.text()


def _head(view: View, title: str) -> None:
    """Draw the check line with the title next to it."""
    view.line((0, 0), (CHECK_MM, 0))
    for end in (0.0, CHECK_MM):
        view.line((end, -1.5), (end, 1.5))
    view.words((CHECK_MM / 2, 1), f"{CHECK_MM:g} mm: measure this line before drilling")
    view.words((CHECK_MM + 6, 0), title, "", "start")
