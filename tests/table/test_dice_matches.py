"""Whole matches of the dice games played by buttons alone, with pieces of another game left on the board."""

import random

import pytest

from captains_table.games.contract import Over, Square
from captains_table.games.registry import GAMES
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchEnded, MatchStarted
from captains_table.table.model.events import BoardRead, Button
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.support.effort import effort
from tests.support.played_table import PlayedTable
from tests.support.seeded_dice import SeededDice

BUTTONS = ("one", "encoder")
DICE_GAMES = [game.key for game in GAMES.values() if game.shape is None]
NAMES = ("Anne", "Bart")
LEFT_OVER = {Square(4, 0): "K", Square(4, 7): "k"}
MOST_PRESSES = 6000


class Player(PlayedTable):
    """Somebody who presses buttons at random, and lifts a forgotten king now and then."""

    SOON_MS = 50

    def __init__(self, game: str, buttons: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.journal = MemoryJournal(MatchStarted(game, NAMES, {}))
        self.is_one_button = buttons == "one"
        board = SimulatedBoard()
        board.arrange(LEFT_OVER)
        self.table = SimulatedSource(Session(Settings(buttons=buttons)), board)
        self.session = self.table.session
        self.session.handle(BoardRead(board.occupied), 0)
        self.session.load(self.journal, SeededDice(seed), 0, resumed=False)

    def press_something(self) -> None:
        if self.is_one_button:
            self.press(Button.ROLL, held_ms=self.rng.choice((20, 700)))
        else:
            self.press(self.rng.choice((Button.ROLL, Button.NEXT, Button.CHOOSE, Button.CHOOSE)), held_ms=20)
        if self.rng.random() < 0.02:
            self.now_ms += self.SOON_MS
            act = self.table.lift if Square(4, 0) in self.table.board.occupied else self.table.place
            act(Square(4, 0), self.now_ms)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("seed", range(effort(1, 20)))
@pytest.mark.parametrize("game", DICE_GAMES)
def test_a_match_played_by_buttons_alone_ends_as_its_journal_says(game: str, seed: int) -> None:
    player = Player(game, BUTTONS[(DICE_GAMES.index(game) + seed) % 2], seed)
    for _ in range(MOST_PRESSES):
        if isinstance(player.match.turn, Over):
            break
        player.press_something()
        view = player.view
        assert (bool(view.wrong), view.marks) == (False, {})
    assert isinstance(player.match.turn, Over)
    entries = player.entries()
    assert isinstance(entries[-1], MatchEnded)
    assert entries[-1].scores == player.match.turn.result.scores
    assert Match.resumed(entries).state == player.match.state
