"""Boreas's board moves in chess and Chess960 as python-chess does; what its search finds there.

Source: docs/rules/chess.md.
"""

import random
from collections.abc import Iterator, Sequence

import chess
import pytest

from captains_table.games.captains_chess.position import NO_SQUARE
from captains_table.players.boreas.board import BoreasBoard
from captains_table.players.boreas.moves import legal_moves
from captains_table.players.boreas.search import LOST, SURE, BoreasLimits, BoreasSearch, SearchResult
from captains_table.players.boreas.setups import setup_of_board
from tests.support.effort import effort

PERFT = {  # the usual six positions, and positions of Chess960: lines of one move, of two, and so on
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8_902, 197_281),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48, 2_039, 97_862, 4_085_603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2_812, 43_238, 674_624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9_467, 422_333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1_486, 62_379, 2_103_487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2_079, 89_890, 3_894_594),
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": (21, 528, 12_189, 326_672),
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": (21, 807, 18_002, 667_366),
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": (20, 479, 10_471, 273_318),
}
WITH_MOST_CASTLINGS = (  # Chess960: kings and rooks that change places, cross, stay, or shield
    "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
    "5rkr/8/8/3q4/3Q4/8/8/5RKR w HFhf - 0 1",
    "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
    "r1k3r1/8/b7/8/8/B7/8/R1K3R1 w GAga - 0 1",
)


def on_board(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=not set(fen.split()[2]) <= set("KQkq-"))


def boreas_board(fen: str) -> BoreasBoard:
    return BoreasBoard(setup_of_board(on_board(fen)))


def everything(board: BoreasBoard) -> tuple[object, ...]:
    counted = (board.white, board.rights, board.passed, board.quiet, board.key, board.value)
    return list(board.squares), list(board.of), list(board.side), list(board.line), counted


def lines(board: BoreasBoard, depth: int) -> int:
    moves = legal_moves(board)
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        board.make(move)
        count += lines(board, depth - 1)
        board.undo()
    return count


# --- the board --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [10_000, pytest.param(effort(50_000, 5_000_000), marks=pytest.mark.long)])
@pytest.mark.parametrize("fen", PERFT)
def test_there_are_as_many_lines_as_in_chess(fen: str, most: int) -> None:
    for depth, expected in enumerate(PERFT[fen], 1):
        if expected <= most:
            assert lines(boreas_board(fen), depth) == expected


def first_boards(rng: random.Random) -> Iterator[chess.Board]:
    """Yield boards on which matches begin: chess, Chess960, positions in which much is possible."""
    while True:
        yield chess.Board()
        yield chess.Board.from_chess960_pos(rng.randrange(960))
        yield on_board(rng.choice([*PERFT, *WITH_MOST_CASTLINGS]))


def a_rare_move(board: chess.Board, moves: Sequence[chess.Move], rng: random.Random) -> chess.Move:
    """Return a legal move by chance; castling and en passant captures are preferred."""
    rare = [move for move in moves if board.is_castling(move) or board.is_en_passant(move)]
    return rng.choice(rare if rare and rng.random() < 0.5 else moves)


@pytest.mark.long
def test_it_moves_as_in_chess_and_chess960_from_any_position_on() -> None:
    rng, seen = random.Random(8), 0
    for other in first_boards(rng):
        board = BoreasBoard(setup_of_board(other))
        for _ in range(40):
            fresh = BoreasBoard(setup_of_board(other))
            assert everything(board)[:3] == everything(fresh)[:3], other.fen()
            assert (board.key, board.value, board.quiet) == (fresh.key, fresh.value, fresh.quiet), other.fen()
            assert (board.rights, board.passed, board.in_check) == (fresh.rights, fresh.passed, other.is_check())
            moves = {other.uci(move): move for move in other.legal_moves}
            own = {board.id_of(move): move for move in legal_moves(board)}
            assert own.keys() == moves.keys(), other.fen()
            seen += 1
            if not moves:
                break
            move = a_rare_move(other, list(moves.values()), rng)
            board.make(own[other.uci(move)])
            other.push(move)
        if seen > effort(2_000, 200_000):
            return


@pytest.mark.long
def test_every_move_taken_back_leaves_the_board_as_it_was_in_chess() -> None:
    rng = random.Random(9)
    for other, _ in zip(first_boards(rng), range(effort(24, 3_000)), strict=False):
        board = BoreasBoard(setup_of_board(other))
        for _ in range(12):
            before, moves = everything(board), legal_moves(board)
            for move in moves:
                board.make(move)
                board.undo()
                assert everything(board) == before
            if not moves:
                break
            board.make(rng.choice(moves))


def test_positions_reached_by_other_ways_have_the_same_hash() -> None:
    ways = (("g1f3", "g8f6", "b1c3", "b8c6"), ("b1c3", "b8c6", "g1f3", "g8f6"))
    keys = set()
    for way in ways:
        board = BoreasBoard(setup_of_board(chess.Board()))
        for id_ in way:
            board.make(next(move for move in legal_moves(board) if board.id_of(move) == id_))
        keys.add(board.key)
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("fen", "may"),
    [
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", True),
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", False),  # the rook pins itself to its king, which would stay on c1
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", True),
        ("3rk3/8/8/8/8/8/8/RK6 w A - 0 1", True),  # only the rook reaches the attacked square
        ("2r1k3/8/8/8/8/8/8/RK6 w A - 0 1", False),
        ("4k3/8/8/8/8/8/8/RK1N4 w A - 0 1", False),
    ],
)
def test_castling_is_judged_by_where_king_and_rook_end(fen: str, *, may: bool) -> None:
    board = boreas_board(fen)
    name = "c1b1" if "1RK5" in fen or "rRK5" in fen else "b1a1"
    assert (name in {board.id_of(move) for move in legal_moves(board)}) is may


def test_castling_is_named_as_the_kings_move_in_chess_and_as_taking_the_rook_in_chess960() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w {} - 0 1"
    for rights, names in (("KQkq", {"e1g1", "e1c1"}), ("HAha", {"e1h1", "e1a1"})):
        board = boreas_board(fen.format(rights))
        assert names <= {board.id_of(move) for move in legal_moves(board)}


def test_only_a_pawn_that_can_legally_be_taken_is_noted() -> None:
    assert setup_of_board(chess.Board("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")).passed == NO_SQUARE
    assert setup_of_board(chess.Board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")).passed == 2 * 9 + 4


# --- the search -------------------------------------------------------------------------------------------------------


def searching(board: chess.Board, limits: BoreasLimits, before: Sequence[int] = ()) -> BoreasSearch:
    return BoreasSearch(BoreasBoard(setup_of_board(board)), before, limits, lambda: 0.0)


def look(fen: str, nodes: int = 20_000, depth: int = 40) -> tuple[str, SearchResult]:
    """Return the move found in a position, and the result."""
    found = searching(on_board(fen), BoreasLimits(nodes, depth=depth)).best()
    return boreas_board(fen).id_of(found.move), found


@pytest.mark.parametrize(
    ("fen", "move", "moves"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1),
        ("r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 10", "d5f6", 2),  # Légal's
        ("8/3r4/8/8/Q1N5/4p3/3p4/1k5K w - - 0 1", "a4d1", 3),
    ],
)
def test_a_mate_is_found_in_as_few_moves_as_it_takes(fen: str, move: str, moves: int) -> None:
    found, result = look(fen, nodes=60_000)
    assert (found, result.value) == (move, -LOST - (2 * moves - 1))


def hashes_before(board: chess.Board) -> list[int]:
    """Return the hashes of the earlier positions of a match that could come again."""
    line, found = board.copy(), list[int]()
    while line.move_stack and line.halfmove_clock:
        line.pop()
        found.insert(0, BoreasBoard(setup_of_board(line)).key)
    return found


@pytest.mark.parametrize(
    ("fen", "winner"),
    [
        ("8/8/8/3k4/8/8/4Q3/K7 w - - 0 1", chess.WHITE),
        ("8/8/8/8/3k4/8/8/R3K3 w - - 0 1", chess.WHITE),
        ("4k3/8/8/4K3/8/4P3/8/8 b - - 0 1", chess.WHITE),  # by the opposition
        ("8/8/8/8/8/3k4/3p4/3K3r b - - 0 1", chess.BLACK),
    ],
)
def test_an_ending_that_is_won_is_won(fen: str, winner: chess.Color) -> None:
    board = chess.Board(fen)
    while not board.is_game_over(claim_draw=True):
        search = searching(board, BoreasLimits(1_000), hashes_before(board))
        board.push_uci(BoreasBoard(setup_of_board(board)).id_of(search.best().move))
    assert board.is_checkmate()
    assert board.turn is not winner


@pytest.mark.parametrize(
    ("fen", "trap"),
    [
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6"),
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "f7f8q"),
        ("k7/2Q5/8/1K6/8/8/8/8 w - - 0 1", "b5b6"),
    ],
)
def test_it_does_not_stalemate_a_side_that_is_lost(fen: str, trap: str) -> None:
    for depth in (1, 2, 6):
        found, result = look(fen, depth=depth)
        assert found != trap
        assert result.value > 400
        board = chess.Board(fen)
        board.push_uci(found)
        assert not board.is_stalemate()
    board = chess.Board(fen)
    board.push_uci(trap)
    assert board.is_stalemate()


def test_the_side_that_is_behind_goes_where_it_will_be_stalemated() -> None:
    assert look("1k6/8/PK6/8/8/8/8/8 b - - 0 1")[0] == "b8a8"


@pytest.mark.parametrize(
    ("fen", "is_drawn"),
    [
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", True),  # whether it takes the pawn or not
        ("4k3/8/8/8/8/8/4n3/3NK3 w - - 0 1", True),
        ("4k3/8/4b3/8/8/8/8/3BK3 w - - 0 1", True),
        ("4k3/8/8/4b3/8/8/8/3BK3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", False),
    ],
)
def test_too_few_pieces_to_mate_are_a_draw(fen: str, *, is_drawn: bool) -> None:
    assert (look(fen, nodes=2_000)[1].value == 0) is is_drawn


def test_fifty_quiet_moves_are_a_draw_but_for_a_mate() -> None:
    assert look("8/k7/8/p7/8/8/8/6KQ w - - 99 80", depth=2)[1].value == 0
    assert look("k7/8/1K6/8/8/8/8/7R w - - 99 80")[1].value == -LOST - 1
    assert look("8/k7/8/p7/8/8/8/6KQ w - - 0 80", depth=2)[1].value > 500


def test_a_position_of_the_match_that_comes_again_counts_as_a_draw_in_chess() -> None:
    board = chess.Board()
    for id_ in ("g1f3", "g8f6", "f3g1"):
        board.push_uci(id_)
    own, search = BoreasBoard(setup_of_board(board)), searching(board, BoreasLimits(5_000), hashes_before(board))
    values = {own.id_of(move): value for move, value in search.values(1)}
    assert values["f6g8"] == 0
    assert values["a7a6"] != 0
    assert max(values.values()) < SURE
