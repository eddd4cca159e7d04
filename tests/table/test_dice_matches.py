"""Whole matches of the dice games played by buttons alone, with pieces of another game left on the board."""

import random

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Over, Square
from captains_table.games.registry import GAMES
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchEnded, MatchStarted
from captains_table.table.model.events import (
    BoardRead,
    Button,
    ButtonPressed,
    ButtonReleased,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings

DICE_GAMES = [game.key for game in GAMES.values() if game.shape is None]
NAMES = ("Anne", "Bart", "Cora")
LEFT_OVER = {Square(4, 0): "K", Square(4, 7): "k"}
MOST_PRESSES = 6000
PAUSE_MS = 50


class Player:
    """Somebody who presses buttons at random, and lifts a forgotten king now and then."""

    def __init__(self, game: str, buttons: str, seed: int) -> None:
        self.rng = random.Random(seed)
        self.journal = MemoryJournal(MatchStarted(game, NAMES, {}))
        self.is_one_button = buttons == "one"
        board = SimulatedBoard()
        board.arrange(LEFT_OVER)
        self.table = SimulatedSource(Session(Settings(buttons=buttons)), board)
        self.table.session.handle(BoardRead(board.occupied), 0)
        self._dice = DictatedDice()
        self._dice.seed(seed)
        self.table.session.load(self.journal, self._dice, 0, resumed=False)
        self.now_ms = 0

    @property
    def match(self) -> Match:
        match = self.table.session.match
        assert match is not None
        return match

    def press(self, button: Button, held_ms: int) -> None:
        self.now_ms += PAUSE_MS
        self.table.session.handle(ButtonPressed(button), self.now_ms)
        self.now_ms += held_ms
        self.table.session.handle(ButtonReleased(button), self.now_ms)

    def press_something(self) -> None:
        if self.is_one_button:
            self.press(Button.ROLL, self.rng.choice((20, 700)))
        else:
            self.press(self.rng.choice((Button.ROLL, Button.NEXT, Button.CHOOSE, Button.CHOOSE)), 20)
        if self.rng.random() < 0.02:
            self.now_ms += PAUSE_MS
            act = self.table.lift if Square(4, 0) in self.table.board.occupied else self.table.place
            act(Square(4, 0), self.now_ms)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("buttons", ["one", "encoder"])
@pytest.mark.parametrize("game", DICE_GAMES)
def test_a_match_played_by_buttons_alone_ends_as_its_journal_says(game: str, buttons: str, seed: int) -> None:
    player = Player(game, buttons, seed)
    for _ in range(MOST_PRESSES):
        if isinstance(player.match.turn, Over):
            break
        player.press_something()
        view = player.table.session.view()
        assert not view.wrong
        assert not view.marks
    assert isinstance(player.match.turn, Over)
    entries = player.journal.entries()
    assert isinstance(entries[-1], MatchEnded)
    assert entries[-1].scores == player.match.turn.result.scores
    assert Match.resumed(entries).state == player.match.state
