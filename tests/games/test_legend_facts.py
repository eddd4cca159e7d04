"""The facts and examples at the end of docs/rules/legend.md, each worked out anew here."""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise

import pytest

from captains_table.games.common.dice import cargo as cargo_of
from captains_table.games.legend.state import State
from tests.support.effort import effort
from tests.support.legend_harness import ANNE, BART, cargo, moves, on_board, piece, play, start, tallies
from tests.support.legend_walks import CASTLINGS, OPEN_START, castlings, may_move, plain_moves, walk

Faces = tuple[int, ...]
ROLL_SIX = "roll 1 1 1 1 1 6"
RICH = "6 5 4 6 6"


# --- moves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "count"), [(1, 16), (2, 20), (3, 20), (4, 20), (5, 20), (6, 20)])
def test_from_the_start_a_one_permits_sixteen_moves_and_more_permits_twenty(die: int, count: int) -> None:
    assert len(on_board(play(start(), f"roll 1 1 1 1 1 {die}"))) == count


def test_with_the_die_always_six_the_tree_has_20_400_and_8902_nodes() -> None:
    layer, sizes = [start()], []
    for depth in (1, 2, 3):
        thrown = [play(state, ROLL_SIX) for state in layer]
        sizes.append(sum(len(on_board(state)) for state in thrown))
        if depth < 3:
            layer = [play(state, id_, "done") for state in thrown for id_ in on_board(state)]
    assert sizes == [20, 400, 8902]


@pytest.mark.parametrize("fen", [None, OPEN_START])
@pytest.mark.long
@pytest.mark.parametrize("block", range(effort(1, 40)))
def test_moves_are_chess_without_check_and_castling_without_attacks(fen: str | None, block: int) -> None:
    checked = castled = 0
    for seed in range(block * 10, block * 10 + 10):
        for state, _, touched in walk(fen, seed, 600):
            if not may_move(state):
                continue
            checked += 1
            castling = castlings(state, touched)
            plain = plain_moves(state)
            assert on_board(state) == plain | castling
            assert on_board(state) & CASTLINGS - plain == castling
            castled += len(castling)
    assert checked > 500
    assert castled > 0 or fen is None


# --- cargo ----------------------------------------------------------------------------------------------------------


def multiplicity(faces: Faces) -> int:
    """Return in how many orders these faces can fall."""
    return math.factorial(len(faces)) // math.prod(math.factorial(count) for count in Counter(faces).values())


def best(worth: Callable[[Faces], int], throws: int) -> Fraction:
    """Return the best expectation of five dice thrown so often, keeping freely in between."""

    @cache
    def after_throwing(kept: Faces, throws_left: int) -> Fraction:
        falling = 5 - len(kept)
        total: Fraction = Fraction(0)
        for fallen in combinations_with_replacement(range(1, 7), falling):
            total += multiplicity(fallen) * holding(tuple(sorted(kept + fallen)), throws_left - 1)
        return total * Fraction(1, 6**falling)

    @cache
    def holding(faces: Faces, throws_left: int) -> Fraction:
        if throws_left == 0:
            return Fraction(worth(faces))
        keeps = {kept for size in range(5) for kept in combinations(faces, size)}
        return max([Fraction(worth(faces)), *(after_throwing(kept, throws_left) for kept in keeps)])

    return after_throwing((), throws)


def test_the_best_expected_cargo_of_a_turn() -> None:
    expected = best(cargo_of, 3)
    assert expected == Fraction(7721004643, 1451188224)
    assert round(float(expected), 9) == 5.320470850


def test_the_best_chance_of_ship_captain_and_crew_in_three_throws() -> None:
    chance = best(lambda faces: int({6, 5, 4} <= set(faces)), 3)
    assert round(float(chance), 9) == 0.667253220


# --- examples -------------------------------------------------------------------------------------------------------


def gobble(bart_cargo: str) -> State:
    """Let Anne's queen take three pawns, a knight, a bishop, a rook, a queen and the king."""
    state = start("qk5n/r7/b7/n7/p7/p7/p7/Q6K w - - 0 1")
    path = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "b8"]
    for turn, (here, there) in enumerate(pairwise(path)):
        state = moves(state, here + there)
        if there != "b8":
            state = moves(state, "h8g6" if turn % 2 == 0 else "g6h8", cargo=bart_cargo)
    return state


def test_the_settlement_example_is_worth_23() -> None:
    state = gobble(RICH)
    assert cargo(state, ANNE) == 23
    assert cargo(state, BART) == 7 * 12 - 23
    assert piece(state, "a8") == "r"


def test_the_settlement_example_takes_all_from_a_loser_with_less() -> None:
    state = gobble("6 5 4 1 2")
    assert (cargo(state, ANNE), cargo(state, BART)) == (7 * 3, 0)


def test_the_worked_example() -> None:
    turns = [
        ("6 5 4 5 4", 3, "e2e4", (9, 3)),
        ("6 5 4 3 3", 2, "g1f3", (15, 5)),
        ("6 5 4 6 2", 6, "f1b5", (23, 11)),
        ("6 6 6 6 6", 3, "a2a3", (23, 14)),
        ("6 5 4 6 5", 3, "b5d7", (34, 18)),
        ("6 5 4 5 1", 6, "h2h3", (40, 24)),
    ]
    replies = ["h7h6", "h6h5", "h5h4", "g7g6", "g6g5", "g5g4"]
    state = start()
    for (faces, die, move, expected), reply in zip(turns, replies, strict=True):
        state = moves(state, move, die=die, cargo=faces)
        assert tallies(state, ANNE) == expected
        state = moves(state, reply)
    state = play(state, "roll 6 5 4 4 1 5", "e1g1 5 3", "done")
    assert tallies(state, ANNE) == (53, 29)
