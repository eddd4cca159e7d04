"""Where a grid leads on a board where nothing else stands, for whoever draws it (docs/rules/crowns.md D1)."""

from captains_table.games.common.movement import Reach
from captains_table.games.contract import Square
from captains_table.games.crowns.board import SHAPE, turned_for
from captains_table.games.crowns.grids import Grid


def reached(grid: Grid, party: int, start: Square) -> frozenset[Square]:
    """Return the squares that a piece gets to in one move.

    Args:
        grid: how it moves.
        party: whose it is: 0 White, whose forward is up the board, 1 Black, for whom everything is turned round.
        start: where it stands.
    """
    reach = Reach(SHAPE, turned_for(party, grid.movement))
    nothing = bytes(SHAPE.files * SHAPE.ranks)
    return frozenset(map(SHAPE.square_at, reach.targets(nothing, SHAPE.squares().index(start), ())))
