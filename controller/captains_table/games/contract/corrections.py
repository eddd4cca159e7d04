"""Corrections by a game master: the values that may be corrected, and the checks before a game applies a correction.

A function computes the corrected number from a new number or a difference.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract.names import is_showable
from captains_table.games.contract.options import did_you_mean
from captains_table.games.contract.turns import Correct, IllegalAction, MasterAction
from captains_table.phrases import Phrase, listed, noun, say

LONGEST_REASON: Final = 200
MOST_LISTED: Final = 16
_NUMBER: Final = re.compile(r"[+-]?\d{1,6}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Correctable:
    """A value that a game master may correct now.

    Attributes:
        what: the kind of value, such as `gold` or `place`.
        of: which value of this kind it is: a player's name, or a word such as `white`.
        now: the present value.
        choices: the allowed new values. If there are none, a whole number (`7`) or a difference (`+3`, `-2`) of at most
            six digits is allowed.
    """

    what: str
    of: str
    now: str
    choices: tuple[str, ...] = ()


def check_correction(offered: Sequence[Correctable], action: MasterAction) -> None:
    """Raise IllegalAction unless a game master's action is allowed.

    A correction must name an offered value and an allowed new value; its reason must be a single line of at most 200
    characters. Ending the match is allowed whenever any value may be corrected.

    Args:
        offered: the values that may be corrected now (`Game.corrections`).
        action: the game master's action.
    """
    if not offered:
        raise IllegalAction(say("there is nothing a game master may do here: expected a match of a game that has one"))
    if isinstance(action, Correct):
        if len(action.why) > LONGEST_REASON or not is_showable(action.why):
            words = say("this reason cannot be kept: expected a line of at most {most} characters", LONGEST_REASON)
            raise IllegalAction(words)
        _check_value(_meant(offered, action), action.to)


def corrected_number(now: int, to: str) -> int:
    """Return the number after a correction.

    Args:
        now: the number before.
        to: the new number (`7`), or the difference (`+3`, `-2`), already checked by `check_correction`.
    """
    return now + int(to) if to[0] in "+-" else int(to)


def _meant(offered: Sequence[Correctable], action: Correct) -> Correctable:
    """Return the value that a correction is meant to change; raises IllegalAction if this value is not offered."""
    kinds, what, of = list(dict.fromkeys(each.what for each in offered)), repr(action.what), repr(action.of)
    if action.what not in kinds:
        expected = _listed(action.what, kinds)
        raise IllegalAction(say("{what} cannot be corrected: expected {expected}", what, expected))
    owners = {each.of: each for each in offered if each.what == action.what}
    if action.of not in owners:
        expected = _listed(action.of, list(owners))
        kind = noun(action.what)
        raise IllegalAction(say("there is no {kind} of {of}: expected {expected}", kind, of, expected))
    return owners[action.of]


def _check_value(meant: Correctable, to: str) -> None:
    thing = say("the {kind} of {of}", noun(meant.what), meant.of)
    if not meant.choices and not _NUMBER.fullmatch(to):
        words = say("{value} is no number for {thing}: expected one such as 7, +3 or -2", repr(to), thing)
        raise IllegalAction(words)
    if meant.choices and to not in meant.choices:
        expected = _listed(to, meant.choices)
        raise IllegalAction(say("{thing} cannot be {value}: expected {expected}", thing, repr(to), expected))


def _listed(found: str, known: Sequence[str]) -> Phrase:
    meant = did_you_mean(found, known)
    if len(known) > MOST_LISTED:
        first = listed(known[:3], ",")
        return say("one of {first} ... {last}{did_you_mean}", first, known[-1], meant)
    return say("one of {values}{did_you_mean}", listed(known, ","), meant)
