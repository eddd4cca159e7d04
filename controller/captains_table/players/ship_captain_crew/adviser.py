"""Advice in Ship, Captain and Crew: stand, or throw the cargo again, for the greatest expected cargo of the turn.

Source: docs/rules/ship-captain-crew.md.
"""

from functools import cache

from captains_table.games.contract import STAND, THROW_AGAIN, Keep, Pick
from captains_table.games.ship_captain_crew.state import MAX_THROWS, Choosing, HoldDecision, State
from captains_table.players.common.advice import Advice, keep_words
from captains_table.players.ship_captain_crew.berths_solver import BOTH, EACH, CargoChoice, CargoOdds


@cache
def cargo_odds(cargo_dice: str) -> CargoOdds:
    """Return the odds under the option `cargo_dice`, "both" or "each" (S3)."""
    return CargoOdds(EACH if cargo_dice == "each" else BOTH)


def advise(state: State) -> Advice | None:
    """Return the best answer, `None` where nothing is to be decided."""
    if not isinstance(state.step, Choosing | HoldDecision):
        return None
    loose = state.turn.berths.loose()
    one, two = (state.turn.faces[die - 1] or 0 for die in loose)
    choices = cargo_odds(state.options.cargo_dice).choices((one, two), MAX_THROWS - state.turn.throws)
    if isinstance(state.step, HoldDecision):
        best = next(choice for choice in choices if len(choice.kept) < len(loose))
        return _advice(best, Keep(tuple(loose[place] for place in best.kept)), (one, two))
    best = choices[0]
    stands = len(best.kept) == len(loose)
    return _advice(best, Pick(STAND.id if stands else THROW_AGAIN.id), (one, two))


def _advice(choice: CargoChoice, action: Pick | Keep, cargo: tuple[int, int]) -> Advice:
    kept = tuple(cargo[place] for place in choice.kept)
    words = f"Stand on {sum(cargo)}" if len(kept) == len(cargo) else keep_words(kept)
    expected = float(choice.expected)
    return Advice(action, words, f"{expected:.2f} cargo expected from this turn", expected)
