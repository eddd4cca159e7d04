"""The board's reed switches as SVG: the state of each, and a distinct sign for each kind of fault.

Each switch links to its details. The module also describes states in words, and draws the legend.
"""

from collections.abc import Mapping, Sequence

from captains_table.games.contract import Shape, Square
from captains_table.phrases import say, several
from captains_table.table.recognition.switches import Condition, SwitchReport
from captains_table.web.page_language import svg_label
from captains_table.web.svg.board_svg import FRAME, coordinates_svg, corner_of, reading_order, shade_of
from captains_table.web.svg.pieces_svg import PIECE_SIZE, key_square

SWITCH_WORDS: Mapping[Condition, str] = {
    Condition.GOOD: say("good"),
    Condition.SUSPECT: say("may be broken: the board has long been wrong here and nowhere else"),
    Condition.CHATTERS: say("chatters: ignored until it rests"),
    Condition.MASKED: say("ignored: it says nothing any more"),
}
_SIGNS: Mapping[Condition, str] = {
    Condition.SUSPECT: '<circle cx="35" cy="10" r="8"/><text x="35" y="14.5" text-anchor="middle">?</text>',
    Condition.CHATTERS: '<path class="plate" d="M35 1.500l9 16h-18z"/><path d="M30 12l3-4 3 5 3-4"/>',
    Condition.MASKED: '<path d="M8 8l29 29M37 8L8 37"/>',
}


def switches_svg(shape: Shape, reports: Sequence[SwitchReport], chosen: Square | None) -> str:
    """Return the board as SVG, with a link for each switch to its details.

    Args:
        shape: files and ranks.
        reports: the state of each switch; a square without a report is drawn without a link.
        chosen: the square of the switch whose details are shown; `None` if none is selected.
    """
    of = {report.square: report for report in reports}
    width, height = shape.files * PIECE_SIZE + 2 * FRAME, shape.ranks * PIECE_SIZE + 2 * FRAME
    squares = "".join(_square(square, shape, of.get(square), chosen) for square in reading_order(shape))
    return (
        f'<svg class="board switch-board" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="{svg_label(say("Switches"))}" '
        f'data-files="{shape.files}"><rect class="frame" width="{width}" height="{height}" rx="9"/>'
        f"{coordinates_svg(shape)}{squares}</svg>"
    )


def switch_label(report: SwitchReport) -> str:
    """Return the state of a switch in words: "e4: closed, 7 changes, good"."""
    state = say("closed") if report.closed else say("open")
    changes = several(report.changes, "{n} change", "{n} changes")
    words = {"square": str(report.square), "state": state, "changes": changes}
    return say("{square}: {state}, {changes}, {condition}", condition=SWITCH_WORDS[report.condition], **words)


def switch_legend_svg(condition: Condition) -> str:
    """Return the drawing of a single switch in this condition, for the legend."""
    return key_square(_drawn(), f"switch is-{condition}")


def _square(square: Square, shape: Shape, report: SwitchReport | None, chosen: Square | None) -> str:
    x, y = corner_of(square, shape)
    ground = f'<rect class="square-{shade_of(square)}" width="{PIECE_SIZE}" height="{PIECE_SIZE}"/>'
    if report is None:
        return f'<g transform="translate({x} {y})">{ground}</g>'
    current = ' aria-current="true"' if square == chosen else ""
    closed = " is-closed" if report.closed else ""
    classes, href = f"switch is-{report.condition}{closed}", f"/switches?square={square}#details"
    return (
        f'<a class="{classes}" data-switch="{square}" href="{href}" '
        f'transform="translate({x} {y})" aria-label="{svg_label(switch_label(report))}"'
        f"{current}>{ground}{_drawn()}"
        f'<rect class="focus" x="1.5" y="1.5" width="{PIECE_SIZE - 3}" height="{PIECE_SIZE - 3}"/></a>'
    )


def _drawn() -> str:
    """Return a switch's contact and all signs as SVG; the stylesheet shows only the sign of the switch's condition."""
    signs = "".join(f'<g class="sign sign-{condition}">{drawn}</g>' for condition, drawn in _SIGNS.items())
    return f'<circle class="contact" cx="22.5" cy="22.5" r="11"/>{signs}'
