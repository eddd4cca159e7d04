"""What a serial link does to switch changes: frames lost and sent again, doubled, late in bursts; never out of order.

The board keeps its changes until they are acknowledged, so a lost frame comes later and nothing is missing; but a burst
tells little of the pace. The receiving end lets the changes of a burst pass `PACE_MS` apart: the board has debounced
them, and a lift and a place at one instant would look like a flicker.
"""

import random
from collections.abc import Sequence

from captains_table.simulation.mix import NoiseMix
from captains_table.simulation.reeds import Change

FRAME_MS = 10
RESENT_MS = 50
STALL_MS = (50, 800)
PACE_MS = 10
BOARD_DEBOUNCE_MS = 5


def transmit(changes: Sequence[Change], mix: NoiseMix, rng: random.Random) -> list[Change]:
    """Return the changes as they arrive; those of a burst as the board's firmware debounced them."""
    if not (mix.frame_lost or mix.frame_doubled or mix.frame_late):
        return list(changes)
    arrived: list[Change] = []
    waiting: list[Change] = []
    open_ms = frame_ms = -1
    for change in changes:
        if change.at_ms >= open_ms and waiting:
            arrived += _burst(waiting, open_ms)
            waiting = []
            open_ms = arrived[-1].at_ms + PACE_MS if arrived else open_ms  # until the burst has passed
        if change.at_ms >= frame_ms:
            frame_ms = change.at_ms + FRAME_MS
            open_ms = max(open_ms, change.at_ms + _stall_ms(mix, rng))
        if change.at_ms < open_ms:
            waiting.append(change)
            continue
        arrived.append(change)
        if rng.random() < mix.frame_doubled:
            arrived.append(change)
    return in_order(arrived + _burst(waiting, open_ms))


def _stall_ms(mix: NoiseMix, rng: random.Random) -> int:
    luck = rng.random()
    if luck < mix.frame_lost:
        return RESENT_MS
    return rng.randint(*STALL_MS) if luck < mix.frame_lost + mix.frame_late else 0


def _burst(waiting: Sequence[Change], at_ms: int) -> list[Change]:
    steady = _debounced(waiting)
    return [change._replace(at_ms=at_ms + i * PACE_MS) for i, change in enumerate(steady)]


def _debounced(changes: Sequence[Change]) -> list[Change]:
    """Leave out what a switch said for less than the firmware's debounce, and what repeats."""
    steady: list[Change] = []
    for i, change in enumerate(changes):
        following = next((later for later in changes[i + 1 :] if later.square == change.square), None)
        if following is None or following.at_ms - change.at_ms >= BOARD_DEBOUNCE_MS:
            steady.append(change)
    return steady


def in_order(changes: Sequence[Change]) -> list[Change]:
    """Return changes so that none arrives before the one sent before it."""
    ordered: list[Change] = []
    latest_ms = 0
    for change in changes:
        latest_ms = max(latest_ms, change.at_ms)
        ordered.append(change._replace(at_ms=latest_ms))
    return ordered
