"""What Legend's answers, dice, tallies, pieces and marks mean, for players who do not know the rules.

Source: docs/rules/legend.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract import Meaning

_MOVE: Final = Meaning("Moves a piece worth at most what the die shows; after one or two throws it earns legend.", "L9")

MEANINGS: Final[Mapping[str, Meaning]] = {
    # answers
    "pick roll": Meaning("Throws the five cargo dice and the Legend die together.", "L5"),
    "pick roll-cargo": Meaning("Throws the five cargo dice alone; the Legend die has throws of its own.", "L5"),
    "pick roll-legend": Meaning("Throws the Legend die alone; the cargo dice can wait.", "L5"),
    "pick throw-again": Meaning(
        "Throws dice of your choice again, up to twice in a turn; the last throw counts.", "L5"
    ),
    "pick done": Meaning("Ends the turn: with 6, 5 and 4 thrown, the other two dice are your cargo.", "L6"),
    "pick genie": Meaning("Once a round, in place of a move, the king goes where two thrown dice carry it.", "L18"),
    "pick genie-*": Meaning("Puts your king on this square, as the turn's move.", "L19"),
    "pick buy-back": Meaning("Brings a captured piece of yours back for cargo, in place of a move.", "L15"),
    "pick offer-price": Meaning("Offers cargo for the piece; the other side may refuse.", "L16"),
    "pick offer-piece-*": Meaning("Offers a captured piece of the other side's in place of cargo.", "L16a"),
    "pick ask-price": Meaning("Answers the offer with your own price.", "L16a"),
    "pick agree": Meaning("Accepts what the other player proposes: a price, or that the round ends.", "L16"),
    "pick refuse": Meaning("Refuses what the other player proposes; the turn goes on.", "L16"),
    "pick abandon": Meaning("Proposes to end the round: nobody wins it, and both keep what they have.", "L3"),
    "pick [pnbrq]@*": Meaning("Puts the piece that you bought back on this square, as the turn's move.", "L15"),
    "pick [pnbrq]": Meaning("Buys this piece back; its price is usually five times its worth.", "L16"),
    "pick [a-h][1-8]*": _MOVE,
    "amount": Meaning("The price of a piece: usually five times its worth, or what both agree on.", "L16"),
    # dice
    "keep": Meaning("Dice that stay are not thrown this time; all may stay but one.", "L5"),
    "roll": Meaning("Throws the dice that are due.", "L5"),
    "die pips": Meaning("A cargo die: 6, 5 and 4 are ship, captain and crew; the other two are the cargo.", "L6"),
    "die roman": Meaning("The Legend die: a piece worth at most so much may move; a third throw earns nothing.", "L8"),
    "die extra": Meaning("Thrown once: a treasure's two dice are cargo, the Genie's name squares.", "L14"),
    "slot ship": Meaning("A 6 is the ship: without ship, captain and crew there is no cargo.", "L6"),
    "slot captain": Meaning("A 5 is the captain: without ship, captain and crew there is no cargo.", "L6"),
    "slot crew": Meaning("A 4 is the crew: without ship, captain and crew there is no cargo.", "L6"),
    # tallies
    "tally cargo": Meaning("Cargo is money: it buys pieces back, and the loser of a round pays with it.", "L2"),
    "tally legend": Meaning("Legend is fame: it comes from moves, strikes and kings, and is never lost.", "L2"),
    "tally total": Meaning("Cargo and legend together; after the last round the larger total wins.", "L4"),
    # pieces
    "piece p": Meaning("A pawn, worth 1: any Legend die moves it; one rank before the last it finds treasure.", "L14"),
    "piece n": Meaning("A knight, worth 2: it may move if the Legend die shows II or more.", "L8"),
    "piece b": Meaning("A bishop, worth 3: it may move if the Legend die shows III or more.", "L8"),
    "piece r": Meaning("A rook, worth 4: it may move if the Legend die shows IV or more.", "L8"),
    "piece k": Meaning("The king, worth 5: taken, it ends the round for 5 legend, and nobody calls check.", "L13"),
    "piece q": Meaning("The queen, worth 6: she may move only if the Legend die shows VI.", "L8"),
    # marks
    "mark may-move": Meaning("A piece on a bright square may move now.", "L8"),
    "mark target": Meaning("A piece may go here now; what stands here is taken.", "L10"),
    "mark strike": Meaning("A strike: the move attacks the king anew, for one legend more.", "L12"),
    "mark treasure": Meaning("A hidden treasure: two dice are thrown, and their sum is cargo.", "L14"),
    "mark king-taken": Meaning("Here the king was taken: 5 legend, and the loser pays in cargo.", "L13"),
    "mark not-this-die": Meaning("This piece may not move: the Legend die forbids it, or has not fallen yet.", "L8"),
}

CARDS: Final[Mapping[str, str]] = {
    "pick genie": "The Genie",
    "pick buy-back": "Buying back",
    "mark treasure": "Hidden treasure",
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
