"""Opens lessons: the match of a lesson in memory alone, with told dice, from any of its steps on."""

from functools import cache
from typing import Any, NamedTuple

from captains_table import catalog
from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import BadOption, Game, IllegalAction, Keep, KeepAsk, PickAsk
from captains_table.games.registry import is_computer
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.lessons.lesson import BadLesson, Lesson, read_lesson
from captains_table.table.lessons.lesson_game import lesson_game
from captains_table.table.model.match import Match


class OpenedLesson(NamedTuple):
    """The match of a lesson, ready to be loaded."""

    journal: MemoryJournal
    dice: DictatedDice
    game: Game[Any]


@cache
def lesson_for(key: str) -> Lesson | None:
    """Return the lesson of a game; `None` if there is none. Raises BadLesson or OSError if it cannot be read."""
    entry = catalog.find_entry(key)
    return None if entry is None or entry.lesson is None else read_lesson(entry.lesson.read())


def open_lesson(lesson: Lesson, step: int = 1) -> OpenedLesson:
    """Return the match of a lesson in which all steps before the given one, counted from 1, are done.

    Raises BadLesson if the game does not allow what the lesson does.
    """
    journal, game, begin = MemoryJournal(lesson.started), lesson_game(lesson), lesson.first_beat(step - 1)
    try:
        match = Match(lesson.started, game)
    except BadOption as error:
        raise BadLesson(f"options: {error}") from error
    for beat in lesson.beats[:begin]:
        try:
            journal.append(match.act(beat.action, 0))
        except IllegalAction as error:
            raise BadLesson(f"step {beat.step + 1}: {error}") from error
    return OpenedLesson(journal, DictatedDice(lesson.faces(begin)), game)


def check_whole_lesson(lesson: Lesson) -> None:
    """Play a lesson to its end; raises BadLesson if that fails or a slip cannot be made, and UnknownGame."""
    for name in lesson.names[1:]:
        if not is_computer(lesson.game, name):
            raise BadLesson(f"names: {name!r} is no computer of the game: expected its key and level, such as aether:1")
    ended = Match.resumed(open_lesson(lesson, len(lesson.steps) + 1).journal.entries(), lesson_game(lesson))
    possible = [{"lift", "keep", "bid", "bell", "throw"} for _ in lesson.steps]
    for done, beat in zip(ended.history, lesson.beats, strict=True):
        known, ask = possible[beat.step], getattr(ended.game.turn(done.before), "ask", None)
        known |= {move.id for move in ended.game.refused(done.before)}
        if isinstance(ask, PickAsk):
            known |= {option.id for option in ask.options}
        if isinstance(ask, KeepAsk) and isinstance(beat.action, Keep) and not {*beat.action.dice} <= {*ask.dice}:
            raise BadLesson(f"step {beat.step + 1}: keep: expected some of {' '.join(map(str, ask.dice))}, or none")
    for number, (step, known) in enumerate(zip(lesson.steps, possible, strict=True), start=1):
        unknown = next((key for key in step.slips if key not in known and not key.startswith("lift ")), None)
        if unknown is not None:
            raise BadLesson(f"step {number}: slips: {unknown!r}: expected one of {', '.join(sorted(known))}")
