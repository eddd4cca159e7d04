"""Exact winning chances in Ship, Captain and Crew for two, from the rules alone: every turn written out.

A player is asked for answers in real states of the game; how likely each cargo then is follows from all throws. The
best there is against somebody is found by value iteration, without any of what the players know.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product

from captains_table.games.contract import STAND, Decide, Pick
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.ship_captain_crew.state import Berths, CargoChoiceStep, CrewTurn, State
from captains_table.players.common.strategies import Strategy

GAME = ShipCaptainCrew()
CARGOES = range(13)
CREW = (6, 5, 4)
NEAR = 1e-13
TWO_DICE = {total: sum(one + two == total for one, two in product(range(1, 7), repeat=2)) / 36 for total in CARGOES}
Worths = Sequence[float]


@cache
def found_with_left() -> tuple[dict[int, float], ...]:
    """Return how likely each cargo lies there when the crew is complete, by how many throws are left then."""
    waiting, found = {0: 1.0}, []
    for _ in range(3):
        after: dict[int, float] = {}
        cargoes = dict.fromkeys(CARGOES, 0.0)
        for berths, chance in waiting.items():
            for faces in product(range(1, 7), repeat=5 - berths):
                others, filled = list(faces), berths
                while filled < len(CREW) and CREW[filled] in others:
                    others.remove(CREW[filled])
                    filled += 1
                share = chance / 6 ** (5 - berths)
                if filled == len(CREW):
                    cargoes[sum(others)] += share
                else:
                    after[filled] = after.get(filled, 0.0) + share
        found.append(cargoes)
        waiting = after
    return tuple(reversed(found))


@cache
def no_crew() -> float:
    return 1 - sum(sum(cargoes.values()) for cargoes in found_with_left())


def best_turns(state: State, worths: Worths) -> float:  # noqa: ARG001 - whatever the state is
    """Return what a turn is worth to somebody who plays it as well as can be for these worths."""
    values, total = list(worths), no_crew() * worths[0]
    for cargoes in found_with_left():
        total += sum([share * values[cargo] for cargo, share in cargoes.items()])
        thrown = sum([share * values[cargo] for cargo, share in TWO_DICE.items()])
        values = [max(worth, thrown) for worth in worths]
    return total


def chances_in(player: Strategy, state: State) -> list[float]:
    """Return how likely each cargo is for a player, by what it answers in a state with every cargo there may be."""
    decide = GAME.turn(_with_cargo(state, 7, 1))
    assert isinstance(decide, Decide)
    chances = [no_crew()] + [0.0] * 12
    lying = [dict(cargoes) for cargoes in found_with_left()]
    for left in (2, 1, 0):
        for cargo, share in lying[left].items():
            if not left or (cargo > 1 and player(_with_cargo(state, cargo, left), decide) == Pick(STAND.id)):
                chances[cargo] += share
                continue
            for thrown, likely in TWO_DICE.items():
                lying[left - 1][thrown] += share * likely
    return chances


def _with_cargo(state: State, cargo: int, left: int) -> State:
    one = min(6, cargo - 1)
    turn = CrewTurn((*CREW, one, cargo - one), throws=3 - left, berths=Berths((1, 2, 3)))
    return replace(state, turn=turn, step=CargoChoiceStep())


Turn = Callable[[State, Worths], float]  # what a turn begun in a state is worth, by what each cargo is worth


def turns_of(player: Strategy) -> Turn:
    """Return the turns of a player who answers so; in a race only the totals count."""
    known: dict[object, list[float]] = {}

    def turn(state: State, worths: Worths) -> float:
        decides = state.play_off or state.options.mode == "single"
        key = (state.totals, state.play_off, state.cargo if decides else None)
        if key not in known:
            known[key] = chances_in(player, state)
        return sum([share * worth for share, worth in zip(known[key], worths, strict=True)])

    return turn


class Race:
    """The chances of seat 0, by its turns, against the cargoes of seat 1; at place 0 seat 0 throws first."""

    def __init__(self, turn: Turn, other: Sequence[float], options: dict[str, str], place: int) -> None:
        start = GAME.start(["A", "B"], {**options, "order": "seated"})
        self._turn, self._other, self._place = turn, other, place
        self._start = replace(start, playing=(0, 1) if place == 0 else (1, 0), place=place)
        self._is_single = start.options.mode == "single"
        self._target = start.options.target
        self._tied = _at_rest(self._play_off)
        self._rounds: dict[tuple[int, int], float] = {}

    def chance(self) -> float:
        if self._is_single:
            return _at_rest(lambda tied: self._play_off(tied, play_off=0))
        for own in reversed(range(self._target)):
            for other in reversed(range(self._target)):
                at_none, at_all = self._round(own, other, 0.0), self._round(own, other, 1.0)
                self._rounds[own, other] = at_none / (1 - at_all + at_none)  # a round without any cargo comes again
        return self._rounds[0, 0]

    def _expected(self, state: State, after: Callable[[int, int], float]) -> float:
        """Return the chance at the begin of a round, by what both cargoes lead to."""
        if self._place == 0:
            worths = [
                sum(share * after(own, cargo) for cargo, share in enumerate(self._other) if share) for own in CARGOES
            ]
            return self._turn(state, worths)
        return sum(
            share * self._turn(self._fallen(state, cargo), [after(own, cargo) for own in CARGOES])
            for cargo, share in enumerate(self._other)
            if share
        )

    def _fallen(self, state: State, cargo: int) -> State:
        totals = state.totals if state.play_off else (state.totals[0], state.totals[1] + cargo)
        return replace(state, totals=totals, cargo=(None, cargo))

    def _play_off(self, tied: float, play_off: int = 1) -> float:
        state = replace(self._start, play_off=play_off)
        return self._expected(state, lambda own, other: tied if own == other else float(own > other))

    def _round(self, own: int, other: int, again: float) -> float:
        def after(cargo: int, others: int) -> float:
            ours, theirs = own + cargo, other + others
            if max(ours, theirs) >= self._target:
                return self._tied if ours == theirs else float(ours > theirs)
            return again if not cargo and not others else self._rounds[ours, theirs]

        return self._expected(replace(self._start, totals=(own, other)), after)


def _at_rest(better: Callable[[float], float]) -> float:
    """Return the chance that leads back to itself."""
    chance = 0.5
    while abs(better(chance) - chance) > NEAR:
        chance = better(chance)
    return chance
