"""Judging decisions afterwards: what one cost against the best there was, by whoever thinks further than the dice."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Action
from captains_table.players.common.opponents import Means


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a decision cost.

    Attributes:
        cost: by how much the best was better, in points, or pawns where moves are worth those; 0 for the best itself.
        best: the best, in words.
    """

    cost: float
    best: str


Judge = Callable[[Any, Action, Means], Judgement | None]
"""Judges what was decided in a state; `None` where that is none of its business."""
