"""The command `review`: prints what each decision cost compared with the best one, and the players' luck and skill."""

import argparse
from typing import TYPE_CHECKING

from captains_table.cli.arguments import Commands, add_command, add_state, open_journal

if TYPE_CHECKING:
    from captains_table.catalog import GameEntry
    from captains_table.table.history.review import JudgedDecision, MatchReview


def add(commands: Commands) -> None:
    """Add `review` to the parser's commands."""
    review = add_command(
        commands,
        "review",
        review_command,
        "captains-table review 3",
        "captains-table review 3 --costliest 10 --think 2",
    )
    review.add_argument("number", type=int, help="the number that `captains-table matches` shows")
    review.add_argument(
        "--costliest", "--dearest", type=int, metavar="N", help="only the N of each player that cost most"
    )
    review.add_argument("--think", type=float, metavar="SECONDS", help="think so long at most about a move")
    add_state(review)


def review_command(arguments: argparse.Namespace) -> int:
    """Say what each decision of a match cost against the best one."""
    from captains_table import catalog
    from captains_table.games.registry import not_installed
    from captains_table.runtime.analysis import MatchJudge, engine_judge, reviewer_of
    from captains_table.runtime.config import think_seconds
    from captains_table.runtime.engines import find_stockfish
    from captains_table.table.history.export import public_entries
    from captains_table.table.history.review import MatchReview
    from captains_table.table.model.match import Match

    think_s = None if arguments.think is None else think_seconds(arguments.think)
    with open_journal(arguments) as journal:
        match = Match.resumed(public_entries(journal.open(arguments.number).entries()))
    entry = catalog.find_entry(match.game.key)
    if entry is None:
        print(not_installed(match.game.key))
        return 1
    story = MatchReview(match)
    found = find_stockfish()
    engine = reviewer_of(entry, [] if found is None else [found])
    judge = None if engine is None else engine_judge(entry, engine, think_s)
    decisions = list(MatchJudge(entry, story, think_s, judge).decisions())
    print(f"Match {arguments.number}: {match.game.title}")
    shown = decisions if arguments.costliest is None else _costliest(decisions, story, arguments.costliest)
    for decision in shown:
        _print_decision(decision)
    _print_players(entry, story, decisions)
    return 0


def _costliest(decisions: "list[JudgedDecision]", story: "MatchReview", count: int) -> "list[JudgedDecision]":
    """Return the costliest decisions, at most `count` of each player, in the order of the match.

    Decisions that cost nothing are left out.
    """
    from captains_table.table.history.review import costliest

    costly = [each for seat in range(len(story.names)) for each in costliest(decisions, seat, count)]
    return [each for each in decisions if any(each is one for one in costly)]


def _print_decision(decision: "JudgedDecision") -> None:
    number = str(decision.moment) if decision.moment else ""
    if not decision.cost:
        print(f"{number:>5}  {decision.words}")
        return
    better = f"; better: {decision.best}" if decision.best else ""
    print(f"{number:>5}  {decision.words}  -{decision.cost:.2f}{better}")


def _print_players(entry: "GameEntry", story: "MatchReview", decisions: "list[JudgedDecision]") -> None:
    """Print the number and the total cost of each player's judged decisions.

    If the contributions of luck and skill to the score are known, print them too.
    """
    from captains_table.records.luck import luck_of
    from captains_table.table.history.review import cost_total

    luck = luck_of(entry, story)
    for seat, name in enumerate(story.names):
        total = cost_total(decisions, seat)
        words = f"{name}: {total.judged} decisions judged, which cost {total.cost:.2f} together"
        words += f", the costliest {total.costliest:.2f}"
        if luck is not None:
            own = luck.seats[seat]
            words += f"; score {own.score}, of it by luck {own.luck:+.1f}, by skill with the dice {own.skill:+.1f}"
        print(words)
