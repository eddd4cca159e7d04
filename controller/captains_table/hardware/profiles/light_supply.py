"""Calculates and checks the supply and the fuse of a build's lights.

Also calculates the current of the lights, and the limit to which frames are dimmed.
"""

import math
from typing import Final, NamedTuple

from captains_table.hardware.profiles.profile import LightsBuild, Profile
from captains_table.hardware.profiles.toml_reader import BadProfile

# Supply and fuse are loaded to at most four fifths of their rating.
USED_SHARE: Final = 0.8
MOST_MA: Final = 60_000
# docs/electrics.md, "The lights' fuse": a time-lag glass fuse 5 x 20 mm (IEC 60127-2 sheet 3) opens within 10 s at this
# multiple of its rating, and carries 1.5 times its rating for an hour; with plugs for 3 A (JST SM) that allows 2 A.
OPENS_AT: Final = 2.75
FUSES_MA: Final = (200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000)


class LightSupply(NamedTuple):
    """The supply of a build's lights; all currents are in milliamperes, and 0 without lights.

    Attributes:
        rated_ma: the rated current of the supply: from the profile, or enough to light all lights fully.
        fuse_ma: the rating of the fuse: from the profile, or the largest that the supply can blow, or the smallest
            rating if the supply can blow no fuse.
        budget_ma: the current that is available for lighting lights: the permitted load of the fuse (USED_SHARE of the
            rating) minus the current that all lights draw while dark. Frames that would need more are dimmed.
        drawn_ma: the highest current that the lights draw at the profile's brightness, including that of dark lights.
    """

    rated_ma: int = 0
    fuse_ma: int = 0
    budget_ma: int = 0
    drawn_ma: int = 0


def light_supply(profile: Profile) -> LightSupply:
    """Return the supply of a build's lights."""
    lights = profile.lights
    if lights is None:
        return LightSupply()
    dark_ma, lit_ma = _drawn_ma(profile, lights)
    rated_ma = lights.supply_ma or 1000 * math.ceil((dark_ma + lit_ma) / USED_SHARE / 1000)
    fuse_ma = lights.fuse_ma or max(_blown_by(rated_ma), default=FUSES_MA[0])
    budget_ma = int(fuse_ma * USED_SHARE) - dark_ma
    return LightSupply(rated_ma, fuse_ma, budget_ma, dark_ma + min(budget_ma, round(lit_ma * lights.brightness / 255)))


def check_supply(profile: Profile) -> None:
    """Raise BadProfile if the lights' supply is too weak or too strong, or if their fuse is unsuitable.

    The lights need at least the current of all lights at their faintest or of one light fully lit, whichever is higher.
    The smallest usable fuse is the smallest standard one whose permitted load (USED_SHARE of its rating) is at least
    this current. The supply must be able to blow that fuse, and may have at most MOST_MA. The fuse of the build must
    have a standard rating, must not be smaller than the smallest usable fuse, and must be one that the supply can blow.
    """
    if profile.lights is None:
        return
    given, fuse, *_ = light_supply(profile)
    kind = profile.lights.kind
    dark_ma, lit_ma = _drawn_ma(profile, profile.lights)
    # The faintest frame that must be possible: all lights at their faintest, or one of them fully lit.
    faintest_ma = dark_ma + max(lit_ma * kind.faintest_share, kind.light_ma)
    least = next(rating for rating in FUSES_MA if rating * USED_SHARE >= faintest_ma)
    if not least * OPENS_AT < given <= MOST_MA:
        raise BadProfile(
            f"lights.supply_ma = {given}: expected {int(least * OPENS_AT) + 1} to {MOST_MA} (milliamperes): it has to "
            f"blow its fuse, which takes {OPENS_AT} times the rating, and {least} is the smallest for these lights"
        )
    blown = [rating for rating in _blown_by(given) if rating >= least]
    if fuse not in blown:
        raise BadProfile(
            f"lights.fuse_ma = {fuse}: expected one of {', '.join(map(str, blown))} (milliamperes): a supply of "
            f"{given} mA cannot blow a larger one, which takes {OPENS_AT} times the rating, plugs of 3 A bear none "
            f"above {FUSES_MA[-1]}, and {least} is the smallest for these lights"
        )


def _blown_by(given_ma: int) -> list[int]:
    """Return the fuse ratings that a supply of this current blows within 10 s."""
    return [rating for rating in FUSES_MA if rating * OPENS_AT < given_ma]


def _drawn_ma(profile: Profile, lights: LightsBuild) -> tuple[int, float]:
    """Return the current of the lights while all are dark, and the additional current when all are fully lit."""
    kind, count = lights.kind, profile.light_count
    return count * kind.dark_ma, count * kind.side**2 * kind.light_ma
