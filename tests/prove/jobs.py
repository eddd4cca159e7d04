"""What one worker plays: a game by its seed, and what came of it."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess.pgn

from tests.prove.fickle.game import FickleGame
from tests.prove.fickle.kinds import KINDS
from tests.prove.fickle.sweep import Swept
from tests.prove.figures import Figures
from tests.prove.games import PgnGame, random_game
from tests.prove.pgn_games import read_games
from tests.support.noise_mix import MIXES


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play: one at random by the key of its rules, or a real one of Legend where `game` is given.

    Attributes:
        mix: which noise.
        seed: says everything else about it.
        stuck: how one switch sticks.
        game: the real game.
        key: the rules.
        is_fickle: whether it is played by hands that change their mind.
        kind: the one kind of these.
        is_swept: whether one deed of this kind is played again and again, with everything that would seal it.
    """

    mix: str
    seed: int
    stuck: str | None = None
    game: chess.pgn.Game | None = None
    key: str = "legend"
    is_fickle: bool = False
    kind: str | None = None
    is_swept: bool = False


def pgn_jobs(mix: str, seed: int, pgn: Sequence[Path], skipped: Counter[str]) -> Iterator[Job]:
    """Yield the games of some files, and count those that cannot be played."""
    found = itertools.chain.from_iterable(read_games(path, skipped) for path in pgn)
    yield from (Job(mix, seed + i, game=game) for i, game in enumerate(found))


def jobs_for(mix: str, seed: int, games: int, stuck: str | None, key: str) -> Iterator[Job]:
    """Yield so many random games (0: without end) by a game's key."""
    seeds = itertools.count(seed) if not games else iter(range(seed, seed + games))
    yield from (Job(mix, number, stuck, key=key) for number in seeds)


def fickle_jobs(key: str, seed: int, games: int, stuck: str | None, kind: str | None) -> Iterator[Job]:
    """Yield games by fickle hands, so many (0: without end)."""
    seeds = itertools.count(seed) if not games else iter(range(seed, seed + games))
    yield from (Job("fickle", number, stuck, key=key, is_fickle=True, kind=kind) for number in seeds)


def sweep_jobs(key: str, seed: int, kind: str | None) -> Iterator[Job]:
    """Yield a deed of each kind of fickle hands, or of one, with everything that would seal it."""
    for name in [kind] if kind else KINDS:
        yield Job("fickle", seed, key=key, is_fickle=True, kind=name, is_swept=True)


def run(job: Job) -> tuple[Figures, list[str]]:
    """Play a game and return its figures and what went wrong in it, each with its seed."""
    if job.is_swept and job.kind is not None:
        swept = Swept.find(job.key, job.seed, job.kind)
        return (Figures(), []) if swept is None else swept.play_all()
    if job.is_fickle:
        fickle = FickleGame(job.key, job.seed, job.kind, job.stuck)
        return fickle.play(), [f"# hands fickle, {job.key} seed {job.seed}\n{tape}" for tape in fickle.person.findings]
    mix = MIXES[job.mix]
    player = random_game(job.key, job.seed, mix, job.stuck) if job.game is None else PgnGame(job.game, mix, job.seed)
    figures = player.play()
    return figures, [f"# mix {job.mix} seed {job.seed}\n{finding}" for finding in player.person.findings]
