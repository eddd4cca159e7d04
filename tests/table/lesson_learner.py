"""Somebody who learns a game by its lesson on a simulated table, at the page, at the knob or by hand at the board."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from captains_table.games.contract import IllegalAction, Keep, KeepAsk, Option, Pick, PickAsk, Rolled, Square
from captains_table.runtime.lessons import lesson_for, open_lesson
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.noisy_switches import NoisySwitches
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.table.lessons.lesson_game import beat_of, wanted_action
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    TimePassed,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View

REST_MS: Final = 1500
MOST_WAITS: Final = 60


class Learner:
    """A learner at a simulated table on which a lesson is held.

    Args:
        game: the game's key.
        noise: the seed of the board's noise; `None` for a board without any.
        step: the step at which the lesson begins, from 1.
    """

    def __init__(self, game: str, noise: int | None = None, step: int = 1) -> None:
        lesson = lesson_for(game)
        assert lesson is not None
        self.lesson, opened = lesson, open_lesson(lesson, step)
        self.session = Session(Settings())
        self.source = SimulatedSource(self.session, SimulatedBoard())
        self.journal = opened.journal
        self.now_ms = 0
        self.session.load(opened.journal, opened.dice, 0, resumed=step > 1, game=opened.game)
        self.source.begun(0)
        if noise is not None:
            self.source.noise = NoisySwitches(random.Random(noise))
        self.wait(REST_MS)

    @property
    def match(self) -> Match:
        match = self.session.match
        assert match is not None
        return match

    def view(self) -> View:
        return self.session.view()

    def wait(self, ms: int) -> None:
        """Let time pass; each timer fires at its own time."""
        end = self.now_ms + ms
        while (due := self.session.due_ms()) is not None and due <= end:
            self.now_ms = max(self.now_ms, due)
            self.session.handle(TimePassed(), self.now_ms)
        self.now_ms = end
        self.session.handle(TimePassed(), end)

    def is_over(self) -> bool:
        """Whether the coach has reached the lesson's ending."""
        return beat_of(self.lesson, self.match.state) is None

    def wait_for_turn(self) -> None:
        """Wait until the learner must do something, or the lesson is over."""
        for _ in range(MOST_WAITS):
            if self.is_over() or wanted_action(self.match) is not None:
                return
            self.wait(REST_MS)
        raise AssertionError(f"the lesson stands still: {self.view().coach}")

    def go_on(self, *, by_knob: bool = False) -> None:
        """Do what is wanted, and wait until something else is."""
        before = self.match.state
        self._do(by_knob=by_knob)
        assert self.match.state != before, (beat_of(self.lesson, before), self.view().prompt, self.view().menu)
        self.wait_for_turn()

    # --- acting -----------------------------------------------------------------------------------------------------

    def press(self, button: Button) -> None:
        self.session.handle(ButtonPressed(button), self.now_ms)
        self.wait(100)
        self.session.handle(ButtonReleased(button), self.now_ms)
        self.wait(100)

    def answer(self, action: Pick | Keep) -> None:
        """Answer as the page does; what is refused is refused."""
        with suppress(IllegalAction):
            self.session.handle(Answered(action), self.now_ms)

    def _do(self, *, by_knob: bool) -> None:
        """Do what is wanted, as at the page or by the table's buttons; pieces are moved by hand."""
        action = wanted_action(self.match)
        option = self._offered(action)
        if isinstance(action, Rolled):
            self.press(Button.ROLL)
        elif option is not None and option.on_board:
            self.move(option)
        elif by_knob and isinstance(action, Pick):
            self._choose(action.id)
        elif by_knob and isinstance(action, Keep):
            for entry in self.view().menu.entries:
                if entry.held is not None and entry.held != (int(entry.id) in action.dice):
                    self._choose(entry.id)
            self.press(Button.ROLL)
        elif action is not None:  # a bid, too: the menu of amounts has tests of its own
            self.session.handle(Answered(action), self.now_ms)
        self.wait(REST_MS)

    def _choose(self, id_: str) -> None:
        """Walk to a line of the menu and choose it; a serious answer is asked for twice, a die is toggled once."""
        for _ in range(2):
            before = self.view().menu
            places = [entry.id for entry in before.entries]
            if id_ not in places:
                return
            for _ in range((places.index(id_) - (-1 if before.cursor is None else before.cursor)) % len(places)):
                self.press(Button.NEXT)
            self.press(Button.CHOOSE)
            if before.entries[places.index(id_)].held is not None:
                return

    def _offered(self, action: object) -> Option | None:
        ask = getattr(self.match.turn, "ask", None)
        if not isinstance(ask, PickAsk) or not isinstance(action, Pick):
            return None
        return next((option for option in ask.options if option.id == action.id), None)

    def move(self, option: Option) -> None:
        """Make a move of the board whole: what is captured leaves first, then each piece goes to its square."""
        match = self.match
        after = dict(match.game.pieces(match.game.apply(match.state, Pick(option.id))))
        before = dict(self.match.pieces())
        board = self.source.board
        gone = [square for square in before if square not in after]
        for square in [square for square, piece in before.items() if square in after and after[square] != piece]:
            self.source.lift(square, self.now_ms)
            self.wait(300)
            board.put_beside()
        for square in gone:
            self.source.lift(square, self.now_ms)
            self.wait(300)
            kind = before[square]
            free = [
                to
                for to in after
                if (to not in board.pieces and to not in before) or (to in before and to not in board.pieces)
            ]
            there = next((to for to in free if after[to] == kind), free[0] if len(free) == 1 else None)
            if there is None:
                board.put_beside()
            else:
                self.source.place(there, self.now_ms)
            self.wait(300)
        for square, piece in after.items():
            if square not in board.pieces and piece in board.beside:
                board.take(piece)
                self.source.place(square, self.now_ms)
                self.wait(300)
        self.wait(REST_MS)

    # --- erring -----------------------------------------------------------------------------------------------------

    def err(self) -> Iterator[str]:
        """Do, one after the other, what a beginner might do wrongly now; yield what the coach said to each."""
        action, turn = wanted_action(self.match), self.match.turn
        ask = getattr(turn, "ask", None)
        if isinstance(ask, PickAsk):
            for option in ask.options:
                if not option.on_board and Pick(option.id) != action:
                    self.answer(Pick(option.id))
                    yield self._said()
        if isinstance(ask, KeepAsk):
            for dice in ((), ask.dice[:1], ask.dice[1:]):
                if Keep(dice) != action:
                    self.answer(Keep(dice))
                    yield self._said()
        throws = self.view().roll
        if throws.possible and not isinstance(action, Rolled | Keep) and action != Pick(throws.option):
            self.press(Button.ROLL)
            yield self._said()
        options = self.session.referee.board_snapshot().options
        moving = {square for option in options for square in option.footprint.changed}
        wrong = [square for square in self.match.pieces() if square not in moving]
        if wrong and self.match.game.shape is not None:
            self.source.lift(wrong[0], self.now_ms)
            self.wait(3000)
            said = self._said()
            self.put_back(wrong[0])
            yield said

    def put_back(self, square: Square) -> None:
        self.source.place(square, self.now_ms)
        self.wait(REST_MS)

    def _said(self) -> str:
        coach = self.view().coach
        return "" if coach is None else coach.slip
