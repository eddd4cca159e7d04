"""The tests' law book against the cases, known numbers of lines, and two programs that know the Laws."""

from collections import Counter
from itertools import chain

import chess
import pytest

from tests.games.chess.law_cases import CASES, KNOWN_LINES, LawCase, check_case
from tests.games.chess.laws_of_chess import (
    AgainstTheLaws,
    Ending,
    LawBook,
    LawfulPosition,
    cannot_mate,
    castles_usually,
    chess960_start,
    is_dead,
    read_fen,
    write_fen,
)
from tests.games.chess.random_games import (
    ALL_KINDS,
    EVERY_KIND,
    ROOKS,
    STARTS,
    kind_of,
    quiet_game,
    random_game,
    uci_960,
)
from tests.games.chess.stockfish import Stockfish
from tests.support.effort import effort

SIDES = {True: "white", False: "black", None: "draw"}
FLAGS = {"white wins": True, "black wins": False, "draw": None}


def says(case: LawCase) -> str:
    return case.says


def in_words(ending: Ending | None) -> str:
    return "" if ending is None else f"{ending.by}: {SIDES[ending.winner]}"


# --- the cases --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=says)
def test_the_book_keeps_the_laws(case: LawCase) -> None:
    book = LawBook(case.start)
    for what in case.play:
        book.do(what)
    assert in_words(book.ended) == case.end
    assert book.claims() == set(case.claims)
    assert set(book.claims_with()) == set(case.claims_with)
    assert set(case.legal) <= book.moves.keys()
    assert not set(case.illegal) & book.moves.keys()
    assert not case.only or book.moves.keys() == set(case.only)
    assert case.check in (None, book.in_check)
    assert case.stands in ("", write_fen(book.position).split()[0])
    assert not case.flag or book.flag_falls(white=book.white).winner is FLAGS[case.flag]
    for what in case.refused:
        with pytest.raises(AgainstTheLaws):
            book.do(what)


def test_every_case_expects_something_and_is_told_once() -> None:
    for case in CASES:
        check_case(case)
    assert len({case.says for case in CASES}) == len(CASES) >= 60


def test_a_case_that_expects_nothing_is_noticed() -> None:
    with pytest.raises(ValueError, match="expects nothing"):
        check_case(LawCase("nothing", "3.1", play=("e2e4",)))


def test_of_150_quiet_moves_each_from_the_hundredth_may_be_claimed_and_the_last_ends_the_game() -> None:
    book, may_claim, may_claim_with = LawBook(ROOKS), list[int](), list[int]()
    for ply, uci in enumerate(quiet_game(), 1):
        book.do(uci)
        may_claim += [ply] * bool(book.claims())
        may_claim_with += [ply] * bool(book.claims_with())
    assert (may_claim, may_claim_with) == (list(range(100, 150)), list(range(99, 150)))
    assert in_words(book.ended) == "seventy-five: draw"
    assert ply == 150


# --- how many lines there are -----------------------------------------------------------------------------------------


def lines(position: LawfulPosition, depth: int) -> int:
    moves = position.legal_moves()
    return len(moves) if depth == 1 else sum(lines(position.after(move), depth - 1) for move in moves)


@pytest.mark.long
@pytest.mark.parametrize("fen", KNOWN_LINES)
def test_the_book_finds_as_many_lines_as_are_known(fen: str) -> None:
    for depth, count in enumerate(KNOWN_LINES[fen][: effort(2, 4)], 1):
        assert lines(read_fen(fen), depth) == count


@pytest.mark.long
@pytest.mark.parametrize("number", [0, 219, 959])
def test_the_book_finds_as_many_lines_in_chess960_as_stockfish(number: int) -> None:
    position = chess960_start(number)
    with Stockfish() as stockfish:
        depth = effort(2, 3)
        assert lines(position, depth) == sum(stockfish.lines(write_fen(position), depth).values())


# --- two programs that know the Laws ----------------------------------------------------------------------------------


def compare(book: LawBook, board: chess.Board, stockfish: Stockfish | None) -> None:
    """Compare a position with python-chess, and its legal moves with Stockfish."""
    position = book.position
    fen = write_fen(position)
    ours = {uci_960(book, uci) for uci in book.moves}
    assert ours == {move.uci() for move in board.legal_moves}, fen
    assert (stockfish is None) or ours == stockfish.lines(fen).keys(), fen
    assert fen.split()[:2] == board.fen().split()[:2]
    assert fen.split()[3:] == board.fen().split()[3:]
    assert {chess.square(*rook) for rook in position.rooks} == set(chess.SquareSet(board.castling_rights)), fen
    assert book.in_check == board.is_check(), fen
    assert is_dead(position.board) == board.is_insufficient_material(), fen
    for white in (True, False):
        assert cannot_mate(position.board, white=white) == board.has_insufficient_material(white), fen
    assert (in_words(book.ended).split(":")[0] == "checkmate") == board.is_checkmate(), fen
    assert (in_words(book.ended).split(":")[0] == "stalemate") == board.is_stalemate(), fen
    if book.ended is None:
        assert ("threefold" in book.claims()) == board.is_repetition(3), fen
        assert ("fifty" in book.claims()) == (board.halfmove_clock >= 100), fen
        assert bool(book.claims() or book.claims_with()) == board.can_claim_draw(), fen
    assert board.is_fivefold_repetition() <= (book.ended is not None), fen
    assert board.is_seventyfive_moves() <= (book.ended is not None), fen


def compare_game(seed: int, stockfish: Stockfish | None, start: str = "") -> list[str]:
    """Compare all positions of a random game, and return what each was about."""
    board, kinds = chess.Board.empty(), list[str]()
    for book, uci in random_game(seed, start):
        if not kinds:
            board = chess.Board(write_fen(book.position), chess960=True)
        compare(book, board, stockfish)
        kinds.append(kind_of(book, uci))
        if uci:
            board.push_uci(uci_960(book, uci))
    return kinds


@pytest.mark.slow
@pytest.mark.long
def test_random_games_are_what_python_chess_and_stockfish_say_in_every_position() -> None:
    with Stockfish() as stockfish:
        games = (compare_game(seed, stockfish) for seed in chain(EVERY_KIND, range(effort(0, 500))))
        kinds = Counter(chain.from_iterable(games))
    assert kinds.keys() >= ALL_KINDS


def test_the_comparison_would_notice_a_difference() -> None:
    with pytest.raises(AssertionError):
        compare(LawBook(STARTS[0]), chess.Board(STARTS[0].replace("KQkq", "KQk"), chess960=True), None)


def test_castling_is_written_in_the_usual_way_where_all_stand_in_their_usual_places() -> None:
    assert castles_usually(chess960_start(518))
    assert not castles_usually(chess960_start(3))
