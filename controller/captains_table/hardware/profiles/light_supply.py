"""What the lights of a build draw, and what their supply gives: no picture draws more, whichever driver shows it."""

import math
from typing import Final

from captains_table.hardware.profiles.profile import Profile
from captains_table.hardware.profiles.table_reader import BadProfile

# WS2812B and APA102 data sheets: each of three colours up to 20 mA fully lit, and about 1 mA a chip that is dark.
COLOUR_MA: Final = 20
LIGHT_MA: Final = 3 * COLOUR_MA
DARK_MA: Final = 1
# MAX7219 data sheet: segments of 40 mA, eight digits that take turns, 8 mA for the chip, intensity in 32nds.
DOT_MA: Final = 40 / 8
DARK_MODULE_MA: Final = 8
FAINTEST_SHARE: Final = 1 / 32
MODULE_SIDE: Final = 8
# A supply is run at no more than four fifths.
USED_SHARE: Final = 0.8
MOST_MA: Final = 60_000


def supply_ma(profile: Profile) -> int:
    """Return what the supply of the lights gives: what the profile says, or enough to light all of them fully."""
    if profile.lights is None:
        return 0
    if profile.lights.supply_ma is not None:
        return profile.lights.supply_ma
    return 1000 * math.ceil((_dark_ma(profile) + _lit_ma(profile)) / USED_SHARE / 1000)


def budget_ma(profile: Profile) -> int:
    """Return what all that is lit may draw together: what the supply may be run at, less what dark chips draw."""
    return int(supply_ma(profile) * USED_SHARE) - _dark_ma(profile)


def played_ma(profile: Profile) -> int:
    """Return what the lights draw at most at the brightness the profile sets."""
    if profile.lights is None:
        return 0
    return _dark_ma(profile) + min(budget_ma(profile), round(_lit_ma(profile) * profile.lights.brightness / 255))


def check_supply(profile: Profile) -> None:
    """Refuse a supply with which not even the faintest picture could be shown; raises BadProfile."""
    given = profile.lights.supply_ma if profile.lights is not None else None
    if given is not None and not _least_ma(profile) <= given <= MOST_MA:
        raise BadProfile(
            f"lights.supply_ma = {given}: expected {_least_ma(profile)} to {MOST_MA} (milliamperes): "
            f"{_dark_ma(profile)} mA go into the dark chips, and a supply is run at four fifths"
        )


def module_count(profile: Profile) -> int:
    """Return how many 8 x 8 modules cover the board."""
    return math.ceil(profile.shape.files / MODULE_SIDE) * math.ceil(profile.shape.ranks / MODULE_SIDE)


def _has_modules(profile: Profile) -> bool:
    return profile.lights is not None and profile.lights.kind == "max7219"


def _dark_ma(profile: Profile) -> int:
    return module_count(profile) * DARK_MODULE_MA if _has_modules(profile) else profile.light_count * DARK_MA


def _lit_ma(profile: Profile) -> float:
    """Return what all lights draw fully lit, over what the dark chips draw."""
    if _has_modules(profile):
        return module_count(profile) * MODULE_SIDE * MODULE_SIDE * DOT_MA
    return profile.light_count * LIGHT_MA


def _least_ma(profile: Profile) -> int:
    """Return the smallest supply: all dots of modules at their faintest, or one light of a chain fully lit."""
    lit = _lit_ma(profile) * FAINTEST_SHARE if _has_modules(profile) else LIGHT_MA
    return math.ceil((_dark_ma(profile) + lit) / USED_SHARE)
