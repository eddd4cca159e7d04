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
        raise IllegalAction("there is nothing a game master may do here: expected a match of a game that has one")
    if isinstance(action, Correct):
        if len(action.why) > LONGEST_REASON or not is_showable(action.why):
            raise IllegalAction(f"this reason cannot be kept: expected a line of at most {LONGEST_REASON} characters")
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
    kinds = list(dict.fromkeys(each.what for each in offered))
    if action.what not in kinds:
        raise IllegalAction(f"{action.what!r} cannot be corrected: expected {_listed(action.what, kinds)}")
    owners = {each.of: each for each in offered if each.what == action.what}
    if action.of not in owners:
        raise IllegalAction(f"there is no {action.what} of {action.of!r}: expected {_listed(action.of, list(owners))}")
    return owners[action.of]


def _check_value(meant: Correctable, to: str) -> None:
    thing = f"the {meant.what} of {meant.of}"
    if not meant.choices:
        if not _NUMBER.fullmatch(to):
            raise IllegalAction(f"{to!r} is no number for {thing}: expected one such as 7, +3 or -2")
    elif to not in meant.choices:
        raise IllegalAction(f"{thing} cannot be {to!r}: expected {_listed(to, meant.choices)}")


def _listed(found: str, known: Sequence[str]) -> str:
    shown = ", ".join(known) if len(known) <= MOST_LISTED else f"{', '.join(known[:3])} ... {known[-1]}"
    return f"one of {shown}{did_you_mean(found, known)}"
