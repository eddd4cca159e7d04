"""Who plays whom on the ladder, how often, and what is to be reached."""

import time
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Below, Strategy, play_best, play_greedily
from captains_table.players.legend import dice_advice
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.thinking import Thinker, thinker_of
from tests.ladder.game import GAME, PlayerMaker
from tests.ladder.plain_rival import PlainSearch

STRONGEST: Final = max(LEVELS)
LADDER_GAMES: Final = 800
THINK_S: Final = 2.0
THINK_GAMES: Final = 120
FOUR_TIMES: Final = 4
QUICK_NODES: Final = 20_000
"""Positions that are looked at within a tenth of a second a turn."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, and which share of rounds the first is to lead in, and perhaps to take the king in."""

    name: str
    words: str
    first: PlayerMaker = field(compare=False)
    second: PlayerMaker = field(compare=False)
    goal: float
    king_goal: float | None = None
    games: int = LADDER_GAMES

    @property
    def key(self) -> str:
        """What its results are stored under, the name first; of other code they are others."""
        return f"{self.name} {_fingerprint()}"


@cache
def _fingerprint() -> str:
    """Return what tells one state of Aether's code and weights from another."""
    found = sha256()
    for entry in sorted(files("captains_table.players.legend.aether").iterdir(), key=lambda entry: entry.name):
        if entry.is_file():
            found.update(entry.read_bytes())
    return found.hexdigest()[:12]


def at_level(level: AetherLevel, think_s: float | None = None) -> PlayerMaker:
    def make(below: Below) -> Strategy:
        return AetherPlayer(thinker_of(level, Means(below, time.monotonic, think_s)))

    return make


def quick(level: AetherLevel) -> AetherLevel:
    """Return a level as it plays within a tenth of a second a turn."""
    return replace(level, nodes=min(level.nodes, QUICK_NODES))


def _plain(below: Below) -> Strategy:
    return AetherPlayer(Thinker(PlainSearch(), AetherLevel("plain", nodes=1), Means(below, time.monotonic)))


def _best(below: Below) -> Strategy:
    return play_best(dice_advice.advise_on_legend_dice, play_greedily(GAME, below))


def _pairings() -> list[Pairing]:
    players = {level: at_level(quick(LEVELS[level])) for level in LEVELS}
    steps = [(level, level - 1) for level in range(2, STRONGEST + 1)]
    strongest, top = quick(LEVELS[STRONGEST]), players[STRONGEST]
    fitted = at_level(AetherLevel("fitted, two moves deep", nodes=10**9, depth=2))
    wider, slower = at_level(replace(strongest, nodes=FOUR_TIMES * strongest.nodes)), at_level(strongest, THINK_S)
    return [
        *(Pairing(f"{a}v{b}", f"level {a} v level {b}", players[a], players[b], 0.6) for a, b in steps),
        Pairing("6vbest", f"level {STRONGEST} v `best`", top, _best, 0.93, king_goal=0.98),
        Pairing("6vplain", f"level {STRONGEST} v a plain search of depth 2", top, _plain, 0.85),
        Pairing("6x4v6", f"level {STRONGEST} with four times the nodes v itself", wider, top, 0.55),
        Pairing("2sv2deep", "2 s a turn v a fitted search of depth 2", slower, fitted, 0.75, games=THINK_GAMES),
    ]


PAIRINGS: Final = {pairing.name: pairing for pairing in _pairings()}
