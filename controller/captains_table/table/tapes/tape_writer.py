"""The tape writer: it writes a match as a tape (a script of raw input) that the tape reader can parse.

It also writes single directives, such as an answer, a throw or a changed setting.
"""

import shlex
from collections.abc import Mapping, Sequence

from msgspec.structs import astuple

from captains_table.games.contract import (
    Action,
    Bell,
    Bid,
    Correct,
    MasterAction,
    Reply,
    Roll,
    Rolled,
    TimeUp,
    deadline_of,
    goes_on_with_time,
)
from captains_table.table.model.codec import tag_of
from captains_table.table.model.entries import REPLIES
from captains_table.table.model.match import Match, Step
from captains_table.table.model.settings import Settings, setting_names, tape_settings


def format_start(game: str, names: Sequence[str], options: Mapping[str, str]) -> str:
    """Return the directive that starts a match."""
    return shlex.join(["game", game, *names, *(f"{key}={value}" for key, value in options.items())])


def format_dice(faces: Sequence[int]) -> str:
    """Return the directive that queues faces for a throw."""
    return f"dice {' '.join(str(face) for face in faces)}"


def format_answer(action: Action, names: Sequence[str]) -> str:
    """Return the line of a tape that gives an answer: the answer's tag, then its fields.

    The line of a bid contains the bidder's name instead of the seat.

    Raises:
        ValueError: the action is neither a player's answer nor an action of a game master.
    """
    if not isinstance(action, Reply | MasterAction):
        raise ValueError(f"{action} is no answer to an ask: expected {REPLIES.expected()}")  # noqa: TRY004 - the value is wrong, not the type
    if isinstance(action, Bid):
        return shlex.join([tag_of(action), names[action.seat], str(action.value)])
    words = [tag_of(action)]
    if isinstance(action, Correct):
        return shlex.join([*words, action.what, action.of, action.to, *filter(None, [action.why])])
    for value in astuple(action):
        words += map(str, value) if isinstance(value, tuple) else [str(value)]
    return shlex.join(words)


def format_words(seat: int, text: str, names: Sequence[str]) -> str:
    """Return the directive for a text that a player adds to the salt of the dice."""
    return shlex.join(["words", names[seat], text])


def settings_lines(settings: Settings) -> list[str]:
    """Return the directives of a tape (a script of input) for all settings that differ from a tape's defaults."""
    usual = tape_settings()
    values = ((name, getattr(settings, name)) for name in setting_names())
    return [f"config {name}={value}" for name, value in values if value != getattr(usual, name)]


def tape_of(match: Match) -> list[str]:
    """Return a tape that leads to a match's current state, without actions that were taken back."""
    lines = [format_start(match.started.game, match.started.seats, match.started.options)]
    lines += [format_words(words.seat, words.text, match.names) for words in match.salt.words]
    delays = _bid_delays(match)
    for step in match.history:
        written = _lines_of(match, step, lines)
        if step.acted.seq in delays:
            written[0] = f"+{delays[step.acted.seq]} {written[0]}"
        lines += written
    return [*lines, "+0 timers stop"] if match.timers.are_stopped else lines


def _lines_of(match: Match, step: Step, lines: list[str]) -> list[str]:
    action = step.acted.action
    if isinstance(action, TimeUp):
        return []
    if isinstance(action, Rolled):
        turn = match.game.turn(step.before)
        if isinstance(turn, Roll) and turn.at_once:
            lines.insert(len(lines) - 1, format_dice(action.faces))  # before the answer that triggers the throw
            return []
        return [format_dice(action.faces), "press roll"]
    moved_pieces = match.game.pieces(step.before) != match.game.pieces(step.after)
    words = format_answer(action, match.names)
    set_up = "+0 set-up" if isinstance(action, MasterAction) else "set-up"  # no delay: a timed turn goes on
    return [words, *([set_up] if moved_pieces and not step.on_board else [])]


def _bid_delays(match: Match) -> dict[int, int]:
    """Return the delay before each timed action in milliseconds, keyed by the action's `seq`.

    Only turns with a deadline have timed actions: bids, bells, a game master's actions, and any action that follows a
    bid or a correction. The delay is the time since the previous action, but 0 for a bell. A delay is shortened if the
    deadline would pass before the action.
    """
    delays: dict[int, int] = {}
    left_ms, before = 0, None
    for step in match.history:
        action = step.acted.action
        goes_on = before is not None and goes_on_with_time(before.action)
        is_counted = goes_on or isinstance(action, Bid | Bell | MasterAction)
        deadline_ms = deadline_of(match.game.turn(step.before)) if is_counted else None
        if deadline_ms is not None:
            left_ms = left_ms if goes_on else deadline_ms
            uses_time = before is not None and not isinstance(action, Bell)
            passed_ms = step.acted.at_ms - before.at_ms if before is not None and uses_time else 0
            delays[step.acted.seq] = max(0, min(passed_ms, left_ms - 1))
            left_ms -= delays[step.acted.seq]
        before = step.acted
    return delays
