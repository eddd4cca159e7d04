"""What a board that reads pieces says about its squares, and which piece of the match each reading means.

A reading is a text that the board chooses, such as `N` or the number of a chip. Nothing is known about it in advance:
what it means is learnt while the board shows the match's position, for example at set-up. A reading that was seen on
two different pieces of the match means nothing, and neither does one that was never learnt.
"""

from collections.abc import Mapping

from captains_table.games.contract import Square

ALIKE = ""


class PieceReadings:
    """The readings of the board's squares, and the piece of the match that each reading means.

    A board that reads only whether a square is occupied gives no readings: all of them are empty.

    Attributes:
        on: the reading of each occupied square that has one.
    """

    def __init__(self) -> None:
        self.on: dict[Square, str] = {}
        self._meanings: dict[str, str] = {}

    def learn(self, pieces: Mapping[Square, str]) -> None:
        """Learn what the present readings mean, given the pieces of the match on their squares.

        A reading that is known already keeps its meaning, unless it now stands for another piece too.
        """
        found: dict[str, str] = {}
        for square, reading in self.on.items():
            if square in pieces and reading not in self._meanings:
                piece = pieces[square]
                found[reading] = piece if found.get(reading, piece) == piece else ALIKE
        self._meanings |= found

    def forget(self) -> None:
        """Forget what the readings mean, because another match begins."""
        self._meanings.clear()

    def differ(self, reading: str, other: str) -> bool:
        """Return whether two readings cannot be of the same piece; false if one of them is empty."""
        if not reading or not other or reading == other:
            return False
        return not (self._meanings.get(reading) and self._meanings.get(reading) == self._meanings.get(other))

    def denied(self, pieces: Mapping[Square, str]) -> int:
        """Return on how many squares the board reads another piece than the one given there."""
        return sum(self.deny(self.on[square], pieces[square]) for square in self.on.keys() & pieces.keys())

    def confirm(self, pieces: Mapping[Square, str]) -> bool:
        """Return whether the board reads all of these pieces on their squares."""
        return all(self._meanings.get(self.on.get(square, "")) == piece for square, piece in pieces.items())

    def deny(self, reading: str, piece: str) -> bool:
        """Return whether a reading is known to mean another piece of the match than this one."""
        meant = self._meanings.get(reading)
        return bool(meant) and meant != piece
