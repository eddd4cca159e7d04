"""Drawing the view from a referee: the one place where game state becomes something to be seen."""

from typing import TYPE_CHECKING

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import TURNING_POINTS, Decide, EventKind, Over, Roll, Square
from captains_table.table.model.match import Match
from captains_table.table.model.player_clocks import seconds_shown
from captains_table.table.model.view import Mark, Phase, SeatView, View
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import Candidate
from captains_table.table.recognition.footprint import difference
from captains_table.table.recognition.recovery import recovery_marks, recovery_steps, refusal

if TYPE_CHECKING:
    from captains_table.table.referee import Referee

LOG_LINES = 12
EVENT_MARKS = {
    EventKind.STRIKE: Mark.STRIKE,
    EventKind.TREASURE: Mark.TREASURE,
    EventKind.KING: Mark.KING_TAKEN,
    EventKind.CHECK: Mark.STRIKE,
}


def draw(referee: "Referee") -> View:
    """Return what is to be seen of a table now."""
    match, monitor = referee.match, referee.monitor
    if match is None:
        return View(prompt=("Start a match",), switches=monitor.occupied, faults=_faults(referee))
    state, game, turn = match.state, match.game, match.turn
    reason = _reason(referee)
    return View(
        phase=phase_of(referee),
        game=game.key,
        title=game.title,
        heading=game.heading(state),
        prompt=tuple(_prompt(referee, match, reason)),
        seat=match.seat,
        seats=_seats(match, referee.now_ms),
        dice=tuple(game.dice(state)),
        slots=tuple(game.slots(state)),
        tumbling=tuple(die - 1 for die in referee.tumbling),
        pieces=game.pieces(state),
        switches=monitor.occupied,
        marks=_marks(referee, match, forbidden_by_dice=reason is not None and bool(game.dice(state))),
        shape=game.shape,
        ask=referee.ask(),
        menu=referee.presenter.menu.shown(),
        hint=referee.hint,
        wrong=monitor.wrong(),
        latest_events=referee.event_log.latest_events,
        sheet=tuple(game.sheet(state)),
        log=tuple(referee.event_log.log[-LOG_LINES:]),
        result=turn.result if isinstance(turn, Over) else None,
        commitment=match.started.commitment,
        faults=_faults(referee),
        revision=match.revision,
        details=game.details(state),
    )


def phase_of(referee: "Referee") -> Phase:
    """Return where a table stands."""
    match, monitor = referee.match, referee.monitor
    if match is None:
        return Phase.IDLE
    if isinstance(match.turn, Over):
        return Phase.OVER
    return monitor.aligning_for if monitor.state is MonitorState.ALIGNING else Phase.PLAYING


def _seats(match: Match, now_ms: int) -> tuple[SeatView, ...]:
    tallies = match.game.tallies(match.state)
    titles = match.game.titles(match.state) or [""] * len(tallies)
    return tuple(
        SeatView(name, tally, seat == match.seat, _seconds_left(match, seat, now_ms), title)
        for seat, (name, tally, title) in enumerate(zip(match.names, tallies, titles, strict=True))
    )


def _seconds_left(match: Match, seat: int, now_ms: int) -> int | None:
    return None if match.clock is None else seconds_shown(match.clock.left_ms(seat, match.seat, now_ms))


def _reason(referee: "Referee") -> str | None:
    """Return why the move that stands on the board is forbidden, if that is its only fault."""
    match, monitor = referee.match, referee.monitor
    if match is None or monitor.state is not MonitorState.RECOVERING:
        return None
    move = refusal(match.game.refused(match.state), monitor.occupied, monitor.ignored())
    return None if move is None else f"{move.label}: {move.reason}"


def _prompt(referee: "Referee", match: Match, reason: str | None) -> list[str]:
    monitor = referee.monitor
    if isinstance(match.turn, Over):
        return [_result_words(match, match.turn)]
    wrong, unfinished = monitor.wrong(), monitor.unfinished()
    if wrong and unfinished is not None:
        return [
            "The move is not finished",
            *unfinished.steps(match.pieces()),
            "or put everything back",
            *_doubt(referee),
        ]
    if wrong and _targets(referee):
        pieces = " and ".join(f"{piece_name(match.pieces()[square])} of {square}" for square in wrong.missing)
        return [f"Put the {pieces} on a lit square, or back", *_doubt(referee)]
    if wrong:
        first = reason or (
            "This is no move now" if monitor.state is MonitorState.RECOVERING else _aligning_words(monitor.aligning_for)
        )
        return [first, *recovery_steps(wrong, match.pieces()), *_doubt(referee)]
    ask = referee.ask()
    if ask is not None:
        return [ask.prompt]
    return [match.turn.prompt] if isinstance(match.turn, Roll) else []


def _doubt(referee: "Referee") -> list[str]:
    return ["Is the board right? Then let the table ignore that switch"] if referee.monitor.suspects() else []


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


def _faults(referee: "Referee") -> tuple[str, ...]:
    monitor = referee.monitor
    masked = [f"The switch of {square} is ignored" for square in sorted(monitor.masked)]
    loose = [f"The switch of {square} chatters: ignored until it rests" for square in sorted(monitor.chattering())]
    return tuple(loose + masked if monitor.linked else [monitor.trouble, *loose, *masked])


# --- marks ----------------------------------------------------------------------------------------------------------


def _marks(referee: "Referee", match: Match, *, forbidden_by_dice: bool) -> dict[Square, Mark]:
    """Return what each lit square means; where several things could be said, what must be done wins."""
    monitor = referee.monitor
    faulty = dict.fromkeys(monitor.ignored(), Mark.FAULTY)
    wrong = monitor.wrong()
    unfinished = monitor.unfinished()
    if unfinished is not None and not isinstance(match.turn, Over):
        return unfinished.marks() | faulty
    if wrong:
        return faulty | _targets(referee) | recovery_marks(wrong, forbidden_by_dice=forbidden_by_dice)
    return _last_move(match) | _board_options(referee) | _event_marks(referee) | faulty


def _last_move(match: Match) -> dict[Square, Mark]:
    if match.game.shape is None:
        return {}
    for step in reversed(match.history):
        if step.on_board:
            before, after = match.game.pieces(step.before), match.game.pieces(step.after)
            return dict.fromkeys(difference(before, after), Mark.LAST_MOVE)
        if any(event.kind in TURNING_POINTS for event in match.game.game_events(step.before, step.after)):
            break
    return {}


def _board_options(referee: "Referee") -> dict[Square, Mark]:
    """Pieces that may move glow; once one is lifted, its targets do."""
    if _targets(referee):
        return _targets(referee)
    options = _options(referee)
    targets = dict.fromkeys(
        (square for option in options if not option.footprint.left for square in option.footprint.filled), Mark.TARGET
    )
    if len(options) > 0 and len({option.footprint.origin for option in options}) == 1:
        targets = dict.fromkeys((square for option in options for square in option.footprint.filled), Mark.TARGET)
    return dict.fromkeys((square for option in options for square in option.footprint.movers), Mark.MAY_MOVE) | targets


def _targets(referee: "Referee") -> dict[Square, Mark]:
    """Return the squares where what was lifted may go; nothing while nothing is lifted, or something has no move."""
    lifted = set(referee.monitor.lifted())
    chosen = [
        option
        for option in _options(referee)
        if lifted and lifted <= option.footprint.changed and (option.footprint.left | option.footprint.carried) & lifted
    ]
    return dict.fromkeys((square for option in chosen for square in option.footprint.targets(lifted)), Mark.TARGET)


def _options(referee: "Referee") -> list[Candidate]:
    """Return what the game offers on the board now; nothing while something else is asked."""
    monitor, match = referee.monitor, referee.match
    if match is None or not isinstance(match.turn, Decide) or monitor.asked:
        return []
    return [option for option in monitor.options() if not option.takes_back]


def _event_marks(referee: "Referee") -> dict[Square, Mark]:
    marks = {}
    for item in referee.event_log.latest_events:
        if item.kind in EVENT_MARKS and item.square is not None:
            marks[item.square] = EVENT_MARKS[item.kind]
    return marks
