"""Ship, captain and crew: which dice stand in the three berths, found strictly in that order.

Source: docs/rules/ship-captain-crew.md S2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from captains_table.games.common.dice import CAPTAIN, CREW, SHIP

DICE: Final = (1, 2, 3, 4, 5)
BERTHS: Final = ("ship", "captain", "crew")
WANTED: Final = (SHIP, CAPTAIN, CREW)

Faces = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Berths:
    """The numbers (1-based) of the dice set aside, in the order ship, captain, crew."""

    dice: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether ship, captain and crew are aside, so that the other two dice are cargo."""
        return len(self.dice) == len(BERTHS)

    def loose(self) -> tuple[int, ...]:
        """Return the numbers of the dice not set aside."""
        return tuple(die for die in DICE if die not in self.dice)

    def die_in(self, berth: int) -> int | None:
        """Return the number of the die in a berth, counted from 0; `None` while it is empty."""
        return self.dice[berth] if berth < len(self.dice) else None


def board(berths: Berths, faces: Sequence[int | None]) -> Berths:
    """Return the berths after a throw: what was found in its order is set aside at once and stays (S2).

    Args:
        berths: what was aside before.
        faces: the five dice as they lie.
    """
    while not berths.is_complete:
        wanted = WANTED[len(berths.dice)]
        found = next((die for die in berths.loose() if faces[die - 1] == wanted), None)
        if found is None:
            break
        berths = Berths((*berths.dice, found))
    return berths


def cargo_of(berths: Berths, faces: Sequence[int | None]) -> int:
    """Return the sum of the two dice beside ship, captain and crew; 0 while one of them is missing (S3, S4)."""
    return sum(faces[die - 1] or 0 for die in berths.loose()) if berths.is_complete else 0
