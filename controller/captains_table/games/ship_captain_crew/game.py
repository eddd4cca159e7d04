"""The game class of Ship, Captain and Crew: its questions, all transitions (`ShipCaptainCrew.apply`), and displays.

The transitions include the throw for the start, turns, rounds, play-offs and the pot. Questions have the default of a
sensible player.

Source: docs/rules/ship-captain-crew.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

from captains_table.games.common.dice import (
    PARTY,
    ThrowStep,
    check_faces,
    crew_words,
    lying,
    missing_words,
    order_words,
    thrown_dice,
    throws_in_words,
    worth_keeping,
)
from captains_table.games.common.latest_events import events_between
from captains_table.games.common.option_values import as_declared
from captains_table.games.contract import (
    STAND,
    THROW_AGAIN,
    Action,
    Decide,
    Die,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Keep,
    KeepAsk,
    Outcome,
    Over,
    Pick,
    PickAsk,
    Result,
    Roll,
    Rolled,
    Slot,
    Turn,
    check_names,
    check_offered,
    read_options,
)
from captains_table.games.ship_captain_crew.meanings import MEANINGS
from captains_table.games.ship_captain_crew.state import (
    BERTHS,
    CREW_DICE,
    CREW_OPTIONS,
    CREW_THROWS,
    WANTED,
    Berths,
    CargoChoiceStep,
    CargoHoldStep,
    CrewOptions,
    CrewOrderStep,
    CrewTurn,
    State,
    added_for_seat,
    cargo_of,
    fill_berths,
)
from captains_table.phrases import listed, message, noun, say

ONE_DIE = (1,)
CARGO, TOTAL, TURNS, PURSE = map(str, (noun("cargo"), noun("total"), noun("turns"), noun("purse")))
"""The names of tallies: keys, which are translated where they are shown."""
CARGO_AGAIN = THROW_AGAIN.called(say("Throw the cargo again"))
FAIR_CARGO = 7  # the expected sum of two dice
MOST_CARGO = 12
GOOD_CARGO = 8  # their expected sum if they may be thrown twice: 7.97


class ShipCaptainCrew(Game[State]):
    """The rules of Ship, Captain and Crew (docs/rules/ship-captain-crew.md)."""

    key = "ship-captain-crew"
    title = say("Ship, Captain and Crew")
    seats = PARTY
    options = CREW_OPTIONS
    meanings = MEANINGS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match.

        If there is a single player, or the option `order` is `seated`, the player named first begins. Otherwise a throw
        decides who begins.

        Raises:
            BadOption: an option is unknown or invalid, or there are not 1 to 32 different valid names.
        """
        check_names(seats, self.seats)
        parsed, count = as_declared(CrewOptions, CREW_OPTIONS, read_options(CREW_OPTIONS, options)), len(seats)
        everyone = tuple(range(count))
        state = State(
            parsed,
            tuple(seats),
            CrewOrderStep(everyone),
            everyone,
            totals=(0,) * count,
            cargo=(None,) * count,
            purses=(-parsed.stake,) * count,
        )
        return _begin(state, 0) if parsed.order == "seated" or count == 1 else state

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def turn(self, state: State) -> Turn:
        match state.step:
            case CrewOrderStep(dice=dice):
                then = say("The highest total begins") if len(dice) > 1 else say("The highest begins")
                prompt = say("{name}: throw for the start¦{name}: throw to start", state.name)
                return Roll(state.seat, dice, at_once=False, prompt=prompt, then=then)
            case ThrowStep(dice, at_once=True):
                return Roll(state.seat, dice, at_once=True, prompt=say("The dice fall"))
            case ThrowStep(dice):
                return _throw(state, dice)
            case CargoChoiceStep():
                return Decide(state.seat, _choice(state))
            case CargoHoldStep():
                loose = state.turn.berths.loose()
                stakes = self.stakes(state) or say("The others are thrown again")
                keep = KeepAsk(say("Which cargo stays?"), loose, _cargo_to_keep(state), stakes)
                return Decide(state.seat, keep)
            case Over() as over:
                return over

    def apply(self, state: State, action: Action) -> State:
        fresh = replace(state, latest_events=())
        match state.step, action:
            case CrewOrderStep(dice=dice) as ordering, Rolled(faces):
                check_faces(faces, len(dice))
                return _order_fell(fresh, ordering, faces)
            case ThrowStep(dice), Rolled(faces):
                return _dice_fell(fresh, dice, faces)
            case CargoChoiceStep(), Pick(id_):
                check_offered(self.turn(state), id_)
                return _end_turn(fresh) if id_ == STAND.id else _throw_again(fresh)
            case CargoHoldStep(), Keep(kept):
                falling = thrown_dice(kept, state.turn.berths.loose(), len(CREW_DICE))
                return replace(fresh, step=ThrowStep(falling, at_once=True))
            case Over(), _:
                raise IllegalAction(say("the match is over"))
            case _:
                raise IllegalAction(say("{action} is no answer to what is asked", str(action)))

    def dice(self, state: State) -> Sequence[Die]:
        """Return the five dice; a single die while the players who tied for the start throw to break the tie."""
        turn = state.turn
        if isinstance(state.step, CrewOrderStep):
            return [Die(None, throws_left=1) for _ in state.step.dice]
        left = 0 if isinstance(state.step, Over) else CREW_THROWS - turn.throws
        aside = turn.berths.dice
        return [
            Die(face, held=die in aside, throws_left=0 if die in aside else left)
            for die, face in zip(CREW_DICE, turn.faces, strict=True)
        ]

    def slots(self, state: State) -> Sequence[Slot]:
        """Return the berths of ship, captain and crew with their dice; empty before it is decided who begins."""
        return () if isinstance(state.step, CrewOrderStep) else _slots(state.turn.berths)

    def standing(self, state: State) -> str:
        """Return in words which berths are filled, and the cargo once all three are filled."""
        return crew_words(WANTED[: len(state.turn.berths.dice)], state.turn.cargo)

    def stakes(self, state: State) -> str:
        """Return in words what the player must reach in the last turn; empty before the last turn."""
        return _to_beat(state)

    def outcome(self, before: State, after: State, faces: Sequence[int | None]) -> Outcome | None:
        """Return the result of a turn that ended, or of a throw to decide who begins; `None` for any other action."""
        events = events_between(before, after)
        if any(event.kind is EventKind.CARGO for event in events):
            aside = fill_berths(before.turn.berths, faces)
            if not aside.is_complete:
                return Outcome(words=missing_words(WANTED[len(aside.dice)]), slots=_slots(aside))
            return Outcome(aside.loose(), say("Cargo {cargo}", cargo_of(aside, faces)), _slots(aside))
        words = [event.words for event in events if event.kind is EventKind.ORDER]
        return Outcome(tuple(range(1, len(faces) + 1)), order_words(faces, words[1:])) if words else None

    def score(self, state: State) -> Sequence[int]:
        """Return each seat's total points."""
        return state.totals

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each seat's last cargo and total.

        In a match for one player, the tallies also have the number of turns. If the match has a stake, they also have
        each seat's purse.
        """
        tallies = [{CARGO: cargo or 0, TOTAL: total} for cargo, total in zip(state.cargo, state.totals, strict=True)]
        if len(tallies) == 1:
            tallies[0][TURNS] = state.round - 1
        if state.options.stake:
            for tally, purse in zip(tallies, state.purses, strict=True):
                tally[PURSE] = purse
        return tallies

    def target(self, state: State) -> int | None:
        return state.options.target if state.options.mode == "target" else None

    def goal(self, state: State) -> str:
        """Return the target, and that the round is played to its end; empty for a single round."""
        if state.options.mode != "target":
            return ""
        target = state.options.target
        if state.options.finish_round and len(state.seats) > 1:
            return say("first to {target}; then last turns¦first to {target}", target)
        return say("first to {target}", target)

    def details(self, state: State) -> Mapping[str, object]:
        """Return the face in each berth (`None` while it is empty), and the number of throws left in the turn."""
        found = {str(berth.name): None if berth.die is None else berth.face for berth in self.slots(state)}
        return {"berths": found, "throws_left": CREW_THROWS - state.turn.throws}

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        return events_between(before, after)

    def heading(self, state: State) -> str:
        """Return the number of the round or play-off, the question `Who begins?`, or that the match is over.

        In the mode `single` the text `One round` replaces the number of the round.
        """
        match state.step:
            case Over():
                return say("The match is over")
            case CrewOrderStep():
                return say("Who begins?")
            case _ if state.play_off:
                return say("Play-off {number}", state.play_off)
            case _:
                return say("Round {number}", state.round) if state.options.mode == "target" else say("One round")


# --- questions ------------------------------------------------------------------------------------------------------


def _throw(state: State, dice: tuple[int, ...]) -> Roll:
    """Return the turn's next throw; its prompt says which faces are needed, and which dice stay aside."""
    throws, place = state.turn.throws, len(state.turn.berths.dice)
    found, face = listed(BERTHS[:place]), WANTED[place]
    if throws == 0:
        prompt = say("{name}: throw the dice", state.name)
        then = say("Find a ship (6), then a captain (5), then a crew (4)")
    else:
        left = throws_in_words(CREW_THROWS - throws)
        prompt = say("{name}: {throws} for a {berth}", state.name, left, BERTHS[place])
        then = say("Throw for a {face}", face)
        if place == 1:
            then = say("Throw for a {face}; the {found} stays aside", face, found)
        elif place:
            then = say("Throw for a {face}; the {found} stay aside", face, found)
    return Roll(state.seat, dice, at_once=False, prompt=prompt, then=_to_beat(state) or then)


def _choice(state: State) -> PickAsk:
    cargo, left = state.turn.cargo, CREW_THROWS - state.turn.throws
    default = STAND if _is_enough(state) else CARGO_AGAIN
    prompt = say("{name}: cargo {cargo}, {throws} left", state.name, cargo, throws_in_words(left))
    then = _to_beat(state) or say("Stand, or throw the cargo again: the last throw counts")
    if not _lacking(state) and _reaches_target(state):
        total, target = state.totals[state.seat] + cargo, state.options.target
        then = say("Standing makes {total}: the target is {target}", total, target)
    stand = STAND.called(say("Stand with {cargo}", cargo))
    return PickAsk(prompt, (stand, CARGO_AGAIN), default.id, then)


def _leader(state: State) -> tuple[int, int] | None:
    """Return the seat to beat and its points in the last turns of a match or play-off; `None` while nobody is ahead."""
    if state.play_off or state.options.mode == "single":
        points = {seat: state.cargo[seat] or 0 for seat in state.playing[: state.place]}
    else:
        points = {seat: total for seat, total in enumerate(state.totals) if total >= state.options.target}
    seat = max(points, key=points.__getitem__, default=state.seat)
    return None if seat == state.seat else (seat, points[seat])


def _lacking(state: State) -> int:
    """Return the cargo with which the player on turn passes the leader in the last turn; 0 before the last turn."""
    leader = _leader(state)
    return 0 if leader is None else leader[1] + 1 - (state.totals[state.seat] if _adds_up(state) else 0)


def _adds_up(state: State) -> bool:
    """Return whether the cargo is added to the total that decides."""
    return state.options.mode == "target" and not state.play_off


def _to_beat(state: State) -> str:
    """Return in words what the player must reach in the last turn; empty before the last turn."""
    leader, lacking = _leader(state), _lacking(state)
    if leader is None or isinstance(state.step, Over | CrewOrderStep):
        return ""
    words = message("{leader} has {points}: {name}'s last turn, needs cargo {cargo}")
    if lacking > MOST_CARGO:
        words = message("{leader} has {points}: {name}'s last turn, cannot pass")
    return say(words, leader=state.seats[leader[0]], points=leader[1], name=state.name, cargo=lacking)


def stands_by_score(state: State) -> bool | None:
    """Return whether the score alone says to stand on the cargo, or to throw again; `None` if it says neither.

    In the last turn it says to stand with the lead, and never with less than the leader's points. A player who reaches
    the target also stands if no later player of the round can come level.
    """
    lacking, cargo = _lacking(state), state.turn.cargo
    if lacking and cargo != lacking - 1:
        return cargo >= lacking
    later = state.playing[state.place + 1 :] if state.options.finish_round else ()
    wins = all(state.totals[seat] + MOST_CARGO < state.totals[state.seat] + cargo for seat in later)
    return True if not lacking and wins and _reaches_target(state) else None


def _reaches_target(state: State) -> bool:
    return _adds_up(state) and state.totals[state.seat] + state.turn.cargo >= state.options.target


def _is_enough(state: State) -> bool:
    """Return whether a sensible player stands on the cargo.

    The player stands if throwing again would not raise the cargo on average. With the option `cargo_dice=each` the
    player stands if each of the two dice is worth keeping. The score goes first: the player stands on what is sure to
    win or reaches the target before anybody else, and never on what is sure to lose.
    """
    by_score = stands_by_score(state)
    if by_score is not None or (not _lacking(state) and _reaches_target(state)):
        return by_score is not False
    left, faces = CREW_THROWS - state.turn.throws, _cargo_faces(state)
    if state.options.cargo_dice == "each":
        return all(face >= worth_keeping(left) for face in faces.values())
    return state.turn.cargo >= (FAIR_CARGO if left == 1 else GOOD_CARGO)


def _cargo_faces(state: State) -> dict[int, int]:
    return {die: state.turn.faces[die - 1] or 0 for die in state.turn.berths.loose()}


def _cargo_to_keep(state: State) -> tuple[int, ...]:
    """Return which cargo die to keep: the number of the higher die if it is worth keeping, otherwise nothing."""
    faces = _cargo_faces(state)
    best = max(faces, key=faces.__getitem__)
    return (best,) if faces[best] >= worth_keeping(CREW_THROWS - state.turn.throws) else ()


# --- throws, and the end of a turn, a round and the match -----------------------------------------------------------


def _throw_again(state: State) -> State:
    if state.options.cargo_dice == "each":
        return replace(state, step=CargoHoldStep())
    return replace(state, step=ThrowStep(state.turn.berths.loose(), at_once=True))


def _dice_fell(state: State, dice: tuple[int, ...], faces: tuple[int, ...]) -> State:
    check_faces(faces, len(dice))
    fallen = lying(state.turn.faces, dice, faces)
    turn = CrewTurn(fallen, state.turn.throws + 1, fill_berths(state.turn.berths, fallen))
    state = replace(state, turn=turn)
    if turn.throws == CREW_THROWS:
        return _end_turn(state)
    return replace(state, step=CargoChoiceStep() if turn.berths.is_complete else ThrowStep(turn.berths.loose()))


def _begin(state: State, starter: int) -> State:
    """Return the match at the first turn of the seat that begins; the other seats follow clockwise."""
    count = len(state.seats)
    playing = tuple((starter + step) % count for step in range(count))
    return replace(state, playing=playing, step=ThrowStep(CREW_DICE))


def _order_fell(state: State, ordering: CrewOrderStep, faces: tuple[int, ...]) -> State:
    """Return the match after one player's throw to decide who begins (S1).

    After the last throw the player with the highest sum begins. If several players have the highest sum, each of them
    throws one die to break the tie.
    """
    sums = (*ordering.sums, sum(faces))
    state = state.with_event(EventKind.ORDER, state.seat, 0, say("{name} throws {sum}", state.name, sums[-1]))
    if len(sums) < len(ordering.seats):
        return replace(state, step=CrewOrderStep(ordering.seats, sums, ordering.dice))
    highest = tuple(seat for seat, thrown in zip(ordering.seats, sums, strict=True) if thrown == max(sums))
    if len(highest) > 1:
        words = say("A tie again, one die each") if ordering.dice == ONE_DIE else say("A tie, one die each")
        state = state.with_event(EventKind.ORDER, highest[0], 0, words)
        return replace(state, step=CrewOrderStep(highest, dice=ONE_DIE))
    state = state.with_event(EventKind.ORDER, highest[0], 0, say("{name} begins", state.seats[highest[0]]))
    return _begin(state, highest[0])


def _end_turn(state: State) -> State:
    """Return the match after the turn ended and its cargo was scored (S4).

    In a play-off of the mode `single` the cargo only decides the play-off, and is not added to the player's total.
    """
    seat, cargo, last = state.seat, state.turn.cargo, state.turn
    is_fresh_cargo = state.options.mode == "single" and state.play_off > 0
    fell, found = " ".join(str(face) for face in state.turn.faces), state.turn.berths
    if found.is_complete:
        words = say("{name}: {faces}, cargo {cargo}", state.name, fell, cargo)
    else:
        berth = BERTHS[len(found.dice)]
        words = say("{name}: {faces}, no {berth}, no cargo", state.name, fell, berth)
    state = state.with_event(EventKind.CARGO, seat, 0 if is_fresh_cargo else cargo, words)
    state = replace(
        state,
        totals=state.totals if is_fresh_cargo else added_for_seat(state.totals, seat, cargo),
        cargo=tuple(cargo if index == seat else before for index, before in enumerate(state.cargo)),
        turn=CrewTurn(),
        step=ThrowStep(CREW_DICE),
    )
    if _is_cut_short(state):
        return _finish(state, seat, last)
    if state.place + 1 < len(state.playing):
        return replace(state, place=state.place + 1)
    return _end_round(state, last)


def _is_cut_short(state: State) -> bool:
    """Return whether reaching the target ends the match in the middle of a round (S5, option `finish_round=false`)."""
    options = state.options
    may_be = options.mode == "target" and not options.finish_round and not state.play_off and len(state.seats) > 1
    return may_be and state.totals[state.seat] >= options.target


def _end_round(state: State, last: CrewTurn) -> State:
    """Return the match after a full round: it is over, or goes on with another round or a play-off (S5).

    Only the players tied for the win take part in a play-off.
    """
    is_decided = state.play_off or state.options.mode == "single" or max(state.totals) >= state.options.target
    state = replace(state, place=0, round=state.round + 1)
    if not is_decided:
        return state
    standing = {seat: (state.cargo[seat] or 0) if state.play_off else state.totals[seat] for seat in state.playing}
    leading = tuple(seat for seat in state.playing if standing[seat] == max(standing.values()))
    if len(leading) == 1:
        return _finish(state, leading[0], last)
    names = reduce(lambda before, name: listed([before, name]), (state.seats[seat] for seat in leading))
    words = say("{names} are level and play on", names)
    state = state.with_event(EventKind.PLAY_OFF, leading[0], 0, words)
    return replace(state, playing=leading, play_off=state.play_off + 1)


def _finish(state: State, winner: int, last: CrewTurn) -> State:
    """Return the match after its end: the winner gets the pot, and the dice of the last turn stay visible."""
    pot = state.options.stake * len(state.seats)
    if pot:
        words = say("{name} takes the pot of {pot}", state.seats[winner], pot)
        state = state.with_event(EventKind.POT, winner, 0, words)
    result = Result(winner, state.totals, _why_over(state, winner))
    return replace(state, purses=added_for_seat(state.purses, winner, pot), turn=last, step=Over(result))


def _why_over(state: State, winner: int) -> str:
    """Return in words what decided the match: a play-off, a single round, or the target that the winner reached."""
    name, options = state.seats[winner], state.options
    if state.play_off:
        return say("{name} wins the play-off with a cargo of {cargo}", name, state.cargo[winner] or 0)
    if options.mode == "single":
        return say("The largest cargo wins") if len(state.seats) > 1 else say("One round is played")
    return say("{name} reaches {target}", name, options.target)


def _slots(found: Berths) -> tuple[Slot, ...]:
    wanted = zip(BERTHS, WANTED, strict=True)
    return tuple(Slot(name, face, found.die_in(place)) for place, (name, face) in enumerate(wanted))
