"""The guided test's walk with one piece over every square, and its test of the corners of suspicious squares.

If no switch reads the first piece of the walk, the walk asks for another piece. The walk also counts how often each
switch opens while the piece is led over the square's corners.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from captains_table.doctor.diagnosis.steps import GuidedPart, GuidedStep, QuestionQueue
from captains_table.games.contract import Shape, Square

MOST_TRIED = 3
"""How many pieces are tried before a silent square counts as dead: a piece's magnet may be missing."""
CORNERS = ("near left", "near right", "far left", "far right")
"""The corners of a square as White sees them."""

WEAK_FIRST = "The piece tried first on {} is not read there, the next one is: its magnet is weak or missing."


class CornerTest(QuestionQueue[tuple[Square, Square, str]]):
    """Asks the person to put the piece into each corner of every suspicious square.

    A square is suspicious if its switch opened while the piece was led over the square's corners.

    Args:
        suspected: pairs of a suspicious square and the square whose switch closes for a piece on it.
    """

    def __init__(self, suspected: Iterable[tuple[Square, Square]]) -> None:
        super().__init__((square, read, corner) for square, read in suspected for corner in CORNERS)
        self.open_in: dict[Square, list[str]] = {}

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        square, _, corner = self._waiting[0]
        prompt = f"Put the piece into the {corner} corner of {square}"
        return GuidedStep(GuidedPart.CORNERS, prompt, frozenset({square}), "Enter when it is there")

    def answered(self, closed: frozenset[Square]) -> None:
        """Record whether the square's switch is closed while the piece is in the requested corner."""
        square, switch, corner = self._waiting.popleft()
        if switch not in closed:
            self.open_in.setdefault(square, []).append(corner)

    def sentences(self) -> list[str]:
        """Return a sentence about each square whose switch stays open while the piece is in a corner."""
        remedy = "Its reed lies too deep or too far aside (narrow reach)."
        return [
            f"{square} closes only in its middle, not in {_which(corners)}. {remedy}"
            for square, corners in self.open_in.items()
        ]


def _which(corners: list[str]) -> str:
    if len(corners) == len(CORNERS):
        return "any of its corners"
    return f"its {' and '.join(corners)} corner{'s' if len(corners) > 1 else ''}"


@dataclass(frozen=True, slots=True)
class SquareAnswer:
    """The reading while the piece was on a square.

    Attributes:
        asked: the square that was asked for.
        arrived: the switches that closed after the question and were still closed at the answer, in the order of
            closing.
        closed: all switches that were closed at the answer.
        at_rest: the switches that were closed on the empty board.
    """

    asked: Square
    arrived: tuple[Square, ...]
    closed: frozenset[Square]
    at_rest: frozenset[Square]

    @property
    def read(self) -> Square | None:
        """The switch that closed for the square; `None` if no switch did."""
        if self.asked in self.closed - self.at_rest:
            return self.asked
        return self.arrived[0] if self.arrived else None


class SquareWalk(QuestionQueue[Square]):
    """Asks the person to put the piece on one square after the other.

    Args:
        shape: the board.
        at_rest: the switches that are closed on the empty board.
        over_corners: whether to ask the person to lead the piece over the corners of each square.
    """

    def __init__(self, shape: Shape, at_rest: frozenset[Square] = frozenset(), *, over_corners: bool = True) -> None:
        super().__init__(shape.squares())
        self._over_corners = over_corners
        self._count = len(self._waiting)
        self._at_rest = at_rest
        self.answers: list[SquareAnswer] = []
        self.let_go: dict[Square, int] = {}  # how often each square's switch opened and closed again
        self._tried = 1
        self._is_proven = False
        self._wants_another = False
        self.weak_first = ""

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        square = self._waiting[0]
        prompt = f"Put another piece on {square} instead" if self._wants_another else f"Put the piece on {square}"
        is_told = self._over_corners and not self.answers
        details = "then lead it over its four corners, here and on every further square" if is_told else ""
        return GuidedStep(GuidedPart.SQUARES, prompt, frozenset({square}), details)

    def answered(self, arrived: tuple[Square, ...], closed: frozenset[Square]) -> None:
        """Record what was read on the requested square, or ask for another piece if no piece was read so far."""
        asked = self._waiting[0]
        answer = SquareAnswer(asked, arrived, closed, self._at_rest)
        if answer.read is None and self._try_another():
            return
        if answer.read is not None:
            if self._wants_another:
                self.weak_first = WEAK_FIRST.format(asked)
            self._is_proven = True
        self._wants_another = False
        self.answers.append(answer)
        self._waiting.popleft()

    def _try_another(self) -> bool:
        """Request another piece if no piece has been read anywhere yet; return whether one was requested.

        At most `MOST_TRIED` pieces are tried.
        """
        if self._is_proven or self._wants_another or self._tried >= MOST_TRIED:
            return False
        self._tried += 1
        self._wants_another = True
        return True

    def closed_again(self, switch: Square) -> bool:
        """Return whether the piece on the last square had already closed this switch; if so, count the new closing.

        The switch opens and closes again while the person leads the piece over the square's corners. Each square has
        its own count.
        """
        if not self.answers or self._wants_another:
            return False
        last = self.answers[-1]
        if switch not in last.closed - self._at_rest or switch == self.asked:
            return False
        self.let_go[last.asked] = self.let_go.get(last.asked, 0) + 1
        return True

    def moved_on(self, closed: frozenset[Square]) -> None:
        """Discard the last square's count of closings if the switch of that square is closed now.

        In this case the piece on the next square closes the same switch. The count then says nothing about the last
        square.
        """
        if self.answers and self.answers[-1].closed & closed - self._at_rest:
            self.let_go.pop(self.answers[-1].asked, None)

    @property
    def is_complete(self) -> bool:
        """Whether every square was asked for, and its answer recorded."""
        return len(self.answers) == self._count
