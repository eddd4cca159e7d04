"""Zephyr as a player of Ship, Captain and Crew: its answers, and the error rate of each level.

Zephyr values a cargo by the chance to win (`duel`, `field`); without opponents, by the expected number of turns. While
the target is far for every player, Zephyr maximises the expected cargo.

Source: docs/rules/ship-captain-crew.md; docs/opponents.md.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from captains_table.games.contract import STAND, THROW_AGAIN, Action, Decide, Keep, Pick
from captains_table.games.ship_captain_crew.state import CREW_THROWS, CargoHoldStep, State
from captains_table.phrases import say
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, err_sometimes
from captains_table.players.ship_captain_crew.berths_solver import (
    CARGOES,
    Cargo,
    CargoUtilities,
    KeptPlaces,
    TurnOdds,
    cargo_odds,
    turn_odds,
)
from captains_table.players.ship_captain_crew.zephyr import field
from captains_table.players.ship_captain_crew.zephyr.duel import Duel, PlayOffs

FAR: Final = 100  # points; while every player needs more, it maximises the expected cargo
NO_HOPE: Final = 2 * FAR  # points; needing more counts as needing this, because the race is lost either way
TWO: Final = 2
EQUAL: Final = 1e-12  # chances that differ by less count as equal
# --- levels -----------------------------------------------------------------------------------------------------------

ERRORS: Final = {0: 100, 1: 75, 2: 45, 3: 20, 4: 0}  # percentage of wrong answers by level


class _SoloTurns:
    """The expected number of turns that a player without opponents needs under best play.

    Args:
        odds: the odds of a turn.
    """

    def __init__(self, odds: TurnOdds) -> None:
        self._odds = odds
        self._turns = [0.0]

    def turns(self, to_go: int) -> float:
        """Return the expected number of turns that the player needs to score a number of points."""
        while len(self._turns) <= to_go:
            self._turns.append(0.0)  # a turn without a crew leads back here: solved by division
            best = self._odds.worth_of_crew(self.worths(len(self._turns) - 1))
            self._turns[-1] = (1 - best) / (1 - self._odds.no_crew)
        return self._turns[max(0, to_go)]

    def worths(self, to_go: int) -> list[float]:
        """Return the value of each cargo for a player who needs a number of points before the turn.

        The value is minus the expected number of turns that the player needs after this turn.
        """
        return [-self.turns(to_go - cargo) for cargo in CARGOES]


def _right(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
    """Return the answer with the best chance to win; among equal ones, the one with the highest expected cargo."""
    return _answer(state, _worth_of_each(state))


def _wrong(state: State, decide: Decide) -> Action:  # noqa: ARG001 - as above
    """Return the answer with the worst chance to win; equally bad answers are decided by the lowest expected cargo."""
    return _answer(state, {kept: -worth for kept, worth in reversed(_worth_of_each(state).items())})


def _hopeless(state: State, decide: Decide) -> Action:  # noqa: ARG001 - as above
    """Return the answer of a player who wants to lose, and so throws every good cargo away."""
    return _answer(state, _worth_of_each(state, sign=-1))


def _worth_of_each(state: State, sign: int = 1) -> dict[KeptPlaces, float]:
    """Return the value of each allowed way to keep cargo dice, in order of expected cargo, the highest first."""
    loose, left, options = state.turn.berths.loose(), CREW_THROWS - state.turn.throws, state.options
    one, two = (state.turn.faces[die - 1] or 0 for die in loose)
    odds, must_throw = turn_odds(options.cargo_dice), isinstance(state.step, CargoHoldStep)
    worths = [sign * worth for worth in worths_of_cargoes(state)]
    return {
        kept: odds.worth_keeping((one, two), kept, left, worths)
        for kept in _by_mean(options.cargo_dice, (one, two), left)
        if not must_throw or len(kept) < len(loose)
    }


@cache
def _by_mean(cargo_dice: str, cargo: Cargo, left: int) -> tuple[KeptPlaces, ...]:
    """Return the ways to keep cargo dice, sorted by expected cargo from high to low."""
    return tuple(choice.kept for choice in cargo_odds(cargo_dice).choices(cargo, left))


def _answer(state: State, worths: Mapping[KeptPlaces, float]) -> Action:
    """Return the answer with the highest value; among equal ones, the first."""
    best = max(worths.values())
    kept = next(kept for kept, worth in worths.items() if worth >= best - EQUAL)
    loose = state.turn.berths.loose()
    if isinstance(state.step, CargoHoldStep):
        return Keep(tuple(loose[place] for place in kept))
    return Pick(STAND.id if len(kept) == len(loose) else THROW_AGAIN.id)


# --- the value of the current turn's cargo ---------------------------------------------------------------------------


def worths_of_cargoes(state: State) -> CargoUtilities:
    """Return the value of each cargo from 0 to 12 for the seat on turn.

    The value is the seat's chance to win with that cargo, with these exceptions. For a player without opponents who
    races to the target, the value is minus the expected number of turns that are needed after this one. If a single
    player plays one round, or if every player of a race needs more than FAR points, the value is the cargo itself.
    """
    options, place = state.options, state.place
    dice, odds = options.cargo_dice, turn_odds(options.cargo_dice)
    if len(state.seats) == 1:
        return _solo_turns(odds).worths(options.target - state.totals[0]) if options.mode == "target" else _by_points()
    if options.mode == "single" or state.play_off:
        fell = [state.cargo[seat] or 0 for seat in state.playing[:place]]
        return _play_offs(odds).worths(len(state.playing), place, fell)
    to_go = [options.target - state.totals[seat] for seat in state.playing]
    if min(to_go) > FAR:
        return _by_points()
    if len(to_go) == TWO and max(to_go) <= FAR:
        own, other = to_go[place], to_go[1 - place]
        return _duel(odds, finish_round=options.finish_round, is_first=place == 0).worths(own, other)
    near = [min(points, NO_HOPE) for points in to_go]
    rivals = tuple(field.RacingOpponent(points, has_thrown=at < place) for at, points in enumerate(near) if at != place)
    return field.worths(dice, near[place], rivals, finish_round=options.finish_round)


def _by_points() -> list[float]:
    return [float(cargo) for cargo in CARGOES]


_solo_turns = cache(_SoloTurns)
_play_offs = cache(PlayOffs)
_duel = cache(Duel)


def make_zephyr(level: int, means: Means) -> Strategy:
    """Return the strategy of Zephyr at a level.

    Zephyr errs with the probability that `ERRORS` gives for the level. An error is the answer with the worst chance to
    win if the other answers of the turn are right; level 0 gives no right ones, and plays to lose.
    """
    return err_sometimes(_right, _wrong if level else _hopeless, ERRORS[level], means.below)


ZEPHYR: Final = Opponent(
    "zephyr",
    "Zephyr",
    make_zephyr,
    {0: say("gentle"), 1: say("beginner"), 2: say("fair"), 3: say("good"), 4: say("strongest")},
    usual=2,
    level_notes={
        0: say("Throws good cargo away, always"),
        1: say("Errs in three answers of four"),
        2: say("Errs in nearly half its answers"),
        3: say("Errs in one answer of five"),
        4: say("Never errs; luck decides"),
    },
)
