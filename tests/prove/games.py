"""The games that are played at the noisy table: every game with a board at random, and real games from PGN files."""

import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path

import chess
import chess.pgn

from captains_table.games import contract
from captains_table.games.registry import GAMES, game_by_key
from captains_table.table.model.entries import MatchStarted
from tests.prove.figures import Figures
from tests.prove.person import Person, Stuck
from tests.prove.pgn_games import read_games
from tests.support.noise_mix import NoiseMix
from tests.support.random_play import random_action

PGN_GAMES = Path(__file__).parent / "games"
STARTS = Path(__file__).parent / "starts"
NAMES = (
    *("Anne", "Bart", "Cora", "Dirk", "Edda", "Finn", "Gwen"),
    *("Hugo", "Ines", "Jack", "Kate", "Lars", "Mary", "Nils"),
)
CLOCK_SHARE = 0.3
MOST_ACTIONS = 240
LIKINGS = {"roll": 40, "done": 60, "throw-again": 4, "genie": 3, "buy-back": 8, "agree": 9, "refuse": 3}
UNLIKELY = 0.02
AS_LIKELY = 12.0  # answers of a game of which nothing is known in `starts`
SHARP_SHARE = 0.3


SitDown = Callable[[MatchStarted, NoiseMix, str, random.Random], Person]
"""Lets people sit down at a board for a match."""


class RandomGame:
    """One match at random, its moves made on a noisy board; one switch of it may stick `open` or `closed`."""

    def __init__(
        self, started: MatchStarted, seed: int, mix: NoiseMix, stuck: str | None, person: SitDown = Person
    ) -> None:
        self._rng = random.Random(f"game {seed}")
        self.person = person(started, mix, f"person {seed}", random.Random(f"dice {seed}"))
        self._stuck = stuck
        self._breaks_after = self._rng.randrange(20)
        self._is_known = _start_file(started.game).exists()

    def play(self, most_moves: float = inf) -> Figures:
        """Play so many moves, to the end, or until nobody can make the table agree; return the figures."""
        with suppress(Stuck):
            while (
                not isinstance(self.person.match.turn, contract.Over)
                and self.person.figures.counts["moves"] < most_moves
            ):
                self._step()
        return self.person.finish()

    def _step(self) -> None:
        person = self.person
        person.put_right()
        turn = person.match.turn
        if isinstance(turn, contract.Roll):
            person.throw()
        elif isinstance(turn, contract.Auction):
            person.answer(random_action(turn, self._rng))
        elif isinstance(turn, contract.Decide) and isinstance(turn.ask, contract.PickAsk):
            self._pick(turn.ask)
        elif isinstance(turn, contract.Decide):
            ask = turn.ask
            person.answer(
                contract.Keep(ask.default) if isinstance(ask, contract.KeepAsk) else random_action(turn, self._rng)
            )

    def _pick(self, ask: contract.PickAsk) -> None:
        if ask.options == (contract.PRESS_CLOCK,):
            self.person.throw()
            return
        if len(self.person.match.history) >= MOST_ACTIONS and contract.RESIGN in ask.options:
            self.person.answer(contract.Pick(contract.RESIGN.id))
            return
        option = self._rng.choices(ask.options, [self._liking(option) for option in ask.options])[0]
        if not option.on_board:
            self.person.answer(contract.Pick(option.id))
            return
        self._break_switch()
        self.person.make(option.id)

    def _break_switch(self) -> None:
        if self._stuck is not None and self.person.figures.counts["moves"] >= self._breaks_after:
            self.person.break_switch(self._rng, closed=self._stuck == "closed")
            self._stuck = None

    def _liking(self, option: contract.Option) -> float:
        if not option.on_board:
            grave = option.confirm or option.id in (contract.OFFER_DRAW.id, contract.CLAIM_DRAW.id)
            return LIKINGS.get(option.id, UNLIKELY if grave or self._is_known else AS_LIKELY)
        pieces = self.person.match.pieces()
        move = next(move for move in self.person.board.options if move.id == option.id)
        takes_king = any(pieces.get(square) in ("k", "K") for square in move.footprint.filled)
        castles = len(move.footprint.left) == len(move.footprint.filled) == 2
        return 60.0 if takes_king or castles else 6.0 + 12.0 * max(0, len(pieces) - len(move.occupied))


def _start_file(key: str) -> Path:
    return STARTS / f"{key}.toml"


def random_match(key: str, seed: int) -> MatchStarted:
    """Return how a random match of a game begins, by what is known of it in `starts/KEY.toml`.

    A game without such a file is played with its usual options by as many as usually play it.
    """
    game, rng = game_by_key(key), random.Random(f"start {seed}")
    path = _start_file(key)
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    options = dict(known.get("options", {}))
    if "sharp" in known and rng.random() < SHARP_SHARE:
        options["fen"] = rng.choice(known["sharp"])
    if "clock" in known and rng.random() < CLOCK_SHARE:
        options["clock"] = known["clock"]
    usual = game.seats.start if game.seats.start > 1 else min(2, game.seats.stop - 1)
    count = rng.choice(known["players"]) if "players" in known else usual
    return MatchStarted(key, NAMES[:count], options)


def random_game(key: str, seed: int, mix: NoiseMix, stuck: str | None = None, person: SitDown = Person) -> RandomGame:
    return RandomGame(random_match(key, seed), seed, mix, stuck, person)


def games_with_board() -> list[str]:
    return [key for key, game in GAMES.items() if game.shape is not None]


class PgnGame:
    """A real game, played as chess or as Legend, whose die then always shows a six.

    Each move of the file is the one that is meant.
    """

    def __init__(self, moves: Sequence[chess.Move], mix: NoiseMix, seed: int, key: str = "legend") -> None:
        self._moves = moves
        board = chess.Board()
        for move in moves:
            board.push(move)
        self._final = board.board_fen()
        self._is_legend = key == "legend"
        started = MatchStarted(key, ("Anne", "Bart"), {"rounds": "1"} if self._is_legend else {})
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
        if not self._is_legend:
            person.put_right()
            person.make(move.uci())
            return
        person.dice.queue((1, 1, 1, 1, 1, 6))
        person.put_right()
        person.answer(contract.Pick("roll"))
        person.put_right()
        person.make(move.uci())
        if isinstance(person.match.turn, contract.Roll):
            person.dice.queue((1, 1))
            person.throw()
        if "done" in person.option_ids():  # unless it was pressed in haste
            person.answer(contract.Pick("done"))


def own_games() -> Iterator[chess.pgn.Game]:
    """Yield the few famous games kept here."""
    for path in sorted(PGN_GAMES.glob("*.pgn")):
        yield from read_games(path)
