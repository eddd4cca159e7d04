"""What a player of Crowns sees of each deed beforehand is what the rules make of it."""

import random
from dataclasses import replace

from hypothesis import given, settings, strategies as st

from captains_table.games.contract import Over
from captains_table.games.crowns.board import CROWNS_SHAPE, PAWN_LETTERS
from captains_table.games.crowns.deed_effects import do, go_to_prison, take_gold
from captains_table.games.crowns.deeds import possible
from captains_table.games.crowns.designs import ROSTER
from captains_table.games.crowns.move_generation import reach_of
from captains_table.games.crowns.state import Acting, Arriving, Away, Escaping, State
from captains_table.players.crowns.appraisal import match_value, moves_from
from captains_table.players.crowns.lookahead import Lookahead
from tests.support.crowns_play import GAME, NAMES, set_up


def settled(state: State) -> State:
    """Return the state after whatever a deed still asks: gold for a pawn, and prison for the captured."""
    match state.step:
        case Arriving():
            return take_gold(state, state.step.seat)
        case Escaping() as escaping:
            return go_to_prison(state, escaping)
    return state


def check_deeds(state: State, acting: Acting) -> None:
    """Check for each deed that what is seen after it is what is seen of the match after it was done."""
    seen = Lookahead.of(state)
    for deed in possible(state, acting):
        after, done = seen.after(acting.seat, deed), settled(do(state, acting.seat, deed))
        if isinstance(done.step, Over):
            assert after.winner == done.step.result.winner, deed
            continue
        expected = Lookahead.of(done)
        assert after.winner is None, deed
        assert (after.board, after.places, after.jailed, after.levelled) == (
            expected.board,
            expected.places,
            expected.jailed,
            expected.levelled,
        ), deed
        assert (after.gold, after.crowns, after.wearers) == (expected.gold, expected.crowns, expected.wearers), deed
        assert match_value(after, acting.seat) == match_value(expected, acting.seat), deed


def anywhere(rng: random.Random, seats: int) -> State:
    """Return a match in which players, crowns, pawns and gold are anywhere they may be."""
    state = GAME.start(NAMES[:seats], {})
    free = [square for square in CROWNS_SHAPE.squares() if not state.pawn_at(square)]
    rng.shuffle(free)
    names = NAMES[:seats]
    places = {name: rng.choice([str(free.pop())] * 5 + list(Away)) for name in names}
    pawns = {str(free.pop()): rng.choice(PAWN_LETTERS) for _ in range(6)}
    standing = [name for name, where in places.items() if where not in set(Away)]
    crowns = [rng.choice([*standing, str(free.pop())]) for _ in range(2)]
    gold = {name: rng.randrange(60) for name in names}
    levelled = [name for name in standing if rng.randrange(2)]
    cards = {name: rng.randrange(2) for name in names}
    return set_up(state, at=places, gold=gold, pawns=pawns, crowns=crowns, levelled=levelled, cards=cards)


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4, 7]))
@settings(max_examples=40)
def test_what_is_seen_of_a_deed_is_what_the_rules_make_of_it(seed: int, seats: int) -> None:
    state = anywhere(random.Random(seed), seats)
    for seat in range(seats):
        check_deeds(replace(state, step=Acting(seat)), Acting(seat))


@given(start=st.integers(0, 48), piece=st.sampled_from(ROSTER), king=st.booleans())
def test_moves_to_a_square_are_one_more_than_from_the_nearest_that_leads_there(
    start: int, piece: str, *, king: bool
) -> None:
    state = GAME.start(NAMES[:2], {"piece1": piece})
    reach = reach_of(state, 0, levelled=False, is_king=king)
    moves = moves_from(reach)[start]
    steps = reach.targets(bytes(len(moves)), start, ())
    assert moves[start] == 0
    for square, count in enumerate(moves):
        ways = [moves_from(reach)[step][square] for step in steps if step == square or moves_from(reach)[step][square]]
        assert square == start or count == (1 + min(ways) if ways else 0)
