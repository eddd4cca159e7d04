"""The last throw: the dice that ended a turn or decided who begins, shown briefly before the next player's dice.

Only displays are affected; the match continues at once. After a power cut or a take-back no last throw is shown.
"""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.contract import Auction, Die, Over, Roll, Rolled
from captains_table.table.history.event_log import events_of
from captains_table.table.model.match import Match
from captains_table.table.model.steps import Step
from captains_table.table.model.view import LastThrow


def last_throw_of(match: Match, step: Step, *, delayed: bool = False) -> LastThrow | None:
    """Return the throw to show after an action that ended a turn or decided who begins.

    The result is `None` for any other action, for an action without a seat, and if there is no result of dice to show.

    Args:
        match: the match.
        step: the action.
        delayed: whether events on squares of the board must not be shown yet.
    """
    seat, dice = step.acted.seat, _lain(match, step)
    if seat is None or not any(die.face for die in dice) or not _is_decided(match, step, dice):
        return None
    outcome = match.game.outcome(step.before, step.after, [die.face for die in dice])
    if outcome is None:
        return None
    lit = tuple(die - 1 for die in outcome.dice)
    scored = tuple(event for event in events_of(match, step) if event.square is None or not delayed)
    return LastThrow(seat, dice, lit, outcome.words, scored, outcome.slots)


def _lain(match: Match, step: Step) -> tuple[Die, ...]:
    """Return the dice as they lay before an action, but with the new faces if the action is a throw."""
    game, action = match.game, step.acted.action
    dice = [replace(die, throws_left=0) for die in game.dice(step.before)]
    turn = game.turn(step.before)
    if not isinstance(action, Rolled) or not isinstance(turn, Roll):
        return tuple(dice)
    if not all(dice[number - 1].extra for number in turn.dice):
        dice = [replace(die, held=die.face is not None) for die in dice]
    for number, face in zip(turn.dice, action.faces, strict=True):
        dice[number - 1] = replace(dice[number - 1], face=face, held=False)
    return tuple(dice)


def _is_decided(match: Match, step: Step, lain: Sequence[Die]) -> bool:
    """Return whether an action ended a turn or decided who begins.

    This is assumed if the match is over, if the action is a throw before an auction or before another seat's turn, or
    if a die other than an extra die has lost its face (`_are_gone`).
    """
    turn = match.game.turn(step.after)
    if isinstance(turn, Over):
        return True
    is_anothers = isinstance(turn, Auction) or turn.seat != step.acted.seat
    return (isinstance(step.acted.action, Rolled) and is_anothers) or _are_gone(lain, match.game.dice(step.after))


def _are_gone(lain: Sequence[Die], now: Sequence[Die]) -> bool:
    """Return whether a main die that had a face is now gone or has no face; extra dice are ignored."""
    faces = [die.face for die in now if not die.extra]
    main = [die.face for die in lain if not die.extra]
    return any(face and (place >= len(faces) or faces[place] is None) for place, face in enumerate(main))
