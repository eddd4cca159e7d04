"""How many files and connections this process may have open."""

import resource
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from captains_table.web.serving.guests import NEWCOMERS, RESERVE
from captains_table.web.serving.limits import Limits

OWN: Final = 40  # the journal, the listener, the board's device and the like are some 20; the rest is for the moment


def descriptors_for(connections: int) -> int:
    """Return how many files a process must be able to open that serves so many connections.

    There is room too for newcomers, the reserve of the table's own machine, and the table's own files.
    """
    return connections + NEWCOMERS + RESERVE + OWN


def connections_within_reach(wanted: int) -> int:
    """Return how many connections can be served, as many as wanted if possible; raises the soft limit if need be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if _is_short(soft, wanted):
        soft = min(hard, descriptors_for(wanted)) if hard != resource.RLIM_INFINITY else descriptors_for(wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, soft - descriptors_for(0)) if _is_short(soft, wanted) else wanted


def limits_within_reach(wanted: Limits, complain: Callable[[str], None]) -> Limits:
    """Return what guests may take, as much of it as this process may have open; complains where that is less."""
    connections = connections_within_reach(wanted.connections)
    if connections < wanted.connections:
        complain(
            f"this process may not open enough files for [web] connections = {wanted.connections}: "
            f"{connections} are served at once. Expected a limit (ulimit -n) of {descriptors_for(wanted.connections)}."
        )
    return replace(wanted, connections=connections)


def _is_short(soft: int, connections: int) -> bool:
    return soft != resource.RLIM_INFINITY and soft < descriptors_for(connections)
