"""The games that are played at the noisy table: Legend and Captain's Chess at random, and real games from PGN files."""

import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from captains_table.games.contract import PRESS_CLOCK, Decide, Keep, KeepAsk, Option, Over, Pick, PickAsk, Roll
from captains_table.simulation.mix import NoiseMix
from captains_table.table.model.entries import MatchStarted
from tests.prove.figures import Figures
from tests.prove.person import Person, Stuck
from tests.support.random_play import random_action

GAMES = Path(__file__).parent / "games"
TURN_LIMIT = 60
SHARP = (
    "r3k2r/pPp2p1p/8/3Pp3/3pP3/8/PpP2P1P/R3K2R w KQkq - 0 1",
    "4k3/1P6/8/2b1p2n/2Q1P2R/8/6p1/4K3 w - - 0 1",
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 1",
)
SHARP_9X8 = (
    "r3k3r/p1p1p1p1p/9/B6R1/1r6b/9/P1P1P1P1P/R3K3R w KQkq - 0 1",
    "r3k2nr/pP2p1ppp/2cb3P1/3pP4/2B1C4/5p1b1/PPP1P1p1P/R3K2NR w KQkq - 0 1",
    "1k7/3P2P2/2B1R4/9/2C1c4/2b1r4/3p2p2/1K7 b - - 0 1",
    "r3k3r/1p2p1c1p/p1nq1+b1p1/3Pp4/2C1P2+R1/1P4P1P/P2Q1P3/R1B1K3R w KQkq - 0 1",
)
CLOCK_SHARE = 0.3
MOST_ACTIONS = 240
LIKINGS = {"roll": 40, "done": 60, "throw-again": 4, "genie": 3, "buy-back": 8, "agree": 9, "refuse": 3}
UNLIKELY = 0.02
SHARP_SHARE = 0.3
CAREFUL = 0.92


class RandomGame:
    """One match at random, its moves made on a noisy board.

    Args:
        started: which game, and how.
        seed: says everything else about it.
        mix: the noise.
        stuck: `open` or `closed` for one switch that sticks at some move, none for no such switch.
    """

    def __init__(self, started: MatchStarted, seed: int, mix: NoiseMix, stuck: str | None) -> None:
        self._rng = random.Random(f"game {seed}")
        self.person = Person(started, mix, f"person {seed}", random.Random(f"dice {seed}"))
        self._stuck = stuck
        self._breaks_after = self._rng.randrange(20)

    def play(self) -> Figures:
        """Play to the end, or until nobody can make the table agree, and return the figures."""
        try:
            while not isinstance(self.person.match.turn, Over):
                self._step()
        except Stuck:
            pass
        return self.person.finish()

    def _step(self) -> None:
        person = self.person
        person.put_right()
        turn = person.match.turn
        if isinstance(turn, Roll):
            person.throw()
        elif isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            self._pick(turn.ask)
        elif isinstance(turn, Decide):
            ask = turn.ask
            person.answer(Keep(ask.default) if isinstance(ask, KeepAsk) else random_action(turn, self._rng))

    def _pick(self, ask: PickAsk) -> None:
        option = self._rng.choices(ask.options, [self._liking(option) for option in ask.options])[0]
        if not option.on_board:
            self.person.answer(Pick(option.id))
            return
        self._break_switch()
        self.person.make(option.id)

    def _break_switch(self) -> None:
        if self._stuck is None or self.person.figures.counts["moves"] < self._breaks_after:
            return
        person = self.person
        square = self._rng.choice(person.shape.squares())
        pulls = person.reeds.break_switch(square, person.now_ms, closed=self._stuck == "closed")
        self._stuck = None
        person.sense(pulls)

    def _liking(self, option: Option) -> float:
        if not option.on_board:
            return LIKINGS.get(option.id, UNLIKELY)
        pieces = self.person.match.pieces()
        move = next(move for move in self.person.session.referee.monitor.options() if move.id == option.id)
        takes_king = any(pieces.get(square) in ("k", "K") for square in move.footprint.filled)
        castles = len(move.footprint.left) == len(move.footprint.filled) == 2
        return 60.0 if takes_king or castles else 6.0 + 12.0 * max(0, len(pieces) - len(move.occupied))


class LegendGame(RandomGame):
    """One short match of Legend."""

    def __init__(self, seed: int, mix: NoiseMix, stuck: str | None = None) -> None:
        rng = random.Random(f"start {seed}")
        options = {"rounds": "1", "turn_limit": str(TURN_LIMIT)}
        if rng.random() < SHARP_SHARE:
            options["fen"] = rng.choice(SHARP)
        super().__init__(MatchStarted("legend", ("Anne", "Bart"), options), seed, mix, stuck)


class CaptainsChessGame(RandomGame):
    """One match of Captain's Chess, with a clock that is pressed by the roll button or without one."""

    def __init__(self, seed: int, mix: NoiseMix, stuck: str | None = None) -> None:
        rng = random.Random(f"start {seed}")
        options = {"fen": rng.choice(SHARP_9X8)} if rng.random() < SHARP_SHARE else {}
        if rng.random() < CLOCK_SHARE:
            options["clock"] = "600+600"
        super().__init__(MatchStarted("captains-chess", ("Anne", "Bart"), options), seed, mix, stuck)

    def _pick(self, ask: PickAsk) -> None:
        if ask.options == (PRESS_CLOCK,):
            self.person.throw()
        elif len(self.person.match.history) >= MOST_ACTIONS:
            self.person.answer(Pick("resign"))
        else:
            super()._pick(ask)


class PgnGame:
    """A real game: the Legend die always shows a six, and each move of the file is the one that is meant."""

    def __init__(self, game: chess.pgn.Game, mix: NoiseMix, seed: int) -> None:
        self._moves = list(game.mainline_moves())
        self._final = game.end().board().board_fen()
        started = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "1"})
        self.person = Person(started, mix, f"person {seed}", [])

    def play(self) -> Figures:
        """Play it through and return the figures; a final position that differs counts as stuck."""
        try:
            for move in self._moves:
                self._turn(move)
        except Stuck:
            return self.person.finish()
        if str(self.person.match.game.details(self.person.match.state)["fen"]).split()[0] != self._final:
            self.person.figures.counts["stuck"] += 1
            self.person.findings.append(f"# another final position than {self._final}")
        return self.person.finish()

    def _turn(self, move: chess.Move) -> None:
        person = self.person
        person.dice.queue((1, 1, 1, 1, 1, 6))
        person.put_right()
        person.answer(Pick("roll"))
        person.put_right()
        person.make(move.uci())
        if isinstance(person.match.turn, Roll):
            person.dice.queue((1, 1))
            person.throw()
        if "done" in [option.id for option in person.options()]:  # unless it was pressed in haste
            person.answer(Pick("done"))


RANDOM_GAMES: dict[str, type[LegendGame] | type[CaptainsChessGame]] = {
    "legend": LegendGame,
    "captains-chess": CaptainsChessGame,
}


def read_games(path: Path) -> Iterator[chess.pgn.Game]:
    """Yield the games of a PGN file that begin as games do."""
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if "FEN" not in game.headers and list(game.mainline_moves()):
                yield game


def own_games() -> Iterator[chess.pgn.Game]:
    """Yield the few famous games kept here."""
    for path in sorted(GAMES.glob("*.pgn")):
        yield from read_games(path)
