"""`python -m tests.ladder.review_verdicts`: which blunders a review of chess finds, against verdicts kept as a file.

The file has 200 moves of games between programs of all strengths, some replaced by moves by chance, with the values
that Stockfish found at depth 18 before and after each. A blunder loses 15 of 100 of the chance to win.
`--make GAMES.pgn` makes it anew.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import chess
import chess.engine
import chess.pgn

from captains_table.catalog import entry_of
from captains_table.games.contract import Pick
from captains_table.players.boreas.advising import evaluate_by_search, move_judge, win_chance
from captains_table.players.common.opponents import DecisionJudge, Means
from captains_table.runtime.analysis import engine_judge
from captains_table.runtime.engines import find_stockfish
from captains_table.table.history.review import BY_CHANCE, Grade, JudgedDecision, error_grade
from tests.ladder.chess_levels import STOCKFISH

VERDICTS: Final = Path(__file__).parent / "review_verdicts.jsonl"
MOVES: Final = 200
DEPTH: Final = 18
FIRST_PLY: Final = 8
BY_CHANCE_SHARE: Final = 0.3
DECIDED: Final = 1000  # hundredths of a pawn before the move: nothing more is learnt there
BLUNDER: Final = BY_CHANCE[0][0]
MATE: Final = 30_000


class Verdict(NamedTuple):
    """A move, and what the position was worth for its player before and after it, in hundredths of a pawn."""

    fen: str
    move: str
    best: int
    chosen: int

    @property
    def is_blunder(self) -> bool:
        return win_chance(self.best) - win_chance(self.chosen) >= BLUNDER


def verdicts() -> list[Verdict]:
    """Return the verdicts of the file."""
    return [Verdict(*json.loads(line)) for line in VERDICTS.read_text(encoding="utf-8").splitlines()]


def made(games: Path, seed: int) -> Iterator[Verdict]:
    """Let Stockfish judge moves of these games, and yield its verdicts."""
    rng = random.Random(seed)
    with games.open(encoding="utf-8") as file:
        played = list(iter(lambda: chess.pgn.read_game(file), None))
    with chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as engine:
        engine.configure({"Threads": 1, "Hash": 128})
        while True:
            line = list(rng.choice(played).mainline())
            if len(line) <= FIRST_PLY:
                continue
            node = rng.choice(line[FIRST_PLY:])
            board = node.parent.board()
            move = rng.choice(list(board.legal_moves)) if rng.random() < BY_CHANCE_SHARE else node.move
            best = _value(engine, board)
            if abs(best) >= DECIDED:
                continue
            fen = board.fen()
            board.push(move)
            yield Verdict(fen, move.uci(), best, -_value(engine, board))


def _value(engine: chess.engine.SimpleEngine, board: chess.Board) -> int:
    if board.is_game_over():
        return -MATE if board.is_checkmate() else 0
    found = engine.analyse(board, chess.engine.Limit(depth=DEPTH), game=object())
    return found["score"].relative.score(mate_score=MATE)


class Found(NamedTuple):
    """How a judge did: blunders there are and blunders it found, other moves and those it called blunders, and time."""

    blunders: int
    found: int
    others: int
    false: int
    seconds: float

    def told(self) -> str:
        return (
            f"{self.found} of {self.blunders} blunders found ({self.found / self.blunders:.1%}), {self.false} of "
            f"{self.others} other moves called so ({self.false / self.others:.1%}), {self.seconds:.2f} s a move"
        )


def judged(judge: DecisionJudge, known: Sequence[Verdict]) -> Found:
    """Return how a judge did on these moves."""
    game, began, right = entry_of("chess").game, time.perf_counter(), []
    means = Means(random.Random(0).randrange, time.perf_counter)
    for verdict in known:
        state = game.start(("A", "B"), {"fen": verdict.fen})
        judgement = judge(state, Pick(verdict.move), means)
        assert judgement is not None
        decision = JudgedDecision(1, 0, "", judgement.cost, worth=judgement.worth, lost_chance=judgement.lost_chance)
        right.append(error_grade(decision) is Grade.BLUNDER)
    blunders = [called for verdict, called in zip(known, right, strict=True) if verdict.is_blunder]
    others = [called for verdict, called in zip(known, right, strict=True) if not verdict.is_blunder]
    seconds = (time.perf_counter() - began) / len(known)
    return Found(len(blunders), sum(blunders), len(others), sum(others), seconds)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ladder.review_verdicts", description=__doc__)
    parser.add_argument("--engine-only", action="store_true", help="leave out our own search")
    parser.add_argument("--make", type=Path, metavar="GAMES", help="write the file anew, with moves of these games")
    arguments = parser.parse_args(argv)
    if arguments.make is not None:
        with VERDICTS.open("w", encoding="utf-8") as file:
            for number, verdict in enumerate(made(arguments.make, seed=1), start=1):
                file.write(f"{json.dumps(verdict)}\n")
                file.flush()
                if number == MOVES:
                    return 0
    entry, engine = entry_of("chess"), find_stockfish()
    by_engine = None if engine is None else engine_judge(entry, engine, think_s=None)
    if by_engine is not None:
        print(f"Stockfish: {judged(by_engine, verdicts()).told()}", flush=True)
    if arguments.engine_only:
        return 0
    print(f"Boreas: {judged(move_judge(evaluate_by_search, is_calibrated=False), verdicts()).told()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
