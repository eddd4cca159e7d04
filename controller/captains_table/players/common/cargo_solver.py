"""Solves Legend's dice exactly: five cargo dice, each of them kept or thrown again, and the Legend die.

The policy for five dice maximises the cargo, the chance of a crew, or any other value of the final dice.

Source: docs/rules/legend.md L5 - L9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from captains_table.games.common.dice import cargo, has_crew
from captains_table.players.common.hold_solver import FACES, dice_multisets

CARGO_DICE = 5
THROWS = 3


@dataclass(frozen=True, slots=True)
class KeepChoice:
    """The faces to keep and the expected value of keeping them; keeping all five means stopping."""

    kept: tuple[int, ...]
    expected: Fraction


class KeepPolicy:
    """The optimal policy for five cargo dice, each kept or thrown again, for each number of throws left.

    Args:
        value: the final value of each multiset of five dice, in the order of `dice_multisets(5).full`; by default the
            multiset's cargo.
    """

    def __init__(self, value: Sequence[Fraction] | None = None) -> None:
        self._all = dice_multisets(CARGO_DICE)
        self._ends = [Fraction(cargo(multiset)) for multiset in self._all.full] if value is None else value
        self._kept = [self._all.when_kept(self._ends)]
        for _ in range(1, THROWS):
            self._kept.append(self._all.when_kept(self._all.best_kept(self._kept[-1])))

    def expected(self) -> Fraction:
        """Return the expected value before the first throw."""
        return self._kept[-1][0]

    def best(self, faces: Sequence[int], throws_left: int) -> KeepChoice:
        """Return the best faces to keep; among equally good choices, one that keeps the most dice.

        Args:
            faces: the five faces, in any order.
            throws_left: the number of throws left, 0 to 2.
        """
        full = self._all.index(faces)
        if not throws_left:
            return KeepChoice(self._all.all[full], self._ends[full - self._all.first_full])
        kept = self._kept[throws_left - 1]
        best = max(self._all.keeps(full), key=lambda index: (kept[index], len(self._all.all[index]), index))
        return KeepChoice(self._all.all[best], kept[best])

    def kept_value(self, kept: Sequence[int], throws_left: int) -> Fraction:
        """Return the expected value of keeping these faces and throwing the other dice, with 1 or 2 throws left."""
        return self._kept[throws_left - 1][self._all.index(kept)]


@cache
def cargo_policy() -> KeepPolicy:
    """Return the policy that maximises the expected cargo."""
    return KeepPolicy()


@cache
def crew_policy() -> KeepPolicy:
    """Return the policy that maximises the chance of a crew."""
    return KeepPolicy([Fraction(has_crew(multiset)) for multiset in dice_multisets(CARGO_DICE).full])


# --- the Legend die -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StopChoice:
    """The decision whether to stop or to throw the Legend die again, with the value of each choice.

    The value of throwing again is 0 if no throw is left.
    """

    stops: bool
    stopping: Fraction
    throwing: Fraction


def stop_or_throw(
    face: int, throws_left: int, scored: Mapping[int, Fraction], unscored: Mapping[int, Fraction]
) -> StopChoice:
    """Return whether to stop or to throw the Legend die again, and the value of either choice.

    Args:
        face: the face that the die shows.
        throws_left: how many of the die's three throws are left, 0 to 2.
        scored: for each face, the value of a turn that ends with it after one or two throws.
        unscored: for each face, the value of a turn that ends with it after three throws. The face itself then scores
            nothing (L9).
    """
    stopping = (scored if throws_left else unscored)[face]
    if not throws_left:
        return StopChoice(stops=True, stopping=stopping, throwing=Fraction())
    after = [stop_or_throw(again, throws_left - 1, scored, unscored) for again in FACES]
    throwing = sum((choice.stopping if choice.stops else choice.throwing for choice in after), Fraction()) / len(FACES)
    return StopChoice(stops=stopping >= throwing, stopping=stopping, throwing=throwing)


def before_first_throw(scored: Mapping[int, Fraction], unscored: Mapping[int, Fraction]) -> Fraction:
    """Return the expected value of a turn before the first throw of its Legend die.

    Args:
        scored: the value of the turn for each final face of the die after one or two throws.
        unscored: the value of the turn for each final face after three throws (L9).
    """
    choices = [stop_or_throw(face, THROWS - 1, scored, unscored) for face in FACES]
    return sum((max(choice.stopping, choice.throwing) for choice in choices), Fraction()) / len(FACES)


def chance_of_at_least(face: int, throws: int) -> Fraction:
    """Return the chance that a die shows at least this face at least once in a number of throws."""
    return 1 - Fraction(face - 1, len(FACES)) ** throws
