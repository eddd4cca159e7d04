"""Makes the record of a finished match: its players, its scores, and the options that comparable matches share.

Other functions here name all players of a match, check that its result fits them, and count a single player's turns.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.games.common.records import FinishedMatch
from captains_table.games.contract import BadOption
from captains_table.table.model.entries import MatchEnded, MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.seating import declared_names, records_of


def all_names(started: MatchStarted) -> tuple[str, ...]:
    """Return the names of all sides of a match, in seat order.

    In some games a single player plays against a second side. The result includes the name of the second side. The name
    of a computer includes its level. Only the names given at the start are returned if the game is not installed, or if
    its present rules do not allow the options of an old match.
    """
    names = declared_names(started)
    entry = catalog.find_entry(started.game)
    if entry is not None:
        with suppress(BadOption):  # an old match, played by rules that have changed since
            names = tuple(entry.game.names(entry.game.start(names, started.options)))
    return records_of(started, names)


def ends_with_its_players(started: MatchStarted, ended: MatchEnded | None) -> bool:
    """Return whether a match is over, with scores and a winner that fit the players.

    If the game is not installed, return whether the match is over, without checking scores and winner.
    """
    if ended is None or catalog.find_entry(started.game) is None:
        return ended is not None
    names = all_names(started)
    has_scores = len(ended.scores) == len(names) or (len(names) == 1 and bool(ended.scores))
    return has_scores and (ended.winner is None or ended.winner in range(len(ended.scores)))


def counts_turns(entry: GameEntry, names: Sequence[str], options: Mapping[str, str]) -> bool:
    """Return whether the match had a single player, whose aim was to need as few turns as possible."""
    return len(names) == 1 and entry.records.counts_turns(options)


def turns_of(match: Match) -> int:
    """Return the number of turns of a single-player match so far; the game must count them in the tally `turns`."""
    tallies: Mapping[str, Any] = match.game.tallies(match.state)[0]
    return int(tallies["turns"])


def finished_match(
    entry: GameEntry,
    names: Sequence[str],
    options: Mapping[str, str],
    *,
    winner: int | None,
    scores: Sequence[int],
    turns: int | None = None,
) -> FinishedMatch:
    """Return the record of a match.

    Args:
        entry: the game.
        names: the players in seat order.
        options: the match's options.
        winner: the winner's seat; `None` if the match was drawn, or nobody won.
        scores: every seat's score.
        turns: the number of turns that a single player needed if few turns are the aim of the match; `None` otherwise.
    """
    rules = entry.records
    material = options.keys() - rules.immaterial_alone if len(names) == 1 else options.keys() & set(rules.material)
    course = " ".join(f"{key}={options[key]}" for key in sorted(material))
    return FinishedMatch(entry.game.key, tuple(names), winner, tuple(scores), course, turns)
