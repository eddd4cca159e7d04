"""The roster: fourteen pieces that come with the game, for whoever has not designed one (docs/rules/crowns.md D4)."""

from functools import cache
from typing import Final

from captains_table.games.crowns.designs import Design, parse_design

ROSTER: Final = (
    "Boatswain: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1",
    "Cooper: c4 b3 d3 / b4 c4 d4 b3 d3 b2 d2",
    "Gunner: b4 d4 / nw ne",
    "Lookout: c5 a3 e3 c1 / a5 e5 c5 a3 e3 a1 e1 c1",
    "Purser: c4 c2 b2 d2 / b4 c4 d4 b3 d3 b2 c2 d2",
    "Navigator: b5 d5 / b5 d5 b4 d4 b2 d2 c1",
    "Surgeon: b3 d3 b2 d2 / b3 d3 c4 b4 d4 b1 d1 c2",
    "Carpenter: c4 b3 d3 c2 / c5 a3 e3 c1 c4 c2",
    "Monkey: b4 d4 b2 d2 / a5 e5 a1 e1 b4 d4 b2 d2",
    "Cook: c4 b2 d2 / n b3 d3 b2 d2",
    "Rigger: b1 d1 c4 / b5 d5 b1 d1 b4 d4 c2",
    "Helmsman: c4 b3 d3 / n b3 d3",
    "Stowaway: c4 b2 d2 c2 / b4 d4 sw se",
    "Quartermaster: c4 c2 / b4 d4 ne sw",
)


@cache
def roster() -> tuple[Design, ...]:
    """Return the fourteen pieces in their order."""
    return tuple(map(parse_design, ROSTER))
