"""Positions of Captain's Chess as setups of Boreas's board.

Source: docs/rules/captains-chess.md.
"""

from typing import Final

from captains_table.games.captains_chess.position import CASTLINGS, CaptainsPosition
from captains_table.players.boreas.variants import CAPTAINS, BoreasSetup, castling_way

CAPTAINS_WAYS: Final = tuple(
    castling_way(right, (way.king[0], way.king[-1]), (way.rook, way.rook_to), way.king[-1])
    for right, way in enumerate(CASTLINGS)
)


def setup_of_position(position: CaptainsPosition) -> BoreasSetup:
    """Return a position of Captain's Chess as a setup of Boreas's board."""
    return BoreasSetup(
        CAPTAINS, position.board, position.white, position.rights, position.passed, position.quiet, CAPTAINS_WAYS
    )
