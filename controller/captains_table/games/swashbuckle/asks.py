"""What Swashbuckle asks: which options are open in each step (docs/rules/swashbuckle.md, "At the table")."""

from collections import Counter

from captains_table.games.common.dice import throws_in_words
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import STAND, THROW_AGAIN, Decide, KeepAsk, Option, Over, PickAsk, Roll, Turn
from captains_table.games.swashbuckle.boxes import FOUR, piracy_points, title_of
from captains_table.games.swashbuckle.paper import MINUS
from captains_table.games.swashbuckle.scoring import cursable, raidable
from captains_table.games.swashbuckle.sheet import HORNSWAGGLE as PRICE
from captains_table.games.swashbuckle.sheet import Scoring, scoring_boxes
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
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


def turn_of(state: State) -> Turn:  # noqa: PLR0911 - one table, one line each
    """Return what must happen next in a match."""
    seat = state.seat
    match state.step:
        case Ordering(thrown):
            thrower = len(thrown)
            return Roll(thrower, (1,), at_once=False, prompt=f"{state.called(thrower)}: throw for the start")
        case Throwing(dice, at_once):
            return Roll(seat, dice, at_once, _throw_prompt(state, at_once=at_once))
        case Choosing():
            return Decide(seat, _box_ask(state))
        case HoldDecision(is_hornswaggle):
            prompt = "Which stay? (hornswaggle)" if is_hornswaggle else "Which dice stay?"
            return Decide(seat, KeepAsk(prompt, state.turn.all_dice, dice_to_keep(state)))
        case PiracyFallen():
            prompt = f"{state.name}: piracy of {piracy_points(state.turn.lying)}"
            return Decide(seat, PickAsk(prompt, (STAND, HORNSWAGGLE), STAND.id))
        case Raiding():
            victims = tuple(Option(f"{RAID}{victim}", f"Raid {state.called(victim)}") for victim in raidable(state))
            return Decide(seat, PickAsk(f"{state.name}: whom do you raid?", victims, victims[0].id))
        case Cursing():
            victims = tuple(Option(f"{CURSE}{victim}", f"Curse {state.called(victim)}") for victim in cursable(state))
            prompt = f"{state.name}: curse somebody?"
            return Decide(seat, PickAsk(prompt, (NO_CURSE, *victims), NO_CURSE.id))
        case Finished(result):
            return Over(result)


def _throw_prompt(state: State, *, at_once: bool) -> str:
    if at_once:
        return "The dice fall"
    if state.turn.is_piracy:
        return f"{state.name}: throw for piracy"
    is_cursed = len(state.turn.faces) == FOUR
    return f"{state.name}: cursed! Throw four dice" if is_cursed else f"{state.name}: throw the dice"


# --- filling a box --------------------------------------------------------------------------------------------------


def _box_ask(state: State) -> PickAsk:
    left = MAX_THROWS - state.turn.throws
    scores = [_score_option(each) for each in scoring_boxes(state.sheet, state.turn.lying, state.options.values)]
    scuttles = [Option(f"{SCUTTLE}{box}", f"Scuttle {title_of(box)}") for box in state.sheet.open_boxes()]
    boxes = scores + (scuttles if state.options.voluntary_scuttle or not scores else [])
    if left > 0:
        again = THROW_AGAIN.called(f"Throw again ({left} left)")
        return PickAsk(f"{state.name}: {throws_in_words(left)} left", (again, *boxes), THROW_AGAIN.id)
    cheat = () if state.sheet.hornswaggled else (HORNSWAGGLE,)
    prompt = "fill a box" if scores else "nothing scores: scuttle"
    return PickAsk(f"{state.name}: {prompt}", (*boxes, *cheat), boxes[0].id)


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
