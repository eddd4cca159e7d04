"""Filling boxes and what follows: bonuses, raids, curses, and the next turn or the end of the match.

Also charges for the extra throw (hornswaggle), and returns the result of a turn with the dice that counted.

Source: docs/rules/swashbuckle.md W3 to W8, N1 and N3 to N5.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from captains_table.games.common.dice import ThrowStep, order_words
from captains_table.games.contract import EventKind, GameEvent, Outcome, Over, Result
from captains_table.games.swashbuckle import steps
from captains_table.games.swashbuckle.ranks import earned_rank
from captains_table.games.swashbuckle.sheet import (
    BLIMEY,
    BONUS,
    FOUR,
    HORNSWAGGLE,
    PIRACY,
    SMOOTH_SAILING,
    UPPER,
    Values,
    box_points,
    earns_bonus,
    is_five_alike,
    open_cells,
    piracy_points,
    scoring_cells,
)
from captains_table.games.swashbuckle.state import State, fresh_turn, with_sheet
from captains_table.phrases import message, say

ACE: Final = 1


def score(state: State, box: str, column: int = 0) -> State:
    """Return the match after the player on turn chose a box of a column; the dice must score in the box.

    If the box is `piracy`, the throw for its points comes next (W6). If the dice are five alike, this throw is left
    out, and the box gets its maximum at once (W5).
    """
    scorings = scoring_cells(state.columns, state.turn.lying, state.options.values)
    chosen = next(each for each in scorings if (each.box, each.column) == (box, column))
    turn = replace(state.turn, column=column)
    if chosen.to_be_thrown:
        turn = replace(turn, is_piracy=True, is_hornswaggled=False, was_hornswaggled=turn.is_hornswaggled)
        return replace(state, turn=turn, step=ThrowStep(turn.all_dice))
    state = _fill(_mark_bonus(replace(state, turn=turn)), box, chosen.points)
    return raid_or_go_on(state, chosen.points) if box == PIRACY else go_on(state)


def scuttle(state: State, box: str, column: int = 0) -> State:
    """Return the match after a box was filled with 0 (W3); five alike may still earn a bonus mark (W5)."""
    return go_on(_fill(_mark_bonus(replace(state, turn=replace(state.turn, column=column))), box, 0))


def hornswaggle(state: State) -> State:
    """Return the match after the player on turn paid for the extra throw (W4).

    With several columns, the first column in which the extra throw is not used yet pays (N5).
    """
    column, sheet = next((place, each) for place, each in enumerate(state.columns) if not each.hornswaggled)
    state = with_sheet(state, state.seat, replace(sheet, hornswaggled=True), column)
    words = say("{name} hornswaggles for {points} points", state.name, HORNSWAGGLE)
    state = state.with_event(EventKind.HORNSWAGGLE, state.seat, -HORNSWAGGLE, words)
    return replace(state, turn=replace(state.turn, is_hornswaggled=True))


def settle_piracy(state: State) -> State:
    """Return the match after the throw for piracy was scored (W6).

    A player who hornswaggled on this throw and got five alike earns the name Davy Jones.
    """
    faces = state.turn.lying
    if is_five_alike(faces) and state.turn.is_hornswaggled:
        words = say("{name} bears the dark heart of Davy Jones", state.name)
        state = replace(state, davy_jones=state.seat).with_event(EventKind.DAVY_JONES, state.seat, 0, words)
    points = piracy_points(faces)
    return raid_or_go_on(_fill(_mark_bonus(state), PIRACY, points), points)


def raidable(state: State) -> tuple[int, ...]:
    """Return the other seats that may still be pillaged.

    A seat can be pillaged once a match (W6), or once for each of its columns (N5). Empty if raids only add points (N4).
    """
    if state.options.pillage == "add":
        return ()
    return tuple(seat for seat in state.others() if any(each.pillaged is None for each in state.columns_of(seat)))


def raid_or_go_on(state: State, points: int) -> State:
    """Return the match at the step in which the player on turn chooses a victim, who loses `points` (W6).

    If nobody can be raided, there is no choice, and the match goes on as after any other box (see `go_on`).
    """
    return replace(state, step=steps.Raiding(points)) if raidable(state) else go_on(state)


def raid(state: State, victim: int, points: int) -> State:
    """Return the match after the player on turn pillaged a victim, who loses points (W6).

    The victim's first column that was not pillaged yet loses the points (N5). With the option `captain_pillage=double`
    the Captain loses twice the points (N3).
    """
    is_doubled = state.options.captain_pillage == "double" and victim == state.options.captain
    loss = 2 * points if is_doubled else points
    columns = enumerate(state.columns_of(victim))
    column, sheet = next((place, each) for place, each in columns if each.pillaged is None)
    state = with_sheet(state, victim, replace(sheet, pillaged=loss), column)
    words = say("{name} pillages {victim} of {loss}", state.name, state.called(victim), loss)
    return go_on(state.with_event(EventKind.RAID, victim, -loss, words))


def cursable(state: State) -> tuple[int, ...]:
    """Return the other seats that may be cursed; empty if the seat on turn has used all its curses.

    A curse hits the next turn of the cursed seat (W7). If the cursed seat has no turn left in a challenge, the curse
    hits the next turn of the seat on turn instead (N1). A seat may be cursed if there is a turn to hit and this turn is
    not cursed yet.
    """
    if all(sheet.cursed is not None for sheet in state.columns):
        return ()
    return tuple(seat for seat in state.others() if _cursed_by(state, seat) not in (None, *state.cursed))


def _cursed_by(state: State, victim: int) -> int | None:
    """Return the seat whose next turn would be cursed if the seat on turn cursed the victim (W7, N1).

    `None` if the curse would hit no turn.
    """
    if not state.is_full(victim):
        return victim
    return state.seat if state.options.challenge and not state.is_full(state.seat) else None


def curse(state: State, victim: int) -> State:
    """Return the match after the seat on turn cursed the victim: the victim's next turn has only four dice (W7).

    If the victim has no turn left in a challenge, the next turn of the seat on turn has four dice instead (N1).
    """
    column, sheet = next((place, each) for place, each in enumerate(state.columns) if each.cursed is None)
    hit = _cursed_by(state, victim)
    words = message("{name} curses {victim}")
    if hit != victim:
        words = message("{name} curses {victim}'s finished sheet, and plays four dice for it")
    words = say(words, name=state.name, victim=state.called(victim))
    state = with_sheet(state, state.seat, replace(sheet, cursed=victim), column)
    state = replace(state, cursed=state.cursed | {state.seat if hit is None else hit})
    return go_to_next_turn(state.with_event(EventKind.CURSE, victim, 0, words))


def go_on(state: State) -> State:
    """Return the match after a box was filled: the player on turn may curse; if nobody can be cursed, the turn ends."""
    return replace(state, step=steps.Cursing()) if cursable(state) else go_to_next_turn(state)


def go_to_next_turn(state: State) -> State:
    """Return the match at its next turn; if every sheet is full, the match is over (W8).

    With challenge sheets a player fills the whole sheet before the match waits for the next player (N1).
    """
    if all(sheet.is_full for sheet in state.sheets):
        totals = tuple(state.total(seat) for seat in range(len(state.seats)))
        for seat, total in enumerate(totals):
            if rank := earned_rank(total) if state.options.columns == 1 else "":
                words = say("{name}: {total}, a plunder for a {rank}", state.called(seat), total, rank)
                state = state.with_event(EventKind.RANK, seat, 0, words)
        leading = [seat for seat, total in enumerate(totals) if total == max(totals)]
        why = say("Every box is filled")
        return replace(state, step=Over(Result(leading[0] if len(leading) == 1 else None, totals, why)))
    following = (state.seat + 1) % len(state.seats)
    if not state.options.challenge:
        return begin_turn_of(state, following)
    if not state.is_full(state.seat):
        return begin_turn_of(state, state.seat)
    turn = fresh_turn(cursed=following in state.cursed)
    return replace(state, seat=following, turn=turn, step=steps.ChallengeRestStep())


def begin_turn_of(state: State, seat: int) -> State:
    """Return the state before the first throw of a seat's turn: with five dice, or four if the seat is cursed (W7)."""
    turn = fresh_turn(cursed=seat in state.cursed)
    return replace(state, seat=seat, turn=turn, step=ThrowStep(turn.all_dice), cursed=state.cursed - {seat})


def _mark_bonus(state: State) -> State:
    """Return the match with a bonus mark added if the dice earn one (W5).

    With several columns, it is added to the first column in which the box `swashbuckle` has points (N5).
    """
    earning = [column for column, sheet in enumerate(state.columns) if earns_bonus(sheet, state.turn.lying)]
    if not earning:
        return state
    words = say("{name} swashbuckles again: bonus {points}", state.name, BONUS)
    sheet = state.columns[earning[0]]
    state = with_sheet(state, state.seat, replace(sheet, marks=sheet.marks + 1), earning[0])
    return state.with_event(EventKind.BONUS, state.seat, BONUS, words)


def _fill(state: State, box: str, points: int) -> State:
    name, seat, column = state.name, state.seat, state.turn.column
    before, title = state.columns[column], state.cell_title(box, column)
    after = before.with_box(box, points)
    state = with_sheet(state, seat, after, column)
    state = replace(state, turn=replace(state.turn, filled=box))
    kind = EventKind.SCUTTLE if not points else EventKind.NEST if box in UPPER else EventKind.BILGE
    scored = message("{name} scores {points}: {box}") if points else message("{name} scuttles {box}")
    state = state.with_event(kind, seat, points, say(scored, name=name, points=points, box=title))
    if after.blimey > before.blimey:
        words = say("{name} earns the blimey bonus of {points}", name, BLIMEY)
        state = state.with_event(EventKind.BLIMEY, seat, BLIMEY, words)
    if after.smooth_sailing:
        words = say("{name} had smooth sailing: {points}", name, SMOOTH_SAILING)
        state = state.with_event(EventKind.SMOOTH_SAILING, seat, SMOOTH_SAILING, words)
    return state


def swashbuckle_outcome(
    before: State, after: State, events: Sequence[GameEvent], faces: Sequence[int | None]
) -> Outcome | None:
    """Return the result of a turn in which a box was filled, or of a throw to decide who begins.

    `None` while no box has been filled in the turn. The result is also `None` if the action called a penalty or
    answered the call (N2).

    Args:
        before: the match before the action.
        after: the match after the action.
        events: the events of the action.
        faces: the final faces of the dice.
    """
    if after.accused is not None or before.accused is not None:
        return None  # a penalty has nothing to do with dice (N2)
    if isinstance(before.step, steps.BoxOrderStep):
        return Outcome((1,), order_words(faces, [event.words for event in events[1:]]))
    cell = _filled_cell(before, after)
    if cell is None:
        return None
    column, box = cell
    score = after.columns_of(before.seat)[column][box] or 0
    title = before.cell_title(box, column)
    if not score:
        return Outcome(words=say("{box} scuttled", title))
    lying = tuple(face or 0 for face in faces)
    words = say("{box}: {points}", title, score)
    return Outcome(_counting(box, score, lying, before.options.values), words)


def _filled_cell(before: State, after: State) -> tuple[int, str] | None:
    """Return the column and the box that were filled in the turn, by the present action or by an earlier one.

    `None` if no box was filled in the turn.
    """
    columns, seat = after.columns_of(before.seat), before.seat
    fresh = [(column, box) for column, box in open_cells(before.columns_of(seat)) if columns[column][box] is not None]
    if fresh:
        return fresh[0]
    return None if before.turn.filled is None else (before.turn.column, before.turn.filled)


def _counting(box: str, score: int, faces: tuple[int, ...], values: Values) -> tuple[int, ...]:
    """Return the dice (1-based) that counted in a box.

    In an upper box, the dice with the box's face count. In `aces-high` with fixed points, the ones count. In
    `succession-4`, one die for each of the four faces counts. In every other box, all dice count. If five alike filled
    any box with its maximum (W5), all dice count too.
    """
    all_dice = tuple(range(1, len(faces) + 1))
    if score != box_points(box, faces, values):
        return all_dice
    if box in UPPER:
        return _showing(faces, 1 + UPPER.index(box))
    if box == "aces-high" and values.aces_high is not None:
        return _showing(faces, ACE)
    if box == "succession-4":
        start = max(face for face in faces if set(range(face, face + FOUR)) <= set(faces))
        return tuple(sorted(faces.index(face) + 1 for face in range(start, start + FOUR)))
    return all_dice


def _showing(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    return tuple(die for die, lying in enumerate(faces, start=1) if lying == face)
