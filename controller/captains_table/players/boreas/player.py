"""Boreas as a player: its levels, their errors, and how it spends the time on its clock.

The upper levels differ in the number of positions searched. The lower levels search less deeply and make a
beginner's errors: the value of every move is blurred, and some moves are evaluated without regard to the opponent's
answers. Every level varies the first moves of a match at random, and decides about draws without errors.

Source: docs/rules/captains-chess.md, docs/rules/chess.md.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from captains_table.games.chess.position import ChessPosition
from captains_table.games.common.chesslike.match import AnyState
from captains_table.games.contract import TimeControl
from captains_table.players.boreas.board import BoreasBoard, key_of
from captains_table.players.boreas.evaluation import evaluate
from captains_table.players.boreas.opponents import JudgedMove, strategy_by_judges
from captains_table.players.boreas.search import DEEPEST, SURE, BoreasLimits, BoreasSearch
from captains_table.players.boreas.setups import setup_of_board, setup_of_position
from captains_table.players.boreas.variants import BoreasSetup
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import PERCENT, Strategy

MOVES_AHEAD: Final = 45  # a move takes one part in so many of the time left
OF_INCREMENT: Final = 0.7  # and this share of the increment: the rest is for moving the piece and pressing the clock
LEAST_S: Final = 0.05
_SECOND_MS: Final = 1000
OPENING_MOVES: Final = 3  # of each side: several are equally good, and matches should not all begin the same way
OPENING_SPREAD: Final = 15
FULL_ARRAY: Final = 30  # men on the board in a match that begins with an opening, handicaps included
LEAST_WEIGHED: Final = 3  # minimum search depth for deciding about a draw


def search_of(state: AnyState, limit: BoreasLimits, seconds: Callable[[], float]) -> tuple[BoreasBoard, BoreasSearch]:
    """Return a board with a match's position, and a search on that board that knows the positions that may recur."""
    board = BoreasBoard(_setup_of(state.position))
    return board, BoreasSearch(board, reversed(list(_earlier_keys(state))), limit, seconds)


def _setup_of(position: Any) -> BoreasSetup:  # noqa: ANN401 - a position of any game that Boreas plays
    return setup_of_board(position.board()) if isinstance(position, ChessPosition) else setup_of_position(position)


def _earlier_keys(state: AnyState) -> Iterator[int]:
    """Yield the hashes of the earlier positions that may recur, the latest first."""
    for _ in state.past:
        if state.before is None:
            return
        state = state.before
        setup = _setup_of(state.position)
        yield key_of(bytes(setup.squares), setup.rights, setup.passed, white=setup.white)


def share_s(control: TimeControl, number: int) -> float:
    """Return the thinking time of a move in seconds, in a match whose clock's remaining time is unknown.

    The estimate assumes that each earlier move used a fixed fraction of the time then left on the clock. The present
    move may use the same fraction and a part of the increment. The result is at least LEAST_S.

    Args:
        control: the match's time control.
        number: the number of the move.
    """
    left_s = control.base_ms / _SECOND_MS * (1 - 1 / MOVES_AHEAD) ** number
    return max(LEAST_S, left_s / MOVES_AHEAD + OF_INCREMENT * control.increment_ms / _SECOND_MS)


@dataclass(frozen=True, slots=True)
class BoreasLevel:
    """The strength of one level.

    Attributes:
        nodes: the maximum number of positions to search for an answer.
        depth: the maximum search depth in plies.
        overlooks: the percentage of moves for which the opponent's answers are ignored.
        spread: how far the value of a move may be misjudged, in hundredths of a pawn.
        opening: the maximum search depth for the first moves of a match, which are varied at random; 0 to play these
            moves like later ones.
    """

    nodes: int
    depth: int = DEEPEST
    overlooks: int = 0
    spread: int = 0
    opening: int = 2


LEVELS: Final[Mapping[int, BoreasLevel]] = {
    0: BoreasLevel(40_000, depth=1, overlooks=100, spread=600),
    1: BoreasLevel(40_000, depth=1, overlooks=70, spread=250),
    2: BoreasLevel(40_000, depth=1, overlooks=30, spread=100),
    3: BoreasLevel(40_000, depth=2, overlooks=15, spread=60),
    4: BoreasLevel(40_000, depth=3, overlooks=4, spread=35),
    5: BoreasLevel(4_000),
    6: BoreasLevel(50_000, opening=3),
}

ADVISER: Final = replace(LEVELS[max(LEVELS)], opening=0)  # advice is not varied at random


def boreas(level: int, means: Means, gives_up: int | None = None) -> Strategy:
    """Return the computer player Boreas at a level; it answers every question of a match.

    It resigns when it is behind by `gives_up` hundredths of a pawn; if that is `None`, it never does.
    """
    errs = LEVELS[level]
    sober = replace(errs, depth=max(errs.depth, LEAST_WEIGHED), overlooks=0, spread=0, opening=0)
    return strategy_by_judges(Boreas(errs, means).judge, Boreas(sober, means).judge, gives_up)


class Boreas:
    """Boreas at one level: finds moves and values by search, with the errors of the level."""

    def __init__(self, level: BoreasLevel, means: Means) -> None:
        self._level = level
        self._means = means

    def judge(self, state: AnyState) -> JudgedMove:
        """Return the move to make in a position and the move's value; the errors of the level affect both."""
        level = self._level
        if level.opening and _is_opening(state):
            level = replace(level, depth=min(level.depth, level.opening), spread=max(level.spread, OPENING_SPREAD))
        board, search = search_of(state, self._limit(state, level), self._means.seconds)
        if level.spread:
            return self._seeming_best(board, search.values(level.depth, margin=2 * level.spread + 1), level)
        line = search.best()
        return JudgedMove(board.id_of(line.move), line.value)

    def _limit(self, state: AnyState, level: BoreasLevel) -> BoreasLimits:
        """Return the limits of a search: those of the level, and the thinking time.

        If no thinking time is given, a match with a clock gives the move its share of the clock (`share_s`), and a
        match without a clock sets no time limit.
        """
        think_s, control = self._means.think_s, state.options.clock
        if think_s is None and control is not None:
            think_s = share_s(control, state.position.number)
        return BoreasLimits(level.nodes, None if think_s is None else self._means.seconds() + think_s, level.depth)

    def _seeming_best(self, board: BoreasBoard, valued: Sequence[tuple[int, int]], level: BoreasLevel) -> JudgedMove:
        """Return the move that seems best, and its seeming value, after the level's errors have changed all values."""
        seeming = [self._seeming(board, move, value, level) for move, value in valued]
        place = seeming.index(max(seeming))
        return JudgedMove(board.id_of(valued[place][0]), seeming[place])

    def _seeming(self, board: BoreasBoard, move: int, value: int, level: BoreasLevel) -> int:
        below = self._means.below
        if value < SURE and below(PERCENT) < level.overlooks:
            board.make(move)
            value = -evaluate(board)
            board.undo()
        return value + below(level.spread + 1) + below(level.spread + 1) - level.spread


def _is_opening(state: AnyState) -> bool:
    first = state.options.first_position
    return state.position.number <= OPENING_MOVES and len(first.pieces()) >= FULL_ARRAY and first.number == 1
