"""A tiny game with a board whose move is followed by an auction: Anne sails a ship to a berth, then both bid for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from captains_table.games.contract import (
    Action,
    Auction,
    Bell,
    Bid,
    Bidder,
    Decide,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Option,
    Over,
    Pick,
    PickAsk,
    Result,
    Shape,
    Square,
    Turn,
    check_auction,
    check_names,
    check_offered,
    parse_square,
    read_options,
)

HOME = parse_square("a1")
BERTHS = ("a2", "b1", "b2")
PURSE = 5


@dataclass(frozen=True, slots=True)
class State:
    """Where the ship lies, what is bid, and whether the berth is sold."""

    seats: tuple[str, ...]
    ship: Square = HOME
    bids: tuple[int, ...] = (0, 0)
    sold: bool = False


class BerthAuction(Game[State]):
    """One move, one auction."""

    key = "berth-auction"
    title = "Berth Auction"
    seats = range(2, 3)
    shape = Shape(2, 2)

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        """Return the first state; raises BadOption."""
        check_names(seats, self.seats)
        read_options(self.options, options)
        return State(tuple(seats))

    def names(self, state: State) -> Sequence[str]:
        """Return the players."""
        return state.seats

    def turn(self, state: State) -> Turn:
        """Return where the ship may sail, or who may bid."""
        if state.sold:
            return Over(Result(None, tuple(self.score(state))))
        if state.ship == HOME:
            return Decide(0, PickAsk("Sail", tuple(Option(f"a1{berth}", berth, on_board=True) for berth in BERTHS)))
        bidders = tuple(Bidder(seat, bid + 1, PURSE) for seat, bid in enumerate(state.bids) if bid < PURSE)
        return Auction(f"Bid for {state.ship}", bidders, 10_000)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after the move, a bid or the bell; raises IllegalAction."""
        check_auction(self.turn(state), action)
        match action:
            case Bid(seat, value):
                return replace(
                    state, bids=tuple(value if seat == other else bid for other, bid in enumerate(state.bids))
                )
            case Bell():
                return replace(state, sold=True)
            case Pick(id_):
                check_offered(self.turn(state), id_)
                return replace(state, ship=parse_square(id_[2:]))
            case _:
                raise IllegalAction(f"{action} is no answer to what is asked")

    def pieces(self, state: State) -> Mapping[Square, str]:
        """Return the ship."""
        return {state.ship: "R"}

    def score(self, state: State) -> Sequence[int]:
        """Return what everybody paid, once the berth is sold."""
        return tuple(-bid if state.sold else 0 for bid in state.bids)

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        """Return what is bid."""
        return [{"bid": bid} for bid in state.bids]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        """Return who paid what."""
        if before.sold == after.sold:
            return ()
        paid = [GameEvent(EventKind.SALE, seat, -bid, f"{bid} are paid") for seat, bid in enumerate(after.bids)]
        return (*paid, GameEvent(EventKind.MATCH, 0, 0, "The berth is sold"))

    def heading(self, state: State) -> str:
        """Return where the ship lies."""
        return f"The ship lies on {state.ship}"
