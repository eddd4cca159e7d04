"""Who plays whom on the ladder, how often, and what is to be reached; and the plain rival.

That is an expectimax of depth 2 over material and legend alone, written on the rules' own position. It weighs each of
its moves, and of the reply to each what it gains by every Legend die, thrown again where that is better
(docs/rules/legend.md L5 - L14, L20). A piece is worth what it pays in the settlement, and nothing else counts.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

import chess

from captains_table.games.legend.position import PIECE_VALUES, LegendPosition, strikes
from captains_table.players.common.hold_solver import FACES
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Below, Strategy, play_best, play_greedily
from captains_table.players.legend import dice_advice
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import MOST_THROWS, FoundAction, Situation
from captains_table.players.legend.aether.thinking import Thinker, thinker_of
from captains_table.players.legend.dice_solver import before_first_throw, stop_or_throw
from tests.ladder.game import GAME, PlayerMaker

KING_CAPTURE = 5
TREASURE = 7
TOP_DIE = 6


class PlainSearch:
    """Searches two moves deep, by material and legend."""

    def find(self, situation: Situation, limits: AetherLimits) -> FoundAction:  # noqa: ARG002 - it always looks two moves ahead
        return _find(situation)


def _find(situation: Situation) -> FoundAction:
    position = LegendPosition.from_fen(situation.fen)
    mover = 0 if position.white else 1
    values = {
        id_: _gain(situation, position, move, mover) - _reply(situation, position, move, 1 - mover)
        for id_, move in position.moves(TOP_DIE).items()
    }
    scored, unscored = _by_face(position, values, scores=True), _by_face(position, values, scores=False)
    if situation.die is None:
        return FoundAction("throw", None, float(before_first_throw(scored, unscored)), 2, len(values))
    left = 0 if situation.is_final else MOST_THROWS - situation.throws
    choice = stop_or_throw(situation.die, left, scored, unscored)
    open_ids = list(position.moves(situation.die))
    if not choice.stops or (not open_ids and left):
        return FoundAction("throw", None, float(choice.throwing), 2, len(values))
    move = max(open_ids, key=values.__getitem__, default=None)
    return FoundAction("move", move, float(choice.stopping), 2, len(values))


def _by_face(position: LegendPosition, values: Mapping[str, Fraction], *, scores: bool) -> dict[int, Fraction]:
    """Return what each face of the die is worth at best; nothing where it permits no move."""
    return {
        face: max((values[id_] + (face if scores else 0) for id_ in position.moves(face)), default=Fraction())
        for face in FACES
    }


def _reply(situation: Situation, before: LegendPosition, move: chess.Move, replier: int) -> Fraction:
    """Return what the other player may expect to gain by a reply."""
    taken = before.captured(move)
    if taken is not None and taken[0] == chess.KING:
        return Fraction()
    after = before.play(move)
    gains = {id_: _gain(situation, after, reply, replier) for id_, reply in after.moves(TOP_DIE).items()}
    return before_first_throw(_by_face(after, gains, scores=True), _by_face(after, gains, scores=False))


def _gain(situation: Situation, before: LegendPosition, move: chess.Move, mover: int) -> Fraction:
    """Return what a move gains besides the die: material, a strike, treasure, the king and what its owner pays."""
    taken = before.captured(move)
    if taken is not None and taken[0] == chess.KING:
        held = PIECE_VALUES[chess.KING] + sum(_value(letter) for letter in situation.captures[mover])
        return Fraction(KING_CAPTURE + 2 * min(situation.cargo[1 - mover], held))
    gain = 0 if taken is None else PIECE_VALUES[taken[0]]
    if move.promotion is not None:
        gain += PIECE_VALUES[move.promotion] - PIECE_VALUES[chess.PAWN]
    if before.is_castling(move) or before.reaches_seventh(move):
        gain += TREASURE
    return Fraction(gain + strikes(before, before.play(move), before.white))


def _value(letter: str) -> int:
    return PIECE_VALUES[chess.Piece.from_symbol(letter).piece_type]


# --- who plays whom ---------------------------------------------------------------------------------------------------

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
    steps = [(level, level - 1) for level in range(1, STRONGEST + 1)]
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
