"""Luck and skill of a match: splits each seat's score into the mean, the dice's luck and the cost of decisions.

A `Measure` gives the points a seat may expect in a state under best play. The *luck* of a throw is the change it makes:
the value of the best play after it minus the value expected before it. The *skill* of a decision is the value of the
chosen answer minus the value of the best one, so at most 0 where the measure is exact. What other seats do to a seat
(raids, curses, payments) is counted apart. Every change of the expected points is one of these, so they add up.

Source: docs/operations.md, "Luck and skill".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Measure(Protocol):
    """The points that seats may expect under best play, in one game."""

    def expected(self, state: Any, seat: int) -> float:  # noqa: ANN401 - each game has its own state
        """Return a seat's score plus the points it may still expect from a turn that has begun."""

    def promised(self, state: Any, seat: int) -> float:  # noqa: ANN401 - as above
        """Return the expected value of the turn that begins with the next throw; 0 where none begins with it."""


class Transition(NamedTuple):
    """One action of a match, with the states before and after it.

    Attributes:
        seat: the seat that acted; `None` where no seat did.
        is_throw: whether dice were thrown.
    """

    seat: int | None
    is_throw: bool
    before: Any
    after: Any


class ActionLuck(NamedTuple):
    """The change of a seat's expected points by one of its actions: luck if it was a throw, otherwise skill."""

    luck: float | None = None
    skill: float | None = None


@dataclass(frozen=True, slots=True)
class PointsByOrigin:
    """A seat's points by origin: `mean + luck + skill + others` equals `score + to_come`.

    Attributes:
        mean: the points expected before any throw: of the whole match, or of the turns that have begun.
        luck: the sum of what throws changed.
        skill: the sum of what decisions lost against the best ones.
        others: the sum of what other seats' actions changed.
        to_come: the points still expected from a turn that has begun; 0 once a match is over.
    """

    score: int
    mean: float
    luck: float
    skill: float
    others: float
    to_come: float


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """The luck and skill of a match, by seat and for each action in order."""

    seats: tuple[PointsByOrigin, ...]
    deeds: tuple[ActionLuck, ...]


class _Sums:
    """The running sums of one seat."""

    def __init__(self, expected: float) -> None:
        self.mean = self.expected = expected
        self.luck = self.skill = self.others = 0.0


def match_luck(measure: Measure, first: object, deeds: Iterable[Transition], scores: Sequence[int]) -> MatchLuck:
    """Return how much of every seat's points comes from the mean, from luck, from skill and from others.

    Args:
        measure: the game's expected points.
        first: the state at the beginning of the match.
        deeds: the actions of the match, in order.
        scores: every seat's score after them.
    """
    sums = [_Sums(measure.expected(first, seat)) for seat in range(len(scores))]
    worths = [_add(measure, sums, deed) for deed in deeds]
    seats = tuple(
        PointsByOrigin(score, each.mean, each.luck, each.skill, each.others, each.expected - score)
        for score, each in zip(scores, sums, strict=True)
    )
    return MatchLuck(seats, tuple(worths))


def _add(measure: Measure, sums: Sequence[_Sums], deed: Transition) -> ActionLuck:
    worth = ActionLuck()
    for seat, each in enumerate(sums):
        expected = measure.expected(deed.after, seat)
        change, each.expected = expected - each.expected, expected
        if seat != deed.seat:
            each.others += change
        elif deed.is_throw:
            promised = measure.promised(deed.before, seat)
            worth = ActionLuck(luck=change - promised)
            each.mean += promised
            each.luck += change - promised
        else:
            worth = ActionLuck(skill=change)
            each.skill += change
    return worth
