"""The throws and questions of Swashbuckle, the default answers, and the previews of open boxes.

A default answer is what a sensible player would choose.

Source: docs/rules/swashbuckle.md.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from captains_table.games.common.dice import ThrowStep, throws_in_words
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
from captains_table.games.swashbuckle import steps
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
    box_title,
    cell_id,
    is_five_alike,
    open_cells,
    piracy_points,
    scoring_cells,
)
from captains_table.games.swashbuckle.sheet_rendering import MINUS, sheet_rows
from captains_table.games.swashbuckle.state import SWASHBUCKLE_THROWS, State
from captains_table.phrases import message, say

RAID, CURSE = "raid-", "curse-"
HORNSWAGGLE_OPTION = Option(
    "hornswaggle", say("Hornswaggle ({price})", MINUS + str(PRICE)), opens_menu=True
)  # paid with the throw
NO_CURSE = Option("no-curse", say("No curse"))
SCUTTLED_FIRST = (PIRACY, SWASHBUCKLE, "pieces-of-8", "aces-high", "four-alike", "succession-5", "full-boat")
"""The order in which a sensible player scuttles boxes when nothing scores: seldom filled ones first."""


def swashbuckle_turn(state: State) -> Turn:  # noqa: C901, PLR0911 - one table, one line each
    """Return what must happen next in a match; the question about a called penalty comes first (N2)."""
    if state.accused is not None:
        return penalty_question(state, state.accused)
    seat = state.seat
    match state.step:
        case steps.ChallengeRestStep():
            begins = TAKE_UP.called(say("{name} begins", state.name))
            then = say(
                "{count} turns alone; until you do the match rests, and may be left and resumed", state.turns_left(seat)
            )
            prompt = say("{name}: take up your sheet", state.name)
            return Decide(seat, PickAsk(prompt, (begins,), TAKE_UP.id, then))
        case steps.BoxOrderStep(thrower=thrower):
            then = say("The highest die that nobody shares begins")
            if steps.BoxOrderStep.ties_throw_again(len(state.seats)):
                then = say("The highest die begins; those who share it throw again")
            prompt = say("{name}: throw for the start¦{name}: throw to start", state.called(thrower))
            return Roll(thrower, (1,), at_once=False, prompt=prompt, then=then)
        case ThrowStep(dice, at_once):
            return Roll(seat, dice, at_once, *_throw_words(state, at_once=at_once))
        case steps.BoxChoiceStep():
            return Decide(seat, _box_ask(state))
        case steps.BoxHoldStep(is_hornswaggle):
            return Decide(seat, _keep_ask(state, is_hornswaggle=is_hornswaggle))
        case steps.PiracyFallen():
            points = piracy_points(state.turn.lying)
            then = say("Stand, or throw once more for {price} points", PRICE)
            stand = STAND.called(say("Stand with {points}", points))
            prompt = say("{name}: piracy of {points}", state.name, points)
            return Decide(seat, PickAsk(prompt, (stand, HORNSWAGGLE_OPTION), STAND.id, then))
        case steps.Raiding(points):
            return Decide(seat, _raid_ask(state, points))
        case steps.Cursing():
            return Decide(seat, _curse_ask(state))
        case Over() as over:
            return over


def _throw_words(state: State, *, at_once: bool) -> tuple[str, str]:
    name = state.name
    if at_once:
        return say("The dice fall"), ""
    if state.turn.is_piracy:
        return say("{name}: throw for piracy", name), say("All five dice: what they add up to is the booty")
    if len(state.turn.faces) == FOUR:
        then = say("Four alike count double; five alike are out of reach")
        return say("{name}: cursed! Throw four dice", name), then
    then = say("Up to {throws} throws, then one box of your sheet is filled", SWASHBUCKLE_THROWS)
    return say("{name}: throw the dice", name), then


def _keep_ask(state: State, *, is_hornswaggle: bool) -> KeepAsk:
    prompt, then = say("Which dice stay?"), say("The others are thrown again")
    if is_hornswaggle:
        prompt = say("Which stay? (hornswaggle)")
        then = say("The others are thrown once more, for {price} points", PRICE)
    return KeepAsk(prompt, state.turn.all_dice, dice_to_keep(state), then)


# --- raid and curse ---------------------------------------------------------------------------------------------------


def _raid_ask(state: State, points: int) -> PickAsk:
    """Return the question of whom to raid; the default is the possible victim with the highest total."""
    seats = raidable(state)
    victims = tuple(Option(f"{RAID}{victim}", say("Raid {name}", name)) for victim, name in _listed(state, seats))
    is_doubled = state.options.captain_pillage == "double" and state.options.captain in seats
    then = say("The victim loses {points}", points)
    if is_doubled:
        then = say("The victim loses {points}, a Captain twice as much", points)
    prompt = say("{name}: whom do you raid?", state.name)
    return PickAsk(prompt, victims, f"{RAID}{_leading(state, seats)}", then)


def _curse_ask(state: State) -> PickAsk:
    """Return the question of whom to curse; the default is to curse nobody.

    If the player on turn has more unused curses than turns left, the default is to curse a possible victim who still
    has a turn. If several victims still have a turn, it is the one with the highest total.
    """
    seats = cursable(state)
    usual, falls_back = message("Curse {name}"), message("Curse {name} (done: you play four dice)")  # N1
    victims = [
        Option(f"{CURSE}{seat}", say(falls_back if state.is_full(seat) else usual, name=name))
        for seat, name in _listed(state, seats)
    ]
    hurt = [victim for victim in seats if not state.is_full(victim)]
    left = sum(sheet.cursed is None for sheet in state.columns)
    is_last_chance = bool(hurt) and left > state.turns_left(state.seat)
    default = f"{CURSE}{_leading(state, hurt)}" if is_last_chance else NO_CURSE.id
    then = say("Once a match: whom you name has four dice next turn")
    if state.options.columns > 1:
        then = say("Once a column: whom you name has four dice next turn")
    return PickAsk(say("{name}: curse somebody?", state.name), (NO_CURSE, *victims), default, then)


def _listed(state: State, seats: Sequence[int]) -> list[tuple[int, str]]:
    """Return the seats with their names, in the given order in a match of at most eight players.

    With more than eight players, the seats are sorted by their totals, the highest first. The total then precedes each
    name (W9).
    """
    if len(state.seats) <= steps.MOST_WITHOUT_TIES:
        return [(seat, state.called(seat)) for seat in seats]
    totals = {seat: state.total(seat) for seat in seats}
    ranked = sorted(seats, key=totals.__getitem__, reverse=True)
    return [(seat, f"({totals[seat]}) {state.called(seat)}") for seat in ranked]


def _leading(state: State, seats: Sequence[int]) -> int:
    """Return the seat with the highest total among some seats; if several have that total, the first of them."""
    return max(seats, key=state.total)


# --- filling a box --------------------------------------------------------------------------------------------------


def _box_ask(state: State) -> PickAsk:
    left = SWASHBUCKLE_THROWS - state.turn.throws
    columns = state.columns
    scorings = scoring_cells(columns, state.turn.lying, state.options.values)
    scores = [
        Option(
            cell_id(SCORE, each.box, each.column, columns),
            say("{box}: {points}", state.cell_title(each.box, each.column), each.words),
        )
        for each in scorings
    ]
    is_wasteful = left > 0 or bool(scores)
    scuttles = [
        Option(
            cell_id(SCUTTLE, box, column, columns),
            say("Scuttle {box}", state.cell_title(box, column)),
            wasteful=is_wasteful,
        )
        for column, box in open_cells(columns)
    ]
    boxes = scores + (scuttles if state.options.voluntary_scuttle or not scores else [])
    if left > 0:
        again = THROW_AGAIN.called(say("Throw again ({count} left)", left))
        made = next((each for each in scorings if _is_made(state, each)), None)
        default = THROW_AGAIN.id if made is None else cell_id(SCORE, made.box, made.column, columns)
        prompt = say("{name}: {throws} left", state.name, throws_in_words(left))
        return PickAsk(prompt, (again, *boxes), default, _left_then(state, made, can_score=bool(scores)))
    cheat = (HORNSWAGGLE_OPTION,) if state.may_hornswaggle else ()
    default = boxes[0].id if scores else _least_missed(state)
    question, result = message("{name}: fill a box"), message("A box is filled for good")
    if cheat:
        result = message("A box is filled for good; or throw once more for {price} points")
    if not scores:
        question, result = message("{name}: nothing scores: scuttle"), message("A scuttled box holds 0 for good")
        if cheat:
            result = message("A scuttled box holds 0 for good; or throw once more for {price} points")
    return PickAsk(say(question, name=state.name), (*boxes, *cheat), default, say(result, price=PRICE))


def _left_then(state: State, made: Scoring | None, *, can_score: bool) -> str:
    if made is not None:
        return say("Fill {box}, or throw again", state.cell_title(made.box, made.column))
    return say("Throw again, or fill a box") if can_score else say("Throw again, or scuttle a box")


def _is_made(state: State, scoring: Scoring) -> bool:
    """Return whether to propose filling a box instead of throwing again.

    Piracy, pieces of 8, the succession of 5, and any box for five alike are proposed. The succession of 4 is proposed
    only if the succession of 5 and piracy are filled in all columns. Otherwise it is better to throw the fifth die
    again, which risks nothing since the other four stay.
    """
    match scoring.box:
        case "succession-5" | "pieces-of-8" | "swashbuckle" | "piracy":
            return True
        case "succession-4":
            return all(sheet["succession-5"] is not None and sheet[PIRACY] is not None for sheet in state.columns)
        case _:
            return is_five_alike(state.turn.lying)


def _least_missed(state: State) -> str:
    """Return the id of the option to scuttle the open box that a sensible player would miss least.

    It is the first open box in the order of `SCUTTLED_FIRST`. If all of those are filled, it is the first open box in
    the sheet's order.
    """
    order = (*SCUTTLED_FIRST, *BOXES)
    column, box = min(open_cells(state.columns), key=lambda cell: (order.index(cell[1]), cell[0]))
    return cell_id(SCUTTLE, box, column, state.columns)


def dice_to_keep(state: State) -> tuple[int, ...]:
    """Return the dice (1-based) that a sensible player keeps.

    These are four in a row if there are any, otherwise all dice with the most common face (with the highest of equally
    common faces). At least one die is always left to be thrown.
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
    """Return the rows of all sheets side by side, with a preview of each open box of the player on turn."""
    found = defaultdict[str, list[Prospect]](list)
    for box, prospect in _prospects(state):
        found[box_title(box)].append(prospect)
    return [replace(row, prospects=tuple(found[row.title])) for row in sheet_rows(state)]


def _prospects(state: State) -> Iterator[tuple[str, Prospect]]:
    """Yield the open boxes of the player on turn, each with its preview.

    While the player chooses a box, or the dice to keep for a normal throw, all open boxes are yielded. After the throw
    for piracy, only the box `piracy` is yielded. Otherwise no box is yielded, not even while the player chooses the
    dice to keep for the extra throw (hornswaggle).
    """
    match state.step:
        case steps.PiracyFallen():
            stands = offered_option(swashbuckle_turn(state), STAND.id) is not None
            words = str(piracy_points(state.turn.lying))
            yield PIRACY, Prospect(state.seat, words, STAND.id if stands else "", state.turn.column)
        case steps.BoxChoiceStep() | steps.BoxHoldStep(hornswaggle=False):
            turn, columns = swashbuckle_turn(state), state.columns
            scorings = scoring_cells(columns, state.turn.lying, state.options.values)
            takes = {(each.column, each.box): each.words for each in scorings}
            for column, box in open_cells(columns):
                ids = (cell_id(kind, box, column, columns) for kind in (SCORE, SCUTTLE))
                offered = next((id_ for id_ in ids if offered_option(turn, id_) is not None), "")
                yield box, Prospect(state.seat, takes.get((column, box), "0"), offered, column)
