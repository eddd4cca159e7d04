"""The log of a match: actions and events in written and spoken words, their signals, and the marks of squares.

Further signals warn of a piece on a forbidden square and of a clock that is nearly used up.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Final

from captains_table.games import contract
from captains_table.games.common.dice import roman
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import TURNING_POINTS, EventKind, Game, GameEvent, Roll, Square
from captains_table.phrases import Phrase, computed, computes, listed, message, say
from captains_table.table.model.entries import SeatChanged
from captains_table.table.model.events import Signal, SignalKind
from captains_table.table.model.match import Match, Step
from captains_table.table.model.player_clocks import runs_low
from captains_table.table.model.view import LogLine, Mark, Phase, SeatView, View
from captains_table.table.recognition.footprint import differing_squares

ROMAN: Final = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6"}
_ROMANS: Final = re.compile(r"\b(?:II|III|IV|V|VI)\b|\bI\b(?=[;,.:]|$)")
"""Roman numerals of a die; a lone I may be the pronoun, unless a sentence or a clause ends there."""
_MOVES: Final = re.compile(r"(?<![\w+])(\+?[A-Z]?)([a-z]\d)([-x])([a-z]\d)\b")
EVENT_MARKS: Final = {
    EventKind.STRIKE: Mark.STRIKE,
    EventKind.TREASURE: Mark.TREASURE,
    EventKind.KING: Mark.KING_TAKEN,
    EventKind.CHECK: Mark.STRIKE,
}
LOG_LINES = 200  # enough for a whole match of most games
SIGNALS = {kind: SignalKind(kind) for kind in EventKind if kind in set(map(str, SignalKind))}
KNOCKS = frozenset({SignalKind.THROW, SignalKind.MOVE, SignalKind.CAPTURE})
"""Signals that precede others of an action: a device with one voice plays only the last, more important one."""


def spoken_text(words: str) -> str:
    """Return a text as a voice should say it, with Roman numerals as numbers and moves in words."""
    moves = {found[0]: _move_in_words(*found.groups()) for found in _MOVES.finditer(words)}
    return computed(_spoken, words, *chain(*moves.items()))


@computes
def _spoken(words: str, *moves: str) -> str:
    """Return a text with each of some moves in words, and with Roman numerals as numbers; `moves` are pairs of both."""
    in_words = dict(zip(moves[::2], moves[1::2], strict=True))
    said = _MOVES.sub(lambda found: in_words.get(found[0], found[0]), words)
    return _ROMANS.sub(lambda found: ROMAN[found[0]], said)


def _move_in_words(letter: str, start: str, sign: str, end: str) -> str:
    piece = kind_name(letter or "P")
    if sign == "-":
        return say("{piece} {start} to {end}", piece, start, end)
    return say("{piece} {start} takes on {end}", piece, start, end)


def spoken_action(match: Match, step: Step) -> str:
    """Return the spoken text of an action; empty if its line in the log can be spoken as written."""
    seat, action = step.acted.seat, step.acted.action
    if seat is None:
        return ""
    who = match.called(step.before)[seat]
    if isinstance(action, contract.Rolled):
        return _spoken_throw(match, step, action.faces, who)
    if step.on_board:
        return _spoken_move(match, step, who)
    return ""


def _spoken_throw(match: Match, step: Step, faces: Sequence[int], who: str) -> str:
    """Return a throw in spoken words, with the result of the dice so far; empty if no throw was due.

    The result is left out if the throw ends the turn or if only the Legend die fell.
    """
    turn = match.game.turn(step.before)
    if not isinstance(turn, Roll):
        return ""
    before, after = match.game.dice(step.before), match.game.dice(step.after)
    thrown = [(face, before[die - 1].kind == "roman") for die, face in zip(turn.dice, faces, strict=True)]
    plain = " ".join(str(face) for face, is_roman in thrown if not is_roman)
    romans = [say("Legend die {face}", face) for face, is_roman in thrown if is_roman]
    fell = listed([*filter(None, [plain]), *romans], ",")
    is_over = any(die > len(after) or after[die - 1].face is None for die in turn.dice)
    came_to = match.game.standing(step.after) if plain and not is_over else ""
    if came_to:
        return say("{name} throws {dice}: {standing}", who, fell, came_to)
    return say("{name} throws {dice}", who, fell)


def _spoken_move(match: Match, step: Step, who: str) -> str:
    """Return a move of one piece from one square to another in spoken words; empty for any other move."""
    before, after = match.game.pieces(step.before), match.game.pieces(step.after)
    changed = differing_squares(before, after)
    left, filled = sorted(changed - set(after)), sorted(changed & set(after))
    if len(left) != 1 or len(filled) != 1:
        return ""
    start, end = str(left[0]), str(filled[0])
    was, became = kind_name(before[left[0]]), kind_name(after[filled[0]])
    if before[left[0]] == after[filled[0]]:
        return say("{name} moves the {piece} from {start} to {end}", who, was, start, end)
    return say("{name} moves the {piece} from {start} to {end}, and is a {crowned} now", who, was, start, end, became)


class MatchLog:
    """The last lines of a match's log, and the latest events that displays still show."""

    def __init__(self) -> None:
        self.log: list[LogLine] = []
        self.latest_events: tuple[GameEvent, ...] = ()
        self._late: tuple[GameEvent, ...] = ()
        self._late_ms = -1

    def begin(self, match: Match) -> None:
        """Fill the log with the last lines of a match that was just loaded, and store the events of its last action."""
        self.log = [line for step in match.history[-LOG_LINES:] for line in log_lines(match, step)][-LOG_LINES:]
        self.latest_events = tuple(events_of(match, match.history[-1])) if match.history else ()

    def add(self, match: Match, step: Step, *, late: Step | None = None, delayed: bool = False) -> list[Signal]:
        """Log an action and its events, and return the signals to give.

        The events remain the latest ones until the next throw or move, or another action with events.

        Args:
            match: the match.
            step: the action.
            late: an earlier capture whose announcement was delayed until now; `None` if there is none. The capture is
                announced first, and its events remain among the latest ones.
            delayed: whether to leave out this action's events and signals, because they are announced later.
        """
        signals = []
        if late is not None:
            signals = self.announce(match, late)
            self._late, self._late_ms = self.latest_events, step.acted.at_ms
        fresh = self._late if self._late_ms == step.acted.at_ms else ()
        self._write(_action_lines(match, step))
        if step.on_board or isinstance(step.acted.action, contract.Rolled):
            self.latest_events = fresh
        return signals if delayed else signals + _knocks(step) + self.announce(match, step, earlier=fresh)

    def announce(self, match: Match, step: Step, *, earlier: tuple[GameEvent, ...] = ()) -> list[Signal]:
        """Log an action's events, make them the latest events, and return the signals to give.

        The events `earlier` remain among the latest, before those of the action. If the action has no events, the
        latest events stay as they are.
        """
        events = tuple(events_of(match, step))
        self._write(_event_lines(match, step, events))
        self.latest_events = (*earlier, *events) if events else self.latest_events
        signals = [Signal(SIGNALS[item.kind], item.square) for item in events if item.kind in SIGNALS]
        return sorted(signals, key=lambda signal: signal.kind not in KNOCKS)

    def advise(self, match: Match, seat: int, words: str) -> None:
        """Log that a player asked for advice, and the advice itself unless the decision is secret."""
        name = match.names[seat]
        if match.is_secret_now():
            self._write([LogLine(seat, say("{name} asks for advice", name))])
        else:
            self._write([LogLine(seat, say("{name} asks for advice: {words}", name, words))])

    def give_words(self, match: Match, seat: int) -> None:
        """Log that a player mixed a text into the dice; the text itself is only in the export."""
        self._write([LogLine(seat, say("{name} stirs the dice with own words", match.names[seat]))])

    def remark(self, seat: int | None, words: str) -> None:
        """Log a remark on what a seat just did; nothing for an empty one."""
        self._write([LogLine(seat, words)] if words else [])

    def seat_player(self, match: Match, seated: SeatChanged) -> None:
        """Log who plays a seat from now on."""
        name = match.names[seated.seat]
        words = say("A person plays on for {name}", name)
        if seated.player:
            words = say("{computer} plays on for {name}", match.seating.words(seated.seat), name)
        self._write([LogLine(seated.seat, words)])

    def switch_timers(self, *, run: bool) -> None:
        """Log that the game master stopped the timers, or that the timers run again.

        The table's owner may start the timers too; therefore the log does not say who started them.
        """
        self._write([LogLine(None, say("The timers run on") if run else say("The game master stops the timers"))])

    def take_back(self, match: Match, seat: int | None) -> None:
        """Log that a move was taken back."""
        self.latest_events = ()
        words = say("That is taken back")
        if seat is not None:
            words = say("{name} takes that back", match.called(match.state)[seat])
        self._write([LogLine(seat, words)])

    def _write(self, lines: Sequence[LogLine]) -> None:
        self.log = [*self.log, *lines][-LOG_LINES:]


def _knocks(step: Step) -> list[Signal]:
    """Return the signals for the sounds of an action: falling dice, or a piece that is set down."""
    if isinstance(step.acted.action, contract.Rolled):
        return [Signal(SignalKind.THROW, None)]
    return [Signal(SignalKind.MOVE, None)] if step.on_board else []


def alarms(before: View | None, after: View) -> list[Signal]:
    """Return the signals for problems: a piece is on a forbidden square, or a clock is nearly used up.

    Both are signalled only when they begin.

    Args:
        before: the previous view; `None` if there was none.
        after: the view now.
    """
    signals = []
    was_right = before is not None and before.phase is Phase.PLAYING and not before.wrong
    if was_right and after.phase is Phase.PLAYING and after.wrong.extra:
        signals.append(Signal(SignalKind.ILLEGAL, after.wrong.extra[0]))
    if ran_low(before, after):
        signals.append(Signal(SignalKind.CLOCK_LOW, None))
    return signals


def ran_low(before: View | None, after: View) -> list[SeatView]:
    """Return the seats whose clock just passed a warning threshold."""
    if before is None or before.phase is not Phase.PLAYING or after.phase is not Phase.PLAYING:
        return []
    seats = zip(before.seats, after.seats, strict=False)
    return [seat for was, seat in seats if runs_low(was.seconds_left, seat.seconds_left)]


def log_lines(match: Match, step: Step) -> list[LogLine]:
    """Return the log lines of an action: a line for the action, if it has words, then lines for its events."""
    return _action_lines(match, step) + _event_lines(match, step, events_of(match, step))


def _action_lines(match: Match, step: Step) -> list[LogLine]:
    seat = step.acted.seat
    words = _action_words(match, step)
    if words and seat is not None:
        words = say(_BY_PLAYER, name=_actor(match, step), words=words)
    return [LogLine(seat, words, spoken_action(match, step))] if words else []


_BY_PLAYER: Final = message("{name}: {words}")


def name_and_words(line: LogLine) -> tuple[str, str]:
    """Return the player whose action a line of the log tells, and what it tells; two empty texts for other lines."""
    if not isinstance(line.words, Phrase) or line.words.text != _BY_PLAYER:
        return "", ""
    name, words = (part if isinstance(part, str) else str(part) for part in line.words.parts.values())
    return name, words


def _event_lines(match: Match, step: Step, events: Sequence[GameEvent]) -> list[LogLine]:
    """Return the log lines of an action's events; a line that would repeat the action's own line is left out."""
    said = f"{_actor(match, step)} {_action_words(match, step)}"
    return [LogLine(game_event.seat, game_event.words) for game_event in events if game_event.words != said]


def _actor(match: Match, step: Step) -> str:
    seat = step.acted.seat
    return "" if seat is None else match.called(step.before)[seat]


def events_of(match: Match, step: Step) -> Sequence[GameEvent]:
    """Return the events of an action: what the action scored or changed."""
    return match.game.game_events(step.before, step.after)


def _action_words(match: Match, step: Step) -> str:  # noqa: PLR0911 - one table, one line each
    match step.acted.action:
        case contract.Pick():
            return step.option.label if step.option is not None and step.option.on_board else ""
        case contract.Rolled(faces):
            return dice_words(match.game, step.before, faces)
        case contract.Amount(value):
            return say("names {amount}", value)
        case contract.TimeUp():
            return say("time is up")
        case contract.Bid(_, value):
            return say("bids {amount}", value)
        case contract.Bell():
            return say("The bell rings")
        case contract.Keep() | contract.Correct() | contract.EndMatch():  # the game's events describe their results
            return ""


def dice_words(game: Game[Any], before: object, faces: Sequence[int]) -> str:
    """Return a throw in words, such as `throws IV, 2, 5`; empty if no throw was due."""
    turn = game.turn(before)
    dice = game.dice(before)
    if not isinstance(turn, Roll):
        return ""
    kinds = [dice[number - 1].kind for number in turn.dice]
    fell = [roman(face) if kind == "roman" else str(face) for face, kind in zip(faces, kinds, strict=True)]
    return say("throws {dice}", listed(fell, ","))


# --- marks of squares -----------------------------------------------------------------------------------------------


def marks_of_last_move(game: Game[Any], history: Sequence[Step]) -> dict[Square, Mark]:
    """Return marks for the squares that the last move on the board changed.

    The result is empty if no move was made, or if the board was set up anew after the last move.
    """
    if game.shape is None:
        return {}
    for step in reversed(history):
        if step.on_board:
            return dict.fromkeys(differing_squares(game.pieces(step.before), game.pieces(step.after)), Mark.LAST_MOVE)
        is_new_board = game.pieces(step.before) != game.pieces(step.after)
        if is_new_board or any(event.kind in TURNING_POINTS for event in game.game_events(step.before, step.after)):
            break
    return {}


def marks_of_events(events: Iterable[GameEvent]) -> dict[Square, Mark]:
    """Return the marks for the squares of the events; only some kinds of events have a mark."""
    return {
        item.square: EVENT_MARKS[item.kind] for item in events if item.kind in EVENT_MARKS and item.square is not None
    }
