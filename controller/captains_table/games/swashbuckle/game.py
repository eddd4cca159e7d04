"""The game class of Swashbuckle: a state machine, with all transitions in `Swashbuckle.apply`.

The module decides who begins, and carries out throws. It leaves boxes, raids and curses to `scoring`, penalties to
`penalties`, and questions to `asks`. It also returns what displays and records need: dice, headings, scores and sheets.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.common.dice import PARTY, ThrowStep, check_faces, lying, thrown_dice
from captains_table.games.common.latest_events import events_between
from captains_table.games.contract import (
    THROW_AGAIN,
    Action,
    Die,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Keep,
    Option,
    Outcome,
    Over,
    Pick,
    Rolled,
    SheetRow,
    Turn,
    check_names,
    check_offered,
)
from captains_table.games.swashbuckle import asks, penalties, scoring, sheet_rendering, steps
from captains_table.games.swashbuckle.meanings import CARDS, MEANINGS
from captains_table.games.swashbuckle.options import SWASHBUCKLE_OPTIONS, parse_swashbuckle_options
from captains_table.games.swashbuckle.ranks import earned_rank
from captains_table.games.swashbuckle.sheet import BOXES, SCORE, Sheet, read_cell
from captains_table.games.swashbuckle.state import SWASHBUCKLE_THROWS, State
from captains_table.phrases import say


class Swashbuckle(Game[State]):
    """The rules of Swashbuckle (docs/rules/swashbuckle.md)."""

    key = "swashbuckle"
    title = say("Swashbuckle")
    seats = PARTY
    options = SWASHBUCKLE_OPTIONS
    meanings = MEANINGS
    cards = CARDS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match.

        With challenge sheets, the player named first begins (N1). Without challenge sheets, the Captain begins (W1).
        Without a Captain, the player named first begins if the option `order` is `seated` or nobody else plays. In all
        other matches, a throw decides who begins.

        Raises:
            BadOption: an option is unknown or invalid, or there are not 1 to 32 different valid names.
        """
        check_names(seats, self.seats)
        parsed = parse_swashbuckle_options(options, seats)
        state = State(parsed, tuple(seats), steps.BoxOrderStep(), (Sheet(),) * (len(seats) * parsed.columns))
        if parsed.captain is not None and not parsed.challenge:
            return scoring.begin_turn_of(state, parsed.captain)
        nobody_throws = parsed.order == "seated" or parsed.challenge or len(seats) == 1
        return scoring.begin_turn_of(state, 0) if nobody_throws else state

    def names(self, state: State) -> Sequence[str]:
        """Return the names that the players entered, not the pirate names of the game, in seat order."""
        return state.seats

    def turn(self, state: State) -> Turn:
        return asks.swashbuckle_turn(state)

    def apply(self, state: State, action: Action) -> State:
        fresh = replace(state, latest_events=())
        if isinstance(action, Pick) and any(action.id == call.id for call in penalties.penalty_calls(state)):
            return penalties.accuse(fresh, action)
        if state.accused is not None:
            return penalties.answer(fresh, state.accused, action)
        fresh = replace(fresh, spared=frozenset())
        match state.step, action:
            case steps.BoxOrderStep() as ordering, Rolled(faces):
                return _order_fell(fresh, ordering, faces)
            case ThrowStep(dice), Rolled(faces):
                return _dice_fell(fresh, dice, faces)
            case steps.BoxHoldStep(is_hornswaggle), Keep(kept):
                falling = thrown_dice(kept, state.turn.all_dice, len(state.turn.faces))
                paid = scoring.hornswaggle(fresh) if is_hornswaggle else fresh
                return replace(paid, step=ThrowStep(falling, at_once=True))
            case Over(), _:
                raise IllegalAction(say("the match is over"))
            case step, Pick(id_):
                check_offered(self.turn(state), id_)
                return _picked(fresh, step, id_)
            case _:
                raise IllegalAction(say("{action} is no answer to what is asked", str(action)))

    def calls(self, state: State) -> Sequence[Option]:
        """Return the options to call a penalty, which any player may pick at any time (N2)."""
        return penalties.penalty_calls(state)

    def dice(self, state: State) -> Sequence[Die]:
        """Return the dice of the turn, four under a curse; a single die while players throw to decide who begins."""
        turn = state.turn
        if isinstance(state.step, steps.BoxOrderStep):
            return [Die(None, throws_left=1)]
        may_throw = isinstance(state.step, ThrowStep | steps.BoxChoiceStep | steps.BoxHoldStep)
        left = SWASHBUCKLE_THROWS - turn.throws if may_throw else 0
        return [
            Die(face, held=face is not None and die not in turn.fell_last, throws_left=max(0, left))
            for die, face in zip(turn.all_dice, turn.faces, strict=True)
        ]

    def outcome(self, before: State, after: State, faces: Sequence[int | None]) -> Outcome | None:
        """Return the result of a finished turn, or of a throw to decide who begins.

        The result of a turn tells which box was filled and which dice counted for it. Return `None` while the turn has
        filled no box, and for actions that concern penalties (N2).
        """
        return scoring.swashbuckle_outcome(before, after, events_between(before, after), faces)

    def score(self, state: State) -> Sequence[int]:
        """Return each seat's total plunder."""
        return [state.total(seat) for seat in range(len(state.seats))]

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each seat's crow's nest tally, bilge tally and total plunder."""
        return [sheet_rendering.sheet_tallies(state.columns_of(seat)) for seat in range(len(state.seats))]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        return events_between(before, after)

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return say("highest total wins")

    def heading(self, state: State) -> str:
        """Return the number of the turn of the player on turn, and how many turns each player has.

        Outside of turns, the heading says that the table waits for a player (N1), that the players throw to decide who
        begins, or that the match is over.
        """
        match state.step:
            case Over():
                return say("The match is over")
            case steps.BoxOrderStep():
                return say("Who begins?")
            case steps.ChallengeRestStep():
                return say("Waiting for {name}", state.name)
            case step:
                is_filled, turns = isinstance(step, steps.Raiding | steps.Cursing), len(BOXES) * state.options.columns
                filled = turns - state.turns_left(state.seat)
                turn = filled if is_filled else filled + 1
                return say("Turn {turn} of {turns}¦Turn {turn}/{turns}", turn, turns)

    def sheet(self, state: State) -> Sequence[SheetRow]:
        """Return the rows of all sheets side by side, with previews of the open boxes."""
        return asks.rows_with_prospects(state)

    def titles(self, state: State) -> Sequence[str]:
        """Return each seat's displayed name if it differs from the entered name, else an empty text.

        The displayed name differs if the player has a pirate name (N2) or has earned the name Davy Jones. If a
        different player earns this name, a player already called Davy Jones is displayed as Davy's Ghost (W6).
        """
        called = [state.called(seat) for seat in range(len(state.seats))]
        return [title if title != name else "" for title, name in zip(called, state.seats, strict=True)]

    def details(self, state: State) -> Mapping[str, object]:
        """Return every sheet as JSON values and, after the end, the ranks earned; both are keyed by the entered names.

        With several columns each player has a list of sheets, one for each column, and earns no rank (N5).
        """
        sheets = {name: sheet_rendering.values(state, seat) for seat, name in enumerate(state.seats)}
        earns = isinstance(state.step, Over) and state.options.columns == 1
        ranks = {name: str(earned_rank(state.total(seat))) for seat, name in enumerate(state.seats)} if earns else {}
        return {"sheets": sheets, "ranks": ranks}


# --- who begins -----------------------------------------------------------------------------------------------------


def _order_fell(state: State, ordering: steps.BoxOrderStep, faces: tuple[int, ...]) -> State:
    """Return the match after one player's throw to decide who begins.

    When all players have thrown, the player with the highest throw begins. With at most eight players, equal throws do
    not count; if every throw equals another one, all players throw again (W1). With more players, equal throws count;
    if several players share the highest throw, only these players throw again (W9).
    """
    check_faces(faces, 1)
    thrown, thrower = (*ordering.thrown, *faces), ordering.thrower
    words = say("{name} throws {sum}", state.called(thrower), faces[0])
    state = state.with_event(EventKind.ORDER, thrower, 0, words)
    throwers = ordering.among or tuple(range(len(state.seats)))
    if len(thrown) < len(throwers):
        return replace(state, step=steps.BoxOrderStep(thrown, ordering.among))
    if ordering.ties_throw_again(len(state.seats)):
        highest = tuple(seat for seat, face in zip(throwers, thrown, strict=True) if face == max(thrown))
        if len(highest) == 1:
            return _starts(state, highest[0])
        words = say("{count} threw highest and throw again", len(highest))
        return replace(state.with_event(EventKind.ORDER, highest[0], 0, words), step=steps.BoxOrderStep(among=highest))
    single = [face for face in thrown if thrown.count(face) == 1]
    if not single:
        tied = replace(state, step=steps.BoxOrderStep())
        return tied.with_event(EventKind.ORDER, thrower, 0, say("All are tied and throw again"))
    return _starts(state, thrown.index(max(single)))


def _starts(state: State, starter: int) -> State:
    state = state.with_event(EventKind.ORDER, starter, 0, say("{name} begins", state.called(starter)))
    return scoring.begin_turn_of(state, starter)


# --- a turn ---------------------------------------------------------------------------------------------------------


def _picked(state: State, step: steps.SwashbuckleStep, id_: str) -> State:  # noqa: PLR0911 - one table, one line each
    """Return the match after the player picked one of the options that the step offers."""
    match step, id_:
        case steps.ChallengeRestStep(), _:
            return scoring.begin_turn_of(state, state.seat)
        case _, THROW_AGAIN.id:
            return replace(state, step=steps.BoxHoldStep())
        case _, asks.HORNSWAGGLE_OPTION.id:
            return replace(state, step=steps.BoxHoldStep(hornswaggle=True))
        case steps.PiracyFallen(), _:
            return scoring.settle_piracy(state)
        case steps.Raiding(points), _:
            return scoring.raid(state, int(id_.removeprefix(asks.RAID)), points)
        case _, asks.NO_CURSE.id:
            return scoring.go_to_next_turn(state)
        case steps.Cursing(), _:
            return scoring.curse(state, int(id_.removeprefix(asks.CURSE)))
        case _:
            box, column = read_cell(id_, state.columns)
            fill = scoring.score if id_.startswith(SCORE) else scoring.scuttle
            return fill(state, box, column)


def _dice_fell(state: State, dice: tuple[int, ...], faces: tuple[int, ...]) -> State:
    check_faces(faces, len(dice))
    turn = state.turn
    throws = turn.throws if turn.is_piracy else turn.throws + 1
    state = replace(state, turn=replace(turn, faces=lying(turn.faces, dice, faces), throws=throws, fell_last=dice))
    if not turn.is_piracy:
        return replace(state, step=steps.BoxChoiceStep())
    return replace(state, step=steps.PiracyFallen()) if state.may_hornswaggle else scoring.settle_piracy(state)  # W6
