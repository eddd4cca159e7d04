"""The verdict on a finished match: the headline, the score in one line, the reasons, and the order of the players."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from captains_table.games.contract import EventKind, GameEvent, Result, is_nobodys
from captains_table.phrases import say

_PAIR: Final = 2
_MOST_LISTED: Final = 2  # scores in one line


class Place(NamedTuple):
    """A player's place in a result: the place from 1, the seat, the score, and the score as displays show it."""

    place: int
    seat: int
    score: int
    shown: str


def headline(result: Result, names: Sequence[str]) -> str:
    """Return the outcome of a match in a few words, such as "Anne wins"; for a single player, the score."""
    if len(result.scores) == 1:
        return say("{name} ends with {score}", names[0], result.scores[0])
    if is_nobodys(result.winner, result.scores):
        return say("Nobody wins")
    if result.winner is None:
        return say("A draw") if len(result.scores) == _PAIR else say("The match is shared")
    return say("{name} wins", names[result.winner])


def ranking(result: Result) -> list[Place]:
    """Return all players, the winner first and the others by score.

    Players with equal scores share a place, but nobody shares the winner's place. If the scores are not points, those
    of a shared match are shown as "½".
    """
    is_half = result.winner is None and not counts_points(result)
    worth = [(seat == result.winner, score) for seat, score in enumerate(result.scores)]
    order = sorted(range(len(worth)), key=worth.__getitem__, reverse=True)  # equal players keep the order of the seats
    return [
        Place(
            1 + sum(other > worth[seat] for other in worth),
            seat,
            worth[seat][1],
            "½" if is_half else str(worth[seat][1]),
        )
        for seat in order
    ]


def counts_points(result: Result) -> bool:
    """Return whether the scores are points, and not only 1 for a won match and 0 for a lost one."""
    return max(result.scores) > 1 or min(result.scores) < 0


def score_line(result: Result) -> str:
    """Return the best scores in one line, such as "80 : 33".

    The line is empty for a single player, whose headline has the score, and if the winner has not the highest score,
    because then something else decided the match.

    If the scores are not points, the line is "1 : 0" or "½ : ½".
    """
    if len(result.scores) == 1 or (result.winner is not None and result.scores[result.winner] < max(result.scores)):
        return ""
    scores = [place.shown for place in ranking(result)]
    return " : ".join(scores) if len(scores) <= _MOST_LISTED else f"{' : '.join(scores[:_MOST_LISTED])} …"


def reasons(result: Result, latest_events: Sequence[GameEvent]) -> list[str]:
    """Return in words why a match ended so.

    Args:
        result: the match's result.
        latest_events: the events of the match's last action.
    """

    def words(*kinds: EventKind) -> list[str]:
        return [event.words for event in latest_events if event.kind in kinds]

    ranks = [event.words for event in latest_events if event.kind is EventKind.RANK and event.seat == result.winner]
    found = [result.why, *words(EventKind.SETTLEMENT, EventKind.POT), *ranks]
    return [*filter(None, found)] or words(EventKind.MATCH)
