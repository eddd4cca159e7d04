"""The options of Captain's Chess, and the type of a match's state.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from captains_table.games.captains_chess.fen import START_POSITION, parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.games.common.chesslike.match import ChesslikeState
from captains_table.games.common.option_values import first_position
from captains_table.games.common.time_control import CLOCK, CLOCK_START, read_time_control
from captains_table.games.contract import GameOption, TimeControl, advanced, read_options
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
        ),
    ),
)


def parse_captains_options(options: Mapping[str, str]) -> CaptainsOptions:
    """Return the match's options; raises BadOption if one is unknown or invalid."""
    chosen = read_options(CAPTAINS_OPTIONS, options)
    return CaptainsOptions(first_position(chosen["fen"], parse_fen, START_POSITION), read_time_control(chosen))


State = ChesslikeState[CaptainsPosition, CaptainsOptions]
