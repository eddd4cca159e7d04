"""The turns of a game like chess: questions and their answers, game events, and texts for displays.

The legal moves come from the position, the end of a match and the claims of a draw from `match`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from captains_table.games.common.chesslike import steps
from captains_table.games.common.chesslike.match import AnyState, claim_of, drawn, ending, lost_by, out_of_time
from captains_table.games.common.pieces import kind_name, piece_name
from captains_table.games.contract import (
    AGREE,
    CLAIM_DRAW,
    OFFER_DRAW,
    PRESS_CLOCK,
    REFUSE,
    RESIGN,
    Action,
    Decide,
    EventKind,
    GameEvent,
    Hindrance,
    IllegalAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Refused,
    Square,
    TimeControl,
    TimeUp,
    Turn,
    check_offered,
    consent,
)
from captains_table.phrases import message, say

CHECKED: Final = say("Move the king away, take the attacker, or stand between")


class ChesslikeRules:
    """The methods that the class of a game like chess inherits before those of `Game`."""

    _lessons: ClassVar[Sequence[str]] = ()
    """Rules that chess players may not know; the question for a move tells another one in each move."""

    def names(self, state: AnyState) -> Sequence[str]:
        return state.seats

    def turn(self, state: AnyState) -> Turn:
        end, seat = ending(state), state.to_move
        if end is not None:
            return Over(end.result)
        match state.step:
            case steps.ClockPressStep():
                prompt = say("{name}: press the clock", called_by_colour(state, 1 - seat))
                return Decide(1 - seat, PickAsk(prompt, (PRESS_CLOCK,), PRESS_CLOCK.id))
            case steps.DrawConsent():
                prompt = say("{name}: agree to a draw?", called_by_colour(state, 1 - seat))
                return Decide(1 - seat, consent(prompt, say("{name} offers it", state.seats[seat])))
            case steps.TakebackConsent():
                prompt = say("{name}: may the last move be taken back?", called_by_colour(state, 1 - seat))
                return Decide(1 - seat, consent(prompt, say("{name} asks for it", state.seats[seat])))
            case _:
                return Decide(seat, self._move_ask(state))

    def apply(self, state: AnyState, action: Action) -> AnyState:
        if ending(state) is not None:
            raise IllegalAction(say("the match is over"))
        match state.step, action:
            case steps.MoveStep(), Pick(id_):
                return self._picked(state, id_)
            case steps.ClockPressStep(), Pick(PRESS_CLOCK.id):
                return replace(state, step=steps.MoveStep())
            case steps.DrawConsent(), Pick(AGREE.id):
                return replace(state, step=drawn(say("The players agree on a draw")))
            case steps.TakebackConsent(), Pick(AGREE.id) if (before := state.taken_back()) is not None:
                return before
            case steps.DrawConsent() | steps.TakebackConsent(), Pick(REFUSE.id):
                return replace(state, step=steps.MoveStep())
            case _, TimeUp() if state.options.clock is not None:
                turn = self.turn(state)
                return replace(state, step=out_of_time(state, turn.seat if isinstance(turn, Decide) else state.to_move))
            case _:
                raise IllegalAction(say("{action} is no answer to what is asked", str(action)))

    def white_seat(self, state: AnyState) -> int:
        return state.white_seat

    def pieces(self, state: AnyState) -> Mapping[Square, str]:
        pieces: Mapping[Square, str] = state.position.pieces()
        return pieces

    def score(self, state: AnyState) -> Sequence[int]:
        """Return 1 for the winner and 0 for the other player; 0 for both in a draw or before the end."""
        end = ending(state)
        return (0, 0) if end is None else end.result.scores

    def time_control(self, state: AnyState) -> TimeControl | None:
        control: TimeControl | None = state.options.clock
        return control

    def tallies(self, state: AnyState) -> Sequence[Mapping[str, int]]:  # noqa: ARG002 - nothing is counted
        """Return an empty mapping for each seat, since nothing is counted in this game."""
        return ({}, {})

    def game_events(self, before: AnyState, after: AnyState) -> Sequence[GameEvent]:
        if after is before:
            return ()
        return (*_moved(before, after), *_asked(before, after), *_ended(after))

    def refused(self, state: AnyState) -> Sequence[Refused]:
        """Return the moves that only the safety of the king forbids; empty unless a move is to be made."""
        if not isinstance(state.step, steps.MoveStep):
            return ()
        position = state.position
        reason = say("the king is attacked") if position.in_check else say("the king would be attacked")
        return [
            Refused(position.id_of(move), position.label(move), reason, position.play(move).pieces())
            for move in position.illegal_for_check()
        ]

    def hindrance(self, state: AnyState, square: Square) -> Hindrance | None:
        letter = state.position.pieces().get(square)
        if letter is None or not isinstance(state.step, steps.MoveStep) or ending(state) is not None:
            return None
        kind = kind_name(letter)
        if letter.isupper() != state.position.white:
            return Hindrance(say("That {piece} is {name}'s", kind, state.seats[1 - state.to_move]))
        return _of_own(state.position, square, letter)

    def heading(self, state: AnyState) -> str:
        """Return the number of the move, or that the match is over.

        Until the clock is pressed, the number is that of the move just made.
        """
        if ending(state) is not None:
            return say("The match is over")
        number = state.position.number
        awaits_press = isinstance(state.step, steps.ClockPressStep) and state.position.white
        return say("Move {number}", number - awaits_press)

    def details(self, state: AnyState) -> Mapping[str, object]:
        """Return the position as FEN, with the key `fen`."""
        return {"fen": state.position.fen()}

    def manner(self, piece: str) -> str:  # noqa: ARG002 - for pieces that chess does not have
        return ""

    # --- the question for a move and its answers --------------------------------------------------------------------

    def _move_ask(self, state: AnyState) -> PickAsk:
        position = state.position
        claim, in_check, name = claim_of(state), position.in_check, called_by_colour(state, state.to_move)
        prompt = say("{name}: you are in check", name) if in_check else say("{name}: your move", name)
        if claim:
            then: str = say("You may claim a draw: {why}", claim)
        else:
            then = CHECKED if in_check else self._lesson(state)
        return PickAsk(prompt, tuple(self._answers(state)), CLAIM_DRAW.id if claim else None, then)

    def _answers(self, state: AnyState) -> Iterator[Option]:
        """Yield the options of the player to move: the moves, then everything else."""
        position = state.position
        for id_, move in position.moves.items():
            yield Option(id_, position.label(move), on_board=True)
        if claim_of(state):
            yield CLAIM_DRAW
        if self._may_offer_draw(state):
            name = state.seats[1 - state.to_move]
            yield replace(OFFER_DRAW, then=say("{name} may accept: the match is then a draw", name))
        yield RESIGN

    def _may_offer_draw(self, state: AnyState) -> bool:
        return not state.offered

    def _lesson(self, state: AnyState) -> str:
        """Return how a piece moves that just came to be, else a rule that chess does not have."""
        manner: str = self.manner(state.promoted.lower())
        if manner or not self._lessons:
            return manner
        number: int = state.position.number
        return self._lessons[(number - 1) % len(self._lessons)]

    def _picked(self, state: AnyState, id_: str) -> AnyState:
        if id_ in state.position.moves:  # all of them are offered; to build the question would take far longer
            moved = state.moved(id_)
            return moved if state.options.clock is None else replace(moved, step=steps.ClockPressStep())
        check_offered(self.turn(state), id_)
        return self._claimed_or_offered(state, id_)

    def _claimed_or_offered(self, state: AnyState, id_: str) -> AnyState:
        """Return the state after an option that is no move."""
        match id_:
            case CLAIM_DRAW.id:
                return replace(state, step=drawn(say("A draw: {why}", claim_of(state) or "")))
            case OFFER_DRAW.id:
                return replace(state, step=steps.DrawConsent(), offered=True)
            case _:
                return replace(state, step=lost_by(state, state.to_move, message("{loser} resigns")))


def called_by_colour(state: AnyState, seat: int) -> str:
    """Return a player's name and colour, such as `Anne (White)`."""
    name = state.seats[seat]
    return say("{name} (White)", name) if seat == state.white_seat else say("{name} (Black)", name)


def _of_own(position: Any, square: Square, letter: str) -> Hindrance | None:  # noqa: ANN401 - any position
    start = str(square)
    if any(id_.startswith(start) for id_ in position.moves):
        return None
    if all(not position.id_of(move).startswith(start) for move in position.illegal_for_check()):
        return Hindrance(say("The {piece} is blocked", kind_name(letter)))
    if letter.lower() == "k":
        return Hindrance(say("The king would be attacked"))
    if position.in_check:
        return Hindrance(say("The king is in check"))
    return Hindrance(say("The {piece} shields its king", kind_name(letter)))


# --- game events ----------------------------------------------------------------------------------------------------


def _moved(before: AnyState, after: AnyState) -> list[GameEvent]:
    if after.position is before.position or after.takebacks != before.takebacks:
        return []
    seat = before.to_move
    old, new = before.position.pieces(), after.position.pieces()
    gone = [
        square for square, piece in old.items() if piece.isupper() == after.position.white and new.get(square) != piece
    ]
    name, events = before.seats[seat], list[GameEvent]()
    for square in gone:
        words = say("{name} takes the {piece}", name, piece_name(old[square]))
        events.append(GameEvent(EventKind.CAPTURE, seat, 0, words, square))
    for square in [square for square in new if new[square] != old.get(square) and _is_new(new[square], old, new)]:
        words = say("{name} gains a {piece}", name, piece_name(new[square]))
        events.append(GameEvent(EventKind.PROMOTION, seat, 0, words, square))
    if after.position.in_check and ending(after) is None:
        king = "K" if after.position.white else "k"
        square = next(square for square, piece in new.items() if piece == king)
        words = say("White's king is in check") if after.position.white else say("Black's king is in check")
        events.append(GameEvent(EventKind.CHECK, seat, 0, words, square))
    return events


def _is_new(piece: str, old: Mapping[Square, str], new: Mapping[Square, str]) -> bool:
    """Return whether the board has more pieces of a kind than before; only promoting or crowning adds a piece."""
    return list(new.values()).count(piece) > list(old.values()).count(piece)


def _asked(before: AnyState, after: AnyState) -> list[GameEvent]:
    asker, asked = before.to_move, 1 - before.to_move
    match before.step, after.step:
        case steps.MoveStep(), steps.DrawConsent():
            words, seat = message("{name} offers a draw"), asker
        case steps.MoveStep(), steps.TakebackConsent():
            words, seat = message("{name} asks to take back"), asker
        case steps.DrawConsent(), steps.MoveStep():
            words, seat = message("{name} declines the draw"), asked
        case steps.TakebackConsent(), steps.MoveStep() if after.takebacks == before.takebacks:
            words, seat = message("{name} does not let the move be taken back"), asked
        case steps.TakebackConsent(), steps.MoveStep():
            words, seat = message("{name} takes the last move back"), asker
        case _:
            return []
    return [GameEvent(EventKind.OFFER, seat, 0, say(words, name=before.seats[seat]))]


def _ended(after: AnyState) -> list[GameEvent]:
    end = ending(after)
    if end is None:
        return []
    winner = end.result.winner
    words = end.words
    if winner is not None:
        words = say("{ending}, {winner} wins", end.words, after.seats[winner])
    return [GameEvent(EventKind.MATCH, winner or 0, max(end.result.scores), words)]
