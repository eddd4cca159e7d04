"""The Laws of Chess (FIDE, in force since 2023) kept by a slow and plain second implementation: the judge of the game.

A position is a mapping from squares to FEN letters. A legal move is a move after which one's own king is not attacked:
every move is made on a copy of the board, and then looked at. The numbers are those of the Laws' articles; castling in
Chess960 follows the guideline on Chess960 that comes with them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

Place = tuple[int, int]  # file and rank, from 0: a1 is (0, 0)
Board = Mapping[Place, str]

FILES: Final = "abcdefgh"
STRAIGHT: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
SLANTED: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
SLIDERS: Final = {"R": STRAIGHT, "B": SLANTED, "Q": STRAIGHT + SLANTED}
STEPPERS: Final = {"N": LEAPS, "K": STRAIGHT + SLANTED}
PROMOTIONS: Final = "qrbn"
USUAL_ROOKS: Final = frozenset({(0, 0), (7, 0), (0, 7), (7, 7)})
KNIGHT_PAIRS: Final = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
"""On which two of the five files that bishops and queen leave empty the knights stand in Chess960, by their number."""

THREEFOLD, FIVEFOLD = 3, 5  # 9.2, 9.6.1
FIFTY_MOVES, SEVENTY_FIVE_MOVES = 100, 150  # of both players together (9.3, 9.6.2)


class AgainstTheLaws(ValueError):
    """What was tried is not allowed now, and nothing has changed."""


def is_white(piece: str) -> bool:
    return piece.isupper()


def place_of(name: str) -> Place:
    return FILES.index(name[0]), int(name[1]) - 1


def name_of(place: Place) -> str:
    return f"{FILES[place[0]]}{place[1] + 1}"


def step_from(place: Place, way: tuple[int, int]) -> Place | None:
    """Return the square one step away, `None` if that is off the board."""
    file, rank = place[0] + way[0], place[1] + way[1]
    return (file, rank) if 0 <= file < 8 and 0 <= rank < 8 else None


def _line_from(place: Place, way: tuple[int, int]) -> tuple[Place, ...]:
    line: list[Place] = []
    at = step_from(place, way)
    while at is not None:
        line.append(at)
        at = step_from(at, way)
    return tuple(line)


EVERYWHERE: Final = tuple((file, rank) for rank in range(8) for file in range(8))
LINES: Final = {(at, way): _line_from(at, way) for at in EVERYWHERE for way in STRAIGHT + SLANTED}


def seen_along(board: Board, place: Place, way: tuple[int, int]) -> str:
    """Return the first piece on a line from a square; empty if there is none."""
    return next((board[at] for at in LINES[place, way] if at in board), "")


def is_attacked(board: Board, place: Place, *, by_white: bool) -> bool:
    """Return whether a side attacks a square, even with pieces that must not move because of their king (3.1.3)."""

    def theirs(letter: str) -> str:
        return letter if by_white else letter.lower()

    towards_it = -1 if by_white else 1  # a pawn attacks forwards, so it stands behind
    for way in ((-1, towards_it), (1, towards_it)):
        if (at := step_from(place, way)) and board.get(at) == theirs("P"):
            return True
    for letter, ways in STEPPERS.items():
        if any((at := step_from(place, way)) and board.get(at) == theirs(letter) for way in ways):
            return True
    straight, slanted = theirs("R") + theirs("Q"), theirs("B") + theirs("Q")
    return any((seen := seen_along(board, place, way)) and seen in straight for way in STRAIGHT) or any(
        (seen := seen_along(board, place, way)) and seen in slanted for way in SLANTED
    )


# --- positions and moves ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LawfulMove:
    """A move: from where to where, what a pawn becomes, and for castling the square of the castling rook."""

    start: Place
    end: Place
    becomes: str = ""
    rook: Place | None = None


@dataclass(frozen=True)
class LawfulPosition:
    """A position.

    Attributes:
        board: the piece on each occupied square.
        white: whether White has the move.
        rooks: the squares of the rooks with which their kings may still castle.
        passed: the square that a pawn has just passed by its double step.
        quiet: how many moves of both players were made since the last capture or pawn's move.
        number: the number of the move, as in FEN.
    """

    board: Board
    white: bool = True
    rooks: frozenset[Place] = frozenset()
    passed: Place | None = None
    quiet: int = 0
    number: int = 1

    def king(self, *, white: bool) -> Place:
        return next(at for at, piece in self.board.items() if piece == ("K" if white else "k"))

    def in_check(self, *, white: bool) -> bool:
        """Return whether a side's king is attacked (3.9.1)."""
        return is_attacked(self.board, self.king(white=white), by_white=not white)

    def legal_moves(self) -> list[LawfulMove]:
        """Return the moves that do not leave one's own king attacked (3.9.2, 3.10.1)."""
        own = [at for at, piece in self.board.items() if is_white(piece) == self.white]
        moves = chain.from_iterable(map(self._moves_of, own))
        return [move for move in chain(moves, self._castlings()) if self._is_legal(move)]

    def _is_legal(self, move: LawfulMove) -> bool:
        return not self.after(move).in_check(white=self.white)

    def _moves_of(self, start: Place) -> Iterator[LawfulMove]:
        letter = self.board[start].upper()
        if letter == "P":
            return self._pawn_moves(start)
        return (LawfulMove(start, end) for end in self._reached(start, letter) if self._may_stand(end))

    def _may_stand(self, end: Place) -> bool:
        """Return whether a square is free of pieces of the side to move (3.1)."""
        return end not in self.board or is_white(self.board[end]) != self.white

    def _reached(self, start: Place, letter: str) -> Iterator[Place]:
        """Yield the squares a piece reaches, up to the first piece on each line (3.2 - 3.6, 3.8.1)."""
        if letter in STEPPERS:
            yield from (end for way in STEPPERS[letter] if (end := step_from(start, way)) is not None)
            return
        for way in SLIDERS[letter]:
            for end in LINES[start, way]:
                yield end
                if end in self.board:
                    break

    def _pawn_moves(self, start: Place) -> Iterator[LawfulMove]:
        """Yield a pawn's steps, captures, captures en passant, and promotions (3.7)."""
        forward, last = (1, 7) if self.white else (-1, 0)
        for end in chain(self._pawn_steps(start, forward), self._pawn_captures(start, forward)):
            if end[1] == last:
                yield from (LawfulMove(start, end, becomes) for becomes in PROMOTIONS)
            else:
                yield LawfulMove(start, end)

    def _pawn_steps(self, start: Place, forward: int) -> Iterator[Place]:
        file, rank = start
        once, twice = (file, rank + forward), (file, rank + 2 * forward)
        if once in self.board:
            return
        yield once
        if rank == (1 if self.white else 6) and twice not in self.board:
            yield twice

    def _pawn_captures(self, start: Place, forward: int) -> Iterator[Place]:
        for way in ((-1, forward), (1, forward)):
            end = step_from(start, way)
            if end is not None and (end == self.passed or (end in self.board and self._may_stand(end))):
                yield end

    def _castlings(self) -> Iterator[LawfulMove]:
        """Yield castlings with free ways for both, out of no check and through no attack (3.8.2)."""
        if self.in_check(white=self.white):  # even if the rook came to stand between
            return
        king = self.king(white=self.white)
        for rook in self.rooks:
            if rook[1] != (0 if self.white else 7):
                continue
            king_to, rook_to = castled(king, rook)
            free = {at: piece for at, piece in self.board.items() if at not in (king, rook)}
            way_of_king = between(king, king_to)
            if any(at in free for at in (*way_of_king, *between(rook, rook_to))):
                continue
            if not any(is_attacked(self.board, at, by_white=not self.white) for at in way_of_king[:-1]):
                yield LawfulMove(king, king_to, rook=rook)  # whether the last square is attacked, the new board shows

    def after(self, move: LawfulMove) -> "LawfulPosition":
        """Return the position after a move."""
        board = dict(self.board)
        piece = board.pop(move.start)
        captures = move.rook is None and move.end in board
        if move.rook is not None:
            rook = board.pop(move.rook)
            board[castled(move.start, move.rook)[1]] = rook
        if piece in "Pp" and move.end == self.passed:
            del board[move.end[0], move.start[1]]
        board[move.end] = piece if not move.becomes else move.becomes.upper() if self.white else move.becomes
        is_double = piece in "Pp" and abs(move.end[1] - move.start[1]) == 2
        return LawfulPosition(
            board,
            not self.white,
            self._rooks_left(piece, move),
            (move.start[0], (move.start[1] + move.end[1]) // 2) if is_double else None,
            0 if captures or piece in "Pp" else self.quiet + 1,
            self.number + (not self.white),
        )

    def _rooks_left(self, piece: str, move: LawfulMove) -> frozenset[Place]:
        """Return the rooks that may castle after a move: not those of a moved king, no moved and no taken one."""
        gone = {move.start, move.end}
        if piece in "Kk":
            gone |= {rook for rook in self.rooks if rook[1] == (0 if self.white else 7)}
        return self.rooks - gone

    def takes_en_passant(self) -> bool:
        """Return whether a legal capture en passant exists."""
        if self.passed is None:
            return False
        pawns = [at for at, piece in self.board.items() if piece == ("P" if self.white else "p")]
        takers = [at for at in pawns if self.passed in self._pawn_captures(at, 1 if self.white else -1)]
        return any(self._is_legal(LawfulMove(at, self.passed)) for at in takers)

    def sameness(self) -> object:
        """Return what two positions have in common that count as the same (9.2.3)."""
        passed = self.passed if self.takes_en_passant() else None
        return frozenset(self.board.items()), self.white, self.rooks, passed


def castled(king: Place, rook: Place) -> tuple[Place, Place]:
    """Return where king and rook stand after castling: on g and f, or on c and d."""
    rank = king[1]
    return ((6, rank), (5, rank)) if rook[0] > king[0] else ((2, rank), (3, rank))


def between(start: Place, end: Place) -> tuple[Place, ...]:
    """Return the squares of a rank from one to another, both included."""
    step = 1 if end[0] >= start[0] else -1
    return tuple((file, start[1]) for file in range(start[0], end[0] + step, step))


# --- material ---------------------------------------------------------------------------------------------------------


def cannot_mate(board: Board, *, white: bool) -> bool:
    """Return whether the pieces alone show that a side cannot mate by any series of legal moves (6.9)."""
    own = Counter(piece.upper() for piece in board.values() if is_white(piece) == white)
    theirs = Counter(piece.upper() for piece in board.values() if is_white(piece) != white)
    if own.keys() & {"P", "R", "Q"}:
        return False
    if own["N"]:
        return own["N"] == 1 and not own["B"] and theirs.keys() <= {"K", "Q"}
    if own["B"]:
        return is_one_coloured(board) and not theirs.keys() & {"P", "N"}
    return True


def is_one_coloured(board: Board) -> bool:
    """Return whether all bishops on the board stand on squares of one colour."""
    return len({sum(at) % 2 for at, piece in board.items() if piece in "Bb"}) <= 1


def is_dead(board: Board) -> bool:
    """Return whether the pieces alone show that nobody can mate (5.2.2).

    That is king against king, also with one knight or with bishops that all stand on squares of one colour.
    """
    others = Counter(piece.upper() for piece in board.values() if piece not in "Kk")
    if others.keys() <= {"B"}:
        return is_one_coloured(board)
    return others == Counter("N")


# --- FEN and Chess960 -------------------------------------------------------------------------------------------------


def read_fen(text: str) -> LawfulPosition:
    """Return the position of a FEN; castling as in FEN, X-FEN (outermost rooks) or Shredder-FEN (files).

    Rights without king and rook on the last rank, and a passed square that no pawn has passed, are ignored.
    """
    placement, mover, castling, passed, quiet, number = [
        *text.split(),
        *("w", "-", "-", "0", "1")[len(text.split()) - 1 :],
    ]
    board = dict[Place, str]()
    for rank, row in zip(range(7, -1, -1), placement.split("/"), strict=True):
        squares = "".join("." * int(each) if each.isdigit() else each for each in row)
        board |= {(file, rank): piece for file, piece in zip(range(8), squares, strict=True) if piece != "."}
    position = LawfulPosition(board, mover == "w", frozenset(), None, int(quiet), int(number))
    rooks = frozenset(chain.from_iterable(_rook_of(board, letter) for letter in castling if letter != "-"))
    return replace(position, rooks=rooks, passed=None if passed == "-" else _passed(position, place_of(passed)))


def _rook_of(board: Board, letter: str) -> list[Place]:
    """Return the rook that a letter of the castling field names, in a list; an empty list if it is not there."""
    king, rook, rank = ("K", "R", 0) if letter.isupper() else ("k", "r", 7)
    files = [file for file in range(8) if board.get((file, rank)) == king]
    if not files:
        return []
    rooks = [file for file in range(8) if board.get((file, rank)) == rook]
    match letter.lower():
        case "k":
            return [(file, rank) for file in rooks[-1:] if file > files[0]]
        case "q":
            return [(file, rank) for file in rooks[:1] if file < files[0]]
        case named:
            return [(file, rank) for file in rooks if FILES[file] == named]


def _passed(position: LawfulPosition, square: Place) -> Place | None:
    rank, forward, pawn = (5, -1, "p") if position.white else (2, 1, "P")
    file = square[0]
    borne_out = (
        square[1] == rank
        and position.board.get((file, rank + forward)) == pawn
        and square not in position.board
        and (file, rank - forward) not in position.board
    )
    return square if borne_out else None


def write_fen(position: LawfulPosition) -> str:
    """Return the FEN: castling as KQkq for rooks on a and h with a king on e, else by files as in Shredder-FEN.

    The passed square is written only if a legal capture en passant exists.
    """
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(position.board.get((file, rank), ".") for file in range(8))
        for empty in range(8, 0, -1):
            row = row.replace("." * empty, str(empty))
        rows.append(row)
    passed = name_of(position.passed) if position.passed and position.takes_en_passant() else "-"
    mover = "w" if position.white else "b"
    return f"{'/'.join(rows)} {mover} {_castling_field(position)} {passed} {position.quiet} {position.number}"


def _castling_field(position: LawfulPosition) -> str:
    is_usual = castles_usually(position)
    letters = {(7, 0): "K", (0, 0): "Q", (7, 7): "k", (0, 7): "q"} if is_usual else {}
    order = sorted(position.rooks, key=lambda rook: (rook[1], -rook[0]))
    files = [letters.get(at) or (FILES[at[0]].upper() if at[1] == 0 else FILES[at[0]]) for at in order]
    return "".join(files) or "-"


def castles_usually(position: LawfulPosition) -> bool:
    """Return whether all rooks that may castle stand on a and h, and their kings on e."""
    kings = {rank: position.king(white=rank == 0) for _, rank in position.rooks}
    return position.rooks <= USUAL_ROOKS and all(king == (4, rank) for rank, king in kings.items())


def chess960_start(number: int) -> LawfulPosition:
    """Return a starting position of Chess960 by its number, from 0 to 959; 518 is that of chess."""
    row = dict.fromkeys(range(8), "")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    row[2 * light + 1] = row[2 * dark] = "B"
    row[[file for file in row if not row[file]][queen]] = "Q"
    free = [file for file in row if not row[file]]
    for each in KNIGHT_PAIRS[knights]:
        row[free[each]] = "N"
    for file, piece in zip([file for file in row if not row[file]], "RKR", strict=True):
        row[file] = piece
    pieces = "".join(row.values())
    return read_fen(f"{pieces.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w KQkq - 0 1")


# --- the game ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ending:
    """How a game ended: who won (`None`: a draw), and by what."""

    winner: bool | None  # whether it is White
    by: str


class LawBook:
    """A game: position, what has been before, what may be claimed, and how it ended.

    Attributes:
        start: the FEN or the number that the game began from.
        position: the position on the board.
        ended: how the game ended; `None` if it goes on.
        unusual: whether castling is written as king takes rook, for kings or rooks that did not start on their usual
            squares.
    """

    def __init__(self, start: str = "518") -> None:
        self.start = start
        self.position = chess960_start(int(start)) if start.isdigit() else read_fen(start)
        self.unusual = not castles_usually(self.position)
        self._begin()

    def _begin(self) -> None:
        self._seen = Counter([self.position.sameness()])
        self._plies = 0
        self._offered = False
        self._names_move = False
        self.moves = self._named_moves()
        self.ended = self._end_on_board()

    def _named_moves(self) -> dict[str, LawfulMove]:
        return {self.uci(move): move for move in self.position.legal_moves()}

    def uci(self, move: LawfulMove) -> str:
        """Return a move in UCI notation."""
        end = move.rook if move.rook is not None and self.unusual else move.end
        return f"{name_of(move.start)}{name_of(end)}{move.becomes}"

    # --- what is so now ---------------------------------------------------------------------------------------------

    @property
    def white(self) -> bool:
        """Whether White has the move."""
        return self.position.white

    @property
    def in_check(self) -> bool:
        return self.position.in_check(white=self.white)

    def claims(self) -> set[str]:
        """Return what the player who has the move may claim for the position on the board (9.2.2, 9.3.2)."""
        return self._claims(self.position, 0) if self.ended is None else set()

    def claims_with(self) -> dict[str, set[str]]:
        """Return the moves with which the player may claim a draw before making them, and why (9.2.1, 9.3.1)."""
        if self.ended is not None:
            return {}
        open_ = {uci: self._claims(self.position.after(move), 1) for uci, move in self.moves.items()}
        return {uci: why for uci, why in open_.items() if why}

    def _claims(self, position: LawfulPosition, more: int) -> set[str]:
        threefold = {"threefold"} if self._seen[position.sameness()] + more >= THREEFOLD else set[str]()
        return threefold | ({"fifty"} if position.quiet >= FIFTY_MOVES else set())

    def may_agree(self) -> bool:
        """Return whether a draw may be agreed on: both players have made a move (5.2.3)."""
        return self._plies >= 2

    def flag_falls(self, *, white: bool) -> Ending:
        """Return how the game ends if a side's time is up: a loss, or a draw if the opponent cannot mate (6.9)."""
        return Ending(None if cannot_mate(self.position.board, white=not white) else not white, "time")

    def _end_on_board(self) -> Ending | None:
        if not self.moves:
            return Ending(not self.white, "checkmate") if self.in_check else Ending(None, "stalemate")  # 5.1.1, 5.2.1
        if is_dead(self.position.board):
            return Ending(None, "dead")
        if self._seen[self.position.sameness()] >= FIVEFOLD:
            return Ending(None, "fivefold")
        return Ending(None, "seventy-five") if self.position.quiet >= SEVENTY_FIVE_MOVES else None

    # --- what the players do ----------------------------------------------------------------------------------------

    def do(self, what: str) -> None:
        """Take a move in UCI notation, or another input.

        The player who has the move may `claim-draw`, `claim-with` (then follows the move that is not made), `resign`
        and `offer-draw`, which the opponent answers by `agree` or `refuse`; that player's time may be over: `time-up`.
        Raises AgainstTheLaws.
        """
        if self.ended is not None:
            raise AgainstTheLaws("the game is over")
        if self._names_move:
            self._claim_with(what)
        elif what in ("agree", "refuse") or self._offered:
            self._answer(what)
        elif what in self.moves:
            self._move(self.moves[what])
        else:
            self._decide(what)

    def _decide(self, what: str) -> None:
        match what:
            case "claim-draw" if self.claims():
                self.ended = Ending(None, "claim")
            case "claim-with" if self.claims_with():
                self._names_move = True
            case "offer-draw":
                self._offered = True
            case "resign":
                self.ended = Ending(not self.white, "resignation")  # 5.1.2
            case "time-up":
                self.ended = self.flag_falls(white=self.white)
            case _:
                raise AgainstTheLaws(f"{what} is not allowed in {write_fen(self.position)}")

    def _move(self, move: LawfulMove) -> None:
        self.position = self.position.after(move)
        self._seen[self.position.sameness()] += 1
        self._plies += 1
        self.moves = self._named_moves()
        self.ended = self._end_on_board()

    def _claim_with(self, uci: str) -> None:
        if uci not in self.claims_with():
            raise AgainstTheLaws(f"no draw may be claimed with {uci}")
        self.ended = Ending(None, "claim")

    def _answer(self, what: str) -> None:
        if not self._offered or what not in ("agree", "refuse") or (what == "agree" and not self.may_agree()):
            raise AgainstTheLaws(f"{what} is no answer")
        self._offered = False
        if what == "agree":
            self.ended = Ending(None, "agreement")
