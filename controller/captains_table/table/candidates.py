"""What the board may come to mean: every option made on the board with its footprint, prepared once a decision."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Decide, Game, Option, Pick, PickAsk, Square
from captains_table.table.match import Match

TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing the players may have done on the board.

    Attributes:
        id: the option's id, or `take-back` for the position before a move that may still be changed.
        label: its words.
        takes_back: whether the last move is taken back first.
        occupied: the squares occupied afterwards.
        changed: the squares whose piece differs from the position on the table now: all must have been touched.
        left: the squares that are vacated, seen from the position on the table now.
        filled: the squares that get another piece.
        becomes: the piece that then stands on the one filled square; none where more than one is filled.
        origin: where the one piece that moves stands now; none where none or more than one moves.
    """

    id: str
    label: str
    takes_back: bool
    occupied: frozenset[Square]
    changed: frozenset[Square]
    left: frozenset[Square]
    filled: frozenset[Square]
    becomes: str | None
    origin: Square | None

    @property
    def target(self) -> Square | None:
        """Where the one piece that moves goes."""
        return next(iter(self.filled)) if self.origin is not None else None

    def extends(self, shorter: "Candidate") -> bool:
        """Return whether the other may only be a stop on the way to this one.

        The same piece goes further along a path it may be slid on, or the other is half of this one (castling).
        """
        if shorter.changed < self.changed:
            return True
        if self.origin is None or self.target is None or shorter.target is None or shorter.origin != self.origin:
            return False
        return self.target != shorter.target and lies_between(self.origin, shorter.target, self.target)


def lies_between(start: Square, square: Square, end: Square) -> bool:
    """Return whether a piece slid from start to end may cross a square.

    Along a straight line only that line counts; a leaper is slid somewhere within the rectangle of its leap.
    """
    files, ranks = end.file - start.file, end.rank - start.rank
    step_files, step_ranks = square.file - start.file, square.rank - start.rank
    if not (_within(step_files, files) and _within(step_ranks, ranks)) or square == start:
        return False
    straight = files == 0 or ranks == 0 or abs(files) == abs(ranks)
    return not straight or step_files * ranks == step_ranks * files


def _within(step: int, whole: int) -> bool:
    return min(0, whole) <= step <= max(0, whole)


def difference(before: Mapping[Square, str], after: Mapping[Square, str]) -> frozenset[Square]:
    """Return the squares whose piece differs between two positions."""
    return frozenset(square for square in {*before, *after} if before.get(square) != after.get(square))


def candidates(match: Match) -> list[Candidate]:
    """Return what may be done on the board now: the next options, and the alternatives to a move not yet sealed."""
    now = match.pieces()
    found = [_candidate(option, now, after) for option, after in _board_options(match.game, match.state)]
    last = match.provisional
    if last is None:
        return found
    before = match.game.pieces(last.before)
    found.append(_candidate(Option(TAKE_BACK, "Take the move back"), now, before, takes_back=True))
    for option, after in _board_options(match.game, last.before):
        if Pick(option.id) != last.acted.action:
            found.append(_candidate(option, now, after, takes_back=True))
    return found


def _board_options(game: Game[Any], state: object) -> Iterator[tuple[Option, Mapping[Square, str]]]:
    turn = game.turn(state)
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        for option in turn.ask.options:
            if option.on_board:
                yield option, game.pieces(game.apply(state, Pick(option.id)))


def _candidate(
    option: Option,
    now: Mapping[Square, str],
    after: Mapping[Square, str],
    *,
    takes_back: bool = False,
) -> Candidate:
    changed = difference(now, after)
    left = frozenset(square for square in changed if square not in after)
    filled = changed - left
    return Candidate(
        id=option.id,
        label=option.label,
        takes_back=takes_back,
        occupied=frozenset(after),
        changed=changed,
        left=left,
        filled=filled,
        becomes=after[next(iter(filled))] if len(filled) == 1 else None,
        origin=_origin(now, after, left, filled),
    )


def _origin(
    now: Mapping[Square, str], after: Mapping[Square, str], left: frozenset[Square], filled: frozenset[Square]
) -> Square | None:
    """Return where the piece that fills the one filled square came from; a promoted one is another piece there."""
    if len(filled) != 1 or not left:
        return None
    (target,) = filled
    return next((square for square in left if now[square] == after[target]), min(left))
