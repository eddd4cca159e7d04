"""A search of Legend that looks no further than the move itself: for tests of whoever asks a search."""

import chess

from captains_table.games.legend.position import PIECE_VALUES, LegendPosition
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import MOST_THROWS, FoundAction, Situation

KING = 50


class QuickSearch:
    """Finds the move that takes most, a throw where none is permitted, and for value what stands on the board."""

    def find(self, situation: Situation, limits: AetherLimits) -> FoundAction:  # noqa: ARG002 - it needs none
        """Return the best."""
        return _find(situation)


def _find(situation: Situation) -> FoundAction:
    position = LegendPosition.from_fen(situation.fen)
    value = _lead(situation, position.turn) + _material(position)
    if situation.die is None:
        return FoundAction("throw", None, value, 0, 1)
    moves = position.moves(situation.die)
    may_throw = situation.throws < MOST_THROWS and not situation.is_final
    if not moves:
        return FoundAction("throw" if may_throw else "move", None, value, 0, 1)
    best = max(moves, key=lambda id_: (_taken(position, moves[id_]), id_))
    return FoundAction("move", best, value + _taken(position, moves[best]), 1, len(moves))


def _lead(situation: Situation, mover: chess.Color) -> float:
    white, black = (situation.cargo[side] + situation.legend[side] for side in (0, 1))
    return white - black if mover == chess.WHITE else black - white


def _material(position: LegendPosition) -> float:
    white = sum(_value(letter) * (1 if letter.isupper() else -1) for letter in position.pieces().values())
    return white if position.turn == chess.WHITE else -white


def _value(letter: str) -> int:
    return PIECE_VALUES[chess.Piece.from_symbol(letter).piece_type]


def _taken(position: LegendPosition, move: chess.Move) -> int:
    taken = position.captured(move)
    return 0 if taken is None else KING if taken[0] == chess.KING else PIECE_VALUES[taken[0]]
