"""What the answers, pieces and marks of Captain's Chess mean, for players who do not know the rules.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.common.time_control import CLOCK_MEANINGS
from captains_table.games.contract import Meaning
from captains_table.phrases import say

_PRESS: Final = Meaning(say("Presses the clock: your move stands, and the other player's time runs."), "C8")

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick [a-i][1-8]*+": Meaning(say("Moves a bishop or rook to its last rank, where it is crowned."), "C4"),
    "pick [a-i][1-8]*c": Meaning(say("Moves a pawn to its last rank, where it becomes a captain."), "C3"),
    "pick [a-i][1-8]*": Meaning(say("Moves a piece as in chess; only captains, crowns and castling differ."), "C1"),
    "pick claim-draw": Meaning(say("Draws: the position came three times, or fifty moves changed nothing."), "C7"),
    "pick offer-draw": Meaning(say("Asks the other player for a draw, once a move."), "C7"),
    "pick agree": Meaning(say("Agrees to the draw; the match is over."), "C7"),
    "pick refuse": Meaning(say("Plays on."), "C7"),
    "pick resign": Meaning(say("Gives the match up, and loses it."), "C7"),
    "pick press-clock": _PRESS,
    **CLOCK_MEANINGS,
    "piece p": Meaning(say("A pawn: on its last rank it becomes a captain, and nothing else."), "C3"),
    "piece n": Meaning(say("A knight leaps as in chess."), "C1"),
    "piece b": Meaning(say("A bishop: crowned on its last rank, it may also step one square straight."), "C4"),
    "piece r": Meaning(say("A rook: crowned on its last rank, it may also step one square aslant."), "C4"),
    "piece q": Meaning(say("The queen moves as in chess."), "C1"),
    "piece c": Meaning(say("A captain leaps like a knight, or steps one square straight."), "C2"),
    "piece k": Meaning(say("The king: mated, without a move, or left all alone, you lose."), "C6"),
    "piece +b": Meaning(say("A crowned bishop: it may also step one square straight."), "C4"),
    "piece +r": Meaning(say("A crowned rook: it may also step one square aslant."), "C4"),
    "mark may-move": Meaning(say("A piece on a bright square may move."), "C1"),
    "mark target": Meaning(say("A piece may go here now; what stands here is taken."), "C1"),
    "mark strike": Meaning(say("The king here is attacked: the attack must be answered."), "C6"),
    "mark king-taken": Meaning(say("Here a king lost the match."), "C6"),
}

CARDS: Final[Mapping[str, str]] = {
    "pick [a-i][1-8]*+": say("A crown"),
    "pick claim-draw": say("A draw to claim"),
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
