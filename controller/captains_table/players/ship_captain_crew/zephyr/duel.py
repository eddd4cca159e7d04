"""Solves exactly a race of two players to the target, and play-offs of players tied for the highest cargo.

All chances assume that one player plays best against opponents who follow the adviser. A position of a race consists of
the points that both players still need, and of who throws first in a round. A round in which neither player finds a
crew leads back to the same position. No decision changes the probability of such a round; therefore the equation for
the position's value is solved by division. Single rounds and play-offs are solved for any number of players.

Source: docs/rules/ship-captain-crew.md S5.
"""

from collections.abc import Iterator, Sequence
from math import comb

from captains_table.players.ship_captain_crew.berths_solver import CARGOES, MOST_CARGO, TurnOdds

NEAR = 1e-13
_Grid = list[list[float]]


class PlayOffs:
    """One player's chances to win a single round or a play-off if the opponents follow the adviser.

    Args:
        odds: the odds of a turn.
    """

    def __init__(self, odds: TurnOdds) -> None:
        self._odds = odds
        self._solved: dict[tuple[int, int], float] = {(1, 0): 1.0}

    def chance(self, players: int, place: int) -> float:
        """Return the chance to win when a round is about to begin.

        Args:
            players: the number of players.
            place: the player's place in the order of the players, from 0.
        """
        if (players, place) not in self._solved:
            chance = 1 / players
            while True:  # fixed-point iteration: only a tie of all repeats the round, so it converges fast
                self._solved[players, place] = chance
                better = sum(
                    share * self._odds.worth(self._worths(players, place, best, ties))
                    for best, ties, share in self._before(place)
                )
                if abs(better - chance) < NEAR:
                    break
                chance = better
        return self._solved[players, place]

    def worths(self, players: int, place: int, fell: Sequence[int]) -> list[float]:
        """Return the chance to win for each cargo that the player on turn may score.

        Args:
            players: the number of players.
            place: the player's place in the order of the players, from 0.
            fell: the cargoes of the players who have thrown in this round.
        """
        best = max(fell, default=-1)
        return self._worths(players, place, best, sum(cargo == best for cargo in fell))

    def _worths(self, players: int, place: int, best: int, ties: int) -> list[float]:
        return [
            0.0 if cargo < best else self._against_later(players - 1 - place, cargo, ties if cargo == best else 0)
            for cargo in CARGOES
        ]

    def _against_later(self, later: int, cargo: int, ties: int) -> float:
        """Return the chance to win with a cargo that `later` players may still exceed.

        No earlier player has more than this cargo. `ties` is the number of earlier players with the same cargo.
        """
        level, below = self._odds.adviser[cargo], sum(self._odds.adviser[:cargo])
        return sum(
            comb(later, more) * level**more * below ** (later - more) * self.chance(1 + ties + more, ties)
            if level or not more
            else 0.0
            for more in range(later + 1)
        )

    def _before(self, others: int) -> Iterator[tuple[int, int, float]]:
        """Yield the possible results of the players who throw earlier in a round: (best cargo, players, probability).

        `players` is the number of players with the best cargo. If nobody throws earlier, the only result is (-1, 0, 1).

        Args:
            others: the number of players who throw earlier.
        """
        if not others:
            yield -1, 0, 1.0
            return
        for best in CARGOES:
            level, below = self._odds.adviser[best], sum(self._odds.adviser[:best])
            for ties in range(1, others + 1):
                if level:
                    yield best, ties, comb(others, ties) * level**ties * below ** (others - ties)


class Duel:
    """One player's chances to win a race of two players to the target.

    Args:
        odds: the odds of a turn.
        finish_round: whether both players get the same number of turns.
        is_first: whether this player throws first in each round.
    """

    def __init__(self, odds: TurnOdds, *, finish_round: bool, is_first: bool) -> None:
        self._odds, self._finish_round, self._is_first = odds, finish_round, is_first
        self._tied = PlayOffs(odds).chance(2, 0 if is_first else 1)
        self._own = self._other = 0
        self._round: _Grid = []
        self._later: dict[int, list[float]] = {}

    def worths(self, own: int, other: int) -> list[float]:
        """Return the chance to win after each possible cargo of the current turn.

        Args:
            own: the points that this player needs before the turn.
            other: the points that the opponent needs before the turn.
        """
        self._solve(own, other)
        return [self._after(own - cargo, other) for cargo in CARGOES]

    def _after(self, own: int, other: int) -> float:
        """Return the chance to win when this player's turn is over, given the points that both players still need."""
        if own <= 0 and not self._finish_round:
            return 1.0
        if not self._is_first:
            return self._at_end(own, other)
        return self._later[own][other]

    def _at_end(self, own: int, other: int) -> float:
        """Return the chance to win when a round is over, given the points that both players still need."""
        if own > 0 and other > 0:
            return self._round[own][other]
        return self._tied if own == other else float(own < other)

    def _solve(self, own: int, other: int) -> None:
        """Solve all positions in which the players need at most these numbers of points."""
        if own <= self._own and other <= self._other:
            return
        self._own, self._other = max(own, self._own), max(other, self._other)
        self._round = [[0.0] * (self._other + 1) for _ in range(self._own + 1)]
        self._later = {here: self._then_the_other(here) for here in range(1 - MOST_CARGO, 1)}
        for here in range(1, self._own + 1):
            if self._is_first:
                self._solve_first(here)
                self._later[here] = self._then_the_other(here)
            else:
                self._solve_second(here)

    def _then_the_other(self, own: int) -> list[float]:
        """Return the chances to win when the opponent is on turn, indexed by the points that the opponent needs."""
        chances = list(enumerate(self._odds.adviser))
        return [
            sum([share * self._at_end(own, other - cargo) for cargo, share in chances])
            for other in range(self._other + 1)
        ]

    def _solve_first(self, own: int) -> None:
        """Solve the positions in which this player throws first and needs this number of points."""
        chances, no_crew = self._odds.adviser, self._odds.no_crew
        for other in range(1, self._other + 1):
            without = sum([chances[cargo] * self._at_end(own, other - cargo) for cargo in CARGOES[1:]])
            best = self._best_after(own, other) + no_crew * without
            self._round[own][other] = best / (1 - no_crew * chances[0])

    def _solve_second(self, own: int) -> None:
        """Solve the positions in which this player throws second and needs this number of points."""
        chances, no_crew = self._odds.adviser, self._odds.no_crew
        turn = {reached: self._turn_after(own, reached) for reached in range(1 - MOST_CARGO, 1)}
        for other in range(1, self._other + 1):
            best = self._best_after(own, other)
            elsewhere = sum([chances[cargo] * turn[other - cargo] for cargo in CARGOES[1:]])
            self._round[own][other] = (elsewhere + chances[0] * best) / (1 - chances[0] * no_crew)
            turn[other] = best + no_crew * self._round[own][other]

    def _turn_after(self, own: int, other: int) -> float:
        """Return this player's chance to win on a turn after the opponent has reached the target number of points.

        The chance is 0 unless both players get the same number of turns.
        """
        if not self._finish_round:
            return 0.0
        return self._best_after(own, other) + self._odds.no_crew * self._after(own, other)

    def _best_after(self, own: int, other: int) -> float:
        return self._odds.worth_of_crew([self._after(own - cargo, other) if cargo else 0.0 for cargo in CARGOES])
