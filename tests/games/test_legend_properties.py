"""Legend's rules as properties of any play: what a second pair of eyes must find true."""

from itertools import pairwise

from hypothesis import HealthCheck, given, settings, strategies as st

from captains_table.games.common.dice import cargo, has_crew
from captains_table.games.contract import Action, Amount, Pick, Rolled
from captains_table.games.legend.state import State
from tests.support.effort import effort
from tests.support.legend_harness import GAME, pieces, start
from tests.support.legend_walks import OPEN_START, attackers, bargains, changed, walk

SLOWLY = settings(max_examples=effort(5, 200), suppress_health_check=list(HealthCheck))
seeds = st.integers(0, 10**9)
starts = st.sampled_from([None, OPEN_START])
five_faces = st.lists(st.integers(1, 6), min_size=5, max_size=5)


def points(state: State, after: State, kind: str) -> int:
    return sum(game_event.points for game_event in GAME.game_events(state, after) if game_event.kind == kind)


def total(state: State, column: str) -> int:
    return sum(tally[column] for tally in GAME.tallies(state))


def steps(fen: str | None, seed: int) -> list[tuple[State, Action, State]]:
    """Return the steps of a random walk: before, action, after."""
    walked = [(state, action) for state, action, _ in walk(fen, seed, 250)]
    return [(before, action, after) for (before, action), (after, _) in pairwise(walked)]


@given(five_faces)
def test_cargo_is_the_sum_less_fifteen_when_six_five_and_four_are_there(faces: list[int]) -> None:
    assert cargo(faces) == (sum(faces) - 15 if {6, 5, 4} <= set(faces) else 0)


@given(five_faces)
def test_the_order_of_the_dice_does_not_matter_to_cargo(faces: list[int]) -> None:
    assert cargo(sorted(faces)) == cargo(faces)
    assert has_crew(faces) == ({6, 5, 4} <= set(faces))


@SLOWLY
@given(starts, seeds)
def test_a_strike_is_exactly_a_new_attacker_of_the_enemy_king(fen: str | None, seed: int) -> None:
    for before, _, after in steps(fen, seed):
        old, new = pieces(before), pieces(after)
        if not changed(old, new):
            assert points(before, after, "strike") == 0
            continue
        foe_is_white = before.colour is False
        fresh = attackers(new, of_white=foe_is_white) - attackers(old, of_white=foe_is_white)
        assert points(before, after, "strike") == bool(fresh)


@SLOWLY
@given(starts, seeds)
def test_treasure_is_due_after_castling_and_on_the_seventh_rank_only(fen: str | None, seed: int) -> None:
    for before, action, after in steps(fen, seed):
        old, new = pieces(before), pieces(after)
        moved = changed(old, new)
        white = before.colour is True
        pawn, seventh = ("P", "7") if white else ("p", "2")
        arrived = any(
            str(square) in moved and letter == pawn and str(square)[1] == seventh for square, letter in new.items()
        )
        castled = len(moved) == 4
        assert (type(after.turn.step).__name__ == "Treasure") == (arrived or castled), action


@SLOWLY
@given(starts, seeds)
def test_a_move_scores_the_die_unless_it_was_thrown_three_times(fen: str | None, seed: int) -> None:
    for before, _, after in steps(fen, seed):
        if changed(pieces(before), pieces(after)):
            expected = before.turn.die if before.turn.legend_throws < 3 else 0
            assert points(before, after, "legend") == expected


@SLOWLY
@given(starts, seeds)
def test_a_sale_moves_cargo_and_makes_none(fen: str | None, seed: int) -> None:
    for before, action, after in steps(fen, seed):
        if action == Pick("agree"):
            assert total(before, "cargo") == total(after, "cargo")
            assert total(before, "legend") == total(after, "legend")


def values(letters: str) -> int:
    return sum({"p": 1, "n": 2, "b": 3, "r": 4, "q": 6}[letter] for letter in letters)


def held(state: State, seat: int) -> str:
    """Return what a seat holds of the other's pieces, as letters."""
    return "".join(sorted("_pnbrqk"[captured.kind] for captured in state.captures[seat]))


@SLOWLY
@given(seeds)
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
            assert values(held(before, before.seat)) - values(held(after, before.seat)) == values(offered)
            assert len(held(after, before.seat)) == len(held(before, before.seat)) - 1
        else:
            assert kept[before.seat]
        assert GAME.tallies(before) == GAME.tallies(after)


@SLOWLY
@given(starts, seeds)
def test_only_treasure_and_the_end_of_a_turn_make_cargo(fen: str | None, seed: int) -> None:
    for before, action, after in steps(fen, seed):
        made = points(before, after, "cargo") + points(before, after, "treasure")
        assert total(after, "cargo") - total(before, "cargo") == made
        if points(before, after, "treasure"):
            assert isinstance(action, Rolled)
            assert points(before, after, "treasure") == sum(action.faces)
        if points(before, after, "cargo"):
            assert after.turns == before.turns + 1


@given(five_faces, five_faces, st.integers(1, 6))
def test_the_settlement_never_takes_more_than_the_loser_has(theirs: list[int], mine: list[int], die: int) -> None:
    state = start("r3k3/8/8/8/8/8/8/4R1K1 b - - 0 1", rounds="2")
    script: list[Action] = [
        *(Pick("roll"), Rolled((*theirs, 6)), Pick("a8b8"), Pick("done")),
        *(Pick("roll"), Rolled((*mine, die))),
    ]
    for action in script:
        state = GAME.apply(state, action)
    if die < 4:
        return
    before = GAME.tallies(state)
    for pick in ("e1e8", "done"):
        state = GAME.apply(state, Pick(pick))
    after = GAME.tallies(state)
    paid = min(5, before[1]["cargo"])
    assert after[1]["cargo"] == before[1]["cargo"] - paid
    assert after[0]["cargo"] == before[0]["cargo"] + paid + cargo(mine)
    assert after[1]["legend"] == before[1]["legend"]
