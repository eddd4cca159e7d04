"""What the lights of a build draw, what their supply gives, and the fuse between: no picture draws more than that."""

import math
from typing import Final

from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.profiles.table_reader import BadProfile

# A supply and a fuse are run at no more than four fifths.
USED_SHARE: Final = 0.8
MOST_MA: Final = 60_000
# docs/electrics.md, "The lights' fuse": IEC 60127-2 sheet 3, time-lag glass of 5 x 20 mm, opens within 10 s at so many
# times its rating, and carries 1.5 times of it for an hour, which plugs for 3 A (JST SM) must bear: 2 A at most.
OPENS_AT: Final = 2.75
FUSES_MA: Final = (200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000)


def supply_ma(profile: Profile) -> int:
    """Return what the supply of the lights gives: what the profile says, or enough to light all of them fully."""
    if profile.lights is None:
        return 0
    if profile.lights.supply_ma is not None:
        return profile.lights.supply_ma
    return 1000 * math.ceil((_dark_ma(profile) + _lit_ma(profile)) / USED_SHARE / 1000)


def fuse_ma(profile: Profile) -> int:
    """Return the rating of the lights' fuse: what the profile says, or the largest that their supply can blow."""
    if profile.lights is None:
        return 0
    if profile.lights.fuse_ma is not None:
        return profile.lights.fuse_ma
    return max(_blown_by(supply_ma(profile)), default=FUSES_MA[0])


def budget_ma(profile: Profile) -> int:
    """Return what all that is lit may draw together: what the fuse may be run at, less what dark chips draw."""
    return int(fuse_ma(profile) * USED_SHARE) - _dark_ma(profile)


def played_ma(profile: Profile) -> int:
    """Return what the lights draw at most at the brightness the profile sets."""
    if profile.lights is None:
        return 0
    return _dark_ma(profile) + min(budget_ma(profile), round(_lit_ma(profile) * profile.lights.brightness / 255))


def check_supply(profile: Profile) -> None:
    """Refuse a supply that cannot blow its fuse, and a fuse too small for the faintest picture; raises BadProfile."""
    if profile.lights is None:
        return
    given = supply_ma(profile)
    least = next(rating for rating in FUSES_MA if rating * USED_SHARE >= _least_ma(profile))
    if not least * OPENS_AT < given <= MOST_MA:
        raise BadProfile(
            f"lights.supply_ma = {given}: expected {int(least * OPENS_AT) + 1} to {MOST_MA} (milliamperes): it has to "
            f"blow its fuse, which takes {OPENS_AT} times the rating, and {least} is the smallest for these lights"
        )
    fuse, blown = fuse_ma(profile), [rating for rating in _blown_by(given) if rating >= least]
    if fuse not in blown:
        raise BadProfile(
            f"lights.fuse_ma = {fuse}: expected one of {', '.join(map(str, blown))} (milliamperes): a supply of "
            f"{given} mA cannot blow a larger one, which takes {OPENS_AT} times the rating, plugs of 3 A bear none "
            f"above {FUSES_MA[-1]}, and {least} is the smallest for these lights"
        )


def _blown_by(given_ma: int) -> list[int]:
    """Return the fuses that open within 10 s at a current that such a supply still gives."""
    return [rating for rating in FUSES_MA if rating * OPENS_AT < given_ma]


def _dark_ma(profile: Profile) -> int:
    return 0 if profile.lights is None else profile.light_count * profile.lights.kind.dark_ma


def _lit_ma(profile: Profile) -> float:
    """Return what all lights draw fully lit, over what the dark chips draw."""
    if profile.lights is None:
        return 0
    kind = profile.lights.kind
    return profile.light_count * kind.side**2 * kind.light_ma


def _least_ma(profile: Profile) -> float:
    """Return what the faintest picture draws: all lights at their faintest, or one fully lit."""
    if profile.lights is None:
        return 0
    kind = profile.lights.kind
    return _dark_ma(profile) + max(_lit_ma(profile) * kind.faintest_share, kind.light_ma)
