"""Random games by the law book, in which rare things happen often; tests compare their positions."""

import random
from collections.abc import Iterator
from functools import cache

from tests.games.chess.laws_of_chess import LawBook, LawfulMove, name_of

STARTS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 92 60",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "4kb2/8/8/8/8/8/3P4/4KB2 w - - 140 90",
    "4kn2/6p1/8/8/8/8/3P4/4KB2 w - - 90 70",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "rk4r1/3p4/8/8/8/8/3P4/RK4R1 w GAga - 0 1",
    "2kr4/8/8/4p3/8/8/3P1P2/4RK1R w Hd - 130 90",
    "k7/8/1P6/8/8/1p6/8/K7 w - - 0 1",
    "7k/7P/8/7K/8/8/8/8 w - - 0 1",
)
"""Positions in which castling, promotion, en passant or the end of the game is near."""
ROOKS = "1r5k/8/8/8/8/8/8/K5R1 w - - 0 1"
MOST_PLIES = 160
RARE_SHARE = 0.3
PATIENT_SHARE = 0.9
BACK_SHARE = 0.6
EVERY_KIND = (0, 23, 27, 84, 86)
"""The seeds of games that reach each of these kinds of position."""
ALL_KINDS = {
    *("castling", "promotion", "en passant", "check", "threefold", "fifty", "other"),
    *("checkmate", "stalemate", "dead", "fivefold", "seventy-five"),
}


def random_start(rng: random.Random) -> str:
    """Return the usual position, one of Chess960, or one of the above."""
    kind = rng.randrange(4)
    return "518" if kind == 0 else str(rng.randrange(960)) if kind == 1 else rng.choice(STARTS)


def random_game(seed: int, start: str = "") -> Iterator[tuple[LawBook, str]]:
    """Play a game to its end, or until it is long; yield the book before each move with the move that comes next.

    The last yield has the final position and no move. Patient games avoid captures and pawns' moves and like to go
    back, so that positions repeat and quiet moves add up.
    """
    rng = random.Random(seed)
    book = LawBook(start or random_start(rng))
    patient = rng.random() < 0.5
    played: list[str] = []
    for _ in range(MOST_PLIES):
        if book.ended is not None:
            break
        uci = _choose(book, rng, played, patient=patient)
        yield book, uci
        book.do(uci)
        played.append(uci)
    yield book, ""


def _choose(book: LawBook, rng: random.Random, played: list[str], *, patient: bool) -> str:
    rare = [uci for uci, move in book.moves.items() if is_rare(book, move) or allows_en_passant(book, move)]
    if rare and not patient and rng.random() < RARE_SHARE:
        return rng.choice(rare)
    if patient and rng.random() < PATIENT_SHARE:
        back = f"{played[-2][2:4]}{played[-2][:2]}" if len(played) > 1 else ""
        if back in book.moves and rng.random() < BACK_SHARE:
            return back
        quiet = [uci for uci, move in book.moves.items() if book.position.after(move).quiet]
        return rng.choice(quiet or list(book.moves))
    return rng.choice(list(book.moves))


@cache
def quiet_game() -> tuple[str, ...]:
    """Return 150 moves from `ROOKS`: nothing is taken, no position repeats, and nobody is mated or stalemated."""
    rng, book, seen, played = random.Random(75), LawBook(ROOKS), set[object](), list[str]()
    while book.ended is None:
        seen.add(book.position.sameness())
        some = rng.sample(list(book.moves), len(book.moves))
        played.append(next(uci for uci in some if _is_new_and_quiet(book, book.moves[uci], seen)))
        book.do(played[-1])
    return tuple(played)


def _is_new_and_quiet(book: LawBook, move: LawfulMove, seen: set[object]) -> bool:
    after = book.position.after(move)
    return bool(after.quiet and after.sameness() not in seen and after.legal_moves())


def is_rare(book: LawBook, move: LawfulMove) -> bool:
    """Return whether a move castles, promotes or takes en passant."""
    return bool(move.rook or move.becomes) or takes_en_passant(book, move)


def takes_en_passant(book: LawBook, move: LawfulMove) -> bool:
    return move.end == book.position.passed and book.position.board[move.start] in "Pp"


def allows_en_passant(book: LawBook, move: LawfulMove) -> bool:
    after = book.position.after(move)
    return after.passed is not None and after.takes_en_passant()


def kind_of(book: LawBook, uci: str) -> str:
    """Return what is most remarkable about a position of a game and the next move."""
    if book.ended is not None:
        return book.ended.by
    move = book.moves.get(uci)
    if move is not None and is_rare(book, move):
        return "castling" if move.rook else "promotion" if move.becomes else "en passant"
    return " and ".join(sorted(book.claims())) or ("check" if book.in_check else "other")


def uci_960(book: LawBook, uci: str) -> str:
    """Return a move of the book with castling written as king takes rook, as in Chess960."""
    move = book.moves[uci]
    return f"{uci[:2]}{name_of(move.rook)}" if move.rook else uci
