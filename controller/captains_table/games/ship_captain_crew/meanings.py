"""What the answers, dice and tallies of Ship, Captain and Crew mean, for players who do not know the rules.

Source: docs/rules/ship-captain-crew.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract import Meaning
from captains_table.phrases import say

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick stand": Meaning(say("Keeps this cargo, and ends the turn."), "S3"),
    "pick throw-again": Meaning(say("Throws the cargo again; the last throw counts, even if it is lower."), "S3"),
    "keep": Meaning(say("A die that stays is not thrown this time."), "S3"),
    "roll": Meaning(say("Throws all dice that have no berth yet, three times a turn at most."), "S2"),
    "die pips": Meaning(say("Find a 6, then a 5, then a 4; the other two dice are the cargo."), "S2"),
    "slot ship": Meaning(say("The berth of the ship, a 6: it must be found first."), "S2"),
    "slot captain": Meaning(say("The berth of the captain, a 5: it counts only with a ship."), "S2"),
    "slot crew": Meaning(say("The berth of the crew, a 4: it counts only with ship and captain."), "S2"),
    "tally cargo": Meaning(say("What the last turn brought: the two dice beside ship, captain and crew."), "S4"),
    "tally purse": Meaning(say("The stakes that a player has; the winner takes the pot."), "S6"),
    "tally total": Meaning(say("The cargo of all turns; when the match is over, the highest total wins."), "S5"),
    "tally turns": Meaning(say("How many turns you took; alone, the fewest to the target are your best."), "S5"),
    "target": Meaning(say("How many points are still missing to the target."), "S5"),
}
