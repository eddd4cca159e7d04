"""The simulated board: its pieces and switches, the hand that lifts pieces, and the pieces off the board."""

from collections.abc import Mapping
from dataclasses import dataclass

from captains_table.games.contract import Square

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class SwitchMove:
    """The closing or opening of a square's switch on the simulated board."""

    square: Square
    closed: bool


class SimulatedBoard:
    """The pieces of a simulated board, which knows what each piece is, so that the page can draw it.

    Attributes:
        pieces: the piece on each occupied square.
        hand: the pieces in the hand, the last lifted one last.
        beside: the pieces off the board.
    """

    def __init__(self) -> None:
        self.pieces: dict[Square, str] = {}
        self.hand: list[str] = []
        self.beside: list[str] = []

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares with a piece, whose switches are closed."""
        return frozenset(self.pieces)

    def lift(self, square: Square) -> list[SwitchMove]:
        """Move the piece of a square into the hand, and return the switch's opening; empty if the square is empty."""
        if square not in self.pieces:
            return []
        self.hand.append(self.pieces.pop(square))
        return [SwitchMove(square, closed=False)]

    def place(self, square: Square) -> list[SwitchMove]:
        """Put the last lifted piece, or an unknown one, on a square, and return the switch's closing.

        If the square is occupied, do nothing and return an empty list.
        """
        if square in self.pieces:
            return []
        self.pieces[square] = self.hand.pop() if self.hand else UNKNOWN
        return [SwitchMove(square, closed=True)]

    def click(self, square: Square) -> list[SwitchMove]:
        """Lift a square's piece if the hand is empty, else place the held piece; return the switch moves.

        A piece that was on the square of the placed piece is put off the board.
        """
        if not self.hand:
            return self.lift(square)
        moves = []
        if square in self.pieces:
            self.beside.append(self.pieces.pop(square))
            moves.append(SwitchMove(square, closed=False))
        return moves + self.place(square)

    def take(self, piece: str) -> None:
        """Move a piece that is off the board into the hand; raises ValueError if no such piece is off the board."""
        if piece not in self.beside:
            raise ValueError(f"no {piece!r} lies beside the board: expected one of {' '.join(self.beside) or 'none'}")
        self.beside.remove(piece)
        self.hand.append(piece)

    def put_beside(self) -> None:
        """Put all pieces in the hand off the board."""
        self.beside += self.hand
        self.hand.clear()

    def arrange(self, pieces: Mapping[Square, str]) -> None:
        """Set the position; surplus pieces, except unknown ones, are put off the board, and the hand is empty."""
        spare = [*self.hand, *self.beside, *self.pieces.values()]
        for piece in pieces.values():
            if piece in spare:
                spare.remove(piece)
        self.pieces = dict(pieces)
        self.hand.clear()
        self.beside = [piece for piece in spare if piece != UNKNOWN]

    def rearrange(self, pieces: Mapping[Square, str]) -> list[SwitchMove]:
        """Set the position, and return the switch moves of doing that by hand: all lifts, then all placings."""
        before = dict(self.pieces)
        self.arrange(pieces)
        moved = sorted(square for square in before.keys() | pieces.keys() if before.get(square) != pieces.get(square))
        lifted = [SwitchMove(square, closed=False) for square in moved if square in before]
        placed = [square for square in moved if square in pieces]
        placed.sort(key=before.__contains__)  # squares that held another piece come last
        return lifted + [SwitchMove(square, closed=True) for square in placed]

    def clear(self) -> None:
        """Remove all pieces, also those in the hand and off the board."""
        self.pieces.clear()
        self.hand.clear()
        self.beside.clear()

    def recognise(self, pieces: Mapping[Square, str]) -> None:
        """Take over the match's pieces if the same squares are occupied, so that a promoted pawn becomes a queen.

        Pieces in the hand are then put off the board. Do nothing if other squares are occupied.
        """
        if self.pieces.keys() != pieces.keys():
            return
        self.put_beside()
        self.pieces.update(pieces)
