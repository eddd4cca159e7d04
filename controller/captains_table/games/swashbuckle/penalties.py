"""Penalties, which may be called at any time and count if the accused player agrees (docs/rules/swashbuckle.md N2)."""

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
from captains_table.games.swashbuckle import steps
from captains_table.games.swashbuckle.state import State, with_sheet
from captains_table.phrases import say, several

PENALTY: Final = "penalty-"


def penalty_calls(state: State) -> tuple[Option, ...]:
    """Return the calls that players may make: one for a penalty on each player.

    Empty while a player is asked to accept a penalty, after the end of the match, and if the option `penalty` is 0.
    After a player has refused a penalty, the call on this player is marked `in_vain`, so that displays do not offer
    the call. The next action that has nothing to do with penalties removes the mark.
    """
    points = state.options.penalty
    if not points or state.accused is not None or isinstance(state.step, Over):
        return ()
    then = say("For a calculator, or a name without its pirate name: it costs {points} once that player agrees", points)
    labels = [say("Penalty for {name}", state.called(seat)) for seat in range(len(state.seats))]
    return tuple(
        Option(f"{PENALTY}{seat}", label, confirm=True, in_vain=seat in state.spared, then=then)
        for seat, label in enumerate(labels)
    )


def accuse(state: State, call: Pick) -> State:
    """Return the match after somebody called a penalty: the accused player is asked to accept the penalty.

    If the player on turn was choosing dice to keep, this choice is dropped, and the previous question is asked again.
    """
    accused = int(call.id.removeprefix(PENALTY))
    step = state.step
    if isinstance(step, steps.BoxHoldStep):  # its player may open the question again
        step = steps.PiracyFallen() if state.turn.is_piracy else steps.BoxChoiceStep()
    words = say("A penalty of {points} is called on {name}", state.options.penalty, state.called(accused))
    state = replace(state, accused=accused, accusations=state.accusations + 1, step=step)
    return state.with_event(EventKind.OFFER, accused, 0, words)


def penalty_question(state: State, accused: int) -> Decide:
    """Return the question of whether the accused player accepts the penalty."""
    points = state.options.penalty
    then = several(
        points,
        "Agree, and {n} point goes off; then the match goes on",
        "Agree, and {n} points go off; then the match goes on",
    )
    prompt = say("{name}: a penalty of {points}?", state.called(accused), points)
    return Decide(accused, consent(prompt, then))


def answer(state: State, accused: int, action: Action) -> State:
    """Return the match after the accused player's answer, with the penalty if the player agrees.

    Raises:
        IllegalAction: the action is neither of the two answers.
    """
    id_ = action.id if isinstance(action, Pick) else ""
    check_offered(penalty_question(state, accused), id_)
    name, points = state.called(accused), state.options.penalty
    state = replace(state, accused=None)
    if id_ != AGREE.id:
        state = replace(state, spared=state.spared | {accused})
        return state.with_event(EventKind.REFUSED, accused, 0, say("{name} refuses the penalty", name))
    sheet = state.columns_of(accused)[0]
    state = with_sheet(state, accused, replace(sheet, penalties=sheet.penalties + points))
    words = say("{name} takes a penalty of {points}", name, points)
    return state.with_event(EventKind.PENALTY, accused, -points, words)
