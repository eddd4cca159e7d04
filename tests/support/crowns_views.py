"""Crowns on the glass, with fourteen players and with four, for pictures that somebody looks at."""

from dataclasses import replace

from captains_table.games.contract import (
    Auction,
    Bidder,
    EventKind,
    GameEvent,
    Option,
    PickAsk,
    Shape,
    Thing,
    Whereabouts as At,
    parse_square,
)
from captains_table.table.model.view import Menu, MenuEntry, Phase, SeatView, View

NAMES = (
    *("Anne", "Bartholomew", "Cora", "Dirk", "Esmeralda", "Finn", "Greta"),
    *("Hugo", "Ines", "Jack Rackham", "Kate", "Long John Silver", "Mary", "Ned"),
)
PLACES = ("d4", "reserve", "prison", "a1", "g7", "reserve", "prison", "reserve", "c2", "b6", "d7", "prison", "e5", "f1")
WORN = {4: (Thing.WHITE_CROWN,)}
BOTH = (Thing.WHITE_CROWN, Thing.BLACK_CROWN)
BIDS = (0, 2, 3, 12, 1, 0, 3, 4, 1, 0, 3, 12, 1, 2)
GOLD = (10, 9, 12, 21, 6, 115, 8, 7, 15, 6, 11, 18, 7, 6)
SEATS = tuple(
    SeatView(
        name,
        {"value": 3, "level": 0, "cards": 0, "gold": GOLD[seat]},
        on_turn=seat > 0,
        bid=BIDS[seat],
        at=At(PLACES[seat], WORN.get(seat, ())),
    )
    for seat, name in enumerate(NAMES)
)
BIDDERS = tuple(Bidder(seat, BIDS[seat] + 1, GOLD[seat]) for seat in range(1, 14))
AUCTION = View(
    phase=Phase.PLAYING,
    game="crowns",
    title="Crowns",
    heading="Turn 12",
    prompt=("Bid for the turn",),
    seats=SEATS,
    shape=Shape(7, 7),
    things={parse_square("d4"): (Thing.HALF_PRICE,), parse_square("d7"): (Thing.BLACK_CROWN,)},
    ask=Auction("Bid for the turn", BIDDERS, 60_000, BIDS),
    menu=Menu(
        (
            MenuEntry("bid-1", "Bartholomew: raise to 3\u2026"),
            *(MenuEntry(f"bid-{seat}", f"{NAMES[seat]}: bid {BIDS[seat] + 1}\u2026") for seat in range(2, 14)),
            MenuEntry("bell", "Ring the bell"),
        ),
        0,
    ),
    bell_seconds=42,
    auction_since=7,
)
ACTING = replace(
    AUCTION,
    prompt=("Dirk (Black): act", "You pledged not to capture"),
    seat=3,
    seats=tuple(replace(seat, bid=0, on_turn=number == 3) for number, seat in enumerate(SEATS)),
    ask=PickAsk("Dirk (Black): act", (Option("level-up", "Level up for 9 gold"), Option("pass", "Pass")), "pass"),
    menu=Menu((MenuEntry("level-up", "Level up for 9 gold"), MenuEntry("pass", "Pass")), 1),
    latest_events=(GameEvent(EventKind.GOLD, 3, -12, "Dirk wins the auction for 12 gold"),),
    auction_since=None,
)
FOUR = replace(
    ACTING,
    seats=tuple(
        replace(seat, at=At(place, worn))
        for seat, place, worn in zip(
            ACTING.seats[:4], ("c1", "prison", "d7", "reserve"), ((), (), BOTH, ()), strict=True
        )
    ),
    things={},
)
CROWNS_VIEWS = {
    "crowns-auction": AUCTION,
    "crowns-auction-second-page": AUCTION,
    "crowns-auction-last-page": AUCTION,
    "crowns-acting": ACTING,
    "crowns-acting-standing": ACTING,
    "crowns-four-standing": FOUR,
}
CROWNS_PAGES = {
    "crowns-auction-second-page": 1,
    "crowns-auction-last-page": 2,
    "crowns-acting-standing": 1,
    "crowns-four-standing": 1,
}
