"""What Legend's answers, dice, tallies, pieces and marks mean, for players who do not know the rules.

Source: docs/rules/legend.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract import Meaning
from captains_table.phrases import say

_MOVE: Final = Meaning(
    say("Moves a piece worth at most what the die shows; after one or two throws it earns legend."), "L9"
)

MEANINGS: Final[Mapping[str, Meaning]] = {
    # answers
    "pick roll": Meaning(say("Throws the five cargo dice and the Legend die together."), "L5"),
    "pick roll-cargo": Meaning(say("Throws the five cargo dice alone; the Legend die has throws of its own."), "L5"),
    "pick roll-legend": Meaning(say("Throws the Legend die alone; the cargo dice can wait."), "L5"),
    "pick throw-again": Meaning(
        say("Throws dice of your choice again, up to twice in a turn; the last throw counts."), "L5"
    ),
    "pick done": Meaning(say("Ends the turn: with 6, 5 and 4 thrown, the other two dice are your cargo."), "L6"),
    "pick genie": Meaning(
        say("Once a round, in place of a move, the king goes where two thrown dice carry it."), "L18"
    ),
    "pick genie-*": Meaning(say("Puts your king on this square, as the turn's move."), "L19"),
    "pick buy-back": Meaning(say("Brings a captured piece of yours back for cargo, in place of a move."), "L15"),
    "pick offer-price": Meaning(say("Offers cargo for the piece; the other side may refuse."), "L16"),
    "pick offer-piece-*": Meaning(say("Offers a captured piece of the other side's in place of cargo."), "L16a"),
    "pick ask-price": Meaning(say("Answers the offer with your own price."), "L16a"),
    "pick agree": Meaning(say("Accepts what the other player proposes: a price, or that the round ends."), "L16"),
    "pick refuse": Meaning(say("Refuses what the other player proposes; the turn goes on."), "L16"),
    "pick abandon": Meaning(say("Proposes to end the round: nobody wins it, and both keep what they have."), "L3"),
    "pick [pnbrq]@*": Meaning(say("Puts the piece that you bought back on this square, as the turn's move."), "L15"),
    "pick [pnbrq]": Meaning(say("Buys this piece back; its price is usually five times its worth."), "L16"),
    "pick [a-h][1-8]*": _MOVE,
    "amount": Meaning(say("The price of a piece: usually five times its worth, or what both agree on."), "L16"),
    # dice
    "keep": Meaning(say("Dice that stay are not thrown this time; all may stay but one."), "L5"),
    "roll": Meaning(say("Throws the dice that are due."), "L5"),
    "die pips": Meaning(say("A cargo die: 6, 5 and 4 are ship, captain and crew; the other two are the cargo."), "L6"),
    "die roman": Meaning(
        say("The Legend die: a piece worth at most so much may move; a third throw earns nothing."), "L8"
    ),
    "die extra": Meaning(say("Thrown once: a treasure's two dice are cargo, the Genie's name squares."), "L14"),
    "slot ship": Meaning(say("A 6 is the ship: without ship, captain and crew there is no cargo."), "L6"),
    "slot captain": Meaning(say("A 5 is the captain: without ship, captain and crew there is no cargo."), "L6"),
    "slot crew": Meaning(say("A 4 is the crew: without ship, captain and crew there is no cargo."), "L6"),
    # tallies
    "tally cargo": Meaning(say("Cargo is money: it buys pieces back, and the loser of a round pays with it."), "L2"),
    "tally legend": Meaning(say("Legend is fame: it comes from moves, strikes and kings, and is never lost."), "L2"),
    "tally total": Meaning(say("Cargo and legend together; after the last round the larger total wins."), "L4"),
    # pieces
    "piece p": Meaning(
        say("A pawn, worth 1: any Legend die moves it; one rank before the last it finds treasure."), "L14"
    ),
    "piece n": Meaning(say("A knight, worth 2: it may move if the Legend die shows II or more."), "L8"),
    "piece b": Meaning(say("A bishop, worth 3: it may move if the Legend die shows III or more."), "L8"),
    "piece r": Meaning(say("A rook, worth 4: it may move if the Legend die shows IV or more."), "L8"),
    "piece k": Meaning(say("The king, worth 5: taken, it ends the round for 5 legend, and nobody calls check."), "L13"),
    "piece q": Meaning(say("The queen, worth 6: she may move only if the Legend die shows VI."), "L8"),
    # marks
    "mark may-move": Meaning(say("A piece on a bright square may move now."), "L8"),
    "mark target": Meaning(say("A piece may go here now; what stands here is taken."), "L10"),
    "mark strike": Meaning(say("A strike: the move attacks the king anew, for one legend more."), "L12"),
    "mark treasure": Meaning(say("A hidden treasure: two dice are thrown, and their sum is cargo."), "L14"),
    "mark king-taken": Meaning(say("Here the king was taken: 5 legend, and the loser pays in cargo."), "L13"),
    "mark not-this-die": Meaning(
        say("This piece may not move: the Legend die forbids it, or has not fallen yet."), "L8"
    ),
}

CARDS: Final[Mapping[str, str]] = {
    "pick genie": say("The Genie"),
    "pick buy-back": say("Buying back"),
    "mark treasure": say("Hidden treasure"),
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
