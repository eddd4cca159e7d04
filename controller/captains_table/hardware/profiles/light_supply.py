"""What the lights of a build draw, what their supply gives, and the fuse between: no picture draws more than that."""

import math
from typing import Final

from captains_table.hardware.profiles.profile import LightsBuild, Profile
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
    dark_ma, lit_ma = _drawn_ma(profile, profile.lights)
    return 1000 * math.ceil((dark_ma + lit_ma) / USED_SHARE / 1000)


def fuse_ma(profile: Profile) -> int:
    """Return the rating of the lights' fuse: what the profile says, or the largest that their supply can blow."""
    if profile.lights is None:
        return 0
    if profile.lights.fuse_ma is not None:
        return profile.lights.fuse_ma
    return max(_blown_by(supply_ma(profile)), default=FUSES_MA[0])


def budget_ma(profile: Profile) -> int:
    """Return what all that is lit may draw together: what the fuse may be run at, less what dark chips draw."""
    if profile.lights is None:
        return 0
    return int(fuse_ma(profile) * USED_SHARE) - _drawn_ma(profile, profile.lights)[0]


def played_ma(profile: Profile) -> int:
    """Return what the lights draw at most at the brightness the profile sets."""
    if profile.lights is None:
        return 0
    dark_ma, lit_ma = _drawn_ma(profile, profile.lights)
    return dark_ma + min(budget_ma(profile), round(lit_ma * profile.lights.brightness / 255))


def check_supply(profile: Profile) -> None:
    """Refuse a supply that cannot blow its fuse, and a fuse too small for the faintest picture; raises BadProfile."""
    if profile.lights is None:
        return
    given, kind = supply_ma(profile), profile.lights.kind
    dark_ma, lit_ma = _drawn_ma(profile, profile.lights)
    # The faintest picture: all lights at their faintest, or one of them fully lit.
    faintest_ma = dark_ma + max(lit_ma * kind.faintest_share, kind.light_ma)
    least = next(rating for rating in FUSES_MA if rating * USED_SHARE >= faintest_ma)
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


def _drawn_ma(profile: Profile, lights: LightsBuild) -> tuple[int, float]:
    """Return what the lights draw while all are dark, and how much more they draw fully lit."""
    kind, count = lights.kind, profile.light_count
    return count * kind.dark_ma, count * kind.side**2 * kind.light_ma
