"""The pieces that players design: a name and two grids, their notation, value and limits, and the built-in roster.

Rules: docs/rules/crowns.md D1, D4, D5 and "Designs".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from captains_table.games.contract import is_showable
from captains_table.games.crowns.grids import HALVES, BadGrid, MoveGrid, parse_grid
from captains_table.phrases import decimal, message, message_of, say

POINTS: Final = 25
LONGEST_DESIGN_NAME: Final = 20
FORM: Final = say("NAME: STANDARD / LEVELLED")
# The roster: fourteen built-in pieces for players who have not designed one (D4). How often each wins is measured by
# `python -m tests.ladder.crowns_roster`.
ROSTER: Final = (
    "Navigator: b5 d5 / b4 c4 d4 b2 d2",
    "Boatswain: b4 d4 b2 d2 / b5 d5 a4 e4 b1",
    "Lookout: b3 d3 / b5 d5 a3 e3 a1 e1",
    "Helmsman: c4 b3 d3 / b3 d3 c2 n",
    "Purser: c4 b2 d2 / b4 c4 d4 b3 d3 b2 c2 d2",
    "Carpenter: a3 e3 / c5 b4 d4 a3 b3 d3 e3 a1 b1 e1",
    "Gunner: a5 e5 / c4 a3 e3 b2 d2 s",
    "Cook: b3 d3 e3 / c5 b4 c2 a1 b1 d1 e1",
    "Quartermaster: c4 b3 / b3 d3 n",
    "Sailmaker: b5 d5 / c4 b3 d3 c2 b1",
    "Rigger: b4 d4 b2 d2 / b5 d5 a4 e4 d1",
    "Cooper: a3 e3 / c5 b4 d4 a3 b3 d3 e3 a1 d1 e1",
    "Steward: a3 b3 d3 / c5 d4 c2 a1 b1 d1 e1",
    "Yeoman: c4 d3 / b3 d3 n",
)
"""The pieces in the order in which they are assigned. Matches store the pieces they use, so the roster may change."""


class BadDesign(ValueError):
    """A piece's design breaks the rules, or its text cannot be parsed.

    Args:
        words: what was wrong and what was expected.
        rule: the number of the broken rule; D5 if the text cannot be parsed.
    """

    def __init__(self, words: str, rule: str = "D5") -> None:
        super().__init__(words)
        self.rule = rule


@dataclass(frozen=True)
class Design:
    """The design of a piece.

    Attributes:
        name: its name.
        standard: its moves before it levels up, and again after it was captured.
        levelled: its moves after levelling up.
    """

    name: str
    standard: MoveGrid
    levelled: MoveGrid

    @property
    def value(self) -> int:
        """The value of the piece in points: the price of its standard grid, whichever grid it uses now (D4)."""
        return self.standard.price

    @property
    def rings(self) -> int:
        """The additional gold with which the player starts: the unspent points, rounded down (D4)."""
        return (POINTS * HALVES - self.standard.net - self.levelled.net) // HALVES

    def __str__(self) -> str:
        return f"{self.name}: {self.standard} / {self.levelled}"


class Fault(NamedTuple):
    """A violation of the rules by a piece's design: the rule's number, and what was wrong and expected, in words."""

    rule: str
    words: str


def faults_of(design: Design) -> tuple[Fault, ...]:
    """Return all rule violations of a design; empty if the design is allowed (D4, D5, "Designs").

    If a grid is empty, the costs are not checked.
    """
    faults = [Fault("D5", _no_name(design.name))] if not is_name(design.name) else []
    if not (design.standard.moves and design.levelled.moves):
        words = say("{name}: a grid is empty: expected at least one move in each", _called(design))
        return (*faults, Fault("D1", words))
    return (*faults, *_faults_of_costs(design))


def _faults_of_costs(design: Design) -> Iterator[Fault]:
    costs = {"standard": half_points_text(design.standard.net), "levelled": half_points_text(design.levelled.net)}
    both = design.standard.net + design.levelled.net
    if both > POINTS * HALVES:
        text = message("{name} costs too much: {spent}, expected at most {points} points together")
        spent = say("{standard} and {levelled} is {both}", **costs, both=half_points_text(both))
        yield Fault("D4", say(text, name=_called(design), spent=spent, points=POINTS))
    if design.levelled.net <= design.standard.net:
        text = message(
            "{name}: the levelled-up grid costs {levelled} and the standard one {standard}, each after its discount: "
            "expected the levelled-up one to cost more"
        )
        yield Fault("D4", say(text, name=_called(design), **costs))


def is_name(name: str) -> bool:
    """Return whether a name is allowed for a piece (D5).

    An allowed name has 1 to 20 printable characters, none of them a colon, and does not begin or end with a space.
    """
    return is_showable(name) and name == name.strip() and 1 <= len(name) <= LONGEST_DESIGN_NAME and ":" not in name


def _no_name(name: str) -> str:
    expected = say("expected 1 to {most} characters, none of them a colon", LONGEST_DESIGN_NAME)
    if not name:
        return say("The piece has no name: {expected}", expected)
    return say("{name} is no name of a piece: {expected}", repr(name[:LONGEST_DESIGN_NAME]), expected)


def _called(design: Design) -> str:
    return design.name or say("The piece")


def check_design(design: Design) -> None:
    """Raise BadDesign with the first violation if a design breaks the rules."""
    for fault in faults_of(design):
        raise BadDesign(fault.words, fault.rule)


def half_points_text(halves: int) -> str:
    """Return a number of half points as a text in points, such as `17` or `3.5`."""
    whole, half = divmod(halves, HALVES)
    return decimal(halves / HALVES) if half else str(whole)


@cache
def parse_design(text: str) -> Design:
    """Parse a design in the form `NAME: STANDARD / LEVELLED`, and check it against the rules.

    STANDARD and LEVELLED are the moves of the piece before and after it levels up.

    Raises:
        BadDesign: the text cannot be parsed (see `read_design`), or the design breaks the rules.
    """
    design = read_design(text)
    check_design(design)
    return design


def read_design(text: str) -> Design:
    """Parse a design in the form `NAME: STANDARD / LEVELLED`.

    The result is not checked against the rules; the name and the grids may be empty.

    Raises:
        BadDesign: the text has another form, or a grid contains an unknown move or the same move twice.
    """
    name, colon, grids = text.partition(":")
    if not colon:
        words = message("{text} is no piece: expected {form}, such as Ferris: b4 d4 / b5 d5")
        raise BadDesign(say(words, text=repr(text[:60]), form=FORM))
    name = name.strip()
    standard, slash, levelled = grids.partition("/")
    if not slash or "/" in levelled:
        words = message("{name} has {count} grids: expected two with a / between them, {form}")
        raise BadDesign(say(words, name=name, count=grids.count("/") + 1, form=FORM))
    return drawn_design(name, standard, levelled)


def drawn_design(name: str, standard: str, levelled: str) -> Design:
    """Return the design with a name and two grids, each given as a text such as `b4 d4 n`.

    The design is not checked against the rules.

    Raises:
        BadDesign: a grid contains an unknown move, or the same move twice.
    """
    try:
        return Design(name, parse_grid(standard), parse_grid(levelled))
    except BadGrid as error:
        raise BadDesign(say("{name}: {fault}", name[:LONGEST_DESIGN_NAME], message_of(error))) from error


@cache
def roster() -> tuple[Design, ...]:
    """Return the designs of the built-in pieces, in the order of `ROSTER`."""
    return tuple(map(parse_design, ROSTER))
