"""Decisions of a match as they were judged afterwards: what each cost against the best one."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct


class Decision(Struct, frozen=True):
    """A decision that was judged.

    Attributes:
        moment: which moment of the match it is; 0 where it is none.
        seat: whose it was.
        words: what was done.
        cost: by how much the best was better: in points, of moves of Captain's Chess in pawns.
        best: the best in words; empty where nobody says so.
    """

    moment: int
    seat: int
    words: str
    cost: float
    best: str = ""


@dataclass(frozen=True, slots=True)
class Total:
    """What a seat's decisions come to: how many were judged, what they cost together, and the dearest."""

    judged: int
    cost: float
    dearest: float


def total_of(decisions: Sequence[Decision], seat: int) -> Total:
    """Return what a seat's decisions come to."""
    own = [decision.cost for decision in decisions if decision.seat == seat]
    return Total(len(own), sum(own), max(own, default=0.0))


def dearest(decisions: Sequence[Decision], seat: int, count: int) -> list[Decision]:
    """Return those decisions of a seat that cost most, at most so many, in the order of the match."""
    own = sorted((each for each in decisions if each.seat == seat and each.cost), key=lambda each: -each.cost)[:count]
    return [each for each in decisions if any(each is one for one in own)]
