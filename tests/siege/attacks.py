"""Every attack there is, by name, in the order they are made."""

from collections.abc import Mapping
from typing import Final

from tests.siege.attack import Attack
from tests.siege.disk_faults import DISK_FAULTS
from tests.siege.forged_exports import FORGED_EXPORTS
from tests.siege.guests import GUESTS
from tests.siege.killed_copies import KILLED_COPIES
from tests.siege.kills_below import KILLS_BELOW
from tests.siege.kills_over_http import KILLS_OVER_HTTP
from tests.siege.kills_while_thinking import KILLS_WHILE_THINKING, STOPS_WHILE_THINKING
from tests.siege.late_mount import LATE_MOUNT
from tests.siege.late_network import LATE_NETWORK
from tests.siege.mutated_inputs import CONFIGURATIONS, EXPORTS, PROFILES, TAPES
from tests.siege.planted_links import PLANTED_LINKS
from tests.siege.request_fuzz import REQUEST_FUZZ
from tests.siege.rotten_journals import ROTTEN_JOURNALS
from tests.siege.serial_babble import SERIAL_BABBLE
from tests.siege.strangers import STRANGERS
from tests.siege.wrong_plugins import WRONG_PLUGINS

ATTACKS: Final[Mapping[str, Attack]] = {
    attack.name: attack
    for attack in (
        *(
            KILLS_OVER_HTTP,
            KILLS_BELOW,
            KILLS_WHILE_THINKING,
            STOPS_WHILE_THINKING,
            DISK_FAULTS,
            ROTTEN_JOURNALS,
            REQUEST_FUZZ,
            GUESTS,
            STRANGERS,
            SERIAL_BABBLE,
            LATE_NETWORK,
            LATE_MOUNT,
            KILLED_COPIES,
            PLANTED_LINKS,
        ),
        *(TAPES, EXPORTS, CONFIGURATIONS, PROFILES, FORGED_EXPORTS, WRONG_PLUGINS),
    )
}
