"""Aether's thinking about one turn: the search within its level's limits or a time, and the errors of its level.

What is answered depends on the situation and on chance alone, unless there is a time to think in: a search begins with
an empty memory then, and whatever else is remembered would come out the same again.
"""

from functools import lru_cache
from typing import Final, Protocol

import chess

from captains_table.games.legend.position import VALUES, Position, strikes
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import PERCENT, Below
from captains_table.players.legend.aether.aether import Aether
from captains_table.players.legend.aether.opponent import Level
from captains_table.players.legend.aether.search import Limits
from captains_table.players.legend.aether.situation import MOST_THROWS, Found, Situation

KING: Final = 50  # whoever sees that the king can be taken takes him
TREASURE: Final = 7  # two dice, on average
LOW_DIE: Final = 2  # thrown again where it fell first
SEEN_OF_TEN: Final = 6
REMEMBERED: Final = 64


def at_a_glance(situation: Situation, thought: Found, below: Below) -> Found:
    """Return what is done at a glance in place of what was thought; what that is held to be worth stays.

    Args:
        situation: the Legend die has fallen.
        thought: what a search found.
        below: chance.
    """
    position, die = Position.from_fen(situation.fen), situation.die or 1
    moves = list(position.moves(die).values())
    may_throw = situation.throws < MOST_THROWS and not situation.is_final
    if may_throw and (not moves or (die <= LOW_DIE and situation.throws == 1)):
        return Found("throw", None, thought.value, 1, thought.nodes)
    if not moves:
        return thought
    seen = [move for move in moves if below(10) < SEEN_OF_TEN] or moves
    gains = [_gain(position, move) for move in seen]
    best = [move for move, gain in zip(seen, gains, strict=True) if gain == max(gains)]
    return Found("move", best[below(len(best))].uci(), thought.value, 1, thought.nodes)


def _gain(position: Position, move: chess.Move) -> int:
    taken = position.captured(move)
    gain = 0 if taken is None else KING if taken[0] == chess.KING else VALUES[taken[0]]
    if move.promotion is not None:
        gain += VALUES[move.promotion] - VALUES[chess.PAWN]
    if position.is_castling(move) or position.reaches_seventh(move):
        gain += TREASURE
    return gain + strikes(position, position.play(move), position.turn)


class Search(Protocol):
    """What finds the best in a situation; `Aether` does."""

    def find(self, situation: Situation, limits: Limits) -> Found:
        """Return the best that was found within the limits."""


class Thinker:
    """Answers situations as a level does, one and the same way as long as one answer is asked for.

    Args:
        search: finds the best.
        level: how far it looks and how it errs.
        means: chance, and time where it is to think for some.

    Attributes:
        found: returns the best in a situation without errors, by one of several parts of a whole search.
    """

    def __init__(self, search: Search, level: Level, means: Means) -> None:
        self.level = level
        self.below = means.below
        self._search, self._means = search, means
        self._decide_by: float | None = None
        self._until = 0.0
        self._decided: dict[Situation, Found] = {}
        self.found = lru_cache(maxsize=REMEMBERED)(self._find)

    def begin(self, kept_back: float = 0.0) -> None:
        """An answer is asked for now: its time begins.

        Args:
            kept_back: which share of it is kept for what else is to be weighed than what is done in the situation.
        """
        self._decided.clear()
        if self._means.think_s is not None:
            now = self._means.seconds()
            self._decide_by = now + (1 - kept_back) * self._means.think_s
            self._until = now + self._means.think_s

    def decide(self, situation: Situation) -> Found:
        """Return what this level does in a situation, errors included; the Legend die has fallen."""
        if situation not in self._decided:
            found = self.found(situation, 1)
            if self.level.glances and self.below(PERCENT) < self.level.glances:
                found = at_a_glance(situation, found, self.below)
            self._decided[situation] = found
        return self._decided[situation]

    def _find(self, situation: Situation, parts: int) -> Found:
        """Search as far as the level does, and one of several parts of a whole search within what time is left."""
        until = self._decide_by
        if until is not None and parts > 1:
            now = self._means.seconds()
            until = now + max(0.0, self._until - now) / parts
        nodes = max(1, self.level.nodes // parts)
        return self._search.find(situation, Limits(self.level.depth, nodes, until, self._means.seconds))


def thinker_of(level: Level, means: Means) -> Thinker:
    """Return what thinks at a level."""
    return Thinker(Aether(), level, means)
