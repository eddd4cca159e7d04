"""The game class of Captain's Chess: what it adds to the rules that games like chess share.

The legal moves and the ends come from `position`.
"""

from collections.abc import Mapping, Sequence

from captains_table.games.captains_chess.meanings import CARDS, MEANINGS
from captains_table.games.captains_chess.position import BOARD_9X8
from captains_table.games.captains_chess.state import CAPTAINS_OPTIONS, State, parse_captains_options
from captains_table.games.common.chesslike.rules import ChesslikeRules
from captains_table.games.contract import Game, check_names
from captains_table.phrases import say

CAPTAIN = say("The captain moves as a knight, or one step straight")
MANNERS = {
    "c": CAPTAIN,
    "+b": say("A crowned bishop may also take one step straight"),
    "+r": say("A crowned rook may also take one step diagonally"),
}
LESSONS = (
    CAPTAIN,
    say("A pawn that reaches the last rank becomes a captain"),
    say("A bishop on the last rank is crowned: it may also take one step straight"),
    say("A rook on the last rank is crowned: it may also take one step diagonally"),
    say("Castling takes the king three squares, to either side"),
    say("Having no move loses, and so does having only the king left"),
)


class CaptainsChess(ChesslikeRules, Game[State]):
    """The rules of Captain's Chess (docs/rules/captains-chess.md)."""

    key = "captains-chess"
    title = say("Captain's Chess")
    seats = range(2, 3)
    shape = BOARD_9X8
    options = CAPTAINS_OPTIONS
    meanings = MEANINGS
    cards = CARDS
    _lessons = LESSONS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match; the first player has White.

        Raises:
            BadOption: an option is unknown or invalid, or there are not two different valid names.
        """
        check_names(seats, self.seats)
        parsed = parse_captains_options(options)
        return State(parsed, (seats[0], seats[1]), parsed.first_position)

    def manner(self, piece: str) -> str:
        return MANNERS.get(piece.lower(), "")

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return say("mate wins; or taking all but the king¦mate wins")
