"""What each player's clock showed after each move, as programs for chess read it in a comment: `[%clk 0:04:59]`."""

from collections.abc import Sequence

from captains_table.games.registry import game_by_key
from captains_table.table.model.entries import Acted, Entry, MatchStarted, folded
from captains_table.table.model.player_clocks import Clock, is_press, seconds_shown
from captains_table.table.model.seating import names_of


def clock_remarks(entries: Sequence[Entry]) -> dict[int, str]:
    """Return what the clock of whoever pressed it showed, by the place of the action that follows the press.

    Of a match without a clock there is nothing to say.

    Args:
        entries: the journal of the match.

    Raises:
        BadOption, UnknownGame: no match can have begun so.
    """
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        return {}
    game = game_by_key(started.game)
    state = game.start(names_of(started), started.options)
    control = game.time_control(state)
    if control is None:
        return {}
    clock = Clock(control, len(game.names(state)))
    shown: dict[int, str] = {}
    for entry in entries:
        clock.note(entry)
        if isinstance(entry, Acted) and entry.seat is not None and is_press(entry.action):
            shown[entry.seq] = _face(seconds_shown(clock.left_ms(entry.seat, None, entry.at_ms)))
    places = {acted.seq: place for place, acted in enumerate(folded(entries), 1)}
    return {places[seq]: face for seq, face in shown.items() if seq in places}


def _face(seconds: int) -> str:
    minutes, seconds = divmod(seconds, 60)
    return f"[%clk {minutes // 60}:{minutes % 60:02}:{seconds:02}]"
