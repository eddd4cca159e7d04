"""Zephyr at the table: what it answers in Ship, Captain and Crew, and how well at which level.

Source: docs/rules/ship-captain-crew.md; docs/opponents.md.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from captains_table.games.contract import STAND, THROW_AGAIN, Action, Decide, Keep, Pick
from captains_table.games.ship_captain_crew.state import MAX_THROWS, HoldDecision, State
from captains_table.players.common.opponents import Means, Opponent
from captains_table.players.common.strategies import Strategy, err_sometimes
from captains_table.players.ship_captain_crew.adviser import cargo_odds
from captains_table.players.ship_captain_crew.berths_solver import Cargo
from captains_table.players.ship_captain_crew.zephyr import field
from captains_table.players.ship_captain_crew.zephyr.duel import Duel, PlayOffs
from captains_table.players.ship_captain_crew.zephyr.turn_odds import CARGOES, Kept, TurnOdds, Worths, turn_odds

FAR: Final = 100  # while everybody has more points to go than this, only the mean counts
NO_HOPE: Final = 2 * FAR  # whoever has more to go than this while another has not, has as good as lost
TWO: Final = 2
EQUAL: Final = 1e-12  # chances that differ by less are the same
# --- levels -----------------------------------------------------------------------------------------------------------

ERRORS: Final = {1: 75, 2: 45, 3: 20, 4: 0}  # of a hundred answers, by level


class Alone:
    """How many turns a player alone needs.

    Args:
        odds: of a turn.
    """

    def __init__(self, odds: TurnOdds) -> None:
        self._odds = odds
        self._turns = [0.0]

    def turns(self, to_go: int) -> float:
        """Return how many turns are needed on average for so many points."""
        while len(self._turns) <= to_go:
            self._turns.append(0.0)  # the turn without a crew leads back here, and is divided out
            best = self._odds.worth_of_crew(self.worths(len(self._turns) - 1))
            self._turns[-1] = (1 - best) / (1 - self._odds.no_crew)
        return self._turns[max(0, to_go)]

    def worths(self, to_go: int) -> list[float]:
        """Return what each cargo is worth with so many points to go: the fewer turns after it the better."""
        return [-self.turns(to_go - cargo) for cargo in CARGOES]


def _right(state: State, decide: Decide) -> Action:  # noqa: ARG001 - the state says what is asked
    """Return the answer with the best chance to win; of equals the one with the greatest cargo on average."""
    return _answer(state, _worth_of_each(state))


def _wrong(state: State, decide: Decide) -> Action:  # noqa: ARG001 - as above
    """Return the answer with the worst chance to win; of equals the one with the least cargo on average."""
    return _answer(state, {kept: -worth for kept, worth in reversed(_worth_of_each(state).items())})


def _worth_of_each(state: State) -> dict[Kept, float]:
    """Return what each way to keep cargo dice that is open now is worth, the one with the greatest mean first."""
    loose, left, options = state.turn.berths.loose(), MAX_THROWS - state.turn.throws, state.options
    one, two = (state.turn.faces[die - 1] or 0 for die in loose)
    odds, must_throw = turn_odds(options.cargo_dice), isinstance(state.step, HoldDecision)
    worths = worths_of_cargoes(state)
    return {
        kept: odds.worth_keeping((one, two), kept, left, worths)
        for kept in _by_mean(options.cargo_dice, (one, two), left)
        if not must_throw or len(kept) < len(loose)
    }


@cache
def _by_mean(cargo_dice: str, cargo: Cargo, left: int) -> tuple[Kept, ...]:
    """Return the ways to keep cargo dice, the one with the greatest cargo on average first."""
    return tuple(choice.kept for choice in cargo_odds(cargo_dice).choices(cargo, left))


def _answer(state: State, worths: Mapping[Kept, float]) -> Action:
    """Return the answer that keeps what is worth most, of equals the first."""
    best = max(worths.values())
    kept = next(kept for kept, worth in worths.items() if worth >= best - EQUAL)
    loose = state.turn.berths.loose()
    if isinstance(state.step, HoldDecision):
        return Keep(tuple(loose[place] for place in kept))
    return Pick(STAND.id if len(kept) == len(loose) else THROW_AGAIN.id)


# --- what the cargo of the turn in hand is worth ---------------------------------------------------------------------


def worths_of_cargoes(state: State) -> Worths:
    """Return what each cargo from 0 to 12 is worth to whoever is on turn: his chance to win the match with it."""
    options, place = state.options, state.place
    dice, odds = options.cargo_dice, turn_odds(options.cargo_dice)
    if len(state.seats) == 1:
        return _alone(odds).worths(options.target - state.totals[0]) if options.mode == "target" else _by_points()
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
    rivals = tuple(field.Rival(points, has_thrown=at < place) for at, points in enumerate(near) if at != place)
    return field.worths(dice, near[place], rivals, finish_round=options.finish_round)


def _by_points() -> list[float]:
    return [float(cargo) for cargo in CARGOES]


_alone = cache(Alone)
_play_offs = cache(PlayOffs)
_duel = cache(Duel)


def make_zephyr(level: int, means: Means) -> Strategy:
    """Return Zephyr at one of its levels."""
    return err_sometimes(_right, _wrong, ERRORS[level], means.below)


ZEPHYR: Final = Opponent(
    "zephyr", "Zephyr", make_zephyr, {1: "beginner", 2: "fair", 3: "good", 4: "strongest"}, usual=2
)
