"""What the answers, pieces and marks of chess mean, for players who do not know the rules.

Source: docs/rules/chess.md.
"""

from collections.abc import Mapping
from typing import Final

from captains_table.games.common.time_control import CLOCK_MEANINGS
from captains_table.games.contract import Meaning
from captains_table.phrases import say

MEANINGS: Final[Mapping[str, Meaning]] = {
    "pick [a-h][1-8]*q": Meaning(say("Moves a pawn to its last rank, where it becomes a queen."), "G2"),
    "pick [a-h][1-8]*r": Meaning(say("Moves a pawn to its last rank, where it becomes a rook."), "G2"),
    "pick [a-h][1-8]*b": Meaning(say("Moves a pawn to its last rank, where it becomes a bishop."), "G2"),
    "pick [a-h][1-8]*n": Meaning(say("Moves a pawn to its last rank, where it becomes a knight."), "G2"),
    "pick [a-h][1-8]*": Meaning(say("Moves a piece."), "G2"),
    "pick claim-draw": Meaning(say("Draws: the position came three times, or fifty moves changed nothing."), "G6"),
    "pick claim-with": Meaning(say("Draws by a move that you name, and need not make."), "G6"),
    "pick offer-draw": Meaning(say("Asks the other player for a draw, once a move."), "G6"),
    "pick offer-takeback": Meaning(say("Asks the other player to undo the last two moves; clocks stay."), "G9"),
    "pick agree": Meaning(say("Agrees to what the other player asks."), "G6"),
    "pick refuse": Meaning(say("Plays on."), "G6"),
    "pick resign": Meaning(say("Gives the match up, and loses it."), "G5"),
    "pick press-clock": Meaning(say("Presses the clock: your move stands, and the other player's time runs."), "G11"),
    **CLOCK_MEANINGS,
    "piece p": Meaning(say("A pawn steps ahead, takes aslant, and promotes on its last rank."), "G2"),
    "piece n": Meaning(say("A knight leaps two squares straight and one aside."), "G2"),
    "piece b": Meaning(say("A bishop moves aslant, as far as it likes."), "G2"),
    "piece r": Meaning(say("A rook moves straight, as far as it likes."), "G2"),
    "piece q": Meaning(say("A queen moves straight or aslant, as far as she likes."), "G2"),
    "piece k": Meaning(say("The king steps one square; mated, he loses the match."), "G5"),
    "mark may-move": Meaning(say("A piece on a bright square may move."), "G2"),
    "mark target": Meaning(say("A piece may go here now; what stands here is taken."), "G2"),
    "mark strike": Meaning(say("The king here is attacked: the attack must be answered."), "G2"),
    "mark king-taken": Meaning(say("Here a king lost the match."), "G5"),
}

CARDS: Final[Mapping[str, str]] = {
    "pick [a-h][1-8]*q": say("A promotion"),
    "pick claim-draw": say("A draw to claim"),
    "pick claim-with": say("A draw to claim by a move"),
}
"""What comes up rarely, with the title of the card that tells of it for the first time."""
