"""Whatever hands do, and whichever questions they ignore: once they have made up their mind the table agrees."""

from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from captains_table.games.contract import Pick
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Button
from captains_table.table.model.match import Match
from tests.support.effort import effort
from tests.support.fickle_hand import HAND_MS, QUIET_MS, FickleHand

LEGEND = (
    "4k3/1P6/8/2b1p2n/2Q1P2R/8/6p1/4K3 w - - 0 1",
    "r3k2r/pPp2p1p/8/3Pp3/3pP3/8/PpP2P1P/R3K2R w KQkq - 0 1",
)
CHESS = ("4k4/r8/1p7/3p1p3/4P4/2N6/8K/2Rb4r w - - 0 1", "r3k3r/4p4/9/3p1p3/4P4/9/4P4/R3K3R w KQkq - 0 1")
GAMES = (
    *(MatchStarted("legend", ("Anne", "Bart"), {"fen": fen}) for fen in LEGEND),
    *(MatchStarted("captains-chess", ("Anne", "Bart"), {"fen": fen}) for fen in CHESS),
    *(MatchStarted("captains-chess", ("Anne", "Bart"), {"fen": fen, "clock": "60"}) for fen in CHESS),
)
SEEDS = st.integers(0, 2**32 - 1)
PAUSES = st.sampled_from((20, 90, HAND_MS, HAND_MS, 1500, 4000, 7000))
WHICH = st.integers(0, 80)
MOST_IN_HAND = 3
MOST_MEANT = 2


class FickleHands(RuleBasedStateMachine):
    """Hands that lift, set down, tap, straighten, swap and put home what they like, and press or look away."""

    hand: FickleHand

    @initialize(started=st.sampled_from(GAMES), seed=SEEDS)
    def start(self, started: MatchStarted, seed: int) -> None:
        self.hand = FickleHand(started, seed)
        self.hand.go_on()

    def playing(self) -> bool:
        return not self.hand.is_over

    def holding(self) -> bool:
        return self.playing() and bool(self.hand.in_hand)

    def may_lift(self) -> bool:
        return self.playing() and bool(self.hand.pieces) and len(self.hand.in_hand) < MOST_IN_HAND

    # --- what they mean ---------------------------------------------------------------------------------------------

    @precondition(playing)
    @rule(which=WHICH)
    def mean_a_move(self, which: int) -> None:
        """They think of a move, and where two are meant already of another second one."""
        ids = self.hand.board_ids()
        if len(self.hand.meant) < MOST_MEANT and ids:
            self.hand.meant.append(ids[which % len(ids)])

    @precondition(playing)
    @rule(which=WHICH)
    def mean_a_capture(self, which: int) -> None:
        """Moves that take something are where stories differ least."""
        count = len(self.hand.target())
        ids = [id_ for id_ in self.hand.board_ids() if self.hand.pieces_after(id_) < count]
        if len(self.hand.meant) < MOST_MEANT and ids:
            self.hand.meant.append(ids[which % len(ids)])

    @precondition(playing)
    @rule()
    def think_again(self) -> None:
        """They mean one move less."""
        self.hand.board_ids()
        del self.hand.meant[-1:]

    # --- what they do -----------------------------------------------------------------------------------------------

    @precondition(may_lift)
    @rule(which=WHICH, after_ms=PAUSES)
    def lift(self, which: int, after_ms: int) -> None:
        squares = sorted(self.hand.pieces)
        self.hand.lift(squares[which % len(squares)], after_ms)

    @precondition(holding)
    @rule(which=WHICH, piece=WHICH, after_ms=PAUSES)
    def set_down_anywhere(self, which: int, piece: int, after_ms: int) -> None:
        vacant = self.hand.vacant()
        self.hand.place(vacant[which % len(vacant)], self.hand.in_hand[piece % len(self.hand.in_hand)], after_ms)

    @precondition(holding)
    @rule(which=WHICH, after_ms=PAUSES)
    def set_down_where_the_match_has_it(self, which: int, after_ms: int) -> None:
        """A piece is put home, or put where it was believed to be: taken moves back, straightened victims."""
        pieces = self.hand.match.pieces()
        homes = [square for square in sorted(pieces.keys() - self.hand.pieces) if pieces[square] in self.hand.in_hand]
        if homes:
            square = homes[which % len(homes)]
            self.hand.place(square, pieces[square], after_ms)

    @precondition(may_lift)
    @rule(which=WHICH, times=st.integers(1, 5), after_ms=PAUSES)
    def tap(self, which: int, times: int, after_ms: int) -> None:
        square = sorted(self.hand.pieces)[which % len(self.hand.pieces)]
        for _ in range(times):
            piece = self.hand.pieces[square]
            self.hand.lift(square, after_ms)
            self.hand.place(square, piece, HAND_MS // 4)

    @precondition(may_lift)
    @rule(first=WHICH, second=WHICH)
    def swap(self, first: int, second: int) -> None:
        squares = sorted(self.hand.pieces)
        one, other = squares[first % len(squares)], squares[second % len(squares)]
        if one == other:
            return
        pieces = self.hand.pieces[one], self.hand.pieces[other]
        self.hand.lift(one)
        self.hand.lift(other)
        self.hand.place(one, pieces[1])
        self.hand.place(other, pieces[0])

    @precondition(playing)
    @rule()
    def put_the_pieces_as_they_mean_them(self) -> None:
        self.hand.bring(self.hand.target())

    @precondition(playing)
    @rule(after_ms=PAUSES)
    def look_away(self, after_ms: int) -> None:
        self.hand.wait(after_ms)

    # --- what would seal --------------------------------------------------------------------------------------------

    @precondition(playing)
    @rule(id_=st.sampled_from(("done", "throw-again", "press-clock")), after_ms=PAUSES)
    def say(self, id_: str, after_ms: int) -> None:
        self.hand.wait(after_ms)
        if id_ in self.hand.option_ids():
            self.hand.say(Pick(id_))

    @precondition(playing)
    @rule(button=st.sampled_from((Button.ROLL, Button.BACK)), after_ms=PAUSES)
    def press(self, button: Button, after_ms: int) -> None:
        self.hand.wait(after_ms)
        self.hand.press(button)

    # --- how it ends ------------------------------------------------------------------------------------------------

    @precondition(playing)
    @rule(seals=st.booleans())
    def make_up_their_mind(self, seals: bool) -> None:  # noqa: FBT001 - a case
        """They put the pieces as they mean them and answer truthfully: the table comes to believe the board."""
        self.hand.make_up_mind()
        if seals and not self.hand.is_over:
            self.hand.seal()
            self.hand.wait(QUIET_MS)
            self.hand.make_up_mind()
            self.hand.go_on()

    def teardown(self) -> None:
        if hasattr(self, "hand") and not self.hand.is_over:
            self.hand.make_up_mind()
            assert Match.resumed(self.hand.journal.entries()).state == self.hand.match.state


FickleHands.TestCase.settings = settings(
    max_examples=effort(45, 1500),
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestFickleHands = FickleHands.TestCase
