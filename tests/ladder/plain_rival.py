"""A plain rival: expectimax of depth 2 over material and legend alone, written on the rules' own position.

It weighs each of its moves, and of the reply to each what it gains by every Legend die, thrown again where that is
better (docs/rules/legend.md L5 - L14, L20). A piece is worth what it pays in the settlement, and nothing else counts.
"""

from collections.abc import Mapping
from fractions import Fraction

import chess

from captains_table.games.legend.position import PIECE_VALUES, LegendPosition, strikes
from captains_table.players.common.cargo_solver import before_first_throw, stop_or_throw
from captains_table.players.common.hold_solver import FACES
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import MOST_THROWS, FoundAction, Situation

KING_CAPTURE = 5
TREASURE = 7
TOP_DIE = 6

Gains = Mapping[int, Fraction]


class PlainSearch:
    """Searches two moves deep, by material and legend."""

    def find(self, situation: Situation, limits: AetherLimits) -> FoundAction:  # noqa: ARG002 - it always looks two moves ahead
        return _find(situation)


def _find(situation: Situation) -> FoundAction:
    position = LegendPosition.from_fen(situation.fen)
    mover = 0 if position.turn == chess.WHITE else 1
    values = {
        id_: _gain(situation, position, move, mover) - _reply(situation, position, move, 1 - mover)
        for id_, move in position.moves(TOP_DIE).items()
    }
    scored, unscored = _by_face(position, values, scores=True), _by_face(position, values, scores=False)
    if situation.die is None:
        return FoundAction("throw", None, float(before_first_throw(scored, unscored)), 2, len(values))
    left = 0 if situation.is_final else MOST_THROWS - situation.throws
    choice = stop_or_throw(situation.die, left, scored, unscored)
    open_ids = list(position.moves(situation.die))
    if not choice.stops or (not open_ids and left):
        return FoundAction("throw", None, float(choice.throwing), 2, len(values))
    move = max(open_ids, key=values.__getitem__, default=None)
    return FoundAction("move", move, float(choice.stopping), 2, len(values))


def _by_face(position: LegendPosition, values: Mapping[str, Fraction], *, scores: bool) -> dict[int, Fraction]:
    """Return what each face of the die is worth at best; nothing where it permits no move."""
    return {
        face: max((values[id_] + (face if scores else 0) for id_ in position.moves(face)), default=Fraction())
        for face in FACES
    }


def _reply(situation: Situation, before: LegendPosition, move: chess.Move, replier: int) -> Fraction:
    """Return what the other player may expect to gain by a reply."""
    taken = before.captured(move)
    if taken is not None and taken[0] == chess.KING:
        return Fraction()
    after = before.play(move)
    gains = {id_: _gain(situation, after, reply, replier) for id_, reply in after.moves(TOP_DIE).items()}
    return before_first_throw(_by_face(after, gains, scores=True), _by_face(after, gains, scores=False))


def _gain(situation: Situation, before: LegendPosition, move: chess.Move, mover: int) -> Fraction:
    """Return what a move gains besides the die: material, a strike, treasure, the king and what its owner pays."""
    taken = before.captured(move)
    if taken is not None and taken[0] == chess.KING:
        held = PIECE_VALUES[chess.KING] + sum(_value(letter) for letter in situation.captures[mover])
        return Fraction(KING_CAPTURE + 2 * min(situation.cargo[1 - mover], held))
    gain = 0 if taken is None else PIECE_VALUES[taken[0]]
    if move.promotion is not None:
        gain += PIECE_VALUES[move.promotion] - PIECE_VALUES[chess.PAWN]
    if before.is_castling(move) or before.reaches_seventh(move):
        gain += TREASURE
    return Fraction(gain + strikes(before, before.play(move), before.turn))


def _value(letter: str) -> int:
    return PIECE_VALUES[chess.Piece.from_symbol(letter).piece_type]
