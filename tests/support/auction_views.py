"""Auctions on the glass, for pictures that somebody looks at."""

from captains_table.games.contract import Auction, Bidder, Die
from captains_table.table.model.view import Menu, MenuEntry, Phase, SeatView, View

NAMES = ("Anne", "Bart", "Cora")
BIDDING = View(
    phase=Phase.PLAYING,
    game="harbour-auction",
    title="Harbour Auction",
    heading="Chest 1 of 2",
    prompt=("Bid for 6 gold",),
    seats=tuple(SeatView(name, {"bid": bid, "gold": 9}, bid < 9) for name, bid in zip(NAMES, (0, 9, 2), strict=True)),
    dice=(Die(3),),
    ask=Auction("Bid for 6 gold", (Bidder(0, 1, 9), Bidder(2, 3, 9)), 60_000),
    menu=Menu(
        (
            MenuEntry("bid-0", "Anne: bid 1…"),
            MenuEntry("bid-2", "Cora: bid 3…"),
            MenuEntry("bell", "Ring the bell"),
        ),
        1,
    ),
    bell_seconds=42,
)
ON_TIME = View(
    phase=Phase.PLAYING,
    game="harbour-auction",
    title="Harbour Auction",
    heading="Turn 3",
    prompt=("Bid to act",),
    seats=tuple(SeatView(name, {"gold": 9}, on_turn=True, seconds_left=300) for name in NAMES[:2]),
    ask=Auction("Bid to act", (Bidder(0, 1, 9), Bidder(1, 1, 9))),
    menu=Menu((MenuEntry("1", "Bart: bid 1"), MenuEntry("2", "Bart: bid 2"), MenuEntry("back", "Back")), 0),
)
AUCTION_VIEWS = {"auction": BIDDING, "auction-among-clocks": ON_TIME}
