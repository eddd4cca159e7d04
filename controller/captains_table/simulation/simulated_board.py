"""The simulated board: switches with pieces on them, a hand that lifts them, the edge beside."""

from collections.abc import Mapping
from dataclasses import dataclass

from captains_table.games.contract import Square

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class SwitchMove:
    """A switch of the simulated board closed or opened."""

    square: Square
    closed: bool


class SimulatedBoard:
    """What stands on the board, what is in the hand (last lifted last), and what lies beside the board.

    Switches know no pieces; the board does, so that people can see what they hold.
    """

    def __init__(self) -> None:
        self.pieces: dict[Square, str] = {}
        self.hand: list[str] = []
        self.beside: list[str] = []

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares whose switch is closed."""
        return frozenset(self.pieces)

    def lift(self, square: Square) -> list[SwitchMove]:
        """Take the piece of a square into the hand; an empty square stays empty."""
        if square not in self.pieces:
            return []
        self.hand.append(self.pieces.pop(square))
        return [SwitchMove(square, closed=False)]

    def place(self, square: Square) -> list[SwitchMove]:
        """Put the piece lifted last on a square; an occupied one stays as it is."""
        if square in self.pieces:
            return []
        self.pieces[square] = self.hand.pop() if self.hand else UNKNOWN
        return [SwitchMove(square, closed=True)]

    def click(self, square: Square) -> list[SwitchMove]:
        """Lift the piece of a square, or put the one in the hand there and what stood there beside the board."""
        if not self.hand:
            return self.lift(square)
        moves = []
        if square in self.pieces:
            self.beside.append(self.pieces.pop(square))
            moves.append(SwitchMove(square, closed=False))
        return moves + self.place(square)

    def take(self, piece: str) -> None:
        """Take a piece from beside the board into the hand; raises ValueError if it does not lie there."""
        if piece not in self.beside:
            raise ValueError(f"no {piece!r} lies beside the board: expected one of {' '.join(self.beside) or 'none'}")
        self.beside.remove(piece)
        self.hand.append(piece)

    def put_beside(self) -> None:
        """Lay what is in the hand beside the board."""
        self.beside += self.hand
        self.hand.clear()

    def arrange(self, pieces: Mapping[Square, str]) -> None:
        """Put every piece where it belongs; those that are left over lie beside the board."""
        spare = [*self.hand, *self.beside, *self.pieces.values()]
        for piece in pieces.values():
            if piece in spare:
                spare.remove(piece)
        self.pieces = dict(pieces)
        self.hand.clear()
        self.beside = [piece for piece in spare if piece != UNKNOWN]

    def rearrange(self, pieces: Mapping[Square, str]) -> list[SwitchMove]:
        """Put every piece where it belongs by hand, so that the switches tell: first what leaves, then what comes."""
        before = dict(self.pieces)
        self.arrange(pieces)
        moved = sorted(square for square in before.keys() | pieces.keys() if before.get(square) != pieces.get(square))
        lifted = [SwitchMove(square, closed=False) for square in moved if square in before]
        placed = [square for square in moved if square in pieces]
        placed.sort(key=before.__contains__)  # what was captured comes back last
        return lifted + [SwitchMove(square, closed=True) for square in placed]

    def clear(self) -> None:
        """Take every piece away, those in the hand and beside the board too."""
        self.pieces.clear()
        self.hand.clear()
        self.beside.clear()

    def recognise(self, pieces: Mapping[Square, str]) -> None:
        """Know the pieces by what the match says, where the same squares are occupied: a pawn may be a queen now."""
        if self.pieces.keys() != pieces.keys():
            return
        self.put_beside()
        self.pieces.update(pieces)
