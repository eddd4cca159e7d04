"""Accepts answers to the game's questions and to questions about the board and its switches; presses the clock.

An answer may also take a move back, or be an action of the game master. If an answer would make an ambiguous last move
final, the table first asks which move was made.
"""

from collections.abc import Sequence

from captains_table.games.contract import (
    PRESS_CLOCK,
    THROW_AGAIN,
    Action,
    Auction,
    Bell,
    Bid,
    Decide,
    IllegalAction,
    Keep,
    MasterAction,
    Pick,
    PickAsk,
    Turn,
    check_auction,
)
from captains_table.phrases import say
from captains_table.table.model.events import TurnBoard
from captains_table.table.model.match import Match
from captains_table.table.playing.match_play import MatchPlay
from captains_table.table.prompts.asks import MASK, PUT_RIGHT, STILL_MOVING, TURN_BOARD, ask_now, offered_rivals
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate, leads_to, options_of


class BoardUnclear(IllegalAction):
    """An answer is refused while a move is unfinished or another answer waits; the player may repeat it later."""


class Answers:
    """Accepts answers from the page and from the menu."""

    def __init__(self, play: MatchPlay) -> None:
        self._play = play

    def answer(self, action: Action) -> None:
        """Accept an answer to a question, a take-back, or an action that is allowed regardless of the turn.

        If the answer would make an ambiguous last move final, the answer waits until the players say which move was
        made.

        Raises:
            IllegalAction: the answer is not allowed now; the answer changed nothing.
            BoardUnclear: a move is unfinished, or another answer waits for the players to say which move was made; this
                answer changed nothing.
        """
        play = self._play
        match = play.current_match()
        if self.answer_about_board(action):
            return
        if action == Pick(TAKE_BACK) and (step := play.undoable() or match.answered_move) is not None:
            play.undo(step)
            return
        if not (isinstance(action, MasterAction) or match.is_call(action)):  # these are allowed regardless of the turn
            self._check_decides(match, action)
        self._finish_move(match, action)
        if self._must_ask_first(match, action):
            if play.sealing.is_owed:
                raise BoardUnclear(
                    say("an answer waits until it is said what was done on the board: expected that first")
                )
            if play.asks_first(lambda: self._do(action), owed=self._is_one_of_many(match, action)):
                return
        self._do(action)

    def _finish_move(self, match: Match, action: Action) -> None:
        """Let the board be judged before an action; raise BoardUnclear if the auction that it was meant for is gone.

        When the move before an auction is taken back, the auction goes with it. A bell would pass, now that a player
        acts again.
        """
        was_auction = isinstance(match.turn, Auction)
        self._play.finish_move()
        if was_auction and not isinstance(match.turn, Auction) and isinstance(action, Bid | Bell):
            raise BoardUnclear(say("the move before this auction was taken back: expected the next move first"))

    @staticmethod
    def _is_one_of_many(match: Match, action: Action) -> bool:
        """Return whether other people may act while an action waits; if so, no later action may replace it.

        Other people may act in an auction. They may also act if the waiting action is an action of the game master, or
        picks an option that any player may pick regardless of the turn.
        """
        return isinstance(action, MasterAction) or isinstance(match.turn, Auction) or match.is_call(action)

    @staticmethod
    def _check_decides(match: Match, action: Action) -> None:
        """Raise IllegalAction if a computer must decide now, or if the action is a bid for a computer's seat."""
        if isinstance(action, Bid) and match.is_absent(action.seat):
            name = match.called(match.state)[action.seat]
            raise IllegalAction(say("{name} is a computer and bids by itself: expected a bid of a person", name))
        if match.absent_decides and match.seat is not None:
            name = match.called(match.state)[match.seat]
            raise IllegalAction(
                say("{name} is a computer and answers by itself: expected its turn to be over first", name)
            )

    def _do(self, action: Action) -> None:
        """Carry out an answer without asking about the board first.

        Raises:
            IllegalAction: the answer is not allowed now.
            BoardUnclear: the last move may still be changed, and pieces are being moved.
        """
        play = self._play
        if play.match is None or (action == Pick(PRESS_CLOCK.id) and self.press_clock()):
            return
        is_answer = play.match.provisional is not None and not play.match.is_on_board(action)
        if is_answer and play.monitor.is_unfinished():  # it would seal a move that hands may be about to change
            play.monitor.force(play.now_ms)
            raise BoardUnclear(say("the board is not clear yet: expected the move to be finished or put back first"))
        turn = play.match.turn
        if isinstance(action, Keep) and isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
            self._keep_from_pick(play.match, action)
        else:
            play.act(action)

    def choose(self, action: Action) -> None:
        """Accept a choice from the menu; raises IllegalAction.

        If the choice would make an ambiguous last move final, the table first asks which move was made. While a move is
        unfinished, a choice other than a move on the board is not carried out. The table then judges the board at once.
        """
        play = self._play
        if self.answer_about_board(action):
            return
        if play.match:
            self._finish_move(play.match, action)
        if play.match and self._must_ask_first(play.match, action) and play.asks_first(lambda: self._do_chosen(action)):
            return
        self._do_chosen(action)

    def _do_chosen(self, action: Action) -> None:
        play = self._play
        if play.monitor.is_unfinished() and not (play.match and play.match.is_on_board(action)):
            play.monitor.force(play.now_ms)
        else:
            play.act(action)

    def answer_about_board(self, action: Action) -> bool:
        """Carry out an action if it answers a question about the board or a switch; return whether it does."""
        play, monitor = self._play, self._play.monitor
        if not isinstance(action, Pick):
            return False
        if action.id == TURN_BOARD.id and monitor.may_lie_turned():
            play.add([TurnBoard()])
            return True
        offered = monitor.asked or self._open_stories()
        if offered and action.id == STILL_MOVING.id:
            play.dismiss()
            return True
        meant = next((candidate for candidate in offered if candidate.id == action.id), None)
        if meant is None:
            return bool(monitor.suspects()) and self._answer_about_switch(action)
        if meant.footprint.changed:
            play.accept(meant)
        monitor.settle()
        play.sealing.carry_out()
        return True

    def _open_stories(self) -> Sequence[Candidate]:
        """Return the possible explanations of the board; a player may choose one of them even before the table asks.

        While the last move may still be changed, the result leaves out explanations that the game's current question
        already offers as options.
        """
        match, stories = self._play.match, self._play.monitor.stories()
        return stories if match is not None and match.provisional is None else offered_rivals(stories, ask_now(match))

    def _must_ask_first(self, match: Match, action: Action) -> bool:
        """Return whether the table must ask about an ambiguous last move before it carries out an action.

        The table must ask if the action makes the last move final, and does not show which move was made.
        """
        confirms_it = match.provisional is None and match.is_on_board(action)
        return not confirms_it and self._seals(match, action) and not self._confirms_move(match, action)

    def _confirms_move(self, match: Match, action: Action) -> bool:
        """Return whether an answer confirms the last move.

        Two conditions must be met. The chosen option says which move was made (`says_move`). No other move
        that would explain the board leads to a turn that offers the option.
        """
        option, last = match.offered(action), match.provisional
        if option is None or not option.says_move or last is None:
            return False
        believed = self._play.monitor.decision.believed()
        rivals = (story for story in self._play.monitor.stories() if believed is None or story.id != believed.id)
        return not any(leads_to(match, last, rival, option) for rival in rivals)

    def _seals(self, match: Match, action: Action) -> bool:
        """Return whether an action makes the last move final; false for an action that is not allowed now."""
        option = match.offered(action)
        if option is not None:
            return option.seals
        return not isinstance(action, Pick) and _fits_auction(match.turn, action)

    def _answer_about_switch(self, pick: Pick) -> bool:
        """Carry out a pick if it answers the question about a suspect switch; return whether it was carried out.

        One possible answer declares the switch broken; the switch is then masked. The other possible answer says that
        the board is being put right.
        """
        play = self._play
        broken = [square for square in play.monitor.suspects() if pick.id == f"{MASK}{square}"]
        for square in broken:
            play.mask(square)
        if pick.id == PUT_RIGHT.id:
            play.monitor.put_off_doubt(play.now_ms)
        return bool(broken) or pick.id == PUT_RIGHT.id

    def asks_press(self) -> bool:
        """Return whether a press of the clock is due."""
        ask = ask_now(self._play.match)
        return isinstance(ask, PickAsk) and PRESS_CLOCK in ask.options

    def press_clock(self) -> bool:
        """Press the clock if it may be pressed now, and return whether it was pressed."""
        may_press = self.may_press_clock()
        if may_press:
            self._play.act(Pick(PRESS_CLOCK.id))
        return may_press

    def may_press_clock(self) -> bool:
        """Return whether the clock may be pressed now: a press is due, and the move before it is finished.

        Pieces that the opponent has lifted already for the next move do not matter. The clock may not be pressed while
        the table asks about the board, or while the board must first be made like the match.
        """
        match, monitor = self._play.match, self._play.monitor
        if (
            match is None
            or not self.asks_press()
            or monitor.state not in (MonitorState.WATCHING, MonitorState.RECOVERING)
        ):
            return False
        if not monitor.is_unfinished():
            return True
        following = options_of(match.game, match.game.apply(match.state, Pick(PRESS_CLOCK.id)))
        return monitor.decision.has_begun(following)

    def _keep_from_pick(self, match: Match, keep: Keep) -> None:
        """Pick the option `throw-again`, and answer the question that follows: which dice to keep.

        If the game does not ask this question, the chosen dice are ignored. Raises IllegalAction.
        """
        pick = Pick(THROW_AGAIN.id)
        opened = match.game.apply(match.state, pick)
        chooses = isinstance(match.game.turn(opened), Decide)
        if chooses:
            match.game.apply(opened, keep)  # raises before anything is recorded
        self._play.act(pick)
        if chooses:
            self._play.act(keep)


def _fits_auction(turn: Turn, action: Action) -> bool:
    """Return whether the rules of auctions allow an action now (see `check_auction`)."""
    try:
        check_auction(turn, action)
    except IllegalAction:
        return False
    return True
