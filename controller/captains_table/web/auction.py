"""An auction as pages show it: everybody's bids, and the bids that the page's user may make."""

from typing import Any, Final

from captains_table.games.contract import Auction, KeptOut
from captains_table.phrases import say
from captains_table.table.model.view import View

OUT: Final = KeptOut(-1, say("out"))
"""The reason why a player may not bid, if the game gives no reason."""

RAISES: Final = (1, 5)
"""The amounts by which the large buttons outbid the highest bid."""


def auction_shown(view: View, auction: Auction, seat: int | None) -> dict[str, Any]:
    """Return the values for the template of an auction.

    Args:
        view: the current view of the table.
        auction: the running auction.
        seat: the seat of the page's user; the values then offer only this seat's bids. `None` if several people share
            the page; the values then offer the bids of all people who may bid.
    """
    highest = max((each.bid for each in view.seats), default=0)
    may_bid = [each for each in auction.bidders if not view.seats[each.seat].is_absent]
    bidders = [bidder for bidder in may_bid if seat in (None, bidder.seat)]
    least, most = min((each.least for each in bidders), default=0), max((each.most for each in bidders), default=0)
    return {
        "kind": "auction",
        "prompt": auction.prompt,
        "standing": [_line(view, auction, number, own=number == seat) for number in range(len(view.seats))],
        "highest": highest,
        "own_bid": 0 if seat is None else view.seats[seat].bid,
        "why_not": "" if seat is None else auction.why_not(seat),
        "alone": [each.seat for each in auction.bidders] == [seat] and highest == view.seats[seat or 0].bid,
        "computers_bid": bool(auction.bidders) and not may_bid,
        "bidders": [
            {"seat": each.seat, "name": view.seats[each.seat].called, "least": each.least, "most": each.most}
            for each in bidders
        ],
        "least": least,
        "most": most,
        "proposed": min(max(least, highest + 1), most),
        "raises": [(f"+{more}", highest + more) for more in RAISES],
    }


def _line(view: View, auction: Auction, number: int, *, own: bool) -> dict[str, Any]:
    """Return the values of a seat's line in the list of bids.

    They are the player's name, the bid, the highest permitted bid, and three flags: whether the seat may bid or has
    bid, whether the seat leads, and whether the page belongs to the seat. The last value is the reason shown for a
    seat that neither may bid nor has bid.
    """
    seat, bidder = view.seats[number], auction.bidder(number)
    return {
        "name": seat.called,
        "bid": seat.bid,
        "most": seat.bid if bidder is None else bidder.most,
        "may_bid": bidder is not None or bool(seat.bid),
        "leads": number in view.leading,
        "own": own,
        "kept_out": next((each for each in auction.kept_out if each.seat == number), OUT),
    }
