"""The game class of chess: dice before the match, claims with a move, takebacks; the rest is shared with its kin.

The legal moves and the ends come from `position`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from captains_table.games.chess.meanings import CARDS, MEANINGS
from captains_table.games.chess.state import (
    CHESS_OPTIONS,
    State,
    after_throw,
    first_step,
    parse_chess_options,
    set_up,
)
from captains_table.games.common.chesslike import steps
from captains_table.games.common.chesslike.match import claim_of, claiming_moves, drawn
from captains_table.games.common.chesslike.rules import ChesslikeRules, called_by_colour
from captains_table.games.common.dice import check_faces
from captains_table.games.contract import (
    Action,
    Decide,
    Die,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Option,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    Shape,
    Turn,
    check_names,
    check_offered,
)
from captains_table.phrases import message, say, several

USUAL_RANK: Final = "RNBQKBNR"

CLAIM_WITH: Final = Option("claim-with", say("Claim a draw with a move"), opens_menu=True)
"""Opens the question with which move the player claims a draw (G6)."""

OFFER_TAKEBACK: Final = Option(
    "offer-takeback",
    say("Ask to take back"),
    under=say("Take a move back"),
    then=say("If the other player agrees, both last moves are undone"),
)
"""Asks the opponent whether the player's last move may be taken back (G9)."""


class Chess(ChesslikeRules, Game[State]):
    """The rules of chess (docs/rules/chess.md)."""

    key = "chess"
    title = say("Chess")
    seats = range(2, 3)
    shape = Shape(8, 8)
    options = CHESS_OPTIONS
    meanings = MEANINGS
    cards = CARDS
    touch_move = True

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match.

        Raises:
            BadOption: an option is unknown or invalid, or there are not two different valid names.
        """
        check_names(seats, self.seats)
        parsed = parse_chess_options(options)
        step = first_step(parsed) or steps.MoveStep()
        return State(parsed, (seats[0], seats[1]), parsed.first_position, step=step, white_seat=parsed.white_seat)

    def for_rematch(self, state: State) -> Mapping[str, str]:
        """Return who had White, if a die decided it, so that the players change colours (G11)."""
        return {"white": ("first", "second")[state.white_seat]} if state.options.throws_colours else {}

    def turn(self, state: State) -> Turn:
        match state.step:
            case steps.SetupStep("colours", dice):
                first, second = state.seats
                then = say("Odd: {first} has White. Even: {second}", first, second)
                return Roll(0, dice, at_once=False, prompt=say("{name}: throw for White", first), then=then)
            case steps.SetupStep(dice=dice, faces=faces):
                again = message("{name}: throw again what does not count¦{name}: throw those again")
                words = again if any(faces) else message("{name}: throw the array")
                prompt = say(words, name=state.seats[state.white_seat])
                then = say("In order: light bishop, dark bishop, queen, two for the knights")
                return Roll(state.white_seat, dice, at_once=False, prompt=prompt, then=then)
            case steps.ClaimStep():
                prompt = say("{name}: with which move?", called_by_colour(state, state.to_move))
                ask = PickAsk(prompt, tuple(_claims(state)), then=say("The match is then a draw"))
                return Decide(state.to_move, ask)
            case _:
                return super().turn(state)

    def apply(self, state: State, action: Action) -> State:
        match state.step, action:
            case steps.SetupStep() as step, Rolled(faces):
                check_faces(faces, len(step.dice))
                return set_up(replace(state, step=after_throw(step, faces)))
            case steps.SetupStep(), _:
                raise IllegalAction(say("{action} is no answer to what is asked: expected a throw", str(action)))
            case steps.ClaimStep(), Pick(id_):
                check_offered(self.turn(state), id_)
                label = state.position.label(state.position.moves[id_])
                why = claim_of(state.moved(id_)) or ""
                return replace(state, step=drawn(say("A draw: {why}, with {move}", why, label)))
            case _:
                return super().apply(state, action)

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        match before.step, after.step:
            case steps.SetupStep("colours"), _:
                words = say("{name} has White", after.seats[after.white_seat])
                return (GameEvent(EventKind.ORDER, after.white_seat, 0, words),)
            case steps.SetupStep(), steps.SetupStep(faces=faces):
                again = faces.count(0)
                words = several(
                    again,
                    "{n} die falls again: a bishop's to 4, the last to 5",
                    "{n} dice fall again: a bishop's to 4, the last to 5",
                )
                return (GameEvent(EventKind.ORDER, after.white_seat, 0, words),)
            case steps.SetupStep(), _:
                words = say("The array is {array}", _first_rank(after))
                return (GameEvent(EventKind.ORDER, after.white_seat, 0, words),)
            case _:
                return super().game_events(before, after)

    def dice(self, state: State) -> Sequence[Die]:
        """Return the dice that are thrown before the match; those that count already are held."""
        if not isinstance(state.step, steps.SetupStep):
            return ()
        return [Die(face or None, held=bool(face), throws_left=0 if face else 1) for face in state.step.faces]

    def heading(self, state: State) -> str:
        match state.step:
            case steps.SetupStep(what):
                return say("Who has White?") if what == "colours" else say("Chess960")
            case _:
                return super().heading(state)

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return say("mate wins")

    def _answers(self, state: State) -> Iterator[Option]:
        *others, resign = super()._answers(state)
        yield from others
        if claiming_moves(state):
            yield CLAIM_WITH
        if not state.offered and state.taken_back() is not None:
            yield OFFER_TAKEBACK
        yield resign

    def _lesson(self, state: State) -> str:
        """Return the array before the first move, unless it is the usual one, which switches cannot tell."""
        rank = "" if state.last_id else _first_rank(state)
        return say("The array is {array}", rank) if rank.isalpha() and rank != USUAL_RANK else ""

    def _may_offer_draw(self, state: State) -> bool:
        return super()._may_offer_draw(state) and state.taken_back() is not None  # both have moved (G6)

    def _claimed_or_offered(self, state: State, id_: str) -> State:
        match id_:
            case CLAIM_WITH.id:
                return replace(state, step=steps.ClaimStep())
            case OFFER_TAKEBACK.id:
                return replace(state, step=steps.TakebackConsent(), offered=True)
            case _:
                return super()._claimed_or_offered(state, id_)


def _claims(state: State) -> Iterator[Option]:
    for id_ in claiming_moves(state):
        yield Option(id_, say("Claim with {move}", state.position.label(state.position.moves[id_])))


def _first_rank(state: State) -> str:
    return state.position.fen().partition("/")[0].upper()
