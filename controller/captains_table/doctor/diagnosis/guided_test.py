"""The guided test: a state machine without devices that asks for pieces, lights and buttons and records the answers.

It passes events and typed lines to the parts of the test, one part after the other, and collects the parts' findings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from captains_table.doctor.diagnosis.findings import (
    Findings,
    bought_board_sentences,
    notes,
    sentences,
    symptom_sentences,
)
from captains_table.doctor.diagnosis.lights_and_buttons import ButtonTest, LightWalk
from captains_table.doctor.diagnosis.piece_rounds import PieceRounds, Places
from captains_table.doctor.diagnosis.steps import GuidedPart, GuidedStep, squares_text
from captains_table.doctor.diagnosis.walk import CornerTest, SquareWalk
from captains_table.doctor.diagnosis.wiring_faults import Diagnosis, diagnose
from captains_table.games.contract import Shape, Square
from captains_table.table.model.events import Button
from captains_table.table.recognition.switches import Condition, SwitchHealth

DWELL_MS = 400
"""A piece counts as arrived when no switch has changed for this long: it may have been slid over other squares."""

LIGHT_WRONG = "l"
OF_A_MATRIX = {GuidedPart.CLEARED, GuidedPart.CORNERS, GuidedPart.ROUNDS}
RANKS_OF_PIECES = 4  # two sides, two ranks each
ALL_SILENT = (
    "No square is read at all: is the board connected? With rank and file wires exchanged, or every diode reversed, "
    "the diodes block."
)
LEFT_OUT = "Whether the diode is missing or bridged is not known of"


Asking = SquareWalk | CornerTest | PieceRounds | LightWalk | ButtonTest


class GuidedTest:
    """Asks for a piece on every square in turn, for rounds of several pieces, and about lights and buttons.

    Times are monotonic milliseconds.

    Args:
        shape: the board.
        buttons: the buttons that the build has.
        chain: the squares in the order of the chain of lights; empty without lights.
        corrections: maps a square of the wiring plan to the square that the table reports for its switch; squares that
            are read as planned are left out.
        has_matrix: whether reeds in a matrix read the board; only then pieces are led over corners, and put in rounds,
            and the findings name causes that can be mended.
    """

    def __init__(
        self,
        shape: Shape,
        buttons: Sequence[Button] = (),
        chain: Sequence[Square] = (),
        corrections: Mapping[Square, Square] | None = None,
        *,
        has_matrix: bool = True,
    ) -> None:
        self._shape = shape
        self._has_matrix = has_matrix
        self._corrections = corrections or {}
        self._part = GuidedPart.EMPTY
        self._closed: frozenset[Square] = frozenset()
        self._health = SwitchHealth()
        self._changed_ms = 0
        self._arrived: list[Square] = []  # switches that have closed since the question and still are, in order
        self._at_rest: frozenset[Square] = frozenset()
        self._sticking: frozenset[Square] = frozenset()
        self._pieces = RANKS_OF_PIECES * shape.files
        self._walk = SquareWalk(shape, over_corners=has_matrix)
        self._corners = CornerTest([])
        self._rounds: PieceRounds | None = None
        self._lights = LightWalk(shape, chain)
        self._has_lights = bool(chain)
        self._lights_doubted = False
        self._buttons = ButtonTest(buttons)

    # --- questions --------------------------------------------------------------------------------------------------

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        asking = self._asking()
        if asking is not None:
            return asking.step
        match self._part:
            case GuidedPart.EMPTY | GuidedPart.CLEARED:
                return GuidedStep(self._part, "Take everything off the board", details="Enter when that is done")
            case GuidedPart.PIECES:
                prompt = f"How many pieces are there? (Enter: {self._pieces})"
                return GuidedStep(self._part, prompt, details="type the number")
        return GuidedStep(self._part, "The test is over")

    def _asking(self) -> Asking | None:
        """Return the object that asks the questions of this part; `None` if the part only waits for a typed line."""
        asking: Mapping[GuidedPart, Asking | None] = {
            GuidedPart.SQUARES: self._walk,
            GuidedPart.CORNERS: self._corners,
            GuidedPart.ROUNDS: self._rounds,
            GuidedPart.LIGHTS: self._lights,
            GuidedPart.BUTTONS: self._buttons,
        }
        return asking.get(self._part)

    @property
    def lit(self) -> frozenset[Square]:
        """The lights to switch on now, each named by the square for which the profile plans the light.

        While several pieces are tested at once, the lights mark the squares whose piece is not confirmed yet. Once a
        light was reported as wrong, the light that was seen on a square marks the square. If no light was seen there,
        the square is not marked.
        """
        if self._part is GuidedPart.LIGHTS:
            return frozenset() if self._lights.asked is None else frozenset({self._lights.asked})
        squares = self.step.squares
        if self._part is GuidedPart.ROUNDS and self._rounds is not None:
            squares = self._rounds.lit(self._closed)
        if not self._lights_doubted:
            return squares
        return frozenset(lit for lit, seen in self._lights.answers.items() if seen in squares)

    # --- events -----------------------------------------------------------------------------------------------------

    def read(self, occupied: frozenset[Square], now_ms: int) -> None:
        """Handle a complete reading of the board."""
        before, self._closed = self._closed, occupied
        self._changed_ms = now_ms
        self._arrived = [square for square in self._arrived if square in occupied]
        for square in sorted(occupied - before - set(self._arrived)):
            self._on_closed(square)

    def switched(self, square: Square, *, closed: bool, now_ms: int, flickers: int = 0) -> None:
        """Handle the debounced change of one switch."""
        self.tick(now_ms)
        self._health.changed(square, now_ms, flickers)
        self._changed_ms = now_ms
        self._arrived = [other for other in self._arrived if other != square]
        self._closed -= {square}
        if closed:
            self._closed |= {square}
            self._on_closed(square)

    def _on_closed(self, square: Square) -> None:
        if self._part in {GuidedPart.SQUARES, GuidedPart.CLEARED} and self._walk.closed_again(square):
            return  # the piece is led over the corners of the last square, or taken off it
        self._arrived.append(square)

    def tick(self, now_ms: int) -> None:
        """Let time pass; a piece that has been on its square for `DWELL_MS` counts as put there.

        Only the walk over the squares and the test of lights depend on time.
        """
        if not self._arrived or now_ms - self._changed_ms < DWELL_MS:
            return
        if self._part is GuidedPart.SQUARES:
            self._answered()
        elif self._part is GuidedPart.LIGHTS:
            self._lights.answered(self._diagnosis().places[self._arrived[0]])
            self._go_on()

    def due_ms(self) -> int | None:
        """Return when `tick` must be called if no event comes before; `None` if there is nothing to wait for."""
        is_waiting = self._part in {GuidedPart.SQUARES, GuidedPart.LIGHTS} and self._arrived
        return self._changed_ms + DWELL_MS if is_waiting else None

    def pressed(self, button: Button) -> None:
        """Handle a pressed button; it has no effect unless buttons are asked for."""
        if self._part is GuidedPart.BUTTONS:
            self._buttons.answered(button)
            self._go_on()

    def on_word(self, word: str, now_ms: int) -> None:
        """Handle a typed line; its meaning depends on what the test asks.

        The line `l` always says that a light is wrong. The meaning of any other line:

        - If the test asks for the number of pieces: the number. An empty line leaves the number unchanged.
        - If the test asks on which square a light shines: the square. An empty line says that no light shines.
        - If the test asks for a button: the button does nothing.
        - In the other parts of the test: the person has done what was asked.
        """
        self.tick(now_ms)
        if word == LIGHT_WRONG:
            self._lights_doubted = self._has_lights
            return
        match self._part:
            case GuidedPart.EMPTY:
                self._at_rest = self._closed
                self._walk = SquareWalk(self._shape, self._at_rest, over_corners=self._has_matrix)
                self._enter(GuidedPart.PIECES if self._has_matrix else GuidedPart.SQUARES)
            case GuidedPart.PIECES:
                self._count(word)
            case GuidedPart.SQUARES:
                self._stands_there()
            case GuidedPart.CORNERS:
                self._corners.answered(self._closed)
                self._go_on()
            case GuidedPart.CLEARED:
                self._sticking = self._closed - self._at_rest
                self._enter(GuidedPart.CORNERS)
            case GuidedPart.ROUNDS if self._rounds is not None:
                self._rounds.answered(self._closed)
                self._go_on()
            case GuidedPart.LIGHTS:
                self._shines(word)
            case GuidedPart.BUTTONS:
                self._buttons.answered(None)
                self._go_on()

    def skip(self) -> None:
        """Skip the rest of this part and begin the next one."""
        asking = self._asking()
        if asking is not None:
            asking.skip()
        following = list(GuidedPart)[list(GuidedPart).index(self._part) + 1 :]
        if following:
            self._enter(following[0])

    # --- progress ---------------------------------------------------------------------------------------------------

    def _count(self, word: str) -> None:
        if word.isdecimal():
            self._pieces = int(word)
        if not word or word.isdecimal():
            self._enter(GuidedPart.SQUARES)

    def _shines(self, word: str) -> None:
        """Record the answer to the question on which square a light shines: the name of the square.

        An empty answer means that no light shines. A word that is no square's name is not recorded.
        """
        named = next((square for square in self._shape.squares() if str(square) == word), None)
        if named is not None or not word:
            self._lights.answered(named)
        self._go_on()

    def _answered(self) -> None:
        self._walk.answered(tuple(self._arrived), self._closed)
        self._arrived = []
        self._go_on()

    def _stands_there(self) -> None:
        """Handle the confirmation that the piece is on the requested square, whether or not a switch closed."""
        if not self._arrived:
            self._walk.moved_on(self._closed)
        self._answered()

    def _go_on(self) -> None:
        """Forget which switches have closed since the question; begin the next part of the test if this one is done."""
        self._arrived = []
        if self._is_done():
            self.skip()

    def _enter(self, part: GuidedPart) -> None:
        """Begin a part; skip it if it has nothing to ask."""
        self._part = part
        answers = self._answers()
        if part is GuidedPart.CORNERS:
            self._corners = CornerTest((at, answers[at]) for at in self._walk.let_go if at in answers)
        elif part is GuidedPart.ROUNDS and answers:
            self._rounds = self._new_rounds(self._pieces - bool(self._walk.weak_first))
        self._go_on()

    def _is_done(self) -> bool:
        if self._part in OF_A_MATRIX and not self._has_matrix:
            return True
        if self._part is GuidedPart.LIGHTS and not self._lights_doubted:
            return True
        asking = self._asking()
        return self._part is GuidedPart.ROUNDS if asking is None else asking.is_over

    def _new_rounds(self, pieces: int) -> PieceRounds:
        return PieceRounds(self._places(), self._walk, self._at_rest, self._sticking, pieces)

    # --- findings ---------------------------------------------------------------------------------------------------

    def _answers(self) -> dict[Square, Square]:
        """Return the switch that closed for each square, without the squares for which no switch closed."""
        return {answer.asked: answer.read for answer in self._walk.answers if answer.read is not None}

    def _diagnosis(self) -> Diagnosis:
        return diagnose(self._shape, self._answers(), self._at_rest)

    def _places(self) -> Places:
        return Places(self._shape, self._corrections, self._diagnosis().places)

    def findings(self) -> Findings:
        """Return what the test has found so far."""
        diagnosis = self._diagnosis()
        if self._has_matrix:
            matrix, unsure = self._matrix(diagnosis)
        else:
            matrix, unsure = bought_board_sentences(self._shape, self._walk.answers, self._at_rest), []
            diagnosis = replace(diagnosis, wiring=())
        weak = [self._walk.weak_first] if self._walk.weak_first else []
        return Findings(
            diagnosis,
            tuple(matrix),
            (*weak, *(self._rounds.weak if self._rounds else ())),
            tuple(self._corners.sentences()),
            tuple(sorted(diagnosis.places[read] for read in self._sticking)),
            tuple(self._lights.sentences(has_chain=self._has_matrix)),
            self._lights.places(),
            tuple(self._buttons.sentences()),
            self._buttons.places(),
            tuple(unsure),
            tuple(
                self._health.report(square, closed=square in self._closed, condition=Condition.GOOD)
                for square in self._shape.squares()
            ),
            complete=self._walk.is_complete,
        )

    def _matrix(self, diagnosis: Diagnosis) -> tuple[list[str], list[str]]:
        """Return sentences about faulty switches, diodes and lines, and sentences about what is still uncertain."""
        if self._walk.is_complete and all(answer.read is None for answer in self._walk.answers):
            return [ALL_SILENT], []
        rounds = self._rounds or self._new_rounds(0)
        verdict = rounds.verdict()
        if not verdict.is_explained:
            return symptom_sentences(diagnosis, tuple(sorted(rounds.ghosts))), []
        places = self._places()
        hands = places.by_wiring()
        left = [hands[self._shape.square_at(number)] for number in verdict.unproven]
        left_out = [f"{LEFT_OUT}: {squares_text(left)}."] if left else []
        return list(sentences(verdict, places)), [*notes(verdict, places), *left_out]
