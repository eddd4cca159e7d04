"""Random play of Crowns that likes what seldom happens: ties, captures, crowns, pawns that leave the board."""

import random
from typing import Final

from captains_table.games.contract import (
    Action,
    Auction,
    Bell,
    Bid,
    Correct,
    Decide,
    Option,
    Pick,
    PickAsk,
    Square,
    parse_square,
)
from captains_table.games.crowns.board import CROWNS_SHAPE, FAR_RANK, HALF_PRICE, is_adjacent
from captains_table.games.crowns.state import State, party_of
from tests.support.crowns_play import FOURTEEN, GAME, NAMES

TURNS: Final = 80
BELL_CHANCE, TIE_CHANCE, LATE_CHANCE, BOARD_SHARE, FAR_SHARE = 0.45, 0.4, 0.02, 0.6, 0.4
RICH: Final = "Hopper: b5 d5 b1 d1 / b5 d5 b1 d1 a3 e3"
"""Worth nothing and swift, with 22 points left."""
PIECES: Final = (*FOURTEEN, RICH, "Runner: ne / ne b1", "Lance: c4 / n b3 d3")


def first_state(players: int, rng: random.Random) -> State:
    """Return a match of any pieces, or of the same for all, now and then with a game master."""
    same = rng.choice(PIECES)
    pieces = rng.choices(PIECES, k=players) if rng.random() < 0.5 else [RICH if rng.random() < 0.3 else same] * players
    options = {f"piece{number}": piece for number, piece in enumerate(pieces, 1)}
    timeout = rng.choice(["pass", "pass", "master"])
    return GAME.start(NAMES[:players], {**options, "timeout": timeout, "turn_limit": str(TURNS)})


def opening(state: State, rng: random.Random) -> list[Correct]:
    """Return how a game master begins a match in its middle: players on the board, rich, both crowns with one party."""
    done = list[Correct]()
    party = rng.randrange(2)
    members = state.members(party)
    wearers = [state.seats[seat] for seat in (rng.sample(members, 2) if len(members) > 1 else [0, 1])]
    squares = rng.sample(
        sorted(square for square in CROWNS_SHAPE.squares() if not state.pawn_at(square)), len(state.seats)
    )
    for name, square in zip(state.seats, squares, strict=True):
        done.append(Correct("gold", name, str(rng.choice([rng.randrange(3, 12), rng.randrange(12, 120)]))))
        if name in wearers or rng.random() < BOARD_SHARE:
            done.append(Correct("place", name, str(square)))
    rng.shuffle(done)
    if rng.random() < FAR_SHARE:
        done.append(Correct("place", wearers[0], str(Square(rng.choice((0, 2, 4, 6)), FAR_RANK[party]))))
        done.append(Correct("gold", wearers[0], "150"))
    crowns = [Correct("crown", crown, name) for crown, name in zip(("white", "black"), wearers, strict=True)]
    return done + rng.sample(crowns, rng.choice((0, 1, 2, 2, 2)))


def any_action(state: State, rng: random.Random) -> Action:
    """Return something that may be done."""
    turn = GAME.turn(state)
    if isinstance(turn, Auction):
        return _any_bid(turn, rng)
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    if turn.takes_bell and rng.random() < LATE_CHANCE:
        return Bell()
    options = turn.ask.options
    return Pick(rng.choices(options, [_liking(state, turn.seat, option) for option in options])[0].id)


def _any_bid(turn: Auction, rng: random.Random) -> Action:
    if not turn.bidders or rng.random() < BELL_CHANCE:
        return Bell()
    bidder, best = rng.choice(turn.bidders), max(turn.bids)
    if rng.random() < TIE_CHANCE and bidder.least <= best <= bidder.most:
        return Bid(bidder.seat, best)
    return Bid(bidder.seat, min(bidder.most, bidder.least + rng.randrange(4)))


def _liking(state: State, seat: int, option: Option) -> float:
    id_ = option.id
    if not option.on_board:
        return {"card": 3.0, "bail": 5.0, "pass": 0.3}.get(id_, 1.0)
    if id_.startswith("summon"):
        return 3.0
    start = parse_square(id_[:2])
    if id_.endswith("-off"):
        return 30.0 if state.pawn_at(start) else 50_000.0
    end = parse_square(id_[2:4])
    levels_up_for_half = id_.endswith("+") and end in HALF_PRICE
    return _liking_of_move(state, seat, start, end) * (40.0 if levels_up_for_half else 1.0)


def _liking_of_move(state: State, seat: int, start: Square, end: Square) -> float:
    party, victim = party_of(seat), state.player_at(end)
    liking = 1.0 if state.pawn_at(end) == "" and victim is None else 8.0
    ahead = 1 + abs(end.rank - FAR_RANK[1 - party])
    if victim is not None and (state.worn_by(victim) or party_of(victim) == party):
        liking *= 8
    if state.pawn_at(start):
        return liking * ahead**2 / 8
    if state.worn_by(seat):  # a crown is seldom left behind, and is carried forward
        return liking * (2.0 * ahead**2 if is_adjacent(start, end) else 1.0)
    return liking * (40.0 if end in state.crowns else 2.0)
