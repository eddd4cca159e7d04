"""The review of a match: its moments with their views, and the scores turn by turn.

Callers need not know the game's state: each moment is shown as an ordinary view.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from captains_table.games.contract import (
    AGREE,
    REFUSE,
    Bell,
    Bid,
    Die,
    EventKind,
    Game,
    MasterAction,
    Over,
    Result,
    Roll,
    Rolled,
    Slot,
    Square,
    points_of,
)
from captains_table.table.history.event_log import events_of, log_lines, marks_of_events, marks_of_last_move
from captains_table.table.model.match import Match, Step
from captains_table.table.model.view import LogLine, Phase, SeatView, View

_CONSENTS = frozenset({AGREE.id, REFUSE.id})


class JudgedDecision(Struct, frozen=True):
    """A decision that was compared with the best one.

    Attributes:
        moment: the number of its moment in the match; 0 if it has none.
        seat: the seat that decided.
        words: the chosen action in words.
        cost: how much better the best action was, in points; for moves of Captain's Chess in pawns.
        best: the best action in words; empty if unknown.
    """

    moment: int
    seat: int
    words: str
    cost: float
    best: str = ""


class CostTotal(Struct, frozen=True):
    """The total of a seat's decisions: how many were judged, their cost together, and the largest single cost."""

    judged: int
    cost: float
    dearest: float


def cost_total(decisions: Sequence[JudgedDecision], seat: int) -> CostTotal:
    """Return how many of a seat's decisions were judged, and what they cost."""
    own = [decision.cost for decision in decisions if decision.seat == seat]
    return CostTotal(len(own), sum(own), max(own, default=0.0))


def costliest(decisions: Sequence[JudgedDecision], seat: int, count: int) -> list[JudgedDecision]:
    """Return the `count` most costly decisions of a seat, in the order of the match; fewer if fewer cost anything."""
    own = sorted((each for each in decisions if each.seat == seat and each.cost), key=lambda each: -each.cost)[:count]
    return [each for each in decisions if any(each is one for one in own)]


class ReviewMoment(Struct, frozen=True):
    """An action worth reviewing: a throw, a move, or any other that scored or changed the match.

    Attributes:
        number: counts from 1; 0 is the beginning, before any action.
        place: the index of its action among all that stand.
        seat: the seat that acted; `None`: none did.
        lines: its lines of the log.
        points: the points that it added to each seat's score.
        heading: the stage of the match.
    """

    number: int
    place: int
    seat: int | None
    lines: tuple[LogLine, ...]
    points: tuple[int, ...]
    heading: str


class TurnEnd(Struct, frozen=True):
    """The standing after a turn.

    Attributes:
        moment: the number of the last moment up to its end.
        place: the index of its last action among all that stand.
        seat: the seat whose turn it was.
        scores: the score of each seat.
        pieces: the pieces on the board.
    """

    moment: int
    place: int
    seat: int | None
    scores: tuple[int, ...]
    pieces: Mapping[Square, str]


class MatchReview:
    """The review of one match from its beginning as far as it was played.

    Args:
        match: the loaded match; it is only read.

    Attributes:
        game: its rules.
        options: the options that were agreed for it.
        steps: every action that stands, with the states before and after it.
        first: the state before the first action.
        moments: the actions worth reviewing, in order.
        turns: the standing after each turn. Throws that decide who begins are no turns.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self.game: Game[Any] = match.game
        self.options: Mapping[str, str] = match.started.options
        self.steps: tuple[Step, ...] = tuple(match.history)
        self.first: Any = self.steps[0].before if self.steps else match.state
        self.moments = tuple(_moments(match, self.steps))
        self.turns = tuple(_turns(match, self.steps, self.moments))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' present display names, in seat order."""
        return self._match.called(self._match.state)

    @property
    def result(self) -> Result | None:
        """The result of the match, `None` while it is not over."""
        turn = self._match.turn
        return turn.result if isinstance(turn, Over) else None

    @property
    def scores(self) -> tuple[int, ...]:
        """The present score of every seat."""
        return tuple(self._match.game.score(self._match.state))

    def view(self, number: int) -> View:
        """Return the view at a moment, with the dice as they lay; 0 is the beginning.

        Args:
            number: from 0 to the number of moments.
        """
        game = self._match.game
        if not number:
            return self._view_of(self.first, game.heading(self.first))
        moment = self.moments[number - 1]
        past = self.steps[: moment.place + 1]
        step, events = past[-1], tuple(events_of(self._match, past[-1]))
        dice, slots = _as_they_lay(self._match, step)
        is_last = number == len(self.moments)
        return replace(
            self._view_of(step.after, moment.heading),
            prompt=tuple(line.words for line in moment.lines),
            seat=moment.seat,
            dice=dice,
            slots=slots,
            marks=marks_of_last_move(game, past) | marks_of_events(events),
            latest_events=events,
            result=self.result if is_last else None,
        )

    def end(self) -> View:
        """Return the view of the match's present standing."""
        state = self._match.state
        return replace(self._view_of(state, self._match.game.heading(state)), result=self.result)

    def _view_of(self, state: Any, heading: str) -> View:  # noqa: ANN401 - each game has its own state
        game = self._match.game
        titles = game.titles(state) or [""] * len(game.names(state))
        players = zip(game.names(state), game.tallies(state), titles, strict=True)
        return replace(
            state_view(game, state),
            phase=Phase.PLAYING if self.result is None else Phase.OVER,
            heading=heading,
            seats=tuple(SeatView(name, tallies, on_turn=False, title=title) for name, tallies, title in players),
        )


def state_view(game: Game[Any], state: Any) -> View:  # noqa: ANN401 - each game has its own state
    """Return the view of a game's state, with only the fields that follow from the state alone."""
    return View(
        game=game.key,
        title=game.title,
        heading=game.heading(state),
        dice=tuple(game.dice(state)),
        slots=tuple(game.slots(state)),
        pieces=game.pieces(state),
        things=game.things(state),
        shape=game.shape,
        sheet=tuple(game.sheet(state)),
        details=game.details(state),
    )


def _moments(match: Match, steps: Sequence[Step]) -> list[ReviewMoment]:
    moments: list[ReviewMoment] = []
    seats = len(match.names)
    for place, step in enumerate(steps):
        lines = tuple(log_lines(match, step))
        if lines:
            points = points_of(events_of(match, step), seats)
            heading = match.game.heading(step.before)
            moments.append(ReviewMoment(len(moments) + 1, place, step.acted.seat, lines, points, heading))
    return moments


# --- turns ----------------------------------------------------------------------------------------------------------


def _turns(match: Match, steps: Sequence[Step], moments: Sequence[ReviewMoment]) -> list[TurnEnd]:
    """Return the standing at each turn's end: before an action of another seat, or under another heading."""
    ends: list[TurnEnd] = []
    places = [moment.place for moment in moments]
    key: tuple[int | None, str] | None = None
    for place, step in enumerate(steps):
        if any(event.kind is EventKind.ORDER for event in events_of(match, step)):
            continue
        now = key if key is not None and _interrupts_turn(step) else (step.acted.seat, match.game.heading(step.before))
        seen = bisect_right(places, place)
        end = TurnEnd(seen, place, now[0], tuple(match.game.score(step.after)), match.game.pieces(step.after))
        if now == key:
            ends[-1] = end
        else:
            ends.append(end)
        key = now
    return ends


def _interrupts_turn(step: Step) -> bool:
    """Return whether an action interrupts a turn: an answer to an offer, a bid, or a game master's action."""
    is_nobodys = isinstance(step.acted.action, Bid | Bell | MasterAction)
    return is_nobodys or (step.option is not None and step.option.id in _CONSENTS)


# --- dice -----------------------------------------------------------------------------------------------------------


def _as_they_lay(match: Match, step: Step) -> tuple[tuple[Die, ...], tuple[Slot, ...]]:
    """Return the dice as they lay when an action was done, and their slots; if it ended a turn, those of that turn."""
    game = match.game
    after = tuple(game.dice(step.after))
    if isinstance(step.acted.action, Rolled):
        fallen = _fallen(match, step, step.acted.action.faces)
        lying = [die.face for die in after] == [die.face for die in fallen]
        return (after, tuple(game.slots(step.after))) if lying else (fallen, ())
    if any(die.face is not None for die in after):
        return after, tuple(game.slots(step.after))
    return tuple(game.dice(step.before)), tuple(game.slots(step.before))


def _fallen(match: Match, step: Step, faces: Sequence[int]) -> tuple[Die, ...]:
    """Return the dice after a throw: those that fell with their faces, the others unchanged."""
    turn = match.game.turn(step.before)
    dice = list(match.game.dice(step.before))
    fell = dict(zip(turn.dice, faces, strict=True)) if isinstance(turn, Roll) else {}
    return tuple(
        replace(die, face=fell[number], held=False, throws_left=0)
        if number in fell
        else replace(die, held=die.face is not None, throws_left=0)
        for number, die in enumerate(dice, start=1)
    )
