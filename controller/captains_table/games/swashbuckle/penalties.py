"""Penalties: anybody calls one on a player at any time, and it counts once he agrees (docs/rules/swashbuckle.md N2)."""

from dataclasses import replace
from typing import Final

from captains_table.games.contract import (
    AGREE,
    Action,
    Decide,
    EventKind,
    Option,
    Over,
    Pick,
    check_offered,
    consent,
)
from captains_table.games.swashbuckle.state import Choosing, HoldDecision, PiracyFallen, State, with_sheet

PENALTY: Final = "penalty-"


def penalty_calls(state: State) -> tuple[Option, ...]:
    """Return what may be called now: a penalty on each player; nothing while somebody is asked about one.

    Whoever refused one would refuse the next as well: until something else is done, no display offers to ask him again.
    """
    points = state.options.penalty
    if not points or state.accused is not None or isinstance(state.step, Over):
        return ()
    then = f"For a calculator, or a name without its pirate name: it costs {points} once that player agrees"
    labels = [f"Penalty for {state.called(seat)}" for seat in range(len(state.seats))]
    return tuple(
        Option(f"{PENALTY}{seat}", label, confirm=True, in_vain=seat in state.spared, then=then)
        for seat, label in enumerate(labels)
    )


def accuse(state: State, call: Pick) -> State:
    """Return the match with somebody asked about a penalty; a question which dice stay is closed by it."""
    accused = int(call.id.removeprefix(PENALTY))
    step = state.step
    if isinstance(step, HoldDecision):  # whoever had opened it may still choose otherwise
        step = PiracyFallen() if state.turn.is_piracy else Choosing()
    words = f"A penalty of {state.options.penalty} is called on {state.called(accused)}"
    state = replace(state, accused=accused, accusations=state.accusations + 1, step=step)
    return state.with_event(EventKind.OFFER, accused, 0, words)


def penalty_question(state: State, accused: int) -> Decide:
    """Return the question whether the called player agrees."""
    points = state.options.penalty
    then = f"Agree, and {points} {'point goes' if points == 1 else 'points go'} off; then the match goes on"
    return Decide(accused, consent(f"{state.called(accused)}: a penalty of {points}?", then))


def answer(state: State, accused: int, action: Action) -> State:
    """Return the match going on where it was, the penalty entered if he agreed; raises IllegalAction."""
    id_ = action.id if isinstance(action, Pick) else ""
    check_offered(penalty_question(state, accused), id_)
    name, points = state.called(accused), state.options.penalty
    state = replace(state, accused=None)
    if id_ != AGREE.id:
        state = replace(state, spared=state.spared | {accused})
        return state.with_event(EventKind.REFUSED, accused, 0, f"{name} refuses the penalty")
    sheet = state.columns_of(accused)[0]
    state = with_sheet(state, accused, replace(sheet, penalties=sheet.penalties + points))
    return state.with_event(EventKind.PENALTY, accused, -points, f"{name} takes a penalty of {points}")
