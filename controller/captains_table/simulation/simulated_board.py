"""The simulated board: its pieces and switches, the hand that lifts pieces, and the pieces beside the board."""

from collections.abc import Mapping
from dataclasses import dataclass

from captains_table.games.contract import Square

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class SwitchMove:
    """The closing or opening of the switch under a square of the simulated board."""

    square: Square
    closed: bool


class SimulatedBoard:
    """The pieces of a simulated board; it knows what each piece is, so that the page can draw the piece.

    Attributes:
        pieces: the piece on each occupied square.
        hand: the pieces in the hand, the last lifted one last.
        beside: the pieces that lie beside the board.
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
        """Move a square's piece into the hand and return the switch's opening; do nothing if the square is empty."""
        if square not in self.pieces:
            return []
        self.hand.append(self.pieces.pop(square))
        return [SwitchMove(square, closed=False)]

    def place(self, square: Square) -> list[SwitchMove]:
        """Put the last lifted piece on a square; return the change of the switch, which closes.

        If the hand is empty, put an unknown piece. If the square is occupied, do nothing and return an empty list.
        """
        if square in self.pieces:
            return []
        self.pieces[square] = self.hand.pop() if self.hand else UNKNOWN
        return [SwitchMove(square, closed=True)]

    def click(self, square: Square) -> list[SwitchMove]:
        """Lift a square's piece if the hand is empty; otherwise place the piece last lifted. Return the switch moves.

        If the hand holds a piece and the square is occupied, the square's piece is first moved beside the board.
        """
        if not self.hand:
            return self.lift(square)
        moves = []
        if square in self.pieces:
            self.beside.append(self.pieces.pop(square))
            moves.append(SwitchMove(square, closed=False))
        return moves + self.place(square)

    def take(self, piece: str) -> None:
        """Pick up a piece that lies next to the board; raises ValueError if there is no piece of this kind."""
        if piece not in self.beside:
            raise ValueError(f"no {piece!r} lies beside the board: expected one of {' '.join(self.beside) or 'none'}")
        self.beside.remove(piece)
        self.hand.append(piece)

    def put_beside(self) -> None:
        """Move all pieces from the hand to beside the board."""
        self.beside += self.hand
        self.hand.clear()

    def arrange(self, pieces: Mapping[Square, str]) -> None:
        """Set the position; all other pieces, also lifted ones, lie beside the board afterwards.

        Surplus pieces of unknown kind are removed.
        """
        spare = [*self.hand, *self.beside, *self.pieces.values()]
        for piece in pieces.values():
            if piece in spare:
                spare.remove(piece)
        self.pieces = dict(pieces)
        self.hand.clear()
        self.beside = [piece for piece in spare if piece != UNKNOWN]

    def rearrange(self, pieces: Mapping[Square, str]) -> list[SwitchMove]:
        """Set the position; return the switch moves as if a hand had done it: first all lifts, then all placings."""
        before = dict(self.pieces)
        self.arrange(pieces)
        moved = sorted(square for square in before.keys() | pieces.keys() if before.get(square) != pieces.get(square))
        lifted = [SwitchMove(square, closed=False) for square in moved if square in before]
        placed = [square for square in moved if square in pieces]
        placed.sort(key=before.__contains__)  # squares that held another piece come last
        return lifted + [SwitchMove(square, closed=True) for square in placed]

    def clear(self) -> None:
        """Remove all pieces, also those in the hand and beside the board."""
        self.pieces.clear()
        self.hand.clear()
        self.beside.clear()

    def recognise(self, pieces: Mapping[Square, str]) -> None:
        """Replace the pieces by the match's pieces if the same squares are occupied; otherwise do nothing.

        Thus a promoted pawn becomes a queen. Pieces that are still in the hand are put beside the board.
        """
        if self.pieces.keys() != pieces.keys():
            return
        self.put_beside()
        self.pieces.update(pieces)
