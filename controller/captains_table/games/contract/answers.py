"""Reserved answers: options whose id the table, its players or several games treat in a way of their own.

A game offers them as they stand, or in its own words: `ROLL.called("Throw all six dice")`.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract.turns import Option, PickAsk

ROLL: Final = Option("roll", "Throw the dice")
"""Throws dice: the roll button chooses it."""

THROW_AGAIN: Final = Option("throw-again", "Throw again", opens_menu=True)
"""Asks which dice stay, where there is a choice: dice kept on the page choose it, and so does the roll button."""

PRESS_CLOCK: Final = Option("press-clock", "Press the clock")
"""Ends a move on time: the roll button chooses it, the increment is added, and the opponent may have begun to move."""

STAND: Final = Option("stand", "Stand")
"""Takes the dice as they lie."""

DONE: Final = Option("done", "End the turn")
"""Ends the turn, and so seals the move made in it."""

AGREE: Final = Option("agree", "Agree")
"""Says yes to another seat."""

REFUSE: Final = Option("refuse", "Refuse", keeps_move_open=True)
"""Says no to another seat."""

TAKE_UP: Final = Option("take-up", "Begin")
"""Takes up a match that rests until this seat comes: nothing but this is asked, and the table may be left meanwhile."""

OFFER_DRAW: Final = Option("offer-draw", "Offer a draw", keeps_move_open=True)
"""Asks the opponent to share the match."""

CLAIM_DRAW: Final = Option("claim-draw", "Claim a draw")
"""Ends the match shared, as the rules give the right to."""

RESIGN: Final = Option("resign", "Resign", confirm=True, then="The match is lost, and over")
"""Gives the match up."""

ABANDON: Final = Option(
    "abandon",
    "Abandon the round",
    confirm=True,
    keeps_move_open=True,
    then="If both agree, the round ends and nobody wins it",
)
"""Asks the opponent to give the round up together."""

GIVING_UP: Final = frozenset({ABANDON.id, AGREE.id, RESIGN.id})
"""What a random player of a match leaves alone while anything else is left: it gives up, or sells."""

SHYNESS: Final[Mapping[str, float]] = {OFFER_DRAW.id: 0.1, CLAIM_DRAW.id: 0.3, AGREE.id: 0.02, RESIGN.id: 0.002}
"""The share of chances at which these are taken where a game is tried by random matches: they would end it too soon.

An agreement is shy where it ends the match.
"""


def consent(prompt: str, then: str = "") -> PickAsk:
    """Return the fourth kind of ask: agree or refuse, addressed to another seat."""
    return PickAsk(prompt, (AGREE, REFUSE), default=REFUSE.id, then=then)
