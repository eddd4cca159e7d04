"""The command `play`: runs a simulated table for the browser."""

import argparse

from captains_table.cli.arguments import Commands, add_command, options_from_words
from captains_table.cli.serving import add_serving, serve_in_browser
from captains_table.hardware.kinds import BOUGHT_KINDS, VIRTUAL_KINDS


def add(commands: Commands) -> None:
    """Add `play` to the parser's commands."""
    play = add_command(commands, "play", play_command, "captains-table play --port 9000", "{examples of play}")
    play.add_argument("game", nargs="?", help="{games}; naming a game starts a new match")
    play.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="the game's options, such as rounds=1")
    play.add_argument(
        "--players",
        nargs="+",
        metavar="NAME",
        help="in seat order; starts a new match, and without them the table asks",
    )
    play.add_argument(
        "--board",
        choices=["simulated", *BOUGHT_KINDS, *VIRTUAL_KINDS],
        metavar="KIND",
        help="a board that was bought (auto, or its make), or a virtual one (virtual-dgt) under the page's pieces",
    )
    add_serving(play)


def play_command(arguments: argparse.Namespace) -> int:
    """Play at a simulated table in the browser."""
    from captains_table.catalog import DEFAULT_GAME

    words = [word for word in (arguments.game, *arguments.options) if word is not None]
    game = words.pop(0) if words and "=" not in words[0] else None
    options = options_from_words([*words, *(name for name in arguments.players or () if "=" in name)])
    players = tuple(name for name in arguments.players or () if "=" not in name)
    fresh = bool(game or options or players)
    game = game or (DEFAULT_GAME if fresh else "")
    return serve_in_browser(arguments, fresh=fresh, game=game, players=players, options=options)
