"""A computer's turn: when it begins, what is to be thought about, and its answers done at a pace that can be followed.

The table does not think: whoever runs it asks `question` what is to be decided, has that thought about elsewhere, and
gives the answer to `take`. Throws that are due need no thought.

 1. It begins once the last move is sealed, or the board was quiet for `QUIET_MS` after the turn passed by itself; where
    it is not clear by then which move that was, it is asked first. So nothing thrown is ever taken back.
 2. Dice that it throws tumble for `TUMBLE_MS`, and whatever it did rests for `REST_MS`, so that people can follow; on a
    clock nothing rests.
 3. Nothing is done while the board is to be put right, or its own move is still to be made by a hand.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from captains_table.games.contract import Action, Auction, Bell, Bid, Decide, IllegalAction, Roll
from captains_table.table.model.events import Throw
from captains_table.table.model.match import Match
from captains_table.table.recognition.board_monitor import MonitorState

if TYPE_CHECKING:
    from captains_table.table.playing.match_play import MatchPlay

QUIET_MS: Final = 1500
TUMBLE_MS: Final = 800
REST_MS: Final = 900


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be thought about.

    Attributes:
        computer: who decides, as `aether:3`; empty: advice is wanted.
        seat: whose decision it is.
        revision: of the match, which the answer must fit.
    """

    computer: str
    seat: int
    revision: int


def lets_go(seat: int) -> Bid:
    """Return what a computer answers in an auction that bids no more, until somebody else does."""
    return Bid(seat, 0)


class ComputerTurn:
    """The turns of the computers at one table.

    Args:
        play: the match in hand.
    """

    def __init__(self, play: "MatchPlay") -> None:
        self._play = play
        self._answer: Action | None = None
        self._tumbling_since_ms: int | None = None
        self._thrown_revision: int | None = None  # dice are on their way
        self._dismissed_ms: int | None = None  # when the board changed last, as of a question that was left unanswered
        self._let_go: set[int] = set()  # who bids no more until somebody else does

    def forget(self) -> None:
        """Know of no answer: another decision is taken."""
        self._answer = self._tumbling_since_ms = self._dismissed_ms = self._thrown_revision = None
        self._let_go.clear()

    # --- thinking ---------------------------------------------------------------------------------------------------

    def question(self) -> Question | None:
        """Return what a computer is to decide now; `None` where none is, or it has answered."""
        match = self._play.match
        seat = None if match is None else self._thinker(match)
        if match is None or seat is None or self._answer is not None or not self._is_certain(match):
            return None
        return Question(match.seating.sitter(seat), seat, match.revision)

    def take(self, revision: int, action: Action) -> None:
        """Take in what a computer answers, if it is still waited for.

        Raises:
            IllegalAction: the match does not ask for that; nothing was changed.
        """
        match = self._play.match
        seat = None if match is None else self._thinker(match)
        if match is None or seat is None or match.revision != revision:
            return
        if isinstance(match.turn, Auction) and action == lets_go(seat):
            self._let_go.add(seat)
        else:
            match.game.apply(match.state, action)
            self._answer = action

    def _thinker(self, match: Match) -> int | None:
        """Return which seat's computer has to think now: who decides, or in an auction the next that may still bid."""
        match match.turn:
            case Decide(seat=seat) if match.program_decides:
                return seat
            case Auction() as auction if match.computers_think:
                may_bid = (bidder.seat for bidder in auction.bidders if bidder.seat not in self._let_go)
                return next((seat for seat in may_bid if match.seating.is_program(seat)), None)
            case _:
                return None

    def _rings(self, match: Match) -> bool:
        """Return whether the bell is rung, as nobody but computers may bid, and all of them let go."""
        if not isinstance(match.turn, Auction) or not match.computers_think:
            return False
        has_program = any(match.seating.is_program(seat) for seat in range(len(match.names)))
        return has_program and all(bidder.seat in self._let_go for bidder in match.turn.bidders)

    def _is_certain(self, match: Match) -> bool:
        """Return whether nobody is about to change the last move: hands at work on another one make a thought moot."""
        is_quiet = self._play.now_ms >= self._quiet_until_ms(match)
        return match.provisional is None or (is_quiet and self._match_to_decide() is not None)

    # --- time -------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when the computer does something next; `None` while it thinks, and where it is no computer's turn."""
        match = self._match_to_decide()
        if match is None:
            return None
        begins_ms = self._begins_ms(match)
        if isinstance(match.turn, Decide | Auction) and self._answer is None and not self._rings(match):
            waits = match.provisional is not None and self._play.now_ms < begins_ms
            return begins_ms if waits else None  # then it may begin to think
        if self._tumbling_since_ms is not None:
            return max(begins_ms, self._tumbling_since_ms + TUMBLE_MS)
        return begins_ms

    def advance(self) -> None:
        """Do what is due now."""
        play, match = self._play, self._match_to_decide()
        if match is None:
            return
        if match.provisional is not None and play.asks_first(self._go_on):
            self._dismissed_ms = play.monitor.changed_ms
            return
        action = self._answer
        dice = self._falling(match, action)
        if dice and self._tumbling_since_ms is None:
            self._tumbling_since_ms, play.tumbling = play.now_ms, dice
        elif isinstance(match.turn, Roll):
            self.forget()
            play.tumbling, self._thrown_revision = (), match.revision
            play.add_salt(match, match.turn.seat, TUMBLE_MS)
            play.add([Throw(len(match.turn.dice))])
        elif action is not None:
            self.forget()
            play.act(action)
        elif self._rings(match):
            self.forget()
            play.act(Bell())

    def _go_on(self) -> None:
        """Go on, now that it is clear what was done on the board."""
        self._dismissed_ms = None

    def _begins_ms(self, match: Match) -> int:
        shown_ms = self._play.last_throw.due_ms
        rest_ms = REST_MS if match.clock is None else 0  # nobody pays with his time for being watched
        rested_ms = max(self._play.decided_ms + rest_ms, 0 if shown_ms is None else shown_ms)
        return rested_ms if match.provisional is None else max(rested_ms, self._quiet_until_ms(match))

    def _quiet_until_ms(self, match: Match) -> int:
        last = match.history[-1].acted.at_ms if match.history else 0
        return max(self._play.monitor.changed_ms, last) + QUIET_MS

    # --- what may be done now ---------------------------------------------------------------------------------------

    def _match_to_decide(self) -> Match | None:
        """Return the match where a computer has to throw, to decide or to bid, and nothing hinders it."""
        play, match = self._play, self._play.match
        if match is None or not self._is_asked(match) or self._are_falling(match):
            return None
        is_free = not play.sealing.is_waiting and not play.monitor.asked
        if not is_free or self._dismissed_ms == play.monitor.changed_ms or not self._is_board_right():
            if self._tumbling_since_ms is not None:
                self._tumbling_since_ms, play.tumbling = None, ()
            return None
        return match

    def _is_asked(self, match: Match) -> bool:
        """Return whether a computer has something to do."""
        return match.program_decides or self._thinker(match) is not None or self._rings(match)

    def _are_falling(self, match: Match) -> bool:
        """Return whether dice are on their way."""
        is_at_once = isinstance(match.turn, Roll) and match.turn.at_once
        return is_at_once or self._thrown_revision == match.revision

    def _is_board_right(self) -> bool:
        monitor = self._play.monitor
        if not monitor.decision.has_board:
            return True
        return monitor.switches.linked and monitor.state is MonitorState.WATCHING and not monitor.is_unfinished()

    @staticmethod
    def _falling(match: Match, action: Action | None) -> tuple[int, ...]:
        """Return the dice that fall by what is done next."""
        if isinstance(match.turn, Roll):
            return match.turn.dice
        if action is None:
            return ()
        try:
            turn = match.game.turn(match.game.apply(match.state, action))
        except IllegalAction:
            return ()
        return turn.dice if isinstance(turn, Roll) and turn.at_once else ()
