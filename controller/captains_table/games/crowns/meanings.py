"""What the answers, pieces, things and tallies of Crowns mean, for players who do not know the rules.

Source: docs/rules/crowns.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.contract import Meaning

_PLAIN: Final = Meaning("A pawn steps one square forward, for one gold; its whole party may move it.", "T4")
_COLOURED: Final = Meaning("A coloured pawn steps forward, straight or aslant, for three gold.", "T4")
_PLAYER: Final = Meaning("A player's piece: it moves as its grids say, with a crown also as a king.", "K1")

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick summon-*": Meaning("Your piece appears here from the reserve, and brings one gold.", "T4"),
    "pick ??-off": Meaning("Off the board: a pawn for 10 gold or a card; a wearer of a crown pays, and wins.", "K2"),
    "pick [a-g][1-7]*+": Meaning("Moves your piece and levels it up, for what its second grid costs.", "T5"),
    "pick [a-g][1-7]*": Meaning("Moves your piece or your party's pawn; moving onto a piece captures it.", "T7"),
    "pick level-up": Meaning("Turns your piece to its second grid, until it is captured; half price on ½.", "T5"),
    "pick bail": Meaning("Pays your piece's value to leave prison for the reserve.", "T4"),
    "pick pass": Meaning("Does nothing; the turn is paid for all the same.", "T4"),
    "pick gold": Meaning("Takes 10 gold for the pawn that reached the far end.", "T6"),
    "pick card": Meaning("Takes a card that keeps you out of prison once.", "T6"),
    "pick use-card": Meaning("Gives a card: your captured piece goes to the reserve, and not to prison.", "T7"),
    "pick prison": Meaning("Keeps the card: your captured piece goes to prison.", "T7"),
    "pick pledge": Meaning("Promises to capture nothing this turn: alone in that, you win the tie.", "T3"),
    "pick no-pledge": Meaning("Promises nothing: a single other pledge wins, and else all who are tied are out.", "T3"),
    "bid": Meaning("Offers gold for the turn: the highest bid alone is paid, and its bidder acts.", "T2"),
    "bell": Meaning("Ends the bidding at once, or the time to act.", "T2"),
    "grid": Meaning("A dot is a square to which the piece leaps; an arrow is a way along which it slides.", "D1"),
    "tally value": Meaning("What others get for capturing you, and what you pay to leave prison.", "D4"),
    "tally level": Meaning("1 once your piece has levelled up, until it is captured.", "T5"),
    "tally cards": Meaning("Get-out-of-jail cards: one keeps a captured piece out of prison.", "T6"),
    "tally gold": Meaning("What you may bid and pay with; each turn brings everybody one.", "T1"),
    "piece [0-9]*": _PLAYER,
    "piece p": _PLAIN,
    "piece g": _COLOURED,
    "crown": Meaning("Its wearer may also step as a king, and takes it along to any adjacent square.", "K1"),
    "place prison": Meaning("In prison one may bid, but only buy oneself out, or pass.", "T6"),
    "place reserve": Meaning("In the reserve one is safe: one may appear, or move a pawn.", "B3"),
    "thing ring": Meaning("A ring: one gold for the player who lands there.", "T7"),
    "thing white crown": Meaning("White's crown: landing on it, or capturing its wearer, puts it on.", "K1"),
    "thing black crown": Meaning("Black's crown: the player who wears both crowns wins.", "K2"),
    "thing half price": Meaning("½: levelling up costs half here.", "T5"),
    "thing levelled up": Meaning("Points around a token: the piece has levelled up.", "T5"),
    "mark may-move": Meaning("A piece on a bright square may move now.", "T4"),
    "mark target": Meaning("A piece may go here now; moving onto a piece captures it.", "T7"),
}

CARDS: Final[Mapping[str, str]] = {
    "crown": "A crown",
    "pick [a-g][1-7]*+": "Levelling up",
    "pick bail": "Out of prison",
    "pick use-card": "A card",
    "pick pledge": "A tie",
    "pick ??-off": "Off the board",
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
