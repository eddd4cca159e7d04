"""The review of a match: its moments with their views, and the scores after each turn.

Callers need not know the game's state, because each moment is shown as an ordinary view.
The module also defines judged decisions, which were compared with the best ones, and adds up their costs for each seat.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from math import exp
from typing import Any, Final

from msgspec import Struct

from captains_table.games.contract import (
    AGREE,
    PRESS_CLOCK,
    REFUSE,
    Bell,
    Bid,
    Die,
    EventKind,
    Game,
    MasterAction,
    Over,
    Pick,
    Result,
    Roll,
    Rolled,
    Slot,
    Square,
    check_offered,
    offered_option,
    points_of,
)
from captains_table.table.history.event_log import events_of, log_lines, marks_of_events, marks_of_last_move
from captains_table.table.model.match import Match, Step
from captains_table.table.model.view import LogLine, Mark, Phase, SeatView, View
from captains_table.table.recognition.footprint import named_squares

_CONSENTS = frozenset({AGREE.id, REFUSE.id})


class JudgedDecision(Struct, frozen=True):
    """A decision that was compared with the best possible one.

    Attributes:
        moment: the number of the decision's moment in the match; 0 if it has none.
        seat: the seat that decided.
        words: the action that the seat chose, in words.
        cost: how much better the best action was, in points, or in pawns in games like chess.
        best: the best action in words; empty if unknown.
        move: the id of the best action if it is a move on the board; empty for other actions.
        why: what the best action is worth, in words; empty if unknown, and if there was no choice of any weight.
        worth: what the best action is worth for the seat, in the unit of `cost`; `None` if unknown.
        line: the ids of the best action and of those that would follow; empty if unknown.
        chance: of 100 how likely the seat was to win before the decision; `None` unless chances are known.
        lost_chance: by how many of 100 that chance fell; `None` like it.
        place: the index of the decision among all actions that were not taken back.
        deed: the action as the beginning of a sentence, without the name of who decided: `Keeping 5 5`, or a quotation.
    """

    moment: int
    seat: int
    words: str
    cost: float
    best: str = ""
    move: str = ""
    why: str = ""
    worth: float | None = None
    line: tuple[str, ...] = ()
    chance: float | None = None
    lost_chance: float | None = None
    place: int = 0
    deed: str = ""


class Grade(StrEnum):
    """How bad a decision was, as chess players call it."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BY_CHANCE: Final = ((15.0, Grade.BLUNDER), (8.0, Grade.MISTAKE), (4.0, Grade.INACCURACY))
"""From how many of 100 of the chance to win a loss has a grade."""
BY_PAWNS: Final = ((2.5, Grade.BLUNDER), (1.0, Grade.MISTAKE), (0.5, Grade.INACCURACY))
"""From how many pawns a loss has a grade, if chances are not known."""
GRADED_PAWNS: Final = 5.0  # beyond so many pawns nearly all chances are won or lost already
MOST_PAWNS: Final = 10.0  # the judges count larger values as this
ACCURATE: Final = 12.0  # of 100: a loss of so much of the chance leaves a decision an accuracy of one part in e


def error_grade(decision: JudgedDecision) -> Grade | None:
    """Return a decision's grade; `None` for a good one, and in games whose states have no worth for one seat alone."""
    if decision.worth is None:
        return None
    if decision.lost_chance is None:
        best = _within(decision.worth, MOST_PAWNS)
        lost = _within(best, GRADED_PAWNS) - _within(best - decision.cost, GRADED_PAWNS)
        return next((grade for least, grade in BY_PAWNS if lost >= least), None)
    return next((grade for least, grade in BY_CHANCE if decision.lost_chance >= least), None)


def _within(value: float, most: float) -> float:
    return max(-most, min(most, value))


def accuracy(decisions: Sequence[JudgedDecision], seat: int) -> float | None:
    """Return of 100 how well a seat kept its chances, over all its decisions; `None` if chances are not known."""
    lost = [each.lost_chance for each in decisions if each.seat == seat and each.lost_chance is not None]
    return 100 * sum(exp(-each / ACCURATE) for each in lost) / len(lost) if lost else None


class CostTotal(Struct, frozen=True):
    """The total of a seat's decisions: how many were judged, the sum of their costs, and the largest single cost."""

    judged: int
    cost: float
    costliest: float


def cost_total(decisions: Sequence[JudgedDecision], seat: int) -> CostTotal:
    """Return how many of a seat's decisions were judged, the sum of their costs, and the largest single cost."""
    own = [decision.cost for decision in decisions if decision.seat == seat]
    return CostTotal(len(own), sum(own), max(own, default=0.0))


def costliest(decisions: Sequence[JudgedDecision], seat: int, count: int) -> list[JudgedDecision]:
    """Return a seat's `count` costliest decisions in the order of the match, without decisions that cost nothing."""
    own = sorted((each for each in decisions if each.seat == seat and each.cost), key=lambda each: -each.cost)[:count]
    return [each for each in decisions if any(each is one for one in own)]


class ReviewMoment(Struct, frozen=True):
    """An action worth reviewing: a throw, a move, or any other action that has lines in the log.

    Attributes:
        number: the number of the moment, from 1; the beginning before any action is 0.
        place: the index of the moment's action among all actions that were not taken back.
        seat: the seat that acted; `None` if no seat did.
        lines: the action's lines of the log.
        points: the points that the action added to each seat's score.
        heading: the stage of the match.
    """

    number: int
    place: int
    seat: int | None
    lines: tuple[LogLine, ...]
    points: tuple[int, ...]
    heading: str


class TurnEnd(Struct, frozen=True):
    """The scores and pieces after a turn.

    Attributes:
        place: the index of the turn's last action among all actions that were not taken back.
        seat: the seat whose turn it was; `None` if no seat acted.
        scores: the score of each seat.
        pieces: the pieces on the board.
    """

    place: int
    seat: int | None
    scores: tuple[int, ...]
    pieces: Mapping[Square, str]


class MatchReview:
    """The review of one match, from its beginning to its current state.

    Args:
        match: the loaded match; it is only read.

    Attributes:
        game: the rules of the match's game.
        options: the options that were agreed for the match.
        seats: the players as the match was started with them, computers by their keys.
        steps: every action that was not taken back, with the states before and after it.
        first: the state before the first action.
        moments: the actions worth reviewing, in order.
        turns: the scores and pieces after each turn; throws that decide who begins are not turns.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self.game: Game[Any] = match.game
        self.options: Mapping[str, str] = match.started.options
        self.seats: tuple[str, ...] = tuple(match.started.seats)
        self.steps: tuple[Step, ...] = tuple(match.history)
        self.first: Any = self.steps[0].before if self.steps else match.state
        self.moments = tuple(_moments(match))
        self.turns = tuple(_turns(match))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' current display names, in seat order."""
        return self._match.called(self._match.state)

    @property
    def result(self) -> Result | None:
        """The result of the match; `None` if it is not over."""
        turn = self._match.turn
        return turn.result if isinstance(turn, Over) else None

    @property
    def scores(self) -> tuple[int, ...]:
        """The current score of every seat."""
        return tuple(self._match.game.score(self._match.state))

    def view(self, number: int) -> View:
        """Return the view at a moment, with the dice as they were shown then.

        Args:
            number: the number of the moment, from 1; 0 for the beginning of the match.
        """
        game = self._match.game
        if not number:
            return self._view_of(self.first)
        moment = self.moments[number - 1]
        past = self.steps[: moment.place + 1]
        step, events = past[-1], tuple(events_of(self._match, past[-1]))
        dice, slots = _as_they_lay(self._match, step)
        is_last = number == len(self.moments)
        return replace(
            self._view_of(step.after),
            heading=moment.heading,
            prompt=tuple(line.words for line in moment.lines),
            seat=moment.seat,
            dice=dice,
            slots=slots,
            marks=marks_of_last_move(game, past) | marks_of_events(events),
            latest_events=events,
            result=self.result if is_last else None,
        )

    def played_on(self, place: int, ids: Sequence[str]) -> list[tuple[str, View]]:
        """Return what would follow if other moves had been made: the label of each move, and the view after it.

        Args:
            place: the index of the action in whose place the first move is made.
            ids: the ids of the moves; a clock is pressed after each without being named.

        Raises:
            IllegalAction: one of the moves is not offered.
        """
        game, state = self._match.game, self.steps[place].before
        line: list[tuple[str, View]] = []
        for id_ in ids:
            check_offered(game.turn(state), id_)
            option = offered_option(game.turn(state), id_)
            before, state = game.pieces(state), game.apply(state, Pick(id_))
            if offered_option(game.turn(state), PRESS_CLOCK.id) is not None:
                state = game.apply(state, Pick(PRESS_CLOCK.id))
            marks = dict.fromkeys(_ends_of(id_, before), Mark.LAST_MOVE)
            label = id_ if option is None else option.label
            line.append((label, replace(self._view_of(state), marks=marks)))
        return line

    def end(self) -> View:
        """Return the view of the match's current state."""
        return replace(self._view_of(self._match.state), result=self.result)

    def _view_of(self, state: Any) -> View:  # noqa: ANN401 - each game has its own state
        game = self._match.game
        titles = game.titles(state) or [""] * len(game.names(state))
        players = zip(game.names(state), game.tallies(state), titles, strict=True)
        return replace(
            state_view(game, state),
            phase=Phase.PLAYING if self.result is None else Phase.OVER,
            seats=tuple(
                SeatView(name, tallies, False, None, title, *self._match.seating.computer(seat))  # noqa: FBT003
                for seat, (name, tallies, title) in enumerate(players)
            ),
        )


def _ends_of(id_: str, board: Iterable[Square]) -> list[Square]:
    """Return the squares that the id of a move names: its start, if a piece stands there, and its end."""
    named = named_squares(id_)
    return list(named) if named is not None and named[0] in board else []


def state_view(game: Game[Any], state: Any) -> View:  # noqa: ANN401 - each game has its own state
    """Return the view of a game's state; only fields that follow from the state are filled in."""
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
        target=game.target(state),
        goal=game.goal(state),
    )


def _moments(match: Match) -> list[ReviewMoment]:
    moments: list[ReviewMoment] = []
    for place, step in enumerate(match.history):
        lines = tuple(log_lines(match, step))
        if lines:
            points = points_of(events_of(match, step), len(match.names))
            heading = match.game.heading(step.before)
            moments.append(ReviewMoment(len(moments) + 1, place, step.acted.seat, lines, points, heading))
    return moments


# --- turns ----------------------------------------------------------------------------------------------------------


def _turns(match: Match) -> list[TurnEnd]:
    """Return the scores and pieces after each turn.

    A turn ends when another seat acts, or when the match's heading changes. Four kinds of actions never end a turn:
    bids, the bell, answers to offers, and a game master's actions. Throws that decide who begins belong to no turn.
    """
    ends: list[TurnEnd] = []
    key: tuple[int | None, str] | None = None
    for place, step in enumerate(match.history):
        if any(event.kind is EventKind.ORDER for event in events_of(match, step)):
            continue
        now = key if key is not None and _interrupts_turn(step) else (step.acted.seat, match.game.heading(step.before))
        end = TurnEnd(place, now[0], tuple(match.game.score(step.after)), match.game.pieces(step.after))
        if now == key:
            ends[-1] = end
        else:
            ends.append(end)
        key = now
    return ends


def _interrupts_turn(step: Step) -> bool:
    """Return whether an action interrupts a turn and still counts as part of that turn.

    These actions are: agreeing to or refusing a proposal, a bid, the bell of an auction, and a game master's action.
    """
    is_nobodys = isinstance(step.acted.action, Bid | Bell | MasterAction)
    return is_nobodys or (step.option is not None and step.option.id in _CONSENTS)


# --- dice -----------------------------------------------------------------------------------------------------------


def _as_they_lay(match: Match, step: Step) -> tuple[tuple[Die, ...], tuple[Slot, ...]]:
    """Return the dice as they were shown after an action, and their slots.

    If a throw ended a turn and cleared the dice, return the dice as they fell, without slots. If any other action
    cleared the dice, return the dice and slots before the action.
    """
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
    """Return the dice after a throw.

    The thrown dice have their new faces. Every other die counts as held if it has a face.
    """
    turn = match.game.turn(step.before)
    dice = list(match.game.dice(step.before))
    fell = dict(zip(turn.dice, faces, strict=True)) if isinstance(turn, Roll) else {}
    return tuple(
        replace(die, face=fell[number], held=False, throws_left=0)
        if number in fell
        else replace(die, held=die.face is not None, throws_left=0)
        for number, die in enumerate(dice, start=1)
    )
