"""The game class of Legend: all transitions (`Legend.apply`), the effects of throws, and what displays show.

Other modules of this package define the questions, and the effects of moves, of bargains and of the ends of turns.

Source: docs/rules/legend.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.common.dice import cargo, check_faces, crew_places, crew_words, lying, thrown_dice
from captains_table.games.common.latest_events import events_between
from captains_table.games.contract import (
    ABANDON,
    AGREE,
    ROLL,
    THROW_AGAIN,
    Action,
    Amount,
    Die,
    EventKind,
    Game,
    GameEvent,
    Hindrance,
    IllegalAction,
    Keep,
    Outcome,
    Over,
    Pick,
    Refused,
    Rolled,
    Shape,
    Slot,
    Square,
    Turn,
    check_names,
    check_offered,
    parse_square,
)
from captains_table.games.legend import asks, effects, rounds, steps
from captains_table.games.legend.meanings import CARDS, MEANINGS
from captains_table.games.legend.prompts import legend_hindrance, reason_forbidden
from captains_table.games.legend.state import (
    AETHER,
    ALL_DICE,
    CARGO_DICE,
    LEGEND_DIE,
    LEGEND_OPTIONS,
    LEGEND_THROWS,
    State,
    credit,
    grand_scores,
    parse_legend_options,
    with_seat,
    with_step,
)
from captains_table.phrases import noun, say

CARGO, LEGEND, TOTAL = map(str, (noun("cargo"), noun("legend"), noun("total")))
"""The names of the tallies."""


class Legend(Game[State]):
    """The rules of Legend ~ Ship, Captain, Crew (docs/rules/legend.md)."""

    key = "legend"
    title = say("Legend")
    seats = range(1, 3)
    shape = Shape(8, 8)
    options = LEGEND_OPTIONS
    meanings = MEANINGS
    cards = CARDS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match.

        If a single player is named, this player plays both sides, and the second seat has the name Aether (L1).

        Raises:
            BadOption: an option is unknown or invalid, a name is invalid, both names are equal, the number of names is
                not 1 or 2, or a single player is named Aether.
        """
        check_names(seats, self.seats)
        names = (*seats, AETHER) if len(seats) == 1 else tuple(seats)
        check_names(names, self.seats)
        parsed = parse_legend_options(options)
        position = parsed.first_position
        seat = 0 if position.white else 1
        return State(parsed, (names[0], names[1]), position, seat)

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def turn(self, state: State) -> Turn:
        return asks.legend_turn(state)

    def apply(self, state: State, action: Action) -> State:  # noqa: PLR0911 - one table, one line each
        fresh = replace(state, latest_events=())
        match state.turn.step, action:
            case steps.LegendMain(), Pick(id_):
                return _main_pick(fresh, id_)
            case ((steps.LegendMain() | steps.LegendHoldStep()), Keep(dice)):
                return _throw_again(fresh, dice)
            case steps.LegendThrowStep(dice), Rolled(faces):
                return _dice_fell(fresh, dice, faces)
            case steps.Treasure(), Rolled(faces):
                return rounds.pass_if_spent(_treasure_fell(fresh, faces))
            case steps.GenieDice(), Rolled(faces):
                return _genie_fell(fresh, faces)
            case steps.BuyPrice(kind), Amount(price):
                return effects.named_price(fresh, price, steps.BuyConsent(kind, price))
            case steps.AskPrice(kind), Amount(price):
                return effects.named_price(fresh, price, steps.PriceConsent(kind, price))
            case Over(), _:
                raise IllegalAction(say("the match is over"))
            case step, Pick(id_):
                check_offered(asks.legend_turn(state), id_)
                return _answered(fresh, step, id_)
            case _:
                raise IllegalAction(say("{action} is no answer to what is asked", str(action)))

    def white_seat(self, state: State) -> int:
        return state.white_seat

    def pieces(self, state: State) -> Mapping[Square, str]:
        return state.position.pieces()

    def dice(self, state: State) -> Sequence[Die]:
        """Return the five cargo dice, the Legend die, and the two extra dice of the Genie or a treasure, if any."""
        turn = state.turn
        throwable = asks.throwable(state)
        dice = []
        for number, face in zip(ALL_DICE, turn.faces, strict=True):
            throws = turn.legend_throws if number == LEGEND_DIE else turn.cargo_throws
            held = bool(turn.fell_last) and face is not None and number not in turn.fell_last
            is_open = number in throwable or (face is None and not isinstance(turn.step, Over))
            left = LEGEND_THROWS - throws if is_open else 0
            dice.append(Die(face, "roman" if number == LEGEND_DIE else "pips", held=held, throws_left=left))
        if isinstance(turn.step, steps.Treasure | steps.GenieDice):
            return [*dice, Die(None, extra=True), Die(None, extra=True)]
        return [*dice, *(Die(face, extra=True) for face in turn.extra_faces)]

    def slots(self, state: State) -> Sequence[Slot]:
        """Return the places for ship, captain and crew among the cargo dice (L6)."""
        return crew_places(state.turn.cargo_faces)

    def standing(self, state: State) -> str:
        """Return which of ship, captain and crew the cargo dice show, and the cargo if they show all three (L6)."""
        faces = [face for face in state.turn.cargo_faces if face is not None]
        return crew_words(faces, cargo(faces))

    def outcome(self, before: State, after: State, faces: Sequence[int | None]) -> Outcome | None:
        """Return the points of a turn that ended, and the dice that gave them; `None` if no turn ended."""
        return rounds.legend_outcome(before, events_between(before, after), faces)

    def score(self, state: State) -> Sequence[int]:
        """Return each seat's score: the seat's cargo points plus its legend points (L2)."""
        return grand_scores(state)

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return each seat's cargo, legend and their sum (L2)."""
        return [
            {CARGO: cargo, LEGEND: legend, TOTAL: total}
            for cargo, legend, total in zip(state.cargo, state.legend, grand_scores(state), strict=True)
        ]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        return events_between(before, after)

    def refused(self, state: State) -> Sequence[Refused]:
        """Return the moves that only the Legend die forbids, with the reasons."""
        position = state.position
        return [
            Refused(id_, position.label(move), reason_forbidden(state, position, move), position.play(move).pieces())
            for id_, move in asks.forbidden_moves(state).items()
        ]

    def hindrance(self, state: State, square: Square) -> Hindrance | None:
        return legend_hindrance(state, square)

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return say("highest total wins; a king taken ends the round¦highest total wins")

    def heading(self, state: State) -> str:
        """Return the number of the round and how many rounds there are, or that the match is over."""
        if isinstance(state.turn.step, Over):
            return say("The match is over")
        return say("Round {round} of {rounds}¦Round {round}/{rounds}", state.round, state.options.rounds)

    def details(self, state: State) -> Mapping[str, object]:
        """Return the number of the round, and the position as FEN."""
        return {"round": state.round, "fen": state.position.fen()}


# --- the main step --------------------------------------------------------------------------------------------------


def _main_pick(state: State, id_: str) -> State:  # noqa: PLR0911 - one line for each option
    move = asks.permitted_moves(state).get(id_)
    if move is not None:
        return rounds.pass_if_spent(effects.move_piece(state, move))
    check_offered(asks.legend_turn(state), id_)
    match id_:
        case ROLL.id:
            return with_step(state, steps.LegendThrowStep(ALL_DICE))
        case asks.ROLL_CARGO.id:
            return with_step(state, steps.LegendThrowStep(CARGO_DICE))
        case asks.ROLL_LEGEND.id:
            return with_step(state, steps.LegendThrowStep((LEGEND_DIE,)))
        case THROW_AGAIN.id:
            dice = asks.throwable(state)
            return with_step(state, steps.LegendHoldStep() if len(dice) > 1 else steps.LegendThrowStep(dice))
        case asks.GENIE.id:
            turn = replace(state.turn, legend_final=True, extra_faces=(), step=steps.GenieDice())
            return replace(state, turn=turn, genie_spent=with_seat(state.genie_spent, state.seat, value=True))
        case asks.BUY_BACK.id:
            return with_step(state, steps.BuyPiece())
        case ABANDON.id:
            return with_step(state, steps.AbandonConsent())
        case _:
            return rounds.end_player_turn(state)


def _answered(state: State, step: steps.LegendStep, id_: str) -> State:  # noqa: PLR0911 - one table, one line each
    """Return the state after the player picked one of the options that the step offers."""
    agreed = id_ == AGREE.id
    match step:
        case steps.GenieHop():
            return rounds.pass_if_spent(effects.genie_hop(state, parse_square(id_.removeprefix("genie-"))))
        case steps.BuyPiece():
            kind = effects.KINDS[id_]
            return with_step(state, steps.BuyOffer(kind) if effects.kinds_to_give(state) else steps.BuyPrice(kind))
        case steps.BuyOffer(kind):
            return effects.chosen_offer(state, kind, id_)
        case steps.BuyConsent(kind, price):
            return effects.sell(state, kind, price) if agreed else effects.not_sold(state, kind, id_)
        case steps.BarterConsent(kind, given):
            return effects.bartered(state, kind, given) if agreed else effects.not_sold(state, kind, id_)
        case steps.PriceConsent(kind, price):
            return effects.sell(state, kind, price) if agreed else effects.not_bought(state)
        case steps.Entering(kind):
            return rounds.pass_if_spent(effects.enter(state, kind, parse_square(id_.partition("@")[2])))
        case _:
            return rounds.abandon(state) if agreed else with_step(state, steps.LegendMain())


# --- dice -----------------------------------------------------------------------------------------------------------


def _throw_again(state: State, kept: tuple[int, ...]) -> State:
    if isinstance(state.turn.step, steps.LegendMain):
        raise IllegalAction(say("keep: pick {option} first", THROW_AGAIN.id))
    return with_step(state, steps.LegendThrowStep(thrown_dice(kept, asks.throwable(state), len(ALL_DICE))))


def _dice_fell(state: State, dice: tuple[int, ...], faces: tuple[int, ...]) -> State:
    check_faces(faces, len(dice))
    turn = state.turn
    turn = replace(
        turn,
        faces=lying(turn.faces, dice, faces),
        fell_last=dice,
        cargo_throws=turn.cargo_throws + any(die in CARGO_DICE for die in dice),
        legend_throws=turn.legend_throws + (LEGEND_DIE in dice),
        step=steps.LegendMain(),
    )
    return rounds.pass_if_spent(replace(state, turn=turn))


def _treasure_fell(state: State, faces: tuple[int, ...]) -> State:
    check_faces(faces, 2)
    found = sum(faces)
    state = replace(state, turn=replace(state.turn, extra_faces=faces, step=steps.LegendMain()))
    words = say("{name} finds a treasure of {cargo}", state.seats[state.seat], found)
    return credit(state, state.seat, GameEvent(EventKind.TREASURE, state.seat, found, words))


def _genie_fell(state: State, faces: tuple[int, ...]) -> State:
    check_faces(faces, 2)
    squares = asks.genie_squares(state, faces)
    step = steps.GenieHop(squares) if squares else steps.LegendMain()
    state = replace(state, turn=replace(state.turn, extra_faces=faces, step=step))
    if squares:
        return state
    words = say("The Genie finds no vacant square for {name}'s king", state.seats[state.seat])
    return effects.add_event(state, EventKind.GENIE, words)
