"""Whatever hands do at the board: once the pieces stand as they mean them, the table agrees with the switches."""

import random

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from captains_table.games.contract import Over, Pick, Square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Button, SwitchMasked
from captains_table.table.model.match import Match
from captains_table.table.model.view import BoardDifference
from tests.support.effort import effort
from tests.table.hand import QUIET_MS, Hand, Touch, random_order

pytestmark = pytest.mark.slow
SHARP = "r3k2r/pPp2p1p/8/3Pp3/3pP3/8/PpP2P1P/R3K2R w KQkq - 0 1"
EMPTY_ENOUGH = "4k3/1P6/8/2b1p2n/2Q1P2R/8/6p1/4K3 w - - 0 1"
SEEDS = st.integers(0, 2**32 - 1)
SQUARES = [Square(file, rank) for rank in range(8) for file in range(8)]
MOST_TOUCHES_HOME = 400
MOST_MASKED = 2


class HandsAtTheBoard(RuleBasedStateMachine):
    """Random play by lifts and places in random orders, with nudges, second thoughts, nonsense, cuts, dropped links."""

    hand: Hand

    @initialize(seed=SEEDS, fen=st.sampled_from([None, SHARP, EMPTY_ENOUGH]))
    def start(self, seed: int, fen: str | None) -> None:
        options = {"fen": fen} if fen else {}
        self.hand = Hand(MatchStarted("legend", ("Anne", "Bart"), options), random.Random(seed), dice_seed=seed)

    def playing(self) -> bool:
        return not self.to_put_right() and not isinstance(self.hand.match.turn, Over)

    def to_put_right(self) -> bool:
        return bool(self.hand.view.wrong)

    def a_move(self, seed: int) -> str | None:
        """Return the id of some move that may be made on the board now."""
        self.hand.rng = random.Random(seed)
        ids = [option.id for option in self.hand.options() if option.on_board]
        return self.hand.rng.choice(ids) if ids else None

    # --- what hands do ----------------------------------------------------------------------------------------------

    @precondition(lambda self: not isinstance(self.hand.match.turn, Over))
    @rule(seed=SEEDS)
    def play_on(self, seed: int) -> None:
        self.hand.rng = random.Random(seed)
        self.hand.play_on()

    @precondition(playing)
    @rule(seed=SEEDS)
    def change_mind(self, seed: int) -> None:
        self.hand.rng = random.Random(seed)
        self.hand.change_mind()

    @precondition(playing)
    @rule(seed=SEEDS, count=st.integers(1, 3), pause_ms=st.sampled_from([30, 400, 3500]))
    def nudge(self, seed: int, count: int, pause_ms: int) -> None:
        """Adjust some pieces; put back they mean nothing, whatever the table asked meanwhile."""
        before, pieces = self.hand.match.revision, self.hand.match.pieces()
        squares = random.Random(seed).sample(sorted(self.hand.occupied), min(count, len(self.hand.occupied)))
        for square in squares:
            self.hand.touch(Touch(square, places=False), pause_ms)
        for square in squares:
            self.hand.touch(Touch(square, places=True), pause_ms)
        self.hand.wait(QUIET_MS)
        assert len(squares) > 1 or self.hand.match.revision == before
        assert self.hand.match.pieces() == pieces

    @precondition(playing)
    @rule(seed=SEEDS)
    def blunder(self, seed: int) -> None:
        """A piece is put where none may go, the way home is shown, and the piece goes back."""
        rng, board, before = (random.Random(seed), self.hand.session.referee.board_snapshot(), self.hand.match.revision)
        start = rng.choice(sorted(self.hand.occupied))
        end = rng.choice([square for square in SQUARES if square not in self.hand.occupied])
        stray = self.hand.occupied - {start} | {end}
        if any(not (stray ^ candidate.occupied) - board.masked for candidate in board.options):
            return
        self.hand.touch(Touch(start, places=False))
        self.hand.touch(Touch(end, places=True))
        self.hand.wait(QUIET_MS)
        missing, extra = {start} - board.masked, {end} - board.masked
        assert self.hand.view.wrong == BoardDifference(tuple(missing), tuple(extra))
        self.hand.touch(Touch(end, places=False))
        self.hand.touch(Touch(start, places=True))
        self.hand.wait(QUIET_MS)
        assert not self.to_put_right()
        assert self.hand.match.revision == before

    @precondition(playing)
    @rule(seed=SEEDS, done=st.floats(0, 1))
    def lose_power_in_a_move(self, seed: int, done: float) -> None:
        id_ = self.a_move(seed)
        if id_ is None:
            return
        touches = random_order(self.hand.match.pieces(), self.hand.after(id_), self.hand.rng)
        for touch in touches[: round(done * len(touches))]:
            self.hand.touch(touch, self.hand.pause())
        self.hand.cut_power()
        self.hand.wait(QUIET_MS)
        self.hand.follow_guidance()

    @precondition(playing)
    @rule(seed=SEEDS)
    def move_while_unplugged(self, seed: int) -> None:
        """Reeds that differ afterwards are understood, asked about or guided home; never is anything lost."""
        id_ = self.a_move(seed)
        if id_ is None:
            return
        self.hand.table.unplug(self.hand.now_ms)
        self.hand.arrange(self.hand.after(id_))
        self.hand.table.plug(self.hand.now_ms)
        self.hand.wait(2 * QUIET_MS)  # where pieces are only missing, one may be in a hand
        if self.hand.is_asked_about_the_board:
            self.hand.say(Pick(id_))
        self.hand.follow_guidance()

    @precondition(lambda self: self.playing() and len(self.hand.masked) < MOST_MASKED)
    @rule(square=st.sampled_from(SQUARES))
    def mask(self, square: Square) -> None:
        self.hand.session.handle(SwitchMasked(square), self.hand.now_ms)

    @precondition(playing)
    @rule(button=st.sampled_from([Button.NEXT, Button.BACK]), held_ms=st.integers(0, 2000))
    def press(self, button: Button, held_ms: int) -> None:
        self.hand.press(button, held_ms=held_ms)

    @precondition(playing)
    @rule(seed=SEEDS, count=st.integers(1, 12))
    def toddler(self, seed: int, count: int) -> None:
        """Anything is lifted and put anywhere; then somebody makes the board look like the match as it is by then."""
        rng = random.Random(seed)
        for _ in range(count):
            square = rng.choice(SQUARES)
            self.hand.touch(Touch(square, places=square not in self.hand.occupied), rng.choice((5, 40, 400, 3500)))
        self.hand.wait(QUIET_MS)
        for _ in range(MOST_TOUCHES_HOME):
            astray = sorted(self.hand.occupied ^ self.hand.match.pieces().keys())
            if not astray:
                break
            square = rng.choice(astray)
            self.hand.touch(Touch(square, places=square not in self.hand.occupied), rng.choice((40, 400)))
        self.hand.wait(QUIET_MS)
        while self.hand.is_asked_about_the_board:
            self.hand.press(Button.BACK)

    # --- what must hold ---------------------------------------------------------------------------------------------

    @invariant()
    def table_and_switches_agree(self) -> None:
        view = self.hand.view
        if isinstance(self.hand.match.turn, Over):
            return
        if view.wrong:
            assert view.prompt
            return
        assert self.hand.occupied == frozenset(self.hand.match.pieces())
        assert view.switches == self.hand.occupied
        assert not self.hand.is_asked_about_the_board

    @invariant()
    def the_journal_replays_to_the_same_state(self) -> None:
        assert Match.resumed(self.hand.entries()).state == self.hand.match.state

    @invariant()
    def the_table_is_not_stuck(self) -> None:
        view = self.hand.view
        assert isinstance(self.hand.match.turn, Over) or view.prompt
        assert view.ask is None or view.menu.entries or self.hand.options()


HandsAtTheBoard.TestCase.settings = settings(
    max_examples=effort(4, 400),
    stateful_step_count=effort(20, 25),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestHandsAtTheBoard = HandsAtTheBoard.TestCase
