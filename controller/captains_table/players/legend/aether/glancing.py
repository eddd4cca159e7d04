"""How a beginner finds a move: by what it brings at once, among the moves that happen to catch the eye.

Source: docs/rules/legend.md L8 - L14.
"""

from typing import Final

import chess

from captains_table.games.legend.position import VALUES, Position, strikes
from captains_table.players.common.strategies import Below
from captains_table.players.legend.aether.situation import MOST_THROWS, Found, Situation

KING: Final = 50  # whoever sees that the king can be taken takes him
TREASURE: Final = 7  # two dice, on average
LOW_DIE: Final = 2  # thrown again where it fell first
SEEN_OF_TEN: Final = 6


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
