"""The command `odds`: exact figures of a game's dice."""

import argparse

from captains_table.cli.arguments import Commands, add_command


def add_odds(commands: Commands) -> None:
    """Add `odds` to the parser's commands."""
    odds = add_command(
        commands,
        "odds",
        "print the exact figures of a game's dice",
        "{examples of odds}",
    )
    odds.add_argument("game", help="{games with odds}")
    odds.set_defaults(do=odds_command)


def odds_command(arguments: argparse.Namespace) -> int:
    """Print a game's exact figures."""
    from captains_table.catalog import odds_lines

    for line in odds_lines(arguments.game):
        print(line)
    return 0
