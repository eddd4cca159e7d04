"""The program `captains-table`: parses its arguments and calls a command; heavy modules are imported when needed."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from captains_table import __version__
from captains_table.cli import (
    backup,
    boot,
    club,
    club_arbiter,
    club_standings,
    doctor,
    engine,
    lesson,
    matches,
    page,
    play,
    replay,
    review,
    run,
    simulate,
    verify,
    wiring,
)
from captains_table.cli.arguments import USAGE_ERROR
from captains_table.cli.game_help import Parser, install_games

COMMANDS: Final = (
    *(play, run, page, replay, verify, matches, review),
    *(backup, doctor, wiring, boot, simulate, engine, lesson, club, club_arbiter, club_standings),
)
"""The modules of the commands, in the order in which the help lists them."""
OF_TWO_WORDS: Final = (("club", "init"), ("club", "arbiter"), ("club", "standings"))
"""Commands of two words whose first word is a command as well: argparse sees the two words joined as one."""

EXAMPLES = """examples:
  captains-table play                              a table in the browser; takes up the match left last
  captains-table play --players Anne Bart          a new match; `play --help` shows how others are begun
  captains-table run table.toml                    the daemon, told by a file
  captains-table page                              where the running table's page is, also as a QR code
  captains-table replay a.tape b.tape              play tapes as fast as they go
  captains-table matches                           what was played; `matches resume 3`, `matches export 3 --form pgn`
  captains-table review 3                          what each decision of a match cost; luck and skill of its players
  captains-table verify match.json                 prove that no die of an exported match was touched
  captains-table backup evening.sqlite3            a copy of all matches, also while a table runs
  captains-table restore evening.sqlite3           put a backup in the journal's place, which is kept
  captains-table wiring pico-8x8                   wiring diagram and parts list of a build
  captains-table boot pico-8x8                     what the Pi's config.txt must say for a build
  captains-table doctor pico-8x8                   examine a table: checks, a guided test, a report
  captains-table doctor --switches                 how the switches of the running table are doing
  captains-table odds --help                       which games' dice have exact figures
  captains-table simulate --help                   computer players against each other
  captains-table engine legend --level 6           Aether answers other programs, by lines of JSON
  captains-table club club.toml                    many tables on one wall: the server of a club
  captains-table club init my-club --tables 12     certificates, passwords and settings of a club of tables
  captains-table club arbiter add Anne             an arbiter who logs in by name and password
  captains-table club standings open.trf           places and tie-breaks of a tournament report
"""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="captains-table",
        description="A smart tabletop: a board that sees its pieces, honest dice, and a journal that loses nothing.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"captains-table {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", required=True, metavar="COMMAND")
    for module in COMMANDS:
        module.add(commands)
    return parser


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments, including options of a game (NAME=VALUE) that follow flags.

    If the arguments cannot be parsed, the process ends with a usage error.
    """
    parser = build_parser()
    arguments, rest = parser.parse_known_args(with_joined(sys.argv[1:] if argv is None else argv))
    takes_options = "options" in arguments and all("=" in word and not word.startswith("-") for word in rest)
    if rest and not takes_options:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        arguments.options = [*arguments.options, *rest]
    return arguments


def with_joined(argv: Sequence[str]) -> Sequence[str]:
    """Return a command line in which the two words of a command such as `club init` are joined into one."""
    return [" ".join(argv[:2]), *argv[2:]] if tuple(argv[:2]) in OF_TWO_WORDS else argv


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    An error that the user can correct is printed as a sentence, with the exit code 2. The exit code is 1 if the reader
    of the output is gone.
    """
    arguments = read_arguments(argv)
    do: Callable[[argparse.Namespace], int] = arguments.do
    if do is not engine.engine_command:  # it starts faster without plug-ins, whose games it does not play
        install_games()
    try:
        return do(arguments)
    except BrokenPipeError:
        return 1
    except (ValueError, LookupError, OSError, RuntimeError) as error:
        print(f"captains-table: {error}", file=sys.stderr)
        return USAGE_ERROR
