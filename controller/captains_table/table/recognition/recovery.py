"""The shortest way home: which squares to fill and to empty, in words and as marks."""

from collections.abc import Collection, Iterable, Mapping

from captains_table.games.common.pieces import piece_name
from captains_table.games.contract import Refused, Square
from captains_table.table.model.view import Mark, Wrong

MOST_LINES = 4


def wrong_squares(pieces: Mapping[Square, str], occupied: Collection[Square], masked: Collection[Square]) -> Wrong:
    """Return how the switches differ from where the pieces should stand; masked squares say nothing."""
    missing = sorted(square for square in pieces if square not in occupied and square not in masked)
    extra = sorted(square for square in occupied if square not in pieces and square not in masked)
    return Wrong(tuple(missing), tuple(extra))


def recovery_steps(wrong: Wrong, pieces: Mapping[Square, str]) -> list[str]:
    """Return in words what to do so that the board is right again, most helpful line first."""
    if len(wrong.missing) == len(wrong.extra) == 1:
        home, stray = wrong.missing[0], wrong.extra[0]
        return [f"Put the {piece_name(pieces[home])} from {stray} back on {home}"]
    lines = [f"Take the piece off {square}" for square in wrong.extra]
    lines += [f"Put the {piece_name(pieces[square])} on {square}" for square in wrong.missing]
    if len(lines) <= MOST_LINES:
        return lines
    left = len(lines) - MOST_LINES + 1
    return [*lines[: MOST_LINES - 1], f"and {left} more"]


def refusal(refused: Iterable[Refused], occupied: Collection[Square], masked: Collection[Square]) -> Refused | None:
    """Return the move on the board that only the dice forbid, none if it is not one."""
    seen = set(occupied) - set(masked)
    return next((move for move in refused if set(move.pieces) - set(masked) == seen), None)


def recovery_marks(wrong: Wrong, *, forbidden_by_dice: bool) -> dict[Square, Mark]:
    """Return the marks that show the way home."""
    away = Mark.NOT_THIS_DIE if forbidden_by_dice else Mark.TAKE_AWAY
    return dict.fromkeys(wrong.missing, Mark.PUT_HERE) | dict.fromkeys(wrong.extra, away)
