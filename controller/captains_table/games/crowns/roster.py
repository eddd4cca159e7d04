"""The roster: fourteen pieces that come with the game, for whoever has not designed one (docs/rules/crowns.md D4).

How often each wins is measured by `python -m tests.ladder.crowns_roster`.
"""

from functools import cache
from typing import Final

from captains_table.games.crowns.designs import Design, parse_design

ROSTER: Final = (
    "Navigator: b5 d5 / b4 c4 d4 b2 d2",
    "Boatswain: b4 d4 b2 d2 / b5 d5 a4 e4 b1",
    "Lookout: b3 d3 / b5 d5 a3 e3 a1 e1",
    "Helmsman: c4 b3 d3 / b3 d3 c2 n",
    "Purser: c4 b2 d2 / b4 c4 d4 b3 d3 b2 c2 d2",
    "Carpenter: a3 e3 / c5 b4 d4 a3 b3 d3 e3 a1 b1 e1",
    "Gunner: a5 e5 / c4 a3 e3 b2 d2 s",
    "Cook: b3 d3 e3 / c5 b4 c2 a1 b1 d1 e1",
    "Quartermaster: c4 b3 / b3 d3 n",
    "Sailmaker: b5 d5 / c4 b3 d3 c2 b1",
    "Rigger: b4 d4 b2 d2 / b5 d5 a4 e4 d1",
    "Cooper: a3 e3 / c5 b4 d4 a3 b3 d3 e3 a1 d1 e1",
    "Steward: a3 b3 d3 / c5 d4 c2 a1 b1 d1 e1",
    "Yeoman: c4 d3 / b3 d3 n",
)
"""In the order in which they are given out. Matches write down what they play with, so these may change."""


@cache
def roster() -> tuple[Design, ...]:
    """Return the fourteen pieces in their order."""
    return tuple(map(parse_design, ROSTER))
