"""What is in somebody's hand: where it may go, or why it may not be moved."""

from captains_table.games.contract import Auction, Decide, Hindrance, Square
from captains_table.table.model.view import Mark
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.monitor_state import MonitorState
from captains_table.table.snapshot import TableSnapshot


def offered_on_board(table: TableSnapshot) -> list[Candidate]:
    """Return what the game offers on the board now; nothing while something else is asked."""
    board, match = table.board, table.match
    if match is None or not isinstance(match.turn, Decide) or board.asked:
        return []
    return [option for option in board.options if not option.takes_back]


def targets(table: TableSnapshot) -> dict[Square, Mark]:
    """Return the squares where what was lifted may go: empty while nothing is lifted, or some of it has no move."""
    lifted = set(table.board.lifted)
    chosen = [
        option
        for option in offered_on_board(table)
        if lifted and lifted <= option.footprint.changed and (option.footprint.left | option.footprint.carried) & lifted
    ]
    return dict.fromkeys((square for option in chosen for square in option.footprint.targets(lifted)), Mark.TARGET)


def forbidden_piece(table: TableSnapshot) -> tuple[Square, Hindrance] | None:
    """Return from where a piece was lifted that may not be moved now, and what keeps it there; `None` without one.

    Whatever may still be changed on the board, be it the last move, may be lifted; where bids are made, until it is
    clear that this is no change of it.
    """
    match, board = table.match, table.board
    if match is None or board.asked:
        return None
    is_no_change = isinstance(match.turn, Auction) and board.state is MonitorState.RECOVERING
    options = () if is_no_change else board.options
    may_change = frozenset[Square]().union(*(option.footprint.changed for option in options))
    for square in board.lifted:
        hindrance = None if square in may_change else match.game.hindrance(match.state, square)
        if hindrance is not None:
            return square, hindrance
    return None
