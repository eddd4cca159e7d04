"""Tests the dice of matches for fairness on a million faces (`captains-table verify --dice`)."""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from captains_table.devices.dice_sources import HonestDice
from captains_table.devices.ports import Dice
from captains_table.table.history.dice_stream import chance_of_more, chi_squared

TESTED_FACES = 1_000_000
SIDES = 6
LEAST_CHANCE = 0.0001  # fair dice fail one run in 5,000, as each run has two tests
LONGEST_PRESS_MS = 2000


@dataclass(frozen=True, slots=True)
class Fairness:
    """The result of a chi-squared test for fair dice: its name, the counts, the statistic, and the p-value."""

    name: str
    counts: tuple[int, ...]
    statistic: float
    chance: float

    @property
    def passed(self) -> bool:
        """Whether the p-value is high enough for the dice to count as fair."""
        return self.chance >= LEAST_CHANCE

    def __str__(self) -> str:
        verdict = "passed" if self.passed else "FAILED"
        freedom = len(self.counts) - 1
        test = f"chi-squared {self.statistic:.2f} with {freedom} degrees of freedom, p = {self.chance:.4f}"
        return f"{self.name}: {test}: {verdict}"


def fresh_dice() -> HonestDice:
    """Return dice like those of a new match, with a new seed and with salt from one button press of random length."""
    dice = HonestDice(HonestDice.new_seed())
    dice.add_salt(secrets.randbelow(LONGEST_PRESS_MS))
    return dice


def run_dice_test(dice: Dice, count: int = TESTED_FACES) -> list[Fairness]:
    """Test whether all faces, and all pairs of faces, are equally frequent; return both results.

    The pairs are the first and second face, the third and fourth, and so on.

    Args:
        dice: the dice to test.
        count: how many faces to throw, an even number.
    """
    faces = dice.throw(count)
    single = Counter(faces)
    pairs = Counter(zip(faces[::2], faces[1::2], strict=True))
    sides = range(1, SIDES + 1)
    return [
        _fairness("faces", [single[side] for side in sides]),
        _fairness("pairs", [pairs[one, two] for one in sides for two in sides]),
    ]


def _fairness(name: str, counts: Sequence[int]) -> Fairness:
    statistic = chi_squared(counts)
    return Fairness(name, tuple(counts), statistic, chance_of_more(statistic, len(counts) - 1))
