"""What Swashbuckle asks: which options are open in each step (docs/rules/swashbuckle.md, "At the table")."""

from collections import Counter
from collections.abc import Sequence

from captains_table.games.common.dice import throws_in_words
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import STAND, THROW_AGAIN, Decide, KeepAsk, Option, Over, PickAsk, Roll, Turn
from captains_table.games.swashbuckle.boxes import FOUR, PIRACY, SWASHBUCKLE, is_five_alike, piracy_points, title_of
from captains_table.games.swashbuckle.paper import MINUS
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import HORNSWAGGLE as PRICE
from captains_table.games.swashbuckle.sheet import Scoring, scoring_boxes
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
    MOST_WITHOUT_TIES,
    Choosing,
    Cursing,
    HoldDecision,
    Ordering,
    PiracyFallen,
    Raiding,
    State,
)

THROW_FOR_IT = "throw for it"
SCORE, SCUTTLE, RAID, CURSE = "score-", "scuttle-", "raid-", "curse-"
HORNSWAGGLE = Option("hornswaggle", f"Hornswaggle ({MINUS}{PRICE})", opens_menu=True)  # paid when dice fall
NO_CURSE = Option("no-curse", "No curse")
SCUTTLED_FIRST = (PIRACY, SWASHBUCKLE, "pieces-of-8", "aces-high", "four-alike", "succession-5", "full-boat")
"""Which box a sensible player gives up where nothing scores, those first that are seldom filled."""


def turn_of(state: State) -> Turn:  # noqa: PLR0911 - one table, one line each
    """Return what must happen next in a match."""
    seat = state.seat
    match state.step:
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
    victims = tuple(Option(f"{CURSE}{victim}", f"Curse {words}") for victim, words in _listed(state, seats))
    default = f"{CURSE}{_leading(state, seats)}" if state.sheet.is_full else NO_CURSE.id
    then = "Once a match: whom you name has four dice next turn"
    return PickAsk(f"{state.name}: curse somebody?", (NO_CURSE, *victims), default, then)


def _listed(state: State, seats: Sequence[int]) -> list[tuple[int, str]]:
    """Return these seats and what they are called, clockwise; many of them best first, with what they have (W9)."""
    if len(state.seats) <= MOST_WITHOUT_TIES:
        return [(seat, state.called(seat)) for seat in seats]
    ranked = sorted(seats, key=lambda seat: -state.sheets[seat].total)
    return [(seat, f"({state.sheets[seat].total}) {state.called(seat)}") for seat in ranked]


def _leading(state: State, seats: Sequence[int]) -> int:
    """Return which of these seats has most, of equals the first."""
    return max(seats, key=lambda seat: state.sheets[seat].total)


# --- filling a box --------------------------------------------------------------------------------------------------


def _box_ask(state: State) -> PickAsk:
    left = MAX_THROWS - state.turn.throws
    scorings = scoring_boxes(state.sheet, state.turn.lying, state.options.values)
    scores = [_score_option(each) for each in scorings]
    scuttles = [Option(f"{SCUTTLE}{box}", f"Scuttle {title_of(box)}") for box in state.sheet.open_boxes()]
    boxes = scores + (scuttles if state.options.voluntary_scuttle or not scores else [])
    if left > 0:
        again = THROW_AGAIN.called(f"Throw again ({left} left)")
        made = next((each for each in scorings if _is_made(state, each)), None)
        default = THROW_AGAIN.id if made is None else f"{SCORE}{made.box}"
        prompt, then = f"{state.name}: {throws_in_words(left)} left", _left_then(made, can_score=bool(scores))
        return PickAsk(prompt, (again, *boxes), default, then)
    cheat = () if state.sheet.hornswaggled else (HORNSWAGGLE,)
    prompt = "fill a box" if scores else "nothing scores: scuttle"
    then = "A box is filled for good" if scores else "A scuttled box holds 0 for good"
    more = f"; or throw once more for {PRICE} points" if cheat else ""
    default = boxes[0].id if scores else f"{SCUTTLE}{_least_missed(state)}"
    return PickAsk(f"{state.name}: {prompt}", (*boxes, *cheat), default, then + more)


def _left_then(made: Scoring | None, *, can_score: bool) -> str:
    if made is not None:
        return f"Fill {title_of(made.box)}, or throw again"
    return "Throw again, or fill a box" if can_score else "Throw again, or scuttle a box"


def _is_made(state: State, scoring: Scoring) -> bool:
    """Return whether a box is better filled than risked for another throw, as the exact adviser mostly finds.

    Four in a row are not at risk while the fifth die is thrown for five in a row.
    """
    match scoring.box:
        case "succession-5" | "pieces-of-8" | "swashbuckle" | "piracy":
            return True
        case "succession-4":
            return state.sheet["succession-5"] is not None and state.sheet["piracy"] is not None
        case _:
            return is_five_alike(state.turn.lying)


def _least_missed(state: State) -> str:
    """Return which open box is scuttled with the least regret."""
    open_boxes = state.sheet.open_boxes()
    return next((box for box in SCUTTLED_FIRST if box in open_boxes), open_boxes[0])


def _score_option(scoring: Scoring) -> Option:
    score = THROW_FOR_IT if scoring.to_be_thrown else str(scoring.points)
    return Option(f"{SCORE}{scoring.box}", f"{title_of(scoring.box)}: {score}")


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
