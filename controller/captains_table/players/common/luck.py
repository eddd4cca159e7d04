"""Luck and skill of a match: splits each seat's score into a mean, luck, skill, and changes by others.

A `Measure` gives the points that a seat may expect in a state under best play. The *luck* of a throw is the change that
it makes: the value of the best play after the throw minus the value expected before it. The *skill* of a decision is
the value of the chosen answer minus the value of the best answer; if the measure is exact, it is at most 0. Changes of
a seat's points by other seats (raids, curses, payments) are counted separately. Every change of the expected points is
one of these, so that the mean (`PointsByOrigin.mean`) and all changes together give the score.

Source: docs/operations.md, "Luck and skill".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class Measure(Protocol):
    """Computes the points that the seats of one game may expect under best play."""

    def expected(self, state: Any, seat: int) -> float:  # noqa: ANN401 - each game has its own state
        """Return a seat's score plus the points that the seat may still expect.

        Some games expect only the points of a turn that has begun, others the points of the whole rest of the match.
        """

    def promised(self, state: Any, seat: int) -> float:  # noqa: ANN401 - as above
        """Return the expected points of the turn that the seat begins with the next throw.

        The result is 0 if the next throw begins no turn of the seat, or if `expected` includes these points already.
        """


class Transition(NamedTuple):
    """One action of a match, with the states before and after it.

    Attributes:
        seat: the seat whose luck or skill the action shows; `None` for an action of no seat, and for an action that
            other players imposed.
        is_throw: whether dice were thrown.
    """

    seat: int | None
    is_throw: bool
    before: Any
    after: Any


class ActionLuck(NamedTuple):
    """The luck or the skill that an action shows, in expected points.

    A throw has only `luck`, and a decision only `skill`; the other value is `None`. Both are `None` for an action that
    shows neither.
    """

    luck: float | None = None
    skill: float | None = None


@dataclass(frozen=True, slots=True)
class PointsByOrigin:
    """The origins of a seat's points: `mean + luck + skill + others` equals `score + to_come`.

    Attributes:
        score: the seat's score.
        mean: the points expected before any throw, either of the whole match or of the turns that have begun.
        luck: the sum of all changes by the seat's throws.
        skill: the sum of all changes by the seat's decisions; at most 0 if the measure is exact.
        others: the sum of all changes by actions that do not show this seat's luck or skill.
        to_come: the points that are expected in addition to the score; 0 after the end of the match.
    """

    score: int
    mean: float
    luck: float
    skill: float
    others: float
    to_come: float


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """The luck and skill of a match: the origins of each seat's points, and the luck or skill of each action.

    The actions are in the order of the match.

    Attributes:
        judges_choices: whether `skill` says how good a choice was. If false, the measure expects too little of some
            choices, such as moves that gain only later.
    """

    seats: tuple[PointsByOrigin, ...]
    deeds: tuple[ActionLuck, ...]
    judges_choices: bool = True


class _Sums:
    """The running sums for one seat."""

    def __init__(self, expected: float) -> None:
        self.mean = self.expected = expected
        self.luck = self.skill = self.others = 0.0


def match_luck(measure: Measure, first: object, deeds: Iterable[Transition], scores: Sequence[int]) -> MatchLuck:
    """Return how each seat's points arose from luck, skill and other origins, and the luck or skill of each action.

    Args:
        measure: the game's expected points.
        first: the state at the beginning of the match.
        deeds: the actions of the match, in order.
        scores: the score of each seat after these actions.
    """
    sums = [_Sums(measure.expected(first, seat)) for seat in range(len(scores))]
    worths = [_add(measure, sums, deed) for deed in deeds]
    seats = tuple(
        PointsByOrigin(score, each.mean, each.luck, each.skill, each.others, each.expected - score)
        for score, each in zip(scores, sums, strict=True)
    )
    return MatchLuck(seats, tuple(worths), getattr(measure, "judges_choices", True))


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
