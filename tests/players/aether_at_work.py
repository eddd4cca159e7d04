"""Aethers for tests: at seats of matches that are played through, with a search that takes no time or their own."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import chess

from captains_table.games.contract import Action, Decide, Over, Roll, Rolled
from captains_table.games.legend.position import PIECE_VALUES, LegendPosition
from captains_table.games.legend.state import State
from captains_table.players.common.opponents import Means
from captains_table.players.common.strategies import Strategy
from captains_table.players.legend.aether.opponent import LEVELS, AetherLevel
from captains_table.players.legend.aether.player import AetherPlayer
from captains_table.players.legend.aether.search import AetherLimits
from captains_table.players.legend.aether.situation import MOST_THROWS, FoundAction, Situation
from captains_table.players.legend.aether.thinking import ActionFinder, Thinker, thinker_of
from captains_table.players.legend.bartering import answering_bargains
from tests.support.legend_harness import GAME, asked
from tests.support.plain_expectimax import lead_of

KING = 50
MOST_ACTIONS = 60_000
UNERRING = AetherLevel("unerring", nodes=300, depth=2)


def no_time() -> float:
    """Return the time of a clock that nobody may read."""
    raise AssertionError("the clock was read")


class Ticking:
    """A clock that goes on by a millisecond whenever it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


class QuickSearch:
    """Finds the move that takes most, a throw where none is permitted, and for value what stands on the board."""

    def find(self, situation: Situation, limits: AetherLimits) -> FoundAction:  # noqa: ARG002 - it needs none
        """Return the best."""
        position = LegendPosition.from_fen(situation.fen)
        value = lead_of(situation) + _material(position)
        if situation.die is None:
            return FoundAction("throw", None, value, 0, 1)
        moves = position.moves(situation.die)
        may_throw = situation.throws < MOST_THROWS and not situation.is_final
        if not moves:
            return FoundAction("throw" if may_throw else "move", None, value, 0, 1)
        best = max(moves, key=lambda id_: (_taken(position, moves[id_]), id_))
        return FoundAction("move", best, value + _taken(position, moves[best]), 1, len(moves))


def _material(position: LegendPosition) -> float:
    pieces = map(chess.Piece.from_symbol, position.pieces().values())
    return sum(PIECE_VALUES[piece.piece_type] * (1 if piece.color == position.turn else -1) for piece in pieces)


def _taken(position: LegendPosition, move: chess.Move) -> int:
    taken = position.captured(move)
    return 0 if taken is None else KING if taken[0] == chess.KING else PIECE_VALUES[taken[0]]


def means(seed: int) -> Means:
    return Means(random.Random(seed).randrange, no_time)


def quick(seed: int = 0, level: AetherLevel = UNERRING) -> Strategy:
    """Return an Aether that looks no further than its move."""
    return with_search(QuickSearch(), seed, level)


def with_search(search: ActionFinder, seed: int = 0, level: AetherLevel = UNERRING) -> Strategy:
    return answering_bargains(AetherPlayer(Thinker(search, level, means(seed))))


def seated(level: AetherLevel = UNERRING, seed: int = 0) -> Strategy:
    """Return an Aether that thinks for itself."""
    return answering_bargains(AetherPlayer(thinker_of(level, means(seed))))


def hasty(level: int, seed: int) -> Strategy:
    """Return an Aether that errs as a level does, but hardly looks ahead: for matches that are played to their end."""
    return seated(replace(LEVELS[level], nodes=1), seed)


def answer(player: Strategy, state: State) -> Action:
    """Return a player's answer to what a state asks."""
    return player(state, asked(state))


def play_out(players: Sequence[Strategy], options: Mapping[str, str], seed: int) -> list[Action]:
    """Return the actions of a whole match between two players."""
    rng = random.Random(seed)
    state, actions = GAME.start(["Anne", "Bart"], options), list[Action]()
    while not isinstance(turn := GAME.turn(state), Over):
        assert len(actions) < MOST_ACTIONS, "no end"
        assert isinstance(turn, Roll | Decide)
        if isinstance(turn, Roll):
            action: Action = Rolled(tuple(rng.randint(1, 6) for _ in turn.dice))
        else:
            action = players[turn.seat](state, turn)
        state = GAME.apply(state, action)
        actions.append(action)
    return actions
