"""The command `lesson`: checks a lesson that somebody writes, by playing it to its end (docs/lessons.md)."""

import argparse
import sys
from pathlib import Path

from captains_table.cli.arguments import USAGE_ERROR, Commands, add_command


def add(commands: Commands) -> None:
    """Add `lesson` to the parser's commands."""
    lesson = add_command(commands, "lesson", lesson_command, "captains-table lesson check my-game/lesson.toml")
    lesson.add_argument("what", choices=["check"], help="check: play each step, and name the first that does not work")
    lesson.add_argument("files", type=Path, nargs="+", metavar="FILE", help="a lesson, a text file in the format TOML")


def lesson_command(arguments: argparse.Namespace) -> int:
    """Check lessons and print for each file how long it is, or what is wrong in it; the exit code is then 2."""
    from captains_table.games.registry import UnknownGame
    from captains_table.runtime.lessons import check_whole_lesson
    from captains_table.table.lessons.lesson import BadLesson, read_lesson

    code = 0
    for file in arguments.files:
        try:
            lesson = read_lesson(file.read_text(encoding="utf-8"))
            check_whole_lesson(lesson)
        except (OSError, UnicodeDecodeError) as error:
            print(f"{file}: cannot be read ({error}): expected a lesson, a text file in UTF-8", file=sys.stderr)
            code = USAGE_ERROR
        except (BadLesson, UnknownGame) as error:
            print(f"{file}: {error}", file=sys.stderr)
            code = USAGE_ERROR
        else:
            print(f"{file}: {lesson.title}: {len(lesson.steps)} steps, {len(lesson.beats)} actions")
    return code
