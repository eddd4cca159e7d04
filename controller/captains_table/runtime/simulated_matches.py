"""Plays many matches between computer players, on all cores, and computes mean results with standard errors.

A player is named by a strategy, or by an opponent and its level. This module lists the names that a game knows, and
returns the strategy of each player, also for bids. Players change seats from match to match.
"""

import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from captains_table.catalog import GameEntry, entry_of
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import Auction, Decide, Game, Over, Roll, Rolled, did_you_mean, is_nobodys, moved_on
from captains_table.players.common.bidding import BidStrategy, bid_at_random, bid_greedily, next_in_auction
from captains_table.players.common.hold_solver import FACES
from captains_table.players.common.opponents import Means, opponent_of, sitter_of
from captains_table.players.common.strategies import (
    Strategy,
    play_at_random,
    play_best,
    play_carefully,
    play_greedily,
)
from captains_table.process.plugins import install_plugins

BEST, GREEDY, RANDOM, CAREFUL = "best", "greedy", "random", "careful"
BATCHES_A_CORE = 20


class BadSimulation(ValueError):
    """The planned matches cannot be played."""


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """Which matches to simulate.

    Attributes:
        game: the game's key.
        players: for each player a strategy, or an opponent with its level; players change seats from match to match.
        options: the game's options; an option of a seat belongs to that seat's player in match 0, and changes seats
            with the player.
        matches: how many matches to play.
        seed: determines every die and every random choice.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    matches: int
    seed: int = 0

    def check(self) -> None:
        """Raise BadSimulation, UnknownGame or BadOption if the planned matches cannot be played."""
        entry = entry_of(self.game)
        known = (*strategies_of(entry), *sitters_of(entry))
        for player in self.players:
            if player not in strategies_of(entry) and _sitter(entry, player) is None:
                expected = f"expected some of {', '.join(known)}{did_you_mean(player, known)}"
                raise BadSimulation(f"{entry.game.title} has no player {player!r}: {expected}")
        if self.matches < 1:
            raise BadSimulation(f"{self.matches} matches: expected 1 or more")
        entry.game.start(self.names(), self.options)

    def names(self) -> list[str]:
        """Return a different name for each player: the strategy, numbered if several players have it."""
        many = {player: self.players.count(player) for player in self.players}
        return [
            player if many[player] == 1 else f"{player} {1 + self.players[:place].count(player)}"
            for place, player in enumerate(self.players)
        ]


@dataclass(frozen=True, slots=True)
class Score:
    """The result of one player in one match: the final tallies, and the player's share of the win from 0 to 1."""

    tallies: Mapping[str, int]
    won: float


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and its standard error, which is `None` if there is only one value."""

    value: float
    error: float | None

    def __str__(self) -> str:
        return f"{self.value:.2f}" if self.error is None else f"{self.value:.2f} ± {self.error:.2f}"


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of one or more independent values, and its standard error."""
    count = len(values)
    return Mean(fmean(values), stdev(values) / sqrt(count) if count > 1 else None)


def play_match(plan: SimulationPlan, number: int) -> list[Score]:
    """Play one match of a plan and return the scores in the plan's order of players.

    The number of the match, from 0, decides the seating. The number and the plan's seed together decide all dice and
    random choices.
    """
    rng = random.Random(f"{plan.seed} {number}")  # noqa: S311 - repeatable on purpose
    entry = entry_of(plan.game)
    game = entry.game
    count = len(plan.players)
    seating = [(seat + number) % count for seat in range(count)]
    names = plan.names()
    options = moved_on(game.options, plan.options, count, number % count)
    state = game.start([names[player] for player in seating], options)
    seats = [strategy_of(entry, plan.players[player], rng) for player in seating]
    bidders = [bidder_of(entry, plan.players[player], rng) for player in seating]
    while not isinstance(turn := game.turn(state), Over):
        match turn:
            case Roll(dice=dice):
                action = Rolled(tuple(rng.choice(FACES) for _ in dice))
                state = game.apply(state, action)
            case Decide(seat=seat):
                state = game.apply(state, seats[seat % count](state, turn))
            case Auction():
                state = game.apply(state, next_in_auction(state, turn, bidders, rng.randrange))
    return _scores(game, state, turn, seating)


def strategies_of(entry: GameEntry) -> tuple[str, ...]:
    """Return the strategies of a game, the best first; `best` exists only if the game has an adviser."""
    return (*([BEST] if entry.adviser is not None else []), *entry.strategies, GREEDY, RANDOM, CAREFUL)


def sitters_of(entry: GameEntry) -> tuple[str, ...]:
    """Return the names of a game's computer opponents, such as `aether:3`; there is one name for each level."""
    return tuple(str(ComputerSeat(each.key, level)) for each in entry.opponents.values() for level in each.levels)


def usual_players(game: str) -> tuple[str, ...]:
    """Return a game's default players: its strategies, at most as many as it has seats; raises UnknownGame."""
    entry = entry_of(game)
    return strategies_of(entry)[: entry.game.seats.stop - 1]


def strategy_of(entry: GameEntry, name: str, rng: random.Random) -> Strategy:
    """Return the strategy for a name, which may be an opponent with its level; random choices come from `rng`.

    An unknown name gives the greedy strategy, and so does `best` if the game has no adviser.

    Raises:
        BadSimulation: the name is an opponent that the game does not have, or not at this level.
    """
    sitter = _sitter(entry, name)
    if sitter is not None:
        means = Means(rng.randrange, time.monotonic)
        return opponent_of(sitter, entry.opponents).make(sitter.level, means)
    if name in entry.strategies:
        return entry.strategies[name](rng.randrange)
    if name == RANDOM:
        return play_at_random(rng.randrange)
    if name == CAREFUL:
        return play_carefully(entry.takes_undefended, rng.randrange)
    greedy = play_greedily(entry.game, rng.randrange)
    return play_best(entry.adviser, greedy) if name == BEST and entry.adviser is not None else greedy


def _sitter(entry: GameEntry, name: str) -> ComputerSeat | None:
    """Return the opponent and the level that a name denotes; `None` if it is no opponent's name.

    Raises BadSimulation if the game does not have the opponent, or not at this level.
    """
    try:
        return sitter_of(name, entry.opponents)
    except NoSuchOpponent as error:
        raise BadSimulation(f"{entry.game.title} has no player {error}") from error


def bidder_of(entry: GameEntry, name: str, rng: random.Random) -> BidStrategy:
    """Return the bidding strategy of a player.

    Some players have a bidding strategy of their own. Otherwise, the players `random` and `careful` bid at random, and
    all other players bid greedily.

    Raises:
        BadSimulation: the game has no opponent of this name, or the opponent does not have this level.
    """
    sitter = _sitter(entry, name)
    bid = None if sitter is None else opponent_of(sitter, entry.opponents).bid
    if sitter is not None and bid is not None:
        return bid(sitter.level, Means(rng.randrange, time.monotonic))
    if name in entry.bidders:
        return entry.bidders[name](rng.randrange)
    return bid_at_random(rng.randrange) if name in {RANDOM, CAREFUL} else bid_greedily(entry.game)


def _scores(game: Game[Any], state: object, over: Over, seating: Sequence[int]) -> list[Score]:
    """Return each player's score, in the order in which the plan lists the players.

    Several winners share the win equally; if nobody wins, every player's share of the win is 0.
    """
    scores, winner = over.result.scores, over.result.winner
    winners = [seat for seat in range(len(scores)) if scores[seat] == max(scores)] if winner is None else [winner]
    share = 0.0 if is_nobodys(winner, scores) else 1 / len(winners)
    tallies = game.tallies(state)
    by_player = {player: Score(dict(tallies[seat]), (seat in winners) * share) for seat, player in enumerate(seating)}
    return [by_player[player] for player in range(len(seating))]


def play_matches(
    plan: SimulationPlan, progress: Callable[[float], None], processes: int | None = None
) -> list[list[Score]]:
    """Play all matches of a plan in parallel and return each match's scores.

    Args:
        plan: a plan that has been checked.
        progress: is called with the share that is done, from 0 to 1.
        processes: the number of processes; by default the number of cores.
    """
    processes = processes or os.cpu_count() or 1
    size = max(1, plan.matches // (processes * BATCHES_A_CORE))
    batches = [range(first, min(first + size, plan.matches)) for first in range(0, plan.matches, size)]
    played: list[list[Score]] = []
    with ProcessPoolExecutor(processes, initializer=install_plugins) as pool:
        for scores in pool.map(_play_batch, [plan] * len(batches), batches):
            played += scores
            progress(len(played) / plan.matches)
    return played


def _play_batch(plan: SimulationPlan, numbers: range) -> list[list[Score]]:
    return [play_match(plan, number) for number in numbers]


def result_lines(plan: SimulationPlan, played: Sequence[Sequence[Score]]) -> list[str]:
    """Return the lines of a table with a row for each player: the means of all tallies, and the wins in percent.

    Means come with standard errors. The wins are left out if there is only one player.
    """
    columns = list(played[0][0].tallies)
    rows = [["player", *columns, *(["won"] if len(plan.players) > 1 else [])]]
    for player, name in enumerate(plan.names()):
        scores = [match[player] for match in played]
        row = [name, *(str(mean_of([score.tallies[column] for score in scores])) for column in columns)]
        if len(plan.players) > 1:
            won = mean_of([100 * score.won for score in scores])
            row.append(f"{won} %")
        rows.append(row)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
