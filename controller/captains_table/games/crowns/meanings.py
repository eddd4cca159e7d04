"""What the answers, pieces, things and tallies of Crowns mean, for players who do not know the rules.

Source: docs/rules/crowns.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract import Meaning
from captains_table.phrases import say

_PLAIN: Final = Meaning(say("A pawn steps one square forward, for one gold; its whole party may move it."), "T4")
_COLOURED: Final = Meaning(say("A coloured pawn steps forward, straight or aslant, for three gold."), "T4")
_PLAYER: Final = Meaning(say("A player's piece: it moves as its grids say, with a crown also as a king."), "K1")

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick summon-*": Meaning(say("Your piece appears here from the reserve, and brings one gold."), "T4"),
    "pick ??-off": Meaning(
        say("Off the board: a pawn for 10 gold or a card; a wearer of a crown pays, and wins."), "K2"
    ),
    "pick [a-g][1-7]*+": Meaning(say("Moves your piece and levels it up, for what its second grid costs."), "T5"),
    "pick [a-g][1-7]*": Meaning(say("Moves your piece or your party's pawn; moving onto a piece captures it."), "T7"),
    "pick level-up": Meaning(say("Turns your piece to its second grid, until it is captured; half price on ½."), "T5"),
    "pick bail": Meaning(say("Pays your piece's value to leave prison for the reserve."), "T4"),
    "pick pass": Meaning(say("Does nothing; the turn is paid for all the same."), "T4"),
    "pick gold": Meaning(say("Takes 10 gold for the pawn that reached the far end."), "T6"),
    "pick card": Meaning(say("Takes a card that keeps you out of prison once."), "T6"),
    "pick use-card": Meaning(say("Gives a card: your captured piece goes to the reserve, and not to prison."), "T7"),
    "pick prison": Meaning(say("Keeps the card: your captured piece goes to prison."), "T7"),
    "pick pledge": Meaning(say("Promises to capture nothing this turn: alone in that, you win the tie."), "T3"),
    "pick no-pledge": Meaning(
        say("Promises nothing: a single other pledge wins, and else all who are tied are out."), "T3"
    ),
    "bid": Meaning(say("Offers gold for the turn: the highest bid alone is paid, and its bidder acts."), "T2"),
    "bell": Meaning(say("Ends the bidding at once, or the time to act."), "T2"),
    "grid": Meaning(say("A dot is a square to which the piece leaps; an arrow is a way along which it slides."), "D1"),
    "tally value": Meaning(say("What others get for capturing you, and what you pay to leave prison."), "D4"),
    "tally level": Meaning(say("1 once your piece has levelled up, until it is captured."), "T5"),
    "tally cards": Meaning(say("Get-out-of-jail cards: one keeps a captured piece out of prison."), "T6"),
    "tally gold": Meaning(say("What you may bid and pay with; each turn brings everybody one."), "T1"),
    "piece [0-9]*": _PLAYER,
    "piece p": _PLAIN,
    "piece g": _COLOURED,
    "crown": Meaning(say("Its wearer may also step as a king, and takes it along to any adjacent square."), "K1"),
    "place prison": Meaning(say("In prison one may bid, but only buy oneself out, or pass."), "T6"),
    "place reserve": Meaning(say("In the reserve one is safe: one may appear, or move a pawn."), "B3"),
    "thing ring": Meaning(say("A ring: one gold for the player who lands there."), "T7"),
    "thing white crown": Meaning(say("White's crown: landing on it, or capturing its wearer, puts it on."), "K1"),
    "thing black crown": Meaning(say("Black's crown: the player who wears both crowns wins."), "K2"),
    "thing half price": Meaning(say("½: levelling up costs half here."), "T5"),
    "thing levelled up": Meaning(say("Points around a token: the piece has levelled up."), "T5"),
    "mark may-move": Meaning(say("A piece on a bright square may move now."), "T4"),
    "mark target": Meaning(say("A piece may go here now; moving onto a piece captures it."), "T7"),
}

CARDS: Final[Mapping[str, str]] = {
    "crown": say("A crown"),
    "pick [a-g][1-7]*+": say("Levelling up"),
    "pick bail": say("Out of prison"),
    "pick use-card": say("A card"),
    "pick pledge": say("A tie"),
    "pick ??-off": say("Off the board"),
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
