"""Our own art for the pieces orthodox chess does not have: the captain, and the crowns of bishop and rook.

Everything is drawn in the same box and with the same line as python-chess's pieces; its bishop and rook wear the crown.
"""

from typing import Final

IVORY: Final = "#fff8e7"
EBONY: Final = "#1c1410"
GOLD: Final = "#e8b64a"
GLEAM: Final = "#e6d5ad"
RED: Final = "#b3372b"

# A naval officer: pedestal, coat with epaulettes and lapels, head, cocked hat with its cockade.
_BASE: Final = "M11 39.5h23c0-3-1-5-3.5-6.5h-16c-2.5 1.5-3.5 3.5-3.5 6.5z"
_COAT: Final = "M14.5 33c-1.5-3-3.5-4.5-3.5-8 0-2 2.5-3.5 6-3.5h11c3.5 0 6 1.5 6 3.5 0 3.5-2 5-3.5 8z"
_HAT: Final = (
    "M7 15.5c1-3 3.5-6 7-8 2.5-1.5 5.5-2.5 8.5-2.5s6 1 8.5 2.5c3.5 2 6 5 7 8-5-1.5-10-2.5-15.5-2.5s-10.5 1-15.5 2.5z"
)
_LINES: Final = "M18.5 21.500l4 6 4-6M22.5 27.500v5.500M11.5 25.500c2-1 4-1 5.5 0M33.5 25.500c-2-1-4-1-5.5 0M14 36.2h17"

# The crown sits on the head of the piece, which is drawn a little smaller to make room.
_CROWN: Final = "M15 12.5L12.2 4.2l5.6 4 4.7-6.4 4.7 6.4 5.6-4L30 12.500z"
_BAND: Final = "M15.6 10.200h13.8"
_SCALE: Final = 0.8
_DOWN: Final = {"b": (8.4, 0.0), "r": (7.6, 1.8)}  # of the piece, and of the crown


def captain(*, white: bool) -> str:
    """Return a captain's drawing."""
    fill, lines = (IVORY, EBONY) if white else (EBONY, GLEAM)
    return (
        f'<g fill="{fill}" stroke="{EBONY}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{_BASE}"/><path d="{_COAT}"/><circle cx="22.5" cy="17" r="5"/><path d="{_HAT}"/>'
        f'<path d="{_LINES}" fill="none" stroke="{lines}" stroke-width="1.2"/>'
        f'<path d="M9.5 14.200c8-2.6 18-2.6 26 0" fill="none" stroke="{lines}" stroke-width="1"/>'
        f'<circle cx="22.5" cy="8.8" r="2" fill="{GOLD}" stroke="{lines}" stroke-width="1"/></g>'
    )


def coloured(body: str, *, white: bool) -> str:
    """Return a pawn's drawing in its party's other colour: gold for White, red for Black (docs/rules/crowns.md B1)."""
    return body.replace(IVORY, GOLD) if white else body.replace(EBONY, RED)


def lettered(kind: str, *, white: bool, is_crowned: bool) -> str:
    """Return a piece as its letter in a disc, Black's square at the edge, so that nobody has to tell colours apart.

    Args:
        kind: its letter.
        white: whose it is.
        is_crowned: whether it wears a crown.
    """
    fill, lines = (IVORY, EBONY) if white else (EBONY, IVORY)
    edge = '<circle cx="22.5" cy="24" r="16.5"/>' if white else '<path d="M7 8.500h31v31h-31z"/>'
    crown = (
        f'<g transform="translate(0 -1)" fill="{GOLD}" stroke="{EBONY}" stroke-width="1.1" stroke-linejoin="round">'
        f'<path d="{_CROWN}"/></g>'
    )
    return (
        f'<g fill="{fill}" stroke="{EBONY if white else GLEAM}" stroke-width="1.8" stroke-linejoin="round">{edge}</g>'
        f'<text x="22.5" y="33" text-anchor="middle" font-size="25" font-weight="700" '
        f'font-family="DejaVu Serif, Georgia, serif" fill="{lines}">{kind.upper()}</text>{crown if is_crowned else ""}'
    )


def crowned(kind: str, body: str) -> str:
    """Return a bishop's or rook's drawing with a crown on its head.

    Args:
        kind: `b` or `r`.
        body: the piece's own drawing.
    """
    piece, crown = _DOWN[kind]
    return (
        f'<g transform="translate(4.5 {piece}) scale({_SCALE})">{body}</g><g transform="translate(0 {crown})" '
        f'fill="{GOLD}" stroke="{EBONY}" stroke-width="1.1" stroke-linejoin="round" stroke-linecap="round">'
        f'<path d="{_CROWN}"/><path d="{_BAND}" fill="none"/></g>'
    )
