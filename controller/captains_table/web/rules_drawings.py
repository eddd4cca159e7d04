"""The drawn examples of the pages of rules. The code of the rules computes what each of them shows."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Final

import chess

from captains_table.games.captains_chess.position import BOARD_9X8, CODES, REACHES, SQUARES
from captains_table.games.chess.position import USUAL_ARRAY, ChessPosition
from captains_table.games.chess.state import array_of
from captains_table.games.common.chess_boards import SQUARES_8X8
from captains_table.games.common.dice import cargo, cargo_dice, crew_words
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Die, Shape, Square, parse_square
from captains_table.games.crowns.board import CROWNS_SHAPE
from captains_table.games.crowns.designs import parse_design
from captains_table.games.crowns.move_generation import reached
from captains_table.games.legend import Legend
from captains_table.games.legend.position import LEGEND_START, PIECE_VALUES, strikes
from captains_table.games.ship_captain_crew.state import WANTED, Berths, cargo_of, fill_berths
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.sheet import PIRACY, Sheet, box_points, box_title, piracy_points
from captains_table.phrases import Language, listed, message, say
from captains_table.table.model.view import Mark
from captains_table.web.page_language import page_language
from captains_table.web.svg.board_svg import BoardStyle, board_svg
from captains_table.web.svg.dice_svg import die_svg, slot_svg
from captains_table.web.svg.grids_svg import grid_svg

CREW_TURN: Final = ((6, 2, 4, 2, 2), (6, 5, 2, 2), (4, 3, 1))
"""The throws of a turn, from docs/rules/ship-captain-crew.md; each has the dice that are not set aside."""
LEGEND_CARGO: Final = (6, 5, 4, 3, 2)
STRIKE: Final = ("e2e4", "d7d6", "f1b5")
CHESS_SHAPE: Final = Shape(8, 8)
FIRST_RANKS: Final = Shape(8, 2)
ROOKS_PLACES: Final = {
    say("In chess"): "R3K2R w KQ",
    say("In Chess960"): "RK5R w HA",
    say("In Chess960 too"): "5KR1 w G",
}
"""The first rank of each example of castling, and what a FEN says after the ranks."""
EN_PASSANT: Final = ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6")
MATE: Final = ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8")
STALEMATE: Final = ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7")
PAWN: Final = "4k3/8/8/8/8/3p1p2/4P3/4K3 w - - 0 1"
ARRAY_THROW: Final = (3, 2, 4, 1, 5)
PIECE: Final = "Gunner: a5 e5 / c4 a3 e3 b2 d2 s"
PIRACY_THROW: Final = (6, 4, 5, 2, 3)
SHEET: Final = {
    "ones": (1, 1, 1, 3, 6),
    "twos": (2, 2, 2, 4, 5),
    "threes": (3, 3, 3, 3, 1),
    "fours": (4, 4, 4, 2, 6),
    "fives": (5, 5, 5, 5, 2),
    "sixes": (6, 6, 6, 1, 3),
    "three-alike": (6, 6, 6, 5, 4),
    "four-alike": (5, 5, 5, 5, 3),
    "full-boat": (3, 3, 3, 5, 5),
    "succession-4": (1, 2, 3, 4, 6),
    "succession-5": (2, 3, 4, 5, 6),
    "pieces-of-8": (1, 1, 2, 2, 2),
    "flotsam": (6, 5, 6, 4, 3),
    PIRACY: (1, 2, 3, 4, 5),
    "swashbuckle": (4, 4, 4, 4, 4),
    "aces-high": (2, 3, 4, 6, 6),
}
"""The dice that fill a sheet, in the order of the turns; the last throw fits no open box, which is scuttled."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn example: its pictures as HTML, and what they show in words."""

    art: str
    words: str


def drawings_of(game: str) -> Mapping[str, object]:
    """Return the values with which the page of a game's rules is drawn; empty for a game without drawings."""
    return _drawings_in(game, page_language()) if game in _DRAWN else {}


@cache
def _drawings_in(game: str, _: Language) -> Mapping[str, object]:
    return _DRAWN[game]()


def _row(faces: Iterable[int | None], held: Collection[int] = ()) -> str:
    """Return a row of dice; those whose numbers (from 1) are in `held` have a pin."""
    return "".join(die_svg(Die(face, held=number in held)) for number, face in enumerate(faces, 1))


def _legend() -> Mapping[str, object]:
    crew = [number for number in range(1, 6) if number not in cargo_dice(LEGEND_CARGO)]
    rest = " + ".join(str(LEGEND_CARGO[number - 1]) for number in cargo_dice(LEGEND_CARGO))
    words = message("6, 5 and 4 are there; the other two are the cargo: {dice} = {cargo}")
    return {
        "worths": [(chess.piece_symbol(kind).upper(), worth) for kind, worth in PIECE_VALUES.items()],
        "cargo": Drawing(_row(LEGEND_CARGO, crew), say(words, dice=rest, cargo=cargo(LEGEND_CARGO))),
        "strike": _strike(),
    }


def _strike() -> Drawing:
    before = after = LEGEND_START
    for move in STRIKE:
        before, after = after, after.play(after.moves(max(PIECE_VALUES.values()))[move])
    struck = after.white
    [striker] = chess.scan_forward(after.attackers_of_king(struck) & ~before.attackers_of_king(struck))
    [king] = (square for square, letter in after.pieces().items() if letter == "k")
    start, end = Square(5, 0), Square(striker & 7, striker >> 3)
    marks = {start: Mark.LAST_MOVE, end: Mark.LAST_MOVE}
    if strikes(before, after, before.white):
        marks[king] = Mark.STRIKE
    words = message("The bishop goes from {start} to {end} and looks at the king on {king}: a strike")
    art = board_svg(Legend.shape, after.pieces(), marks, BoardStyle(lines=[(end, king)]))
    return Drawing(art, say(words, start=str(start), end=str(end), king=str(king)))


def _chess() -> Mapping[str, object]:
    usual = ChessPosition.of_array(USUAL_ARRAY).pieces()
    mate, stalemate = _after(*MATE), _after(*STALEMATE)
    passed, taken = _after(*EN_PASSANT[:2]), _after(*EN_PASSANT)
    number = array_of(ARRAY_THROW)
    array = "".join(
        piece for square, piece in sorted(ChessPosition.of_array(number).pieces().items()) if not square.rank
    )
    given = message("This throw gives the array {array}, number {number}")
    words = say("The pawn has gone from d7 to d5; the one on e5 takes it on d6, as if it had gone one square")
    return {
        "set_up": Drawing(board_svg(CHESS_SHAPE, usual, {}), say("The board before the first move")),
        "reaches": [*map(_reach_in_chess, "RBQNK"), _pawn()],
        "castling": [_castling(words, rank) for words, rank in ROOKS_PLACES.items()],
        "en_passant": Drawing(_drawn(passed) + _drawn(taken), words),
        "mate": Drawing(_drawn(mate), say("The king on g8 is mated: attacked along the rank, and nowhere to go")),
        "stalemate": Drawing(_drawn(stalemate), say("The king on h8 is not attacked and cannot move: stalemate")),
        "knights": _knights_by_dice(),
        "array": Drawing(_row(ARRAY_THROW), say(given, array=array, number=number)),
    }


def _after(fen: str, *ids: str) -> tuple[ChessPosition, ChessPosition]:
    """Return the positions before and after the last of some moves of chess."""
    before = position = ChessPosition.from_fen(fen)
    for id_ in ids:
        before, position = position, position.play(position.moves[id_])
    return before, position


def _drawn(moved: tuple[ChessPosition, ChessPosition], shape: Shape = CHESS_SHAPE) -> str:
    """Return the later of two positions as a board on which the squares are marked that the move between changed."""
    before, pieces = (position.pieces() for position in moved)
    changed = [square for square in SQUARES_8X8 if before.get(square) != pieces.get(square)]
    return board_svg(shape, pieces, dict.fromkeys(changed, Mark.LAST_MOVE))


def _castling(where: str, rank: str) -> Drawing:
    """Return the first two ranks before White castles, and after each way to do so."""
    fen = f"4k3/8/8/8/8/8/8/{rank} - 0 1"
    position = ChessPosition.from_fen(fen)
    ways = {position.label(move): id_ for id_, move in position.moves.items() if position.label(move).startswith("O")}
    boards = [_drawn(_after(fen, *ids), FIRST_RANKS) for ids in ((), *((id_,) for id_ in ways.values()))]
    return Drawing("".join(boards), say("{where}: before, then {moves}", where, listed(list(ways))))


def _reach_in_chess(letter: str) -> Drawing:
    """Return a piece of chess alone on the board, and the squares to which it may go."""
    board = chess.BaseBoard(None)
    board.set_piece_at(chess.E4, chess.Piece.from_symbol(letter))
    marks = {SQUARES_8X8[square]: Mark.TARGET for square in board.attacks(chess.E4)}
    words = say("A {piece} reaches {count} squares", kind_name(letter), len(marks))
    return Drawing(board_svg(CHESS_SHAPE, {SQUARES_8X8[chess.E4]: letter}, marks), words)


def _pawn() -> Drawing:
    position = ChessPosition.from_fen(PAWN)
    marks = {parse_square(id_[2:]): Mark.TARGET for id_ in position.moves if id_.startswith("e2")}
    words = say("A pawn steps ahead to e3 or e4, or takes aslant on d3 or f3")
    return Drawing(board_svg(CHESS_SHAPE, {**position.pieces()}, marks), words)


def _knights_by_dice() -> Sequence[tuple[str, Sequence[str]]]:
    """Return on which of the five squares left the knights stand: the faces of the fourth die, then by the fifth."""
    pairs = [listed([str(first), str(second)]) for first, second in combinations(range(1, 6), 2)]
    return [("1, 3, 5", pairs[:5]), ("2, 4, 6", pairs[5:])]


def _captains_chess() -> Mapping[str, object]:
    one = message("A {piece} on {square} reaches {count} squares")
    crowned = [_reach("+B", one), _reach("+R", one)]
    return {"captain": _reach("C", message("The {piece} on {square} reaches {count} squares")), "crowned": crowned}


def _reach(letter: str, words: str) -> Drawing:
    """Return a piece of Captain's Chess alone on the board, and the squares to which it may go."""
    at = Square(4, 3)
    targets = REACHES[CODES[letter]].targets(bytes(SQUARES), BOARD_9X8.squares().index(at), ())
    marks = dict.fromkeys(map(BOARD_9X8.square_at, targets), Mark.TARGET)
    told = say(words, piece=kind_name(letter), square=str(at), count=len(marks))
    return Drawing(board_svg(BOARD_9X8, {at: letter}, marks), told)


def _crew() -> Mapping[str, object]:
    berths, faces, turn = Berths(), [0] * 5, []
    for number, thrown in enumerate(CREW_TURN, 1):
        for die, face in zip(berths.loose(), thrown, strict=True):
            faces[die - 1] = face
        berths = fill_berths(berths, faces)
        aside = [faces[die - 1] for die in berths.dice]
        empty = "".join(map(slot_svg, WANTED[len(aside) :]))
        loose = _row(faces[die - 1] for die in berths.loose())
        words = say("Throw {number}: {words}", number, crew_words(aside, cargo_of(berths, faces)))
        turn.append(Drawing(f"{_row(aside, range(1, 4))}{empty}<i></i>{loose}", words))
    return {"turn": turn}


def _swashbuckle() -> Mapping[str, object]:
    sheet = Sheet()
    for box, faces in SHEET.items():
        sheet = sheet.with_box(box, piracy_points(PIRACY_THROW) if box == PIRACY else box_points(box, faces))
    game = Swashbuckle()
    rows = game.sheet(replace(game.start(("Anne",), {}), sheets=(sheet,)))
    dice = {box_title(box): PIRACY_THROW if box == PIRACY else faces for box, faces in SHEET.items()}
    lines = [(row, _row(dice.get(row.title, ()))) for row in rows if row.cells[0]]
    return {"lines": lines, "nest": sheet.subtotal, "blimey": sheet.blimey}


def _crowns() -> Mapping[str, object]:
    design, at = parse_design(PIECE), Square(3, 3)
    grids = {say("Standard"): (design.standard, ""), say("Levelled up"): (design.levelled, "grid-levelled")}
    drawn = []
    for title, (grid, css) in grids.items():
        squares = reached(grid, 0, at)
        marks = dict.fromkeys(squares, Mark.TARGET)
        art = grid_svg(grid, f"{title}: {grid}", css) + board_svg(CROWNS_SHAPE, {at: "1"}, marks)
        words = message("{grid}: from {square} White's {name} reaches {count} squares")
        drawn.append(Drawing(art, say(words, grid=title, square=str(at), name=design.name, count=len(squares))))
    return {"grids": drawn}


_DRAWN: Final[Mapping[str, Callable[[], Mapping[str, object]]]] = {
    "legend": _legend,
    "chess": _chess,
    "captains-chess": _captains_chess,
    "ship-captain-crew": _crew,
    "swashbuckle": _swashbuckle,
    "crowns": _crowns,
}
