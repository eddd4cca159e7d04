"""Swashbuckle as a state machine: `Swashbuckle.apply` is the one table of what each step accepts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.common.dice import PARTY, check_faces, lying, thrown_dice
from captains_table.games.common.latest_events import emit, events_between
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import (
    THROW_AGAIN,
    Action,
    Die,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Keep,
    Outcome,
    Pick,
    Rolled,
    SheetRow,
    Turn,
    check_names,
    check_offered,
)
from captains_table.games.swashbuckle import asks, paper, scoring
from captains_table.games.swashbuckle.boxes import BOXES
from captains_table.games.swashbuckle.outcome import outcome_of
from captains_table.games.swashbuckle.prospects import rows_with_prospects
from captains_table.games.swashbuckle.ranks import rank_of
from captains_table.games.swashbuckle.sheet import Sheet
from captains_table.games.swashbuckle.state import (
    MAX_THROWS,
    OPTIONS,
    Choosing,
    Cursing,
    HoldDecision,
    Ordering,
    PiracyFallen,
    Raiding,
    State,
    parse_options,
)


class Swashbuckle(Game[State]):
    """The rules of Swashbuckle (docs/rules/swashbuckle.md)."""

    key = "swashbuckle"
    title = "Swashbuckle"
    seats = PARTY
    options = OPTIONS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match; who is Captain or plays alone begins without throwing for it (W1).

        Raises:
            BadOption: an option is unknown or unusable, or the names are not 1 to 32 different ones.
        """
        check_names(seats, self.seats)
        parsed = parse_options(options, seats)
        state = State(parsed, tuple(seats), Ordering(), tuple(Sheet() for _ in seats))
        if parsed.captain is not None:
            return _begin(state, parsed.captain)
        return _begin(state, 0) if parsed.seated or len(seats) == 1 else state

    def names(self, state: State) -> Sequence[str]:
        """Return the players in seat order, by the names they entered."""
        return state.seats

    def turn(self, state: State) -> Turn:
        """Return what must happen next."""
        return asks.turn_of(state)

    def apply(self, state: State, action: Action) -> State:  # noqa: PLR0911 - one table, one line each
        """Return the state after an action; raises IllegalAction and changes nothing."""
        fresh = replace(state, latest_events=())
        match state.step, action:
            case Ordering() as ordering, Rolled(faces):
                return _order_fell(fresh, ordering, faces)
            case Throwing(dice), Rolled(faces):
                return _dice_fell(fresh, dice, faces)
            case Choosing(), Pick(id_):
                check_offered(self.turn(state), id_)
                return _fill_or_throw(fresh, id_)
            case HoldDecision(is_hornswaggle), Keep(kept):
                falling = thrown_dice(kept, state.turn.all_dice, len(state.turn.faces))
                paid = scoring.hornswaggle(fresh) if is_hornswaggle else fresh
                return replace(paid, step=Throwing(falling, at_once=True))
            case PiracyFallen(), Pick(id_):
                check_offered(self.turn(state), id_)
                is_hornswaggle = id_ == asks.HORNSWAGGLE.id
                return (
                    replace(fresh, step=HoldDecision(hornswaggle=True))
                    if is_hornswaggle
                    else scoring.settle_piracy(fresh)
                )
            case Raiding(points), Pick(id_):
                check_offered(self.turn(state), id_)
                return scoring.raid(fresh, int(id_.removeprefix(asks.RAID)), points)
            case Cursing(), Pick(id_):
                check_offered(self.turn(state), id_)
                is_spared = id_ == asks.NO_CURSE.id
                return scoring.end_turn(fresh) if is_spared else scoring.curse(fresh, int(id_.removeprefix(asks.CURSE)))
            case Finished(), _:
                raise IllegalAction("the match is over")
            case _:
                raise IllegalAction(f"{action} is no answer to what is asked")

    def dice(self, state: State) -> Sequence[Die]:
        """Return the dice of the turn, four under a curse; one while they throw for the start."""
        turn = state.turn
        if isinstance(state.step, Ordering):
            return [Die(None, throws_left=1)]
        left = MAX_THROWS - turn.throws if isinstance(state.step, Throwing | Choosing | HoldDecision) else 0
        return [
            Die(face, held=face is not None and die not in turn.fell_last, throws_left=max(0, left))
            for die, face in zip(turn.all_dice, turn.faces, strict=True)
        ]

    def outcome(self, before: State, after: State, faces: Sequence[int | None]) -> Outcome | None:
        """Return the box a turn filled and the dice it counted, or what a throw for the start decided."""
        return outcome_of(before, after, events_between(before, after), faces)

    def score(self, state: State) -> Sequence[int]:
        """Return each seat's total plunder."""
        return [sheet.total for sheet in state.sheets]

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each seat's crow's nest tally, bilge tally and total plunder."""
        return [{"nest": sheet.nest, "bilge": sheet.bilge, "total": sheet.total} for sheet in state.sheets]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        """Return what the one action between two states scored or changed."""
        return events_between(before, after)

    def heading(self, state: State) -> str:
        """Return which of the sixteen turns we are in."""
        match state.step:
            case Finished():
                return "The match is over"
            case Ordering():
                return "Who begins?"
            case step:
                is_filled = isinstance(step, Raiding | Cursing)
                filled = len(BOXES) - len(state.sheet.open_boxes())
                return f"Turn {filled if is_filled else filled + 1} of {len(BOXES)}"

    def sheet(self, state: State) -> Sequence[SheetRow]:
        """Return the whole sheets, side by side, and what each open box would take of the dice as they lie."""
        return rows_with_prospects(state)

    def titles(self, state: State) -> Sequence[str]:
        """Return what displays call a player who is Davy Jones now, or was (W6)."""
        called = [state.called(seat) for seat in range(len(state.seats))]
        return [title if title != name else "" for title, name in zip(called, state.seats, strict=True)]

    def details(self, state: State) -> Mapping[str, object]:
        """Return every sheet as plain values, by the players' entered names, and in the end the ranks earned."""
        sheets = {name: paper.values(state, seat) for seat, name in enumerate(state.seats)}
        is_over = isinstance(state.step, Finished)
        totals = zip(state.seats, state.sheets, strict=True)
        return {"sheets": sheets, "ranks": {name: rank_of(sheet.total) for name, sheet in totals} if is_over else {}}


# --- who begins -----------------------------------------------------------------------------------------------------


def _begin(state: State, starter: int) -> State:
    return replace(state, seat=starter, step=Throwing(state.turn.all_dice))


def _order_fell(state: State, ordering: Ordering, faces: tuple[int, ...]) -> State:
    """Return the match after a throw for the start: the highest begins, tied players count 0 (W1).

    Where so many throw that ties would leave nobody, those who threw highest throw again instead (W9).
    """
    check_faces(faces, 1)
    thrown, thrower = (*ordering.thrown, *faces), ordering.thrower
    state = emit(state, GameEvent(EventKind.ORDER, thrower, 0, f"{state.called(thrower)} throws {faces[0]}"))
    throwers = ordering.among or tuple(range(len(state.seats)))
    if len(thrown) < len(throwers):
        return replace(state, step=replace(ordering, thrown=thrown))
    if ordering.ties_throw_again(len(state.seats)):
        highest = tuple(seat for seat, face in zip(throwers, thrown, strict=True) if face == max(thrown))
        return _starts(state, highest[0]) if len(highest) == 1 else _throw_it_out(state, highest)
    counts = Counter(thrown)
    single = [face for face in thrown if counts[face] == 1]
    if not single:
        return emit(
            replace(state, step=Ordering()), GameEvent(EventKind.ORDER, thrower, 0, "All are tied and throw again")
        )
    return _starts(state, thrown.index(max(single)))


def _starts(state: State, starter: int) -> State:
    return _begin(emit(state, GameEvent(EventKind.ORDER, starter, 0, f"{state.called(starter)} begins")), starter)


def _throw_it_out(state: State, highest: tuple[int, ...]) -> State:
    words = f"{len(highest)} threw highest and throw again"
    return replace(emit(state, GameEvent(EventKind.ORDER, highest[0], 0, words)), step=Ordering(among=highest))


# --- a turn ---------------------------------------------------------------------------------------------------------


def _fill_or_throw(state: State, id_: str) -> State:
    if id_ == THROW_AGAIN.id:
        return replace(state, step=HoldDecision())
    if id_ == asks.HORNSWAGGLE.id:
        return replace(state, step=HoldDecision(hornswaggle=True))
    if id_.startswith(asks.SCORE):
        return scoring.score(state, id_.removeprefix(asks.SCORE))
    return scoring.scuttle(state, id_.removeprefix(asks.SCUTTLE))


def _dice_fell(state: State, dice: tuple[int, ...], faces: tuple[int, ...]) -> State:
    check_faces(faces, len(dice))
    turn = state.turn
    throws = turn.throws if turn.is_piracy else turn.throws + 1
    state = replace(state, turn=replace(turn, faces=lying(turn.faces, dice, faces), throws=throws, fell_last=dice))
    return scoring.piracy_fell(state) if turn.is_piracy else replace(state, step=Choosing())
