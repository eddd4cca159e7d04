"""Which table is shown large: the arbiter's choice, or the one where most is at stake by the measure below.

The measure is a sum of points, each for something that everybody in the room can see:

| Points | For |
|---|---|
| up to 30 | a close score: 30 when the two best are level, none when the second has nothing |
| up to 30 | the last turns: the share of the match that is played, by its heading ("Turn 12 of 16") |
| 40 | a king, a crown or everything was just taken |
| 15, and 3 a bidder | an auction is held |
| 20 | whoever must act has less than half a minute left |
| 5 | dice tumble |
| 10 | a match that just ended; its closeness counts, the rest does not |

A table where nobody plays, and one that went away, has none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from captains_table.club.intake.table_state import Glance
from captains_table.games.contract import EventKind
from captains_table.table.model.view import Phase
from captains_table.web.cards import main_tally

CLOSE, LATE, TAKEN, AUCTION, BIDDER, HURRY, TUMBLING, ENDED = 30, 30, 40, 15, 3, 20, 5, 10
HURRY_S: Final = 30
TAKINGS: Final = frozenset({EventKind.KING, EventKind.CROWN, EventKind.DAVY_JONES})
STAYS_S: Final = 20.0
"""So long a table is shown large at least, unless something that counts for `TAKEN` happens elsewhere."""
LEAVES_S: Final = 90.0
"""After so long another is shown, however exciting this one still is."""
MARGIN: Final = 8
"""So much more exciting another must be."""
_OF: Final = re.compile(r"(\d{1,4}) of (\d{1,4})")


@dataclass(frozen=True, slots=True)
class Featured:
    """The table that is shown large, and since when (s)."""

    user: str
    since_s: float


def excitement(glance: Glance) -> int:
    """Return how exciting a table is, from 0; the sum of the points above."""
    if glance.phase is Phase.IDLE:
        return 0
    if glance.phase is Phase.OVER:
        return ENDED + _closeness(glance)
    return (
        _closeness(glance)
        + round(LATE * _share_played(glance))
        + TAKEN * any(event.kind in TAKINGS for event in glance.latest_events)
        + _auction(glance)
        + HURRY * any(seat.on_turn and _is_hurried(seat.seconds_left) for seat in glance.seats)
        + TUMBLING * glance.is_throwing
    )


def featured(current: Featured | None, points: Mapping[str, int], now_s: float, chosen: str = "") -> Featured | None:
    """Return the table that is shown large now.

    Args:
        current: the one that was.
        points: how exciting each table is that is there, by its user.
        now_s: monotonic seconds.
        chosen: the arbiter's choice, empty where he leaves it to the measure.
    """
    if chosen in points:
        return current if current is not None and current.user == chosen else Featured(chosen, now_s)
    best = max(points, key=points.__getitem__, default=None)
    if best is None:
        return None
    if current is None or current.user not in points or not points[current.user]:
        return Featured(best, now_s)
    others = {user: worth for user, worth in points.items() if user != current.user}
    other = max(others, key=others.__getitem__, default=None)
    if other is None or not others[other]:
        return current
    shown_s, more = now_s - current.since_s, others[other] - points[current.user]
    is_time = more >= TAKEN or (shown_s >= STAYS_S and more >= MARGIN) or shown_s >= LEAVES_S
    return Featured(other, now_s) if is_time else current


def score_of(tallies: Mapping[str, int]) -> int | None:
    """Return the tally that ranks; `None` where there is none."""
    return tallies.get(main_tally(list(tallies)))


def _closeness(glance: Glance) -> int:
    scores = [score for seat in glance.seats if (score := score_of(seat.tallies)) is not None]
    if len(scores) < 2:  # noqa: PLR2004 - nobody is close to himself
        return 0
    best, second = sorted(scores, reverse=True)[:2]
    return 0 if best <= 0 else round(CLOSE * max(0.0, second / best))


def _share_played(glance: Glance) -> float:
    """Return how much of the match is played, 0 to 1; of one that says nothing of it, 0."""
    said = _OF.search(glance.heading)
    if said is not None and int(said[2]):
        return min(1.0, int(said[1]) / int(said[2]))
    return 0.0


def _auction(glance: Glance) -> int:
    bidders = sum(bool(seat.bid) for seat in glance.seats)
    return AUCTION + BIDDER * bidders if bidders else 0


def _is_hurried(seconds_left: int | None) -> bool:
    return seconds_left is not None and seconds_left < HURRY_S
