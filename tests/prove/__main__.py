"""`python -m tests.prove`: play noisy games by the thousand and print what the table made of them."""

import argparse
import gc
import itertools
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from captains_table.process.plugins import install_plugins
from tests.prove.bought_boards import KINDS as BOUGHT_KINDS, FicklePersonAtBoughtBoard, PersonAtBoughtBoard
from tests.prove.fickle.game import FICKLE_GAMES, GAMES_AT_BOUGHT_BOARDS, MOST_MOVES, FickleGame, Swept
from tests.prove.fickle.kinds import KINDS
from tests.prove.fickle.person import FicklePerson
from tests.prove.figures import WAYS, Figures
from tests.prove.games import PgnGame, RandomGame, games_with_board, random_game
from tests.prove.person import Person
from tests.prove.pgn_games import read_games, skipped_lines
from tests.support.noise_mix import MIXES, rate_lines

Played = tuple[Figures, list[str]]
"""The figures of a game, and a tape of each thing that went wrong in it."""

Job = Callable[[], Played]
DEFAULT_MOVES = 20_000
FINDINGS = 200
SELDOM = 50_000
"""After so many new objects a worker looks for garbage: that takes ten in a hundred less time."""
SHOWN_EVERY = 10
BAR = 24


def main(words: Sequence[str] | None = None) -> int:
    """Play, print the figures, and return 1 if a promise is broken.

    Args:
        words: the command line; None for that of the process.
    """
    install_plugins()
    arguments = parsed(words)
    if arguments.rates:
        say("\n".join(rate_lines()))
        return 0
    way, names = WAYS[arguments.hands], names_of(arguments)
    broken: list[str] = []
    total = Figures()
    for name in names:
        figures = prove(name, arguments, most_moves=max(1, arguments.moves // len(names)))
        total.add(figures)
        say("\n".join([f"{name}:", *way.lines(figures)]))
        nothing = [] if figures.counts["moves"] else [f"{name}: no game was played"]
        broken += way.broken(name, figures) or nothing
    if len(names) > 1:
        say("\n".join(["total:", *way.lines(total)]))
    say("\n".join(f"BROKEN {words}" for words in broken) or "every promise holds")
    return 1 if broken else 0


def names_of(arguments: argparse.Namespace) -> list[str]:
    """Return what is played one after the other: mixes of noise, or games by fickle hands."""
    if arguments.hands == "fickle":
        return [arguments.game] if arguments.game else list(games_of_fickle_hands(arguments))
    return list(MIXES) if arguments.mix == "all" else [arguments.mix]


def games_of_fickle_hands(arguments: argparse.Namespace) -> tuple[str, ...]:
    return GAMES_AT_BOUGHT_BOARDS if arguments.board else FICKLE_GAMES


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def prove(name: str, arguments: argparse.Namespace, most_moves: int) -> Figures:
    """Play games of one name until so many moves were made; return figures, and write findings down as they come."""
    figures, found, games, began = Figures(), 0, 0, time.perf_counter()
    skipped = Counter[str]()
    with multiprocessing.Pool(arguments.workers, begin_work) as pool:
        for games, (played, findings) in enumerate(pool.imap_unordered(run, jobs(name, arguments, skipped)), start=1):
            figures.add(played)
            write_down(findings[: max(0, FINDINGS - found)], arguments.findings)
            found += len(findings)
            moves = figures.counts["moves"]
            if games % SHOWN_EVERY == 0:
                faults = ", ".join(f"{figures.counts[fault]} {fault}" for fault in WAYS[arguments.hands].faults)
                bar = "#" * min(BAR, BAR * moves // most_moves)
                speed = f"{moves / (time.perf_counter() - began):.0f}/s"
                progress = f"{moves:,}/{most_moves:,} moves, {games} games, {speed}, {faults}"
                sys.stderr.write(f"\r{name} [{bar:.<{BAR}}] {progress} ")
                sys.stderr.flush()
            if moves >= most_moves and not (arguments.games or arguments.pgn or arguments.sweep):
                pool.terminate()
                break
    seconds = time.perf_counter() - began
    sys.stderr.write("\n")
    say(f"{figures.counts['moves']} moves in {games} games, {figures.counts['moves'] / seconds:.0f} moves/s")
    for words in skipped_lines(skipped):
        say(words)
    return figures


def begin_work() -> None:
    """Make a worker ready to play: what it holds already is never looked at again for garbage."""
    install_plugins()
    gc.freeze()
    gc.set_threshold(SELDOM)


def jobs(name: str, arguments: argparse.Namespace, skipped: Counter[str]) -> Iterator[Job]:
    """Yield what is to be played, and count what cannot be."""
    seed, count, stuck = arguments.seed, arguments.games, arguments.stuck
    seeds = iter(range(seed, seed + count)) if count else itertools.count(seed)
    if arguments.sweep:
        kinds = [arguments.kind] if arguments.kind else KINDS
        yield from (partial(sweep, name, seed, kind) for kind in kinds)
    elif arguments.hands == "fickle":
        kind = BOUGHT_KINDS.get(arguments.board)
        fickle = FicklePerson if kind is None else partial(FicklePersonAtBoughtBoard, kind)
        words = f"board {arguments.board} hands fickle" if arguments.board else "hands fickle"
        for number in seeds:
            make = partial(FickleGame, name, number, arguments.kind, stuck, MOST_MOVES, fickle)
            yield partial(play, make, f"{words}, {name} seed {number}")
    elif arguments.pgn:
        found = itertools.chain.from_iterable(read_games(path, skipped) for path in arguments.pgn)
        for number, game in enumerate(found, seed):
            moves, key = tuple(game.mainline_moves()), arguments.game or "legend"
            yield partial(play, partial(PgnGame, moves, MIXES[name], number, key), f"mix {name} seed {number}")
    else:
        key, board = arguments.game or "legend", arguments.board
        person = partial(PersonAtBoughtBoard, BOUGHT_KINDS[board]) if board else Person
        words = f"board {board} mix {name}" if board else f"mix {name}"
        for number in seeds:
            yield partial(play, partial(random_game, key, number, MIXES[name], stuck, person), f"{words} seed {number}")


def run(job: Job) -> Played:
    return job()


def play(make: Callable[[], RandomGame | PgnGame | FickleGame], words: str) -> Played:
    """Play a game and put these words before each of its findings."""
    game = make()
    figures = game.play()
    return figures, [f"# {words}\n{finding}" for finding in game.person.findings]


def sweep(key: str, seed: int, kind: str) -> Played:
    """Play a deed of a kind of fickle hands with everything that would seal it."""
    swept = Swept.find(key, seed, kind)
    return (Figures(), []) if swept is None else swept.play_all()


def write_down(findings: list[str], path: Path | None) -> None:
    if path is not None and findings:
        with path.open("a", encoding="utf-8") as file:
            file.write("\n".join(findings) + "\n")


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line says; what does not go together ends the program with a word about it."""
    found = parser()
    arguments = found.parse_args(words)
    is_fickle = arguments.hands == "fickle"
    if arguments.pgn and (is_fickle or arguments.stuck or arguments.game not in (None, "legend", "chess")):
        found.error("--pgn: real games are played as Legend or chess by ordinary hands, without --stuck")
    if arguments.board and (arguments.pgn or arguments.stuck or arguments.game == "captains-chess"):
        found.error("--board: a bought board has 8x8 squares, and is played at random, without --stuck")
    if is_fickle and arguments.game not in (None, *games_of_fickle_hands(arguments)):
        found.error(f"--game: fickle hands play {' or '.join(games_of_fickle_hands(arguments))}, not {arguments.game}")
    if arguments.sweep and (not is_fickle or arguments.stuck or arguments.games or arguments.board):
        found.error("--sweep: goes with --hands fickle, without --stuck, --games and --board")
    if arguments.kind and not is_fickle:
        found.error("--kind: only fickle hands are of a kind, add --hands fickle")
    return arguments


def existing_file(words: str) -> Path:
    """Return a file by its path; raises ArgumentTypeError where there is none."""
    path = Path(words)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {words}")
    return path


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    found.add_argument("--moves", type=int, default=DEFAULT_MOVES, help="how many moves in all")
    found.add_argument("--seed", type=int, default=0, help="the first game's seed")
    found.add_argument("--mix", choices=[*MIXES, "all"], default="realistic", help="which noise")
    found.add_argument(
        "--game",
        choices=games_with_board(),
        help="which game is played at random (legend, or with fickle hands also captains-chess)",
    )
    found.add_argument(
        "--board", choices=[*BOUGHT_KINDS], help="a virtual board that was bought, with --mix hands or --hands fickle"
    )
    found.add_argument("--hands", choices=[*WAYS], default="ordinary", help="how people play")
    found.add_argument("--kind", choices=[*KINDS], help="the one kind of fickle hands")
    found.add_argument(
        "--pgn",
        type=existing_file,
        action="append",
        default=[],
        help="play the games of this file instead of random ones; those that cannot be played are counted",
    )
    found.add_argument("--workers", type=int, default=os.cpu_count(), help="how many processes")
    found.add_argument("--stuck", choices=["open", "closed"], help="one switch of each game sticks")
    found.add_argument("--games", type=int, default=0, help="play just so many games, to their end")
    found.add_argument(
        "--sweep",
        action="store_true",
        help="play one deed of each kind of fickle hands with everything that would seal it, at each of its changes",
    )
    found.add_argument("--findings", type=Path, help="write what went wrong to this file, as tapes")
    found.add_argument("--rates", action="store_true", help="print the table of the realistic mix's rates and stop")
    return found


if __name__ == "__main__":
    sys.exit(main())
