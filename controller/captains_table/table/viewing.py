"""Drawing the view of a table: the one place where game state becomes something to be seen."""

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Decide, Over, Roll, Square
from captains_table.table.history.marks import marks_of_events, marks_of_last_move
from captains_table.table.history.proof_words import dice_proof
from captains_table.table.model.match import Match
from captains_table.table.model.player_clocks import seconds_shown
from captains_table.table.model.view import Mark, Phase, SeatView, View
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate
from captains_table.table.recognition.monitor_state import MonitorState
from captains_table.table.recognition.recovery import recovery_marks, recovery_steps, refusal
from captains_table.table.snapshot import BoardSnapshot, TableSnapshot


def draw(table: TableSnapshot) -> View:
    """Return what is to be seen of a table now."""
    match, board = table.match, table.board
    if match is None:
        return View(prompt=("Start a match",), switches=board.occupied, faults=_faults(table))
    state, game, turn = match.state, match.game, match.turn
    reason = _reason(table)
    return View(
        phase=phase_of(table),
        game=game.key,
        title=game.title,
        heading=game.heading(state),
        prompt=tuple(_prompt(table, match, reason)),
        seat=match.seat,
        seats=_seats(match, table.now_ms),
        dice=tuple(game.dice(state)),
        slots=tuple(game.slots(state)),
        tumbling=tuple(die - 1 for die in table.tumbling),
        pieces=game.pieces(state),
        switches=board.occupied,
        marks=_marks(table, match, forbidden_by_dice=reason is not None and bool(game.dice(state))),
        shape=game.shape,
        ask=table.ask,
        asks_about_board=bool(board.asked),
        menu=table.menu,
        bell_seconds=None if table.bell_left_ms is None else seconds_shown(table.bell_left_ms),
        hint=table.hint,
        wrong=board.wrong,
        latest_events=table.latest_events,
        sheet=tuple(game.sheet(state)),
        log=table.log,
        result=turn.result if isinstance(turn, Over) else None,
        commitment=match.started.commitment,
        dice_proof=_dice_proof(match),
        takes_words=match.takes_words(),
        faults=_faults(table),
        revision=match.revision,
        details=game.details(state),
    )


def phase_of(table: TableSnapshot) -> Phase:
    """Return where a table stands."""
    match, board = table.match, table.board
    if match is None:
        return Phase.IDLE
    if isinstance(match.turn, Over):
        return Phase.OVER
    return board.aligning_for if board.state is MonitorState.ALIGNING else Phase.PLAYING


def _dice_proof(match: Match) -> str:
    if not match.started.commitment:
        return ""
    computers = [seat for seat in range(len(match.names)) if match.started.is_computer(seat)]
    return dice_proof(match.names, [words.seat for words in match.salt.words], computers=computers)


def _seats(match: Match, now_ms: int) -> tuple[SeatView, ...]:
    tallies = match.game.tallies(match.state)
    titles = match.game.titles(match.state) or [""] * len(tallies)
    return tuple(
        SeatView(name, tally, seat in match.acting_seats, _seconds_left(match, seat, now_ms), title)
        for seat, (name, tally, title) in enumerate(zip(match.names, tallies, titles, strict=True))
    )


def _seconds_left(match: Match, seat: int, now_ms: int) -> int | None:
    return None if match.clock is None else seconds_shown(match.clock.left_ms(seat, match.seat, now_ms))


def _reason(table: TableSnapshot) -> str | None:
    """Return why the move that stands on the board is forbidden, if that is its only fault."""
    match, board = table.match, table.board
    if match is None or board.state is not MonitorState.RECOVERING:
        return None
    move = refusal(match.game.refused(match.state), board.occupied, board.ignored)
    return None if move is None else f"{move.label}: {move.reason}"


def _prompt(table: TableSnapshot, match: Match, reason: str | None) -> list[str]:
    board = table.board
    if isinstance(match.turn, Over):
        asked = [table.ask.prompt] if board.asked and table.ask is not None else _rival_words(board)
        return [_result_words(match, match.turn), *asked]
    wrong, unfinished = board.wrong, board.unfinished
    if wrong and unfinished is not None:
        steps = unfinished.steps(match.pieces())
        return ["The move is not finished", *steps, "or put everything back", *_doubt(table)]
    if wrong and _targets(table):
        pieces = " and ".join(f"{piece_name(match.pieces()[square])} of {square}" for square in wrong.missing)
        return [f"Put the {pieces} on a lit square, or back", *_doubt(table)]
    if wrong:
        first = reason or (
            "This is no move now" if board.state is MonitorState.RECOVERING else _aligning_words(board.aligning_for)
        )
        return [first, *recovery_steps(wrong, match.pieces()), *_doubt(table)]
    ask = table.ask
    if ask is not None:
        return [*_rival_words(board), ask.prompt]
    return [match.turn.prompt] if isinstance(match.turn, Roll) else []


def _rival_words(board: BoardSnapshot) -> list[str]:
    """Return in one sentence what is believed and what may have been done as well; nothing where that is clear."""
    if not board.rivals or board.believed is None:
        return []
    others = " or ".join(_deed_words(rival) for rival in board.rivals)
    return [f"Taken as {_deed_words(board.believed)}, but it may be {others}"]


def _deed_words(deed: Candidate) -> str:
    return "no move" if deed.id == TAKE_BACK else deed.label


def _doubt(table: TableSnapshot) -> list[str]:
    return ["Is the board right? Then let the table ignore that switch"] if table.board.suspects else []


def _aligning_words(phase: Phase) -> str:
    match phase:
        case Phase.SETUP:
            return "Set up the pieces"
        case Phase.RESTORING:
            return "The board differs from the match"
        case _:
            return "Make the board look like this"


def _result_words(match: Match, over: Over) -> str:
    winner, scores = over.result.winner, over.result.scores
    if len(scores) == 1:
        return f"{match.called(match.state)[0]} ends with {scores[0]}"
    return "The match is shared" if winner is None else f"{match.called(match.state)[winner]} wins the match"


def _faults(table: TableSnapshot) -> tuple[str, ...]:
    board = table.board
    masked = [f"The switch of {square} is ignored" for square in sorted(board.masked)]
    loose = [f"The switch of {square} chatters: ignored until it rests" for square in sorted(board.chattering)]
    return tuple(loose + masked if board.linked else [board.trouble, *loose, *masked])


# --- marks ----------------------------------------------------------------------------------------------------------


def _marks(table: TableSnapshot, match: Match, *, forbidden_by_dice: bool) -> dict[Square, Mark]:
    """Return what each lit square means; where several marks fit one, what must be done wins."""
    board = table.board
    faulty = dict.fromkeys(board.ignored, Mark.FAULTY)
    if board.unfinished is not None and not isinstance(match.turn, Over):
        return board.unfinished.marks() | faulty
    wrong = board.wrong
    if wrong:
        return faulty | _targets(table) | recovery_marks(wrong, forbidden_by_dice=forbidden_by_dice)
    last_move, events = marks_of_last_move(match.game, match.history), marks_of_events(table.latest_events)
    return last_move | _board_options(table) | events | faulty


def _board_options(table: TableSnapshot) -> dict[Square, Mark]:
    """Pieces that may move glow; once one is lifted, its targets do."""
    if _targets(table):
        return _targets(table)
    options = _options(table)
    targets = dict.fromkeys(
        (square for option in options if not option.footprint.left for square in option.footprint.filled), Mark.TARGET
    )
    if len(options) > 0 and len({option.footprint.origin for option in options}) == 1:
        targets = dict.fromkeys((square for option in options for square in option.footprint.filled), Mark.TARGET)
    return dict.fromkeys((square for option in options for square in option.footprint.movers), Mark.MAY_MOVE) | targets


def _targets(table: TableSnapshot) -> dict[Square, Mark]:
    """Return the squares where what was lifted may go: empty while nothing is lifted, or some of it has no move."""
    lifted = set(table.board.lifted)
    chosen = [
        option
        for option in _options(table)
        if lifted and lifted <= option.footprint.changed and (option.footprint.left | option.footprint.carried) & lifted
    ]
    return dict.fromkeys((square for option in chosen for square in option.footprint.targets(lifted)), Mark.TARGET)


def _options(table: TableSnapshot) -> list[Candidate]:
    """Return what the game offers on the board now; nothing while something else is asked."""
    board, match = table.board, table.match
    if match is None or not isinstance(match.turn, Decide) or board.asked:
        return []
    return [option for option in board.options if not option.takes_back]
