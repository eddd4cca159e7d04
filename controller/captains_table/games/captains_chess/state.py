"""The state of a match of Captain's Chess: options, the steps of a turn, claims of a draw, and the end of the match.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from captains_table.games.captains_chess.fen import START_POSITION, parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition
from captains_table.games.common.option_values import first_position
from captains_table.games.common.time_control import CLOCK, CLOCK_START, read_time_control
from captains_table.games.contract import GameOption, Result, TimeControl, advanced, read_options

PositionKey = tuple[bytes, bool, int, int]
FIFTY_MOVES = 100  # of both sides together (C7)
THREEFOLD = 3
SCORES: Final = {None: "1/2-1/2", 0: "1-0", 1: "0-1"}
"""The result in PGN's notation, by the winner's seat."""


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
            "Starting position",
            is_free=True,
            hint="FEN with nine files, +B and +R for crowned pieces; empty for the usual one.",
        ),
    ),
)


def parse_captains_options(options: Mapping[str, str]) -> CaptainsOptions:
    """Return the match's options; raises BadOption if one is unknown or invalid."""
    chosen = read_options(CAPTAINS_OPTIONS, options)
    return CaptainsOptions(first_position(chosen["fen"], parse_fen, START_POSITION), read_time_control(chosen))


# --- the steps of a turn: the inputs that the game waits for --------------------------------------------------------


class CaptainsMain(Struct, frozen=True):
    """The step in which the player to move moves, claims or offers a draw, or resigns."""


class ClockPressStep(Struct, frozen=True):
    """The step after a move in a match with a clock, in which the player who moved must press the clock."""


class DrawConsent(Struct, frozen=True):
    """The step in which the opponent answers an offer of a draw (C7)."""


class Finished(Struct, frozen=True):
    """The end of a match: the result, and the reason in words.

    It is the step of a match only after a draw, a resignation or the end of a player's time. All other ends follow from
    the position (see `ending`).
    """

    result: Result
    words: str


CaptainsStep = CaptainsMain | ClockPressStep | DrawConsent | Finished


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match.

    Attributes:
        options: the match's options.
        seats: the players; the first has White.
        position: the present position.
        past: the keys of earlier positions that can still be repeated.
        step: the input that the game waits for.
        offered: whether the player to move has offered a draw since the last move.
        promoted: the FEN letter of the piece that the last move made of a pawn, a bishop or a rook; empty if none.
    """

    options: CaptainsOptions
    seats: tuple[str, str]
    position: CaptainsPosition
    past: tuple[PositionKey, ...] = ()
    step: CaptainsStep = field(default_factory=CaptainsMain)
    offered: bool = False
    promoted: str = ""

    @property
    def to_move(self) -> int:
        """The seat that moves next, even if the other seat must still press the clock or answer an offer."""
        return 0 if self.position.white else 1

    @property
    def times_seen(self) -> int:
        """How often this position has been on the board, including now (C7)."""
        return 1 + self.past.count(self.position.key)


def ending(state: State) -> Finished | None:
    """Return the end of the match, also if the position on the board ends it (C6); `None` while the match goes on."""
    if isinstance(state.step, Finished):
        return state.step
    position, seat = state.position, state.to_move
    bare = position.bare
    if bare:
        loser = seat if position.white in bare else 1 - seat
        return lost_by(state, loser, "has a bare king")
    if position.moves:
        return None
    return lost_by(state, seat, "is mated" if position.in_check else "has no move")


def lost_by(state: State, seat: int, why: str) -> Finished:
    """Return the end of a match that a seat has lost.

    The reason in words is the loser's name followed by `why`.
    """
    words = f"{state.seats[seat]} {why}"
    return Finished(Result(1 - seat, (0, 1) if seat == 0 else (1, 0), words), words)


def drawn(words: str) -> Finished:
    """Return the end of a drawn match."""
    return Finished(Result(None, (0, 0), words), words)


def claim_of(state: State) -> str | None:
    """Return why the player to move may claim a draw (C7), in words; `None` if the player may not claim one."""
    if state.times_seen >= THREEFOLD:
        return f"the same position for the {state.times_seen}{'rd' if state.times_seen == THREEFOLD else 'th'} time"
    if state.position.quiet >= FIFTY_MOVES:
        return "fifty moves without capture, pawn move or promotion"
    return None
