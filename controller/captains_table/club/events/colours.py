"""Who begins: the rules by which FIDE's Swiss systems give colours (FIDE Handbook C.04.3, A.6 and E).

The library's own allocation takes the better pairing number for the higher rank where two of unequal points meet; by
A.2 it is the points that rank first. So it is asked whom to pair, and who begins is decided here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

Begins = bool
"""Whether a player has the first seat, which chess calls White."""

WIDE: Final = 2


class Strength(IntEnum):
    """How strongly a player must have a colour (A.6)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Colours:
    """A player as the allocation of colours sees him.

    Attributes:
        number: his pairing number.
        halves: his half points before the round.
        began: in which of the rounds he played he began, in their order.
    """

    number: int
    halves: int
    began: Sequence[Begins]

    @property
    def difference(self) -> int:
        """How many times more he began than not."""
        return 2 * sum(self.began) - len(self.began)

    @property
    def preference(self) -> tuple[Strength, Begins | None]:
        """How strongly he prefers to begin or not; `None`: he does not mind."""
        if not self.began:
            return Strength.NONE, None
        if abs(self.difference) >= WIDE:
            return Strength.ABSOLUTE, self.difference < 0
        last = self.began[-1]
        if list(self.began[-2:]) == [last, last]:
            return Strength.ABSOLUTE, not last
        return (Strength.STRONG, self.difference < 0) if self.difference else (Strength.MILD, not last)


def first_begins(one: Colours, two: Colours, *, number_one_begins: bool) -> bool:
    """Return whether the first of a pair begins.

    Args:
        one: a player.
        two: whom he meets.
        number_one_begins: what was drawn by lot before the first round.
    """
    rules: tuple[Callable[[Colours, Colours], Begins | None], ...] = (_both, _stronger, _alternate, _higher_prefers)
    higher, lower = sorted((one, two), key=lambda player: (-player.halves, player.number))
    for rule in rules:
        begins = rule(higher, lower)
        if begins is not None:
            return begins is (higher is one)
    return ((higher.number % 2 == 1) is number_one_begins) is (higher is one)  # E.5


def _both(higher: Colours, lower: Colours) -> Begins | None:
    """E.1: both get what they prefer."""
    (_, wish), (_, other) = higher.preference, lower.preference
    return wish if wish is not None and other is not None and wish != other else None


def _stronger(higher: Colours, lower: Colours) -> Begins | None:
    """E.2: the stronger preference counts; of two absolute ones that of the wider difference."""
    (strength, wish), (other_strength, other) = higher.preference, lower.preference
    weight, other_weight = (strength, 0), (other_strength, 0)
    if strength is other_strength is Strength.ABSOLUTE:
        weight, other_weight = (strength, abs(higher.difference)), (other_strength, abs(lower.difference))
    if weight == other_weight:
        return None
    return wish if weight > other_weight else not other


def _alternate(higher: Colours, lower: Colours) -> Begins | None:
    """E.3: the other way round than when one began last and the other did not."""
    pairs = zip(reversed(higher.began), reversed(lower.began), strict=False)
    return next((not began for began, other in pairs if began != other), None)


def _higher_prefers(higher: Colours, _: Colours) -> Begins | None:
    """E.4: what the higher ranked prefers."""
    return higher.preference[1]
