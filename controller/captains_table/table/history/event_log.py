"""The match in words: what was done line by line, what just scored, and the light signals it deserves."""

from collections.abc import Sequence

from captains_table.games.common.dice import roman
from captains_table.games.contract import Amount, Bell, Bid, EventKind, GameEvent, Keep, Pick, Roll, Rolled, TimeUp
from captains_table.table.model.events import Signal, SignalKind
from captains_table.table.model.match import Match, Step
from captains_table.table.model.view import LogLine, Phase, View

LOG_LINES = 40
SIGNALS = {EventKind(kind): kind for kind in SignalKind if kind is not SignalKind.ILLEGAL}


class EventLog:
    """The last lines of the log, and what the last telling action scored."""

    def __init__(self) -> None:
        self.log: list[LogLine] = []
        self.latest_events: tuple[GameEvent, ...] = ()

    def begin(self, match: Match) -> None:
        """Write the last lines of a match that is loaded."""
        self.log = [line for step in match.history[-LOG_LINES:] for line in lines_of(match, step)][-LOG_LINES:]
        self.latest_events = tuple(events_of(match, match.history[-1])) if match.history else ()

    def add(self, match: Match, step: Step) -> list[Signal]:
        """Write an action's lines and return the signals to give; they stay till a throw or move makes them old."""
        self.log = [*self.log, *lines_of(match, step)][-LOG_LINES:]
        latest_events = tuple(events_of(match, step))
        makes_old = step.on_board or isinstance(step.acted.action, Rolled)
        self.latest_events = latest_events or (() if makes_old else self.latest_events)
        return [Signal(SIGNALS[item.kind], item.square) for item in latest_events if item.kind in SIGNALS]

    def advise(self, match: Match, seat: int, words: str) -> None:
        """Write that advice was asked for, and what it was, unless the decision is a secret one."""
        told = "" if match.is_secret_now() else f": {words}"
        self.log = [*self.log, LogLine(seat, f"{match.names[seat]} asks for advice{told}")][-LOG_LINES:]

    def give_words(self, match: Match, seat: int) -> None:
        """Write that a player gave own words for the dice; the words themselves are in the export."""
        self.log = [*self.log, LogLine(seat, f"{match.names[seat]} stirs the dice with own words")][-LOG_LINES:]

    def take_back(self, match: Match, seat: int | None) -> None:
        """Write that a move was taken back."""
        self.latest_events = ()
        words = "That is taken back" if seat is None else f"{match.called(match.state)[seat]} takes that back"
        self.log = [*self.log, LogLine(seat, words)][-LOG_LINES:]


def alarm(before: View | None, after: View) -> list[Signal]:
    """Return the signal that a piece has just been put where it may not go; none where that is known already."""
    was_right = before is not None and before.phase is Phase.PLAYING and not before.wrong
    if not was_right or after.phase is not Phase.PLAYING or not after.wrong.extra:
        return []
    return [Signal(SignalKind.ILLEGAL, after.wrong.extra[0])]


def lines_of(match: Match, step: Step) -> list[LogLine]:
    """Return what one action did, in words: the action itself where it says something, then what it scored."""
    seat = step.acted.seat
    words = _action_words(match, step)
    who = "" if seat is None else f"{match.called(step.before)[seat]}: "
    lines = [LogLine(seat, f"{who}{words}")] if words else []
    return lines + [LogLine(game_event.seat, game_event.words) for game_event in events_of(match, step)]


def events_of(match: Match, step: Step) -> Sequence[GameEvent]:
    """Return what an action scored or changed."""
    return match.game.game_events(step.before, step.after)


def _action_words(match: Match, step: Step) -> str:  # noqa: PLR0911 - one table, one line each
    match step.acted.action:
        case Pick():
            return step.option.label if step.option is not None and step.option.on_board else ""
        case Rolled(faces):
            return _dice_words(match, step, faces)
        case Amount(value):
            return f"names {value}"
        case TimeUp():
            return "time is up"
        case Bid(_, value):
            return f"bids {value}"
        case Bell():
            return "The bell rings"
        case Keep():
            return ""


def _dice_words(match: Match, step: Step, faces: Sequence[int]) -> str:
    turn = match.game.turn(step.before)
    dice = match.game.dice(step.before)
    if not isinstance(turn, Roll):
        return ""
    kinds = [dice[number - 1].kind for number in turn.dice]
    return "throws " + " ".join(
        roman(face) if kind == "roman" else str(face) for face, kind in zip(faces, kinds, strict=True)
    )
