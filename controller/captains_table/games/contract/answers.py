"""Reserved answers: options whose id the table, its players or several games treat in a way of their own.

A game offers them as they stand, or in its own words: `ROLL.called("Throw all six dice")`.
"""

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


def consent(prompt: str, then: str = "") -> PickAsk:
    """Return the fourth kind of ask: agree or refuse, addressed to another seat."""
    return PickAsk(prompt, (AGREE, REFUSE), default=REFUSE.id, then=then)
