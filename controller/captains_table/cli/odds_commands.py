"""The commands about odds: `odds`, `simulate`, and the test of the dice that `verify --dice` prints."""

import argparse
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from captains_table.runtime.simulated_matches import Plan, Score

AddCommand = Callable[..., argparse.ArgumentParser]
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - argparse names it no other way
BAR_WIDTH = 30


def add_odds_commands(commands: Commands, add_command: AddCommand) -> None:
    """Add `odds` and `simulate` to the parser's commands."""
    odds = add_command(
        commands,
        "odds",
        "print the exact figures of a game's dice",
        "captains-table odds ship-captain-crew",
        "captains-table odds swashbuckle",
    )
    odds.add_argument("game", help="legend, ship-captain-crew or swashbuckle")
    odds.set_defaults(do=odds_command)
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


def odds_command(arguments: argparse.Namespace) -> int:
    """Print a game's exact figures."""
    from captains_table.runtime.odds import odds_lines

    for line in odds_lines(arguments.game):
        print(line)
    return 0


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


def dice_command() -> int:
    """Put the real dice to the test and print what came of it; 1 if they failed."""
    from captains_table.runtime.dice_test import FACES, fresh_dice, run_dice_test

    print(f"{FACES:,} faces of the dice that matches are thrown with, seed and salt fresh:")
    found = run_dice_test(fresh_dice())
    print("  " + "  ".join(f"{side}: {count:,}" for side, count in enumerate(found[0].counts, start=1)))
    for fairness in found:
        print(f"  {fairness}")
    return 0 if all(fairness.passed for fairness in found) else 1
