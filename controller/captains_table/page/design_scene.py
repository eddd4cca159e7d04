"""The content of the page on which a user draws a piece for Crowns: draft, form fields, cost and preview.

The module also applies a tap to the draft. The game's rules check the piece.

Rules: docs/rules/crowns.md D1 to D5.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from captains_table.games.common.movement import Offset
from captains_table.games.contract import Square
from captains_table.games.crowns.board import CROWNS_SHAPE, PARTIES
from captains_table.games.crowns.designs import (
    LONGEST_DESIGN_NAME,
    POINTS,
    Design,
    Fault,
    drawn_design,
    faults_of,
    half_points_text,
    read_design,
)
from captains_table.games.crowns.grids import ARROWS, DOTS, HALVES, SIDE, MoveGrid, arrow_cost, dot_cost
from captains_table.games.crowns.move_generation import reached
from captains_table.games.crowns.state import FIRST_GOLD
from captains_table.phrases import listed, message, say, several
from captains_table.web.problems import Problem

GRIDS: Final = {"standard": say("Standard"), "levelled": say("Levelled up")}
MIDDLE: Final = Square(CROWNS_SHAPE.files // 2, CROWNS_SHAPE.ranks // 2)
ROWS: Final = SIDE + 2
"""The rows of a drawn grid: five of dots, and one on either side for the arrows."""
_EDGE: Final = ROWS // 2
_STEPS: Final = {
    ("file", -2): say("two left"),
    ("file", -1): say("one left"),
    ("file", 1): say("one right"),
    ("file", 2): say("two right"),
    ("rank", -2): say("two back"),
    ("rank", -1): say("one back"),
    ("rank", 1): say("one forward"),
    ("rank", 2): say("two forward"),
}
_ARROWS: Final = {
    (0, 1): say("arrow forward"),
    (1, 1): say("arrow forward right"),
    (1, 0): say("arrow right"),
    (1, -1): say("arrow back right"),
    (0, -1): say("arrow back"),
    (-1, -1): say("arrow back left"),
    (-1, 0): say("arrow left"),
    (-1, 1): say("arrow forward left"),
}


@dataclass(frozen=True, slots=True)
class GridCell:
    """A place of a drawn grid.

    Attributes:
        move: the name of the place's dot or arrow, such as `b4` or `nw`; empty if the place can have neither.
        offset: the position relative to the middle, or the direction of an arrow; right and forward are positive.
        is_set: whether the grid has that dot or arrow.
        cost: the price of the dot or arrow in points, as text; empty if the place can have neither.
    """

    move: str
    offset: Offset
    is_set: bool = False
    cost: str = ""

    @property
    def is_arrow(self) -> bool:
        """Whether the place is for an arrow."""
        return self.move in ARROWS

    @property
    def is_middle(self) -> bool:
        """Whether the place is the middle, where the piece stands."""
        return self.offset == (0, 0)

    @property
    def words(self) -> str:
        """The place in words: "two forward, one left", or "arrow forward left"; empty for the middle.

        Only the middle and the places for a dot or arrow can be put into words.
        """
        file, rank = self.offset
        if self.is_arrow:
            return _ARROWS[self.offset]
        return listed([_STEPS[way] for way in (("rank", rank), ("file", file)) if way[1]], ",")


def cells(grid: MoveGrid) -> list[list[GridCell]]:
    """Return the cells of a move grid, row by row from the top: arrows at the edge, dots inside."""
    lines = range(_EDGE, -_EDGE - 1, -1)
    return [[_cell(grid, (file, rank)) for file in reversed(lines)] for rank in lines]


def _cell(grid: MoveGrid, place: Offset) -> GridCell:
    dot = next((move for move, offset in DOTS.items() if offset == place), "")
    if dot:
        return GridCell(dot, place, place in grid.dots, half_points_text(dot_cost(place)))
    for move, offset in ARROWS.items():
        if place == (offset[0] * _EDGE, offset[1] * _EDGE):
            return GridCell(move, offset, offset in grid.arrows, half_points_text(arrow_cost(offset)))
    return GridCell("", place)


@dataclass(frozen=True, slots=True)
class Draft:
    """A piece that is being drawn; it may still be illegal.

    Attributes:
        design: the piece so far.
        square: its square on the preview board.
        party: the player of the preview: 0 White, 1 Black.
        of: the name of the saved piece that is edited; empty for a new one.
    """

    design: Design
    square: Square = MIDDLE
    party: int = 0
    of: str = ""

    def fields(self) -> dict[str, str]:
        """Return the draft as form fields: map each field's name to its value; `read_draft` reads them."""
        return {
            "name": self.design.name,
            "standard": str(self.design.standard),
            "levelled": str(self.design.levelled),
            "square": str(self.square),
            "side": PARTIES[self.party].lower(),
            "of": self.of,
        }

    def address(self) -> str:
        """Return the address of a page that shows this draft."""
        return f"/designs/draw?{urlencode({name: value for name, value in self.fields().items() if value})}"

    @property
    def grids(self) -> dict[str, MoveGrid]:
        """The grids of standard and levelled-up moves, keyed by the names of their form fields."""
        return {"standard": self.design.standard, "levelled": self.design.levelled}

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been drawn or written yet."""
        return not (self.design.name or self.design.standard.moves or self.design.levelled.moves)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the piece, each with the rule that it breaks."""
        return faults_of(self.design)

    @property
    def summary(self) -> str:
        """The piece's cost and the number of its faults, which a screen reader says after each tap."""
        faults = len(self.faults)
        if not faults:
            return say("{spent} of {most} points. It may be played with.", self.spent, POINTS)
        return several(
            faults,
            "{spent} of {most} points. {n} thing to mend.",
            "{spent} of {most} points. {n} things to mend.",
            self.spent,
            POINTS,
        )

    @property
    def halves_left(self) -> int:
        """The remaining points, counted in half points; negative if the piece costs too much."""
        return POINTS * HALVES - self.design.standard.net - self.design.levelled.net

    @property
    def spent(self) -> str:
        """The cost of both grids in points, as text."""
        return half_points_text(POINTS * HALVES - self.halves_left)

    @property
    def left(self) -> str:
        """How many points are left, or by how many the piece costs too much, in words."""
        return (
            say("{points} left", half_points_text(self.halves_left))
            if self.halves_left >= 0
            else say("{points} too many", half_points_text(-self.halves_left))
        )

    @property
    def gold(self) -> str:
        """The player's gold at the start, such as `7 (5 + 2)`: FIRST_GOLD and the remaining whole points (D4, T1)."""
        rings = max(0, self.design.rings)
        return f"{FIRST_GOLD + rings} ({FIRST_GOLD} + {rings})"

    def tapped(self, cell: str) -> "Draft":
        """Return the draft after a tap, which sets or removes a dot or arrow; raises Problem.

        Args:
            cell: the grid and the tapped place, such as `standard-b4`.
        """
        which, _, move = cell.partition("-")
        if which not in GRIDS or move not in {*DOTS, *ARROWS}:
            wrong = say("There is no {cell} to tap: expected a grid and a move, such as standard-b4.", repr(cell[:40]))
            raise Problem(400, wrong)
        grid = self.grids[which]
        if move in DOTS:
            grid = replace(grid, dots=grid.dots ^ {DOTS[move]})
        else:
            grid = replace(grid, arrows=grid.arrows ^ {ARROWS[move]})
        return replace(self, design=Design(self.design.name, **(self.grids | {which: grid})))

    def preview(self) -> Iterator[list[tuple[Square, tuple[str, ...]]]]:
        """Yield the rows of the preview board from the top.

        Each square comes with the names of the grids by which the piece can move there.
        """
        ways = {name: reached(grid, self.party, self.square) for name, grid in self.grids.items()}
        for rank in reversed(range(CROWNS_SHAPE.ranks)):
            row = [Square(file, rank) for file in range(CROWNS_SHAPE.files)]
            yield [(square, tuple(name for name, squares in ways.items() if square in squares)) for square in row]


def cost_words(grid: MoveGrid) -> str:
    """Return how the cost of a grid comes about, in words (D2, D3)."""
    if not grid.moves:
        return say("No move yet")
    points, less = half_points_text(grid.cost), half_points_text(grid.discount)
    if not grid.discount:
        return say("{points} points, no discount", points)
    words = (
        message("{points} points, less {less}, but never below 0: {reason}")
        if grid.discount > grid.cost
        else message("{points} points, less {less}: {reason}")
    )
    return say(words, points=points, less=less, reason=grid.why_discount)


def read_draft(fields: Mapping[str, str]) -> Draft:
    """Return the draft that form fields describe; they have the names and values that `Draft.fields` returns.

    Further fields change the draft. `piece` is a piece in its written form, which replaces name and grids. `tap` is a
    tapped place, whose dot or arrow is set or removed. `from` and `turn` are the chosen square and side of the preview.

    Raises:
        BadDesign: the name or the grids cannot be read.
        Problem: another field cannot be read.
    """
    design = (
        read_design(fields["piece"])
        if fields.get("piece")
        else drawn_design(fields.get("name", "").strip(), fields.get("standard", ""), fields.get("levelled", ""))
    )
    square = _read_square(fields.get("from") or fields.get("square") or str(MIDDLE))
    draft = Draft(design, square, _read_party(fields.get("turn") or fields.get("side")), fields.get("of", ""))
    return draft.tapped(fields["tap"]) if fields.get("tap") else draft


def _read_square(name: str) -> Square:
    squares = {str(square): square for square in CROWNS_SHAPE.squares()}
    if name not in squares:
        raise Problem(400, say("There is no square {name} on this board: expected one from a1 to g7.", repr(name[:10])))
    return squares[name]


def _read_party(side: str | None) -> int:
    sides = [party.lower() for party in PARTIES]
    if side is None:
        return 0
    if side not in sides:
        raise Problem(400, say("There is no side {side}: expected {known}.", repr(side[:10]), listed(sides, "or")))
    return sides.index(side)


def copy_of(design: Design) -> Design:
    """Return a copy of a piece to edit; its name ends in 2, and is shortened if necessary."""
    ending = " 2"
    return replace(design, name=design.name[: LONGEST_DESIGN_NAME - len(ending)] + ending)
