"""What computers think for a table: their own turns, at a pace that people can follow, and advice to players.

The program around the table computes decisions and most advice: it calls `question` for what is pending, and passes the
answer to `take`. Throws that are due need no decision. A computer acts so:

 1. If the last move may still be changed, the computer waits until the board has been quiet for `QUIET_MS`. If the
    last move is still ambiguous by then, the table first asks which move was made. Therefore, correcting the last
    move never takes back a throw.
 2. Before each action the computer waits for `REST_MS`, but not in a match with a clock. Before a decision on a throw
    it waits half as long again, because people want to read the throw, and in an auction twice as long, because they
    want to see who bids what. It also waits until the last throw is no longer shown. The dice that the computer throws
    tumble for `TUMBLE_MS` before they fall.
 3. The computer does nothing while the board differs from the match, or while a person must still make the computer's
    move.
 4. In an auction, a computer that passes is asked again only after another bid. If only computers may bid and all
    have passed, the bell is rung.

All these times are those of the usual pace; the table's pace makes them shorter or longer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from captains_table.games.contract import Action, Auction, Bell, Bid, Decide, IllegalAction, Roll, Rolled
from captains_table.phrases import say
from captains_table.table.lessons.lesson_game import lesson_of, told_action
from captains_table.table.model.entries import Advised
from captains_table.table.model.events import ThrowDice
from captains_table.table.model.match import Match
from captains_table.table.model.view import THINKING, Hint
from captains_table.table.recognition.board_monitor import MonitorState

if TYPE_CHECKING:
    from captains_table.table.playing.match_play import MatchPlay

QUIET_MS: Final = 1500
TUMBLE_MS: Final = 800
REST_MS: Final = 900


@dataclass(frozen=True, slots=True)
class ThinkRequest:
    """A decision or advice that a computer must compute.

    Attributes:
        computer: the computer that decides, such as `aether:3`; empty if advice is wanted.
        seat: the seat that must decide.
        revision: the revision of the match; at any other revision the answer is ignored.
    """

    computer: str
    seat: int
    revision: int


def passing_bid(seat: int) -> Bid:
    """Return the answer of a computer that passes in an auction; a bid of 0 stands for the pass."""
    return Bid(seat, 0)


class ComputerTurn:
    """Carries out the turns of the computers at one table.

    Args:
        play: the match in progress.
    """

    def __init__(self, play: "MatchPlay") -> None:
        self._play = play
        self._answer: Action | None = None
        self._tumbling_since_ms: int | None = None
        self._thrown_revision: int | None = None  # the revision at which its dice were thrown
        self._dismissed_ms: int | None = None  # the board's last change before a question was left unanswered
        self._passed: set[int] = set()  # the seats that pass until another player bids

    def forget(self) -> None:
        """Discard everything about the current decision, for example when a new decision begins."""
        self._answer = self._tumbling_since_ms = self._dismissed_ms = self._thrown_revision = None
        self._passed.clear()

    # --- thinking ---------------------------------------------------------------------------------------------------

    def question(self) -> ThinkRequest | None:
        """Return the decision that a computer must compute now.

        `None` if no computer must decide, if the decision was computed already, or while the last move is not certain
        enough (`_is_certain`).
        """
        match = self._play.match
        seat = None if match is None or lesson_of(match.game) else self._thinking_seat(match)
        if match is None or seat is None or self._answer is not None or not self._is_certain(match):
            return None
        return ThinkRequest(match.seating.sitter(seat), seat, match.revision)

    def take(self, revision: int, action: Action) -> None:
        """Accept a computer's answer if the match still waits for one at this revision; `advance` carries it out.

        A computer that passes in an auction is not asked again until another player bids.

        Raises:
            IllegalAction: the match does not allow the answer; nothing was changed.
        """
        match = self._play.match
        seat = None if match is None else self._thinking_seat(match)
        if match is None or seat is None or match.revision != revision:
            return
        if isinstance(match.turn, Auction) and action == passing_bid(seat):
            self._passed.add(seat)
        else:
            match.game.apply(match.state, action)
            self._answer = action

    def _thinking_seat(self, match: Match) -> int | None:
        """Return the seat whose computer must think now; `None` if no computer must think.

        In an auction, return the first bidder that is played by a computer and has not passed.
        """
        match match.turn:
            case Decide(seat=seat) if match.absent_decides:
                return seat
            case Auction() as auction if match.computers_think:
                may_bid = (bidder.seat for bidder in auction.bidders if bidder.seat not in self._passed)
                return next((seat for seat in may_bid if match.seating.is_program(seat)), None)
            case _:
                return None

    def _rings(self, match: Match) -> bool:
        """Return whether the bell must be rung because only computers may bid and all of them have passed."""
        if not isinstance(match.turn, Auction) or not match.computers_think or lesson_of(match.game):
            return False
        has_program = any(match.seating.is_program(seat) for seat in range(len(match.names)))
        return has_program and all(bidder.seat in self._passed for bidder in match.turn.bidders)

    def _is_certain(self, match: Match) -> bool:
        """Return whether the last move is certain enough for a computer to begin to think.

        The last move is certain enough if it is final, or if the board has been quiet for `QUIET_MS` and nothing
        prevents the computer from acting.
        """
        is_quiet = self._play.now_ms >= self._quiet_until_ms(match)
        return match.provisional is None or (is_quiet and self._match_to_decide() is not None)

    # --- time -------------------------------------------------------------------------------------------------------

    def due_ms(self) -> int | None:
        """Return when `advance` must be called next.

        `None` if no computer must act, if something prevents the computer from acting, or while it thinks.
        """
        match = self._match_to_decide()
        if match is None:
            return None
        begins_ms = self._begins_ms(match)
        if isinstance(match.turn, Decide | Auction) and self._answer is None and not self._rings(match):
            waits = match.provisional is not None and self._play.now_ms < begins_ms
            return begins_ms if waits else None  # at begins_ms it may begin to think
        if self._tumbling_since_ms is not None:
            return max(begins_ms, self._tumbling_since_ms + self._play.settings.paced_ms(TUMBLE_MS))
        return begins_ms

    def advance(self) -> None:
        """Take the next step of the computer's turn, if nothing prevents it.

        The step is a question about an ambiguous last move, the tumbling of dice, a throw, the computer's action, or
        the bell.
        """
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
            play.add([ThrowDice(len(match.turn.dice))])
        elif action is not None:
            self.forget()
            play.act(action)
        elif self._rings(match):
            self.forget()
            play.act(Bell())

    def _go_on(self) -> None:
        """Let the turn continue after the question about the board has been answered."""
        self._dismissed_ms = None

    def _begins_ms(self, match: Match) -> int:
        shown_ms = self._play.last_throw.due_ms
        # on a clock, a pause would cost the player time
        has_thrown = bool(match.history) and isinstance(match.history[-1].acted.action, Rolled)
        is_read = has_thrown and not isinstance(match.turn, Roll)  # a throw that only another follows is soon seen
        halves = 4 if isinstance(match.turn, Auction) else 3 if is_read else 2
        rest_ms = self._play.settings.paced_ms(REST_MS * halves // 2) if match.clock is None else 0
        rested_ms = max(self._play.decided_ms + rest_ms, 0 if shown_ms is None else shown_ms)
        return rested_ms if match.provisional is None else max(rested_ms, self._quiet_until_ms(match))

    def _quiet_until_ms(self, match: Match) -> int:
        last = match.history[-1].acted.at_ms if match.history else 0
        return max(self._play.monitor.changed_ms, last) + self._play.settings.paced_ms(QUIET_MS)

    # --- what may be done now ---------------------------------------------------------------------------------------

    def _match_to_decide(self) -> Match | None:
        """Return the match if a computer must act and nothing prevents it, else `None`.

        If something prevents the computer from acting, its dice stop tumbling.
        """
        play, match = self._play, self._play.match
        if match is None or not self._is_asked(match) or self._are_falling(match):
            return None
        is_free = not play.sealing.is_waiting and not play.monitor.asked
        if not is_free or self._dismissed_ms == play.monitor.changed_ms or not self._is_board_right():
            if self._tumbling_since_ms is not None:
                self._tumbling_since_ms, play.tumbling = None, ()
            return None
        self._answer = self._answer or told_action(match)
        return match

    def _is_asked(self, match: Match) -> bool:
        """Return whether a computer must throw, decide, bid or ring the bell, or a lesson does something by itself."""
        return (
            told_action(match) is not None
            or match.absent_decides
            or self._thinking_seat(match) is not None
            or self._rings(match)
        )

    def _are_falling(self, match: Match) -> bool:
        """Return whether dice were thrown and their faces are not known yet."""
        is_at_once = isinstance(match.turn, Roll) and match.turn.at_once
        return is_at_once or self._thrown_revision == match.revision

    def _is_board_right(self) -> bool:
        monitor = self._play.monitor
        if not monitor.decision.has_board:
            return True
        return monitor.switches.linked and monitor.state is MonitorState.WATCHING and not monitor.is_unfinished()

    @staticmethod
    def _falling(match: Match, action: Action | None) -> tuple[int, ...]:
        """Return the dice, numbered from 1, of the throw that is due or that directly follows the action."""
        if isinstance(match.turn, Roll):
            return match.turn.dice
        if action is None:
            return ()
        try:
            turn = match.game.turn(match.game.apply(match.state, action))
        except IllegalAction:
            return ()
        return turn.dice if isinstance(turn, Roll) and turn.at_once else ()


AdviceFunction = Callable[[str, Any], Hint | None]
NO_ADVICE: Final = Hint(say("No advice on this"))


class Advising:
    """Gives advice when the player who must decide asks for it.

    Args:
        play: the match in progress.
        adviser: called with a game's key and state; returns the advice, `None` if there is none, or `THINKING` if a
            background worker computes the advice and delivers it to `take`.

    Attributes:
        hint: the advice that is shown, or `THINKING`, or `NO_ADVICE`; `None` if nothing is shown, for example because a
            new decision began.
    """

    def __init__(self, play: "MatchPlay", adviser: AdviceFunction) -> None:
        self._play = play
        self._adviser = adviser
        self.hint: Hint | None = None

    def advise(self) -> None:
        """Show advice on the current decision and record the advice in the journal; in a lesson, do what is wanted.

        Nothing happens if no person must decide, or if advice on this decision was asked for already. If a background
        worker computes the advice, show `THINKING` until `take` receives the advice.
        """
        match = self._play.match
        if match is not None and lesson_of(match.game) is not None:
            self._play.show_lesson(match)
            return
        if match is None or not isinstance(match.turn, Decide) or self.hint is not None or match.absent_decides:
            return
        hint = self._adviser(match.game.key, match.state)
        if hint is THINKING:
            self.hint = hint
        else:
            self._show(match, match.turn.seat, hint)

    def question(self) -> ThinkRequest | None:
        """Return the pending request to the background worker that computes advice; `None` if there is none."""
        match = self._play.match
        if match is None or self.hint is not THINKING or not isinstance(match.turn, Decide):
            return None
        return ThinkRequest("", match.turn.seat, match.revision)

    def take(self, revision: int, hint: Hint | None) -> None:
        """Show advice that a background worker computed, if advice is still pending at this revision."""
        match = self._play.match
        if match is None or self.hint is not THINKING or match.revision != revision:
            return
        if isinstance(match.turn, Decide):
            self._show(match, match.turn.seat, hint)

    def _show(self, match: Match, seat: int, hint: Hint | None) -> None:
        """Show advice and record it in the journal and the log; for `None`, only show that there is no advice."""
        self.hint = hint or NO_ADVICE
        if hint is not None:
            self._play.record(Advised(seat, match.revision, hint.words))
            self._play.event_log.advise(match, seat, hint.words)
