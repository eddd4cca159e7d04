"""Ship, Captain and Crew as a state machine: `ShipCaptainCrew.apply` is the one table of what each step accepts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.common.dice import (
    PARTY,
    check_faces,
    crew_words,
    lying,
    thrown_dice,
    throws_in_words,
    worth_keeping,
)
from captains_table.games.common.latest_events import events_between
from captains_table.games.common.option_values import as_declared
from captains_table.games.common.steps import Finished, Throwing
from captains_table.games.contract import (
    STAND,
    THROW_AGAIN,
    Action,
    Decide,
    Die,
    Game,
    GameEvent,
    IllegalAction,
    Keep,
    KeepAsk,
    Outcome,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    Slot,
    Turn,
    check_names,
    check_offered,
    read_options,
)
from captains_table.games.ship_captain_crew import rounds
from captains_table.games.ship_captain_crew.state import (
    BERTHS,
    DICE,
    MAX_THROWS,
    OPTIONS,
    WANTED,
    Choosing,
    HoldDecision,
    Options,
    Ordering,
    State,
    TurnInHand,
    board,
)

CARGO_AGAIN = THROW_AGAIN.called("Throw the cargo again")
FAIR_CARGO = 7  # what two dice bring on average
GOOD_CARGO = 8  # what they bring if they may be thrown twice: 7.97


class ShipCaptainCrew(Game[State]):
    """The rules of Ship, Captain and Crew (docs/rules/ship-captain-crew.md)."""

    key = "ship-captain-crew"
    title = "Ship, Captain and Crew"
    seats = PARTY
    options = OPTIONS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match; a single player begins without throwing for it.

        Raises:
            BadOption: an option is unknown or unusable, or the names are not 1 to 32 different ones.
        """
        check_names(seats, self.seats)
        parsed, count = as_declared(Options, OPTIONS, read_options(OPTIONS, options)), len(seats)
        everyone = tuple(range(count))
        state = State(
            parsed,
            tuple(seats),
            Ordering(everyone),
            everyone,
            totals=(0,) * count,
            cargo=(None,) * count,
            purses=(-parsed.stake,) * count,
        )
        return rounds.begin(state, 0) if parsed.order == "seated" or count == 1 else state

    def names(self, state: State) -> Sequence[str]:
        """Return the players in seat order."""
        return state.seats

    def turn(self, state: State) -> Turn:
        """Return what must happen next."""
        match state.step:
            case Ordering(dice=dice):
                then = "The highest total begins" if len(dice) > 1 else "A tie: one die each, the highest begins"
                return Roll(state.seat, dice, at_once=False, prompt=f"{state.name}: throw for the start", then=then)
            case Throwing(dice, at_once=True):
                return Roll(state.seat, dice, at_once=True, prompt="The dice fall")
            case Throwing(dice):
                return Roll(state.seat, dice, at_once=False, prompt=_throw_prompt(state), then=_throw_then(state))
            case Choosing():
                return Decide(state.seat, _choice(state))
            case HoldDecision():
                loose = state.turn.berths.loose()
                keep = KeepAsk("Which cargo stays?", loose, _cargo_to_keep(state), "The others are thrown again")
                return Decide(state.seat, keep)
            case Finished(result):
                return Over(result)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action; raises IllegalAction and changes nothing."""
        fresh = replace(state, latest_events=())
        match state.step, action:
            case Ordering(dice=dice) as ordering, Rolled(faces):
                check_faces(faces, len(dice))
                return rounds.order_fell(fresh, ordering, faces)
            case Throwing(dice), Rolled(faces):
                return _dice_fell(fresh, dice, faces)
            case Choosing(), Pick(id_):
                check_offered(self.turn(state), id_)
                return rounds.end_turn(fresh) if id_ == STAND.id else _throw_again(fresh)
            case HoldDecision(), Keep(kept):
                falling = thrown_dice(kept, state.turn.berths.loose(), len(DICE))
                return replace(fresh, step=Throwing(falling, at_once=True))
            case Finished(), _:
                raise IllegalAction("the match is over")
            case _:
                raise IllegalAction(f"{action} is no answer to what is asked")

    def dice(self, state: State) -> Sequence[Die]:
        """Return the five dice with what they stand for; one die while a tie for the start is broken."""
        turn = state.turn
        if isinstance(state.step, Ordering):
            return [Die(None, throws_left=1) for _ in state.step.dice]
        left = 0 if isinstance(state.step, Finished) else MAX_THROWS - turn.throws
        aside = turn.berths.dice
        return [
            Die(face, held=die in aside, throws_left=0 if die in aside else left)
            for die, face in zip(DICE, turn.faces, strict=True)
        ]

    def slots(self, state: State) -> Sequence[Slot]:
        """Return ship, captain and crew with the dice found for them; none while they throw for the start."""
        if isinstance(state.step, Ordering):
            return ()
        found = state.turn.berths
        wanted = zip(BERTHS, WANTED, strict=True)
        return [Slot(name, face, found.die_in(place)) for place, (name, face) in enumerate(wanted)]

    def standing(self, state: State) -> str:
        """Return which berths are filled, and the cargo once all are."""
        return crew_words(WANTED[: len(state.turn.berths.dice)], state.turn.cargo)

    def outcome(self, before: State, after: State, faces: Sequence[int | None]) -> Outcome | None:
        """Return the cargo a turn ended with and the dice it was made of, or what a throw for the start decided."""
        return rounds.outcome_of(events_between(before, after), before.turn.berths, faces)

    def score(self, state: State) -> Sequence[int]:
        """Return each seat's total."""
        return state.totals

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each seat's last cargo and total; the turns taken when alone, the purse when there is a stake."""
        tallies = [
            {"cargo": cargo or 0, "total": total} for cargo, total in zip(state.cargo, state.totals, strict=True)
        ]
        if len(tallies) == 1:
            tallies[0]["turns"] = state.round - 1
        if state.options.stake:
            for tally, purse in zip(tallies, state.purses, strict=True):
                tally["purse"] = purse
        return tallies

    def details(self, state: State) -> Mapping[str, object]:
        """Return the berths with what was found for them, and how many throws are left in the turn."""
        found = {berth.name: None if berth.die is None else berth.face for berth in self.slots(state)}
        return {"berths": found, "throws_left": MAX_THROWS - state.turn.throws}

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        """Return what the one action between two states scored or changed."""
        return events_between(before, after)

    def heading(self, state: State) -> str:
        """Return the round we are in."""
        match state.step:
            case Finished():
                return "The match is over"
            case Ordering():
                return "Who begins?"
            case _ if state.play_off:
                return f"Play-off {state.play_off}"
            case _:
                return f"Round {state.round}" if state.options.mode == "target" else "One round"


def _throw_prompt(state: State) -> str:
    berths, left = state.turn.berths, MAX_THROWS - state.turn.throws
    if left == MAX_THROWS:
        return f"{state.name}: throw the dice"
    return f"{state.name}: {throws_in_words(left)} for a {BERTHS[len(berths.dice)]}"


def _throw_then(state: State) -> str:
    """Return what is looked for: in this order, and what was found stays."""
    if state.turn.throws == 0:
        return "Find a ship (6), then a captain (5), then a crew (4)"
    place = len(state.turn.berths.dice)
    found = " and ".join(BERTHS[:place])
    stays = f"; the {found} {'stays' if place == 1 else 'stay'} aside" if found else ""
    return f"Press Roll for a {WANTED[place]}{stays}"


def _choice(state: State) -> PickAsk:
    cargo, left = state.turn.cargo, MAX_THROWS - state.turn.throws
    default = STAND if _is_enough(state) else CARGO_AGAIN
    prompt = f"{state.name}: cargo {cargo}, {throws_in_words(left)} left"
    then = f"Stand on {cargo}, or throw the cargo again: the last throw counts"
    return PickAsk(prompt, (STAND, CARGO_AGAIN), default.id, then)


def _is_enough(state: State) -> bool:
    """Return whether the cargo is worth more than what the throws left bring on average."""
    left, faces = MAX_THROWS - state.turn.throws, _cargo_faces(state)
    if state.options.cargo_dice == "each":
        return all(face >= worth_keeping(left) for face in faces.values())
    return state.turn.cargo >= (FAIR_CARGO if left == 1 else GOOD_CARGO)


def _cargo_faces(state: State) -> dict[int, int]:
    return {die: state.turn.faces[die - 1] or 0 for die in state.turn.berths.loose()}


def _cargo_to_keep(state: State) -> tuple[int, ...]:
    """Return the better of the two cargo dice if it is better kept than thrown, none otherwise."""
    faces = _cargo_faces(state)
    best = max(faces, key=faces.__getitem__)
    return (best,) if faces[best] >= worth_keeping(MAX_THROWS - state.turn.throws) else ()


def _throw_again(state: State) -> State:
    if state.options.cargo_dice == "each":
        return replace(state, step=HoldDecision())
    return replace(state, step=Throwing(state.turn.berths.loose(), at_once=True))


def _dice_fell(state: State, dice: tuple[int, ...], faces: tuple[int, ...]) -> State:
    check_faces(faces, len(dice))
    fallen = lying(state.turn.faces, dice, faces)
    turn = TurnInHand(fallen, state.turn.throws + 1, board(state.turn.berths, fallen))
    state = replace(state, turn=turn)
    if turn.throws == MAX_THROWS:
        return rounds.end_turn(state)
    return replace(state, step=Choosing() if turn.berths.is_complete else Throwing(turn.berths.loose()))
