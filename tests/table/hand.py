"""A hand at a simulated table: makes moves by lifting and placing, in any order people do it, and works the buttons."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from captains_table.games.contract import (
    Action,
    Amount,
    AmountAsk,
    Decide,
    Keep,
    KeepAsk,
    Option,
    Pick,
    PickAsk,
    Roll,
    Square,
)
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import BoardRead, Button
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.referee import AdviceFunction, no_adviser
from tests.support.played_table import PlayedTable
from tests.support.seeded_dice import SeededDice

Pieces = Mapping[Square, str]
QUIET_MS = 3500


class Touch(NamedTuple):
    """One thing a hand does to one square."""

    square: Square
    places: bool


class Hand(PlayedTable):
    """A person at a simulated table, with a clock of their own."""

    def __init__(
        self, started: MatchStarted, rng: random.Random, dice_seed: int = 0, adviser: AdviceFunction = no_adviser
    ) -> None:
        self._adviser = adviser
        self.rng = rng
        self.journal = MemoryJournal(started)
        self.dice = SeededDice(dice_seed)
        board = SimulatedBoard()
        match = Match.resumed(self.journal.entries())
        board.arrange(match.pieces())
        self.table = self._powered(board, resumed=False)

    def _powered(self, board: SimulatedBoard, *, resumed: bool) -> SimulatedSource:
        table = SimulatedSource(Session(Settings(), adviser=self._adviser), board)
        self.session = table.session
        table.session.handle(BoardRead(board.occupied), self.now_ms)
        table.session.load(self.journal, self.dice, self.now_ms, resumed=resumed)
        return table

    def cut_power(self) -> None:
        """Lose everything but the journal, the dice and what stands on the board."""
        self.table = self._powered(self.table.board, resumed=True)

    # --- what is known ----------------------------------------------------------------------------------------------

    @property
    def occupied(self) -> frozenset[Square]:
        return self.table.board.occupied

    @property
    def masked(self) -> frozenset[Square]:
        return self.session.referee.board_snapshot().masked

    def options(self, state: Any = None) -> list[Option]:  # noqa: ANN401 - each game has its own state
        turn = self.match.turn if state is None else self.match.game.turn(state)
        return list(turn.ask.options) if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk) else []

    def after(self, option_id: str, state: Any = None) -> Pieces:  # noqa: ANN401 - each game has its own state
        """Return the pieces after an option, seen from a state or from now."""
        game = self.match.game
        return game.pieces(game.apply(self.match.state if state is None else state, Pick(option_id)))

    # --- the board --------------------------------------------------------------------------------------------------

    def touch(self, touch: Touch, after_ms: int = 40) -> None:
        self.wait(after_ms)
        (self.table.place if touch.places else self.table.lift)(touch.square, self.now_ms)

    def pause(self) -> int:
        """Return how long people pause between two touches: mostly briefly, sometimes long enough to be asked."""
        return self.rng.choice((15, 40, 150, 150, 290, 700, 3200))

    def make(self, option_id: str) -> None:
        """Make a move of the ask with the pieces, in some order, and say what it was if the table asks."""
        after = self.after(option_id)
        self.arrange(after)
        self.explain(option_id)
        assert self.match.pieces() == after

    def change_mind(self) -> None:
        """Make another move instead of the one just made, if it may still be changed and reeds can tell the two."""
        last = self.match.provisional
        if last is None:
            return
        others = [option.id for option in self.options(last.before) if option.on_board]
        others = [id_ for id_ in others if (self.after(id_, last.before).keys() ^ self.occupied) - self.masked]
        if not others:
            return
        id_ = self.rng.choice(others)
        after = self.after(id_, last.before)
        self.arrange(after)
        self.explain(id_)
        assert self.match.pieces() == after
        assert last.acted.seq not in [step.acted.seq for step in self.match.history]

    def arrange(self, after: Pieces) -> None:
        """Bring the pieces from where the match has them to where they should stand."""
        for touch in random_order(self.match.pieces(), after, self.rng):
            for step in self._sliding(touch):
                self.touch(step, self.pause())

    def _sliding(self, touch: Touch) -> list[Touch]:
        """Return a touch, sometimes with stops on vacant squares of the straight way from the square lifted last."""
        if not touch.places or self.rng.random() < 0.7:
            return [touch]
        starts = [square for square in self.match.pieces() if square not in self.occupied]
        ways = [between(start, touch.square) for start in starts]
        ways = [way for way in ways if way and not self.occupied.intersection(way)]
        stops = self.rng.choice(ways) if ways else []
        return [*(Touch(stop, places) for stop in stops for places in (True, False)), touch]

    def explain(self, option_id: str) -> None:
        """Wait until the board is quiet, and answer the table if it asks what happened."""
        self.wait(QUIET_MS)
        board = self.session.referee.board_snapshot()
        ids = [candidate.id for candidate in board.asked]
        if ids and option_id not in ids and board.believed is not None and board.believed.id in ids:
            self.say(Pick(board.believed.id))  # which move it was that this one answers
            self.wait(QUIET_MS)
        elif ids:
            assert option_id in ids
            self.say(Pick(option_id))
        elif option_id in [rival.id for rival in board.rivals]:
            self.say(Pick(option_id))  # believed was what may have been done as well
        elif self.masked and self.occupied != frozenset(self.match.pieces()):
            self.say(Pick(option_id))  # the switches could not tell that anything happened; the menu offers it

    def follow_guidance(self) -> None:
        """Put right what the table says is wrong, in any order."""
        wrong = self.view.wrong
        unseen = (self.occupied ^ self.match.pieces().keys()) & self.masked  # the table cannot tell, the players can
        touches = [Touch(square, square not in self.occupied) for square in {*wrong.extra, *wrong.missing, *unseen}]
        self.rng.shuffle(touches)
        for touch in touches:
            self.touch(touch)
        self.wait(QUIET_MS)
        assert not self.view.wrong

    @property
    def is_asked_about_the_board(self) -> bool:
        return bool(self.session.referee.board_snapshot().asked)

    # --- buttons and answers ----------------------------------------------------------------------------------------

    def say(self, action: Action) -> None:
        """Answer directly or by the buttons."""
        ask = self.session.referee.ask()
        if ask is not None and self.rng.random() < 0.5:
            self._answer_by_buttons(ask, action)
        else:
            self.answer(action, after_ms=60)

    def _answer_by_buttons(self, ask: object, action: Action) -> None:
        match action:
            case Pick(id_):
                self._choose(id_)
            case Amount(value):
                self._choose(str(value))
            case Keep(dice):
                for entry in self.view.menu.entries[:-1]:
                    if entry.held != (int(entry.id) in dice):
                        self._choose(entry.id)
                self._choose("throw")
            case _:
                raise AssertionError(f"{action} does not answer {ask}")

    def _choose(self, entry_id: str) -> None:
        menu = self.view.menu
        assert menu.cursor is not None
        ids = [entry.id for entry in menu.entries]
        for _ in range((ids.index(entry_id) - menu.cursor) % len(ids)):
            self.press(Button.NEXT)
        self.press(Button.CHOOSE)

    # --- playing ----------------------------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Do what is due: throw, answer, move, or set the board up; a king that can be taken is taken."""
        if self.view.wrong:
            self.follow_guidance()
            return
        board = self.session.referee.board_snapshot()
        if board.believed is not None and board.believed.id in [candidate.id for candidate in board.asked]:
            self._choose(board.believed.id)  # on which the table and the hand agreed
            return
        match self.match.turn:
            case Roll():
                self.press(held_ms=self.rng.randrange(900))
            case Decide(ask=PickAsk() as ask):
                self._decide(ask)
            case Decide(ask=AmountAsk(lo=lo, hi=hi)):
                self.say(Amount(self.rng.randint(lo, hi)))
            case Decide(ask=KeepAsk() as ask):
                dice = self.rng.sample(ask.dice, self.rng.randrange(len(ask.dice)))
                self.say(Keep(tuple(sorted(dice))))
            case turn:
                raise AssertionError(f"nothing is to be done: {turn}")

    def _decide(self, ask: PickAsk) -> None:
        option = self.rng.choices(ask.options, [self._liking(option) for option in ask.options])[0]
        if option.id == "roll" and self.rng.random() < 0.5:
            self.press(held_ms=self.rng.randrange(900))
        elif option.on_board:
            self.make(option.id)
            if self.rng.random() < 0.1:
                self.change_mind()
        else:
            self.say(Pick(option.id))

    def _liking(self, option: Option) -> float:
        likings = {"roll": 40, "done": 60, "throw-again": 5, "genie": 2, "buy-back": 30, "abandon": 0.05, "refuse": 5}
        if not option.on_board:
            return likings.get(option.id, 5)
        now, after = self.match.pieces(), self.after(option.id)
        taken = max(0, len(now) - len(after))
        kings = sum(piece in "kK" for piece in now.values()) - sum(piece in "kK" for piece in after.values())
        castles = len(now.keys() ^ after.keys()) > 2
        return 10_000 if kings else 1 + 4 * taken + 40 * castles


def random_order(now: Pieces, after: Pieces, rng: random.Random) -> list[Touch]:
    """Return the touches that bring one position to another, so ordered that a piece is lifted before it is put."""
    changed = [square for square in sorted({*now, *after}) if now.get(square) != after.get(square)]
    waiting = [Touch(square, places=False) for square in changed if square in now]
    waiting += [Touch(square, places=True) for square in changed if square in after]
    done: list[Touch] = []
    while waiting:
        ready = [touch for touch in waiting if not touch.places or _in_hand(touch.square, now, after, waiting)]
        touch = rng.choice(ready)
        waiting.remove(touch)
        done.append(touch)
    return done


def _in_hand(target: Square, now: Pieces, after: Pieces, waiting: Sequence[Touch]) -> bool:
    """Return whether the target is clear and whatever may be the piece that goes there was lifted."""
    to_lift = {touch.square for touch in waiting if not touch.places}
    piece = after[target]
    same = {square for square in now if now[square] == piece and after.get(square) != piece}
    pawns = {square for square in now if now[square] == ("P" if piece.isupper() else "p") and square not in after}
    return target not in to_lift and not (same or pawns) & to_lift


def between(start: Square, end: Square) -> list[Square]:
    """Return the squares strictly between two on a straight line, none if they are not on one."""
    files, ranks = end.file - start.file, end.rank - start.rank
    far = max(abs(files), abs(ranks))
    if far == 0 or (files and ranks and abs(files) != abs(ranks)):
        return []
    step_file, step_rank = files // far, ranks // far
    return [Square(start.file + step_file * i, start.rank + step_rank * i) for i in range(1, far)]
