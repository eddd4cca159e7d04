"""Captain's Chess: its options, the type of its state, and the game class, on the rules that games like chess share.

The legal moves and the ends come from `position`.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from captains_table.games.captains_chess.fen import START_POSITION, parse_fen
from captains_table.games.captains_chess.meanings import CARDS, MEANINGS
from captains_table.games.captains_chess.position import BOARD_9X8, CaptainsPosition
from captains_table.games.common.chesslike.match import ChesslikeState
from captains_table.games.common.chesslike.rules import ChesslikeRules
from captains_table.games.common.option_values import first_position
from captains_table.games.common.time_control import CLOCK, CLOCK_START, read_time_control
from captains_table.games.contract import Game, GameOption, TimeControl, advanced, check_names, read_options
from captains_table.phrases import say


class CaptainsOptions(Struct, frozen=True):
    """The match's options: the starting position, and the time control (`None` for a match without a clock)."""

    first_position: CaptainsPosition = START_POSITION
    clock: TimeControl | None = None


CAPTAINS_OPTIONS: Final = (
    CLOCK,
    CLOCK_START,
    *advanced(
        GameOption(
            "fen",
            say("Starting position"),
            is_free=True,
            hint=say("FEN with nine files, +B and +R for crowned pieces; empty for the usual one."),
        )
    ),
)


State = ChesslikeState[CaptainsPosition, CaptainsOptions]
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
        chosen = read_options(CAPTAINS_OPTIONS, options)
        position = first_position(chosen["fen"], parse_fen, START_POSITION)
        return State(CaptainsOptions(position, read_time_control(chosen)), (seats[0], seats[1]), position)

    def manner(self, piece: str) -> str:
        return MANNERS.get(piece.lower(), "")

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return say("mate wins; or taking all but the king¦mate wins")
