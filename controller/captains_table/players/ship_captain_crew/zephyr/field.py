"""Chances to win a race to the target against several opponents, if all players follow the adviser from now on.

The chances are exact. Choosing the answer with the best chance is one step of policy improvement over the adviser:
the chosen answer is never worse than the adviser's.

Source: docs/rules/ship-captain-crew.md S5.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from math import prod
from typing import Final, NamedTuple

from captains_table.players.ship_captain_crew.berths_solver import CARGOES, MOST_CARGO, turn_odds

SURPLUSES = range(MOST_CARGO)  # points above the target
UNLIKELY = 1e-12
WALKS_REMEMBERED: Final = 128
REMEMBERED: Final = 32


class TargetProgress(NamedTuple):
    """The distribution of a player's progress to the target for each number of further turns.

    Attributes:
        short: for each number of turns, the chance that the target is not reached yet.
        arrives: for each number of turns, the chances to reach the target with the last of these turns, indexed by the
            number of points above the target.
    """

    short: list[float]
    arrives: list[list[float]]

    def short_after(self, turns: int) -> float:
        """Return the chance that the target is not reached after a number of turns."""
        return self.short[turns] if turns < len(self.short) else 0.0

    def arrival(self, turns: int) -> list[float]:
        """Return the chances to reach the target in exactly this number of turns.

        The chances are indexed by the number of points above the target.
        """
        return self.arrives[turns] if turns < len(self.arrives) else [0.0] * len(SURPLUSES)


@lru_cache(maxsize=WALKS_REMEMBERED)
def target_progress(cargo_dice: str, to_go: int) -> TargetProgress:
    """Return the progress of a player who needs a number of points.

    The result covers the turns until the target is reached almost certainly. If the target is reached already, the
    result has only the entry for 0 turns.

    Args:
        cargo_dice: the value of the option `cargo_dice` (S3).
        to_go: the points that the player needs; negative if the player is above the target.
    """
    if to_go <= 0:
        return TargetProgress([0.0], [[float(surplus == -to_go) for surplus in SURPLUSES]])
    chances = turn_odds(cargo_dice).adviser
    lying = [1.0] + [0.0] * (to_go - 1)  # by points gained: the chance, while the target is not reached
    short, arrives = [1.0], [[0.0] * len(SURPLUSES)]
    for _ in count():
        after = [0.0] * (to_go + MOST_CARGO)
        for cargo in CARGOES:
            if chances[cargo]:
                for gained, share in enumerate(lying):
                    after[gained + cargo] += chances[cargo] * share
        lying = after[:to_go]
        short.append(sum(lying))
        arrives.append(after[to_go:])
        if short[-1] < UNLIKELY:
            return TargetProgress(short, arrives)
    raise AssertionError  # unreachable: every turn may score


class RacingOpponent(NamedTuple):
    """An opponent: the points that the opponent still needs, and whether the opponent has thrown in this round."""

    to_go: int
    has_thrown: bool


@lru_cache(maxsize=REMEMBERED)
def worths(cargo_dice: str, own: int, rivals: tuple[RacingOpponent, ...], *, finish_round: bool) -> tuple[float, ...]:
    """Return the chance to win for each cargo that the current turn may score.

    Args:
        cargo_dice: the value of the option `cargo_dice` (S3).
        own: the points that the player needs before this turn.
        rivals: all opponents.
        finish_round: whether all players get the same number of turns.
    """
    others = [(target_progress(cargo_dice, rival.to_go), rival) for rival in rivals]
    own_walks = [target_progress(cargo_dice, own - cargo) for cargo in CARGOES]
    if finish_round:
        return tuple(_in_finished_rounds(own_walks, others))
    longest = max(len(own.short) for own in own_walks)
    shorts = [prod(other.short_after(turns) for other, _ in others) for turns in range(longest)]
    return tuple(_first_there(each, shorts) for each in own_walks)


def _first_there(own: TargetProgress, shorts: Sequence[float]) -> float:
    """Return the chance to reach the target before all opponents, in a match that ends when a player reaches it.

    Args:
        own: the player's progress.
        shorts: for each number of turns, the chance that no opponent has reached the target.
    """
    return sum(sum(arrives) * short for arrives, short in zip(own.arrives, shorts, strict=False))


def _in_finished_rounds(
    own_walks: Sequence[TargetProgress], others: Sequence[tuple[TargetProgress, RacingOpponent]]
) -> list[float]:
    chances, longest = [0.0] * len(own_walks), max(len(own.short) for own in own_walks)
    for turns in count():
        shares = [_share(others, turns, surplus) for surplus in SURPLUSES]
        for cargo, own in enumerate(own_walks):
            arrives = own.arrival(turns)
            chances[cargo] += sum([chance * share for chance, share in zip(arrives, shares, strict=True)])
        if min(other.short_after(turns) for other, _ in others) < UNLIKELY or turns > longest:
            return chances
    raise AssertionError  # unreachable: a player reaches the target in the end


def _share(others: Sequence[tuple[TargetProgress, RacingOpponent]], turns: int, surplus: int) -> float:
    """Return the chance to win for a player who reaches the target after some turns; tied players share the win.

    Args:
        others: the progress of each opponent.
        turns: the number of further turns.
        surplus: the points above the target.
    """
    ties = [1.0]  # by number of opponents: the chance that so many tie and the rest have less
    for other, rival in others:
        made = turns if rival.has_thrown else turns + 1
        arrives = other.arrival(made)
        less, level = other.short_after(made) + sum(arrives[:surplus]), arrives[surplus]
        ties = [
            less * (ties[tied] if tied < len(ties) else 0.0) + level * (ties[tied - 1] if tied else 0.0)
            for tied in range(len(ties) + 1)
        ]
    return sum(chance / (tied + 1) for tied, chance in enumerate(ties))
