"""Legend's rules as properties of any play: what a second pair of eyes must find true."""

from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import given, strategies as st

from captains_table.games.common.dice import cargo, has_crew
from captains_table.games.contract import Action, Amount, Pick, Rolled
from captains_table.games.legend.state import State
from tests.support.effort import effort
from tests.support.legend_harness import GAME, pieces, play, start
from tests.support.legend_walks import OPEN_START, attackers, bargains, changed, walk

Steps = list[tuple[State, Action, State]]
SEEDS = range(effort(3, 200))
five_faces = st.lists(st.integers(1, 6), min_size=5, max_size=5)


def points(state: State, after: State, kind: str) -> int:
    return sum(event.points for event in GAME.game_events(state, after) if event.kind == kind)


def total(state: State, column: str) -> int:
    return sum(tally[column] for tally in GAME.tallies(state))


@lru_cache(maxsize=6)
def steps(fen: str | None, seed: int) -> Steps:
    """Return the steps of a random walk: before, action, after."""
    return [(before, action, after) for before, action, after, _ in walk(fen, seed, 250)]


def walks() -> Iterator[tuple[State, Action, State]]:
    """Yield the steps of all walks."""
    for fen in (None, OPEN_START):
        for seed in SEEDS:
            yield from steps(fen, seed)


@given(five_faces)
def test_cargo_is_the_sum_less_fifteen_when_six_five_and_four_are_there_in_any_order(faces: list[int]) -> None:
    assert cargo(faces) == cargo(sorted(faces)) == (sum(faces) - 15 if {6, 5, 4} <= set(faces) else 0)
    assert has_crew(faces) == ({6, 5, 4} <= set(faces))


@pytest.mark.long
def test_a_strike_is_exactly_a_new_attacker_of_the_enemy_king() -> None:
    for before, _, after in walks():
        old, new = pieces(before), pieces(after)
        foe_is_white = before.colour is False
        fresh = attackers(new, of_white=foe_is_white) - attackers(old, of_white=foe_is_white)
        assert points(before, after, "strike") == bool(fresh and changed(old, new))


@pytest.mark.long
def test_treasure_is_due_after_castling_and_on_the_seventh_rank_only() -> None:
    for before, action, after in walks():
        new = pieces(after)
        moved = changed(pieces(before), new)
        pawn, seventh = ("P", "7") if before.colour else ("p", "2")
        arrived = any(str(at) in moved and letter == pawn and str(at)[1] == seventh for at, letter in new.items())
        castled = len(moved) == 4
        assert (type(after.turn.step).__name__ == "Treasure") == (arrived or castled), action


@pytest.mark.long
def test_a_move_scores_the_die_unless_it_was_thrown_three_times() -> None:
    for before, _, after in walks():
        if changed(pieces(before), pieces(after)):
            assert points(before, after, "legend") == (before.turn.die if before.turn.legend_throws < 3 else 0)


@pytest.mark.long
def test_only_treasure_and_the_end_of_a_turn_make_cargo_and_a_sale_moves_it() -> None:
    for before, action, after in walks():
        made, found = points(before, after, "cargo"), points(before, after, "treasure")
        assert total(after, "cargo") - total(before, "cargo") == made + found
        if found:
            assert isinstance(action, Rolled)
            assert found == sum(action.faces)
        assert not made or after.turns == before.turns + 1
        if action == Pick("agree"):
            assert (made, found, total(before, "legend")) == (0, 0, total(after, "legend"))


def held(state: State, seat: int) -> str:
    """Return what a seat holds of the other's pieces, as letters."""
    return "".join(sorted("_pnbrqk"[captured.kind] for captured in state.captures[seat]))


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_barter_takes_one_piece_from_each_for_good_and_moves_no_cargo(seed: int) -> None:
    """A second book-keeper: what both hold is what they took, less what was bought, and less what was given."""
    offered, offers = "", 0
    for before, action, after in bargains(seed, 400):
        kept = [held(before, seat) == held(after, seat) for seat in (0, 1)]
        assert before.turn.offers <= after.turn.offers <= 3 or after.turns != before.turns
        offers = 0 if after.turns != before.turns else offers + isinstance(action, Amount)
        if isinstance(action, Pick) and action.id.startswith("offer-piece-"):
            offered, offers = action.id[-1], offers + 1
            assert offered in held(before, before.seat)
        assert after.turn.offers == offers
        if type(before.turn.step).__name__ != "BarterConsent":
            continue
        assert kept[after.opponent]  # the bought one leaves when it is put on the board
        if action == Pick("agree"):
            assert held(before, before.seat).replace(offered, "", 1) == held(after, before.seat)
        else:
            assert kept[before.seat]
        assert GAME.tallies(before) == GAME.tallies(after)


@given(five_faces, five_faces, st.integers(4, 6))
def test_the_settlement_never_takes_more_than_the_loser_has(theirs: list[int], mine: list[int], die: int) -> None:
    state = start("r3k3/8/8/8/8/8/8/4R1K1 b - - 0 1", rounds="2")
    state = play(
        state, f"roll {' '.join(map(str, theirs))} 6", "a8b8", "done", f"roll {' '.join(map(str, mine))} {die}"
    )
    before, after = GAME.tallies(state), GAME.tallies(play(state, "e1e8", "done"))
    paid = min(5, before[1]["cargo"])
    assert after[1]["cargo"] == before[1]["cargo"] - paid
    assert after[0]["cargo"] == before[0]["cargo"] + paid + cargo(mine)
    assert after[1]["legend"] == before[1]["legend"]
