"""Positions of chess and Chess960 against two engines: moves, FEN, check, mate, claims, and numbers of lines."""

import platform
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, count, islice

import pytest

if platform.machine() != "x86_64":
    pytest.skip("Fairy-Stockfish's Python module has wheels for x86-64 only", allow_module_level=True)

import pyffish

from captains_table.games.chess.position import ChessPosition
from tests.games.chess.law_cases import KNOWN_LINES
from tests.games.chess.laws_of_chess import LawBook, LawfulPosition, chess960_start, read_fen, write_fen
from tests.games.chess.random_games import ALL_KINDS, EVERY_KIND, kind_of, random_game, uci_960
from tests.games.chess.stockfish import Stockfish
from tests.support.effort import effort

MATE = 32_000
CHESS960 = True


class PositionDiffers(AssertionError):
    """The program and an engine do not say the same of a position."""


class FairyGame:
    """A game of chess or Chess960 as Fairy-Stockfish follows it; castling is written as king takes rook."""

    def __init__(self, start: str) -> None:
        self._start = start
        self._played: list[str] = []

    def played(self, uci: str) -> None:
        self._played.append(uci)

    def compare(self, position: ChessPosition, moves: set[str], *, may_claim: bool) -> None:
        """Raise PositionDiffers unless Fairy-Stockfish says the same of a position, its moves and claims."""
        ours, theirs = position.fen(), pyffish.get_fen("chess", self._start, self._played, CHESS960)
        same("position", shown(ours), shown(theirs), ours)
        same("moves", moves, set(pyffish.legal_moves("chess", theirs, [], CHESS960)), ours)
        same("check", position.in_check, bool(pyffish.gives_check("chess", theirs, [], CHESS960)), ours)
        if moves:
            claimable, _ = pyffish.is_optional_game_end("chess", self._start, self._played, CHESS960)
            same("claim", may_claim, claimable, ours)
        else:
            same("mate", position.in_check, pyffish.game_result("chess", theirs, [], CHESS960) == -MATE, ours)
        if not position.quiet:  # nothing before can come again
            self._start, self._played = theirs, []


def same(what: str, ours: object, theirs: object, fen: str) -> None:
    if ours != theirs:
        raise PositionDiffers(f"{fen}: {what} {ours}, but the engine says {theirs}")


def shown(fen: str) -> LawfulPosition:
    """Return what a FEN says, in whatever notation, without the square that a pawn has passed."""
    return replace(read_fen(fen), passed=None)


def compare_games(seeds: Iterable[int], stockfish: Stockfish, fairy_every: int) -> Iterator[str]:
    """Play random games, compare the program's positions with the engines, and yield what each position was about.

    Args:
        seeds: the seeds of the games.
        stockfish: the engine that lists the moves of every position.
        fairy_every: at which positions Fairy-Stockfish is asked too, 1 for all: an answer takes it milliseconds.
    """
    for seed in seeds:
        start = write_fen(next(random_game(seed))[0].position)
        position, fairy, seen = ChessPosition.from_fen(start), FairyGame(start), list[Hashable]()
        for book, uci in random_game(seed):
            moves = compare_one(position, book, stockfish)
            seen.append(position.key)
            if len(seen) % fairy_every == 0 or not moves:
                may_claim = position.quiet >= 100 or seen.count(position.key) >= 3
                fairy.compare(position, moves, may_claim=may_claim)
            yield kind_of(book, uci)
            if uci:
                fairy.played(uci_960(book, uci))
                position = position.play(position.moves[uci])


def compare_one(position: ChessPosition, book: LawBook, stockfish: Stockfish) -> set[str]:
    """Compare a position, also as read again from its FEN, and return its moves, castling as king takes rook."""
    fen, book_fen = position.fen(), write_fen(book.position)
    same("moves", set(position.moves), set(book.moves), fen)
    same("position", shown(fen), shown(book_fen), fen)
    same("en passant", fen.split()[3], book_fen.split()[3], fen)
    again = ChessPosition.from_fen(fen)
    same("FEN read again", (again.fen(), again.key), (fen, position.key), fen)
    moves = {uci_960(book, id_) for id_ in position.moves}
    same("moves", moves, set(stockfish.lines(fen)), fen)
    return moves


@pytest.mark.slow
@pytest.mark.long
def test_random_positions_are_what_both_engines_say() -> None:
    with Stockfish() as stockfish:
        positions = compare_games(chain(EVERY_KIND, count(1_000)), stockfish, effort(5, 1))
        kinds = Counter(islice(positions, effort(1_000, 20_000)))
    assert kinds.keys() >= ALL_KINDS


def test_a_right_to_castle_that_is_forgotten_would_be_noticed() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    forgotten = ChessPosition.from_fen(fen.replace("KQkq", "Kkq"))
    with Stockfish() as stockfish, pytest.raises(PositionDiffers, match="moves"):
        compare_one(forgotten, LawBook(fen), stockfish)
    with pytest.raises(PositionDiffers, match="moves"):
        FairyGame(fen).compare(ChessPosition.from_fen(fen), {"e1h1"}, may_claim=False)


# --- how many lines there are -----------------------------------------------------------------------------------------

THREE_OF_CHESS960 = tuple(write_fen(chess960_start(number)) for number in (3, 219, 959))


def lines(position: ChessPosition, depth: int) -> int:
    """Return how many lines of some depth begin with a position."""
    if depth == 1:
        return len(position.moves)
    return sum(lines(position.play(move), depth - 1) for move in position.moves.values())


@pytest.mark.long
@pytest.mark.parametrize("fen", [*KNOWN_LINES, *THREE_OF_CHESS960])
def test_after_every_move_there_are_as_many_lines_as_stockfish_counts(fen: str) -> None:
    depth = effort(2, 3)
    position, book = ChessPosition.from_fen(fen), LawBook(fen)
    found = {uci_960(book, id_): lines(position.play(move), depth - 1) for id_, move in position.moves.items()}
    with Stockfish() as stockfish:
        assert found == stockfish.lines(fen, depth)
    assert fen not in KNOWN_LINES or sum(found.values()) == KNOWN_LINES[fen][depth - 1]
