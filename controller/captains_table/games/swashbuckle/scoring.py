"""Filling boxes and what follows from it: bonuses, raids, curses, the end (docs/rules/swashbuckle.md W3 to W8)."""

from dataclasses import replace

from captains_table.games.common.latest_events import emit
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import EventKind, GameEvent, Result
from captains_table.games.swashbuckle.boxes import (
    PIRACY,
    UPPER,
    is_five_alike,
    piracy_points,
    title_of,
)
from captains_table.games.swashbuckle.ranks import rank_of
from captains_table.games.swashbuckle.sheet import (
    BLIMEY,
    BONUS,
    HORNSWAGGLE,
    SMOOTH_SAILING,
    earns_bonus,
    scoring_boxes,
)
from captains_table.games.swashbuckle.state import (
    DAVY_JONES,
    Cursing,
    PiracyFallen,
    Raiding,
    State,
    fresh_turn,
    with_sheet,
)


def score(state: State, box: str) -> State:
    """Return the match after an offered box was chosen; piracy is thrown for first (W6)."""
    chosen = next(
        each for each in scoring_boxes(state.sheet, state.turn.lying, state.options.values) if each.box == box
    )
    if chosen.to_be_thrown:
        turn = replace(state.turn, is_piracy=True, is_hornswaggled=False)
        return replace(state, turn=turn, step=Throwing(turn.all_dice))
    state = _fill(_mark_bonus(state), box, chosen.points)
    return raid_or_go_on(state, chosen.points) if box == PIRACY else go_on(state)


def scuttle(state: State, box: str) -> State:
    """Return the match after a box was given up for 0 (W3); five alike earn their bonus mark all the same (W5)."""
    return go_on(_fill(_mark_bonus(state), box, 0))


def hornswaggle(state: State) -> State:
    """Return the match with the one extra throw paid for (W4)."""
    state = with_sheet(state, state.seat, replace(state.sheet, hornswaggled=True))
    words = f"{state.name} hornswaggles for {HORNSWAGGLE} points"
    state = emit(state, GameEvent(EventKind.HORNSWAGGLE, state.seat, -HORNSWAGGLE, words))
    return replace(state, turn=replace(state.turn, is_hornswaggled=True))


def piracy_fell(state: State) -> State:
    """Return the match after the piracy throw: final at once where no hornswaggle is left (W6)."""
    return settle_piracy(state) if state.sheet.hornswaggled else replace(state, step=PiracyFallen())


def settle_piracy(state: State) -> State:
    """Return the match with the piracy throw written down (W6)."""
    faces = state.turn.lying
    if is_five_alike(faces) and state.turn.is_hornswaggled:
        words = f"{state.name} bears the dark heart of {DAVY_JONES}"
        state = emit(replace(state, davy_jones=state.seat), GameEvent(EventKind.DAVY_JONES, state.seat, 0, words))
    points = piracy_points(faces)
    return raid_or_go_on(_fill(_mark_bonus(state), PIRACY, points), points)


def raidable(state: State) -> tuple[int, ...]:
    """Return the seats that may be pillaged: others, each once a match (W6)."""
    if state.options.pillage == "add":
        return ()
    return tuple(seat for seat in state.others() if state.sheets[seat].pillaged is None)


def raid_or_go_on(state: State, points: int) -> State:
    """Return the match waiting for a victim's name, if there is one to name (W6)."""
    return replace(state, step=Raiding(points)) if raidable(state) else go_on(state)


def raid(state: State, victim: int, points: int) -> State:
    """Return the match after a victim was pillaged (W6)."""
    is_doubled = state.options.captain_pillage == "double" and victim == state.options.captain
    loss = 2 * points if is_doubled else points
    state = with_sheet(state, victim, replace(state.sheets[victim], pillaged=loss))
    words = f"{state.name} pillages {state.called(victim)} of {loss}"
    return go_on(emit(state, GameEvent(EventKind.RAID, victim, -loss, words)))


def cursable(state: State) -> tuple[int, ...]:
    """Return the seats that may be cursed: others with a turn left and no curse on it yet (W7)."""
    if state.sheet.cursed is not None:
        return ()
    return tuple(seat for seat in state.others() if not state.sheets[seat].is_full and seat not in state.cursed)


def curse(state: State, victim: int) -> State:
    """Return the match after the curse was spoken: the victim's next turn has four dice (W7)."""
    state = with_sheet(state, state.seat, replace(state.sheet, cursed=victim))
    state = replace(state, cursed=state.cursed | {victim})
    return end_turn(emit(state, GameEvent(EventKind.CURSE, victim, 0, f"{state.name} curses {state.called(victim)}")))


def go_on(state: State) -> State:
    """Return the match after a box was filled: a curse may be spoken, or the turn ends."""
    return replace(state, step=Cursing()) if cursable(state) else end_turn(state)


def end_turn(state: State) -> State:
    """Return the match with the next turn begun, or over when every sheet is full (W8)."""
    if all(sheet.is_full for sheet in state.sheets):
        totals = tuple(sheet.total for sheet in state.sheets)
        for seat, total in enumerate(totals):
            if rank := rank_of(total):
                state = emit(
                    state, GameEvent(EventKind.RANK, seat, 0, f"{state.called(seat)}: {total}, a plunder for a {rank}")
                )
        leading = [seat for seat, total in enumerate(totals) if total == max(totals)]
        return replace(state, step=Finished(Result(leading[0] if len(leading) == 1 else None, totals)))
    following = (state.seat + 1) % len(state.seats)
    turn = fresh_turn(cursed=following in state.cursed)
    return replace(state, seat=following, turn=turn, step=Throwing(turn.all_dice), cursed=state.cursed - {following})


def _mark_bonus(state: State) -> State:
    if not earns_bonus(state.sheet, state.turn.lying):
        return state
    words = f"{state.name} swashbuckles again: bonus {BONUS}"
    state = with_sheet(state, state.seat, replace(state.sheet, marks=state.sheet.marks + 1))
    return emit(state, GameEvent(EventKind.BONUS, state.seat, BONUS, words))


def _fill(state: State, box: str, points: int) -> State:
    before, name, seat = state.sheet, state.name, state.seat
    after = before.with_box(box, points)
    state = with_sheet(state, seat, after)
    state = replace(state, turn=replace(state.turn, filled=box))
    kind = EventKind.SCUTTLE if not points else EventKind.NEST if box in UPPER else EventKind.BILGE
    words = f"{name} scores {points}: {title_of(box)}" if points else f"{name} scuttles {title_of(box)}"
    state = emit(state, GameEvent(kind, seat, points, words))
    if after.blimey > before.blimey:
        state = emit(state, GameEvent(EventKind.BLIMEY, seat, BLIMEY, f"{name} earns the blimey bonus of {BLIMEY}"))
    if after.smooth_sailing:
        state = emit(
            state,
            GameEvent(EventKind.SMOOTH_SAILING, seat, SMOOTH_SAILING, f"{name} had smooth sailing: {SMOOTH_SAILING}"),
        )
    return state
