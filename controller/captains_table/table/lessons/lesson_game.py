"""The game of a lesson: the rules of the game that is taught, with the choices narrowed to what the lesson tells next.

A state is the position of the game together with the number of actions done, so that whatever is taken back leads to
the step before. The narrowed moves are what the table recognises, lights and offers; the game itself stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from captains_table.games.contract import (
    Action,
    Bid,
    Decide,
    Die,
    Game,
    GameEvent,
    Hindrance,
    IllegalAction,
    Option,
    Outcome,
    Pick,
    PickAsk,
    Refused,
    Rolled,
    SheetRow,
    Slot,
    Square,
    Thing,
    Turn,
    Whereabouts,
)
from captains_table.games.registry import game_by_key
from captains_table.phrases import computed, computes, say
from captains_table.table.lessons.lesson import GO_ON, Beat, Lesson, LessonStep, kind_of
from captains_table.table.model.match import Match
from captains_table.table.model.view import Coach

LEARNER: Final = 0
"""The learner's seat."""
PLAY: Final = Pick("lesson-play")
AGAIN: Final = Pick("lesson-again")
ENDINGS: Final = (
    Option(PLAY.id, say("Play the computer")),
    Option(AGAIN.id, say("The lesson once more")),
    Option("lesson-leave", say("Another game")),
)
"""The options at the end of a lesson."""
ENDING_PICKS: Final = frozenset(Pick(option.id) for option in ENDINGS)
"""The answers that end a lesson."""
PULSE_MS: Final = 12_000
"""The milliseconds without an event after which displays point out again what the learner must do."""
SHOW_MS: Final = 25_000
"""The milliseconds without an event after which the coach offers to do it."""
NOT_NOW: Final = say("Not now: this step is about something else")
ELSEWHERE: Final = say("in this lesson another move is wanted")
READ_FIRST: Final = say("Read first, then go on")


class Slip(IllegalAction):
    """The learner did something other than what the lesson tells; nothing was changed. The message is the coach's."""


@dataclass(frozen=True, slots=True)
class LessonState:
    """The state of a lesson: the state of its game, and how many of the lesson's actions were done."""

    position: Any
    done: int = 0


class LessonGame(Game[LessonState]):
    """The game of one lesson; `lesson_game` returns it with the names and the board of the game that is taught."""

    key = "lesson"
    title = "Lesson"
    seats = range(1, 33)

    def __init__(self, lesson: Lesson, taught: Game[Any]) -> None:
        self.lesson = lesson
        self._taught = taught

    # --- what the lesson changes ------------------------------------------------------------------------------------

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> LessonState:
        return LessonState(self._taught.start(seats, options))

    def turn(self, state: LessonState) -> Turn:
        """Return the turn of the taught game with the step's options alone; or a question that only reading answers."""
        beat = beat_of(self.lesson, state)
        if beat is None:
            return Decide(LEARNER, PickAsk(self.lesson.ending.heading, ENDINGS, ENDINGS[0].id))
        if beat.action == GO_ON:
            return Decide(LEARNER, PickAsk(say("Go on"), (Option(GO_ON.id, say("Go on")),), GO_ON.id))
        turn = self._taught.turn(state.position)
        if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            wanted, slips = kind_of(beat.action), self.lesson.steps[beat.step].slips
            options = tuple(
                option
                for option in turn.ask.options
                if option.id == wanted or (option.id in slips and not option.on_board)
            )
            return replace(turn, ask=replace(turn.ask, options=options, default=wanted))
        return turn

    def apply(self, state: LessonState, action: Action) -> LessonState:
        beat = beat_of(self.lesson, state)
        if beat is None or beat.action == GO_ON:
            position = state.position
        else:
            position = self._taught.apply(state.position, action)
        return LessonState(position, state.done + 1)

    def game_events(self, before: LessonState, after: LessonState) -> Sequence[GameEvent]:
        is_read = before.position is after.position
        return () if is_read else self._taught.game_events(before.position, after.position)

    def outcome(self, before: LessonState, after: LessonState, faces: Sequence[int | None]) -> Outcome | None:
        is_read = before.position is after.position
        return None if is_read else self._taught.outcome(before.position, after.position, faces)

    def goal(self, state: LessonState) -> str:  # noqa: ARG002 - the coach says it
        return ""

    def heading(self, state: LessonState) -> str:
        beat = beat_of(self.lesson, state)
        step = len(self.lesson.steps) if beat is None else beat.step + 1
        return say("Lesson {number} of {count}¦Lesson {number}/{count}", step, len(self.lesson.steps))

    def hindrance(self, state: LessonState, square: Square) -> Hindrance | None:
        """Return why a piece is not to be moved in this step: what the coach says, or the taught game's reason."""
        beat = beat_of(self.lesson, state)
        letter = self.pieces(state).get(square)
        if beat is None or letter is None:
            return None
        slips = self.lesson.steps[beat.step].slips
        words = slips.get(f"lift {letter}", slips.get("lift"))
        if words is None and beat.action == GO_ON:
            words = READ_FIRST
        return Hindrance(words) if words else self._taught.hindrance(state.position, square) or Hindrance(NOT_NOW)

    def refused(self, state: LessonState) -> Sequence[Refused]:
        """Return all moves that the step does not want, each with its slip, and those that the game refuses itself."""
        refused = list(self._taught.refused(state.position))
        turn, beat = self._taught.turn(state.position), beat_of(self.lesson, state)
        if beat is not None and isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            slips = self.lesson.steps[beat.step].slips
            for option in turn.ask.options:
                if option.on_board and Pick(option.id) != beat.action:
                    after = self._taught.pieces(self._taught.apply(state.position, Pick(option.id)))
                    refused.append(Refused(option.id, option.label, slips.get(option.id, ELSEWHERE), after))
        return refused

    # --- what it leaves as it is ------------------------------------------------------------------------------------

    def names(self, state: LessonState) -> Sequence[str]:
        return self._taught.names(state.position)

    def score(self, state: LessonState) -> Sequence[int]:
        return self._taught.score(state.position)

    def tallies(self, state: LessonState) -> Sequence[Mapping[str, int]]:
        return self._taught.tallies(state.position)

    def pieces(self, state: LessonState) -> Mapping[Square, str]:
        return self._taught.pieces(state.position)

    def spares(self, state: LessonState) -> Sequence[str]:
        return self._taught.spares(state.position)

    def target(self, state: LessonState) -> int | None:
        return self._taught.target(state.position)

    def whereabouts(self, state: LessonState) -> Sequence[Whereabouts]:
        return self._taught.whereabouts(state.position)

    def things(self, state: LessonState) -> Mapping[Square, Sequence[Thing]]:
        return self._taught.things(state.position)

    def shining(self, state: LessonState) -> Mapping[Square, Thing]:
        return self._taught.shining(state.position)

    def dice(self, state: LessonState) -> Sequence[Die]:
        return self._taught.dice(state.position)

    def slots(self, state: LessonState) -> Sequence[Slot]:
        return self._taught.slots(state.position)

    def standing(self, state: LessonState) -> str:
        return self._taught.standing(state.position)

    def manner(self, piece: str) -> str:
        return self._taught.manner(piece)

    def sheet(self, state: LessonState) -> Sequence[SheetRow]:
        return self._taught.sheet(state.position)

    def titles(self, state: LessonState) -> Sequence[str]:
        return self._taught.titles(state.position)


def lesson_game(lesson: Lesson) -> Game[LessonState]:
    """Return the game of a lesson, under the key of the game that is taught; raises UnknownGame."""
    taught = game_by_key(lesson.game)
    names = {name: getattr(taught, name) for name in ("key", "title", "seats", "shape", "options")}
    if type(taught).dice is Game.dice:
        names["dice"] = Game.dice  # displays leave out the dice of a game that has none
    made: type[LessonGame] = type(LessonGame.__name__, (LessonGame,), names)
    return made(lesson, taught)


def lesson_of(game: Game[Any]) -> Lesson | None:
    """Return the lesson that a match's rules belong to; `None` in an ordinary match."""
    return game.lesson if isinstance(game, LessonGame) else None


def beat_of(lesson: Lesson, state: LessonState) -> Beat | None:
    """Return the action that the lesson waits for in a state; `None` at its end."""
    return lesson.beats[state.done] if state.done < len(lesson.beats) else None


def coach_of(lesson: Lesson, state: LessonState) -> Coach:
    """Return what the coach says in a state."""
    beat, step, steps = beat_of(lesson, state), step_of(lesson, state), len(lesson.steps)
    return Coach(steps + 1 if beat is None else beat.step + 1, steps, step.heading, step.says)


def marked_squares(match: Match) -> Sequence[Square]:
    """Return the squares that a lesson's step marks (`LessonStep.marks`); empty in an ordinary match."""
    lesson = lesson_of(match.game)
    return () if lesson is None else step_of(lesson, match.state).marks


def step_of(lesson: Lesson, state: LessonState) -> LessonStep:
    """Return the step of a lesson to which a state belongs."""
    beat = beat_of(lesson, state)
    return lesson.ending if beat is None else lesson.steps[beat.step]


def coach_lines(match: Match, coach: Coach) -> tuple[str, ...]:
    """Return what small displays show of a lesson: the step's two lines, or what was wrong."""
    lesson = lesson_of(match.game)
    if lesson is None or coach.slip:
        last = coach.slip.count(_STOP)
        return tuple(computed(_nth_sentence, coach.slip, number, last) for number in range(last + 1))
    return step_of(lesson, match.state).glass


_STOP: Final = ". "


@computes
def _nth_sentence(slip: str, number: str, last: str) -> str:
    """Return one sentence of a slip, which has as many in English; the last one with all that follow."""
    sentences = slip.split(_STOP, int(last))
    return sentences[int(number)] if int(number) < len(sentences) else ""


def wanted_action(match: Match) -> Action | None:
    """Return what the learner of a lesson is to do or throw now; `None` while the lesson acts, and at its end."""
    lesson = lesson_of(match.game)
    beat = None if lesson is None else beat_of(lesson, match.state)
    return None if beat is None or match.absent_decides or told_action(match) is not None else beat.action


def told_action(match: Match) -> Action | None:
    """Return what the lesson does by itself now, as for a computer; `None` if the learner must act, or dice fall."""
    lesson = lesson_of(match.game)
    beat = None if lesson is None else beat_of(lesson, match.state)
    if beat is None or isinstance(beat.action, Rolled):
        return None
    seat = beat.action.seat if isinstance(beat.action, Bid) else match.seat
    return beat.action if beat.is_told or (seat is not None and seat != LEARNER) else None


def check_lesson(game: Game[Any], state: Any, action: Action) -> None:  # noqa: ANN401 - each game has its own state
    """Raise Slip, with what the coach says, if a lesson waits for something else than an action."""
    lesson = lesson_of(game)
    if lesson is None:
        return
    beat = beat_of(lesson, state)
    is_wanted = action in ENDING_PICKS if beat is None else action == beat.action
    if not is_wanted:
        raise Slip(NOT_NOW if beat is None else lesson.steps[beat.step].slips.get(kind_of(action), NOT_NOW))
