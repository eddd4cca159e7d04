"""Luck and skill: what the dice gave and what decisions cost, so that with the mean they add up to the score.

A `Measure` says what a seat may expect of a state under best play, in points of the score. A throw's *luck* is what it
changes about that: the value of the best play after it less the value expected before it. A decision's *skill* is the
value of what was chosen less the value of the best, so at most 0 where the measure is exact. What others do to a seat
(raids, curses, payments) is neither. Since every change of what is expected is one of these, they add up.

Source: docs/operations.md, "Luck and skill".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Measure(Protocol):
    """What seats may expect under best play."""

    def expected(self, state: Any, seat: int) -> float:  # noqa: ANN401 - each game has its own state
        """Return a seat's score, and what is still to be expected of what has begun."""

    def promised(self, state: Any, seat: int) -> float:  # noqa: ANN401 - as above
        """Return what the turn that begins with the throw now due is worth to a seat; 0 where none begins with it."""


class Deed(NamedTuple):
    """One action of a match, with the states around it.

    Attributes:
        seat: whose it was; `None`: nobody's.
        is_throw: whether dice fell.
    """

    seat: int | None
    is_throw: bool
    before: Any
    after: Any


class Worth(NamedTuple):
    """What an action changed about what its seat may expect: by luck where dice fell, else by skill."""

    luck: float | None = None
    skill: float | None = None


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A seat's points by where they come from: `mean + luck + skill + others` is `score + to_come`.

    Attributes:
        mean: what was to be expected before any die fell: of the match, or of the turns that were begun.
        luck: what throws changed about that.
        skill: what decisions lost against the best.
        others: what other players' doings changed.
        to_come: what is still expected of what has begun; 0 once a match is over.
    """

    score: int
    mean: float
    luck: float
    skill: float
    others: float
    to_come: float


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """The luck of a match: of each seat, and of each action in its order."""

    seats: tuple[Reckoning, ...]
    deeds: tuple[Worth, ...]


class _Sums:
    """What adds up for one seat."""

    def __init__(self, expected: float) -> None:
        self.mean = self.expected = expected
        self.luck = self.skill = self.others = 0.0


def reckon(measure: Measure, first: object, deeds: Iterable[Deed], scores: Sequence[int]) -> MatchLuck:
    """Return where each seat's points come from.

    Args:
        measure: what a state is worth to whom.
        first: the state the match began with.
        deeds: what was done from there.
        scores: every seat's score after it.
    """
    sums = [_Sums(measure.expected(first, seat)) for seat in range(len(scores))]
    worths = [_add(measure, sums, deed) for deed in deeds]
    seats = tuple(
        Reckoning(score, each.mean, each.luck, each.skill, each.others, each.expected - score)
        for score, each in zip(scores, sums, strict=True)
    )
    return MatchLuck(seats, tuple(worths))


def _add(measure: Measure, sums: Sequence[_Sums], deed: Deed) -> Worth:
    worth = Worth()
    for seat, each in enumerate(sums):
        expected = measure.expected(deed.after, seat)
        change, each.expected = expected - each.expected, expected
        if seat != deed.seat:
            each.others += change
        elif deed.is_throw:
            promised = measure.promised(deed.before, seat)
            worth = Worth(luck=change - promised)
            each.mean += promised
            each.luck += change - promised
        else:
            worth = Worth(skill=change)
            each.skill += change
    return worth
