"""Designing a piece for Crowns, rule by rule (docs/rules/crowns.md D1 - D5), and the lattices by brute force."""

from collections.abc import Collection

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.common.movement import Offset
from captains_table.games.contract import BadOption
from captains_table.games.crowns.designs import (
    BadDesign,
    Design,
    check_design,
    faults_of,
    parse_design,
    read_design,
    roster,
)
from captains_table.games.crowns.grids import ARROWS, DOTS, MoveGrid, index_of, parse_grid
from tests.support.crowns_play import GAME, KNIGHT, NAMES
from tests.support.effort import effort

LARGEST_INDEX = 8  # what two moves of the little board span at most
MOVES = sorted({*DOTS.values(), *ARROWS.values()})
grids = st.builds(
    MoveGrid,
    st.frozensets(st.sampled_from(sorted(DOTS.values())), max_size=6),
    st.frozensets(st.sampled_from(sorted(ARROWS.values())), max_size=2),
).filter(lambda grid: grid.cost > 0)


# --- D3: discounts ----------------------------------------------------------------------------------------------------


def index_by_counting(moves: Collection[Offset]) -> int:
    """Return the index of a lattice by counting its squares in a window that its period divides; 0 for a line.

    The squares are found by walking in a far larger window, without joined edges: those near its middle are all found,
    whatever way leads there.
    """
    far, found, waiting = 18, {(0, 0)}, [(0, 0)]
    ways = [*moves, *((-file, -rank) for file, rank in moves)]
    while waiting:
        file, rank = waiting.pop()
        for by_file, by_rank in ways:
            square = (file + by_file, rank + by_rank)
            if max(map(abs, square)) <= far and square not in found:
                found.add(square)
                waiting.append(square)
    for side in range(1, LARGEST_INDEX + 1):  # the index divides the side of a period both ways
        window = range(side)
        if (side, 0) in found and (0, side) in found:
            return side * side // sum((file, rank) in found for file in window for rank in window)
    return 0


@settings(max_examples=effort(30, 2000), deadline=None)
@given(st.frozensets(st.sampled_from(MOVES), min_size=1, max_size=4))
def test_d3_the_share_of_the_board_is_what_counting_squares_finds(moves: frozenset[Offset]) -> None:
    assert index_of(moves) == index_by_counting(moves)


@settings(max_examples=effort(30, 2000), deadline=None)
@given(grids)
def test_d3_a_discount_says_why_and_is_none_without_a_reason(grid: MoveGrid) -> None:
    index = index_by_counting(grid.moves)
    keeps_colour = all((file + rank) % 2 == 0 for file, rank in grid.moves)
    expected = (20, f"it reaches one square in {index}") if index >= 4 else (0, "")
    if index < 4 and keeps_colour:
        expected = (10, "every move keeps the colour")
    assert (grid.discount, grid.why_discount) == expected
    assert grid.net == max(0, grid.cost - grid.discount)


# --- D4: what a piece may cost, and what is left ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "levelled", "rings"),
    [(KNIGHT, 3, 18, 4), ("Half: b2 c2 / b4 c4 d4 a3", 4, 11, 11)],
    ids=["a ferz that becomes a knight", "3.5 and 10.5 points"],
)
def test_d4_prices_are_rounded_up_and_unspent_points_down(text: str, value: int, levelled: int, rings: int) -> None:
    design = parse_design(text)
    assert (design.value, design.levelled.price, design.rings) == (value, levelled, rings)


free_grids = grids | st.builds(
    MoveGrid,
    st.frozensets(st.sampled_from(sorted(DOTS.values()))),
    st.frozensets(st.sampled_from(sorted(ARROWS.values()))),
)
names = st.text(max_size=22) | st.sampled_from(["Ferris", "", " Ferris", "a:b", "x" * 20, "x" * 21, "Ann\n"])


@settings(max_examples=effort(50, 5000), deadline=None)
@given(names, free_grids, free_grids)
def test_all_faults_of_a_piece_are_told_at_once_each_with_its_rule(
    name: str, standard: MoveGrid, levelled: MoveGrid
) -> None:
    design = Design(name, standard, levelled)
    costs, empty = (standard.net, levelled.net), not (standard.moves and levelled.moves)
    due = {
        "name": not (1 <= len(name) <= 20 and name.isprintable() and name.strip() == name and ":" not in name),
        "a grid is empty": empty,
        "costs too much": not empty and sum(costs) > 50,
        "expected the levelled-up one to cost more": not empty and costs[1] <= costs[0],
    }
    faults = faults_of(design)
    assert [words for words, is_due in due.items() if is_due] == [
        next(words for words in due if words in fault.words.removeprefix(name)) for fault in faults
    ]
    assert {fault.rule for fault in faults} <= {"D1", "D4", "D5"}
    if faults:
        with pytest.raises(BadDesign) as refused:
            check_design(design)
        assert (str(refused.value), refused.value.rule) == (faults[0].words, faults[0].rule)
    else:
        assert parse_design(str(design)) == read_design(str(design)) == design


@given(grids, grids)
def test_a_piece_is_written_as_it_is_read(standard: MoveGrid, levelled: MoveGrid) -> None:
    assert parse_grid(str(standard)) == standard
    assert str(Design("Any", standard, levelled)) == f"Any: {standard} / {levelled}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Any: c4 b3 d3 c2 / b4 c4 d4 b3 d3 b2 c2 d2", "Any costs too much: 9 and 17 is 26, expected at most 25"),
        ("Any: b4 d4 b2 d2 / b4 d4 b2 d2", "the levelled-up grid costs 3 and the standard one 3"),
        ("Any: c4 / b4 d4 b2 d2", "the levelled-up grid costs 3 and the standard one 3"),
        *(("Any: c4 / ", "Any: a grid is empty"), ("Any: / c4", "Any: a grid is empty")),
        *(("Any: c4 c4 / c4 b3", "c4 is named twice"), ("Any: c3 / c4", "c3 is where the piece stands")),
        *((f"Any: {word} / c4 b3", f"'{word}' is no move") for word in ("C4", "f4", "N")),
        *(("Any: c4", "Any has 1 grids: expected two"), ("Any: c4 / b3 / n", "Any has 3 grids: expected two")),
        *(("c4 / b3", "'c4 / b3' is no piece"), (": c4 / c4 b3", "The piece has no name")),
        (f"{'x' * 21}: c4 / c4 b3", "is no name of a piece"),
    ],
)
def test_what_may_not_be_played_with_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(BadDesign, match="expected") as refused:
        parse_design(text)
    assert words in str(refused.value)


# --- whose piece it is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "piece", "words"),
    [
        ("piece2", "Any: c4 c4 / n", "piece2: Any: c4 is named twice"),
        ("piece3", KNIGHT, "piece3 is nobody's: expected pieces of 2 players"),
    ],
)
def test_a_refused_piece_is_a_bad_option_that_is_named(option: str, piece: str, words: str) -> None:
    with pytest.raises(BadOption, match=words) as refused:
        GAME.start(NAMES[:2], {option: piece})
    assert refused.value.option == option


def test_a_seat_without_a_piece_gets_the_next_of_the_roster() -> None:
    state = GAME.start(NAMES[:3], {"piece2": KNIGHT})
    assert state.designs == (roster()[0], parse_design(KNIGHT), roster()[1])


def test_the_roster_has_fourteen_different_pieces() -> None:
    grids_of = {str(design).partition(":")[2] for design in roster()}
    assert len(grids_of) == len({design.name for design in roster()}) == 14
