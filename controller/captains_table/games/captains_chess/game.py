"""The game class of Captain's Chess: options of each turn, effects of actions, game events, and texts for displays.

The texts include the reasons why a piece cannot be moved. The legal moves come from `position`, the end of a match and
the claims of a draw from `state`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.games.captains_chess.fen import format_fen
from captains_table.games.captains_chess.meanings import CARDS, MEANINGS
from captains_table.games.captains_chess.position import BLACK, BOARD_9X8, FILES, KING, PIECE_LETTERS, CaptainsPosition
from captains_table.games.captains_chess.state import (
    CAPTAINS_OPTIONS,
    CaptainsMain,
    ClockPressStep,
    DrawConsent,
    State,
    claim_of,
    drawn,
    ending,
    lost_by,
    parse_captains_options,
)
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
    Game,
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
    check_names,
    consent,
)

COLOURS = ("White", "Black")
CAPTAIN = "The captain moves as a knight, or one step straight"
MANNERS = {
    "c": CAPTAIN,
    "+b": "A crowned bishop may also take one step straight",
    "+r": "A crowned rook may also take one step diagonally",
}
LESSONS = (
    CAPTAIN,
    "A pawn that reaches the last rank becomes a captain",
    "A bishop on the last rank is crowned: it may also take one step straight",
    "A rook on the last rank is crowned: it may also take one step diagonally",
    "Castling takes the king three squares, to either side",
    "Having no move loses, and so does having only the king left",
)
CHECKED = "Move the king away, take the attacker, or stand between"


class CaptainsChess(Game[State]):
    """The rules of Captain's Chess (docs/rules/captains-chess.md)."""

    key = "captains-chess"
    title = "Captain's Chess"
    seats = range(2, 3)
    shape = BOARD_9X8
    options = CAPTAINS_OPTIONS
    meanings = MEANINGS
    cards = CARDS

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state of a match; the first player has White.

        Raises:
            BadOption: an option is unknown or invalid, or there are not two different valid names.
        """
        check_names(seats, self.seats)
        parsed = parse_captains_options(options)
        return State(parsed, (seats[0], seats[1]), parsed.first_position)

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def turn(self, state: State) -> Turn:
        end, seat = ending(state), state.to_move
        if end is not None:
            return Over(end.result)
        match state.step:
            case ClockPressStep():
                prompt = f"{_called(state, 1 - seat)}: press the clock"
                return Decide(1 - seat, PickAsk(prompt, (PRESS_CLOCK,), PRESS_CLOCK.id))
            case DrawConsent():
                prompt, then = f"{_called(state, 1 - seat)}: agree to a draw?", f"{state.seats[seat]} offers it"
                return Decide(1 - seat, consent(prompt, then))
            case _:
                return Decide(seat, _main_ask(state))

    def apply(self, state: State, action: Action) -> State:
        if ending(state) is not None:
            raise IllegalAction("the match is over")
        match state.step, action:
            case CaptainsMain(), Pick(id_):
                return _main_pick(state, id_)
            case ClockPressStep(), Pick(PRESS_CLOCK.id):
                return replace(state, step=CaptainsMain())
            case DrawConsent(), Pick(AGREE.id):
                return replace(state, step=drawn("The players agree on a draw"))
            case DrawConsent(), Pick(REFUSE.id):
                return replace(state, step=CaptainsMain())
            case _, TimeUp() if state.options.clock is not None:
                turn = self.turn(state)
                seat = turn.seat if isinstance(turn, Decide) else state.to_move
                return replace(state, step=lost_by(state, seat, "has no time left"))
            case _:
                raise IllegalAction(f"{action} is no answer to what is asked")

    def pieces(self, state: State) -> Mapping[Square, str]:
        return state.position.pieces()

    def score(self, state: State) -> Sequence[int]:
        """Return 1 for the winner and 0 for the other player; 0 for both in a draw or before the end."""
        end = ending(state)
        return (0, 0) if end is None else end.result.scores

    def time_control(self, state: State) -> TimeControl | None:
        return state.options.clock

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:  # noqa: ARG002 - nothing is counted
        """Return an empty mapping for each seat, since nothing is counted in this game."""
        return ({}, {})

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        if after is before:
            return ()
        return (*_moved(before, after), *_asked(before, after), *_ended(after))

    def refused(self, state: State) -> Sequence[Refused]:
        """Return the moves that only the safety of the king forbids.

        Empty while the clock must be pressed or an offer of a draw must be answered.
        """
        if not isinstance(state.step, CaptainsMain):
            return ()
        position = state.position
        reason = "the king is attacked" if position.in_check else "the king would be attacked"
        return [
            Refused(position.id_of(move), position.label(move), reason, position.play(move).pieces())
            for move in position.illegal_for_check()
        ]

    def hindrance(self, state: State, square: Square) -> Hindrance | None:
        letter = state.position.pieces().get(square)
        if letter is None or not isinstance(state.step, CaptainsMain) or ending(state) is not None:
            return None
        kind = kind_name(letter)
        if not _is_of(letter, state.to_move):
            return Hindrance(f"That {kind} is {state.seats[1 - state.to_move]}'s")
        return _of_own(state.position, square, kind)

    def manner(self, piece: str) -> str:
        return MANNERS.get(piece.lower(), "")

    def goal(self, state: State) -> str:  # noqa: ARG002 - always the same
        return "mate wins; or taking all but the king"

    def heading(self, state: State) -> str:
        """Return the number of the move, or that the match is over.

        Until the clock is pressed, the number is that of the move just made.
        """
        if ending(state) is not None:
            return "The match is over"
        number = state.position.number
        return f"Move {number - 1 if isinstance(state.step, ClockPressStep) and state.position.white else number}"

    def details(self, state: State) -> Mapping[str, object]:
        """Return the position as FEN, with the key `fen`."""
        return {"fen": format_fen(state.position)}


def _of_own(position: CaptainsPosition, square: Square, kind: str) -> Hindrance | None:
    start = square.rank * FILES + square.file
    if any(move.start == start for move in position.moves.values()):
        return None
    if all(move.start != start for move in position.illegal_for_check()):
        return Hindrance(f"The {kind} is blocked")
    if kind == "king":
        return Hindrance("The king would be attacked")
    return Hindrance("The king is in check" if position.in_check else f"The {kind} shields its king")


def _called(state: State, seat: int) -> str:
    return f"{state.seats[seat]} ({COLOURS[seat]})"


# --- the main question and its answers ------------------------------------------------------------------------------


def _main_ask(state: State) -> PickAsk:
    position = state.position
    board = [Option(id_, position.label(move), on_board=True) for id_, move in position.moves.items()]
    claim = (CLAIM_DRAW,) if claim_of(state) else ()
    then = f"{state.seats[1 - state.to_move]} may accept: the match is then a draw"
    offer = () if state.offered else (replace(OFFER_DRAW, then=then),)
    checked = "you are in check" if position.in_check else "your move"
    default = CLAIM_DRAW.id if claim else None
    then = f"You may claim a draw: {claim_of(state)}" if claim else CHECKED if position.in_check else _lesson(state)
    return PickAsk(f"{_called(state, state.to_move)}: {checked}", (*board, *claim, *offer, RESIGN), default, then)


def _lesson(state: State) -> str:
    """Return a rule that chess does not have, another in each move; first how a piece moves that just came to be."""
    return MANNERS.get(state.promoted.lower()) or LESSONS[(state.position.number - 1) % len(LESSONS)]


def _main_pick(state: State, id_: str) -> State:
    move = state.position.moves.get(id_)
    if move is not None:
        after = state.position.play(move)
        past = (*state.past, state.position.key) if after.quiet else ()
        promoted = PIECE_LETTERS[move.becomes] if id_[-1] in "c+" else ""
        moved = replace(state, position=after, past=past, offered=False, promoted=promoted)
        return moved if state.options.clock is None else replace(moved, step=ClockPressStep())
    match id_:
        case CLAIM_DRAW.id if claim := claim_of(state):
            return replace(state, step=drawn(f"A draw: {claim}"))
        case OFFER_DRAW.id if not state.offered:
            return replace(state, step=DrawConsent(), offered=True)
        case RESIGN.id:
            return replace(state, step=lost_by(state, state.to_move, "resigns"))
    raise IllegalAction(f"{id_!r} is not offered: expected one of {', '.join(o.id for o in _main_ask(state).options)}")


# --- game events ----------------------------------------------------------------------------------------------------


def _moved(before: State, after: State) -> list[GameEvent]:
    if after.position is before.position:
        return []
    seat = before.to_move
    old, new = before.position.pieces(), after.position.pieces()
    rival = "White" if seat else "Black"
    gone = [square for square, piece in old.items() if _is_of(piece, 1 - seat) and new.get(square) != piece]
    events = [
        GameEvent(EventKind.CAPTURE, seat, 0, f"{before.seats[seat]} takes the {piece_name(old[square])}", square)
        for square in gone
    ]
    for square in [square for square in new if new[square] != old.get(square) and _is_new(new[square], old, new)]:
        words = f"{before.seats[seat]} gains a {piece_name(new[square])}"
        events.append(GameEvent(EventKind.PROMOTION, seat, 0, words, square))
    if after.position.in_check and ending(after) is None:
        code = KING if after.position.white else KING + BLACK
        square = BOARD_9X8.square_at(after.position.board.index(code))
        events.append(GameEvent(EventKind.CHECK, seat, 0, f"{rival}'s king is in check", square))
    return events


def _is_of(piece: str, seat: int) -> bool:
    return piece.isupper() == (seat == 0)


def _is_new(piece: str, old: Mapping[Square, str], new: Mapping[Square, str]) -> bool:
    """Return whether the board has more pieces of a kind than before; only promoting or crowning adds a piece."""
    return list(new.values()).count(piece) > list(old.values()).count(piece)


def _asked(before: State, after: State) -> list[GameEvent]:
    asker, asked = before.to_move, 1 - before.to_move
    match before.step, after.step:
        case CaptainsMain(), DrawConsent():
            return [GameEvent(EventKind.OFFER, asker, 0, f"{before.seats[asker]} offers a draw")]
        case DrawConsent(), CaptainsMain():
            return [GameEvent(EventKind.OFFER, asked, 0, f"{before.seats[asked]} declines the draw")]
        case _:
            return []


def _ended(after: State) -> list[GameEvent]:
    end = ending(after)
    if end is None:
        return []
    winner = end.result.winner
    won = "" if winner is None else f", {after.seats[winner]} wins"
    return [GameEvent(EventKind.MATCH, winner or 0, max(end.result.scores), f"{end.words}{won}")]
