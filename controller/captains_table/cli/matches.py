"""The command `matches`: lists, resumes and exports matches of the journal."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from captains_table.cli.arguments import Commands, NothingPlayed, add_command, add_state, open_journal
from captains_table.cli.game_help import ExportForms
from captains_table.cli.serving import add_serving, serve_in_browser
from captains_table.phrases import listed

if TYPE_CHECKING:
    from captains_table.storage.journal_file import DamagedMatch, MatchRecord

NUMBER_HELP = "the number that `captains-table matches` shows"


UNKNOWN_TIME: Final = "(time not known)"


def add(commands: Commands) -> None:
    """Add `matches` to the parser's commands."""
    matches = add_command(
        commands,
        "matches",
        matches_command,
        "captains-table matches",
        "captains-table matches resume 3",
        "captains-table matches export 3 --form pgn --to match.pgn",
    )
    add_state(matches)
    doing = matches.add_subparsers(title="what to do", metavar="list | resume | export")
    add_state(add_command(doing, "list", list_command, "captains-table matches list"))
    resume = add_command(doing, "resume", resume_command, "captains-table matches resume 3")
    resume.add_argument("number", type=int, help=NUMBER_HELP)
    add_serving(resume)
    export = add_command(doing, "export", export_command, "captains-table matches export 3 --form pgn --to match.pgn")
    export.add_argument("number", type=int, help=NUMBER_HELP)
    add_state(export)
    export.add_argument("--form", choices=ExportForms(), metavar="FORM", default="json", help="{forms}")
    export.add_argument("--to", type=Path, metavar="FILE", help="file to write instead of the standard output")


def matches_command(arguments: argparse.Namespace) -> int:
    """List, resume and export matches.

    This function runs if no subcommand is given, and lists the matches. The first line is the help of the command.
    """
    return list_command(arguments)


def list_command(arguments: argparse.Namespace) -> int:
    """List the matches, latest first."""
    try:
        with open_journal(arguments) as journal:
            records, damaged = journal.matches(), journal.damaged()
    except NothingPlayed:
        records, damaged = [], {}
    lines = {number: damaged_match_line(match) for number, match in damaged.items()}
    lines = {record.number: match_line(record) for record in records} | lines
    print("\n".join(lines[number] for number in sorted(lines, reverse=True)) or "No match was played yet.")
    return 0


def match_line(record: "MatchRecord") -> str:
    """Return the list's line for a match: number, beginning, game, players, actions, outcome."""
    from captains_table.games.registry import GAMES, display_names, not_installed
    from captains_table.records.finished import all_names
    from captains_table.storage.exports import outcome_words

    names = listed(display_names(all_names(record.started), record.started.game))
    ended = outcome_words(record) or "not over"
    began = record.began or UNKNOWN_TIME
    line = f"{record.number:4}  {began}  {record.started.game}  {names}: {record.actions} actions, {ended}"
    return line if record.started.game in GAMES else f"{line}; {not_installed(record.started.game)}"


def damaged_match_line(match: "DamagedMatch") -> str:
    """Return the list's line for a match that has an unreadable entry."""
    from captains_table.storage.exports import damage_words

    started = match.started
    who = "an unknown game" if started is None else f"{started.game}  {listed(started.seats)}"
    return (
        f"{match.number:4}  {match.began or UNKNOWN_TIME}  {who}: {match.actions} actions, {damage_words(match.damage)}"
    )


def resume_command(arguments: argparse.Namespace) -> int:
    """Take a match up again at a simulated table."""
    return serve_in_browser(arguments, number=arguments.number)


def export_command(arguments: argparse.Namespace) -> int:
    """Write a match as text."""
    from captains_table.storage.exports import export_match
    from captains_table.storage.ownership import write_output

    with open_journal(arguments) as journal:
        text = export_match(journal.open(arguments.number), arguments.form)
    if arguments.to is None:
        sys.stdout.write(text)
    else:
        write_output(arguments.to, text)
    return 0
