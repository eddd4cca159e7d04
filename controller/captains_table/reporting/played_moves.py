"""The moves of a match of chess, as a table reports them and as an export of the match holds them."""

from msgspec.structs import replace

from captains_table.games.chess.pgn import start_of
from captains_table.games.contract import Pick
from captains_table.reporting.messages import MOST_MOVES, PlayedMove
from captains_table.table.model.match import Match


def start_fen(match: Match) -> str:
    """Return the position from which a match of chess began as FEN; empty for the usual one."""
    first = match.state
    while first.before is not None:
        first = first.before
    return start_of(first).fen


def standing_moves(match: Match) -> tuple[PlayedMove, ...]:
    """Return the moves of a match of chess, without those that were taken back."""
    line: list[PlayedMove] = []
    at_press = {} if match.clock is None else match.clock.at_press
    for step in match.history:
        acted = step.acted
        if step.after.takebacks != step.before.takebacks:
            del line[-2:]
        elif isinstance(acted.action, Pick) and step.after.position is not step.before.position:
            line.append(PlayedMove(acted.action.id, acted.at_ms // 1000))
        elif line and acted.seq in at_press:
            line[-1] = replace(line[-1], clock_s=at_press[acted.seq])
    return tuple(line[:MOST_MOVES])
