"""Whole matches of any game played at random, with a liking for what is rare, so that every rule gets its turn."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from captains_table.games.contract import (
    AGREE,
    SHYNESS,
    Action,
    Decide,
    Game,
    Over,
    Pick,
    PickAsk,
    Turn,
    parse_square,
    points_of,
)
from tests.support.random_play import random_action

NAMES = (
    *("Anne", "Bart", "Cora", "Dirk", "Elsa", "Finn", "Gwen"),
    *("Hugo", "Ines", "Jack", "Kate", "Lars", "Mary", "Nils"),
)
MOST_ACTIONS = 20_000
FEW, MANY = 8, 14  # of more than many, mostly a few play
RARE = {
    *("buy-back", "offer-piece-q", "offer-piece-p", "ask-price", "agree"),
    *("e1g1", "e1c1", "e8g8", "e8c8", "e1h1", "e1b1", "e8h8", "e8b8"),
    *("hornswaggle", "score-piracy"),
}
RARE_IN: dict[str, set[str]] = {"chess": {"b1h1", "b1a1", "b8h8", "b8a8", "f1g1", "f1a1", "f8g8"}}
"""What is rare in one game alone: castling in Chess960."""
SHY = {**SHYNESS, "offer-takeback": 0.1}
RARE_SHARE = 0.5
CALLED_SHARE = 0.02
REGICIDE_SHARE = 0.2

OPTIONS: dict[str, list[dict[str, str]]] = {
    "legend": [
        {"rounds": "1", "turn_limit": "60"},
        {"rounds": "2", "turn_limit": "30", "score": "piece"},
        {"rounds": "1", "fen": "r3k2r/pp4pp/8/8/8/8/PP4PP/R3K2R w KQkq - 0 1"},
        {"rounds": "1", "fen": "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1", "score": "piece"},
        {"rounds": "3", "turn_limit": "20"},
        {"rounds": "2", "turn_limit": "40", "barter": "piece"},
    ],
    "ship-captain-crew": [
        {},
        {"cargo_dice": "each", "target": "20", "stake": "5"},
        {"mode": "single"},
        {"finish_round": "false", "target": "30", "order": "seated"},
    ],
    "swashbuckle": [
        {},
        {"voluntary_scuttle": "true", "aces_high": "sum", "pieces_of_8": "8"},
        {"captain": "Anne", "captain_pillage": "double"},
        {"pillage": "add", "order": "seated"},
        {"columns": "2", "penalty": "2", "pirate1": "Sunnyseas"},
        {"challenge": "true", "penalty": "1"},
    ],
    "chess": [
        {},
        {"start": "dice", "white": "dice", "clock": "5+3"},
        {"start": "0", "white": "second", "handicap": "knight"},
        {"fen": "4k3/PP4p1/8/2pP4/8/8/6pp/4K3 w - c6 0 2", "white": "dice"},
        {"fen": "rk5r/pp4pp/8/8/8/8/PP4PP/RK5R w HAha - 0 1"},
        {"fen": "4k3/8/8/8/8/8/R7/4K2R w K - 93 70", "clock": "10"},
        {"fen": "5kr1/8/8/8/8/8/8/R4KR1 w GAg - 40 50"},
        {"start": "dice", "handicap": "queen"},
    ],
    "captains-chess": [
        {},
        {"clock": "5+3"},
        {"fen": "r3k3r/p7p/9/9/9/9/P7P/R3K3R w KQkq - 0 1"},
        {"fen": "1k7/3P2P2/2B1R4/9/9/2b1r4/3p2p2/1K7 b - - 0 1", "clock": "10"},
        {"fen": "4k4/2c6/9/9/9/9/2C6/4K4 w - - 93 70"},
    ],
    "crowns": [
        {"turn_limit": "120"},
        {"turn_limit": "80", "timer": "0", "timeout": "master"},
        {"turn_limit": "150", "piece1": "Ferris: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1", "piece2": "Fool: sw / s sw"},
    ],
}


@dataclass(frozen=True)
class Step:
    """One action of a match, and the states around it."""

    before: Any
    turn: Turn
    action: Action
    after: Any


def eager_action(game: Game[Any], state: Any, turn: Turn, rng: random.Random) -> Action:  # noqa: ANN401
    """Return a random answer that likes what is rare, and to take a king, so that every match ends."""
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        ask = without_the_shy(game, state, turn.ask, rng)
        turn = Decide(turn.seat, ask)
        ids = [option.id for option in ask.options]
        likes = RARE | RARE_IN.get(game.key, set())
        if (rare := [id_ for id_ in ids if id_ in likes]) and rng.random() < RARE_SHARE:
            return Pick(rng.choice(rare))
        board = game.pieces(state)
        kings = [option.id for option in ask.options if option.on_board and taken(board, option.id) in ("k", "K")]
        if kings and rng.random() < REGICIDE_SHARE:
            return Pick(kings[0])
    return random_action(turn, rng)


def without_the_shy(game: Game[Any], state: Any, ask: PickAsk, rng: random.Random) -> PickAsk:  # noqa: ANN401
    """Return an ask without what ends a match too soon, but now and then, as far as anything else is left."""
    shy = {option.id for option in ask.options if option.id in SHY and rng.random() > SHY[option.id]}
    if AGREE.id in shy and not isinstance(game.turn(game.apply(state, Pick(AGREE.id))), Over):
        shy.remove(AGREE.id)
    options = tuple(option for option in ask.options if option.id not in shy)
    return replace(ask, options=options, default=None) if options and len(options) < len(ask.options) else ask


def taken(board: Mapping[Any, str], id_: str) -> str | None:
    """Return what stands on the square a board move ends on."""
    try:
        return board.get(parse_square(id_[2:4]))
    except ValueError:
        return None


def seats_for(game: Game[Any], seed: int) -> list[str]:
    """Return who plays: by and by every number of players a game knows; of a large party few, or all."""
    few = [count for count in game.seats if count <= FEW]
    counts = [*few, *few, game.seats[-1]] if len(game.seats) > MANY else game.seats
    more = [f"Player {number}" for number in range(len(NAMES) + 1, game.seats.stop)]
    return [*NAMES, *more][: counts[seed % len(counts)]]


def options_for(game: Game[Any], seed: int) -> dict[str, str]:
    """Return a mix of options a game is played with; of one nobody wrote mixes for, values it declares itself."""
    mix = OPTIONS.get(game.key)
    if mix is not None:
        return mix[seed % len(mix)]
    rng = random.Random(seed)
    values = {
        option.name: [*(choice.value for choice in option.choices), *map(str, option.bounds or ())]
        for option in game.options
    }
    return {name: rng.choice(several) for name, several in values.items() if several}


def match_steps(game: Game[Any], seed: int) -> Iterator[Step]:
    """Yield the steps of a whole match."""
    rng = random.Random(seed)
    state = game.start(seats_for(game, seed), options_for(game, seed))
    for _ in range(MOST_ACTIONS):
        turn = game.turn(state)
        if isinstance(turn, Over):
            return
        calls = game.calls(state)
        is_call = bool(calls) and rng.random() < CALLED_SHARE
        action = Pick(rng.choice(calls).id) if is_call else eager_action(game, state, turn, rng)
        after = game.apply(state, action)
        yield Step(state, turn, action, after)
        state = after
    raise AssertionError(f"{game.key}, seed {seed}: no end after {MOST_ACTIONS} actions")


def eager_match(
    game: Game[Any], seats: Sequence[str], options: Mapping[str, str], seed: int, most: int
) -> tuple[list[Action], Any]:
    """Return at most so many actions of a match with these options, and where they lead."""
    rng, state, actions = random.Random(seed), game.start(seats, options), list[Action]()
    while len(actions) < most and not isinstance(turn := game.turn(state), Over):
        actions.append(eager_action(game, state, turn, rng))
        state = game.apply(state, actions[-1])
    return actions, state


def check_points(game: Game[Any], before: object, after: object) -> None:
    """Fail unless the events of the one action between two states add up to how the score changed."""
    old, new = game.score(before), game.score(after)
    seats = len(game.names(after))
    assert len(old) == len(new) == seats, f"{game.key}: a score for each of {seats} seats was expected, found {new}"
    gained = tuple(now - then for then, now in zip(old, new, strict=True))
    events = game.game_events(before, after)
    told = points_of(events, seats)
    assert told == gained, f"{game.key}: the events give {told}, the score changed by {gained}: {list(events)}"
