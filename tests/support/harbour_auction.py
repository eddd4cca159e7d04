"""A tiny game whose seats bid at once: in every round a chest is auctioned; a die says what it is worth.

The highest bid pays and gets two gold a pip; where the highest bids are alike nobody gets the chest. Bids are open, and
raised as often as a purse allows, until the bell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from captains_table.games.contract import (
    Action,
    Auction,
    Bell,
    Bid,
    Bidder,
    Die,
    EventKind,
    Game,
    GameEvent,
    GameOption,
    IllegalAction,
    Over,
    Result,
    Roll,
    Rolled,
    Turn,
    check_auction,
    check_names,
    read_options,
)

PURSE = 9
GOLD_A_PIP = 2


@dataclass(frozen=True, slots=True)
class State:
    """A match: the gold everybody has, the chest on offer, and the bids for it (0: none)."""

    seats: tuple[str, ...]
    rounds: int
    deadline_ms: int | None
    gold: tuple[int, ...]
    bids: tuple[int, ...]
    round: int = 0
    face: int | None = None

    def winner(self) -> int | None:
        """Return who would get the chest if the bell rang now; `None` for nobody."""
        best = max(self.bids)
        return self.bids.index(best) if best and self.bids.count(best) == 1 else None


class HarbourAuction(Game[State]):
    """Chests are thrown for and auctioned, round by round."""

    key = "harbour-auction"
    title = "Harbour Auction"
    seats = range(2, 5)
    options = (
        GameOption("rounds", "Rounds", "2", bounds=(1, 9)),
        GameOption("seconds", "Seconds to bid", "0", bounds=(0, 600)),
    )

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        check_names(seats, self.seats)
        read = read_options(self.options, options)
        deadline_ms = int(read["seconds"]) * 1000 or None
        nothing = (0,) * len(seats)
        return State(tuple(seats), int(read["rounds"]), deadline_ms, (PURSE,) * len(seats), nothing)

    def names(self, state: State) -> Sequence[str]:
        return state.seats

    def turn(self, state: State) -> Turn:
        if state.round == state.rounds:
            best = max(state.gold)
            winner = state.gold.index(best) if state.gold.count(best) == 1 else None
            return Over(Result(winner, state.gold))
        if state.face is None:
            return Roll(state.round % len(state.seats), (1,), at_once=False, prompt="Throw for the chest")
        bidders = tuple(
            Bidder(seat, bid + 1, gold)
            for seat, (bid, gold) in enumerate(zip(state.bids, state.gold, strict=True))
            if bid < gold
        )
        return Auction(f"Bid for {GOLD_A_PIP * state.face} gold", bidders, state.deadline_ms)

    def apply(self, state: State, action: Action) -> State:
        turn = self.turn(state)
        check_auction(turn, action)
        match action:
            case Bid(seat=seat, value=value):
                return replace(state, bids=_with(state.bids, seat, value))
            case Bell():
                return self._sell(state)
            case Rolled(faces=(face,)) if isinstance(turn, Roll):
                return replace(state, face=face)
            case _:
                raise IllegalAction(f"{action} is no answer to what is asked")

    def _sell(self, state: State) -> State:
        winner, gold = state.winner(), state.gold
        if winner is not None:
            gold = _with(gold, winner, gold[winner] - state.bids[winner] + GOLD_A_PIP * (state.face or 0))
        return replace(state, gold=gold, bids=(0,) * len(gold), round=state.round + 1, face=None)

    def score(self, state: State) -> Sequence[int]:
        return tuple(gold - PURSE for gold in state.gold)

    def dice(self, state: State) -> Sequence[Die]:
        return (Die(state.face),)

    def tallies(self, state: State) -> Sequence[Mapping[str, int]]:
        return [{"bid": bid, "gold": gold} for bid, gold in zip(state.bids, state.gold, strict=True)]

    def game_events(self, before: State, after: State) -> Sequence[GameEvent]:
        if before.round == after.round:
            return ()
        events = [GameEvent(EventKind.MATCH, 0, 0, "The harbour closes")] if after.round == after.rounds else []
        winner = before.winner()
        if winner is None:
            return (GameEvent(EventKind.NOTE, 0, 0, "Nobody gets the chest"), *events)
        gained = after.gold[winner] - before.gold[winner]
        words = f"{before.seats[winner]} gets the chest for {before.bids[winner]}"
        return (GameEvent(EventKind.SALE, winner, gained, words), *events)

    def heading(self, state: State) -> str:
        return f"Chest {min(state.round + 1, state.rounds)} of {state.rounds}"


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
