"""Every attack there is, by name, in the order they are made; and how much of each is made."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from tests.siege import (
    disk_faults,
    forged_exports,
    guests,
    killed_copies,
    kills_below,
    kills_over_http,
    kills_while_thinking,
    late_mount,
    late_network,
    mutated_inputs,
    planted_links,
    request_fuzz,
    rotten_journals,
    serial_babble,
    strangers,
    wrong_plugins,
)
from tests.siege.attack import Attack, Made


class Size(NamedTuple):
    """How many are made in a full campaign, and in the small one that is part of the tests."""

    full: int
    small: int


SIZES: Final = {
    "kills": Size(10_000, 8),
    "requests": Size(100_000, 100),
    "inputs": Size(50_000, 20),
    "forgeries": Size(10_000, 6),
    "faults": Size(200, 1),
    "journals": Size(1_200, 2),
    "frames": Size(40_000, 0),
    "crowds": Size(4, 0),
    "networks": Size(20, 1),
    "mounts": Size(30, 1),
    "copies": Size(600, 6),
    "plants": Size(450, 8),
    "visits": Size(250, 2),
    "plug-ins": Size(500, 8),
    "stops": Size(20, 0),
}

WHAT: Final = {
    "kills-over-http": "the real daemon killed in play, restarted, compared action by action",
    "kills-below": "journal and session killed at a system call or a moment, compared entry by entry",
    "kills-while-thinking": (
        "the daemon, or its thinking process, killed while computers play, and compared action by action"
    ),
    "stops-while-thinking": "the thinking process stopped while computers play, which must go on",
    "disk-faults": "disks that are full, fail or lose the journal in play",
    "rotten-journals": "journals of which bytes, pages, entries or games are not what they were",
    "request-fuzz": "malformed requests to the real daemon",
    "guests": "1,000 streams and 320 half requests at 256 descriptors, in play",
    "strangers": "300 connections of one address, and 64 addresses at their full share, against phones",
    "serial-babble": "noise and near-valid frames on the daemon's serial line",
    "late-network": "a network that comes late, changes and goes",
    "late-mount": "the stick with the matches comes late, or goes, in play",
    "killed-copies": "backups and restores killed at a system call or a moment, and run again",
    "planted-links": "links, FIFOs and swapped names in a service's folder, where root works",
    "tapes": "`replay` of spoiled tapes of 20 lines and more",
    "exports": "`verify` of spoiled exports of 20 entries and more",
    "configurations": "`run --check` of spoiled configurations",
    "profiles": "`run --check` of spoiled hardware profiles",
    "forged-exports": "`verify` of honest matches that were forged and sealed",
    "wrong-plugins": "plug-ins with wrong fields next to the real table and its helps",
}

ATTACKS: Final[Mapping[str, Attack]] = {
    attack.name: replace(attack, what=WHAT[attack.name])
    for attack in (
        Attack("kills-over-http", Made("kills", 20, "kills", 0.11), kills_over_http.run),
        # a journal that cannot be read, or an action that does not replay
        Attack("kills-below", Made("kills", 100, "kills", 0.86), kills_below.run, lost=(OSError, ValueError)),
        Attack("kills-while-thinking", Made("kills", 5, "kills", 0.03), partial(kills_while_thinking.run, stops=False)),
        Attack("stops-while-thinking", Made("stops", 5, "stops"), partial(kills_while_thinking.run, stops=True)),
        Attack("disk-faults", Made("faults", 5, "faults"), disk_faults.run, by_unit=True),
        Attack("rotten-journals", Made("journals", 20, "journals"), rotten_journals.run),
        Attack("request-fuzz", Made("requests", 1000, "requests"), request_fuzz.run),
        Attack("guests", Made("crowds", 1, "crowds"), guests.run),
        # a crowd takes a core: three of them at once would measure this machine
        Attack("strangers", Made("visits", strangers.EACH, "visits"), strangers.run, alone=True),
        Attack("serial-babble", Made("frames", 2000, "frames"), serial_babble.run),
        Attack("late-network", Made("tables", 1, "networks"), late_network.run, by_unit=True, namespaced=True),
        Attack("late-mount", Made("mounts", 5, "mounts"), late_mount.run, by_unit=True, namespaced=True),
        # a journal that cannot be read, or a copy that fails by itself
        Attack("killed-copies", Made("kills", 50, "copies"), killed_copies.run, lost=(OSError, ValueError)),
        Attack("planted-links", Made("plants", 15, "plants"), planted_links.run, by_unit=True),
        Attack("tapes", Made("inputs", 50, "inputs", 0.35), partial(mutated_inputs.run, mutated_inputs.TAPES)),
        Attack("exports", Made("inputs", 100, "inputs", 0.35), partial(mutated_inputs.run, mutated_inputs.EXPORTS)),
        Attack(
            "configurations",
            Made("inputs", 100, "inputs", 0.15),
            partial(mutated_inputs.run, mutated_inputs.CONFIGURATIONS),
        ),
        Attack("profiles", Made("inputs", 100, "inputs", 0.15), partial(mutated_inputs.run, mutated_inputs.PROFILES)),
        Attack("forged-exports", Made("forgeries", 50, "forgeries"), forged_exports.run),
        Attack("wrong-plugins", Made("plug-ins", 25, "plug-ins"), wrong_plugins.run),
    )
}
