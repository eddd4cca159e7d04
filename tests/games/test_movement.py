"""Leapers and riders on boards of several sizes, against plain counting."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from captains_table.games.common.movement import DIAGONAL, KNIGHTLY, ORTHOGONAL, Attacks, Movement, Reach, all_rotations
from captains_table.games.contract import Shape

SHAPES = [Shape(9, 8), Shape(8, 8), Shape(7, 7), Shape(3, 12), Shape(1, 1)]
CODE, OTHER = 1, 2
PIECES = {
    CODE: Movement(leaps=frozenset({(0, 1), (-1, 2)}), rides=frozenset({(1, 1)})),
    OTHER: Movement(leaps=KNIGHTLY, rides=ORTHOGONAL),
}


def at(shape: Shape, file: int, rank: int) -> int:
    return file + rank * shape.files


def reached(shape: Shape, movement: Movement, file: int, rank: int) -> set[int]:
    reach = Reach(shape, movement)
    return set(reach.targets(bytes(shape.files * shape.ranks), at(shape, file, rank), ()))


def test_an_offset_is_turned_every_way() -> None:
    assert len(KNIGHTLY) == 8
    assert {(-1, 0), (0, 1)} < ORTHOGONAL
    assert len(ORTHOGONAL) == len(DIAGONAL) == 4
    assert all_rotations((0, 2), (2, 2)) == {(0, 2), (0, -2), (2, 0), (-2, 0), (2, 2), (2, -2), (-2, 2), (-2, -2)}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rook_and_knight_reach_what_counting_finds_and_never_leave_the_board_nor_wrap_around_it(shape: Shape) -> None:
    squares = list(product(range(shape.files), range(shape.ranks)))
    for file, rank in squares:
        away = {at(shape, f, r): (abs(f - file), abs(r - rank)) for f, r in squares}
        lines = {square for square, (files, ranks) in away.items() if (files == 0) != (ranks == 0)}
        assert reached(shape, Movement(rides=ORTHOGONAL), file, rank) == lines
        leaps = {square for square, (files, ranks) in away.items() if {files, ranks} == {1, 2}}
        assert reached(shape, Movement(leaps=KNIGHTLY), file, rank) == leaps


def test_a_ride_ends_on_the_first_piece_and_leaves_out_those_it_may_not_take() -> None:
    shape = Shape(9, 8)
    rook = Reach(shape, Movement(rides=ORTHOGONAL))
    board = bytearray(72)
    board[at(shape, 4, 6)], board[at(shape, 7, 3)] = CODE, OTHER
    found = rook.targets(board, at(shape, 4, 3), {CODE})
    assert at(shape, 4, 5) in found
    assert at(shape, 4, 6) not in found
    assert at(shape, 7, 3) in found
    assert at(shape, 8, 3) not in found


def test_what_goes_forward_goes_down_the_board_for_the_other_side() -> None:
    forward = Movement(leaps=frozenset({(1, 2)}), rides=frozenset({(0, 1)}))
    assert forward.mirrored() == Movement(leaps=frozenset({(1, -2)}), rides=frozenset({(0, -1)}))
    assert forward.reversed() == Movement(leaps=frozenset({(-1, -2)}), rides=frozenset({(0, -1)}))


boards = st.lists(st.sampled_from([0, 0, 0, CODE, OTHER, 3]), min_size=72, max_size=72).map(bytes)


@given(boards)
def test_a_square_is_attacked_just_if_a_piece_reaches_it(stands: bytes) -> None:
    hit = {
        end for start, code in enumerate(stands) if code in PIECES for end in REACHES[code].targets(stands, start, ())
    }
    assert {square for square in range(72) if ATTACKS.hit(stands, square)} == hit


@given(boards, st.integers(0, 71))
def test_only_what_shields_a_square_opens_an_attack_on_it_by_leaving(stands: bytes, square: int) -> None:
    riders = Attacks.of(Shape(9, 8), {code: Movement(rides=movement.rides) for code, movement in PIECES.items()})
    shields = riders.shields(stands, square)
    for source, code in enumerate(stands):
        if code and source != square and not riders.hit(stands, square):
            without = bytearray(stands)
            without[source] = 0
            assert riders.hit(without, square) == (source in shields)


ATTACKS = Attacks.of(Shape(9, 8), PIECES)
REACHES = {code: Reach(Shape(9, 8), movement) for code, movement in PIECES.items()}
