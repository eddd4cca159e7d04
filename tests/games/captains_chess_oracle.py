"""Captain's Chess against Fairy-Stockfish: random games, every position compared in moves, FEN, check and end.

`python -m tests.games.captains_chess_oracle --positions 20000` runs it at length and prints what was compared.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count, islice
from pathlib import Path

import pyffish

from captains_table.games.captains_chess.fen import parse_fen
from captains_table.games.captains_chess.position import CaptainsPosition

VARIANT = "captainschess"
INI = Path(__file__).with_name("captainschess.ini")
LETTERS = {"+B": "G", "+R": "H"}
MOST_MOVES = 300
RARE_SHARE = 0.25
QUIET_SHARE = 0.7
MATE = 32_000
STARTS = (
    "rncbkqbnr/ppppppppp/9/9/9/9/PPPPPPPPP/RNBQKBCNR w KQkq - 0 1",
    "r3k3r/ppppppppp/9/9/9/9/PPPPPPPPP/R3K3R w KQkq - 0 1",
    "r3k3r/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
    "9/PPPP1PPPP/4k4/9/9/4K4/pppp1pppp/9 w - - 0 1",
    "2b1k1r2/9/1B2R4/9/4c4/2C1r1b2/9/1RK3B2 b - - 0 1",
    "4k4/ppppppppp/9/2P1P1P2/1p1p1p1p1/9/PPPPPPPPP/4K4 w - - 0 1",
    "r3k3r/2+b3+R2/9/1c5C1/1C5c1/9/2+B3+r2/R3K3R w KQkq - 0 1",
    "4k4/9/9/9/9/4q4/9/C2K4c b - - 90 60",
    "3rk4/4p4/9/9/9/9/4R4/4K4 w - - 0 1",
)


class Differs(AssertionError):
    """Two programs do not say the same of a position."""


def load() -> None:
    pyffish.load_variant_config(INI.read_text(encoding="utf-8"))


def compare(start: str, played: list[str], position: CaptainsPosition, earlier: Mapping[object, int]) -> None:
    """Raise Differs unless both say the same of a position."""
    theirs = set(pyffish.legal_moves(VARIANT, start, played))
    told = f"{start} {' '.join(played)}: {position.fen()}"
    if set(position.moves) != theirs:
        raise Differs(f"{told}: ours only {set(position.moves) - theirs}, theirs only {theirs - set(position.moves)}")
    compare_fen(pyffish.get_fen(VARIANT, start, played), position)
    if bool(pyffish.gives_check(VARIANT, start, played)) != position.in_check:
        raise Differs(f"{told}: in check here {position.in_check}")
    compare_end(start, played, position, earlier, told)


def compare_fen(theirs: str, position: CaptainsPosition) -> None:
    """Raise Differs unless a position is written alike."""
    if not same_fen(position.fen(LETTERS), theirs):
        raise Differs(f"{position.fen()}: their FEN is {theirs}")


def same_fen(ours: str, theirs: str) -> bool:
    """Compare two FENs: they write a crowned piece as +B or G, and an en passant square where nothing may be taken."""
    for ours_letter, letter in LETTERS.items():
        theirs = theirs.replace(ours_letter, letter).replace(ours_letter.lower(), letter.lower())
    one, other = ours.split(), theirs.split()
    return one[:3] + one[4:] == other[:3] + other[4:] and (one[3] == other[3] or one[3] == "-")


def compare_end(
    start: str, played: list[str], position: CaptainsPosition, earlier: Mapping[object, int], told: str
) -> None:
    is_over, value = pyffish.is_immediate_game_end(VARIANT, start, played)
    bare = position.bare
    if is_over != bool(bare):
        raise Differs(f"{told}: immediate end {is_over, value}, bare kings {bare}")
    if bare:
        expected = -MATE if position.white in bare else MATE
        if value != expected:
            raise Differs(f"{told}: a bare king is worth {value}, expected {expected}")
        return
    if not position.moves and pyffish.game_result(VARIANT, start, played) != -MATE:
        raise Differs(f"{told}: no move is {pyffish.game_result(VARIANT, start, played)}, expected a loss")
    if position.moves:
        may_claim, _ = pyffish.is_optional_game_end(VARIANT, start, played)
        ours = position.quiet >= 100 or earlier[position.key] >= 3
        if may_claim != ours:
            raise Differs(f"{told}: claim {may_claim}, here {ours} ({position.quiet}, {earlier[position.key]})")


def choose(position: CaptainsPosition, rng: random.Random, *, patient: bool) -> str:
    """Return a move, promotions and castling liked; patient games avoid captures and pawn moves to grow long."""
    ids = list(position.moves)
    rare = [id_ for id_ in ids if len(id_) > 4 or id_ in ("e1h1", "e1b1", "e8h8", "e8b8")]
    if rare and rng.random() < RARE_SHARE:
        return rng.choice(rare)
    if patient and rng.random() < QUIET_SHARE:
        quiet = [id_ for id_ in ids if position.play(position.moves[id_]).quiet]
        return rng.choice(quiet or ids)
    return rng.choice(ids)


def play(seed: int) -> Iterator[str]:
    """Play a random game, comparing each position, and yield what each was about."""
    rng = random.Random(seed)
    start = STARTS[0] if rng.random() < 0.5 else rng.choice(STARTS)
    position = parse_fen(start)
    theirs, played, seen = position.fen(LETTERS), list[str](), Counter[object]([position.key])
    patient = rng.random() < QUIET_SHARE
    compare(theirs, played, position, seen)
    yield "start"
    for _ in range(MOST_MOVES):
        if not position.moves:
            return
        id_ = choose(position, rng, patient=patient)
        position = position.play(position.moves[id_])
        played.append(id_)
        if not position.quiet:  # nothing before can be repeated: their replay need not begin there
            theirs, played = pyffish.get_fen(VARIANT, theirs, played), []
            compare_fen(theirs, position)
        seen[position.key] += 1
        compare(theirs, played, position, seen)
        yield kind_of(id_, position, seen)


def kind_of(id_: str, position: CaptainsPosition, seen: Counter[object]) -> str:
    if position.bare:
        return "bare king"
    if not position.moves:
        return "mate" if position.in_check else "no move"
    if position.quiet >= 100 or seen[position.key] >= 3:
        return "claim"
    if id_ in ("e1h1", "e1b1", "e8h8", "e8b8"):
        return "king e to h or b"
    return {"c": "captain", "+": "crown"}.get(id_[-1], "check" if position.in_check else "other")


def run(seeds: Iterable[int], positions: int) -> Counter[str]:
    """Compare so many positions of random games and return how many of each kind; raises Differs."""
    load()
    return Counter(islice(chain.from_iterable(map(play, seeds)), positions))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    kinds = run(count(arguments.seed), arguments.positions)
    words = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    sys.stdout.write(f"{kinds.total():,} positions compared, no difference: {words}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
