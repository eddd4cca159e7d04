"""What a serial link does to switch changes: frames lost and sent again, doubled, late in bursts; never out of order.

The board sends what has settled, and keeps it until it is acknowledged: so a lost frame comes later and nothing is
missing. A burst arrives at one instant; the pace of what happened is gone, its order is not.
"""

import random
from collections.abc import Sequence

from captains_table.simulation.mix import NoiseMix
from captains_table.simulation.reeds import Change

FRAME_MS = 10
RESENT_MS = 50
STALL_MS = (50, 800)


def transmit(changes: Sequence[Change], mix: NoiseMix, rng: random.Random) -> list[Change]:
    """Return settled changes as they arrive."""
    if not (mix.frame_lost or mix.frame_doubled or mix.frame_late):
        return list(changes)
    arrived: list[Change] = []
    open_ms = frame_ms = -1  # until when the link stalls, and until when a frame takes in what happens
    for change in changes:
        if change.at_ms >= frame_ms:
            frame_ms = change.at_ms + FRAME_MS
            open_ms = max(open_ms, change.at_ms + _stall_ms(mix, rng))
        late = change._replace(at_ms=max(change.at_ms, open_ms))
        arrived += [late, late] if rng.random() < mix.frame_doubled else [late]
    return arrived


def _stall_ms(mix: NoiseMix, rng: random.Random) -> int:
    luck = rng.random()
    if luck < mix.frame_lost:
        return RESENT_MS
    return rng.randint(*STALL_MS) if luck < mix.frame_lost + mix.frame_late else 0
