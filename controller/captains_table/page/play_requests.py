"""The POST requests that play: answers, button presses, and moves on the simulated board.

Further requests choose dice, give words for the dice, replace a player, ask for advice, call the arbiter, restart the
timers, make the simulated switches noisy, or hold a lesson. An answer may also take the last move back. The number of
a seat's bids within a second is limited.
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from captains_table import catalog
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.games.contract import Bid, IllegalAction, Pick, PickAsk
from captains_table.page.handlers import RequestHandlers, redirect_after_post, refusing_as_problem
from captains_table.page.permissions import (
    check_answer,
    check_leads,
    check_turn,
    is_master_asking,
    refused_bid,
    requesting_seat,
)
from captains_table.phrases import listed, message, message_of, say
from captains_table.players.common.opponents import opponent_of
from captains_table.runtime.simulated_source import SimulatedHands
from captains_table.runtime.table import BidTooLate, StaleAnswer
from captains_table.simulation.page_hand import Handled
from captains_table.table.model.events import (
    AdviceAsked,
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    DieToggled,
    PlayerSeated,
    WordsGiven,
)
from captains_table.table.model.view import View
from captains_table.table.playing.answers import BoardUnclear
from captains_table.table.recognition.candidates import TAKE_BACK
from captains_table.web import request_reader
from captains_table.web.page_language import on_page
from captains_table.web.problems import Problem
from captains_table.web.scene import has_turn, may_take_back

MOST_BIDS: Final = 5
WITHIN_S: Final = 1.0


class BidPace:
    """Limits each seat to MOST_BIDS bids within WITHIN_S seconds.

    Args:
        now_s: returns the monotonic time in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._taken = defaultdict[int, deque[float]](lambda: deque(maxlen=MOST_BIDS))

    def takes(self, seat: int) -> bool:
        """Return whether a seat may bid now, and count the bid if so; a refused bid is not counted."""
        now_s, taken = self._now_s(), self._taken[seat]
        may = len(taken) < MOST_BIDS or taken[0] <= now_s - WITHIN_S
        if may:
            taken.append(now_s)
        return may


CONFLICTS: Final[Mapping[type[Exception], str]] = {
    StaleAnswer: say(
        "The table has moved on since this was shown, and nothing was done: look again and answer what is asked now."
    ),
    BidTooLate: say("Too late: the bell has rung, and the auction this was meant for is over. Nothing was bid."),
    BoardUnclear: say(
        "The pieces are still on the move, and nothing was done: finish the move or put it back, then answer again."
    ),
}
"""What a page is told whose answer came too late or too early."""


@dataclass(eq=False)
class PlayRequests(RequestHandlers):
    """The handlers of the POST requests by which people play.

    A request that was carried out gets status 204; the event streams send the changes to the pages. If the hand at the
    simulated board makes or refuses a move, the response says so.
    """

    _pace: BidPace = field(default_factory=lambda: BidPace(time.monotonic), init=False)

    async def answer(self, request: Request) -> Response | None:
        """Answer the current question, leave a question that the player opened, or take the last move back.

        An answer that is stale, a bid that is too late, and an answer that comes while pieces are moved are refused
        with status 409 and the page's current fragments. Any other refused answer raises Problem.
        """
        body = await request_reader.read_json(request)
        action, revision = request_reader.read_action(body), request_reader.read_revision(body)
        seat, view = requesting_seat(request, self.table), self.table.view()
        if is_master_asking(request):
            check_leads(view, action)
        is_back = action == Pick(TAKE_BACK) and revision == view.revision
        if is_back and (self._goes_back(view, seat) or self._undoes(view, seat)):
            return None
        is_stale = revision != view.revision and not isinstance(action, Bid)
        if seat is not None and not is_stale:  # a stale answer is refused below, from any seat
            check_answer(view, seat, action)
        if isinstance(action, Bid):
            self._check_pace(view, action)
        try:
            self.table.handle(Answered(action), revision)
        except tuple(CONFLICTS) as error:
            said = next(CONFLICTS[kind] for kind in type(error).__mro__ if kind in CONFLICTS)
            return self.watching.conflict(request, said)
        except IllegalAction as error:
            words = say("This does not answer what is asked: {reason}.", message_of(error))
            raise Problem(400, refused_bid(self.table.view(), action) or words) from error
        return None

    def _check_pace(self, view: View, bid: Bid) -> None:
        """Raise Problem for a bid of a seat that has bid too often within the last WITHIN_S seconds."""
        if bid.seat not in range(len(view.seats)) or self._pace.takes(bid.seat):
            return
        name = view.seats[bid.seat].called
        words = message("{name} bids too fast, and this bid was not taken: expected {most} a second at most.")
        raise Problem(429, say(words, name=name, most=MOST_BIDS))

    def _undoes(self, view: View, seat: int | None) -> bool:
        """Take the last move back if this seat may do so now; return whether the move was taken back.

        On a simulated board, put the moved pieces back. But if the table asks a question with taking back as one of the
        answers, do nothing: the request is then an answer to the question.
        """
        hands, ask = self.table.hands, view.ask
        if hands is None:
            may = may_take_back(view.undoes, seat)
        else:
            is_asked = isinstance(ask, PickAsk) and any(option.id == TAKE_BACK for option in ask.options)
            may = not is_asked and may_take_back(hands.physical().undoes, seat)
        if may and hands is not None:
            hands.take_back()
        elif may:
            self.table.handle(Answered(Pick(TAKE_BACK)), view.revision)
        return may

    def _goes_back(self, view: View, seat: int | None) -> bool:
        """Press the table's *back* button to leave a question that the player opened, if this seat may leave it now.

        Return whether the button was pressed.
        """
        may = view.goes_back and (seat is None or has_turn(view, seat))
        if may:
            self.table.handle(ButtonPressed(Button.BACK))
            self.table.handle(ButtonReleased(Button.BACK))
        return may

    async def button(self, request: Request) -> None:
        """Press or release one of the table's buttons."""
        name, way = request.path_params["button"], request.path_params["way"]
        if name not in set(Button):
            known = listed(list(Button), ",")
            raise Problem(404, say("There is no button {name}: expected one of {known}.", repr(name), known))
        if way not in {"press", "release"}:
            raise Problem(404, say("A button cannot {way}: expected press or release.", repr(way)))
        self.table.handle((ButtonPressed if way == "press" else ButtonReleased)(Button(name)))

    async def call_arbiter(self, request: Request) -> None:
        """Call the club's arbiter, or withdraw the call."""
        way = request.path_params["way"]
        if way not in {"call", "release"}:
            raise Problem(404, say("An arbiter cannot be {way}: expected call or release.", repr(way)))
        if self.table.matches.club.calls_arbiter is None:
            raise Problem(409, say("This table belongs to no club: expected a section [club] in its configuration."))
        self.table.matches.club.call_arbiter(wanted=way == "call")

    async def toggle(self, request: Request) -> None:
        """Mark a die to be kept, or remove the mark; raises Problem while the player may not choose dice."""
        self._check_turn(request)
        with refusing_as_problem(message("This is not asked now: {reason}")):
            self.table.handle(DieToggled(request_reader.read_number(request.path_params["die"])))

    async def give_words(self, request: Request) -> None:
        """Mix words of a player into the randomness of the dice; the page of a seat accepts only words of this seat."""
        seat, text = request_reader.read_words(await request_reader.read_json(request))
        own = requesting_seat(request, self.table)
        if own not in (None, seat):
            wrong = say("These words are of seat {seat}: expected words of your own seat, {own}.", seat, own)
            raise Problem(403, wrong)
        with refusing_as_problem(message("These words cannot be taken: {reason}")):
            self.table.handle(WordsGiven(seat, text))

    async def seat_player(self, request: Request) -> None:
        """Seat a computer or a person in place of a seat's player.

        The owner may do so at any seat, and a player only at the player's own seat.
        """
        seat, player = request_reader.read_seat_player(await request_reader.read_json(request))
        own = requesting_seat(request, self.table)
        if own not in (None, seat):
            wrong = say("That is seat {seat}: expected your own, {own}, or the table's owner.", seat, own)
            raise Problem(403, wrong)
        with refusing_as_problem(message("Nobody else plays on: {reason}"), (IllegalAction, NoSuchOpponent)):
            if player and self.table.session.match is not None:
                opponent_of(ComputerSeat.parsed(player), catalog.opponents_of(self.table.session.match.game.key))
            self.table.handle(PlayerSeated(seat, player))

    async def advise(self, request: Request) -> None:  # noqa: ARG002 - the address has no parameters
        """Show advice to the player who must decide."""
        self.table.handle(AdviceAsked())

    async def start_timers(self, request: Request) -> None:  # noqa: ARG002 - the address has no parameters
        """Restart the timers for bidding and acting; raises Problem if no match is being played.

        The owner can use this request to restart timers that the game master has stopped.
        """
        self.run_timers(run=True)

    async def begin_lesson(self, request: Request) -> Response | None:
        """Begin the lesson of a game, from the first step or from the step that the address names."""
        step = request.query_params.get("step", "1")
        if not step.isascii() or not step.isdecimal():
            raise Problem(400, say("A lesson has no step {step}: expected a number from 1.", repr(step[:40])))
        self.table.matches.begin_lesson(request.path_params["game"], int(step[:9]))
        return redirect_after_post(request, "/table")

    async def act_in_lesson(self, request: Request) -> None:
        """Go a step back in the lesson, do what the learner is to do, or leave the lesson, as the address says."""
        lesson, coach, way = self.table.session.teaches, self.table.view().coach, request.path_params["way"]
        if lesson is None or coach is None:
            raise Problem(409, say("No lesson is held: expected one to be begun first."))
        if way == "back":
            self.table.matches.begin_lesson(lesson.game, max(1, coach.step - 1))
        elif way == "show":
            self.table.handle(AdviceAsked())
        elif way == "leave":
            self.table.matches.leave(for_good=False)
        else:
            raise Problem(404, say("A lesson cannot {way}: expected back, show or leave.", repr(way[:40])))

    async def click(self, request: Request) -> Response | None:
        """Lift the piece on a square, or put the held piece there; see `PageHand.click`."""
        hands, body = self._hands(), await request_reader.read_json(request)
        square = request_reader.read_square(body, self.table.view().shape)
        self._check_turn(request)
        return self._told(lambda: hands.click(square, dropped=body.get("dropped") is True))

    async def take(self, request: Request) -> Response | None:
        """Pick up a piece from next to the board."""
        hands = self._hands()
        piece = request_reader.read_piece(await request_reader.read_json(request))
        self._check_turn(request)
        try:
            return self._told(lambda: hands.take(piece))
        except ValueError:
            beside = listed(hands.physical().beside, ",") or say("nothing at all")
            wrong = say("No {piece} lies beside the board: there is {others}.", repr(piece), beside)
            raise Problem(400, wrong) from None

    async def beside(self, request: Request) -> Response | None:
        """Put all held pieces down next to the board."""
        return self._told(self._holding_hands(request).put_beside)

    async def put_back(self, request: Request) -> None:
        """Put all held pieces back on their squares."""
        self._holding_hands(request).put_back()

    def _told(self, act: Callable[[], Handled | None]) -> Response | None:
        """Let the hand do something; return the response that tells of a move or a refusal, `None` if there is neither.

        A move is told with the revision before it, so that the page can press the clock once the move is accepted.
        """
        before = self.table.view().revision
        handled = act() or Handled([])
        if handled.refusal is not None:
            why, square = handled.refusal
            words = on_page(say("{sentence}.", why))
            return JSONResponse({"refused": words, "square": str(square or "")})
        return JSONResponse({"moved": before}) if handled.made else None

    def _holding_hands(self, request: Request) -> SimulatedHands:
        """Return the simulated hands; raises Problem if they are empty, or it is another seat's turn."""
        self._check_turn(request)
        hands = self._hands()
        if not hands.physical().hand:
            raise Problem(400, say("The hand is empty: expected a piece to be lifted first."))
        return hands

    async def set_up(self, request: Request) -> None:  # noqa: ARG002 - the address has no parameters
        """Set every piece of the simulated board on the square where the table expects the piece."""
        self._hands().set_up()

    async def make_noisy(self, request: Request) -> None:
        """Switch the simulated bouncing and noise of the reed switches on or off."""
        hands = self._hands()
        state = request.path_params["state"]
        if state not in {"on", "off"}:
            raise Problem(404, say("Noise cannot be {state}: expected on or off.", repr(state)))
        hands.make_noisy(noisy=state == "on")

    def _check_turn(self, request: Request) -> None:
        """Check that a request comes from the owner, or from the page of the seat that must act; raises Problem."""
        seat = requesting_seat(request, self.table)
        if seat is not None:
            check_turn(self.table.view(), seat)

    def _hands(self) -> SimulatedHands:
        """Return the simulated hands; raises Problem if the table has a real board or no board."""
        hands = self.table.hands
        if hands is None:
            no_board = say("This table has no board: pick the move.")
            real_board = say("This table has a real board: move the pieces there.")
            raise Problem(404, no_board if self.table.view().boardless else real_board)
        return hands
