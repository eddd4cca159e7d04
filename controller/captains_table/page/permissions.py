"""Permissions: for which seat a request acts, what the request may do, and why a bid was refused."""

from typing import Final

from starlette.requests import Request

from captains_table.games.contract import PRESS_CLOCK, Action, Auction, Bell, Bid, IllegalAction, Pick
from captains_table.phrases import message, say
from captains_table.runtime.table import Table
from captains_table.table.lobby.table_screens import TABLE
from captains_table.table.model.view import Phase, View
from captains_table.table.prompts.asks import MASK, PUT_RIGHT
from captains_table.table.recognition.candidates import TAKE_BACK
from captains_table.web.problems import Problem
from captains_table.web.scene import has_turn
from captains_table.web.security import ANSWER_PATH, NOT_FOR_SEATS

MASTER_PAGE: Final = "master"
NO_LINKS: Final = say(
    "This page is for this machine alone and has no links to seats: expected one that others can reach."
)
_INVALID: Final = say(
    "This link opens no seat, or no longer: the match is over or left, or the link was replaced. Expected the one that "
    "the table's owner finds under Seats."
)


def requesting_seat(request: Request, table: Table) -> int | None:
    """Return the seat for which a request acts; `None` for the owner or the game master, who act for any seat.

    A request from a seat's page acts for that seat even if the owner sends it. Raises Problem if the key that the
    request needs is missing or wrong.
    """
    if is_master_asking(request):
        check_master(request)
        return None
    if request.scope["may_touch"] and request.query_params.get("page") != "seat":
        return None
    return seat_of_key(request, table)


def is_master_asking(request: Request) -> bool:
    """Return whether a request is an answer sent from the game master's page; `check_master` checks its key."""
    return request.query_params.get("page") == MASTER_PAGE and request.url.path == ANSWER_PATH


def seat_of_key(request: Request, table: Table) -> int:
    """Return the seat whose key a request carries; raises Problem if its key opens no seat."""
    keys, key = table.seats, request.scope["seat_key"]
    if keys is None:
        raise Problem(403, NO_LINKS)
    seat = None if key is None else keys.seat_of(key)
    if seat is None:
        raise Problem(403, _INVALID)
    return seat


def check_master(request: Request) -> None:
    """Check that a request carries the game master's key; raises Problem."""
    if not request.scope["is_master"]:
        raise Problem(403, say("This is the game master's: expected the address that the table printed for him."))


def check_leads(view: View, action: Action) -> None:
    """Check that the game master may give an answer; raises Problem.

    The game master may answer while a match is played, and may take the last move back even after the match is over.
    Only the owner may give answers that belong to the table's own menu or choose the next match.
    """
    takes_back = action == Pick(TAKE_BACK) and view.undoes is not None
    is_of_table = isinstance(action, Pick) and action.id.startswith(TABLE)
    if (view.phase in {Phase.IDLE, Phase.OVER} or is_of_table) and not takes_back:
        raise Problem(403, say("No match is played: expected the table's owner to say what comes next."))


def check_played(view: View) -> None:
    """Check that a match is being played; raises IllegalAction otherwise."""
    if view.phase in {Phase.IDLE, Phase.OVER}:
        raise IllegalAction(say("no match is played now: expected one to be started, or taken up again"))


def check_turn(view: View, seat: int) -> None:
    """Check that it is a seat's turn to decide or throw; raises Problem if it is not."""
    if not has_turn(view, seat):
        who = view.seats[view.seat].called if view.seat is not None and view.seat < len(view.seats) else None
        words = (
            message("{name} is not: {other} is to act now. Expected you to wait for your turn.")
            if who
            else message(
                "{name} is not: nothing is to be decided by one player now. Expected you to wait for your turn."
            )
        )
        raise Problem(403, say(words, name=view.seats[seat].called, other=who or ""))


def check_throw(view: View, seat: int, revision: int | None) -> None:
    """Check that a seat may press the roll button; raises Problem.

    It must be the seat's turn. A throw must be due, or the view at this revision must offer a throw or the press of
    the clock.

    Args:
        view: the current view of the table.
        seat: the seat that throws.
        revision: the revision of the view that offered the throw or the press of the clock, so that a second tap does
            not throw twice; `None`: only a due throw is allowed.
    """
    check_turn(view, seat)
    if view.ask is None and not view.wrong and view.phase is Phase.PLAYING:
        return
    if revision is None:
        raise Problem(403, say("No throw is due: expected an answer to what is asked, or the board to be put right."))
    if revision != view.revision:
        raise Problem(409, say("The table has moved on since this was shown, and nothing was thrown: look again."))
    presses_clock = any(option.id == PRESS_CLOCK.id for option in view.options)
    if not (view.roll.possible and (view.roll.dice or presses_clock)):
        why = view.roll.why or say("something is asked")
        raise Problem(403, say("No throw is due: {reason}. Expected that first.", why))


def check_answer(view: View, seat: int, action: Action) -> None:
    """Check that a seat may give an answer; raises Problem.

    The table itself checks whether the answer fits the table's question.
    """
    match action:
        case Bid(bidder, _):
            if bidder != seat:
                raise Problem(
                    403, say("This bid is of seat {other}: expected one of your own seat, {seat}.", bidder, seat)
                )
        case Bell():
            raise Problem(403, say("The bell is nobody's seat: expected it to be rung at the table."))
        case Pick(id_) if any(call.id == id_ for call in view.calls):
            pass  # every seat may, at any time
        case Pick(id_) if id_ == TAKE_BACK and view.undoes not in {None, seat}:
            raise Problem(403, say("This move is somebody else's: expected him to take it back, or the table's owner."))
        case Pick(id_) if id_.startswith(TABLE):
            raise Problem(403, NOT_FOR_SEATS)
        case Pick(id_) if id_.startswith(MASK) or id_ == PUT_RIGHT.id:
            raise Problem(403, say("Switches are the table's: expected this to be answered there."))
        case _:
            if isinstance(view.ask, Auction):
                raise Problem(403, say("Several may bid now: expected a bid of your own seat."))
            check_turn(view, seat)


def refused_bid(view: View, action: Action) -> str:
    """Return a sentence that says why a seat's bid was refused, and which bid was expected.

    Empty if the action is no bid, if no auction is running, and for a seat that does not exist.
    """
    if not isinstance(action, Bid) or not isinstance(view.ask, Auction) or action.seat not in range(len(view.seats)):
        return ""
    name, bidder = view.seats[action.seat].called, view.ask.bidder(action.seat)
    if bidder is None:
        why = view.ask.why_not(action.seat)
        if not why:
            return say("{name} may not bid now: expected a bid of somebody who may.", name)
        return say("{name} may not bid now, {reason}: expected a bid of somebody who may.", name, why)
    return say(
        "{bid} is no bid of {name} now: expected a bid of {name} from {least} to {most}.",
        action.value,
        name,
        bidder.least,
        bidder.most,
    )
