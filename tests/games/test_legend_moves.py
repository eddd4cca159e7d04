"""docs/rules/legend.md L10, L11, L14: moves without regard to check, en passant, promotion, castling, treasure."""

import pytest

from captains_table.games.contract import Pick
from captains_table.games.legend.state import State
from tests.support.effort import effort
from tests.support.legend_harness import (
    ANNE,
    BART,
    GAME,
    cargo,
    due,
    moves,
    offered,
    on_board,
    piece,
    play,
    refuses,
    seat,
    start,
    tallies,
    throwable,
    told,
)
from tests.support.legend_walks import (
    CASTLINGS,
    OPEN_START,
    castlings as castlings_by_hand,
    may_move,
    plain_moves,
    walk,
)

ROLL_SIX = "roll 1 1 1 1 1 6"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def board_moves(fen: str | None, die: int = 6) -> set[str]:
    return on_board(play(start(fen), f"roll 1 1 1 1 1 {die}"))


def castlings(state: State, die: int = 6) -> set[str]:
    return on_board(play(state, f"roll 1 1 1 1 1 {die}")) & {"e1g1", "e1c1", "e8g8", "e8c8"}


# --- L10 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1"),
        ("4k3/8/8/8/8/8/P7/r3K3 w - - 0 1", "a2a3"),
        ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2a2"),
        ("4k3/8/8/4K3/8/8/8/8 w - - 0 1", "e5e6"),
        ("4k3/4K3/8/8/8/8/8/8 w - - 0 1", "e7e8"),
    ],
    ids=["steps into attack", "stays in attack", "is left open", "steps next to a king", "takes a king"],
)
def test_a_king_may_do_what_check_forbids_in_chess(fen: str, move: str) -> None:
    assert move in board_moves(fen)


def test_repetition_fifty_moves_stalemate_and_mate_end_nothing() -> None:
    state = moves(start(), *(["g1f3", "g8f6", "f3g1", "f6g8"] * 26))
    assert GAME.details(state)["round"] == 1
    assert len(on_board(play(state, ROLL_SIX))) == 20
    mated = moves(start("7k/8/6QK/8/8/8/8/8 w - - 0 1"), "g6g7")
    assert seat(mated) == BART
    assert on_board(play(mated, ROLL_SIX)) == {"h8g8", "h8h7", "h8g7"}


def test_a_pawn_promotes_to_any_piece_whatever_the_die() -> None:
    fen = "8/P7/8/8/8/8/k7/4K3 w - - 0 1"
    assert board_moves(fen, die=1) == {f"a7a8{letter}" for letter in "qrbn"}
    assert piece(play(start(fen), "roll 1 1 1 1 1 1", "a7a8q"), "a8") == "Q"
    assert "a7b8q" in board_moves("1k6/P7/8/8/8/8/8/4K3 w - - 0 1", die=1), "the king may be taken so"


@pytest.mark.parametrize(
    ("fen", "step", "taking", "gone", "letter"),
    [
        ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", "d5", "P"),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2d4", "e4d3", "d4", "p"),
    ],
)
def test_a_double_step_may_be_taken_en_passant_at_once(
    fen: str, step: str, taking: str, gone: str, letter: str
) -> None:
    state = play(moves(start(fen), step), "roll 1 1 1 1 1 1")
    assert taking in on_board(state)
    assert len(on_board(state)) == 2
    state = play(state, taking)
    assert (piece(state, gone), piece(state, taking[2:])) == (None, letter)


def test_en_passant_lapses_after_another_move_the_genie_or_a_turn_without_a_move() -> None:
    state = moves(start("4k3/p2p4/8/4P3/8/8/7P/4K3 b - - 0 1"), "d7d5")
    for other in (moves(state, "h2h3"), play(state, ROLL_SIX, "genie 1 1", "genie-b2", "done")):
        assert "e5d6" not in on_board(play(moves(other, "a7a6"), ROLL_SIX))
    state = moves(start("4k3/8/8/8/3n4/8/2P5/4K3 w - - 0 1"), "c2c4")
    state = play(state, "roll 1 1 1 1 1 1", "done")
    assert str(GAME.details(state)["fen"]).split()[3] == "-"


# --- L11 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "both"), [(1, False), (4, False), (5, True), (6, True)])
def test_castling_needs_a_five_or_six(die: int, both: bool) -> None:  # noqa: FBT001
    assert castlings(start(CASTLES), die) == ({"e1g1", "e1c1"} if both else set())


@pytest.mark.parametrize(
    "black",
    ["4r1k1/8/8", "3r1rk1/8/8", "2r3rk/8/8", "1r4k1/8/8", "r6r/8/4k3"],
    ids=["the king", "where the king crosses", "where the king arrives", "where the rook crosses", "the rooks"],
)
def test_attacks_do_not_matter_to_castling(black: str) -> None:
    assert castlings(start(f"{black}/8/8/8/8/R3K2R w KQ - 0 1")) == {"e1g1", "e1c1"}


@pytest.mark.parametrize(
    ("rank", "open_"),
    [
        *(("RN2K1NR", ""), ("RN2K2R", "e1g1"), ("R1B1K2R", "e1g1"), ("R2QK2R", "e1g1"), ("Rn2K2R", "e1g1")),
        *(("R3KB1R", "e1c1"), ("R3K1nR", "e1c1")),
    ],
)
def test_the_squares_between_must_be_empty(rank: str, open_: str) -> None:
    assert castlings(start(f"4k3/8/8/8/8/8/8/{rank} w KQ - 0 1")) == set(open_.split())


def test_castling_puts_king_and_rook_where_chess_does() -> None:
    state = play(start(CASTLES), ROLL_SIX, "e1g1 1 1", "done", ROLL_SIX, "e8c8 1 1")
    assert [piece(state, name) for name in ("g1", "f1", "e1", "h1")] == ["K", "R", None, None]
    assert [piece(state, name) for name in ("c8", "d8", "e8", "a8")] == ["k", "r", None, None]


def test_a_king_or_rook_that_moved_and_returned_does_not_castle() -> None:
    state = moves(start(CASTLES), "e1e2", "e8e7", "e2e1", "e7e8")
    assert castlings(state) == castlings(moves(state, "a1b1")) == set()
    state = moves(start("r3k2r/7p/8/8/8/8/P7/R3K2R w KQkq - 0 1"), "h1g1", "a8b8", "g1h1", "b8a8")
    assert castlings(state) == {"e1c1"}
    assert castlings(moves(state, "a2a3")) == {"e8g8"}


def test_a_captured_rooks_side_is_lost_though_another_stands_there() -> None:
    assert castlings(moves(start("4k3/8/8/8/8/8/6b1/R3K2R b KQ - 0 1"), "g2h1")) == {"e1c1"}
    state = moves(start("4k3/8/8/8/8/8/R5b1/4K2R b K - 0 1"), "g2h1", "a2h2", "h1a8", "h2h1", "a8b7")
    assert castlings(state) == set()


# --- L14 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        (CASTLES, "e1g1"),
        (CASTLES, "e1c1"),
        ("k7/8/3P4/8/8/8/8/4K3 w - - 0 1", "d6d7"),
        ("k7/4p3/3P4/8/8/8/8/4K3 w - - 0 1", "d6e7"),
        ("k7/8/8/8/8/3p4/8/K7 b - - 0 1", "d3d2"),
    ],
    ids=["castling short", "castling long", "a step to the seventh", "a capture on it", "Black's step to the second"],
)
def test_castling_and_the_seventh_rank_bring_a_treasure(fen: str, move: str) -> None:
    state = start(fen)
    who = seat(state)
    state = play(state, ROLL_SIX, move)
    assert (due(state).seat, len(due(state).dice), due(state).at_once) == (who, 2, False)
    assert cargo(play(state, "fall 3 4"), who) == 7


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("k7/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7d8q"),
        ("k7/8/3R4/8/8/8/8/4K3 w - - 0 1", "d6d7"),
        ("k7/8/3K4/8/8/8/8/8 w - - 0 1", "d6d7"),
        ("k7/8/8/3P4/8/8/8/4K3 w - - 0 1", "d5d6"),
        ("k7/3p4/8/8/8/8/8/4K3 b - - 0 1", "d7d5"),
    ],
    ids=["a promotion", "a rook's step to the seventh", "a king's", "a step to the sixth", "a step from the seventh"],
)
def test_nothing_else_brings_a_treasure(fen: str, move: str) -> None:
    assert "done" in offered(play(start(fen), ROLL_SIX, move))


def test_treasure_is_thrown_before_anything_else_and_once() -> None:
    state = play(start(CASTLES), ROLL_SIX, "e1g1")
    assert refuses(state, Pick("throw-again"))
    assert refuses(state, Pick("done"))
    assert throwable(play(state, "fall 6 6")) == (1, 2, 3, 4, 5)
    (found,) = told(state, "fall 5 1")
    assert (found.kind, found.seat, found.points) == ("treasure", ANNE, 6)
    early = play(start(CASTLES), "roll-legend 5", "e1c1 2 2")
    assert offered(early) - {"abandon"} == {"roll-cargo"}, "the cargo dice are still to be thrown"


def test_treasure_comes_at_once_and_on_top_of_the_turns_cargo() -> None:
    state = play(start(CASTLES), "roll 6 5 4 2 2 5", "e1g1 6 2")
    assert tallies(state, ANNE) == (8, 5)
    assert cargo(play(state, "done"), ANNE) == 8 + 4


def test_a_turn_with_no_throw_left_passes_when_the_treasure_fell() -> None:
    state = play(start(CASTLES), ROLL_SIX, "keep 6 -> 1 1 1 1 1", "keep 6 -> 1 1 1 1 1", "e1g1")
    assert seat(state) == ANNE
    assert seat(play(state, "fall 1 2")) == BART


def test_every_pawn_that_arrives_brings_its_own_treasure() -> None:
    state = start("k7/8/2PP4/8/8/8/8/4K3 w - - 0 1")
    state = play(state, ROLL_SIX, "d6d7 1 1", "done", ROLL_SIX, "a8b8", "done", ROLL_SIX, "c6c7 6 6")
    assert cargo(state, ANNE) == 14


def test_a_pawn_that_takes_the_king_on_its_seventh_rank_finds_a_treasure_first() -> None:
    state = play(start("8/4k3/3P4/8/8/8/8/4K3 w - - 0 1"), "roll 6 5 4 1 1 1", "d6e7")
    assert len(due(state).dice) == 2
    state = play(state, "fall 6 5", "done")
    assert tallies(state, ANNE) == (11 + 2, 1 + 5)
    assert GAME.details(state)["round"] == 2


# --- the facts at the end of the rules --------------------------------------------------------------------------------


def test_a_one_permits_sixteen_moves_and_with_the_die_always_six_the_tree_has_20_400_and_8902_nodes() -> None:
    layer, sizes = [start()], []
    for depth in (1, 2, 3):
        thrown = [play(state, ROLL_SIX) for state in layer]
        sizes.append(sum(len(on_board(state)) for state in thrown))
        if depth < 3:
            layer = [play(state, id_, "done") for state in thrown for id_ in on_board(state)]
    assert sizes == [20, 400, 8902]
    assert [len(board_moves(None, die)) for die in range(1, 7)] == [16, 20, 20, 20, 20, 20]


@pytest.mark.parametrize("fen", [None, OPEN_START])
@pytest.mark.long
@pytest.mark.parametrize("block", range(effort(1, 130)))
def test_moves_are_chess_without_check_and_castling_without_attacks(fen: str | None, block: int) -> None:
    checked = castled = 0
    for seed in range(block * 3, block * 3 + 3):
        for state, _, _, touched in walk(fen, seed, 600):
            if not may_move(state):
                continue
            checked += 1
            castling = castlings_by_hand(state, touched)
            plain = plain_moves(state)
            assert on_board(state) == plain | castling
            assert on_board(state) & CASTLINGS - plain == castling
            castled += len(castling)
    assert checked > 100
    assert castled > 0 or fen is None
