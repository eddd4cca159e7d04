"""Aether's decision about one turn: a search within the level's limits and the thinking time, with the level's errors.

Without a time limit the answer depends only on the situation and the random numbers: each search begins with empty
tables, and cached results are those that a new search would give.
"""

from functools import lru_cache
from typing import Final, Protocol

import chess

from captains_table.games.legend.position import PIECE_VALUES, LegendPosition, strikes
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import PERCENT, Below
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.opponent import AetherLevel
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import MOST_THROWS, FoundAction, Situation

KING: Final = 50  # points: more than any other gain, so that a king that can be taken is taken
TREASURE: Final = 7  # two dice, on average
LOW_DIE: Final = 2  # up to this face a first throw is thrown again
TENTHS: Final = 10
REMEMBERED: Final = 64  # results of searches


def beginner_action(situation: Situation, thought: FoundAction, sees: int, below: Below) -> FoundAction:
    """Return a beginner's action, with the value that the search found.

    If the die may be thrown again, the beginner throws it after a first throw of at most LOW_DIE, and whenever the die
    permits no move. Otherwise the beginner considers only some permitted moves, drawn at random, and makes the move
    with the highest immediate gain. If the die permits no move and may not be thrown again, the result is what the
    search found.

    Args:
        situation: a turn whose Legend die was thrown.
        thought: the result of the search.
        sees: the share of the moves that is considered, in tenths.
        below: the source of random numbers.
    """
    position, die = LegendPosition.from_fen(situation.fen), situation.die or 1
    moves = list(position.moves(die).values())
    may_throw = situation.throws < MOST_THROWS and not situation.is_final
    if may_throw and (not moves or (die <= LOW_DIE and situation.throws == 1)):
        return FoundAction("throw", None, thought.value, 1, thought.nodes)
    if not moves:
        return thought
    seen = [move for move in moves if below(TENTHS) < sees] or moves
    gains = [_gain(position, move) for move in seen]
    best = [move for move, gain in zip(seen, gains, strict=True) if gain == max(gains)]
    return FoundAction("move", best[below(len(best))].uci(), thought.value, 1, thought.nodes)


def _gain(position: LegendPosition, move: chess.Move) -> int:
    taken = position.captured(move)
    gain = 0 if taken is None else KING if taken[0] == chess.KING else PIECE_VALUES[taken[0]]
    if move.promotion is not None:
        gain += PIECE_VALUES[move.promotion] - PIECE_VALUES[chess.PAWN]
    if position.is_castling(move) or position.reaches_seventh(move):
        gain += TREASURE
    return gain + strikes(position, position.play(move), position.white)


class ActionFinder(Protocol):
    """Finds the best action in a situation; implemented by `Aether`."""

    def find(self, situation: Situation, limits: AetherLimits) -> FoundAction:
        """Return the best action found within the limits."""


class Thinker:
    """Decides for a computer player at one level of strength, with the errors that the level makes.

    While a question is answered, the same situation always gets the same decision.

    Args:
        search: finds the best action.
        level: the level, with its search limits and error rates.
        means: random numbers, a clock, and the thinking time if it is limited.

    Attributes:
        search: returns the best action in a situation, without errors. The second argument divides the search's limits.
            Results are cached.
    """

    def __init__(self, search: ActionFinder, level: AetherLevel, means: Means) -> None:
        self.level = level
        self.below = means.below
        self._search, self._means = search, means
        self._decide_by: float | None = None
        self._until = 0.0
        self._decided: dict[Situation, FoundAction] = {}
        self.search = lru_cache(maxsize=REMEMBERED)(self._find)

    def begin(self, reserved: float = 0.0) -> None:
        """Begin to answer a question, and start the thinking time.

        Args:
            reserved: the share of the thinking time that `decide` must not use.
        """
        self._decided.clear()
        if self._means.think_s is not None:
            now = self._means.seconds()
            self._decide_by = now + (1 - reserved) * self._means.think_s
            self._until = now + self._means.think_s

    def decide(self, situation: Situation) -> FoundAction:
        """Return the action of a computer of this level, errors included; the Legend die must have been thrown."""
        if situation not in self._decided:
            found = self.search(situation, 1)
            if self.level.glances and self.below(PERCENT) < self.level.glances:
                found = beginner_action(situation, found, self.level.sees, self.below)
            self._decided[situation] = found
        return self._decided[situation]

    def _find(self, situation: Situation, parts: int) -> FoundAction:
        """Return the best action that a search within the level's limits and the thinking time finds.

        The level's number of positions is divided by `parts`. If `parts` is 1, the search may use the thinking time
        that is not reserved; otherwise it may use all the remaining time of the answer, divided by `parts`.
        """
        until = self._decide_by
        if until is not None and parts > 1:
            now = self._means.seconds()
            until = now + max(0.0, self._until - now) / parts
        nodes = max(1, self.level.nodes // parts)
        return self._search.find(situation, AetherLimits(self.level.depth, nodes, until, self._means.seconds))


def thinker_of(level: AetherLevel, means: Means) -> Thinker:
    """Return a thinker with a new search, for a level."""
    return Thinker(Aether(), level, means)
