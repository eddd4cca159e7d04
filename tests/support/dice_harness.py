"""Drive a dice game by words, through the contract alone.

A word is faces that fall (`66541`), dice that stay (`keep 1 2`, or `keep` for none), or an option's id.
"""

from captains_table.games.contract import Keep, Pick, Rolled
from tests.support.by_words import Reader, S


class DiceGame(Reader[S]):
    """A dice game, driven by words."""

    def said(self, state: S, *words: str) -> S:
        """Return the state after these words."""
        for word in words:
            head, *dice = word.split()
            if head == "keep":
                state = self._game.apply(state, Keep(tuple(map(int, dice))))
            else:
                state = self._game.apply(state, Rolled(tuple(map(int, head))) if head.isdecimal() else Pick(head))
        return state

    def totals(self, state: S) -> list[int]:
        return [tally["total"] for tally in self._game.tallies(state)]
