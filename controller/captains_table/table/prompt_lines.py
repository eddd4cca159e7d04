"""The prompt's lines: who must act and how, in the game, with a computer's move, or on a board to be put right.

The lines also name the other moves that fit the board, and the result. For the board, the module returns the squares
where lifted pieces may go, a piece that may not be moved, and the reason why a move is refused.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Final

from captains_table.games.common.dice import face_words
from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import (
    Ask,
    Auction,
    Decide,
    EventKind,
    Hindrance,
    Over,
    Roll,
    Square,
    Turn,
    is_nobodys,
)
from captains_table.phrases import capitalized, computed, listed, say, split_address, with_stops
from captains_table.table.model.match import Match
from captains_table.table.model.verdict import headline
from captains_table.table.model.view import Mark, Phase
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.footprint import named_squares
from captains_table.table.recognition.instructions import MoveToMake, forbidden_move, recovery_steps
from captains_table.table.snapshot import BoardSnapshot, TableSnapshot

TIME_STANDS_STILL: Final = say("The game master has stopped the time")


def offered_on_board(table: TableSnapshot) -> list[Candidate]:
    """Return the moves that may be made on the board now, except those that would change the last move.

    Empty if no player must decide now, or while the players are asked about the board.
    """
    if not isinstance(table.match.turn, Decide) or table.board.asked:
        return []
    return [option for option in table.board.options if not option.takes_back]


def targets(table: TableSnapshot) -> dict[Square, Mark]:
    """Return marks for the squares where the lifted pieces may go.

    Empty if nothing is lifted, or if no move lifts all of these pieces.
    """
    lifted = set(table.board.lifted)
    chosen = [
        option
        for option in offered_on_board(table)
        if lifted and lifted <= option.footprint.changed and (option.footprint.left | option.footprint.carried) & lifted
    ]
    squares = {square for option in chosen for square in option.footprint.targets(lifted)}
    rooks = {square for option in chosen for square in _named_rook(option)}
    return dict.fromkeys(squares | rooks, Mark.TARGET)


def _named_rook(option: Candidate) -> frozenset[Square]:
    """Return the square of the rook with which a move castles, if the move is named with it; otherwise nothing."""
    named, footprint = named_squares(option.id), option.footprint
    return frozenset() if named is None else frozenset(named[1:]) & (footprint.carried - footprint.filled)


def forbidden_piece(table: TableSnapshot) -> tuple[Square, Hindrance] | None:
    """Return a lifted piece's square and why the piece may not be moved now; `None` if no lifted piece is forbidden.

    A piece may be moved if a possible move changes the piece's square, or if the game gives no reason against
    moving it. During an auction no move counts as possible while the board must be put right. While the players are
    asked about the board, no piece is forbidden.
    """
    match, board = table.match, table.board
    if board.asked:
        return None
    is_no_change = isinstance(match.turn, Auction) and board.state is MonitorState.RECOVERING
    options = () if is_no_change else board.options
    may_change = frozenset[Square]().union(*(option.footprint.changed for option in options))
    for square in board.lifted:
        hindrance = None if square in may_change else match.game.hindrance(match.state, square)
        if hindrance is not None:
            return square, hindrance
    return None


def prompt_lines(table: TableSnapshot, reason: str | None) -> list[str]:
    """Return the prompt's lines, most important first.

    Args:
        table: the state of the table.
        reason: why the move on the board is forbidden (`reason_refused`); `None` if it is not.
    """
    lines, match = _lines(table, reason), table.match
    stands_still = match.timers.are_stopped and not isinstance(match.turn, Over)
    return [*lines[:1], TIME_STANDS_STILL, *lines[1:]] if stands_still else lines


def _lines(table: TableSnapshot, reason: str | None) -> list[str]:
    match, board = table.match, table.board
    if board.to_make is not None:
        return _move_to_make_lines(table, board.to_make)
    if isinstance(match.turn, Over):
        asked = [table.ask.prompt] if board.asked and table.ask is not None else _rival_words(board)
        return [result_sentence(match, match.turn), *asked]
    if board.wrong:
        doubt = [say("Is the board right? Then let the table ignore that switch")] if board.suspects else []
        return [*_wrong_lines(table, reason), *doubt]
    forbidden = forbidden_piece(table)
    if forbidden is not None:
        square, hindrance = forbidden
        return [
            say("{reason}: put it back on {square}¦{reason}: back to {square}", hindrance.words, str(square)),
            *_asked_lines(table)[:1],
        ]
    return [*_rival_words(board), *_asked_lines(table)[: 1 if _manner(table) else None], *_manner(table)]


def reason_refused(table: TableSnapshot) -> str | None:
    """Return a text with the refused move on the board and the reason; `None` if the board shows no refused move."""
    match, board = table.match, table.board
    if board.state is not MonitorState.RECOVERING:
        return None
    move = forbidden_move(match.game.refused(match.state), board.occupied, board.ignored)
    return None if move is None else say("{move}: {reason}", move.label, move.reason)


# --- asks -------------------------------------------------------------------------------------------------------------


def turn_lines(turn: Turn, names: Sequence[str]) -> list[str]:
    """Return the lines of a turn's prompt: the player who must act and what to do, then what may be done afterwards.

    Args:
        turn: the turn.
        names: the players' names, in seat order.
    """
    match turn:
        case Decide(seat, ask):
            return _ask_lines(names[seat], ask)
        case Roll(prompt=prompt, then=then) | Auction(prompt=prompt, then=then):
            return [prompt, then] if then else [prompt]
        case Over():
            return []


def with_addressee(name: str, words: str) -> str:
    """Prefix words with the name of the player they are meant for, unless they already begin with the name."""
    return words if split_address(words, name)[0] else say("{name}: {words}", name, words)


def _ask_lines(name: str, ask: Ask) -> list[str]:
    first = with_addressee(name, ask.prompt)
    return [first, ask.then] if ask.then else [first]


def _asked_lines(table: TableSnapshot) -> list[str]:
    match, ask = table.match, table.ask
    names = match.called(match.state)
    if table.board.suspects and ask is not None:
        return [ask.prompt]  # this question is for everybody
    if table.board.asked and ask is not None and not isinstance(ask, Auction):
        return _ask_lines(names[_mover(table)], ask)
    decided = _decided_by_throw(match)
    if match.absent_decides and match.seat is not None:
        return [*_absent_lines(table, names[match.seat]), *decided]
    lines = turn_lines(match.turn, names)
    return [lines[0], in_a_row(*decided, *lines[1:])] if decided else lines


def in_a_row(*sentences: str) -> str:
    """Return sentences with full stops between them."""
    return computed(with_stops, *sentences)


def _decided_by_throw(match: Match) -> list[str]:
    """Return who begins, or that there is a tie, right after a throw for the start; otherwise an empty list."""
    events = [event for step in match.history[-1:] for event in match.game.game_events(step.before, step.after)]
    return [event.words for event in events if event.kind is EventKind.ORDER][1:]  # the first: what was thrown


def _absent_lines(table: TableSnapshot, name: str) -> list[str]:
    """Return what a player who is not at the table does now, what is at stake, and what its dice are."""
    game, state, turn = table.match.game, table.match.state, table.match.turn
    falling = turn.dice if isinstance(turn, Roll) else table.tumbling
    stays = [die for number, die in enumerate(game.dice(state), 1) if die.face and number not in falling]
    standing = capitalized(game.standing(state))
    told = say("Keeps {dice}", listed(face_words(stays), ",")) if falling and stays else standing
    doing = say("{name} throws", name) if falling else say("{name} thinks", name)
    return [doing, *filter(None, [game.stakes(state), told])]


def _manner(table: TableSnapshot) -> list[str]:
    """Return how the lifted piece moves, if chess does not have it."""
    lifted, pieces = table.board.lifted, table.match.pieces()
    words = {table.match.game.manner(pieces[square]) for square in lifted if square in pieces}
    return [*filter(None, words)] if len(words) == 1 else []


def _mover(table: TableSnapshot) -> int:
    """Return the seat of the player who made the move about which the table asks.

    If a move that the table asks about would replace the match's last move, this is the seat that made the last move.
    Otherwise, it is the seat on turn. If no single seat is on turn, the result is 0.
    """
    match, last = table.match, table.match.provisional
    takes_back = any(asked.takes_back for asked in table.board.asked)
    seat = last.acted.seat if takes_back and last is not None else match.seat
    return 0 if seat is None else seat


# --- a computer's move ------------------------------------------------------------------------------------------------


def _move_to_make_lines(table: TableSnapshot, to_make: MoveToMake) -> list[str]:
    """Return the lines that name a computer's move and say how to make it, or how to correct the board first."""
    match, last = table.match, table.match.history[-1]
    name = match.called(last.before)[last.acted.seat or 0]
    played = say("{name} plays {move}", name, last.option.label if last.option is not None else "")
    if to_make.is_only_difference(table.board.occupied):
        return [played, *to_make.steps()]
    return [played, *recovery_steps(table.board.wrong, match.pieces())]


# --- a wrong board ----------------------------------------------------------------------------------------------------


def _wrong_lines(table: TableSnapshot, reason: str | None) -> list[str]:
    board, pieces = table.board, table.match.pieces()
    if board.unfinished is not None:
        return [say("The move is not finished"), *board.unfinished.steps(pieces), say("or put everything back")]
    if board.wrong.missing and targets(table):
        first, *others = ((piece_name(pieces[square]), str(square)) for square in board.wrong.missing)
        named = [say("the {piece} from {square}", first[0], first[1])]
        named += [say("{piece} from {square}", piece, square) for piece, square in others]
        return [say("Put {pieces} on a lit square, or back", _all_of(named, "and")), *_manner(table)]
    return [reason or _why_wrong(table), *recovery_steps(board.wrong, pieces)]


def _why_wrong(table: TableSnapshot) -> str:
    if table.board.state is not MonitorState.RECOVERING:
        return _ALIGNING.get(table.board.aligning_for, say("Make the board look like this"))
    forbidden = forbidden_piece(table)
    return say("This is no move now") if forbidden is None else forbidden[1].words


_ALIGNING: Final = {
    Phase.SETUP: say("Set up the pieces"),
    Phase.RESTORING: say("The board differs from the match"),
}


def _rival_words(board: BoardSnapshot) -> list[str]:
    """Return a list with one sentence: which move the table assumes, and which other moves fit the board.

    The list is empty if the table assumes no move, or if no other move fits the board.
    """
    if not board.rivals or board.believed is None:
        return []
    believed, *others = (
        say("no move") if deed.id == TAKE_BACK else deed.label for deed in (board.believed, *board.rivals)
    )
    return [say("Taken as {move}, but it may be {others}¦{move}, or {others}?", believed, _all_of(others, "or"))]


def _all_of(items: Sequence[str], word: str) -> str:
    """Return items with the same word between all of them."""
    return reduce(lambda before, item: listed([before, item], word), items)


def result_sentence(match: Match, over: Over) -> str:
    """Return a sentence that says how a match ended."""
    result, names = over.result, match.called(match.state)
    if len(result.scores) > 1 and is_nobodys(result.winner, result.scores):
        return say("Nobody wins the match")
    if len(result.scores) == 1 or result.winner is None:
        return headline(result, names)
    return say("{name} wins the match", names[result.winner])
