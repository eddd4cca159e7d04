"""What Aether is asked, and what it answers: a turn of Legend in which the Legend die may lie, as plain values.

Source: docs/rules/legend.md.
"""

from dataclasses import dataclass
from typing import Final, Literal

ActionKind = Literal["throw", "move", "genie"]

MOST_THROWS: Final = 3


@dataclass(frozen=True, slots=True)
class Situation:
    """A turn in hand: pairs are (White's, Black's), whoever is to move.

    Attributes:
        fen: the position before the turn's move; it says who is to move, who may still castle, and en passant.
        die: how the Legend die lies; `None` before its first throw.
        throws: how often it fell this turn, 0 to 3 (L5).
        cargo: the tallies without what this turn's dice bring.
        legend: the tallies.
        captures: what each holds of the other's pieces, small letters as FEN has them, promoted ones as taken (L17).
        genie_spent: whether each has summoned the Genie this round (L18).
        rounds_left: rounds of the match after this one.
        turns_left: turns until this round is broken off, this one included; `None` without a limit (L3).
        scores_piece: legend is the moved piece's value, not the die's (L9).
        is_final: the die may not be thrown again (a price was accepted, the Genie summoned).
    """

    fen: str
    die: int | None
    throws: int
    cargo: tuple[int, int] = (0, 0)
    legend: tuple[int, int] = (0, 0)
    captures: tuple[str, str] = ("", "")
    genie_spent: tuple[bool, bool] = (False, False)
    rounds_left: int = 0
    turns_left: int | None = None
    scores_piece: bool = False
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What a search holds for best.

    Attributes:
        action: throw the Legend die, make a move on the board, or summon the Genie.
        move: in UCI, castling as the king's move; `None` where nothing is moved, or no permitted piece can move.
        value: the expected difference of the grand scores at the end of the match, for whoever is to move, the present
            tallies included.
        depth: moves looked ahead, this one included.
        nodes: positions that were looked at.
    """

    action: ActionKind
    move: str | None
    value: float
    depth: int
    nodes: int
