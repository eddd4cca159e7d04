"""What the answers, pieces and marks of Captain's Chess mean, for players who do not know the rules.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.common.time_control import CLOCK_MEANINGS
from captains_table.games.contract import Meaning

_PRESS: Final = Meaning("Presses the clock: your move stands, and the other player's time runs.", "C8")

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick [a-i][1-8]*+": Meaning("Moves a bishop or rook to its last rank, where it is crowned.", "C4"),
    "pick [a-i][1-8]*c": Meaning("Moves a pawn to its last rank, where it becomes a captain.", "C3"),
    "pick [a-i][1-8]*": Meaning("Moves a piece as in chess; only captains, crowns and castling differ.", "C1"),
    "pick claim-draw": Meaning("Draws: the position came three times, or fifty moves changed nothing.", "C7"),
    "pick offer-draw": Meaning("Asks the other player for a draw, once a move.", "C7"),
    "pick agree": Meaning("Agrees to the draw; the match is over.", "C7"),
    "pick refuse": Meaning("Plays on.", "C7"),
    "pick resign": Meaning("Gives the match up, and loses it.", "C7"),
    "pick press-clock": _PRESS,
    **CLOCK_MEANINGS,
    "piece p": Meaning("A pawn: on its last rank it becomes a captain, and nothing else.", "C3"),
    "piece n": Meaning("A knight leaps as in chess.", "C1"),
    "piece b": Meaning("A bishop: crowned on its last rank, it may also step one square straight.", "C4"),
    "piece r": Meaning("A rook: crowned on its last rank, it may also step one square aslant.", "C4"),
    "piece q": Meaning("The queen moves as in chess.", "C1"),
    "piece c": Meaning("A captain leaps like a knight, or steps one square straight.", "C2"),
    "piece k": Meaning("The king: mated, without a move, or left all alone, you lose.", "C6"),
    "piece +b": Meaning("A crowned bishop: it may also step one square straight.", "C4"),
    "piece +r": Meaning("A crowned rook: it may also step one square aslant.", "C4"),
    "mark may-move": Meaning("A piece on a bright square may move.", "C1"),
    "mark target": Meaning("A piece may go here now; what stands here is taken.", "C1"),
    "mark strike": Meaning("The king here is attacked: the attack must be answered.", "C6"),
    "mark king-taken": Meaning("Here a king lost the match.", "C6"),
}

CARDS: Final[Mapping[str, str]] = {
    "pick [a-i][1-8]*+": "A crown",
    "pick claim-draw": "A draw to claim",
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
