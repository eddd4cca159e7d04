"""What every game owes the table, proved by playing each at random (docs/contracts.md Contract 1)."""

import random
from collections.abc import Callable, Mapping, Sequence
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
from tests.support.audit import check_points
from tests.support.effort import effort
from tests.support.random_matches import Step, match_steps, options_for, seats_for

BLOCKS, MATCHES_A_BLOCK = effort(1, 40), 15
FEWER_A_BLOCK = {"captains-chess": 5, "crowns": 6, "ship-captain-crew": 8, "swashbuckle": 6}  # their matches are long
CLOSE_LOOK = 0.02  # the share of states in which everything that can be tried is tried
CARGO_KINDS = {EventKind.CARGO, EventKind.TREASURE, EventKind.SALE, EventKind.SETTLEMENT}
NEVER_BELOW_ZERO, NEVER_FALLS = ("cargo", "legend"), ("legend",)

Column = Callable[[GameEvent], str]
COLUMNS: dict[str, Column] = {
    "legend": lambda event: "cargo" if event.kind in CARGO_KINDS else "legend",
    "swashbuckle": lambda event: "nest" if event.kind in (EventKind.NEST, EventKind.BLIMEY) else "bilge",
}
"""Of games whose score is the sum of columns: which of them an event's points go to."""


# --- what each step must keep to ------------------------------------------------------------------------------------


def check_auctioned(game: Game[Any], turn: Auction, step: Step) -> None:
    """Those who sit at the table may bid, from something to something."""
    seats = range(len(game.names(step.before)))
    assert turn.prompt
    assert all(bidder.seat in seats and 1 <= bidder.least <= bidder.most for bidder in turn.bidders)
    assert len(turn.bids) in (0, len(seats))


def check_turn(game: Game[Any], step: Step) -> None:
    """Somebody who sits at the table must do something that can be done."""
    turn = step.turn
    if isinstance(turn, Auction):
        check_auctioned(game, turn, step)
        return
    assert isinstance(turn, Roll | Decide)
    assert turn.seat in range(len(game.names(step.before)))
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


def check_closely(game: Game[Any], step: Step) -> None:
    """Everything offered can be done, nothing else can, and trying changes nothing."""
    state, before = step.before, hash(step.before)
    for call in game.calls(state):
        assert offered_option(step.turn, call.id) is None
        assert acting_seat(step.turn, Pick(call.id), game.calls(state)) is None
        game.apply(state, Pick(call.id))
    if isinstance(step.turn, Decide) and isinstance(step.turn.ask, PickAsk):
        for option in step.turn.ask.options:
            game.apply(state, Pick(option.id))
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


def replayed(game: Game[Any], seats: Sequence[str], options: Mapping[str, str], actions: Sequence[Action]) -> Any:  # noqa: ANN401
    state = game.start(seats, options)
    for action in actions:
        state = game.apply(state, action)
    return state


# --- the tests ------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("key", GAMES)
def test_random_matches_keep_to_the_contract_and_end(key: str, block: int) -> None:
    game = game_by_key(key)
    matches = FEWER_A_BLOCK.get(key, MATCHES_A_BLOCK)
    for seed in range(block * matches, (block + 1) * matches):
        rng = random.Random(seed)
        for step in match_steps(game, seed):
            check_turn(game, step)
            check_tallies(game, step)
            check_points(game, step.before, step.after)
            if rng.random() < CLOSE_LOOK:
                check_board(game, step)
                check_closely(game, step)


def check_ends_by_its_rules(game: Game[Any], seeds: Sequence[int]) -> None:
    """Most random matches end by the rules of a game, or hardly a rule was tried."""
    given_up, left = 0, len(seeds)
    for seed in seeds:
        *_, last = match_steps(game, seed)
        given_up += isinstance(last.action, Pick) and last.action.id in GIVING_UP
        left -= 1
        if 2 * (given_up + left) <= len(seeds):
            return
        assert 2 * given_up <= len(seeds), (
            f"{game.key}: {given_up} of {len(seeds) - left} random matches ended as somebody gave up, so that hardly a "
            "rule was tried: expected most to end by the game's rules; let it be rare or late that giving up is offered"
        )


@pytest.mark.parametrize("key", GAMES)
def test_most_random_matches_end_by_the_rules_and_not_by_giving_up(key: str) -> None:
    check_ends_by_its_rules(game_by_key(key), range(effort(8, 40)))


def test_a_game_whose_random_matches_are_given_up_fails_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_matches, "SHYNESS", dict.fromkeys(SHYNESS, 1.0))
    with pytest.raises(AssertionError, match="captains-chess: 5 of 5 random matches ended as somebody gave up"):
        check_ends_by_its_rules(game_by_key("captains-chess"), range(8))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(effort(2, 40)))
@pytest.mark.parametrize("key", GAMES)
def test_replaying_a_matchs_actions_gives_an_equal_state(key: str, seed: int) -> None:
    game = game_by_key(key)
    steps = list(match_steps(game, seed))
    last = steps[-1].after
    again = replayed(game, seats_for(game, seed), options_for(game, seed), [step.action for step in steps])
    assert again == last
    assert hash(again) == hash(last)
    result = game.turn(last)
    assert isinstance(result, Over)
    assert tuple(result.result.scores) == tuple(game.score(last))
    assert result.result.winner is None or result.result.scores[result.result.winner] == max(result.result.scores)


@pytest.mark.parametrize("key", GAMES)
def test_nothing_can_be_done_when_a_match_is_over(key: str) -> None:
    game = game_by_key(key)
    last = list(match_steps(game, 0))[-1].after
    for action in (Pick("roll"), Pick("done"), Rolled((1,)), Keep(()), Amount(0), TimeUp()):
        with pytest.raises(IllegalAction):
            game.apply(last, action)


@pytest.mark.parametrize("key", GAMES)
def test_every_state_is_a_value(key: str) -> None:
    """Two states reached by the same actions are equal all the way, and no step equals the one before it."""
    game = game_by_key(key)
    first, second = list(match_steps(game, 1)), list(match_steps(game, 1))
    assert [step.after for step in first] == [step.after for step in second]
    assert all(step.before != step.after for step in first)


@pytest.mark.parametrize("key", GAMES)
def test_a_game_knows_its_own_key_and_how_many_may_play(key: str) -> None:
    game = game_by_key(key)
    assert (game.key, bool(game.title), len(game.seats) > 0) == (key, True, True)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(UnknownGame, match="no-such-game"):
        game_by_key("no-such-game")
