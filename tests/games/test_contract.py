"""What every game owes the table, proved by playing each at random (docs/contracts.md Contract 1)."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from captains_table.games.contract import (
    GIVING_UP,
    SHYNESS,
    Action,
    Amount,
    AmountAsk,
    Auction,
    Decide,
    EventKind,
    Game,
    GameEvent,
    IllegalAction,
    Keep,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    TimeUp,
    Turn,
    acting_seat,
    offered_option,
)
from captains_table.games.registry import GAMES, UnknownGame, game_by_key
from tests.support import random_matches
from tests.support.effort import effort
from tests.support.random_matches import Step, check_points, match_steps, options_for, seats_for

MATCHES = 6  # played in a test, one with each mix of options
CLOSE_LOOK = 0.03  # the share of states in which everything that can be tried is tried
CARGO_KINDS = {EventKind.CARGO, EventKind.TREASURE, EventKind.SALE, EventKind.SETTLEMENT}
NEVER_BELOW_ZERO, NEVER_FALLS = ("cargo", "legend"), ("legend",)

Column = Callable[[GameEvent], str]
COLUMNS: dict[str, Column] = {
    "legend": lambda event: "cargo" if event.kind in CARGO_KINDS else "legend",
    "swashbuckle": lambda event: "nest" if event.kind in (EventKind.NEST, EventKind.BLIMEY) else "bilge",
}
"""Of games whose score is the sum of columns: which of them an event's points go to."""


# --- what each step must keep to ------------------------------------------------------------------------------------


def check_turn(game: Game[Any], step: Step) -> None:
    """Somebody who sits at the table must do something that can be done."""
    turn = step.turn
    seats = range(len(game.names(step.before)))
    if isinstance(turn, Auction):
        assert turn.prompt
        assert all(bidder.seat in seats and 1 <= bidder.least <= bidder.most for bidder in turn.bidders)
        assert len(turn.bids) in (0, len(seats))
        return
    assert isinstance(turn, Roll | Decide)
    assert turn.seat in seats
    match turn:
        case Roll(dice=dice):
            assert dice
            assert len(set(dice)) == len(dice)
        case Decide(ask=PickAsk() as ask):
            ids = [option.id for option in ask.options]
            assert ids
            assert len(set(ids)) == len(ids)
            assert ask.default is None or ask.default in ids
            assert all(option.label for option in ask.options)
        case Decide(ask=KeepAsk() as ask):
            assert ask.dice
            assert set(ask.default) < set(ask.dice)
        case Decide(ask=AmountAsk() as ask):
            assert ask.lo <= ask.default <= ask.hi


def check_tallies(game: Game[Any], step: Step) -> None:
    """No tally falls that may not, and what is told adds up to what changed."""
    before, after = game.tallies(step.before), game.tallies(step.after)
    assert len(before) == len(after) == len(game.names(step.after))
    for old, new in zip(before, after, strict=True):
        assert all(new[column] >= 0 for column in NEVER_BELOW_ZERO if column in new)
        assert all(new[column] >= old[column] for column in NEVER_FALLS if column in new)
    game_events = game.game_events(step.before, step.after)
    assert all(game_event.words and game_event.seat in (None, *range(len(after))) for game_event in game_events)
    if column_of := COLUMNS.get(game.key):
        expected = [{column: old[column] for column in old if column != "total"} for old in before]
        for game_event in game_events:
            for seat in range(len(after)) if game_event.seat is None else (game_event.seat,):
                expected[seat][column_of(game_event)] += game_event.points
            if game_event.payer is not None:
                expected[game_event.payer][column_of(game_event)] -= game_event.points
        assert expected == [{column: new[column] for column in new if column != "total"} for new in after]


def check_board(game: Game[Any], step: Step) -> None:
    """Pieces stand on squares the game has, dice show faces, and the displays' questions have answers."""
    assert all(game.shape is not None and square in game.shape for square in game.pieces(step.after))
    assert all(game.shape is not None and square in game.shape for square in game.things(step.after))
    assert all(die.face is None or 1 <= die.face <= 6 for die in game.dice(step.after))
    assert game.heading(step.after)
    game.details(step.after)


def illegal_actions(turn: Turn) -> list[Action]:
    """Return actions that no answer to this turn can be."""
    wrong: list[Action] = [Pick("no-such-option"), Rolled(()), Rolled((0,)), Rolled((7,) * 6), Keep((99,)), Amount(-1)]
    wrong += [TimeUp(), Pick("")]
    match turn:
        case Roll(dice=dice):
            faces = (1,) * len(dice)
            wrong += [Rolled((*faces, 1)), Rolled(faces[1:]), Rolled((*faces[1:], 7))]
            wrong += [Pick("done"), Keep(()), Amount(0)]
        case Decide(ask=PickAsk()):
            wrong += [Rolled((1,)), Rolled((1,) * 5), Rolled((1,) * 6), Amount(0)]
        case Decide(ask=KeepAsk(dice=dice)):
            wrong += [Keep(dice), Keep((dice[0], dice[0])), Rolled((1,) * len(dice)), Amount(0), Pick("done")]
        case Decide(ask=AmountAsk(lo=lo, hi=hi)):
            wrong += [Amount(lo - 1), Amount(hi + 1), Pick("done"), Keep(())]
    return wrong


def answers_to(turn: Turn) -> list[Action]:
    """Return what is offered to the player who decides."""
    match turn:
        case Decide(ask=PickAsk(options=options)):
            return [Pick(option.id) for option in options]
        case Decide(ask=KeepAsk(default=kept)):
            return [Keep(kept)]
        case Decide(ask=AmountAsk(lo=lo, hi=hi, default=default)):
            return [Amount(lo), Amount(default), Amount(hi)]
    return []


def check_closely(game: Game[Any], step: Step) -> None:
    """Everything offered can be done and paid, nothing else can, and trying changes nothing."""
    state, before = step.before, hash(step.before)
    for call in game.calls(state):
        assert offered_option(step.turn, call.id) is None
        assert acting_seat(step.turn, Pick(call.id), game.calls(state)) is None
        game.apply(state, Pick(call.id))
    for answer in answers_to(step.turn):
        tallies = game.tallies(game.apply(state, answer))
        assert all(tally[column] >= 0 for tally in tallies for column in NEVER_BELOW_ZERO if column in tally), answer
    for refused in game.refused(state):
        assert refused.reason
        with pytest.raises(IllegalAction):
            game.apply(state, Pick(refused.id))
    wrong = illegal_actions(step.turn)
    if game.time_control(state) is not None:
        wrong.remove(TimeUp())
        assert isinstance(game.turn(game.apply(state, TimeUp())), Over)
    for action in wrong:
        with pytest.raises(IllegalAction):
            game.apply(state, action)
    assert hash(state) == before
    assert game.apply(state, step.action) == step.after


def check_replayed(game: Game[Any], seed: int, steps: Sequence[Step]) -> None:
    """The same actions lead to equal states all the way, and each action changes something."""
    state = game.start(seats_for(game, seed), options_for(game, seed))
    for step in steps:
        assert state != step.after
        state = game.apply(state, step.action)
        assert state == step.after
    assert hash(state) == hash(steps[-1].after)


def check_over(game: Game[Any], last: Any) -> None:  # noqa: ANN401 - any game's state
    """A match that is over has a result that fits its score, and nothing can be done any more."""
    turn = game.turn(last)
    assert isinstance(turn, Over)
    assert tuple(turn.result.scores) == tuple(game.score(last))
    assert turn.result.winner is None or turn.result.scores[turn.result.winner] == max(turn.result.scores)
    for action in (Pick("roll"), Pick("done"), Rolled((1,)), Keep(()), Amount(0), TimeUp()):
        with pytest.raises(IllegalAction):
            game.apply(last, action)


def check_ends_by_its_rules(game: Game[Any], matches: Sequence[Sequence[Step]]) -> None:
    """Most random matches end by the rules of a game, or hardly a rule was tried."""
    last = [steps[-1].action for steps in matches]
    given_up = sum(isinstance(action, Pick) and action.id in GIVING_UP for action in last)
    assert 2 * given_up <= len(last), (
        f"{game.key}: {given_up} of {len(last)} random matches ended as somebody gave up, so that hardly a rule was "
        "tried: expected most to end by the game's rules; let it be rare or late that giving up is offered"
    )


# --- the tests ------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("block", range(effort(1, 40)))
@pytest.mark.parametrize("key", GAMES)
def test_random_matches_keep_to_the_contract_and_most_end_by_the_rules(key: str, block: int) -> None:
    game = game_by_key(key)
    seeds = range(block * MATCHES, (block + 1) * MATCHES)
    matches = [list(match_steps(game, seed)) for seed in seeds]
    for seed, steps in zip(seeds, matches, strict=True):
        rng = random.Random(seed)
        for step in steps:
            check_turn(game, step)
            check_tallies(game, step)
            check_points(game, step.before, step.after)
            if rng.random() < CLOSE_LOOK:
                check_board(game, step)
                check_closely(game, step)
        check_replayed(game, seed, steps)
        check_over(game, steps[-1].after)
    check_ends_by_its_rules(game, matches)


def test_a_game_whose_random_matches_are_given_up_fails_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_matches, "SHY", dict.fromkeys(SHYNESS, 1.0))
    game = game_by_key("captains-chess")
    with pytest.raises(AssertionError, match="captains-chess: 4 of 4 random matches ended as somebody gave up"):
        check_ends_by_its_rules(game, [list(match_steps(game, seed)) for seed in range(4)])


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(UnknownGame, match="no-such-game"):
        game_by_key("no-such-game")
