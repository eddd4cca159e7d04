"""The marks on squares as SVG: each kind has a shape of its own, so that colours need not be distinguished.

Each mark also has an explanation in words, and a drawing for the legend.
"""

from captains_table.phrases import say
from captains_table.table.model.view import Mark
from captains_table.web.svg.pieces_svg import key_square

MARK_WORDS: dict[Mark, str] = {
    Mark.LAST_MOVE: say("last move"),
    Mark.SPOKEN_OF: say("spoken of"),
    Mark.MAY_MOVE: say("may move"),
    Mark.TARGET: say("may be moved to"),
    Mark.STRIKE: say("strike"),
    Mark.TREASURE: say("treasure"),
    Mark.KING_TAKEN: say("king taken"),
    Mark.PUT_HERE: say("put the piece here"),
    Mark.TAKE_AWAY: say("take the piece away"),
    Mark.NOT_THIS_DIE: say("not with this die"),
    Mark.FAULTY: say("switch out of order"),
}

# Each shape fits a box of 45 x 45. Shapes under the piece tint the square; shapes over it say what the tint means.
_UNDER: dict[Mark, str] = {
    Mark.MAY_MOVE: '<circle class="glow" cx="22.5" cy="22.5" r="20.5"/>',
    Mark.FAULTY: '<path class="hatch" d="M0 15L15 0M0 30L30 0M0 45L45 0M15 45L45 15M30 45L45 30"/>',
}
_TINT = '<rect class="tint" width="45" height="45"/>'
_TINTED = (Mark.LAST_MOVE, Mark.STRIKE, Mark.TREASURE, Mark.KING_TAKEN, Mark.TAKE_AWAY, Mark.NOT_THIS_DIE)

_OVER: dict[Mark, str] = {
    Mark.LAST_MOVE: '<path class="line" d="M2.5 13V2.5H13M32 2.5H42.5V13M42.5 32V42.5H32M13 42.5H2.5V32"/>',
    Mark.SPOKEN_OF: '<rect class="edge" x="3.5" y="3.5" width="38" height="38" rx="9"/>'
    '<rect class="line" x="3.5" y="3.5" width="38" height="38" rx="9"/>',
    Mark.MAY_MOVE: '<path class="solid" d="M1 1h9l-9 9zM44 1v9l-9-9zM44 44h-9l9-9zM1 44v-9l9 9z"/>',
    Mark.TARGET: '<circle class="edge" cx="22.5" cy="22.5" r="17"/><circle class="line" cx="22.5" cy="22.5" r="17"/>',
    Mark.STRIKE: '<path class="solid" d="M34 1l2.9 6.6 7.1.7-5.4 4.8 1.6 7-6.2-3.7-6.2 3.7 1.6-7-5.4-4.8 7.1-.7z"/>',
    Mark.TREASURE: '<path class="solid" d="M28.5 3h11l4.5 6-10 11-10-11z"/>'
    '<path class="facet" d="M24 9h20M28.5 3l2.5 6 3 11 3-11 2.5-6"/>',
    Mark.KING_TAKEN: '<path class="solid" d="M23 19l-2-11 6.5 4 4.5-7 4.5 7 6.5-4-2 11z"/>'
    '<path class="line thin" d="M32 5V0M29.5 2h5"/><path class="facet" d="M24 15.5h16"/>',
    Mark.PUT_HERE: '<rect class="line dashes" x="3" y="3" width="39" height="39" rx="5"/>'
    '<path class="line arrow" d="M22.5 9v22M13.5 23l9 9 9-9"/>',
    Mark.TAKE_AWAY: '<path class="edge" d="M9 9L36 36M36 9L9 36"/><path class="line" d="M9 9L36 36M36 9L9 36"/>',
    Mark.NOT_THIS_DIE: '<rect class="solid" x="25" y="2" width="18" height="18" rx="4"/>'
    '<circle class="pip" cx="30" cy="7" r="1.7"/><circle class="pip" cx="38" cy="15" r="1.7"/>'
    '<path class="bar" d="M24 21L44 1"/>',
    Mark.FAULTY: '<path class="solid" d="M11 2.5L21.5 20.5H.5z"/><path class="facet" d="M11 8v6M11 16.5v1.5"/>',
}


def mark_under_piece(mark: Mark) -> str:
    """Return the part of a mark that is drawn under the piece; empty if the mark has none."""
    inner = _UNDER.get(mark, "") + (_TINT if mark in _TINTED else "")
    return f'<g class="mark mark-{mark}">{inner}</g>' if inner else ""


def mark_over_piece(mark: Mark) -> str:
    """Return the part of a mark that is drawn over the piece."""
    return f'<g class="mark mark-{mark}">{_OVER[mark]}</g>'


def mark_legend_svg(mark: Mark) -> str:
    """Return a mark on an empty square, for the legend of marks."""
    return key_square(f"{mark_under_piece(mark)}{mark_over_piece(mark)}")
