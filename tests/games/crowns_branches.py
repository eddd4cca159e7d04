"""The branches of the rules of Crowns that actions take, and random matches that reach them all.

Rules: docs/rules/crowns.md. The matches like what seldom happens: ties, captures, crowns, pawns that leave the board.
"""

import random
from collections.abc import Iterator
from typing import Final

from captains_table.games.contract import (
    Action,
    Auction,
    Bell,
    Bid,
    Correct,
    Option,
    Over,
    Pick,
    Square,
    parse_square,
)
from captains_table.games.crowns.board import CROWNS_SHAPE, FAR_RANK, HALF_PRICE, is_adjacent
from captains_table.games.crowns.state import Acting, Arriving, Away, Bidding, Escaping, Pledging, State, party_of
from tests.support.crowns_play import FOURTEEN, GAME, NAMES, decision, pick_ask

BRANCHES: Final = (
    *("no bid", "the highest bid", "a tie by value", "a tie by party", "pledges asked"),
    *("one pledge", "all pledge", "nobody pledges", "two of three pledge", "renewed", "renewed twice", "nobody left"),
    *("time over: passes", "time over: the master waits", "the master chooses", "bound by a pledge"),
    *("summon", "plain pawn", "coloured pawn", "move", "move and level up", "level up", "bail", "pass"),
    *("levelled up on half price", "half price paid by the move's gold"),
    *("gold for a pawn", "a card for a pawn", "a prisoner passes", "a ring", "arrow"),
    *("player takes pawn", "pawn takes pawn", "player takes player", "pawn takes player", "levelled player taken"),
    *("card given", "card kept", "a pawn's victim asked for a card"),
    *("crown from a square", "crown from a wearer", "crown from beneath a pawn", "crown carried", "crown left"),
    *("a king's step", "wearer taken by a pawn", "own player takes", "own pawn takes", "own wearer taken by a pawn"),
    *("wins with both crowns", "wins by carrying off", "last turn"),
)


def branches(before: State, action: Action, after: State) -> Iterator[str]:
    """Yield the branches that an action takes."""
    step = before.step
    if isinstance(GAME.turn(after), Over) and before.turn == before.options.turn_limit and not _has_winner(after):
        yield "last turn"
    match step, action:
        case Bidding(bids), Bell():
            yield from _of_the_bell(before, bids, after)
        case Pledging() as pledging, Pick(id_):
            yield from _of_a_pledge(before, pledging, after, pledges=id_ == "pledge")
        case Acting(is_timed=True), Bell():
            yield "time over: passes" if before.options.passes else "time over: the master waits"
        case Acting() as acting, Pick(id_):
            yield from _of_an_action(before, acting, id_, after)
        case Arriving(), Pick(id_):
            yield f"{'gold' if id_ == 'gold' else 'a card'} for a pawn"
        case Escaping(), Pick(id_):
            yield "card given" if id_ == "use-card" else "card kept"
        case Bidding(), Bid():
            pass


def _has_winner(after: State) -> bool:
    turn = GAME.turn(after)
    return isinstance(turn, Over) and turn.result.winner is not None


def _of_the_bell(before: State, bids: tuple[int, ...], after: State) -> Iterator[str]:
    tied = [seat for seat, bid in enumerate(bids) if bid and bid == max(bids)]
    values = [before.designs[seat].value for seat in tied]
    if not tied:
        yield "no bid"
    elif isinstance(after.step, Pledging):
        yield "pledges asked"
    elif len(tied) == 1:
        yield "the highest bid"
    else:
        yield "a tie by value" if values.count(min(values)) == 1 else "a tie by party"


def _of_a_pledge(before: State, pledging: Pledging, after: State, *, pledges: bool) -> Iterator[str]:
    answers = (*pledging.pledged, pledges)
    if len(answers) < len(pledging.tied):
        return
    if sum(answers) == 1:
        yield "one pledge"
        return
    yield "all pledge" if all(answers) else "two of three pledge" if any(answers) else "nobody pledges"
    if after.turn != before.turn or isinstance(GAME.turn(after), Over):
        yield "nobody left"
    else:
        yield "renewed twice" if before.out else "renewed"


def _of_an_action(before: State, acting: Acting, id_: str, after: State) -> Iterator[str]:
    seat, player = acting.seat, before.players[acting.seat]
    if not acting.is_timed:
        yield "the master chooses"
    if acting.bound:
        yield "bound by a pledge"
    if id_ in ("pass", "bail", "level-up"):
        yield id_.replace("-", " ")
        if id_ == "pass" and player.place is Away.PRISON:
            yield "a prisoner passes"
        if id_ == "level-up" and player.place in HALF_PRICE:
            yield "levelled up on half price"
    elif id_.startswith("summon"):
        yield "summon"
    elif id_.endswith("-off"):
        if player.place == parse_square(id_[:2]):
            yield "wins by carrying off"
    else:
        yield from _of_a_move(before, seat, id_, after)


def _of_a_move(before: State, seat: int, id_: str, after: State) -> Iterator[str]:
    start, end = parse_square(id_[:2]), parse_square(id_[2:4])
    pawn, victim = before.pawn_at(start), before.player_at(end)
    who = "pawn" if pawn else "player"
    if pawn:
        yield "plain pawn" if pawn in "Pp" else "coloured pawn"
    else:
        yield from _of_a_players_move(before, seat, start, end, id_)
        yield from _of_crowns(before, seat, start, end, after)
    if before.pawn_at(end):
        yield f"{who} takes pawn"
    if victim is not None:
        yield from _of_a_victim(before, seat, victim, who)


def _of_a_players_move(before: State, seat: int, start: Square, end: Square, id_: str) -> Iterator[str]:
    yield "move and level up" if id_.endswith("+") else "move"
    if id_.endswith("+") and end in HALF_PRICE:
        yield "levelled up on half price"
        price = -(-before.designs[seat].levelled.price // 2)
        if before.players[seat].gold < price:
            yield "half price paid by the move's gold"
    if end in before.rings:
        yield "a ring"
    if max(abs(start.file - end.file), abs(start.rank - end.rank)) > 2:
        yield "arrow"


def _of_crowns(before: State, seat: int, start: Square, end: Square, after: State) -> Iterator[str]:
    for crown, is_now in zip(before.crowns, after.crowns, strict=True):
        if crown == seat:
            yield "crown carried" if is_now == seat else "crown left"
        elif crown == end:
            yield "crown from beneath a pawn" if before.pawn_at(end) else "crown from a square"
        elif is_now == seat:
            yield "crown from a wearer"
    if before.worn_by(seat) and is_adjacent(start, end):
        design, forward = before.designs[seat], 1 if party_of(seat) == 0 else -1
        grid = design.levelled if before.players[seat].levelled else design.standard
        step = ((end.file - start.file) * forward, (end.rank - start.rank) * forward)
        if step not in grid.dots | grid.arrows:
            yield "a king's step"
    if _has_winner(after):
        yield "wins with both crowns"


def _of_a_victim(before: State, seat: int, victim: int, who: str) -> Iterator[str]:
    player = before.players[victim]
    yield f"{who} takes player"
    if player.levelled:
        yield "levelled player taken"
    if party_of(victim) == party_of(seat):
        yield f"own {who} takes"
    if who == "pawn" and before.worn_by(victim):
        yield "wearer taken by a pawn"
        if party_of(victim) == party_of(seat):
            yield "own wearer taken by a pawn"
    if who == "pawn" and player.cards:
        yield "a pawn's victim asked for a card"


# --- random matches -------------------------------------------------------------------------------------------------

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
    asked, options = decision(state), pick_ask(state).options
    if asked.takes_bell and rng.random() < LATE_CHANCE:
        return Bell()
    return Pick(rng.choices(options, [_liking(state, asked.seat, option) for option in options])[0].id)


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
