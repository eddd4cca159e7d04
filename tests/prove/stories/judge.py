"""The judgement: which stories fit what settled, of every move on offer, of two moves in a row, and of none."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import Square
from tests.prove.stories import prices
from tests.prove.stories.history import History
from tests.prove.stories.roles import Pieces, Roles, changed_between
from tests.prove.stories.search import Began, Search, Starts

NOTHING: Final = "take-back"


@dataclass(frozen=True, slots=True)
class End:
    """How a story may end: the move's id, or `take-back` for nothing played; what stands then; what may follow."""

    id: str
    pieces: Pieces
    following: "Callable[[], Sequence[End]]" = tuple


Path = tuple[str, ...]
"""The ids of the moves a story tells of, in order; none where nothing was played."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the cheapest story of each end costs, and what stands then; ends that nothing explains are left out."""

    costs: Mapping[Path, float]
    pieces: Mapping[Path, Pieces]

    @property
    def least(self) -> float | None:
        """What the cheapest story costs; None where nothing explains the board."""
        return min(self.costs.values(), default=None)

    def fitting(self) -> list[Path]:
        """Return the ends that fit, the cheapest first; of those with the same pieces the cheapest alone."""
        least, found, seen = self.least, list[Path](), list[Pieces]()
        for path in sorted(self.costs, key=lambda path: (self.costs[path], len(path), path)):
            if least is not None and self.costs[path] <= least + prices.FITS_WITHIN and self.pieces[path] not in seen:
                found.append(path)
                seen.append(self.pieces[path])
        return found

    def fits(self, path: Path) -> bool:
        """Return whether a story costs hardly more than the cheapest."""
        return self.costs.get(path, prices.TOO_DEAR) - (self.least or 0.0) <= prices.FITS_WITHIN

    def rivals(self, path: Path) -> bool:
        """Return whether a story is cheap enough to be a rival of another."""
        return self.costs[path] < prices.NO_RIVAL


def verdict(
    before: Pieces, history: History, ends: Iterable[End], *, forgets: bool = False, spares: Sequence[str] = ()
) -> Verdict:
    """Return what everything that settled may tell: which of the moves on offer was played, or nothing.

    Args:
        before: the pieces before the move.
        history: what settled since the board stood so.
        ends: the moves on offer.
        forgets: whether a story begins afresh, and costs nothing yet, where all its pieces stand as before the move.
        spares: the pieces that the move before took: they may be set down by mistake.

    Where the board reads just the pieces that some story ends with, no story ends with others.
    """
    ends = list(ends)
    occupied, legal = history.occupied(), _legal(before, ends)
    start: Starts = {0: {Began(frozenset((square, None) for square in history.closed - before.keys())): 0.0}}
    costs: dict[Path, float] = {}
    pieces: dict[Path, Pieces] = {}

    def note(path: Path, end: End, cost: float | None) -> None:
        if cost is not None and cost < costs.get(path, prices.TOO_DEAR):
            costs[path], pieces[path] = cost, end.pieces

    for toyed in _toyed(before, history, legal):
        search = Search(history, Roles(before, before, legal, toyed), spares, forgets=forgets)
        note((), End(NOTHING, before), search.cheapest(start))
    for end in ends:
        if _may_have_begun(before, end.pieces, history):
            roles = Roles(before, end.pieces, legal)
            search = Search(history, roles, spares, forgets=forgets)
            if _may_end(roles, history, occupied):
                note((end.id,), end, search.cheapest(start))
            for path, last, cost in _chains(end, search, history, search.made(start), occupied):
                note(path, last, cost)
    read = {path: cost for path, cost in costs.items() if history.is_read(pieces[path])}
    return Verdict(read or costs, pieces)


def _chains(
    first: End, search: Search, history: History, made: Starts, occupied: frozenset[Square]
) -> Iterator[tuple[Path, End, float | None]]:
    """Yield the stories of the next player's moves after one that was made."""
    if not any(made.values()):
        return
    following = first.following()
    legal = _legal(first.pieces, following)
    for last in following:
        if not _may_have_begun(first.pieces, last.pieces, history):
            continue
        roles = Roles(first.pieces, last.pieces, legal)
        if _may_end(roles, history, occupied):
            yield (first.id, last.id), last, Search(history, roles, search.taken_signs()).cheapest(made)


def _toyed(before: Pieces, history: History, legal: Mapping[Square, Sequence[Square]]) -> list[Square | None]:
    """Return the pieces somebody may have had in mind to move: those that were lifted and may go somewhere."""
    return [*(square for square in history.touched() if square in before and square in legal), None]


def _may_have_begun(before: Pieces, after: Pieces, history: History) -> bool:
    """Return whether enough switches spoke for a move: all squares it changes, but for a victim that was not seen."""
    changed, touched = changed_between(before, after), history.spoke()
    unseen = changed - touched
    return unseen != changed and all(square in before and square in after for square in unseen)


def _may_end(roles: Roles, history: History, occupied: frozenset[Square]) -> bool:
    """Return whether the switches may look so after a move: no square differs that was not touched."""
    touched = set(history.touched())
    differing = (occupied ^ roles.after.keys()) - history.silent
    return all(square in touched or (square in history.closed) != (square in roles.before) for square in differing)


def _legal(before: Pieces, ends: Iterable[End]) -> dict[Square, list[Square]]:
    goals: dict[Square, list[Square]] = {}
    for end in ends:
        changed = changed_between(before, end.pieces)
        filled = [square for square in changed if square in end.pieces]
        for square in changed & before.keys():
            puts = [put for put in filled if end.pieces[put] == before[square]]
            if puts:
                goals.setdefault(square, []).extend(puts)
    return goals
