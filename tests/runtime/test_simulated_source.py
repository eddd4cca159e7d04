"""The simulated table with the switches of a real board: what is clicked is what is played."""

import io
import random

import pytest

from captains_table.games.contract import Decide, Pick, PickAsk, Roll, Square, parse_square
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.tape_player import replay_lines
from captains_table.simulation.noisy_switches import NoisySwitches
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import Acted, MatchStarted
from captains_table.table.model.events import TimePassed
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.support.effort import effort
from tests.support.played_table import PlayedTable
from tests.support.seeded_dice import SeededDice

STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "1"})
E2, E4 = parse_square("e2"), parse_square("e4")
MOVES = effort(12, 60)


class Clicker(PlayedTable):
    """Somebody who clicks through a match on a noisy board, at a virtual clock."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.table = SimulatedSource(Session(Settings()), SimulatedBoard())
        self.session = self.table.session
        self.journal = MemoryJournal(STARTED)
        self.moves = 0
        self.session.load(self.journal, SeededDice(seed), 0, resumed=False)
        self.table.set_up(0)
        self.table.noise = NoisySwitches(self.rng)

    def wait(self, ms: int = 10_000) -> None:
        until_ms = self.now_ms + ms
        while (due_ms := self.session.due_ms()) is not None and due_ms <= until_ms:
            self.session.handle(TimePassed(), due_ms)
        self.now_ms = until_ms
        self.session.handle(TimePassed(), until_ms)

    def click(self, square: Square) -> None:
        self.wait(self.rng.randint(80, 1500))
        self.table.click(square, self.now_ms)

    def play(self) -> None:
        """Throw, or make a plain move, or end the turn."""
        turn = self.match.turn
        self.wait(2500)
        if isinstance(turn, Roll):
            self.press()
            return
        assert isinstance(turn, Decide)
        assert isinstance(turn.ask, PickAsk)
        ids = [option.id for option in turn.ask.options]
        plain = [option.id for option in turn.ask.options if option.on_board and self.is_plain(option.id)]
        if "roll" in ids or not plain:
            self.answer(Pick(next(id_ for id_ in ("roll", "done", "throw-again") if id_ in ids)), after_ms=0)
        else:
            self.make(self.rng.choice(plain))

    def is_plain(self, id_: str) -> bool:
        """Return whether two clicks make a move: neither castling nor en passant nor another piece."""
        after = self.match.game.pieces(self.match.game.apply(self.match.state, Pick(id_)))
        return len(id_) == len("e2e4") and len(self.match.pieces().keys() ^ after.keys()) <= 2

    def make(self, id_: str) -> None:
        self.click(parse_square(id_[:2]))
        self.click(parse_square(id_[2:]))
        self.wait(2500)
        last = next(step for step in reversed(self.match.history) if step.on_board)
        assert last.acted.action == Pick(id_)
        assert not self.view.wrong
        self.moves += 1


@pytest.mark.long
def test_moves_clicked_on_a_noisy_board_are_played_as_they_were_clicked_and_the_tape_plays_them_again() -> None:
    clicker, tape = Clicker(seed=6), io.StringIO()
    recorder = Recorder(clicker.session, tape)
    tape.truncate(0)
    tape.seek(0)
    recorder.start_tape(0)
    while clicker.moves < MOVES and clicker.match.seat is not None:
        clicker.play()
    assert clicker.moves > MOVES // 3
    assert clicker.table.board.pieces == clicker.match.pieces()
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("noisy", tape.getvalue().splitlines(), out, err) == 0, err.getvalue()
    assert out.getvalue().count('"seq"') == sum(isinstance(entry, Acted) for entry in clicker.entries())


@pytest.mark.long
def test_a_click_while_a_slide_still_goes_on_ends_it_at_once() -> None:
    clicker, pieces = Clicker(seed=7), Match(STARTED).pieces()
    for _ in range(effort(10, 50)):
        for square in (E2, E4, E4, E2):
            clicker.table.click(square, clicker.now_ms)
        clicker.wait(3000)
        assert clicker.session.referee.board_snapshot().occupied == clicker.table.board.occupied == set(pieces)
