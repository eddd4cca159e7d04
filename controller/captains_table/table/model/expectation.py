"""What a turn waits for, in words: for whoever gave an answer that does not fit."""

from collections.abc import Sequence

from captains_table.games.contract import AmountAsk, Auction, Decide, KeepAsk, PickAsk, Roll, Turn


def expectation(turn: Turn, names: Sequence[str]) -> str:
    """Return in words which action a turn waits for."""
    match turn:
        case Roll(dice=dice):
            return f"{len(dice)} dice to fall"
        case Decide(ask=PickAsk(options=options)):
            return f"a pick of {', '.join(option.id for option in options)}"
        case Decide(ask=KeepAsk(dice=dice)):
            return f"which of the dice {', '.join(map(str, dice))} stay"
        case Decide(ask=AmountAsk(lo=lo, hi=hi)):
            return f"an amount from {lo} to {hi}"
        case Auction(bidders=bidders):
            bids = [f"a bid of {names[bidder.seat]} from {bidder.least} to {bidder.most}" for bidder in bidders]
            return " or ".join([", ".join(bids), "the bell"] if bids else ["the bell"])
        case _:
            return "nothing more, the match is over"
