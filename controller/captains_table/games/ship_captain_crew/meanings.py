"""What the answers, dice and tallies of Ship, Captain and Crew mean, for players who do not know the rules.

Source: docs/rules/ship-captain-crew.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract import Meaning

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick stand": Meaning("Keeps this cargo, and ends the turn.", "S3"),
    "pick throw-again": Meaning("Throws the cargo again; the last throw counts, even if it is lower.", "S3"),
    "keep": Meaning("A die that stays is not thrown this time.", "S3"),
    "roll": Meaning("Throws all dice that have no berth yet, three times a turn at most.", "S2"),
    "die pips": Meaning("Find a 6, then a 5, then a 4; the other two dice are the cargo.", "S2"),
    "slot ship": Meaning("The berth of the ship, a 6: it must be found first.", "S2"),
    "slot captain": Meaning("The berth of the captain, a 5: it counts only with a ship.", "S2"),
    "slot crew": Meaning("The berth of the crew, a 4: it counts only with ship and captain.", "S2"),
    "tally cargo": Meaning("What the last turn brought: the two dice beside ship, captain and crew.", "S4"),
    "tally purse": Meaning("The stakes that a player has; the winner takes the pot.", "S6"),
    "tally total": Meaning("The cargo of all turns; when the match is over, the highest total wins.", "S5"),
    "tally turns": Meaning("How many turns you took; alone, the fewest to the target are your best.", "S5"),
    "target": Meaning("How many points are still missing to the target.", "S5"),
}
