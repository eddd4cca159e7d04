"""The state of a match of a game like chess: claims of a draw, takebacks, and the end.

Source: docs/rules/chess.md G5 to G9, docs/rules/captains-chess.md C6, C7.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from captains_table.games.common.chesslike.position import ChesslikePosition
from captains_table.games.common.chesslike.steps import ChesslikeStep, Finished, MoveStep, SetupStep
from captains_table.games.contract import Result, TimeControl
from captains_table.phrases import message, say

FIFTY_MOVES: Final = 100  # of both sides together
THREEFOLD: Final = 3
SCORES: Final = {True: "1-0", False: "0-1", None: "1/2-1/2"}
"""The result in PGN's notation, by whether White has won; `None` for a draw."""
P = TypeVar("P", bound=ChesslikePosition[Any])


class ChesslikeOptions(Protocol):
    """The options that every game like chess has."""

    @property
    def clock(self) -> TimeControl | None:
        """The time control; `None` for a match without a clock."""


Opts = TypeVar("Opts", bound=ChesslikeOptions)


@dataclass(frozen=True)  # no slots: a generic class with slots cannot be frozen and called by its alias
class ChesslikeState(Generic[P, Opts]):
    """The state of a match.

    Attributes:
        options: the match's options.
        seats: the players.
        position: the present position.
        past: the keys of earlier positions that can still be repeated.
        step: the input that the game waits for.
        offered: whether the player to move has offered a draw, or asked to take a move back, since the last move.
        promoted: the FEN letter of the piece that the last move made of another; empty if none.
        white_seat: the seat that has White.
        takebacks: how many moves were taken back with the opponent's consent.
        last_id: the id of the last move; empty before the first.
        before: the state before the last move; `None` before the first. Comparisons ignore it.
    """

    options: Opts
    seats: tuple[str, str]
    position: P
    past: tuple[Any, ...] = ()
    step: ChesslikeStep = field(default_factory=MoveStep)
    offered: bool = False
    promoted: str = ""
    white_seat: int = 0
    takebacks: int = 0
    last_id: str = ""
    before: "Self | None" = field(default=None, compare=False, repr=False)

    @property
    def to_move(self) -> int:
        """The seat that moves next, even if the other seat must still press the clock or answer an offer."""
        return self.seat_of(white=self.position.white)

    @property
    def times_seen(self) -> int:
        """How often this position has been on the board, including now."""
        return 1 + self.past.count(self.position.key)

    def seat_of(self, *, white: bool) -> int:
        """Return the seat that has a colour."""
        return self.white_seat if white else 1 - self.white_seat

    def moved(self, id_: str) -> Self:
        """Return the state after a legal move of the player to move; the step is that of the opponent's move."""
        move = self.position.moves[id_]
        after: P = self.position.play(move)
        past = (*self.past, self.position.key) if after.quiet else ()
        gained = self.position.gained(move)
        return replace(
            self, position=after, past=past, step=MoveStep(), offered=False, promoted=gained, last_id=id_, before=self
        )

    def taken_back(self) -> Self | None:
        """Return the state before the last move of the player to move; `None` if that player has not moved yet."""
        before = None if self.before is None else self.before.before
        return None if before is None else replace(before, step=MoveStep(), takebacks=self.takebacks + 1)


AnyState = ChesslikeState[Any, Any]


def ending(state: AnyState) -> Finished | None:
    """Return the end of the match, also if the position on the board ends it; `None` while the match goes on."""
    if isinstance(state.step, Finished):
        return state.step
    if isinstance(state.step, SetupStep):
        return None
    end = state.position.ending(state.times_seen)
    if end is None:
        return None
    if end.loser is None:
        return drawn(say("A draw: {why}", end.why))
    return lost_by(state, state.seat_of(white=end.loser), end.why)


def lost_by(state: AnyState, seat: int, why: str) -> Finished:
    """Return the end of a match that a seat has lost; `why` is a message about the loser, such as "{loser} resigns"."""
    words = say(why, loser=state.seats[seat])
    return Finished(Result(1 - seat, (0, 1) if seat == 0 else (1, 0), words), words)


def drawn(words: str) -> Finished:
    """Return the end of a drawn match."""
    return Finished(Result(None, (0, 0), words), words)


def out_of_time(state: AnyState, seat: int) -> Finished:
    """Return the end of a match in which a seat's time is up: lost, or drawn if the opponent cannot win."""
    if state.position.can_win_on_time(white=seat != state.white_seat):
        return lost_by(state, seat, message("{loser} has no time left"))
    names = {"name": state.seats[seat], "other": state.seats[1 - seat]}
    return drawn(say("A draw: {name} has no time left, and {other} cannot mate", **names))


def claim_of(state: AnyState) -> str | None:
    """Return why the player to move may claim a draw, in words; `None` if the player may not claim one."""
    if state.times_seen == THREEFOLD:
        return say("the same position for the 3rd time")
    if state.times_seen > THREEFOLD:
        return say("the same position for the {count}th time", state.times_seen)
    if state.position.quiet >= FIFTY_MOVES:
        return say("fifty moves without capture, pawn move or promotion")
    return None


@lru_cache(maxsize=8)  # a table asks for the same turn many times
def claiming_moves(state: AnyState) -> Sequence[str]:
    """Return the ids of the moves of the player to move after which a draw could be claimed."""
    seen = {key for key in state.past if state.past.count(key) >= THREEFOLD - 1}
    if not seen and state.position.quiet < FIFTY_MOVES - 1:
        return ()
    return [id_ for id_ in state.position.moves if claim_of(state.moved(id_))]


def line_of(state: AnyState) -> tuple[Any, Sequence[str]]:
    """Return the position after the last capture, pawn move or promotion, and the ids of the moves since then.

    Engines need these moves to detect repetitions.
    """
    ids: list[str] = []
    while state.past and state.before is not None:
        ids.insert(0, state.last_id)
        state = state.before
    return state.position, ids


def result_of(state: AnyState) -> str:
    """Return the result in PGN's notation; `*` while the match goes on."""
    end = ending(state)
    if end is None:
        return "*"
    winner = end.result.winner
    return SCORES[None if winner is None else winner == state.white_seat]
