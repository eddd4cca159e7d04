"""The shrewd player of Crowns: it takes what wins, pays to keep others from it, and foresees what deeds do."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.contract import Auction, Bid, Bidder, Correct, Decide, Over, Pick
from captains_table.games.crowns.board import CROWNS_SHAPE, PAWN_LETTERS
from captains_table.games.crowns.deed_effects import do, go_to_prison, take_gold
from captains_table.games.crowns.deeds import possible
from captains_table.games.crowns.designs import ROSTER
from captains_table.games.crowns.move_generation import reach_of
from captains_table.games.crowns.state import Acting, Arriving, Away, Escaping, State
from captains_table.players.crowns.appraisal import match_value, may_win, moves_from
from captains_table.players.crowns.lookahead import Lookahead
from captains_table.players.crowns.notus import bid_shrewdly, play_shrewdly
from captains_table.runtime.simulated_matches import SimulationPlan, play_match
from tests.support.crowns_play import GAME, NAMES, let_act, set_up, start
from tests.support.effort import effort

BELOW = random.Random(1).randrange


def near() -> State:
    """Return a match in which Anne and Bart wear a crown each, and stand next to each other."""
    return set_up(start(4), at={"Anne": "c3", "Bart": "b4"}, crowns=("Anne", "Bart"), pawns={"a2": "P", "g6": "p"})


def bidder_of(state: State, name: str) -> Bidder:
    turn = GAME.turn(state)
    assert isinstance(turn, Auction)
    bidder = turn.bidder(state.seats.index(name))
    assert bidder is not None
    return bidder


def bid_of(state: State, name: str) -> int | None:
    offer = bid_shrewdly(BELOW)(state, bidder_of(state, name))
    return None if offer is None else offer.value


def deed_of(state: State) -> str:
    turn = GAME.turn(state)
    assert isinstance(turn, Decide)
    action = play_shrewdly(BELOW)(state, turn)
    assert isinstance(action, Pick)
    return action.id


@pytest.mark.parametrize("name", ["Anne", "Bart"])
def test_it_takes_the_crown_that_wins(name: str) -> None:
    state = let_act(near(), name)
    turn = GAME.turn(GAME.apply(state, Pick(deed_of(state))))
    assert isinstance(turn, Over)
    assert turn.result.winner == state.seats.index(name)


def test_it_carries_a_crown_off_where_that_wins() -> None:
    state = set_up(start(4), at={"Anne": "d7", "Cleo": "a1", "Bart": "prison"}, crowns=("Cleo", "Anne"), pawns={})
    assert deed_of(let_act(state, "Anne")) == "d7-off"


def test_it_pays_its_whole_purse_for_a_turn_that_wins() -> None:
    assert bid_of(GAME.apply(near(), Bid(1, 8)), "Anne") == 9


def test_it_pays_to_keep_others_from_winning() -> None:
    state = near()
    calm = set_up(state, at={"Bart": "g7"})
    assert (may_win(Lookahead.of(state), 1), may_win(Lookahead.of(calm), 1)) == (True, False)
    assert match_value(Lookahead.of(calm), 2) > match_value(Lookahead.of(state), 2)
    assert (bid_of(GAME.apply(state, Bid(1, 3)), "Cleo") or 0) > 3


def test_it_does_not_raise_itself_and_bids_no_more_than_it_gains() -> None:
    state = start(4)
    assert bid_of(state, "Anne") == 1
    assert bid_of(GAME.apply(state, Bid(0, 1)), "Anne") is None
    assert bid_of(GAME.apply(state, Bid(1, 8)), "Anne") is None


def test_it_bids_for_what_there_is_when_a_game_master_moves_a_crown_meanwhile() -> None:
    state, cleo = GAME.apply(near(), Bid(1, 5)), bid_shrewdly(BELOW)
    assert cleo(state, bidder_of(state, "Cleo")) == Bid(2, 6), "Anne or Bart may win"
    corrected = GAME.apply(state, Correct("crown", "black", "g7", ""))
    assert cleo(corrected, bidder_of(corrected, "Cleo")) is None


def test_it_beats_a_player_at_random() -> None:
    plan = SimulationPlan("crowns", ("shrewd", "random"), {"turn_limit": "150"}, matches=3, seed=3)
    scores = [play_match(plan, number) for number in range(3)]
    assert all(match[0].won >= match[1].won for match in scores)
    assert any(match[0].won for match in scores)


# --- what a deed does -------------------------------------------------------------------------------------------------


def settled(state: State) -> State:
    """Return the state after whatever a deed still asks: gold for a pawn, and prison for the captured."""
    match state.step:
        case Arriving():
            return take_gold(state, state.step.seat)
        case Escaping() as escaping:
            return go_to_prison(state, escaping)
    return state


def sight_of(seen: Lookahead, seat: int) -> tuple[object, ...]:
    """Return what a player sees of a match, and what it is worth to a seat."""
    standing = (seen.board, seen.places, seen.jailed, seen.levelled)
    return *standing, seen.gold, seen.crowns, seen.wearers, match_value(seen, seat)


def anywhere(rng: random.Random, seats: int) -> State:
    """Return a match in which players, crowns, pawns and gold are anywhere they may be."""
    names, state = NAMES[:seats], GAME.start(NAMES[:seats], {})
    free = [square for square in CROWNS_SHAPE.squares() if not state.pawn_at(square)]
    rng.shuffle(free)
    places = {name: rng.choice([str(free.pop())] * 5 + list(Away)) for name in names}
    pawns = {str(free.pop()): rng.choice(PAWN_LETTERS) for _ in range(6)}
    standing = [name for name, where in places.items() if where not in set(Away)]
    crowns = [rng.choice([*standing, str(free.pop())]) for _ in range(2)]
    gold = {name: rng.randrange(60) for name in names}
    levelled = [name for name in standing if rng.randrange(2)]
    cards = {name: rng.randrange(2) for name in names}
    return set_up(state, at=places, gold=gold, pawns=pawns, crowns=crowns, levelled=levelled, cards=cards)


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4, 7]))
@settings(max_examples=effort(25, 1000))
def test_what_is_seen_of_a_deed_is_what_the_rules_make_of_it(seed: int, seats: int) -> None:
    state = anywhere(random.Random(seed), seats)
    for acting in map(Acting, range(seats)):
        at = replace(state, step=acting)
        for deed in possible(at, acting):
            after, done = Lookahead.of(at).after(acting.seat, deed), settled(do(at, acting.seat, deed))
            if isinstance(done.step, Over):
                assert after.winner == done.step.result.winner, deed
                continue
            assert after.winner is None, deed
            assert sight_of(after, acting.seat) == sight_of(Lookahead.of(done), acting.seat), deed


@given(start=st.integers(0, 48), piece=st.sampled_from(ROSTER), king=st.booleans())
def test_moves_to_a_square_are_one_more_than_from_the_nearest_that_leads_there(
    start: int, piece: str, *, king: bool
) -> None:
    reach = reach_of(GAME.start(NAMES[:2], {"piece1": piece}), 0, levelled=False, is_king=king)
    moves = moves_from(reach)[start]
    steps = reach.targets(bytes(len(moves)), start, ())
    assert moves[start] == 0
    for square, count in enumerate(moves):
        ways = [moves_from(reach)[step][square] for step in steps if step == square or moves_from(reach)[step][square]]
        assert square == start or count == (1 + min(ways) if ways else 0)
