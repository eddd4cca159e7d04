"""Dynamic programming over multisets of up to five dice, for games in which dice are kept or thrown again.

A multiset is a sorted tuple of faces. The kept dice form a small multiset. After the other dice are thrown, all dice
together form a full multiset. Expected values and probabilities are summed one die at a time, so that a throw costs a
few hundred additions instead of millions.

`KeepPolicy` is the best play with five dice and three throws, for any value of the final dice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from operator import itemgetter
from typing import TypeVar

FACES = (1, 2, 3, 4, 5, 6)
POLICY_DICE = 5
THROWS = 3
Multiset = tuple[int, ...]
_Number = TypeVar("_Number", float, Fraction)


class DiceMultisets:
    """All multisets of up to `dice` dice, smaller ones first.

    Attributes:
        all: the multisets; their positions are the indices used below.
        first_full: the index from which all multisets have `dice` dice.
        one_more: for each smaller multiset, the indices of the six multisets with one more die, in the order of that
            die's face.
        one_less: for each multiset, the indices of the multisets that lack one of its dice.
        keeps: returns the indices of all subsets of a multiset, given the multiset's index; the multiset itself is one
            of them.
    """

    def __init__(self, dice: int) -> None:
        self.dice = dice
        self.all: list[Multiset] = [
            multiset for count in range(dice + 1) for multiset in combinations_with_replacement(FACES, count)
        ]
        self._index = {multiset: index for index, multiset in enumerate(self.all)}
        self.first_full = next(index for index, multiset in enumerate(self.all) if len(multiset) == dice)
        self.one_more = [
            tuple(self._index[tuple(sorted((*multiset, face)))] for face in FACES)
            for multiset in self.all[: self.first_full]
        ]
        self.one_less = [
            tuple(dict.fromkeys(self._index[multiset[:die] + multiset[die + 1 :]] for die in range(len(multiset))))
            for multiset in self.all
        ]
        self._with_less = [itemgetter(index, *less) for index, less in enumerate(self.one_less) if less]
        self.keeps = cache(self._keeps)

    @property
    def full(self) -> list[Multiset]:
        """Return the multisets of exactly `dice` dice."""
        return self.all[self.first_full :]

    def index(self, faces: Iterable[int]) -> int:
        """Return the index of the multiset with these faces, which may be in any order."""
        return self._index[tuple(sorted(faces))]

    def when_kept(self, full: Sequence[_Number]) -> list[_Number]:
        """Return, for each multiset, the expected value of keeping its dice and throwing the other dice once.

        Args:
            full: the value of each multiset of all dice.
        """
        value = [full[0]] * self.first_full + list(full)
        for index in range(self.first_full - 1, -1, -1):
            one, two, three, four, five, six = self.one_more[index]
            total = value[one] + value[two] + value[three] + value[four] + value[five] + value[six]
            value[index] = total / 6
        return value

    def best_kept(self, kept: Sequence[_Number]) -> list[_Number]:
        """Return, for each multiset of all the dice, the value of keeping the best subset of the multiset.

        Args:
            kept: the value of keeping each multiset, as returned by `when_kept`.
        """
        best = list(kept)
        for index, with_less in enumerate(self._with_less, start=1):  # all but the empty one
            best[index] = max(with_less(best))
        return best[self.first_full :]

    def thrown(self, kept: Mapping[int, float]) -> dict[int, float]:
        """Return the probability of each full multiset, keyed by index, after the dice that are not kept are thrown.

        Args:
            kept: the probability that each multiset is kept, keyed by index.
        """
        shares = [kept.get(index, 0.0) for index in range(len(self.all))]
        for index, more in enumerate(self.one_more):
            if shares[index]:
                for after in more:
                    shares[after] += shares[index] / len(more)
        return {index: share for index, share in enumerate(shares) if share and index >= self.first_full}

    def _keeps(self, full: int) -> frozenset[int]:
        found = {full}
        for less in self.one_less[full]:
            if less not in found:
                found |= self.keeps(less)
        return frozenset(found)


@cache
def dice_multisets(dice: int) -> DiceMultisets:
    """Return all multisets of up to this number of dice; the result is cached."""
    return DiceMultisets(dice)


def chance(multiset: Multiset) -> Fraction:
    """Return the probability that a throw of `len(multiset)` dice shows this multiset."""
    ways = factorial(len(multiset))
    for face in FACES:
        ways //= factorial(multiset.count(face))
    return Fraction(ways, 6 ** len(multiset))


@dataclass(frozen=True, slots=True)
class KeepChoice:
    """The faces to keep and the expected value of keeping them; keeping all five means stopping."""

    kept: tuple[int, ...]
    expected: Fraction


class KeepPolicy:
    """The optimal policy for five dice, each kept or thrown again, for each number of throws left.

    Args:
        value: returns the value of five final dice.
    """

    def __init__(self, value: Callable[[Multiset], int]) -> None:
        self._all = dice_multisets(POLICY_DICE)
        self._ends = [Fraction(value(multiset)) for multiset in self._all.full]
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
