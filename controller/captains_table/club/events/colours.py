"""Decides by FIDE's Dutch system who gets which seat, White or Black in chess (FIDE Handbook C.04.3, A.6 and E)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from captains_table.club.events.player_rounds import How, PlayerRound, PlayerRounds, total_halves

Begins = bool
"""Whether a player has the first seat, White in chess."""
WIDE: Final = 2
Met = set[tuple[int, int]]
"""The pairs of players who have played each other, the smaller number first."""


class Strength(IntEnum):
    """The strength of a player's colour preference, that is, of the claim to the first or the second seat (A.6)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Colours:
    """A player's pairing number, score and colours so far, as the allocation of colours uses them.

    Attributes:
        number: the pairing number.
        halves: the half points before the round.
        began: for each round played, in order, whether the player had the first seat.
    """

    number: int
    halves: int
    began: Sequence[Begins]

    @property
    def difference(self) -> int:
        """The number of rounds with the first seat, minus the number of rounds with the second."""
        return 2 * sum(self.began) - len(self.began)

    @property
    def preference(self) -> tuple[Strength, Begins | None]:
        """The strength of the colour preference, and the preferred seat.

        The seat is `True` for the first seat, `False` for the second, and `None` without a preference.
        """
        if not self.began:
            return Strength.NONE, None
        if abs(self.difference) >= WIDE:
            return Strength.ABSOLUTE, self.difference < 0
        last = self.began[-1]
        if list(self.began[-2:]) == [last, last]:
            return Strength.ABSOLUTE, not last
        return (Strength.STRONG, self.difference < 0) if self.difference else (Strength.MILD, not last)


def first_begins(one: Colours, two: Colours, *, number_one_begins: bool) -> bool:
    """Return whether the first player of a pair gets the first seat.

    Args:
        one: the first player.
        two: the opponent.
        number_one_begins: whether the player with pairing number 1 has the first seat in the first round.
    """
    rules: tuple[Callable[[Colours, Colours], Begins | None], ...] = (_both, _stronger, _alternate, _higher_prefers)
    higher, lower = sorted((one, two), key=lambda player: (-player.halves, player.number))
    for rule in rules:
        begins = rule(higher, lower)
        if begins is not None:
            return begins is (higher is one)
    return ((higher.number % 2 == 1) is number_one_begins) is (higher is one)  # E.5


def _both(higher: Colours, lower: Colours) -> Begins | None:
    """Return whether the higher ranked player begins, by rule E.1: if the players prefer different seats, grant both.

    The result is `None` if the rule does not apply.
    """
    (_, wish), (_, other) = higher.preference, lower.preference
    return wish if wish is not None and other is not None and wish != other else None


def _stronger(higher: Colours, lower: Colours) -> Begins | None:
    """Return whether the higher ranked player begins, by rule E.2: the stronger preference is granted.

    If both preferences are absolute, the preference of the player with the wider colour difference is granted. The
    result is `None` if neither preference is stronger.
    """
    (strength, wish), (other_strength, other) = higher.preference, lower.preference
    weight, other_weight = (strength, 0), (other_strength, 0)
    if strength is other_strength is Strength.ABSOLUTE:
        weight, other_weight = (strength, abs(higher.difference)), (other_strength, abs(lower.difference))
    if weight == other_weight:
        return None
    return wish if weight > other_weight else not other


def _alternate(higher: Colours, lower: Colours) -> Begins | None:
    """Return whether the higher ranked player begins, by rule E.3; `None` if the players' colours never differed.

    Both players get the opposite of their colours in the last round in which their colours differed.
    """
    pairs = zip(reversed(higher.began), reversed(lower.began), strict=False)
    return next((not began for began, other in pairs if began != other), None)


def _higher_prefers(higher: Colours, _: Colours) -> Begins | None:
    """Return whether the higher ranked player begins, by rule E.4: the preference of this player is granted.

    The result is `None` if the higher ranked player has no preference.
    """
    return higher.preference[1]


def met_before(history: PlayerRounds, since: int = 1) -> Met:
    """Return the pairs who have played each other from the round `since` on; after a forfeit, a pair may meet again."""
    return {
        (min(player, other), max(player, other))
        for player, turnouts in history.items()
        for turnout in turnouts
        if turnout.how is How.PLAYED and turnout.round >= since
        for other in turnout.opponents
    }


def colours_of(turnouts: Sequence[PlayerRound], number: int) -> Colours:
    began = tuple(bool(turnout.began) for turnout in turnouts if turnout.how is How.PLAYED)
    return Colours(number, total_halves(tuple(turnouts)), began)
