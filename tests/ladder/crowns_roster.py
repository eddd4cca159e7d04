"""`python -m tests.ladder.crowns_roster`: how often each piece of the roster of Crowns wins among shrewd players.

Pieces and seats are drawn by chance. Fair is what all pieces win on average. A further run plays what is left. Exit
code 1 where a piece is farther from fair than three standard errors or two points.
"""

import argparse
import hashlib
import inspect
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from platformdirs import user_cache_path

from captains_table.games.contract import Auction, Decide, Over
from captains_table.games.crowns import Crowns, designs
from captains_table.players.common.bidding import next_in_auction
from captains_table.players.crowns import appraisal, lookahead, notus
from captains_table.players.crowns.notus import bid_shrewdly, play_shrewdly
from tests.ladder.results import play_rest

GAME: Final = Crowns()
PLAYERS: Final = 4
TURNS: Final = 300
MATCHES: Final = 20_000
BATCH: Final = 50
ERRORS: Final = 3
POINTS: Final = 2.0
PERCENT: Final = 100


class Played(NamedTuple):
    """A match: the numbers of its pieces in the roster, which of them won, if any did, and after how many turns."""

    pieces: tuple[int, ...]
    winner: int | None
    turns: int


class Share(NamedTuple):
    """How often a piece won of the matches it was in, and the standard error, both in percent."""

    piece: str
    matches: int
    won: float
    error: float


def play(key: tuple[int]) -> Played:
    """Play a match; the same number gives the same match."""
    [number] = key
    rng = random.Random(f"roster {number}")
    pieces = rng.sample(range(len(designs.ROSTER)), PLAYERS)
    chosen = {f"piece{seat}": designs.ROSTER[piece] for seat, piece in enumerate(pieces, 1)}
    state = GAME.start([f"Seat {seat}" for seat in range(PLAYERS)], {**chosen, "turn_limit": str(TURNS)})
    player, bidders = play_shrewdly(rng.randrange), [bid_shrewdly(rng.randrange) for _ in pieces]
    while not isinstance(turn := GAME.turn(state), Over):
        match turn:
            case Decide():
                state = GAME.apply(state, player(state, turn))
            case Auction():
                state = GAME.apply(state, next_in_auction(state, turn, bidders, rng.randrange))
    winner = turn.result.winner
    return Played(tuple(pieces), None if winner is None else pieces[winner], state.turn)


def shares_of(played: Sequence[Played]) -> list[Share]:
    seen = Counter(piece for match in played for piece in match.pieces)
    won = Counter(match.winner for match in played)
    found = [(piece, seen[number], won[number] / max(1, seen[number])) for number, piece in enumerate(designs.ROSTER)]
    return [Share(piece, n, PERCENT * p, PERCENT * sqrt(p * (1 - p) / max(1, n))) for piece, n, p in found]


def fair_share(played: Sequence[Played]) -> float:
    """Return what all pieces win on average, in percent."""
    return PERCENT * sum(match.winner is not None for match in played) / (PLAYERS * len(played))


def is_fair(share: Share, fair: float) -> bool:
    """Return whether a piece is within three standard errors and two points of fair."""
    return abs(share.won - fair) <= min(POINTS, ERRORS * share.error)


def report(played: Sequence[Played]) -> Iterator[str]:
    fair, endless = fair_share(played), sum(match.winner is None for match in played)
    turns = median(match.turns for match in played)
    yield (
        f"{len(played):,} matches of {PLAYERS}, half of them over by turn {turns:.0f}; nobody had won by turn "
        f"{TURNS} in {endless / len(played):.1%}. Fair is {fair:.2f} %."
    )
    yield ""
    yield "| piece | matches | won | standard error | from fair |"
    yield "|---|---|---|---|---|"
    for share in shares_of(played):
        yield (
            f"| {share.piece} | {share.matches:,} | {share.won:.2f} % | {share.error:.2f} | {share.won - fair:+.2f} "
            f"({(share.won - fair) / max(share.error, 1e-9):+.1f} of these) |"
        )


def matches(count: int, path: Path, processes: int) -> list[Played]:
    """Play the matches that are not in the file yet, and return all."""
    found = play_rest(path, [(number,) for number in range(count)], play, processes, BATCH)
    return [Played(tuple(pieces), winner, turns) for pieces, winner, turns in found.values()]


def _results() -> Path:
    """Return where the results of this roster and these players are stored."""
    sources = [inspect.getsource(module) for module in (designs, appraisal, notus, lookahead)]
    key = hashlib.sha256("".join(sources).encode()).hexdigest()[:12]
    return user_cache_path("captains-table") / f"roster-{key}.jsonl"


def main(argv: Sequence[str] | None = None) -> int:
    found = argparse.ArgumentParser(prog="python -m tests.ladder.crowns_roster", description=__doc__)
    found.add_argument("--matches", type=int, default=MATCHES, help=f"how many ({MATCHES:,})")
    found.add_argument("--processes", type=int, default=2, help="how many run at once (2)")
    arguments = found.parse_args(argv)
    played = matches(arguments.matches, _results(), arguments.processes)
    print("\n".join(report(played)), flush=True)
    return 0 if all(is_fair(share, fair_share(played)) for share in shares_of(played)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
