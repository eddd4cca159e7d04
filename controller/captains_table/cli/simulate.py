"""The command `simulate`: computer players play many matches."""

import argparse
import sys
import time
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command

if TYPE_CHECKING:
    from captains_table.runtime.simulated_matches import Plan, Score

BAR_WIDTH = 30


def add_simulate(commands: Commands) -> None:
    """Add `simulate` to the parser's commands."""
    simulate = add_command(
        commands,
        "simulate",
        "let computer players play many matches, and print the means with their standard errors",
        "captains-table simulate swashbuckle --matches 5000 --players best --seed 1",
        "captains-table simulate ship-captain-crew target=30 --players best,greedy,random",
        "captains-table simulate legend rounds=1 turn_limit=200 --players best,greedy --matches 100",
    )
    simulate.add_argument("game", help="the game's key")
    simulate.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="the game's options")
    simulate.add_argument("--matches", type=int, default=1000, metavar="N", help="how many (1000)")
    simulate.add_argument("--players", default="best,greedy,random", help="strategies: best, greedy, random")
    simulate.add_argument("--seed", type=int, default=0, help="the same seed plays the same matches (0)")
    simulate.add_argument("--processes", type=int, help="how many run at once (as many as there are cores)")
    simulate.set_defaults(do=simulate_command)


def simulate_command(arguments: argparse.Namespace) -> int:
    """Play matches and print what came of them."""
    from captains_table.runtime.daemon import options_from_words
    from captains_table.runtime.simulated_matches import Plan, play_matches, result_lines

    players = tuple(arguments.players.split(","))
    plan = Plan(arguments.game, players, options_from_words(arguments.options), arguments.matches, arguments.seed)
    plan.check()
    began = time.monotonic()
    played = play_matches(plan, _draw_bar if sys.stderr.isatty() else lambda _: None, arguments.processes)
    took = time.monotonic() - began
    print(f"{plan.matches:,} matches of {plan.game}, seed {plan.seed}, {took:.1f} s; mean ± standard error")
    for line in (*result_lines(plan, played), *_beside_optimum(plan, played)):
        print(line)
    return 0


def _draw_bar(share: float) -> None:
    filled = round(share * BAR_WIDTH)
    end = "\n" if share >= 1 else ""
    sys.stderr.write(f"\r[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {share:4.0%}{end}")
    sys.stderr.flush()


def _beside_optimum(plan: "Plan", played: "list[list[Score]]") -> list[str]:
    """Return a line that sets a solitaire Swashbuckle beside the exact optimum; nothing for other matches."""
    from captains_table.catalog import SWASHBUCKLE, SWASHBUCKLE_VOLUNTARY, sheet_values
    from captains_table.runtime.simulated_matches import mean_of

    known = {(): SWASHBUCKLE, (("voluntary_scuttle", "true"),): SWASHBUCKLE_VOLUNTARY}
    name = known.get(tuple(plan.options.items()))
    if plan.game != "swashbuckle" or len(plan.players) != 1 or name is None:
        return []
    mean = mean_of([match[0].tallies["total"] for match in played])
    optimum = sheet_values(name).optimum
    return [f"exact optimum {optimum:.4f}: the mean is {mean.value / optimum:.1%} of it"]
