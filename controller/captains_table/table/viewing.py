"""Draws the view of a table: turns the state of the match in progress and of its board into what displays show."""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.common.records import NO_HONOURS
from captains_table.games.contract import Auction, Decide, Die, Game, GameEvent, Over, Square, takes_bell
from captains_table.phrases import say
from captains_table.table.history.event_log import marks_of_events, marks_of_last_move
from captains_table.table.history.proof_sentences import dice_proof
from captains_table.table.history.review import state_view
from captains_table.table.lessons.lesson_game import PULSE_MS, SHOW_MS, coach_lines, coach_of, lesson_of, marked_squares
from captains_table.table.model.match import Match
from captains_table.table.model.player_clocks import seconds_shown
from captains_table.table.model.view import NOWHERE, Coach, Mark, Phase, RollOffer, SeatView, View
from captains_table.table.playing.match_play import MatchPlay
from captains_table.table.prompt_lines import (
    forbidden_piece,
    in_a_row,
    offered_on_board,
    prompt_lines,
    reason_refused,
    targets,
)
from captains_table.table.prompts.asks import TURN_BOARD, PromptPresenter
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.instructions import recovery_marks
from captains_table.table.snapshot import BoardSnapshot, TableSnapshot

LOG_LINES = 12


def draw_table_view(play: MatchPlay, presenter: PromptPresenter, roll: RollOffer) -> View:
    """Return the current view of a table.

    Args:
        play: the current match and its board.
        presenter: the current question and its menu.
        roll: what pressing the roll button does now.
    """
    match, board = play.match, BoardSnapshot.of(play.monitor)
    if match is None:
        idle = View(prompt=(say("Start a match"),), roll=roll, switches=board.occupied, faults=_faults(board))
        return replace(idle, pace=play.settings.pace)
    table = TableSnapshot(match, board, presenter.ask(match), play.tumbling)
    state, game, turn = match.state, match.game, match.turn
    coach = _coach(play, table)
    reason, latest_events = reason_refused(table), play.event_log.latest_events
    bell_left_ms, undoable = play.bell_left_ms(), play.undoable()
    return replace(
        state_view(game, state),
        phase=_phase(table),
        prompt=tuple(prompt_lines(table, reason)) if coach is None else coach_lines(match, coach),
        coach=coach,
        seat=match.seat,
        seats=_seats(match, play.now_ms),
        dice=_dice(game.dice(state), table.tumbling),
        has_dice=type(game).dice is not Game.dice,
        tumbling=tuple(die - 1 for die in table.tumbling),
        pace=play.settings.pace,
        last_throw=play.last_throw.seen,
        past_throw=None if isinstance(turn, Over) else play.past_throw,
        roll=roll,
        movements=game.movements(state),
        shining=game.shining(state),
        switches=board.occupied,
        marks=_marks(table, latest_events, forbidden_by_dice=reason is not None and bool(game.dice(state))),
        ask=table.ask,
        calls=(*match.calls, TURN_BOARD) if play.monitor.may_lie_turned() else tuple(match.calls),
        asks_about_board=bool(board.asked),
        goes_back=match.in_sub_menu() and not board.asked,
        menu=presenter.menu.shown(),
        bell_seconds=_seconds(bell_left_ms),
        takes_bell=takes_bell(turn),
        bell_then=turn.bell_then if isinstance(turn, Decide) else "",
        timers_stopped=match.timers.are_stopped and not isinstance(turn, Over),
        auction_since=match.auction_since,
        hint=play.advising.hint,
        boardless=game.shape is not None and not board.is_read,
        undoes=None if undoable is None else undoable.acted.seat,
        wrong=board.wrong,
        latest_events=latest_events,
        log=tuple(play.event_log.log[-LOG_LINES:]),
        earlier_log=tuple(play.event_log.log[:-LOG_LINES]),
        result=turn.result if isinstance(turn, Over) else None,
        commitment=match.started.commitment,
        dice_proof=_dice_proof(match),
        takes_words=match.takes_words(),
        faults=_faults(board),
        revision=match.revision,
    )


def _coach(play: MatchPlay, table: TableSnapshot) -> Coach | None:
    """Return what the coach says; `None` unless a lesson is held. What is wrong on the board counts as a slip."""
    match, lesson = table.match, lesson_of(table.match.game)
    if lesson is None:
        return None
    slip, forbidden = play.slip, forbidden_piece(table)
    if not slip and forbidden is not None:
        slip = forbidden[1].words
    elif not slip and (table.board.wrong or table.board.to_make is not None):
        slip = in_a_row(*prompt_lines(table, reason_refused(table)))
    quiet_ms = play.now_ms - play.quiet_since_ms
    coach = coach_of(lesson, match.state)
    return replace(coach, slip=slip, pulses=quiet_ms >= PULSE_MS, may_show=quiet_ms >= SHOW_MS)


def _phase(table: TableSnapshot) -> Phase:
    board = table.board
    if isinstance(table.match.turn, Over):
        return Phase.OVER
    return board.aligning_for if board.state is MonitorState.ALIGNING else Phase.PLAYING


def _dice_proof(match: Match) -> str:
    if not match.started.commitment:
        return ""
    computers = [seat for seat in range(len(match.names)) if match.started.is_program(seat)]
    return dice_proof(match.names, [words.seat for words in match.salt.words], computers=computers)


def _seats(match: Match, now_ms: int) -> tuple[SeatView, ...]:
    tallies = match.game.tallies(match.state)
    titles = match.game.titles(match.state) or [""] * len(tallies)
    bids = match.turn.bids if isinstance(match.turn, Auction) else ()
    places = match.game.whereabouts(match.state) or [NOWHERE] * len(tallies)
    clock, acting = match.clock, match.seat
    return tuple(
        SeatView(
            name,
            tally,
            seat in match.acting_seats,
            None if clock is None else seconds_shown(clock.left_ms(seat, acting, now_ms)),
            title,
            *match.seating.computer(seat),
            is_thinking=match.absent_decides and seat == match.seat,
            bid=bids[seat] if bids else 0,
            at=places[seat],
            honours=match.honours[seat] if seat < len(match.honours) else NO_HONOURS,
            delay_seconds=None if clock is None else _seconds(clock.delay_ms(seat, acting, now_ms)),
            stage=None if clock is None else clock.progress(seat),
        )
        for seat, (name, tally, title) in enumerate(zip(match.names, tallies, titles, strict=True))
    )


def _seconds(ms: int | None) -> int | None:
    return None if ms is None else seconds_shown(ms)


def _faults(board: BoardSnapshot) -> tuple[str, ...]:
    masked = [say("The switch of {square} is ignored", str(square)) for square in sorted(board.masked)]
    loose = [
        say("The switch of {square} chatters: ignored until it rests", str(square))
        for square in sorted(board.chattering)
    ]
    return tuple(loose + masked if board.linked else [board.trouble, *loose, *masked])


# --- marks ----------------------------------------------------------------------------------------------------------


def _marks(table: TableSnapshot, latest_events: Sequence[GameEvent], *, forbidden_by_dice: bool) -> dict[Square, Mark]:
    """Return the mark of each square that has one.

    If several marks apply to a square, a fault or correction takes precedence, then an event, then a possible move from
    or to the square, then the last move.
    """
    match, board = table.match, table.board
    faulty = dict.fromkeys(board.ignored, Mark.FAULTY)
    if board.unfinished is not None and not isinstance(match.turn, Over):
        return board.unfinished.marks() | faulty
    wrong = board.wrong
    if board.to_make is not None:
        extra = recovery_marks(wrong, forbidden_by_dice=False)
        return extra | board.to_make.marks(board.occupied) | faulty
    if wrong:
        return faulty | targets(table) | recovery_marks(wrong, forbidden_by_dice=forbidden_by_dice)
    last_move, events = marks_of_last_move(match.game, match.history), marks_of_events(latest_events)
    spoken_of = dict.fromkeys(marked_squares(match), Mark.SPOKEN_OF)
    return last_move | spoken_of | _board_options(table) | events | _forbidden(table) | faulty


def _forbidden(table: TableSnapshot) -> dict[Square, Mark]:
    """Return the mark for the square of a lifted piece if the piece may not be moved; otherwise empty."""
    forbidden = forbidden_piece(table)
    if forbidden is None:
        return {}
    square, hindrance = forbidden
    return {square: Mark.NOT_THIS_DIE if hindrance.by_dice else Mark.PUT_HERE}


def _board_options(table: TableSnapshot) -> dict[Square, Mark]:
    """Return the marks of the squares that matter for the next move.

    While a piece is lifted, the squares where the piece may go are marked. Otherwise the pieces that may move are
    marked, and the squares that a piece from off the board may enter. If only one piece may move, the squares where
    that piece may go are marked too.
    """
    if lit := targets(table):
        return lit
    options = offered_on_board(table)
    is_one_piece = len({option.footprint.origin for option in options}) == 1
    filling = [option for option in options if is_one_piece or not option.footprint.left]
    glowing = dict.fromkeys((square for option in filling for square in option.footprint.filled), Mark.TARGET)
    return dict.fromkeys((square for option in options for square in option.footprint.movers), Mark.MAY_MOVE) | glowing


def _dice(dice: Sequence[Die], tumbling: Sequence[int]) -> tuple[Die, ...]:
    """Return the dice; a tumbling die is shown as not held."""
    return tuple(replace(die, held=False) if number in tumbling else die for number, die in enumerate(dice, 1))
