"""Views of every kind, for pictures that somebody looks at."""

from dataclasses import replace

from captains_table.games.common.records import Honours
from captains_table.games.contract import (
    Auction,
    Bidder,
    Die,
    EventKind,
    GameEvent,
    Option,
    PickAsk,
    Result,
    Shape,
    Square,
    Thing,
    Whereabouts as At,
    parse_square,
)
from captains_table.phrases import say
from captains_table.table.model.player_clocks import StageProgress
from captains_table.table.model.view import (
    BoardDifference,
    Hint,
    LogLine,
    LongPress,
    Mark,
    Menu,
    MenuEntry,
    Phase,
    SeatView,
    View,
)
from tests.support.dice_views import DICE_VIEWS
from tests.support.lobby_views import LOBBY_VIEWS
from tests.support.party import crowded, ended, with_victims

BIDDERS = ("Anne", "Bart", "Cora")
SEED_SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def seats(on_turn: int | None = 0, names: tuple[str, str] = ("Anne", "Bart")) -> tuple[SeatView, ...]:
    """Return two seats with tallies from the rules' worked example."""
    columns = ({"cargo": 34, "legend": 18, "total": 52}, {"cargo": 9, "legend": 3, "total": 12})
    return tuple(
        SeatView(name, tallies, on_turn=index == on_turn)
        for index, (name, tallies) in enumerate(zip(names, columns, strict=True))
    )


def clocked(*seconds_left: int, on_turn: int) -> tuple[SeatView, ...]:
    """Return the seats of players who have so much time left."""
    times = enumerate(zip(BIDDERS, seconds_left, strict=False))
    return tuple(SeatView(name, {}, on_turn=seat == on_turn, seconds_left=left) for seat, (name, left) in times)


def staged(*stages: StageProgress, on_turn: int, delay_s: int | None = None) -> tuple[SeatView, ...]:
    """Return the seats of players whose time is in these stages, with so many seconds of delay each."""
    seats = clocked(5390, 1803, on_turn=on_turn)
    return tuple(replace(seat, stage=stage, delay_seconds=delay_s) for seat, stage in zip(seats, stages, strict=True))


def lying(*faces: int | None, held: tuple[int, ...] = ()) -> tuple[Die, ...]:
    """Return Legend's six dice, the last one roman; `held` counts from 1."""
    return tuple(
        Die(face, "roman" if number == 6 else "pips", held=number in held, throws_left=2)
        for number, face in enumerate(faces, 1)
    )


def menu(*labels: str, cursor: int = 0) -> Menu:
    """Return a menu of these lines."""
    return Menu(tuple(MenuEntry(label.lower().replace(" ", "-"), label) for label in labels), cursor)


def squares(*names: str) -> tuple[Square, ...]:
    """Return squares by their names."""
    return tuple(parse_square(name) for name in names)


BIDDING = View(
    phase=Phase.PLAYING,
    game="harbour-auction",
    title="Harbour Auction",
    heading=say("Chest {n} of {m}¦Chest {n}/{m}", n=1, m=2),
    prompt=("Bid for 6 gold",),
    seats=tuple(SeatView(name, {"bid": bid, "gold": 9}, bid < 9) for name, bid in zip(BIDDERS, (0, 9, 2), strict=True)),
    dice=(Die(3),),
    ask=Auction("Bid for 6 gold", (Bidder(0, 1, 9), Bidder(2, 3, 9)), 60_000),
    menu=menu("Anne: bid 1…", "Cora: bid 3…", "Ring the bell", cursor=1),
    bell_seconds=42,
)
ON_TIME = replace(
    BIDDING,
    heading="Turn 3",
    prompt=("Bid to act",),
    seats=tuple(SeatView(name, {"gold": 9}, on_turn=True, seconds_left=300) for name in BIDDERS[:2]),
    dice=(),
    ask=Auction("Bid to act", (Bidder(0, 1, 9), Bidder(1, 1, 9))),
    menu=menu("Bart: bid 1", "Bart: bid 2", "Back"),
    bell_seconds=None,
)
AUCTION_VIEWS = {"auction": BIDDING, "auction-among-clocks": ON_TIME}
PLAYING = View(
    phase=Phase.PLAYING,
    game="legend",
    title="Legend",
    heading=say("Round {n} of {m}¦Round {n}/{m}", n=1, m=3),
    prompt=(
        "Anne (White), Legend die IV: move any piece but king or queen",
        "Lit pieces can move; or first throw dice again, 2 left",
    ),
    seat=0,
    seats=seats(),
    dice=lying(6, 5, 4, 3, 2, 4, held=(1, 2, 3)),
    shape=Shape(8, 8),
    commitment=SEED_SHA256,
)
AFTER_A_THROW = replace(PLAYING, menu=menu("Throw again", "Summon the Genie", "Abandon the round"))
TURN_START = replace(
    PLAYING,
    prompt=("Anne (White): throw the dice", "Press Roll: the Legend die says which pieces may move"),
    dice=lying(None, None, None, None, None, None),
    menu=menu("Throw all six dice", "Throw the cargo dice", "Throw the Legend die", "Abandon the round"),
)
KEEPING = replace(
    PLAYING,
    prompt=("Anne: Which dice stay?", "The others are thrown again"),
    dice=lying(6, 5, 4, 3, 2, 4),
    menu=Menu(
        (
            *(
                MenuEntry(str(die), f"Keep {face}", held=face not in "32")
                for die, face in enumerate((*"65432", "IV"), 1)
            ),
            MenuEntry("throw", "Throw"),
        ),
        cursor=3,
    ),
)
HOME_RANKS = squares(*(f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)))
CHESS = View(
    phase=Phase.PLAYING,
    game="captains-chess",
    title="Captain's Chess",
    heading="Move 12",
    prompt=("Anne (White): you are in check", "Move the king away, take the attacker, or stand between"),
    seat=0,
    seats=clocked(287, 303, on_turn=0),
    shape=Shape(9, 8),
    menu=menu("Offer a draw", "Resign", cursor=0),
    commitment="c0ffee" * 10,
)
CHESS_OVER = replace(CHESS, phase=Phase.OVER, result=Result(0, (1, 0)), seat=None)
SETTING_UP = replace(
    PLAYING,
    phase=Phase.SETUP,
    seat=None,
    seats=seats(None),
    dice=(Die(None),) * 6,
    prompt=("Set up the pieces", "Take the piece off e4", "Put the white rook on a1", "and 18 more"),
    switches=frozenset((*HOME_RANKS[:13], *squares("e4"))),
    wrong=BoardDifference(HOME_RANKS[13:], squares("e4")),
)
GUIDANCE = replace(
    PLAYING,
    prompt=("This is no move now", "Put the white bishop from c4 back on f1"),
    wrong=BoardDifference(squares("f1"), squares("c4")),
)
CONSENT = replace(
    PLAYING,
    seat=1,
    seats=seats(0),
    prompt=("Bart: Anne offers 10 for a knight", "Agree: you get 10 cargo, Anne the knight. Or refuse"),
    menu=menu("Agree", "Refuse", cursor=1),
)
AMOUNT = replace(
    PLAYING,
    prompt=("Anne: Your price for the knight", "Usually 10; you have 34. Bart agrees or refuses"),
    menu=Menu(tuple(MenuEntry(str(value), str(value)) for value in range(35)), cursor=10),
)
OVER = replace(PLAYING, phase=Phase.OVER, seat=None, seats=seats(None), dice=(), prompt=(), result=Result(0, (52, 12)))
LONG_NAMES = ("Bartholomew Roberts the Elder", "Žofie Nováková 海賊 Ёлка")

VIEWS = {
    "idle": View(prompt=("Press the button to begin",)),
    "idle-menu": View(
        prompt=("Which game?",),
        menu=menu("Legend", "Ship, Captain, Crew", "Swashbuckle", "Captain's Chess", "Crowns", cursor=1),
    ),
    "held-for-long": View(hold=LongPress("Hold on: the table's menu", "Let go: nothing happens", 0.4)),
    "joining": View(joining="http://192.168.178.123:8377/table"),
    "joining-without-a-network": View(joining="No network yet"),
    "joining-by-name": View(joining="http://raspberrypi.local:8377/table"),
    "set-up": SETTING_UP,
    "chess-with-a-clock": CHESS,
    "chess-with-hours-on-the-clock": replace(
        CHESS,
        seats=clocked(5400, 9, on_turn=1),
        prompt=("Bart (Black): press the clock",),
        seat=1,
        menu=menu("Press the clock", cursor=0),
    ),
    "chess-in-stages": replace(
        CHESS,
        seats=staged(StageProgress(1, 2, 38), StageProgress(2, 2, None), on_turn=0),
    ),
    "chess-with-a-delay": replace(
        CHESS,
        seats=staged(StageProgress(1, 2, 138), StageProgress(1, 2, 139), on_turn=0, delay_s=12),
    ),
    "chess-match-over": replace(CHESS_OVER, menu=menu()),
    "chess-end-open": replace(
        CHESS_OVER,
        prompt=("Anne wins the match", "Taken as Ra1xa8=+R, but it may be Ra1xi1"),
        ask=PickAsk("What happened on the board?", (Option("a1a8+", "Ra1xa8=+R"), Option("a1i1", "Ra1xi1"))),
        menu=menu("Ra1xa8=+R", "Ra1xi1", "Still moving", cursor=1),
    ),
    "asked-what-was-done": replace(
        PLAYING,
        prompt=("Anne: What happened on the board?", "Choose what was played, or put the pieces right"),
        asks_about_board=True,
        latest_events=(GameEvent(EventKind.LEGEND, 0, 6, "Anne gains 6 legend, takes a knight"),),
        menu=menu("Ra1xa7", "Ra1xh1", cursor=0),
    ),
    "turn-start": TURN_START,
    "after-a-throw": AFTER_A_THROW,
    "keeping": KEEPING,
    "tumbling": replace(PLAYING, prompt=("The dice fall",), tumbling=(3, 4, 5)),
    "guidance": GUIDANCE,
    "not-under-this-die": replace(
        PLAYING,
        prompt=("Ra1-a4: A rook needs a IV; the Legend die shows II", "Put the white rook from a4 back on a1"),
        wrong=BoardDifference(squares("a1"), squares("a4")),
    ),
    "guidance-in-three-steps": replace(
        GUIDANCE,
        prompt=("This is no move now", "Take the piece off c4", "Take the piece off d4", "Put the white king on e1"),
        wrong=BoardDifference(squares("e1"), squares("c4", "d4")),
    ),
    "guidance-without-a-reason": replace(GUIDANCE, prompt=("Take the white bishop off c4",)),
    "guidance-with-menu": replace(
        GUIDANCE,
        prompt=("Ng1-f3: A knight needs a II; the Legend die shows I", "Put the white knight from f3 back on g1"),
        wrong=BoardDifference(squares("g1"), squares("f3")),
        menu=AFTER_A_THROW.menu,
    ),
    "restoring": replace(
        SETTING_UP,
        phase=Phase.RESTORING,
        seat=0,
        prompt=("The board differs from the match", "Put the white pawn from e4 back on e2"),
        wrong=BoardDifference(squares("e2"), squares("e4")),
    ),
    "consent": CONSENT,
    "forbidden-piece": replace(AFTER_A_THROW, prompt=("The queen needs a VI: put it back on d1", *PLAYING.prompt[:1])),
    "bought-piece": replace(
        PLAYING,
        prompt=("Anne (White): take the knight from beside the board and set it on a lit square", "Lit: b1, g1"),
    ),
    "end-or-throw": replace(
        PLAYING,
        prompt=("Anne (White): your move is made", "No crew (4) yet: throw the cargo again, 2 left, or end the turn"),
        menu=menu("Throw the cargo again", "End the turn", "Abandon the round", cursor=0),
    ),
    "amount": AMOUNT,
    "treasure": replace(
        PLAYING,
        prompt=("Hidden treasure! Throw for it", "Anne (White): press Roll, two dice are added to your cargo"),
        dice=(*PLAYING.dice, Die(None, extra=True), Die(None, extra=True)),
        latest_events=(GameEvent(EventKind.LEGEND, 0, 5, "Anne gains 5 legend"),),
    ),
    "genie": replace(
        PLAYING,
        prompt=("Anne: The Genie carries your king to f4 or d6", "Lift the king and set it on a lit square"),
        dice=(*PLAYING.dice, Die(5, extra=True), Die(3, extra=True)),
        menu=menu("King to f4", "King to d6"),
    ),
    "settlement": replace(
        TURN_START,
        seat=1,
        seats=seats(1),
        heading=say("Round {n} of {m}¦Round {n}/{m}", n=2, m=3),
        prompt=("Bart (White): throw the dice", "Press Roll: the Legend die says which pieces may move"),
        latest_events=(GameEvent(EventKind.SETTLEMENT, 0, 9, "Bart pays 9 to Anne for captures worth 23"),),
    ),
    "strike": replace(
        PLAYING,
        prompt=("Anne (White): your move is made", "End the turn with cargo 5, or throw the cargo again, 2 left"),
        latest_events=(
            GameEvent(EventKind.LEGEND, 0, 4, "Anne gains 4 legend"),
            GameEvent(EventKind.STRIKE, 0, 1, "Anne strikes the king"),
        ),
        menu=menu("Throw again", "End the turn", cursor=1),
    ),
    "winner": OVER,
    "digest": replace(OVER, menu=menu(), digest="0123456789abcdef" * 4),
    "shared": replace(OVER, result=Result(None, (34, 34))),
    "long-names": replace(
        AFTER_A_THROW,
        seats=seats(0, LONG_NAMES),
        prompt=(f"{LONG_NAMES[0]} (White), Legend die IV: move any piece but king or queen",),
    ),
    "long-winner": replace(OVER, seats=seats(None, LONG_NAMES)),
    "six-seats": replace(
        TURN_START,
        title="Swashbuckle",
        heading=say("Turn {n} of {m}¦Turn {n}/{m}", n=4, m=16),
        shape=None,
        seats=tuple(
            SeatView(name, {"nest": 30, "bilge": 20 * index, "total": 30 + 20 * index}, on_turn=index == 0)
            for index, name in enumerate(("Anne", "Bart", "Cora", "Dirk", "Edith", "Finn"))
        ),
        prompt=("Anne: throw the dice",),
        dice=tuple(Die(face) for face in (6, 6, 1, 2, 5)),
        menu=Menu(),
    ),
    "chess-without-dice": replace(
        PLAYING,
        title="Crowns",
        heading="",
        dice=(),
        seats=tuple(SeatView(name, {}, on_turn=name == "Anne") for name in ("Anne", "Bart")),
        prompt=("Anne (White): your move",),
        menu=menu("Offer a draw", "Resign"),
        faults=("Switch e4 does not answer",),
    ),
    "advice": replace(AFTER_A_THROW, hint=Hint("Keep 4 5 6 IV", "5.32 cargo expected")),
    "fault": replace(TURN_START, menu=Menu(), faults=("The board's link is lost",)),
}


def honoured(view: View, *honours: Honours) -> View:
    """Return a view whose first players earned something."""
    seats = (*(replace(seat, honours=each) for seat, each in zip(view.seats, honours, strict=False)),)
    return replace(view, seats=(*seats, *view.seats[len(seats) :]))


# Crowns on the glass, with fourteen players and with four.
CAPTAINS = (
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
    for seat, name in enumerate(CAPTAINS)
)
BIDDING_CAPTAINS = tuple(Bidder(seat, BIDS[seat] + 1, GOLD[seat]) for seat in range(1, 14))
AUCTION = View(
    phase=Phase.PLAYING,
    game="crowns",
    title="Crowns",
    heading="Turn 12",
    prompt=("Bid for the turn",),
    seats=SEATS,
    shape=Shape(7, 7),
    things={parse_square("d4"): (Thing.HALF_PRICE,), parse_square("d7"): (Thing.BLACK_CROWN,)},
    ask=Auction(
        "Bid for the turn", tuple(Bidder(seat, BIDS[seat] + 1, GOLD[seat]) for seat in range(1, 14)), 60_000, BIDS
    ),
    menu=Menu(
        (
            MenuEntry("bid-1", "Bartholomew: raise to 3\u2026", name="Bartholomew"),
            *(
                MenuEntry(f"bid-{seat}", f"{CAPTAINS[seat]}: bid {BIDS[seat] + 1}\u2026", name=CAPTAINS[seat])
                for seat in range(2, 14)
            ),
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
CROWNS = {
    "crowns-auction": (AUCTION, 0),
    "crowns-auction-second-page": (AUCTION, 1),
    "crowns-auction-last-page": (AUCTION, 2),
    "crowns-acting": (ACTING, 0),
    "crowns-acting-standing": (ACTING, 1),
    "crowns-four-standing": (FOUR, 1),
}
CROWNS_VIEWS = {name: view for name, (view, _) in CROWNS.items()}
VIEWS |= DICE_VIEWS | LOBBY_VIEWS | AUCTION_VIEWS | CROWNS_VIEWS
VIEWS |= {
    "honoured": honoured(DICE_VIEWS["boxes-best-first"], Honours("Swashbuckler", "Swashbuckler")),
    "honoured-at-length": honoured(
        DICE_VIEWS["boxes-best-first"], Honours("Scourge of the 7 Seas Captain Kraken", "Captain")
    ),
    "crowd-at-dice": crowded(DICE_VIEWS["berths-in-order"]),
    "crowd-begins": crowded(DICE_VIEWS["berths-empty"], turn=0),
    "crowd-and-over": ended(replace(OVER, menu=Menu())),
    "crowd-and-over-last-page": ended(replace(OVER, menu=Menu())),
    "crowd-of-victims": with_victims(crowded(DICE_VIEWS["boxes-best-first"])),
}
FRAME = {"tumbling": 3, "crowd-and-over": 1, "crowd-and-over-last-page": -1}
FRAME |= {name: page for name, (_, page) in CROWNS.items() if page}

# The same on the wide glass, which shows position and log as well.
MARKED = {parse_square("c2"): Mark.LAST_MOVE, parse_square("c4"): Mark.LAST_MOVE}
POSITION = {
    parse_square(f"{file}{rank}"): piece
    for rank, row in ((1, "RNBQKBNR"), (2, "PP.PPPPP"), (4, "..P....."), (7, "pppppppp"), (8, "rnbqkbnr"))
    for file, piece in zip("abcdefgh", row, strict=True)
    if piece != "."
}
LOG = tuple(LogLine(0, f"Anne{words}") for words in (": throws 6 5 4 3 2 IV", ": c2-c4", " gains 5 legend"))
WIDE_VIEWS = {
    **{
        name: replace(view, pieces=POSITION, marks=MARKED, log=LOG) if view.shape is not None else view
        for name, view in VIEWS.items()
    },
    "log": replace(VIEWS["fault"], pieces=POSITION, marks=MARKED, log=LOG, faults=()),
}
