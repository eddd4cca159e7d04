"""The test rounds with several pieces at once: they give readings to the electrical test and report weak magnets.

The rounds also report empty squares that were read as closed. `Places` converts the names of squares between the
wiring, the readings and the board.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from captains_table.doctor.diagnosis.electrical_test import ElectricalTest, MatrixVerdict
from captains_table.doctor.diagnosis.explanations import MatrixReading
from captains_table.doctor.diagnosis.steps import GuidedPart, GuidedStep, squares_text
from captains_table.doctor.diagnosis.suspects import mask_of
from captains_table.doctor.diagnosis.walk import SquareWalk
from captains_table.doctor.diagnosis.wiring_faults import file_name
from captains_table.games.contract import Shape, Square

MOST_MAGNETS = 2
NOT_PUT_YET = 0.25
"""If more squares than MOST_MAGNETS and this share of a round are not read, pieces are missing, not magnets weak."""


@dataclass(frozen=True, slots=True)
class Places:
    """Converts the name of a square between the wiring plan, the table's readings, and the board itself.

    The three names of a square differ if the board is wired wrongly.

    Attributes:
        shape: the board.
        corrections: maps a square of the wiring plan to the square that the table reads for it, if the two differ.
        hand: maps each square that the table reads to the square of the board where the person puts the piece.
    """

    shape: Shape
    corrections: Mapping[Square, Square]
    hand: Mapping[Square, Square]

    def by_wiring(self) -> dict[Square, Square]:
        """Return a mapping from each square of the wiring to the square where the person puts the piece."""
        return {wire: self.hand[self.corrections.get(wire, wire)] for wire in self.shape.squares()}

    def numbers(self) -> dict[Square, int]:
        """Return each square's number in the wiring, keyed by the square where the person puts the piece."""
        return {hand: wire.rank * self.shape.files + wire.file for wire, hand in self.by_wiring().items()}

    def square_name(self, number: int) -> str:
        """Return the name of the square with this number in the wiring."""
        return str(self.by_wiring()[self.shape.square_at(number)])

    def line_name(self, line: int) -> str:
        """Return the name of a line, such as `file line c`.

        The line is named after the file or rank of its squares. If its squares form neither, the name follows the
        wiring.
        """
        files, ranks, hands = self.shape.files, self.shape.ranks, self.by_wiring()
        if line < files:
            served = [hands[Square(line, rank)] for rank in range(ranks)]
            wired = f"file line {file_name(line)}"
        else:
            served = [hands[Square(file, line - files)] for file in range(files)]
            wired = f"rank line {line - files + 1}"
        if len({square.file for square in served}) == 1:
            return f"file line {file_name(served[0].file)}"
        if len({square.rank for square in served}) == 1:
            return f"rank line {served[0].rank + 1}"
        return f"{wired} (by the wiring)"

    def mask(self, read: Iterable[Square]) -> int:
        """Return a bit mask of the given squares; each bit is a square's number in the wiring.

        Args:
            read: the squares, named as the table reads them.
        """
        wires = {self.corrections.get(wire, wire): wire for wire in self.shape.squares()}
        return mask_of(wires[at].rank * self.shape.files + wires[at].file for at in read)


class PieceRounds:
    """Asks for pieces on several squares at once, one round after the other.

    Args:
        places: converts between the names that a square has in the wiring, in readings and for the person.
        walk: the earlier test, in which a single piece was put on every square in turn.
        at_rest: the switches that were closed on the empty board.
        sticking: the switches that did not open again when their piece left.
        pieces: the number of pieces.

    Attributes:
        squares: the squares of this round; empty if no further round is needed.
        concerned: the squares whose pieces should be exchanged or moved.
        weak: sentences about pieces whose magnet is weak or missing.
        ghosts: the empty squares that were read as closed in a round.
    """

    def __init__(
        self, places: Places, walk: SquareWalk, at_rest: frozenset[Square], sticking: frozenset[Square], pieces: int
    ) -> None:
        self._places = places
        self._numbers = places.numbers()
        self._hands = {number: hand for hand, number in self._numbers.items()}
        self._sticking = sticking
        self._switches = {answer.asked: answer.read for answer in walk.answers if answer.read is not None}
        self._test = ElectricalTest(places.shape, pieces)
        self._test.learn([MatrixReading(frozenset(), places.mask(at_rest)), *self._walked(walk)])
        self._pieces = pieces
        self._untried = pieces  # whose magnet no switch has confirmed yet; which piece the walk used is not known
        self._is_first = True
        self._again: frozenset[Square] = frozenset()
        self._tries_others = False
        self.concerned: frozenset[Square] = frozenset()
        self.weak: list[str] = []
        self.ghosts: set[Square] = set()
        self.squares: frozenset[Square] = frozenset()
        self._next()

    def _walked(self, walk: SquareWalk) -> list[MatrixReading]:
        """Return the readings of the walk; the square of a switch that was already sticking counts as occupied."""
        readings, stuck_by_then = [], set[Square]()
        for answer in walk.answers:
            standing = {self._numbers[answer.asked]} | {self._number_of_switch(switch) for switch in stuck_by_then}
            readings.append(MatrixReading(frozenset(standing), self._places.mask(answer.closed)))
            stuck_by_then |= self._sticking & answer.closed
        return readings

    def _number_of_switch(self, switch: Square) -> int:
        return self._numbers[self._places.hand[switch]]

    # --- questions --------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether no further round is needed."""
        return not self.squares

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        details = f"{squares_text(self.squares)}; Enter when all are there"
        return GuidedStep(GuidedPart.ROUNDS, self._prompt(), self.squares, details, concerned=self.concerned)

    def _prompt(self) -> str:
        if self._again:
            few = self._in_order(self._again)
            if not self._are_magnets(self._again):
                return f"{len(few)} squares are not read: put pieces there too"
            return f"{squares_text(few)} not read: take the piece away for good and put another there"
        if self._tries_others:
            whose = f"those of {squares_text(self.concerned)} and " if self.concerned else ""
            return f"Put {whose}those not on the board yet on {len(self.squares)} squares"
        return f"Put a piece on each of the {len(self.squares)} lit squares"

    def unread(self, closed: frozenset[Square]) -> frozenset[Square]:
        """Return the squares of this round whose switch works but is not one of the `closed` switches."""
        return frozenset(at for at in self.squares if at in self._switches and self._switches[at] not in closed)

    def lit(self, closed: frozenset[Square]) -> frozenset[Square]:
        """Return the squares to light: those whose piece is not yet proven to have a working magnet.

        If pieces were not read in the first attempt, the person is asked again. In this second attempt, only the
        squares that are still read as vacant are lit.
        """
        return self.unread(closed) if self._again else self.squares - self._tried(self.squares, closed)

    def _tried(self, standing: frozenset[Square], closed: frozenset[Square]) -> frozenset[Square]:
        """Return the squares whose piece is proven to have a working magnet.

        A magnet works if its square is read as occupied, and would be read as vacant without the piece.
        """
        numbers = {self._numbers[at]: at for at in standing if self._switches.get(at) in closed}
        return frozenset(at for number, at in numbers.items() if self._test.needs(number, frozenset(numbers)))

    # --- readings ---------------------------------------------------------------------------------------------------

    def answered(self, closed: frozenset[Square]) -> None:
        """Handle the reading with pieces on all squares of the round; ask once more if some of them are not read."""
        unread = self.unread(closed)
        if unread and not self._again:
            self._again = self.concerned = unread
            return
        self._judge(unread)
        self._again = self.concerned = frozenset()
        there = self.squares - unread
        if not self._tries_others:
            self._learn(there, closed)
        if self._is_first or self._tries_others:
            tried = self._tried(there, closed)
            self._untried -= len(tried)
            self._try_others(there - tried)
            self._is_first = False
        if not self._tries_others:
            self._next()

    def _judge(self, unread: frozenset[Square]) -> None:
        """Record the pieces whose magnet is weak or missing, and no longer count them as available.

        If only a few squares of the round were not read at first, the person was asked to put other pieces on them. In
        this case, the first pieces on these squares are recorded. Otherwise the pieces on all squares in `unread` are
        recorded.

        Args:
            unread: the squares that are not read now.
        """
        for square in self._in_order(self._again if self._are_magnets(self._again) else unread):
            other = "though its switch works" if square in unread else "another one is"
            self.weak.append(f"The piece on {square} is not read there, {other}: its magnet is weak or missing.")
            self._pieces -= 1
            self._untried -= 1

    def _are_magnets(self, unread: frozenset[Square]) -> bool:
        return len(unread) <= max(MOST_MAGNETS, NOT_PUT_YET * len(self.squares))

    def _learn(self, standing: frozenset[Square], closed: frozenset[Square]) -> None:
        numbers = {self._numbers[at] for at in standing}
        numbers |= {self._number_of_switch(switch) for switch in self._sticking & closed}
        self._test.learn([MatrixReading(frozenset(numbers), self._places.mask(closed))])
        self.ghosts |= {self._places.hand[at] for at in closed} - standing

    def _try_others(self, untried: frozenset[Square]) -> None:
        """Begin a round with the unconfirmed pieces, if there are any and if some squares can confirm them.

        No round begins if the last round already tried unconfirmed pieces and left one of them unconfirmed.

        Args:
            untried: the squares whose piece the last round left unconfirmed.
        """
        numbers = [self._numbers[at] for at in self._in_order(self._switches)]
        chosen = self._test.independent(numbers, self._untried)
        self._tries_others = bool(chosen) and (self._is_first or not untried)
        if self._tries_others:
            self.concerned = untried
            self.squares = frozenset(self._hands[number] for number in chosen)

    def _next(self) -> None:
        """Begin the next round of the electrical test, or end the rounds if the test has no further round.

        If there are too few pieces for a first round, try to begin a round with the unconfirmed pieces.
        """
        chosen = self._test.next_round(self._pieces)
        self.squares = frozenset() if chosen is None else frozenset(self._hands[number] for number in chosen)
        if chosen is None and self._is_first and self._untried:  # too few pieces for a round
            self._try_others(frozenset())

    @staticmethod
    def _in_order(squares: Iterable[Square]) -> list[Square]:
        return sorted(squares, key=lambda at: (at.rank, at.file))

    def skip(self) -> None:
        """Skip the remaining rounds."""
        self.squares = frozenset()

    def verdict(self) -> MatrixVerdict:
        """Return the electrical test's verdict on the readings so far."""
        return self._test.verdict()
