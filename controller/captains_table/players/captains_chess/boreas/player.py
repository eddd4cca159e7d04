"""Boreas at his levels: how much he looks at, what he overlooks, and how long he may think.

The upper levels differ in the number of positions they look at. The lower ones err as beginners do: they value every
move by what they see of the answers, and of some moves they see no answer at all.

Source: docs/rules/captains-chess.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from captains_table.games.captains_chess.fen import START
from captains_table.games.captains_chess.state import State
from captains_table.games.contract import TimeControl
from captains_table.players.captains_chess.boreas.board import Board, key_of
from captains_table.players.captains_chess.boreas.evaluation import evaluate
from captains_table.players.captains_chess.boreas.search import DEEPEST, SURE, Limit, Search
from captains_table.players.captains_chess.opponents import Judged, answering
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import PERCENT, Strategy

MOVES_AHEAD: Final = 45  # a move takes this part of what is left
OF_INCREMENT: Final = 0.7  # and this part of what it is given anew: the rest is for hands and for the press
LEAST_S: Final = 0.05
_SECOND_MS: Final = 1000
OPENING_MOVES: Final = 3  # of each side: there some moves are as good as others, and one does not always play the same
OPENING_SPREAD: Final = 15
LEAST_WEIGHED: Final = 3  # moves looked ahead at least where a draw is weighed


def search_of(state: State, limit: Limit, seconds: Callable[[], float]) -> tuple[Board, Search]:
    """Return a board with a match's position, and a search from there that knows what may come again (C7)."""
    board = Board(state.position)
    before = [key_of(squares, rights, passed, white=white) for squares, white, rights, passed in state.past]
    return board, Search(board, before, limit, seconds)


def share_s(control: TimeControl, number: int) -> float:
    """Return how long a move may be thought about on a clock of which nobody says what is left.

    Each move before is taken to have used its share, so that all moves together never take more than there is.

    Args:
        control: on how much time the match is played.
        number: the move's number.
    """
    left_s = control.base_ms / _SECOND_MS * (1 - 1 / MOVES_AHEAD) ** number
    return max(LEAST_S, left_s / MOVES_AHEAD + OF_INCREMENT * control.increment_ms / _SECOND_MS)


@dataclass(frozen=True, slots=True)
class Level:
    """How well one plays.

    Attributes:
        nodes: positions that may be looked at for an answer.
        depth: moves looked ahead at most, this one included.
        overlooks: of how many moves in a hundred no answer is seen.
        spread: how far a move's value may be misjudged, in hundredths of a pawn.
        opening: moves looked ahead in the first moves of a match, which are not always the same ones; 0: as ever.
    """

    nodes: int
    depth: int = DEEPEST
    overlooks: int = 0
    spread: int = 0
    opening: int = 2


LEVELS: Final[Mapping[int, Level]] = {
    1: Level(40_000, depth=1, overlooks=70, spread=250),
    2: Level(40_000, depth=1, overlooks=30, spread=100),
    3: Level(40_000, depth=2, overlooks=15, spread=60),
    4: Level(40_000, depth=3, overlooks=4, spread=35),
    5: Level(4_000),
    6: Level(50_000, opening=3),
}

ADVISER: Final = replace(LEVELS[max(LEVELS)], opening=0)  # who advises does not vary


def boreas(level: int, means: Means) -> Strategy:
    """Return Boreas at a level, answering whatever a match asks of him."""
    errs = LEVELS[level]
    sober = replace(errs, depth=max(errs.depth, LEAST_WEIGHED), overlooks=0, spread=0, opening=0)
    return answering(Boreas(errs, means).judge, Boreas(sober, means).judge)


class Boreas:
    """One who finds moves."""

    def __init__(self, level: Level, means: Means) -> None:
        self._level = level
        self._means = means

    def judge(self, state: State) -> Judged:
        """Return the move he makes in a position, and what he holds it for."""
        level = self._level
        if level.opening and _is_opening(state):
            level = replace(level, depth=min(level.depth, level.opening), spread=max(level.spread, OPENING_SPREAD))
        board, search = search_of(state, self._limit(state, level), self._means.seconds)
        if level.spread:
            return self._seeming_best(board, search.values(level.depth, margin=2 * level.spread + 1), level)
        line = search.best()
        return Judged(board.id_of(line.move), line.value)

    def _limit(self, state: State, level: Level) -> Limit:
        """Return how much may be thought: a level's own effort, and on a clock a sensible share of its time at most."""
        think_s, control = self._means.think_s, state.options.clock
        if think_s is None and control is not None:
            think_s = share_s(control, state.position.number)
        return Limit(level.nodes, None if think_s is None else self._means.seconds() + think_s, level.depth)

    def _seeming_best(self, board: Board, valued: Sequence[tuple[int, int]], level: Level) -> Judged:
        """Return the move that seems best to somebody who misjudges some, and sees no answer to others."""
        seeming = [self._seeming(board, move, value, level) for move, value in valued]
        place = seeming.index(max(seeming))
        return Judged(board.id_of(valued[place][0]), seeming[place])

    def _seeming(self, board: Board, move: int, value: int, level: Level) -> int:
        below = self._means.below
        if value < SURE and below(PERCENT) < level.overlooks:
            board.make(move)
            value = -evaluate(board)
            board.go_back()
        return value + below(level.spread + 1) + below(level.spread + 1) - level.spread


def _is_opening(state: State) -> bool:
    return state.position.number <= OPENING_MOVES and state.options.first_position == START
