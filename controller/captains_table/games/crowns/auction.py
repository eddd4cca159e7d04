"""The auction that begins each turn: income, bidders, the bell, ties and pledges.

The next turn begins here too, or the match ends at its turn limit. Other functions give gold to a player, take gold
from a player, and add game events.

Rules: docs/rules/crowns.md T1 to T3.
"""

from dataclasses import replace

from captains_table.games.contract import Bidder, EventKind, KeptOut, Over, Result, Square
from captains_table.games.crowns.state import Acting, Bidding, Pledging, State, party_of
from captains_table.phrases import PhrasePart, listed, message, say


def take(
    state: State,
    seat: int,
    gold: int,
    text: str,
    *,
    rule: str,
    kind: EventKind = EventKind.GOLD,
    at: Square | None = None,
    **parts: PhrasePart,
) -> State:
    """Return the state after the bank gave gold to a seat, with a game event added.

    The event says the message `text`, in which {name} is the player and {gold} the amount; `parts` are its other parts.
    Negative gold is taken from the seat.
    """
    player = state.players[seat]
    paid = state.with_player(seat, replace(player, gold=player.gold + gold))
    words = say(text, name=state.name(seat), gold=abs(gold), **parts)
    return paid.with_event(kind, seat, gold, words, at, rule=rule)


def pay(state: State, seat: int, gold: int, text: str, *, rule: str) -> State:
    """Return the state after a seat paid gold to the bank, with a game event added.

    The event says the message `text` (see `take`). The event cites the rule `rule`, such as T1.
    """
    return take(state, seat, -gold, text, rule=rule, kind=EventKind.PRICE)


def give_income(state: State) -> State:
    """Return the state after every player received the gold of a new turn (T1)."""
    players = tuple(replace(player, gold=player.gold + 1) for player in state.players)
    return replace(state, players=players).with_event(
        EventKind.INCOME, None, 1, say("Everybody gets 1 gold"), rule="T1"
    )


def note(
    state: State, kind: EventKind, seat: int, text: str, *, rule: str, at: Square | None = None, **parts: PhrasePart
) -> State:
    """Return the state with a game event added; the event changes no gold.

    The event says the message `text`, in which {name} is the player; `parts` are its other parts.
    """
    return state.with_event(kind, seat, 0, say(text, name=state.name(seat), **parts), at, rule=rule)


def begin_next_turn(state: State) -> State:
    """Return the state after the next turn began with its income and auction (T1, T2).

    If the turn limit is reached, the match ends without a winner instead.
    """
    if state.turn == state.options.turn_limit:
        words = say("{count} turns are over, and nobody wins", state.turn)
        over = replace(state, step=Over(Result(None, tuple(player.gold for player in state.players), words)))
        return over.with_event(EventKind.MATCH, 0, 0, words)
    return hold_auction(give_income(replace(state, turn=state.turn + 1, out=frozenset())))


def hold_auction(state: State) -> State:
    """Return the state at the start of an auction (T2, T3); if no seat may take part, the next turn begins instead."""
    if not _left(state):
        return begin_next_turn(
            state.with_event(EventKind.NOTE, 0, 0, say("Nobody is left to bid: nobody acts"), rule="T3")
        )
    return replace(state, step=Bidding((0,) * len(state.seats)))


def _left(state: State) -> list[int]:
    """Return the seats that may still bid, without checking their gold: all except `State.barred` and `State.out`."""
    return [seat for seat in range(len(state.seats)) if seat != state.barred and seat not in state.out]


def bidders(state: State, bidding: Bidding) -> tuple[Bidder, ...]:
    """Return the seats that may bid or raise now, each with its lowest and highest possible bid (T2)."""
    purses = ((seat, bidding.bids[seat], state.players[seat].gold) for seat in _left(state))
    return tuple(Bidder(seat, bid + 1, gold) for seat, bid, gold in purses if bid < gold)


def kept_out(state: State, bidding: Bidding) -> tuple[KeptOut, ...]:
    """Return the seats that have not bid and may not bid, with the reasons."""
    reasons = ((seat, _reason(state, seat)) for seat, bid in enumerate(bidding.bids) if not bid)
    return tuple(KeptOut(seat, *reason) for seat, reason in reasons if reason is not None)


def _reason(state: State, seat: int) -> tuple[str, str] | None:
    if seat == state.barred:
        return say("acted last"), "T2"
    if seat in state.out:
        return say("tie not broken"), "T3"
    return None if state.players[seat].gold else (say("no gold"), "T2")


def close(state: State, bidding: Bidding) -> State:
    """Return the state after the bell ended the auction (T2, T3).

    If nobody has bid, the next turn begins. Otherwise the highest bidder pays and acts. Ties are broken by the lowest
    value of the bidder's piece, then by the lowest total value of the party's pieces. Bidders who are still tied are
    asked to pledge not to capture.
    """
    best = max(bidding.bids)
    if not best:
        return begin_next_turn(state.with_event(EventKind.NOTE, 0, 0, say("Nobody bids: nobody acts"), rule="T2"))
    tied = [seat for seat, bid in enumerate(bidding.bids) if bid == best]
    tied = _lowest(tied, [state.designs[seat].value for seat in tied])
    members = [state.members(party_of(seat)) for seat in tied]
    tied = _lowest(tied, [sum(state.designs[member].value for member in team) for team in members])  # T3
    if len(tied) == 1:
        return _let_act(state, tied[0], best)
    return replace(state, step=Pledging(tuple(tied), best))


def _lowest(seats: list[int], figures: list[int]) -> list[int]:
    return [seat for seat, figure in zip(seats, figures, strict=True) if figure == min(figures)]


def answer_pledge(state: State, pledging: Pledging, *, pledges: bool) -> State:
    """Return the state after the next tied bidder answered whether to pledge (T3).

    If exactly one bidder has pledged after the last answer, this bidder wins the auction. Otherwise all the tied
    bidders are out for this turn, and a new auction is held.
    """
    seat = pledging.tied[len(pledging.pledged)]
    text = message("{name} pledges not to capture") if pledges else message("{name} gives no pledge")
    state = note(state, EventKind.NOTE, seat, text, rule="T3")
    answers = (*pledging.pledged, pledges)
    if len(answers) < len(pledging.tied):
        return replace(state, step=Pledging(pledging.tied, pledging.bid, answers))
    if sum(answers) == 1:
        return _let_act(state, pledging.tied[answers.index(True)], pledging.bid, bound=True)
    names = listed([state.name(seat) for seat in pledging.tied], ",")
    words = say("Out of this turn's auction: {names}", names)
    state = state.with_event(EventKind.NOTE, seat, 0, words, rule="T3")
    return hold_auction(replace(state, out=state.out | set(pledging.tied)))


def _let_act(state: State, seat: int, bid: int, *, bound: bool = False) -> State:
    state = pay(state, seat, bid, message("{name} wins the auction for {gold} gold"), rule="T2")
    return replace(state, step=Acting(seat, bound))
