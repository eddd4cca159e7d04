"""`python -m tests.ladder --game chess`: how strong Boreas's levels are in chess, and its strongest against Stockfish.

Both matches of a pair begin with the same moves by chance, and the players exchange colours. The levels play within
their nodes, so that the figures do not depend on the machine; against Stockfish the strongest level has a second for a
move. A stopped run goes on where it was. Exit code 1 if a level does not beat the next lower one as clearly as it must.
"""

import argparse
import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import chess.engine
from platformdirs import user_cache_path

from captains_table.catalog import entry_of
from captains_table.games.common.chesslike.match import AnyState
from captains_table.games.contract import PRESS_CLOCK, Action, Decide, Pick
from captains_table.players.boreas.opponents import BOREAS_IN_CHESS
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy
from tests.ladder.captains_chess import begun, play
from tests.ladder.results import Share, play_rest, share_of
from tests.support.marked_table import rewrite_table

GAME: Final = entry_of("chess").game
USUAL: Final = user_cache_path("captains-table") / "chess-ladder.jsonl"
MARKS: Final = ('<!-- the table of `make ladder ARGS="--game chess"` -->', "<!-- its end -->")
HEADINGS: Final = ("Pairing", "Matches", "Scores", "Lower end to exceed", "Drawn", "Seconds a match")
STOCKFISH: Final = Path("/usr/games/stockfish")
SECOND: Final = 1.0
ELOS: Final = (1350, 1500)
Round = tuple[str, int, bool]
"""The key of a pairing, the number of a pair, and whether the first player has White."""


class ChessPairing(NamedTuple):
    """Two levels, or a level and an Elo of Stockfish, with how many matches they play.

    Attributes:
        name: its name on the command line.
        level: the level of the first player.
        other: the level of the second, or Stockfish's Elo.
        matches: how many matches.
        goal: what the lower end of the interval must exceed; `None` for a pairing that is only told.
    """

    name: str
    level: int
    other: int
    matches: int
    goal: float | None

    @property
    def words(self) -> str:
        if self.goal is None:
            return f"level {self.level}, 1 s a move, v Stockfish at Elo {self.other}"
        return f"level {self.level} v level {self.other}"


PAIRINGS: Final = {
    pairing.name: pairing
    for pairing in (
        *(ChessPairing(f"{level}v{level - 1}", level, level - 1, 200, 0.55) for level in (1, 2, 3)),
        *(ChessPairing(f"{level}v{level - 1}", level, level - 1, 100, 0.5) for level in (4, 5, 6)),
        *(ChessPairing(f"6v{elo}", 6, elo, 50, None) for elo in ELOS),
    )
}


@cache
def _fingerprint() -> str:
    """Return what tells one state of the code by which Boreas plays from another."""
    found = sha256()
    for entry in sorted(files("captains_table.players.boreas").iterdir(), key=lambda entry: entry.name):
        if entry.is_file() and entry.name != "advising.py":
            found.update(entry.read_bytes())
    return found.hexdigest()[:12]


def play_round(key: Round) -> tuple[float, float]:
    """Return what the first player got of its one point, and how many seconds the match took."""
    name, pair, first_has_white = key
    pairing, began = PAIRINGS[name.split()[0]], time.perf_counter()
    means = Means(random.Random(f"{name} {pair}").randrange, time.perf_counter, None if pairing.goal else SECOND)
    first = BOREAS_IN_CHESS.make(pairing.level, means)
    with _rival(pairing, means) as second:
        players = (first, second) if first_has_white else (second, first)
        found = play(begun(pair, GAME), players, GAME)
    return found[0 if first_has_white else 1], time.perf_counter() - began


@contextmanager
def _rival(pairing: ChessPairing, means: Means) -> Iterator[Strategy]:
    if pairing.goal is not None:
        yield BOREAS_IN_CHESS.make(pairing.other, means)
        return
    with chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as engine:
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": pairing.other, "Threads": 1, "Hash": 16})

        def answer(state: AnyState, decide: Decide) -> Action:
            if any(option.id == PRESS_CLOCK.id for option in getattr(decide.ask, "options", ())):
                return Pick(PRESS_CLOCK.id)
            found = engine.play(state.position.board(), chess.engine.Limit(time=SECOND))
            assert found.move is not None
            return Pick(state.position.id_of(found.move))

        yield answer


class Scored(NamedTuple):
    """What came of a pairing."""

    pairing: ChessPairing
    share: Share
    drawn: int
    matches: int
    seconds: float

    @property
    def reached(self) -> bool:
        return self.pairing.goal is None or self.share.low > self.pairing.goal

    def cells(self) -> tuple[str, ...]:
        goal = "told only" if self.pairing.goal is None else f"{self.pairing.goal:.0%}"
        return self.pairing.words, str(self.matches), self.share.told(), goal, str(self.drawn), f"{self.seconds:.1f}"


def scored(pairing: ChessPairing, matches: int, results: Path, processes: int | None) -> Scored:
    """Play what is left of a pairing and return what came of all."""
    key = f"{pairing.name} {_fingerprint()}"
    keys: list[Round] = [(key, pair, white) for pair in range(matches // 2) for white in (True, False)]
    found = play_rest(results, keys, play_round, processes, batch=1)
    rows = [found[each] for each in keys]
    pairs = [[points for points, _ in rows[at : at + 2]] for at in range(0, len(rows), 2)]
    drawn = sum(points not in (0, 1) for points, _ in rows)
    return Scored(pairing, share_of(pairs), drawn, len(rows), sum(seconds for _, seconds in rows) / len(rows))


def main(argv: Sequence[str]) -> int:
    """Play what is left to play, print what came of all, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.ladder --game chess", description=__doc__)
    parser.add_argument("--only", choices=[*PAIRINGS], action="append", help="this alone; may be given again")
    parser.add_argument("--games", type=int, help="so many matches of each pairing, in place of its own number")
    parser.add_argument("--results", type=Path, default=USUAL, metavar="FILE", help=f"what was played ({USUAL})")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="how many run at once (one a core)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table into this document")
    arguments = parser.parse_args(argv)
    rows = []
    for name in arguments.only or PAIRINGS:
        pairing = PAIRINGS[name]
        row = scored(pairing, arguments.games or pairing.matches, arguments.results, arguments.processes)
        rows.append(row)
        verdict = "" if row.pairing.goal is None else ": reached" if row.reached else ": NOT REACHED"
        print(f"{'; '.join(row.cells())}{verdict}", flush=True)
    if arguments.markdown is not None:
        order = [pairing.words for pairing in PAIRINGS.values()]
        rewrite_table(arguments.markdown, MARKS, HEADINGS, [row.cells() for row in rows], order=order)
    return 0 if all(row.reached for row in rows) else 1
