"""What Swashbuckle asks: which options are open in each step (docs/rules/swashbuckle.md, "At the table")."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.common.dice import throws_in_words
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import (
    STAND,
    TAKE_UP,
    THROW_AGAIN,
    Decide,
    KeepAsk,
    Option,
    Over,
    PickAsk,
    Prospect,
    Roll,
    SheetRow,
    Turn,
    offered_option,
)
from captains_table.games.swashbuckle.paper import MINUS, rows
from captains_table.games.swashbuckle.penalties import penalty_question
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import (
    BOXES,
    FOUR,
    HORNSWAGGLE as PRICE,
    PIRACY,
    SCORE,
    SCUTTLE,
    SWASHBUCKLE,
    Scoring,
    cell_id,
    cell_title,
    is_five_alike,
    open_cells,
    piracy_points,
    scoring_cells,
    title_of,
)
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
    MOST_WITHOUT_TIES,
    Choosing,
    Cursing,
    HoldDecision,
    Ordering,
    PiracyFallen,
    Raiding,
    Resting,
    State,
)

THROW_FOR_IT = "throw for it"
RAID, CURSE = "raid-", "curse-"
HORNSWAGGLE = Option("hornswaggle", f"Hornswaggle ({MINUS}{PRICE})", opens_menu=True)  # paid when dice fall
NO_CURSE = Option("no-curse", "No curse")
SCUTTLED_FIRST = (PIRACY, SWASHBUCKLE, "pieces-of-8", "aces-high", "four-alike", "succession-5", "full-boat")
"""Which box a sensible player gives up where nothing scores, those first that are seldom filled."""
Cell = tuple[int, str]  # a column, from 0, and a box


def turn_of(state: State) -> Turn:
    """Return what must happen next in a match; a penalty that was called comes first (N2)."""
    return _turn_of_step(state) if state.accused is None else penalty_question(state, state.accused)


def _turn_of_step(state: State) -> Turn:  # noqa: PLR0911 - one table, one line each
    seat = state.seat
    match state.step:
        case Resting():
            return Decide(seat, _take_up_ask(state))
        case Ordering(thrower=thrower):
            ties = "throw again" if Ordering.ties_throw_again(len(state.seats)) else "do not"
            prompt, then = f"{state.called(thrower)}: throw for the start", f"The highest die begins, tied ones {ties}"
            return Roll(thrower, (1,), at_once=False, prompt=prompt, then=then)
        case Throwing(dice, at_once):
            return Roll(seat, dice, at_once, *_throw_words(state, at_once=at_once))
        case Choosing():
            return Decide(seat, _box_ask(state))
        case HoldDecision(is_hornswaggle):
            return Decide(seat, _keep_ask(state, is_hornswaggle=is_hornswaggle))
        case PiracyFallen():
            return Decide(seat, _piracy_ask(state))
        case Raiding(points):
            return Decide(seat, _raid_ask(state, points))
        case Cursing():
            return Decide(seat, _curse_ask(state))
        case Finished(result):
            return Over(result)


def _throw_words(state: State, *, at_once: bool) -> tuple[str, str]:
    if at_once:
        return "The dice fall", ""
    if state.turn.is_piracy:
        return f"{state.name}: throw for piracy", "All five dice: what they add up to is the booty"
    if len(state.turn.faces) == FOUR:
        return f"{state.name}: cursed! Throw four dice", "Four alike count double; five alike are out of reach"
    return f"{state.name}: throw the dice", f"Up to {MAX_THROWS} throws, then one box of your sheet is filled"


def _keep_ask(state: State, *, is_hornswaggle: bool) -> KeepAsk:
    if is_hornswaggle:
        prompt, then = "Which stay? (hornswaggle)", f"The others are thrown once more, for {PRICE} points"
    else:
        prompt, then = "Which dice stay?", "The others are thrown again"
    return KeepAsk(prompt, state.turn.all_dice, dice_to_keep(state), then)


def _take_up_ask(state: State) -> PickAsk:
    turns = state.turns_left(state.seat)
    prompt = f"{state.name}: take up your sheet"
    then = f"{turns} turns alone; until you do the match rests, and may be left and resumed"
    return PickAsk(prompt, (TAKE_UP.called(f"{state.name} begins"),), TAKE_UP.id, then)


# --- piracy and the curse -------------------------------------------------------------------------------------------


def _piracy_ask(state: State) -> PickAsk:
    prompt = f"{state.name}: piracy of {piracy_points(state.turn.lying)}"
    return PickAsk(prompt, (STAND, HORNSWAGGLE), STAND.id, f"Stand, or throw once more for {PRICE} points")


def _raid_ask(state: State, points: int) -> PickAsk:
    """Ask whom to raid; the cursor starts at whoever has most."""
    seats = raidable(state)
    victims = tuple(Option(f"{RAID}{victim}", f"Raid {words}") for victim, words in _listed(state, seats))
    twice = ", a Captain twice as much" if _captain_among(state, seats) else ""
    then = f"The victim loses {points}{twice}"
    return PickAsk(f"{state.name}: whom do you raid?", victims, f"{RAID}{_leading(state, seats)}", then)


def _captain_among(state: State, seats: Sequence[int]) -> bool:
    return state.options.captain_pillage == "double" and state.options.captain in seats


def _curse_ask(state: State) -> PickAsk:
    """Ask whom to curse, if anybody; in the player's last turn, when there is nothing to save it for, whoever leads."""
    seats = cursable(state)
    victims = tuple(
        Option(f"{CURSE}{victim}", f"Curse {words}{_falls_back(state, victim)}")
        for victim, words in _listed(state, seats)
    )
    hurt = [victim for victim in seats if not state.is_full(victim)]
    left = sum(sheet.cursed is None for sheet in state.columns)
    is_last_chance = bool(hurt) and left > state.turns_left(state.seat)
    default = f"{CURSE}{_leading(state, hurt)}" if is_last_chance else NO_CURSE.id
    often = "Once a match" if state.options.columns == 1 else "Once a column"
    then = f"{often}: whom you name has four dice next turn"
    return PickAsk(f"{state.name}: curse somebody?", (NO_CURSE, *victims), default, then)


def _falls_back(state: State, victim: int) -> str:
    """Return in words that a curse on a finished sheet falls on whoever speaks it (N1); nothing on others."""
    return " (done: you play four dice)" if state.is_full(victim) else ""


def _listed(state: State, seats: Sequence[int]) -> list[tuple[int, str]]:
    """Return these seats and what they are called, clockwise; many of them best first, with what they have (W9)."""
    if len(state.seats) <= MOST_WITHOUT_TIES:
        return [(seat, state.called(seat)) for seat in seats]
    totals = {seat: state.total(seat) for seat in seats}
    ranked = sorted(seats, key=totals.__getitem__, reverse=True)
    return [(seat, f"({totals[seat]}) {state.called(seat)}") for seat in ranked]


def _leading(state: State, seats: Sequence[int]) -> int:
    """Return which of these seats has most, of equals the first."""
    return max(seats, key=state.total)


# --- filling a box --------------------------------------------------------------------------------------------------


def _box_ask(state: State) -> PickAsk:
    left = MAX_THROWS - state.turn.throws
    columns = state.columns
    scorings = scoring_cells(columns, state.turn.lying, state.options.values)
    scores = [_score_option(state, each) for each in scorings]
    scuttles = [
        Option(
            cell_id(SCUTTLE, box, column, columns),
            f"Scuttle {cell_title(box, column, columns)}",
            wasteful=left > 0 or bool(scores),
        )
        for column, box in open_cells(columns)
    ]
    boxes = scores + (scuttles if state.options.voluntary_scuttle or not scores else [])
    if left > 0:
        again = THROW_AGAIN.called(f"Throw again ({left} left)")
        made = next((each for each in scorings if _is_made(state, each)), None)
        default = THROW_AGAIN.id if made is None else cell_id(SCORE, made.box, made.column, columns)
        prompt, then = f"{state.name}: {throws_in_words(left)} left", _left_then(state, made, can_score=bool(scores))
        return PickAsk(prompt, (again, *boxes), default, then)
    cheat = (HORNSWAGGLE,) if state.may_hornswaggle else ()
    prompt = "fill a box" if scores else "nothing scores: scuttle"
    then = "A box is filled for good" if scores else "A scuttled box holds 0 for good"
    more = f"; or throw once more for {PRICE} points" if cheat else ""
    default = boxes[0].id if scores else _least_missed(state)
    return PickAsk(f"{state.name}: {prompt}", (*boxes, *cheat), default, then + more)


def _left_then(state: State, made: Scoring | None, *, can_score: bool) -> str:
    if made is not None:
        return f"Fill {cell_title(made.box, made.column, state.columns)}, or throw again"
    return "Throw again, or fill a box" if can_score else "Throw again, or scuttle a box"


def _is_made(state: State, scoring: Scoring) -> bool:
    """Return whether a box is better filled than risked for another throw, as the exact adviser mostly finds.

    Four in a row are not at risk while the fifth die is thrown for five in a row.
    """
    match scoring.box:
        case "succession-5" | "pieces-of-8" | "swashbuckle" | "piracy":
            return True
        case "succession-4":
            return all(sheet["succession-5"] is not None and sheet[PIRACY] is not None for sheet in state.columns)
        case _:
            return is_five_alike(state.turn.lying)


def _least_missed(state: State) -> str:
    """Return the id of scuttling the open box that is given up with the least regret."""
    cells, columns = open_cells(state.columns), state.columns
    order = (*SCUTTLED_FIRST, *(box for box in BOXES if box not in SCUTTLED_FIRST))
    column, box = min(cells, key=lambda cell: (order.index(cell[1]), cell[0]))
    return cell_id(SCUTTLE, box, column, columns)


def _score_option(state: State, scoring: Scoring) -> Option:
    score = THROW_FOR_IT if scoring.to_be_thrown else str(scoring.points)
    box, column, columns = scoring.box, scoring.column, state.columns
    return Option(cell_id(SCORE, box, column, columns), f"{cell_title(box, column, columns)}: {score}")


def dice_to_keep(state: State) -> tuple[int, ...]:
    """Return the dice a sensible player keeps: four in a row, or else those of the commonest face, the higher of two.

    At least one die falls.
    """
    faces = state.turn.lying
    starts = [face for face in faces if set(range(face, face + FOUR)) <= set(faces)]
    if starts:
        wanted = [faces.index(face) + 1 for face in range(max(starts), max(starts) + FOUR)]
    else:
        counts = Counter(faces)
        commonest = max(counts, key=lambda face: (counts[face], face))
        wanted = [die for die, face in enumerate(faces, start=1) if face == commonest]
    return tuple(sorted(wanted))[: len(faces) - 1]


def rows_with_prospects(state: State) -> Sequence[SheetRow]:
    """Return all sheets side by side, and what the player on turn would get in each open box."""
    found: dict[str, list[Prospect]] = {}
    for (_, box), prospect in _prospects(state).items():
        found.setdefault(title_of(box), []).append(prospect)
    return [replace(row, prospects=tuple(found.get(row.title, ()))) for row in rows(state)]


def _prospects(state: State) -> Mapping[Cell, Prospect]:
    """Return what each open box would take, and by which option; nothing while the dice are not for that."""
    match state.step:
        case PiracyFallen():
            column, turn = state.turn.column, turn_of(state)
            id_ = STAND.id if offered_option(turn, STAND.id) is not None else ""
            return {(column, PIRACY): Prospect(state.seat, str(piracy_points(state.turn.lying)), id_, column)}
        case Choosing() | HoldDecision(hornswaggle=False):
            words, turn = _words(state), turn_of(state)
            return {
                cell: Prospect(state.seat, words.get(cell, "0"), _id(state, turn, cell), cell[0])
                for cell in open_cells(state.columns)
            }
        case _:
            return {}


def _words(state: State) -> Mapping[Cell, str]:
    scorings = scoring_cells(state.columns, state.turn.lying, state.options.values)
    return {(each.column, each.box): THROW_FOR_IT if each.to_be_thrown else str(each.points) for each in scorings}


def _id(state: State, turn: Turn, cell: Cell) -> str:
    """Return the option that fills a box now: by its points, or else by giving it up; empty where none is offered."""
    ids = (cell_id(kind, cell[1], cell[0], state.columns) for kind in (SCORE, SCUTTLE))
    return next((id_ for id_ in ids if offered_option(turn, id_) is not None), "")
