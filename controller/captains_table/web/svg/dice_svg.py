"""Dice and empty berths as SVG, and dice in words for screen readers.

A die shows pips or a Roman numeral, and a pin if it is held. Dice not thrown yet are outlines. Tumbling is left to CSS.
"""

from captains_table.games.common.dice import roman
from captains_table.games.contract import Die
from captains_table.phrases import noun, say

LO, MID, HI = 17, 32, 47
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((MID, MID),),
    2: ((LO, LO), (HI, HI)),
    3: ((LO, LO), (MID, MID), (HI, HI)),
    4: ((LO, LO), (HI, LO), (LO, HI), (HI, HI)),
    5: ((LO, LO), (HI, LO), (MID, MID), (LO, HI), (HI, HI)),
    6: ((LO, LO), (HI, LO), (LO, MID), (HI, MID), (LO, HI), (HI, HI)),
}
_PIN = (
    '<g class="pin" transform="translate(16.5 -3.5) scale(0.78)"><circle cx="54" cy="11" r="9"/>'
    '<path d="M54 6.5v9M50.5 8.5h7M49.5 12.5c0 5 9 5 9 0"/></g>'
)


def die_svg(die: Die, *, tumbling: bool = False) -> str:
    """Return one die in a box of 66 x 76, with a pin at its corner if held."""
    state = "tumbling" if tumbling else "unthrown" if die.face is None else "thrown"
    classes = f"die die-{die.kind} {state}" + (" held" if die.held else "") + (" extra" if die.extra else "")
    return (
        f'<svg class="{classes}" viewBox="0 -2 66 76" aria-hidden="true"><g class="cube">'
        f'<rect class="body" x="4" y="4" width="56" height="56" rx="12"/>{_face(die, tumbling=tumbling)}</g>'
        f"{_PIN if die.held else ''}</svg>"
    )


def slot_svg(face: int) -> str:
    """Return the drawing of an empty place for a die (a berth): a die's outline, and the face that the place needs."""
    return (
        '<svg class="die empty-berth" viewBox="0 -2 66 76" aria-hidden="true">'
        '<rect class="body" x="4" y="4" width="56" height="56" rx="12"/>'
        f'<text class="wanted" x="32" y="42" text-anchor="middle">{face}</text></svg>'
    )


def die_label(number: int, die: Die, *, tumbling: bool = False) -> str:
    """Return a die in words: "die 3: 5, held"."""
    name = noun("extra die") if die.extra else noun("roman die") if die.kind == "roman" else say("die {n}", number)
    if tumbling:
        return say("{die}: tumbling", name)
    if die.face is None:
        return say("{die}: not thrown", name)
    face = roman(die.face) if die.kind == "roman" else str(die.face)
    return say("{die}: {face}, held", name, face) if die.held else say("{die}: {face}", name, face)


def _face(die: Die, *, tumbling: bool) -> str:
    if die.face is None or tumbling:
        return '<text class="blank" x="32" y="41" text-anchor="middle">?</text>' if tumbling else ""
    if die.kind == "roman":
        return f'<text class="numeral" x="32" y="41.5" text-anchor="middle">{roman(die.face)}</text>'
    return "".join(f'<circle class="pip" cx="{x}" cy="{y}" r="5.6"/>' for x, y in _PIPS[die.face])
