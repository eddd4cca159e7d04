"""Advice in Ship, Captain and Crew on which dice to throw again, and the luck measure of its turns.

Source: docs/rules/ship-captain-crew.md S2 - S5.
"""

from dataclasses import replace
from fractions import Fraction

from captains_table.games.common.dice import ThrowStep
from captains_table.games.contract import STAND, THROW_AGAIN, Keep, Pick
from captains_table.games.ship_captain_crew.game import stands_by_score
from captains_table.games.ship_captain_crew.state import CREW_THROWS, CargoChoiceStep, CargoHoldStep, State
from captains_table.phrases import say
from captains_table.players.common.advice import Advice, about, keep_words
from captains_table.players.ship_captain_crew.berths_solver import CargoChoice, cargo_odds


def advise_on_cargo(state: State) -> Advice | None:
    """Return advice on keeping the cargo dice or throwing them again; `None` if no decision about them is due."""
    if not isinstance(state.step, CargoChoiceStep | CargoHoldStep):
        return None
    loose = state.turn.berths.loose()
    one, two = (state.turn.faces[die - 1] or 0 for die in loose)
    choices = cargo_odds(state.options.cargo_dice).choices((one, two), CREW_THROWS - state.turn.throws)
    if isinstance(state.step, CargoHoldStep):
        best = next(choice for choice in choices if len(choice.kept) < len(loose))
        return _advice(best, Keep(tuple(loose[place] for place in best.kept)), (one, two))
    by_score = stands_by_score(state)
    best = next(choice for choice in choices if by_score in (None, len(choice.kept) == len(loose)))
    stands = len(best.kept) == len(loose)
    advice = _advice(best, Pick(STAND.id if stands else THROW_AGAIN.id), (one, two))
    why = {True: say("that is enough"), False: say("less than enough to stand"), None: advice.why}[by_score]
    return replace(advice, why=why)


def _advice(choice: CargoChoice, action: Pick | Keep, cargo: tuple[int, int]) -> Advice:
    kept = tuple(cargo[place] for place in choice.kept)
    if len(kept) == len(cargo):
        words: str = say("Stand with {cargo}", sum(cargo))
    else:
        words = keep_words(kept) if kept else say("Throw both cargo dice")
    expected = float(choice.expected)
    return Advice(action, words, say("{cargo} cargo expected from this turn", about(expected)), expected)


class CargoMeasure:
    """The points that seats may expect: their totals, plus the expected cargo of a turn that has begun.

    Where the score says what to do (`stands_by_score`), or the target is reached, no decision about the cargo gains or
    loses expected points, because the most cargo is not what wins the match there.
    """

    def expected(self, state: State, seat: int) -> float:
        """Return a seat's total plus, once the seat's turn has begun, the turn's expected cargo under best play."""
        has_begun = _counts(state, seat) and state.turn.throws > 0
        return state.totals[seat] + (float(_in_hand(state)) if has_begun else 0.0)

    def promised(self, state: State, seat: int) -> float:
        """Return the expected cargo of the turn that a seat is about to begin; 0 if no scoring turn begins now."""
        begins = _counts(state, seat) and state.turn.throws == 0
        return float(cargo_odds(state.options.cargo_dice).expected()) if begins else 0.0


def _counts(state: State, seat: int) -> bool:
    """Return whether a seat is on turn and its cargo scores.

    No cargo scores in the play-off of a match of a single round (S5).
    """
    if not isinstance(state.step, ThrowStep | CargoChoiceStep | CargoHoldStep) or state.seat != seat:
        return False
    return not (state.options.mode == "single" and state.play_off)


def _in_hand(state: State) -> Fraction:
    turn, odds = state.turn, cargo_odds(state.options.cargo_dice)
    left = CREW_THROWS - turn.throws
    if not turn.berths.is_complete:
        return odds.expected(len(turn.berths.dice), left)
    loose = turn.berths.loose()
    one, two = (turn.faces[die - 1] or 0 for die in loose)
    choices = odds.choices((one, two), left)
    adds_up = state.options.mode == "target" and not state.play_off
    match state.step:
        case _ if stands_by_score(state) is False:
            return choices[0].expected
        case _ if (adds_up and state.totals[state.seat] + turn.cargo >= state.options.target) or stands_by_score(state):
            return Fraction(turn.cargo)
        case ThrowStep(falling):
            kept = tuple(place for place, die in enumerate(loose) if die not in falling)
            return next(choice.expected for choice in choices if choice.kept == kept)
        case CargoHoldStep():  # at least one die must be thrown
            return next(choice.expected for choice in choices if len(choice.kept) < len(loose))
        case _:
            return choices[0].expected
