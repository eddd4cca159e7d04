"""The commands `odds` and `simulate`: a game's exact dice odds, and statistics of matches between computer players."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command, options_from_words, state_dir_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from captains_table.runtime.simulated_matches import Score, SimulationPlan

BAR_WIDTH = 30


def add(commands: Commands) -> None:
    """Add `odds` and `simulate` to the parser's commands."""
    odds = add_command(commands, "odds", odds_command, "{examples of odds}")
    odds.add_argument("game", help="{games with odds}")
    simulate = add_command(commands, "simulate", simulate_command, "{examples of simulate}")
    simulate.add_argument("game", help="the game's key")
    simulate.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="the game's options")
    simulate.add_argument("--matches", type=int, default=1000, metavar="N", help="how many (1000)")
    simulate.add_argument(
        "--players", metavar="A,B", help="who plays (all that the game has, as far as there are seats): {strategies}"
    )
    simulate.add_argument("--seed", type=int, default=0, help="the same seed plays the same matches (0)")
    simulate.add_argument("--processes", type=int, help="how many run at once (as many as there are cores)")
    simulate.add_argument(
        "--state", type=Path, metavar="DIR", help="where pieces of your own are kept, whose names options may give"
    )


def odds_command(arguments: argparse.Namespace) -> int:
    """Print the exact figures of a game's dice."""
    from captains_table.catalog import odds_lines

    for line in odds_lines(arguments.game):
        print(line)
    return 0


def simulate_command(arguments: argparse.Namespace) -> int:
    """Let computer players play many matches, and print the means with their standard errors."""
    from captains_table.runtime.simulated_matches import SimulationPlan, play_matches, result_lines, usual_players

    players = tuple(arguments.players.split(",")) if arguments.players else usual_players(arguments.game)
    options = _spelt_out(arguments.game, options_from_words(arguments.options), arguments)
    plan = SimulationPlan(arguments.game, players, options, arguments.matches, arguments.seed)
    plan.check()
    began = time.monotonic()
    played = play_matches(plan, _draw_bar if sys.stderr.isatty() else lambda _: None, arguments.processes)
    took = time.monotonic() - began
    print(f"{plan.matches:,} matches of {plan.game}, seed {plan.seed}, {took:.1f} s; mean ± standard error")
    for line in (*result_lines(plan, played), *_optimum_lines(plan, played)):
        print(line)
    return 0


def _spelt_out(game: str, options: "Mapping[str, str]", arguments: argparse.Namespace) -> dict[str, str]:
    """Return the options with each name of a saved piece replaced by the piece's design; raises UnknownGame."""
    from captains_table.catalog import entry_of
    from captains_table.games.contract import spelt_out
    from captains_table.storage.design_file import DESIGNS, DesignFile

    designs = DesignFile(state_dir_of(arguments) / DESIGNS)
    return spelt_out(entry_of(game).game.options, options, designs.choices)


def _draw_bar(share: float) -> None:
    filled = round(share * BAR_WIDTH)
    end = "\n" if share >= 1 else ""
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {share:4.0%}{end}")
    sys.stderr.flush()


def _optimum_lines(plan: "SimulationPlan", played: "list[list[Score]]") -> list[str]:
    """Return a list of one line, the comparison of a single player's mean with the exact optimum.

    The list is empty if there are several players, or if no optimum is known.
    """
    from captains_table.catalog import entry_of
    from captains_table.runtime.simulated_matches import mean_of

    optimum_alone = entry_of(plan.game).optimum_alone
    optimum = None if optimum_alone is None or len(plan.players) != 1 else optimum_alone(plan.options)
    if optimum is None:
        return []
    mean = mean_of([match[0].tallies["total"] for match in played])
    return [f"exact optimum {optimum:.4f}: the mean is {mean.value / optimum:.1%} of it"]
