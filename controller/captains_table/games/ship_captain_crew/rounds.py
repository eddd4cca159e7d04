"""Who begins, what ends a turn, a round and the match (docs/rules/ship-captain-crew.md S1, S4 to S6)."""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.common.dice import missing_words, order_words
from captains_table.games.common.latest_events import emit
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import EventKind, GameEvent, Outcome, Result
from captains_table.games.ship_captain_crew.state import (
    DICE,
    WANTED,
    Berths,
    Ordering,
    State,
    TurnInHand,
    board,
    cargo_of,
    changed,
)

ONE_DIE = (1,)


def begin(state: State, starter: int) -> State:
    """Return the match begun by a seat; from there it goes clockwise."""
    count = len(state.seats)
    playing = tuple((starter + step) % count for step in range(count))
    return replace(state, playing=playing, step=Throwing(DICE))


def order_fell(state: State, ordering: Ordering, faces: tuple[int, ...]) -> State:
    """Return the match after a throw for the start: the highest total begins, ties throw one die (S1)."""
    sums = (*ordering.sums, sum(faces))
    state = emit(state, GameEvent(EventKind.ORDER, state.seat, 0, f"{state.name} throws {sums[-1]}"))
    if len(sums) < len(ordering.seats):
        return replace(state, step=replace(ordering, sums=sums))
    highest = tuple(seat for seat, thrown in zip(ordering.seats, sums, strict=True) if thrown == max(sums))
    if len(highest) > 1:
        return replace(state, step=Ordering(highest, dice=ONE_DIE))
    state = emit(state, GameEvent(EventKind.ORDER, highest[0], 0, f"{state.seats[highest[0]]} begins"))
    return begin(state, highest[0])


def end_turn(state: State) -> State:
    """Return the match after the turn in hand scored its cargo (S4)."""
    seat, cargo, last = state.seat, state.turn.cargo, state.turn
    is_fresh_cargo = state.options.mode == "single" and state.play_off > 0
    fell = " ".join(str(face) for face in state.turn.faces)
    what = f"cargo {cargo}" if state.turn.berths.is_complete else "no crew, no cargo"
    state = emit(
        state, GameEvent(EventKind.CARGO, seat, 0 if is_fresh_cargo else cargo, f"{state.name}: {fell}, {what}")
    )
    state = replace(
        state,
        totals=state.totals if is_fresh_cargo else changed(state.totals, seat, cargo),
        cargo=tuple(cargo if index == seat else before for index, before in enumerate(state.cargo)),
        turn=TurnInHand(),
        step=Throwing(DICE),
    )
    if _is_cut_short(state):
        return _finish(state, seat, last)
    if state.place + 1 < len(state.playing):
        return replace(state, place=state.place + 1)
    return _end_round(state, last)


def _is_cut_short(state: State) -> bool:
    """Return whether reaching the target ends the match in the middle of a round (S5, `finish_round` false)."""
    options = state.options
    may_be = options.mode == "target" and not options.finish_round and not state.play_off and len(state.seats) > 1
    return may_be and state.totals[state.seat] >= options.target


def _end_round(state: State, last: TurnInHand) -> State:
    """Return the match after all have had equal turns: over, one more round, or a play-off of the tied (S5)."""
    is_decided = state.play_off or state.options.mode == "single" or max(state.totals) >= state.options.target
    state = replace(state, place=0, round=state.round + 1)
    if not is_decided:
        return state
    standing = {seat: (state.cargo[seat] or 0) if state.play_off else state.totals[seat] for seat in state.playing}
    leading = tuple(seat for seat in state.playing if standing[seat] == max(standing.values()))
    if len(leading) == 1:
        return _finish(state, leading[0], last)
    names = " and ".join(state.seats[seat] for seat in leading)
    state = emit(state, GameEvent(EventKind.PLAY_OFF, leading[0], 0, f"{names} are level and play on"))
    return replace(state, playing=leading, play_off=state.play_off + 1)


def _finish(state: State, winner: int, last: TurnInHand) -> State:
    """Return the match over; the dice lie as they fell last."""
    pot = state.options.stake * len(state.seats)
    if pot:
        state = emit(state, GameEvent(EventKind.POT, winner, 0, f"{state.seats[winner]} takes the pot of {pot}"))
    result = Result(winner, state.totals)
    return replace(state, purses=changed(state.purses, winner, pot), turn=last, step=Finished(result))


def outcome_of(events: Sequence[GameEvent], berths: Berths, faces: Sequence[int | None]) -> Outcome | None:
    """Return what the dice came to; `None` where the action scored nothing and decided nothing.

    Args:
        events: what the action did.
        berths: the dice that were aside before it.
        faces: the dice as they lay.
    """
    if any(event.kind is EventKind.CARGO for event in events):
        aside = board(berths, faces)
        if not aside.is_complete:
            return Outcome(words=missing_words(WANTED[len(aside.dice)]))
        return Outcome(aside.loose(), f"Cargo {cargo_of(aside, faces)}")
    told = [event.words for event in events if event.kind is EventKind.ORDER]
    return Outcome(tuple(range(1, len(faces) + 1)), order_words(faces, told[1:])) if told else None
