"""The fuse between the lights' supply and the lights."""

from typing import Final

from captains_table.hardware.profiles.light_supply import USED_SHARE, supply_ma
from captains_table.hardware.profiles.profile import Profile

# IEC 60127: the ratings fuses of 5 x 20 mm are made in.
RATINGS_A: Final = (0.2, 0.25, 0.315, 0.4, 0.5, 0.63, 0.8, 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10)


def fuse_amps(profile: Profile) -> float:
    """Return the smallest fuse that carries what the lights may draw."""
    drawn_a = supply_ma(profile) * USED_SHARE / 1000
    return next((rating for rating in RATINGS_A if rating >= drawn_a), RATINGS_A[-1])
