"""The protocol that positions of games like chess implement: legal moves, checks, ends, notation.

Everything that such games share stands on it: a match's state and turns, PGN, computer players, review, UCI engines.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from captains_table.games.contract import Square

M = TypeVar("M")


class PositionEnd(NamedTuple):
    """An end of the match that follows from the position, and from how often it was on the board.

    Attributes:
        loser: whether White has lost; `None` for a draw.
        why: the reason: for a lost match a message such as "{loser} is mated", for a draw a noun such as "stalemate".
    """

    loser: bool | None
    why: str


class ChesslikePosition(Protocol[M]):
    """An immutable position; every move returns a new position. `M` is the type of its moves.

    The id of a move begins with the squares from which and to which it goes, such as e2e4.
    """

    @property
    def white(self) -> bool:
        """Whether White is to move."""

    @property
    def number(self) -> int:
        """The number of the full move, counted as in FEN."""

    @property
    def quiet(self) -> int:
        """The number of moves of both sides since the last capture, pawn move or promotion."""

    @property
    def key(self) -> Hashable:
        """What positions must have in common to count as repeated."""

    @property
    def in_check(self) -> bool:
        """Whether the king of the side to move is attacked."""

    @property
    def moves(self) -> Mapping[str, M]:
        """The legal moves, keyed by id."""

    def play(self, move: M) -> Self:
        """Return the position after a legal move."""

    def pieces(self) -> Mapping[Square, str]:
        """Return the pieces as FEN letters, keyed by square."""

    def ending(self, times_seen: int) -> PositionEnd | None:
        """Return the end of the match by this position; `None` if the match goes on.

        Args:
            times_seen: how often the position has been on the board, including now.
        """

    def can_win_on_time(self, *, white: bool) -> bool:
        """Return whether a side wins if the other side's time is up."""

    def illegal_for_check(self) -> Sequence[M]:
        """Return the moves that only the safety of the king makes illegal."""

    def id_of(self, move: M) -> str:
        """Return a move's id."""

    def label(self, move: M) -> str:
        """Return a move in a notation that fits the small display, such as Ng1-f3."""

    def san(self, move: M) -> str:
        """Return a legal move in standard algebraic notation."""

    def gained(self, move: M) -> str:
        """Return the FEN letter of the piece that a move makes of another; empty if it makes none."""

    def takes_undefended(self, id_: str) -> bool:
        """Return whether a legal move captures a piece, and no legal answer captures on the same square."""

    def fen(self) -> str:
        """Return the position as FEN."""
