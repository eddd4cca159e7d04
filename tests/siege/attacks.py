"""Every attack there is, by name, in the order they are made."""

from collections.abc import Mapping
from typing import Final

from tests.siege.attack import Attack
from tests.siege.kills_below import KILLS_BELOW
from tests.siege.kills_over_http import KILLS_OVER_HTTP
from tests.siege.mutated_inputs import CONFIGURATIONS, EXPORTS, PROFILES, TAPES
from tests.siege.request_fuzz import REQUEST_FUZZ

ATTACKS: Final[Mapping[str, Attack]] = {
    attack.name: attack
    for attack in (KILLS_OVER_HTTP, KILLS_BELOW, REQUEST_FUZZ, TAPES, EXPORTS, CONFIGURATIONS, PROFILES)
}
