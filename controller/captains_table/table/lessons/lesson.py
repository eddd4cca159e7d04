"""A lesson: a guided first game with told dice, read from a text file in the format TOML.

How lessons are written: docs/lessons.md.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from captains_table.games.contract import Action, Bell, Bid, Pick, Rolled, Square, did_you_mean, parse_square
from captains_table.phrases import computed, computes, say
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.events import Answered
from captains_table.table.model.seating import declared_names
from captains_table.table.tapes.tape_reader import BadTape, NamedBid, parse_line

GO_ON: Final = Pick("go-on")
"""The learner's answer to a step that is only read."""
READ_ON: Final = "go on"
"""The line of `does` by which the learner says that a step was read."""
MOST_WORDS: Final = 45
GLASS_LINES: Final = 2
GLASS_LETTERS: Final = 40
_FIELDS: Final = ("game", "title", "names", "options", "minutes", "ending", "steps")
_STEP_FIELDS: Final = ("heading", "says", "glass", "does", "marks", "slips", "rules")


class BadLesson(ValueError):
    """A lesson cannot be read or played; the message says where, and what was expected."""


@dataclass(frozen=True, slots=True)
class Beat:
    """One action of a lesson.

    Attributes:
        step: the index of the step to which the action belongs.
        action: the action that the learner must do, or that the table does by itself.
        is_told: whether the table does it, although anybody could: a bell that somebody else rings.
    """

    step: int
    action: Action
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson: what the coach says, and what is done then.

    Attributes:
        heading: the step's title.
        says: what the coach says; a new word stands between asterisks.
        glass: the same in two short lines, for the small display.
        marks: the squares that are marked while the step lasts.
        slips: what the coach says when something else is done, keyed by what: the id of an option, `throw`, `keep`,
            `bid`, `bell`, `lift`, or `lift` and a piece's FEN letter.
        rules: the numbers of the rules that the step teaches; the page of the rules leads from them to the step.
    """

    heading: str
    says: str
    glass: tuple[str, ...]
    marks: tuple[Square, ...] = ()
    slips: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A guided first game of one game.

    Attributes:
        game: the game's key.
        title: what the lesson teaches, in a few words.
        names: the players in seat order; the learner is the first, the others are computers, such as `aether:1`.
        options: the options of the match.
        minutes: how long it takes at most.
        steps: the steps.
        beats: the actions of all steps, in order.
        ending: what the coach says at the end.
    """

    game: str
    title: str
    names: tuple[str, ...]
    options: Mapping[str, str]
    minutes: int
    steps: tuple[LessonStep, ...]
    beats: tuple[Beat, ...]
    ending: LessonStep

    @property
    def started(self) -> MatchStarted:
        """The entry that starts the lesson's match."""
        return _started(self.game, self.names, self.options)

    def faces(self, begin: int = 0) -> Iterator[int]:
        """Yield the faces of all told dice from a beat on, in the order in which they fall."""
        for beat in self.beats[begin:]:
            if isinstance(beat.action, Rolled):
                yield from beat.action.faces

    def steps_by_rule(self) -> Mapping[str, int]:
        """Return the first step, counted from 1, that teaches each rule, keyed by the rule's number."""
        numbered = list(enumerate(self.steps, start=1))
        return {rule: number for number, step in reversed(numbered) for rule in step.rules}

    def first_beat(self, step: int) -> int:
        """Return the index of the first action of a step, counted from 0; the number of all actions for the ending."""
        return next((index for index, beat in enumerate(self.beats) if beat.step >= step), len(self.beats))


def read_lesson(text: str) -> Lesson:
    """Return the lesson that a text describes; raises BadLesson if it cannot be read."""
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadLesson(f"the file cannot be read ({error}): expected TOML") from error
    where = "the lesson"
    _check_fields(written, _FIELDS, where)
    names = tuple(_texts(written, "names", where))
    called = declared_names(_started("", names, {}))
    steps, beats = [], list[Beat]()
    for number, each in enumerate(_tables(written, "steps", where), start=1):
        step_where = f"step {number}"
        steps.append(_step(each, step_where))
        does = _texts(each, "does", step_where, default=())
        beats += [_beat(number - 1, line, called, step_where) for line in does] or [Beat(number - 1, GO_ON)]
    if not steps:
        raise BadLesson("the lesson has no steps: expected at least one [[steps]]")
    options = written.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise BadLesson('options: expected a table of texts, such as options = { rounds = "1" }')
    minutes = written.get("minutes")
    if not isinstance(minutes, int) or minutes < 1:
        raise BadLesson(f"minutes is {minutes!r}: expected a whole number from 1")
    ending = _step(_table(written, "ending", where), "the ending")
    game, title = str(_text(written, "game", where)), _text(written, "title", where)
    return Lesson(game, title, names, dict(options), minutes, tuple(steps), tuple(beats), ending)


def _started(game: str, names: tuple[str, ...], options: Mapping[str, str]) -> MatchStarted:
    computers: list[SeatKind] = ["computer"] * (len(names) - 1)
    return MatchStarted(game, names, dict(options), kinds=("human", *computers))


def _step(written: Mapping[str, Any], where: str) -> LessonStep:
    _check_fields(written, _STEP_FIELDS, where)
    says, glass = _text(written, "says", where), _texts(written, "glass", where)
    if len(says.split()) > MOST_WORDS:
        raise BadLesson(f"{where}: says has {len(says.split())} words: expected at most {MOST_WORDS}")
    if len(glass) > GLASS_LINES or any(len(line) > GLASS_LETTERS for line in glass):
        raise BadLesson(
            f"{where}: glass is {list(glass)}: expected {GLASS_LINES} lines of at most {GLASS_LETTERS} letters"
        )
    lines, slips = say("\n".join(glass)), written.get("slips", {})
    if not isinstance(slips, dict) or not all(isinstance(value, str) for value in slips.values()):
        raise BadLesson(f"{where}: slips: expected a table of sentences")
    try:
        marks = tuple(parse_square(name) for name in _texts(written, "marks", where, default=()))
    except ValueError as error:
        raise BadLesson(f"{where}: marks: {error}") from error
    rules = tuple(_texts(written, "rules", where, default=()))
    shown = tuple(computed(_line, lines, number) for number in range(len(glass)))
    said = {key: say(words) for key, words in slips.items()}
    return LessonStep(_text(written, "heading", where), says, shown, marks, said, rules)


@computes
def _line(lines: str, number: str) -> str:
    """Return a line of a text with several lines; empty if a translation has fewer."""
    return "".join(lines.splitlines()[int(number) : int(number) + 1])


def _beat(step: int, line: str, names: Sequence[str], where: str) -> Beat:
    """Return the action that a line of `does` stands for: a line of a tape, or `throw` with the faces that fall."""
    word, _, rest = line.partition(" ")
    is_told = word == "told"
    line = rest if is_told else line
    if line == READ_ON:
        return Beat(step, GO_ON)
    word, _, rest = line.partition(" ")
    if word == "throw":
        faces = rest.split()
        if not faces or not all(face in "123456" and len(face) == 1 for face in faces):
            raise BadLesson(f"{where}: {line!r}: expected throw and the faces that fall, such as throw 6 5 4")
        return Beat(step, Rolled(tuple(map(int, faces))), is_told)
    try:
        parsed = parse_line(0, line)
    except BadTape as error:
        raise BadLesson(f"{where}: {error}") from error
    match None if parsed is None else parsed.directive:
        case Answered(action):
            return Beat(step, action, is_told)
        case NamedBid(name, value) if name in names:
            return Beat(step, Bid(names.index(name), value), is_told)
        case _:
            expected = "throw, pick, keep, amount, bell, go on, or bid and a player of the lesson"
            raise BadLesson(f"{where}: {line!r} is nothing that a player does: expected {expected}")


def kind_of(action: Action) -> str:
    """Return under which key a lesson has the slip of an action (`LessonStep.slips`)."""
    match action:
        case Pick(id):
            return id
        case Rolled():
            return "throw"
        case Bid():
            return "bid"
        case Bell():
            return "bell"
        case _:
            return "keep"


# --- reading fields -------------------------------------------------------------------------------------------------


def _check_fields(written: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    unknown = next((name for name in written if name not in known), None)
    if unknown is not None:
        raise BadLesson(f"{where} has {unknown!r}: expected {', '.join(known)}{did_you_mean(unknown, known)}")


def _text(written: Mapping[str, Any], name: str, where: str) -> str:
    value = written.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadLesson(f"{where}: {name} is {value!r}: expected a text")
    return say(" ".join(value.split()))


def _texts(written: Mapping[str, Any], name: str, where: str, default: Sequence[str] | None = None) -> Sequence[str]:
    value = written.get(name, default)
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise BadLesson(f"{where}: {name} is {value!r}: expected a list of texts")
    return value


def _table(written: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    value = written.get(name)
    if not isinstance(value, dict):
        raise BadLesson(f"{where}: {name} is {value!r}: expected a table [{name}]")
    return value


def _tables(written: Mapping[str, Any], name: str, where: str) -> Sequence[Mapping[str, Any]]:
    value = written.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise BadLesson(f"{where}: {name}: expected tables [[{name}]]")
    return value
